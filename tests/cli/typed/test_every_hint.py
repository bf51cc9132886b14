"""Every hint of the code with something to type in it is typed by a test, or stands here with the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import pytest

from tests.cli.typed import test_first, test_in_its_own_way, test_judging, test_rarely, test_remembering, test_setting_up
from tests.support.hintsource import Sources, hints_to_type
from tests.support.nextsteps import commands_in_hint

NETWORK = "a package has to be fetched"
PROGRAM = "another program is missing or fails"
FORWARDED = "another error's hint, or a hook's words"
INSIDE = "only a fault of this program, or a damaged repository, gets there"
RACE = "two writers at the same moment"

OWN_WAY = {
    'Delete it and run the command again: rm "$(git rev-parse --path-format=absolute --git-common-dir)"/hoard/index.sqlite*',
    "Let git run it: hoard hooks install",
    "env -u {} hoard verify",
    "hoard verify",
    "Let git run this hook: hoard hooks status",
    "hoard_git/app/history_query.py: '\\n'.join([how, *lines, *more])",
    "hoard_git/app/restore_find.py: '\\n'.join(hint)",
    "mend it (openclaw config validate), then: hoard doctor        look at it: ls -l {}",
}
"""Typed by tests that are no cases, in `test_in_its_own_way` and `test_rarely`, or within another hint."""

EXCUSED = {
    "pip install {}": NETWORK,
    "install it anew: pip install {}": NETWORK,
    "Install OpenSSH 8.2 or later{}": PROGRAM,
    "ssh-keygen -Y verify": PROGRAM,
    "gpg --version": PROGRAM,
    "git --version": PROGRAM,
    "Run `git --version` and repair what it reports.": PROGRAM,
    "git rev-parse --git-dir": PROGRAM,
    "df -h; echo $TMPDIR": PROGRAM,
    "git config hoard.embedder 'CMD ARG'": PROGRAM,
    "hoard_git/gitio/betterleaks.py: {}": PROGRAM,
    "hoard ui --port 0": "it serves until it is stopped",
    "Run `git init`, or name the repository with -C DIR.": "the command line says it in its own words",
    "Wait for it, or end it: ps -A | grep hoard": RACE,
    "Look at it, then move it away: ls -l {}": RACE,
    "hoard hooks install{}": RACE,
    "hoard doctor --fix   (what is in the way: {})": "tests/app/test_consolidate_kill.py repairs what was cut off",
    "Run the same command again; if it fails again, run `git fsck`.": INSIDE,
    "Change it by hand, then: hoard commit": INSIDE,
    "Leave it out of the range, or reword it by hand: git rebase -i {}~": INSIDE,
    "Report this with the file if you can, and take one step at a time meanwhile: hoard consolidate --steps expire": INSIDE,
    "Judge them in two ranges: hoard check --range A..B": INSIDE,
    "git cat-file -t {}": INSIDE,
    "git fsck --connectivity-only": INSIDE,
    "hoard_git/gitio/writer.py: found.hint or 'git fsck --connectivity-only'": INSIDE,
    "git log -p {}": INSIDE,
    "git for-each-ref": INSIDE,
    "git ls-files{}": INSIDE,
    "git rev-parse REV": INSIDE,
    "git merge --abort": INSIDE,
    "hoard check {}": INSIDE,
    "git branch --list 'hoard/consolidate/*'": "more proposals than one day has names for, or a form of another page",
    "git worktree list": "said by the pages in a browser",
    "git log -1": "said by the pages in a browser",
    "git rev-parse HEAD": "said by the pages in a browser",
    "hoard rule HG412": "said by the pages in a browser",
    "hoard log --text {}": "said by the pages in a browser",
    'List one under actors in .hoard.yaml, or: hoard init --agent "Name <mail>"': "said to an agent's host over MCP",
    "src: agent, tool, web or dig; the user: hoard add TEXT --src user": "said to an agent's host over MCP",
    "A human whom it lists goes first: hoard init --sign-key THEIR.pub\nthen: {}": "another person types it, who has another key",
    "hoard_git/app/policyedit.py: '\\n'.join(ways)": "another person types it, who has another key",
    "move it: git mv {} NEW-PLACE": "where to is for a person to say, and what extends it has to be changed, too",
    "name another place: hoard report --out FILE.html": "the disk is full, or git's own folder cannot be written",
    "rm {}": "tests/app/test_purge.py puts the link there",
    "git switch -c NAME": "tests/app/test_seldom_refused.py types it",
    "ls -ld {}": "permissions, which hold nobody who runs tests as root",
    "env -u GIT_CONFIG_COUNT -u GIT_CONFIG_PARAMETERS hoard verify": "a setting of git -c, which ends with the command",
    "hoard_git/app/wikiapply.py: error.hint": FORWARDED,
    "hoard_git/gitio/writer.py: error.hint": FORWARDED,
    "hoard_git/app/write.py: said or 'git status'": FORWARDED,
    "hoard_git/app/write.py: ignored": "no hint: what git ignores, for those who ask",
}
"""Hints that no test types, with `{}` for anything, and why."""

RESOLVED = {
    "hoard_git/app/outfiles.py: instead": "hoard check --report {}=FILE",
    "hoard_git/app/pin.py: _without(reader, source)": "git config --{} --unset-all {} && hoard verify",
    "hoard_git/cli/commands/help.py: nearest(name, known, at.command_path)": "Did you mean: {} {}",
    "hoard_git/cli/main.py: nearest(name, COMMANDS, 'hoard')": "Did you mean: {} {}",
}
"""Hints that are put together elsewhere, and the typed one that they come out as."""

MODULES = (test_first, test_setting_up, test_judging, test_remembering, test_rarely, test_in_its_own_way)


def typed() -> set[str]:
    """The hints of all cases."""
    cases = [case for module in MODULES for case in module.CASES]
    more = test_in_its_own_way
    cases += [test_rarely.TOO_LARGE, test_rarely.OF_OTHERS, more.TOO_LARGE, more.NOT_SEARCHED, more.PINNED, more.PINNED_TWICE]
    return {case.hint for case in cases} | OWN_WAY


def fits(hint: str, patterns: Iterable[str]) -> bool:
    """Whether a hint is one of those, `{}` in which is anything."""
    return any(re.fullmatch(".*?".join(map(re.escape, pattern.split("{}"))), hint, re.DOTALL) for pattern in patterns)


def untyped(hints: Mapping[str, set[str]], done: set[str], excused: Iterable[str]) -> list[str]:
    """The hints that are neither typed nor excused, each with a file that gives it."""
    return sorted(f"{min(places)}: {hint}" for hint, places in hints.items() if not fits(hint, done) and not fits(hint, excused))


def test_every_hint_is_typed_or_excused() -> None:
    hints, done = hints_to_type(), typed()
    resolved = {name for name, hint in RESOLVED.items() if hint in done}
    assert len(hints) > 150
    assert untyped(hints, done | resolved, EXCUSED) == []
    assert [excuse for excuse in EXCUSED if not any(fits(hint, [excuse]) for hint in hints)] == []


def test_a_hint_that_nobody_types_is_found() -> None:
    text = """
