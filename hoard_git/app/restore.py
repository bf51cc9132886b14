"""`hoard restore`: a removed block brought back as it was, in a commit of its own. Whatever refuses it, everything is as it was before."""

from __future__ import annotations

import contextlib

from hoard_git.app.filewriting import FileWriting
from hoard_git.app.history import memory_rules, with_index
from hoard_git.app.history_query import without_secret
from hoard_git.app.past import History
from hoard_git.app.proposal import judge_paths
from hoard_git.app.restore_find import Finder
from hoard_git.app.workspace import find_memory_files, is_markdown, read_policies_of_worktree
from hoard_git.app.write import Refused, commit_judged, find_author, find_changed, find_ignored, ignored_error, refuse_errors, writing
from hoard_git.core.counted import counted
from hoard_git.core.files import OTHER, classify, file_default
from hoard_git.core.freshness import EXPIRED, age, freshness, told_age
from hoard_git.core.markdown import parse, render
from hoard_git.core.model import Oid, RepoPath
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.removal import section_entries
from hoard_git.core.restoring import Kept, find_twin, missing_words, put_back
from hoard_git.core.shellwords import shell_word
from hoard_git.core.units import core_of
from hoard_git.core.uprooting import take_out
from hoard_git.errors import HoardError
from hoard_git.gitio.bare import require_files
from hoard_git.gitio.worktree import read_file
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import NoLookup, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.gate import Judgement
    from hoard_git.app.policies import Policies
    from hoard_git.app.restore_find import Found
    from hoard_git.app.write import Wish
    from hoard_git.core.document import Document
    from hoard_git.core.model import Finding
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.lint.scene import Past

_PLACES = ("memory/restored.md", "MEMORY.md")
_MOST_BRANCHES = 20
_MENDABLE = ("HG1", "HG5")
"""What is no matter of trust or secrets: a missing tag, a file that is too long. It can be mended once the text is back."""
_AS_HUMAN = frozenset({"HG301", "HG302", "HG303", "HG304", "HG309", "HG307"})


class Wanted(Record):
    """What to restore. `path` is the argument as a repository path, None when it cannot be one; `to` a repository path or ''."""

    argument: str
    path: str | None
    rev: str = ""
    to: str = ""


class Restored(Record):
    """What came back: in which commit (None with --no-commit), where, and what had to come with it (`core.restoring.Returned`).

    `expired` says why the next consolidation will archive it again, '' when it will not.
    """

    found: Found
    oid: Oid | None
    path: str
    line: int
    text: str
    along: tuple[str, ...] = ()
    tagged: bool = False
    archive: str = ""
    findings: tuple[Finding, ...] = ()
    expired: str = ""


class Present(Record):
    """Nothing had to be done: where it stands, and the words of entries that were once in it and are gone."""

    found: Found
    path: str
    line: int
    gone: tuple[str, ...] = ()


class _Plan(Record):
    contents: Mapping[str, bytes | None]
    before: Mapping[str, bytes | None]
    path: str
    line: int
    text: str
    along: tuple[str, ...] = ()
    tagged: bool = False
    archive: str = ""


def find_lost(reader: PlumbingReader, wanted: Wanted, progress: Callable[[int, int], None]) -> Found:
    """Look a block up behind HEAD, or behind the commit that is given; else behind branches and tags that are not merged.

    Raises HoardError when nothing fits or too much does, in a shallow clone, and for a missing object.
    """

    def ask(rev: str) -> Found | None:
        def question(index: BlockIndex) -> Found | None:
            rules = memory_rules(reader, index.tip, None)
            return Finder(index, reader, rules, at_tip=rev != "HEAD").find(wanted.argument, wanted.path)

        return with_index(reader, question, rev=rev, progress=progress)

    found = ask(wanted.rev or "HEAD")
    if found is None and not wanted.rev:
        for tip in _unmerged(reader):
            found = ask(tip)
            if found is not None:
                return found
    if found is None:
        shown = f"{wanted.argument[:80]!r}"
        hint = "hoard log --text WORDS    behind another commit, such as one of git reflog: --from REV"
        raise HoardError(f"No file, block or text in the history of this memory matches {shown}.", hint)
    return found


