"""`hoard-hook NAME …`: what git runs. Standard library and our own core only; every failure is closed (exit 1, 2 or 3)."""

from __future__ import annotations

import gc
import os
import sys

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from hoard_git.app.verdict import Verdict

ADVISORY = ("prepare-commit-msg", "post-rewrite")
"""git runs these even with --no-verify: they warn and never stand in its way. pre-commit and commit-msg block where they cannot judge."""

NAMES = ("pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-rewrite", "pre-push", "pre-receive")

_LAST_WORDS = {
    "pre-push": "nothing was pushed; to pass this once: git push --no-verify",
    "pre-receive": "the push was refused whole, nothing was changed on the server",
}
_LAST_WORD = "nothing was changed; to pass this once: git commit --no-verify"
_NO_TRAILERS = "  so the commit carries no Memory trailers; later: hoard trailers --repair HEAD~..HEAD"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one hook and return its exit status: 0 pass, 1 findings, 2 cannot judge, 3 internal error, 130 interrupted."""
    if argv is not None or not sys.flags.no_site:
        return _guarded(list(sys.argv[1:] if argv is None else argv))
    # As the shims start it. A hook lives for some 40 ms and leaves no cycles behind that matter, so 3 ms of looking for them are lost; so are 4 ms of
    # taking the interpreter apart, and without `site` nobody has registered anything to be done at its end. All output is flushed by now.
    gc.disable()
    os._exit(_guarded(sys.argv[1:]))


def _guarded(arguments: list[str]) -> int:
    """Run a hook with every failure closed."""
    name = arguments[0] if arguments else ""
    if name == "merge-driver":
        from hoard_git.cli.hookmerge import main as merge_driver

        return merge_driver(arguments[1:])
    try:
        return _run(name, arguments[1:])
    except HoardError as error:
        from hoard_git.core.discreet import quiet_words

        _say(f"hoard: {quiet_words(error.message)}")
        for number, line in enumerate(_typed(quiet_words(error.hint)).split("\n") if error.hint else ()):
            _say(f"{'        ' if number else '  next: '}{line}")
        if name in ADVISORY:
            _say(_NO_TRAILERS)
            return 0
        _say(f"  {_LAST_WORDS.get(name, _LAST_WORD)}")
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 3
    except Exception as error:  # the gate must not pass because it broke
        if os.environ.get("HOARD_DEBUG"):
            raise
        return _crash(name, error)


def _run(name: str, arguments: list[str]) -> int:
    if name in ("--version", "version"):
        from hoard_git import __version__

        _out(f"hoard-hook {__version__}")
        return 0
    if name not in NAMES:
        raise HoardError(f"There is no hook {name!r}.", f"Hooks: {', '.join(NAMES)}")
    if name in _LAST_WORDS:
        from hoard_git.cli import hookrefs

        return hookrefs.run(name, arguments, _say, _LAST_WORDS[name])
    if os.environ.get("PRE_COMMIT") == "1" and name in ("pre-commit", "pre-merge-commit"):
        from hoard_git.app.framework import run_framework

        return _report(run_framework(arguments, os.environ))
    if name in ("prepare-commit-msg", "commit-msg"):
        if not arguments:
            raise HoardError(f"{name} needs the message file that git names.", "Let git run it: hoard hooks install")
        from hoard_git.app import hookmessage

        act = hookmessage.prepare_commit_msg if name == "prepare-commit-msg" else hookmessage.commit_msg
        return _report(act(arguments[0], os.environ))
    if name == "post-rewrite":
        from hoard_git.app.hookrun import post_rewrite

        return _report(post_rewrite(sys.stdin.buffer.read()))
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.staging import StagedLook

    reader = PlumbingReader(".")
    look = StagedLook(reader, ".hoard.yaml")  # git works while the gate is imported, and once more while its second half is
    import hoard_git.core.align  # noqa: F401 - this is the first half

    look.go_on()
    from hoard_git.app.hookrun import pre_commit

    judged = pre_commit(reader, look, os.environ, merging=name == "pre-merge-commit")
    if judged.blocks:
        from hoard_git.app.refusals import note_refusal

        note_refusal(reader, name, judged.findings)
    return _report(judged)


def _report(verdict: Verdict) -> int:
    shown = [finding for finding in verdict.findings if finding.severity in ("error", "warn")]
    if shown:
        from hoard_git.cli.render.text import render_finding

        for finding in shown:
            _out(render_finding(finding._replace(hint=_typed(finding.hint))))
    if verdict.note:
        _say(f"hoard: {verdict.note}")
    if verdict.blocks:
        errors = sum(finding.severity == "error" for finding in shown)
        _say(
            f"hoard: {errors} error{'s' if errors != 1 else ''}; the commit was refused, nothing was changed (explain one: hoard rule {_first(verdict)})"
        )
        return 1
    return 0


def _typed(text: str) -> str:
    """A text whose commands work where the user has called git, which runs its hooks at the top."""
    deep = os.environ.get("GIT_PREFIX", "").count("/")
    if not deep:
        return text
    from hoard_git.cli.elsewhere import as_typed_here

    return as_typed_here(text, "/".join([".."] * deep), "")


def _first(verdict: Verdict) -> str:
    return next(finding.code for finding in verdict.findings if finding.severity == "error")


def _crash(name: str, error: Exception) -> int:
    """Write where it broke, without any value that might be a secret, to a file that can be pasted."""
    from hoard_git.cli.crash import write_crash

    if name in ADVISORY:
        _say(f"hoard: internal error in {name}")
        _say(f"  report: {write_crash(name, error)}")
        _say(_NO_TRAILERS)
        return 0
    what = "push" if name in _LAST_WORDS else "commit"
    _say(f"hoard: internal error in {name or 'hoard-hook'}; nothing was judged, so the {what} is refused")
    _say(f"  report: {write_crash(name, error)}")
    _say(f"  {_LAST_WORDS.get(name, 'to pass this once: git commit --no-verify')}")
    return 3


def _say(text: str) -> None:
    _write(sys.stderr, text)


def _out(text: str) -> None:
    _write(sys.stdout, text)


def _write(stream: TextIO, text: str) -> None:
    raw = (text + "\n").encode("utf-8", "backslashreplace")
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(raw.decode("utf-8"))
        return
    buffer.write(raw)
    buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
