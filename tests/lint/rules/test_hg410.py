from __future__ import annotations

import pytest

from hoard_git.core.policy import Policy
from tests.support.content import FIRST, changed, severities, standing

LEAVING = [
    "- [x](../x.md)",
    "- [x](notes/../../x.md)",
    "- ![x](../x.png)",
    "- [x](..\\x.md)",
    "- [x](%2e%2e/x.md)",
    "- [x](&#46;&#46;/x.md)",
    "- [x](</etc/passwd>)",
    "- [x](/etc/passwd)",
    "- [x](~/.ssh/config)",
    "- [x](C:\\Windows\\x.ini)",
    "- [x](C:/x.ini)",
    "- [x](\\\\server\\share)",
    "- [x](file:///etc/hosts)",
    "- [x](FILE:x)",
    "- see file:///etc/hosts",
    "- <file:///etc/hosts>",
    "- <~/.ssh/config>",
    "- [[../x]]",
    "- ![[../../x|name]]",
    "- [[/etc/passwd]]",
    "- [[notes/../../x#part]]",
    "[x]: ../x.md\n\n[x]",
    "@../outside/prefs.md",
    "- load @~/.claude/x.md",
    "- load @/etc/prefs.md",
    "- load @C:\\x.md",
    "- load @memory/../../x.md",
    '<a href="../x.md">x</a>',
    "<img src='/etc/x.png'>",
    "- <a\n  href=../x.md>x</a>",
    "@/x.md",
    "- load @/outside/prefs.txt.",
    "@C:/x.md",
    "@z:/x",
    "@$HOME/x.md",
    "@${HOME}/x.md",
    "@%USERPROFILE%\\x.md",
    "@//server/share/x.md",
    "@\\\\server\\share\\x.md",
    "@smb://server/share/x.md",
    "- [x]($HOME/x.md)",
    "- [x](${HOME}/x.md)",
    "- [x](//server/share)",
    "- [x](//server)",
    "- [x](smb://server.example/share)",
    "- [x](SMB:server)",
    "- [x](vscode://file/etc/hosts)",
    "- [x](vscode-insiders:open)",
    "- [x](javascript:alert(1))",
    "- [x](java&#115;cript:alert(1))",
    "- [x](obsidian://open?vault=x)",
    "- [x](ms-settings:display)",
    "- [x](ssh://server.example)",
    "- ![x](nfs://server/x.png)",
    "- <vscode://file/etc/hosts>",
    "- <smb://server/share>",
    "- <javascript:alert(1)>",
    '<a href="vscode:x">x</a>',
    "[x]: vscode://file/x\n\n[x]",
]

STAYING = [
    "- [x](memory/x.md)",
    "- [x](./x.md)",
    "- [x](memory/../MEMORY.md)",
    "- [x](#part)",
    "- [x](https://example.org/../x)",
    "- [x](//example.org/x)",
    "- [x](mailto:sam@mail.example)",
    "- [[projects/alpha]] and [[../x",
    "- `[x](../../x.md)` and `@../x`",
    "```\n[x](../../x.md)\n@../../x\n```",
    "- the file ../../x.md, /etc/hosts, ~/.ssh and C:\\x",
    "- sam@mail.example, @sam, @scope/name, @./x.md, @/components/x",
    "- **File:** `x` and file:x and File:Line",
    "- if [[ -f ../x ]]; then",
    "- [x](~tilde)",
    "- [x]()",
    "- [x](tel:+1234) [y](xmpp:a@b.example) [z](irc://chat.example/x) [m](matrix:r/x:chat.example) [f](ftp://files.example)",
    "- [x](sms:1) <ircs://chat.example> <mailto:sam@mail.example>",
    "- [x](localhost:8080/x) and [y](MEMORY.md:12) and [z](page.md:part)",
    "- [[project: alpha]] and [[note:x]]",
    "- log in as <user:password> at <host:port> at <HH:MM>",
    "- cost is 5@$2 and ssh sam@$HOST and @$HOST",
    "- see @/components/x and @/parts/x.ts",
    "- a/@../x",
    "- a]: ../x.md",
]


@pytest.mark.parametrize("text", LEAVING)
def test_what_leaves(text: str) -> None:
    assert set(severities(changed("HG410", text))) == {"error"}
    assert set(severities(changed("HG410", text, actor="human"))) == {"error"}
    assert set(severities(standing("HG410", text))) == {"warn"}


@pytest.mark.parametrize("text", STAYING)
def test_what_stays(text: str) -> None:
    assert changed("HG410", text) == []


def test_a_file_in_a_folder_may_climb_to_the_root() -> None:
    assert changed("HG410", "- [x](../MEMORY.md)", path="memory/notes.md") == []
    assert severities(changed("HG410", "- [x](../../x.md)", path="memory/notes.md")) == ["error"]


def test_the_root_is_the_workspace_s() -> None:
    policy = Policy(roots=("agents/a",))
    assert severities(changed("HG410", "- [x](../b/MEMORY.md)", path="agents/a/MEMORY.md", policy=policy)) == ["error"]
    assert changed("HG410", "- [x](../MEMORY.md)", path="agents/a/memory/x.md", policy=policy) == []


def test_one_finding_a_line_at_its_place() -> None:
    found = changed("HG410", "- one\n- [x](../x) and [y](../y)\n  [z](../z)")
    assert [(finding.line, finding.column) for finding in found] == [(FIRST + 1, 3), (FIRST + 2, 3)]