def _unmerged(reader: PlumbingReader) -> list[str]:
    out = reader.git(("for-each-ref", "--sort=-creatordate", "--format=%(objectname) %(objecttype)", "--no-merged=HEAD")).finish()
    return [line.split(" ")[0] for line in out.decode("ascii").splitlines() if line.endswith((" commit", " tag"))][:_MOST_BRANCHES]


def restore(
    reader: PlumbingReader,
    wanted: Wanted,
    found: Found,
    wish: Wish,
    days: Callable[[Policy], Days],
    environ: Mapping[str, str],
    *,
    commit: bool,
) -> Restored | Present:
    """Bring a block back and commit it and nothing else. Raises Refused when the gate objects, HoardError when git does.

    Without `commit`, only what matters for trust or holds a secret is refused.
    """
    require_files(reader, f"hoard restore {shell_word(wanted.argument[:80])}")
    if found.standing:
        return Present(found, found.standing, found.line, found.gone)
    with writing(reader):
        plan = _plan(reader, wanted, found)
        if isinstance(plan, Present):
            return plan
        paths = sorted(plan.contents)
        _check_clean(reader, paths)
        author = find_author(reader, paths, human=wish.human)
        judgement = judge_paths(reader, paths, author, days, environ, {path: data or b"" for path, data in plan.contents.items()})
        judgement = judgement._replace(findings=(*judgement.findings, *_replays(reader, judgement)))
        grave = [f for f in judgement.findings if f.severity == "error" and not f.code.startswith(_MENDABLE)]
        if commit or grave:
            _refuse(judgement, plan, wish, mendable=not grave)
        oid = None
        with FileWriting(reader.root(), plan.contents, plan.before) as files:
            files.write()
            if commit:
                wish = wish._replace(op="restore", message=wish.message or f"Memory: restore {_subject(found)}")
                oid = commit_judged(reader, judgement, paths, wish, author)
    done = Restored(found, oid, plan.path, plan.line, plan.text, plan.along, plan.tagged, plan.archive, judgement.findings)
    return done._replace(expired=_find_expired(found.kept, judgement.policy, days)) if found.kept is not None else done


def _refuse(judgement: Judgement, plan: _Plan, wish: Wish, *, mendable: bool) -> None:
    """Raise Refused when the gate found errors, with what can be done about these."""
    try:
        refuse_errors(judgement)
    except Refused as refused:
        if any(finding.code in _AS_HUMAN for finding in refused.findings) and not wish.human:
            refused.hint = "If the user agrees, restore it as the human of the policy: add --human"
        elif mendable:
            refused.hint = f"Add --no-commit to have it in {shell_word(plan.path)}, mend that (hoard tag gives tags), then: hoard commit"
        raise


def _find_expired(kept: Kept, policy: Policy, days: Callable[[Policy], Days]) -> str:
    """How old a block is that is past twice its ttl; of a heading, how many of its entries are, and the oldest."""
    document, today = kept.document, days(policy).today
    claims = provenances(document, kept.default)
    inside = [claims[number] for number in section_entries(document, kept.at)] if kept.is_heading else [kept.provenance]
    gone = [claim for claim in inside if claim.src != "user" and freshness(claim, policy, today) == EXPIRED]
    if not gone:
        return ""
    told = told_age(max(gone, key=lambda claim: age(claim, today) or 0), policy, today)
    return told if len(gone) == len(inside) else f"{len(gone)} of {counted(len(inside), 'entry')}: {told}"