HINT = "hoard log"
def how(path):
    return f"git fsck {path}"
def look(path, other):
    if path:
        hint = f"Mend it, then: hoard check {path!r}"
        raise HoardError("A.", hint)
    if other:
        raise HoardError("B.", how(path) if path else HINT)
    raise HoardError("C.", other.hint) from HoardError("D.", f"{HINT}, or wait")
"""
    found = Sources({"a.py": text}).hints()
    assert set(found) == {"Mend it, then: hoard check {}", "git fsck {}", "hoard log", "a.py: other.hint", "hoard log, or wait"}
    assert untyped(found, {"hoard log"}, ["git {}", "hoard log{}"]) == ["a.py: Mend it, then: hoard check {}", "a.py: a.py: other.hint"]


@pytest.mark.parametrize(
    ("hint", "commands"),
    [
        ("hoard log", ["hoard log"]),
        ("Mend it, then: hoard tag 'it'\\''s (1), or: 2.md'", ["hoard tag 'it'\\''s (1), or: 2.md'"]),
        ("hoard commit 'a'        untagged lines first: hoard tag 'a'", ["hoard commit 'a'", "hoard tag 'a'"]),
        ("hoard commit   (or without --apply: a proposal)", ["hoard commit"]),
        ("Run `git fsck`, then point HEAD at a good commit: git update-ref HEAD COMMIT", ["git fsck", "git update-ref HEAD COMMIT"]),
        ("If none runs (ps -A | grep git), it is left over: rm '/a b.lock'", ["ps -A | grep git", "rm '/a b.lock'"]),
        ('If you are: hoard init --human "A <a@b.c>"\nIf not: hoard rule HG307', ['hoard init --human "A <a@b.c>"', "hoard rule HG307"]),
        ('rm "$(git rev-parse --git-common-dir)"/x*', ['rm "$(git rev-parse --git-common-dir)"/x*']),
        ("Let git run it. hoard does not.", []),
    ],
)
def test_a_readers_eye(hint: str, commands: list[str]) -> None:
    assert list(commands_in_hint(hint)) == commands
