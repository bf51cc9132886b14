"""`hoard init --sign-key`: the human's key is listed, human commits sign with it, and nothing else does."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hoard_git.app.policyedit import with_sign_key
from hoard_git.app.setup import Choices, Outcome, set_up
from hoard_git.app.signkey import read_sign_key
from hoard_git.errors import HoardError
from hoard_git.gitio.reader import Ident
from tests.app.support import june
from tests.support.repo import POLICY, Repo, Workspace, run, run_hoard
from tests.support.signing import SshKey, make_key, string

ED25519 = string(b"ssh-ed25519") + string(bytes(range(32)))
ADA = Ident("Ada Example", "ada@example.org")
LINE = f"ssh-ed25519 {base64.b64encode(ED25519).decode()} ada@desk"


def public(key: SshKey) -> str:
    return f"{key.private}.pub"


def init(path: Path, key: str, *, environ: dict[str, str] | None = None, **choices: Any) -> Outcome:
    return set_up(str(path), Choices(sign_key=key, **choices), june, environ or {})


def verified(repo: Repo, *args: str, status: int = 0) -> str:
    done = run_hoard("--date", "2026-06-15", "verify", *args, cwd=repo)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout.decode()


def signed(repo: Repo, revision: str = "HEAD") -> bool:
    return b"\ngpgsig" in repo.git("cat-file", "commit", revision).stdout


# ---------------------------------------------------------------- a new workspace


def test_a_new_workspace_is_signed_from_its_first_commit_on(tmp_path: Path, ada: SshKey, hermetic: Path) -> None:
    before = {path: path.read_bytes() for path in hermetic.rglob("*") if path.is_file()}
    outcome = init(tmp_path / "w", public(ada))
    repo = Repo(tmp_path / "w")
    assert outcome.oid == repo.head()
    assert f'keys: ["{ada.line}"]' in repo.read(".hoard.yaml")
    assert "authority: signature " in repo.read(".hoard.yaml")
    assert signed(repo)
    assert "signatures of 1 commit: 1 good" in verified(repo)
    assert {path: path.read_bytes() for path in hermetic.rglob("*") if path.is_file()} == before
    assert repo.line("config", "--local", "hoard.signKey") == public(ada)
    assert any("signed with SHA256:" in line for line in outcome.done)


def test_human_commits_and_restores_are_signed_and_the_agents_are_not(tmp_path: Path, ada: SshKey) -> None:
    init(tmp_path / "w", public(ada))
    repo = Repo(tmp_path / "w")
    at = ("--date", "2026-06-15")
    assert run_hoard(*at, "add", "Backups run at 03:30", "--src", "agent", cwd=repo).returncode == 0
    assert not signed(repo)
    text = repo.read("MEMORY.md") + "\n## Rules <!-- src:user ts:2026-06-15 -->\n\n- Answers are short and in English.\n"
    repo.write("MEMORY.md", text)
    assert run_hoard(*at, "commit", "--human", cwd=repo).returncode == 0
    assert signed(repo)
    repo.write("MEMORY.md", text.partition("\n## Rules")[0])
    assert run_hoard(*at, "commit", "--human", cwd=repo).returncode == 0
    done = run_hoard(*at, "restore", "MEMORY.md#rules", "--human", cwd=repo)
    assert done.returncode == 0, done.stderr
    assert signed(repo)
    verified(repo)
    repo.git("commit", "-q", "--allow-empty", "-m", "Nothing")
    assert not signed(repo)


def test_a_second_run_changes_nothing(tmp_path: Path, ada: SshKey) -> None:
    init(tmp_path / "w", public(ada))
    repo = Repo(tmp_path / "w")
    before, config = repo.snapshot(), repo.read(".git/config")
    outcome = init(tmp_path / "w", public(ada))
    assert (outcome.done, outcome.oid) == ((), None)
    assert repo.snapshot() == before
    assert repo.read(".git/config") == config


def test_a_key_whose_private_half_is_not_here(tmp_path: Path, ada: SshKey) -> None:
    alone = tmp_path / "ada.pub"
    alone.write_text(ada.line + "\n")
    outcome = init(tmp_path / "w", str(alone))
    repo = Repo(tmp_path / "w")
    assert outcome.oid is None
    (said,) = [line for line in outcome.left if line.startswith("not committed")]
    assert f"ssh-add {tmp_path}/ada" in said
    assert "hoard commit --human .hoard.yaml MEMORY.md HEARTBEAT.md .gitattributes" in said
    (tmp_path / "ada").write_bytes(ada.private.read_bytes())
    (tmp_path / "ada").chmod(0o600)
    done = run_hoard(*said[said.index("commit --human") :].split(), cwd=repo, env={"HOARD_DATE": "2026-06-15"})
    assert done.returncode == 0, done.stderr
    assert "signatures of 1 commit: 1 good" in verified(repo)


def test_a_key_in_ssh_agent(tmp_path: Path, ada: SshKey, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = tmp_path / "ada.pub"
    alone.write_text(ada.line + "\n")
    import shutil
    import tempfile

    place = tempfile.mkdtemp(prefix="a")  # a socket's path has to be short
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", f"{place}/s"], stdout=subprocess.PIPE)
    try:
        assert agent.stdout is not None
        agent.stdout.readline()
        monkeypatch.setenv("SSH_AUTH_SOCK", f"{place}/s")
        subprocess.run(["ssh-add", "-q", str(ada.private)], check=True, capture_output=True, timeout=60)
        outcome = init(tmp_path / "w", str(alone), environ={"SSH_AUTH_SOCK": f"{place}/s"})
        assert outcome.oid is not None
        assert signed(Repo(tmp_path / "w"))
    finally:
        agent.terminate()
        agent.communicate()
        shutil.rmtree(place)


def test_a_key_that_has_gone_is_told_and_nothing_is_committed(tmp_path: Path, ada: SshKey) -> None:
    for name in ("ada", "ada.pub"):
        (tmp_path / name).write_bytes(ada.private.with_name(name).read_bytes())
        (tmp_path / name).chmod(0o600)
    init(tmp_path / "w", str(tmp_path / "ada.pub"))
    repo = Repo(tmp_path / "w")
    before = repo.head()
    (tmp_path / "ada").unlink()
    repo.write("MEMORY.md", repo.read("MEMORY.md") + "- One more.\n")
    done = run_hoard("commit", "--human", cwd=repo, env={"HOARD_DATE": "2026-06-15"})
    assert done.returncode == 2
    assert b"could not sign the commit; nothing was committed" in done.stderr
    assert b"ssh-add" in done.stderr
    assert repo.head() == before
    assert repo.line("status", "--porcelain") == " M MEMORY.md"


def test_an_agents_shell_lists_the_key_and_commits_nothing(tmp_path: Path, ada: SshKey) -> None:
    outcome = init(tmp_path / "w", public(ada), environ={"CLAUDECODE": "1"})
    assert outcome.oid is None
    assert any("CLAUDECODE" in line for line in outcome.left)


# ---------------------------------------------------------------- a policy that is there already


def test_an_existing_policy_keeps_its_comments(workspace: Workspace, ada: SshKey) -> None:
    text = POLICY.replace("version: 1\n", "# Ours.\nversion: 1\n").replace("authority: author\n", "authority: author   # for now\n")
    workspace.policy(text)
    outcome = init(workspace.path, public(ada))
    new = workspace.read(".hoard.yaml")
    assert new == text.replace("authority: author   # for now", "authority: signature # for now").replace(
        "emails: [ada@example.org]}", f'emails: [ada@example.org], keys: ["{ada.line}"]}}'
    )
    assert outcome.oid == workspace.head()
    assert workspace.line("show", "--format=", "--name-only", "HEAD") == ".hoard.yaml"
    assert signed(workspace)
    assert "adds key SHA256:" in verified(workspace)


def test_a_rotation_is_signed_with_the_key_in_use(tmp_path: Path, folder: Path, ada: SshKey) -> None:
    init(tmp_path / "w", public(ada))
    repo, new = Repo(tmp_path / "w"), make_key(folder, "new")
    assert init(tmp_path / "w", public(new)).oid == repo.head()
    verified(repo)
    assert repo.line("config", "--local", "user.signingKey") == public(new)
    repo.write(".hoard.yaml", repo.read(".hoard.yaml").replace(f'"{ada.line}", ', ""))
    done = run_hoard("commit", "--human", ".hoard.yaml", cwd=repo, env={"HOARD_DATE": "2026-06-15"})
    assert done.returncode == 0, done.stderr
    assert "takes key SHA256:" in verified(repo)


def test_a_rotation_without_the_key_in_use_is_left_to_whoever_has_it(tmp_path: Path, folder: Path, ada: SshKey) -> None:
    init(tmp_path / "w", public(ada))
    repo = Repo(tmp_path / "w")
    repo.git("config", "--unset", "hoard.signKey")
    config = repo.read(".git/config")
    outcome = init(tmp_path / "w", public(make_key(folder, "new")))
    assert outcome.oid is None
    assert any("a key that is listed already" in line for line in outcome.left)
    assert repo.read(".git/config") == config
    assert repo.line("status", "--porcelain") == " M .hoard.yaml"


def test_changes_that_somebody_else_has_in_hand_are_not_committed_along(workspace: Workspace, ada: SshKey) -> None:
    workspace.commit("Begin\n", {"HEARTBEAT.md": "# HEARTBEAT.md\n"})
    workspace.write(".hoard.yaml", POLICY + "# in progress\n")
    outcome = init(workspace.path, public(ada))
    assert outcome.oid is None
    assert "# in progress" in workspace.read(".hoard.yaml")
    assert any("it had changes of its own" in line for line in outcome.left)


def test_what_git_refuses_leaves_the_policy_as_it_was(workspace: Workspace, ada: SshKey) -> None:
    hook = workspace.write(".git/hooks/pre-commit", "#!/bin/sh\necho no; exit 1\n")
    hook.chmod(0o755)
    config = workspace.read(".git/config")
    with pytest.raises(HoardError, match="refused the commit"):
        init(workspace.path, public(ada))
    assert workspace.read(".hoard.yaml") == POLICY
    assert workspace.read(".git/config") == config
    assert workspace.line("status", "--porcelain") == ""


@pytest.mark.parametrize("style", ["crlf", "bom", "block", "wide"])
def test_the_files_own_style_stays(style: str) -> None:
    raw = POLICY.encode()
    if style == "crlf":
        raw = raw.replace(b"\n", b"\r\n")
    elif style == "bom":
        raw = b"\xef\xbb\xbf" + raw
    elif style == "block":
        raw = b"authority: author\nactors:\n- name: Ada  # me\n  kind: human\n  emails:\n  - ada@example.org\n- {name: b, kind: agent}\n"
    else:
        raw = raw.replace(b"Ada Example", b"Ada " + b"Example " * 30)
    new = with_sign_key(raw, ".hoard.yaml", ADA, LINE)
    assert new.startswith(b"\xef\xbb\xbf") is (style == "bom")
    assert new.count(b"\r\n") == (new.count(b"\n") if style == "crlf" else 0)
    kept = [line for line in raw.split(b"\n") if b"authority" not in line and b"ada@example" not in line]
    assert [line for line in kept if line not in new.split(b"\n")] == []
    assert with_sign_key(new, ".hoard.yaml", ADA, LINE) == new


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (POLICY.replace("kind: human", "kind: agent"), "lists no human"),
        (POLICY.replace("ada@", "bo@") + "  - {name: C, kind: human, emails: [c@example.org]}\n", "lists no human with the address"),
        (POLICY.replace("[clawd@agents.example]", f'[clawd@agents.example], keys: ["{LINE}"]'), "lists this key for 'clawd' already"),
        ("authority: [\n", "not readable YAML"),
    ],
)
def test_a_policy_that_cannot_take_the_key(text: str, said: str) -> None:
    with pytest.raises(HoardError, match=said):
        with_sign_key(text.encode(), ".hoard.yaml", ADA, LINE)


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize(("kind", "bits"), [("ed25519", ""), ("rsa", "2048"), ("ecdsa", "256"), ("ecdsa", "521")])
def test_kinds_of_keys_that_sign(tmp_path: Path, folder: Path, kind: str, bits: str) -> None:
    key = make_key(folder, f"{kind}{bits}", kind, bits)
    init(tmp_path / "w", public(key))
    verified(Repo(tmp_path / "w"))
    assert signed(Repo(tmp_path / "w"))


def test_a_security_key_is_taken(tmp_path: Path) -> None:
    name = b"sk-ssh-ed25519@openssh.com"
    blob = string(name) + string(bytes(32)) + string(b"ssh:")
    file = tmp_path / "sk.pub"
    file.write_text(f"{name.decode()} {base64.b64encode(blob).decode()} token\n")
    assert read_sign_key(str(file)).is_hardware
    outcome = init(tmp_path / "w", str(file))
    assert outcome.oid is None
    assert any("asks for a touch each time" in line for line in outcome.done)


def test_a_key_behind_options_is_told_from_another_of_its_kind(tmp_path: Path) -> None:
    name = b"sk-ssh-ed25519@openssh.com"
    blobs = [base64.b64encode(string(name) + string(bytes([number]) * 32) + string(b"ssh:")).decode() for number in (1, 2)]
    one, other = (f"verify-required {name.decode()} {blob} token" for blob in blobs)
    (tmp_path / "sk.pub").write_text(other + "\n")
    key = read_sign_key(str(tmp_path / "sk.pub"))
    assert (key.line, key.word) == (other, blobs[1])
    raw = POLICY.replace("[clawd@agents.example]", f'[clawd@agents.example], keys: ["{one}"]').encode()
    assert other.encode() in with_sign_key(raw, ".hoard.yaml", ADA, other)
    with pytest.raises(HoardError, match="lists this key for 'clawd' already"):
        with_sign_key(raw, ".hoard.yaml", ADA, f"{name.decode()} {blobs[0]} again")


def test_a_private_key_is_refused_and_not_printed(tmp_path: Path, ada: SshKey) -> None:
    done = run_hoard("init", "w", "--sign-key", str(ada.private), cwd=tmp_path)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 2
    assert "is a private key" in said and f"--sign-key {ada.private}.pub" in said
    assert not any(line in said for line in ada.private.read_text().split("\n")[1:-2])
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "0 lines"),
        (f"{LINE}\n{LINE}\n".encode(), "2 lines"),
        (b"hello\n", "not an SSH key"),
        (b"\x00\xff\xfe\n", "not an SSH key"),
        (b"ssh-dss AAAA\n", "not an SSH key"),
        (LINE.replace("AAAAC3", "AAAAC4").encode(), "cannot be used"),
        (b"cert-authority " + LINE.encode(), "option 'cert-authority' is not known"),
        (b'valid-before="20300101" ' + LINE.encode(), "take the key out instead"),
        (b"PuTTY-User-Key-File-3: ssh-ed25519\n", "is a private key"),
    ],
)
def test_what_is_no_key_that_counts(tmp_path: Path, raw: bytes, said: str) -> None:
    file = tmp_path / "k.pub"
    file.write_bytes(raw)
    with pytest.raises(HoardError, match=said):
        init(tmp_path / "w", str(file))
    assert not (tmp_path / "w").exists()


def test_a_weak_key_and_a_certificate(tmp_path: Path, folder: Path) -> None:
    weak = string(b"ssh-rsa") + string(b"\x01\x00\x01") + string(b"\x00\xc1" + bytes(126) + b"\x01")
    (tmp_path / "weak.pub").write_text(f"ssh-rsa {base64.b64encode(weak).decode()}\n")
    with pytest.raises(HoardError, match="RSA key of 1024 bits"):
        read_sign_key(str(tmp_path / "weak.pub"))
    key = make_key(folder, "ca")
    subject = tmp_path / "s"
    run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", subject], cwd=tmp_path)
    run(["ssh-keygen", "-q", "-s", key.private, "-I", "x", f"{subject}.pub"], cwd=tmp_path)
    with pytest.raises(HoardError, match="cannot be used"):
        read_sign_key(f"{subject}-cert.pub")
    with pytest.raises(HoardError, match="cannot be read"):
        read_sign_key(str(tmp_path / "none.pub"))


def test_the_comment_is_kept_plain(tmp_path: Path) -> None:
    file = tmp_path / "k.pub"
    file.write_bytes(LINE.rpartition(" ")[0].encode() + b' a"b\\c\x1b[31m \xc3\xa9 d\r\n')
    assert read_sign_key(str(file)).line == LINE.rpartition(" ")[0] + " abc[31m  d"


# ---------------------------------------------------------------- the merge driver


def test_init_registers_the_merge_driver_and_repairs_it(tmp_path: Path) -> None:
    set_up(str(tmp_path / "w"), Choices(), june, {})
    repo = Repo(tmp_path / "w")
    good = repo.line("config", "--local", "merge.hoard.driver")
    assert "merge-driver %O %A %B %L %P" in good
    assert "MEMORY.md merge=hoard" in repo.read(".gitattributes").split("\n")
    for broken in ("true", good.replace("python", "no-such-python"), ""):
        repo.git("config", "merge.hoard.driver", broken)
        outcome = set_up(str(tmp_path / "w"), Choices(), june, {})
        assert repo.line("config", "--local", "merge.hoard.driver") == good
        assert any("merged by heading and entry" in line for line in outcome.done)
    repo.git("config", "--remove-section", "merge.hoard")
    set_up(str(tmp_path / "w"), Choices(), june, {})
    assert repo.line("config", "--local", "merge.hoard.driver") == good


# ---------------------------------------------------------------- upkeep


def test_upkeep_that_nobody_signs_is_no_humans(tmp_path: Path, ada: SshKey) -> None:
    init(tmp_path / "w", public(ada))
    repo = Repo(tmp_path / "w")
    facts = "".join(f"- Old fact number {n} of the library\n" for n in range(40))
    repo.write("MEMORY.md", f"# Memory\n\n## B <!-- src:web ts:2026-01-01 -->\n\n{facts}")
    assert run_hoard("--date", "2026-06-15", "commit", "--human", "-m", "Learn", cwd=repo).returncode == 0
    repo.git("config", "user.name", ADA.name)
    repo.git("config", "user.email", ADA.email)
    before = repo.head()
    done = run_hoard("--date", "2026-06-15", "consolidate", "--apply", cwd=repo)
    assert (done.returncode, repo.head()) == (1, before)
    assert b"HG310" in done.stdout + done.stderr
    repo.git("config", "commit.gpgSign", "true")
    done = run_hoard("--date", "2026-06-15", "consolidate", "--apply", cwd=repo)
    assert done.returncode == 0, done.stderr
    assert signed(repo)
    checked = run_hoard("--date", "2026-06-15", "check", "--range", f"{before}..HEAD", cwd=repo)
    assert checked.returncode == 0, checked.stdout