def _subject(found: Found) -> str:
    kept, seen = found.kept, without_secret(found.title)
    if kept is not None:
        end = kept.line if kept.is_heading else kept.document.entries[kept.at].end_line
        seen = without_secret(seen, kept.document.lines, kept.line, end)
    title = "".join(c if c.isprintable() else " " for c in seen)
    return title if len(title) <= 60 else title[:59] + "\u2026"


# -------------------------------------------------------------------- the plan


def _plan(reader: PlumbingReader, wanted: Wanted, found: Found) -> _Plan | Present:
    policies = read_policies_of_worktree(reader)
    root = reader.root()
    if found.kept is None:
        return _plan_files(reader, policies, wanted, found)
    kept = found.kept
    target = wanted.to or found.path
    file_class = _check_target(reader, policies, target, wanted, found)
    old = read_file(root, RepoPath(target))
    default = file_default(target, file_class, policies.govern(target))
    document = parse(old or b"")
    files = find_memory_files(root, policies)
    twin = _find_id(root, files, kept) or ("", find_twin(kept, document), document)
    if twin[1]:
        gone = tuple(missing_words(kept, twin[2])) if kept.is_heading else ()
        return Present(found, twin[0] or target, twin[1], gone)
    fresh = put_back(kept, old, default)
    contents: dict[str, bytes | None] = {target: fresh.data}
    before = {target: old}
    archived = _find_archived(root, files, found)
    if archived is not None:
        contents[archived[0]] = take_out(archived[1])
        before[archived[0]] = render(archived[1].document)
    lines = fresh.data.decode("utf-8", "surrogateescape").split("\n")
    text = "\n".join(line.removesuffix("\r") for line in lines[fresh.line - 1 : fresh.end])
    return _Plan(contents, before, target, fresh.line, text, fresh.along, fresh.tagged, archived[0] if archived else "")


def _plan_files(reader: PlumbingReader, policies: Policies, wanted: Wanted, found: Found) -> _Plan | Present:
    if wanted.to:
        raise HoardError(
            "A whole file comes back to its own place; --to is for a block.",
            f"hoard restore {shell_word(found.path)} && git mv {shell_word(found.path)} PATH",
        )
    contents = {path: data for path, data in found.files.items() if read_file(reader.root(), RepoPath(path)) is None}
    if not contents:
        return Present(found, found.path, 0)
    for path in contents:
        _check_target(reader, policies, path, wanted, found)
    names = ", ".join(contents) if len(contents) <= 3 else f"{len(contents)} files"
    return _Plan(contents, dict.fromkeys(contents), min(contents), 1, names)


def _check_target(reader: PlumbingReader, policies: Policies, path: str, wanted: Wanted, found: Found) -> str:
    """The class of the file that a block goes to. Raises HoardError where it cannot go."""
    file_class = classify(path, policies.govern(path))
    again = f"hoard restore {shell_word(wanted.argument[:80])} --to memory/TOPIC.md"
    if file_class in ("", OTHER) or not is_markdown(path):
        raise HoardError(f"{path!r} is no memory file under this policy.", again)
    if file_class == "archive" and found.kept is not None:
        if wanted.to:
            raise HoardError(f"{path!r} is an archive file; restoring is bringing back from there.", again)
        raise HoardError(f"It never stood outside the archive ({path!r}).", again)
    if find_ignored(reader, [path]):
        raise ignored_error(reader, path, _past_ignoring(reader, wanted, found, path))
    return file_class


def _past_ignoring(reader: PlumbingReader, wanted: Wanted, found: Found, path: str) -> str:
    """How it comes back all the same: a block in another file, a whole file by git, which ignores nothing that it knows."""
    if found.kept is not None:
        place = next((name for name in _PLACES if name != path and not find_ignored(reader, [name])), "")
        return f"hoard restore {shell_word(wanted.argument[:80])} --to {place}" if place else ""
    return f"git checkout {found.commit[:12]} -- {shell_word(path)}\nhoard commit {shell_word(path)}"


def _check_clean(reader: PlumbingReader, paths: Sequence[str]) -> None:
    changed = find_changed(reader, []).paths
    for path in paths:
        if path in changed:
            hint = f"hoard commit {shell_word(path)}, or see it: git diff HEAD -- {shell_word(path)}"
            raise HoardError(f"{path} has changes that are not committed; nothing was restored.", hint)


def _find_id(root: str, files: Mapping[str, str], kept: Kept) -> tuple[str, int, Document] | None:
    """Where the block's own id stands in active memory."""
    name = kept.provenance.id
    for path, file_class in files.items() if name else ():
        if file_class in ("archive", OTHER):
            continue
        document = _document(root, path, f"id:{name}")
        for line, mark in [*_ids(document, heading=True), *_ids(document, heading=False)] if document is not None else ():
            if mark == name and document is not None:
                return path, line, document
    return None


def _find_archived(root: str, files: Mapping[str, str], found: Found) -> tuple[str, Kept] | None:
    """The block's copy in the archive: where history followed it to, else the one of its id, else the one of its words."""
    kept = found.kept
    if kept is None:
        return None
    path, line = found.archived
    if path:
        document = _document(root, path, "")
        at = _unit_on(document, line, heading=kept.is_heading) if document is not None else -1
        return (path, Kept(document, None, kept.is_heading, at)) if document is not None and at >= 0 else None
    name = _ids(kept.document, heading=kept.is_heading)[kept.at][1]
    for path, file_class in files.items():
        document = _document(root, path, f"id:{name}" if name else "") if file_class == "archive" else None
        if document is None:
            continue
        for at, (_line, mark) in enumerate(_ids(document, heading=kept.is_heading)):
            copy = Kept(document, None, kept.is_heading, at)
            if mark == name if name else _same_words(kept, copy):
                return path, copy
    return None


def _same_words(kept: Kept, copy: Kept) -> bool:
    if not kept.is_heading:
        return core_of(kept.document.entries[kept.at].text) == core_of(copy.document.entries[copy.at].text)
    one, other = kept.document.headings[kept.at], copy.document.headings[copy.at]
    return one.title.strip() == other.title.strip() and not missing_words(kept, copy.document) and not missing_words(copy, kept.document)


def _unit_on(document: Document, line: int, *, heading: bool) -> int:
    return next((at for at, (there, _mark) in enumerate(_ids(document, heading=heading)) if there == line), -1)


def _ids(document: Document, *, heading: bool) -> list[tuple[int, str]]:
    """Line and own id ('' for none) of every heading or entry."""
    if heading:
        return [(h.line, h.tag.id if h.tag is not None else "") for h in document.headings]
    return [(e.line, e.tag.id if e.tag is not None else "") for e in document.entries]


def _document(root: str, path: str, needle: str) -> Document | None:
    """A file of the work tree, parsed, if it holds a text; None for a link and for what cannot be read."""
    with contextlib.suppress(HoardError):
        data = read_file(root, RepoPath(path))
        if data is not None and needle.encode() in data:
            return parse(data)
    return None


# -------------------------------------------------------------------- the gate and the files


class _Remembered(NoLookup):
    """A lookup that knows the past alone: a local commit is judged without it, but bringing words back is about the past."""

    def __init__(self, history: History, base: Oid | None, policy: Policy) -> None:
        self._history, self._base, self._policy = history, base, policy

    def past(self, texts: Sequence[str]) -> Mapping[str, Past] | None:
        return self._history.past(self._base, texts, self._policy)


def _replays(reader: PlumbingReader, judgement: Judgement) -> list[Finding]:
    """Words that a user took away: CI would refuse them, so they are refused here."""
    base = judgement.versions.base
    if base is None or judgement.actor.is_human:
        return []
    lookup = _Remembered(History(reader, [base]), base, judgement.policy)
    files = tuple(judgement.versions.after.values())
    scene = Scene(judgement.policy, judgement.actor, changes=judgement.versions.changes, files=files, lookup=lookup)
    return judge(scene, {"HG309"})
