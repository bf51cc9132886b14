"""`hoard wiki new`: one page with its source and date, one commit."""

from __future__ import annotations

from hoard_git.app.facts import fresh_id
from hoard_git.app.wikiapply import Written, commit_pages
from hoard_git.app.wikibook import Book
from hoard_git.app.write import find_ignored, writing
from hoard_git.core.dates import format_day
from hoard_git.core.files import classify
from hoard_git.core.frontmatter import LONGEST, MOST_ITEMS
from hoard_git.core.model import RepoPath
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.tags import Tag, find_value_problem
from hoard_git.core.tagwords import holds_tag_or_comment
from hoard_git.core.wikiops import check_text
from hoard_git.core.wikipage import file_name, make_page
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.wikibook import Place
    from hoard_git.app.write import Wish


class NewPage(Record):
    """A page to make. `path` is a repository path, '' for one made of the title."""

    title: str
    src: str = "agent"
    ttl: str = ""
    evidence: str = ""
    tags: tuple[str, ...] = ()
    text: str = ""
    path: str = ""


def new_page(place: Place, wanted: NewPage, wish: Wish) -> Written:
    """Make one page and commit it. Raises HoardError when there is such a page, and Refused when the gate objects."""
    wanted = wanted._replace(title=" ".join(wanted.title.split()))
    _check_page(wanted, wish)
    reader = place.reader
    with writing(reader):
        book = Book(reader)
        path = wanted.path or book.folder(place.directory) + file_name(wanted.title)
        policy = book.policies.govern(path)
        if classify(path, policy) != "wiki":
            raise HoardError(f"{path!r} is no wiki page under this policy.", "hoard wiki new TITLE --file wiki/NAME.md")
        if find_ignored(reader, [path]):
            raise HoardError(f"{path!r} is ignored by .gitignore and would not be kept.", f"git check-ignore -v {shell_word(path)}")
        twins = [known for known in book.memory if known.lower() == path.lower()]
        if twins or read_file(reader.root(), RepoPath(path)) is not None:
            raise HoardError(f"There is a page {(twins or [path])[0]!r} already.", f"hoard wiki show {shell_word((twins or [path])[0])}")
        tag = Tag(wanted.src, format_day(place.days(policy).today), wanted.ttl, fresh_id(reader, book.policies), wanted.evidence)
        data = make_page(wanted.title, tag, wanted.tags, wanted.text)
        wish = wish._replace(human=wish.human or wanted.src == "user", message=wish.message or f"Wiki: add {wanted.title[:60]}")
        written = commit_pages(place, {path: data}, {path: None}, wish)
    return written._replace(pages=((path, 1),), id=tag.id)


def _check_page(wanted: NewPage, wish: Wish) -> None:
    if wish.agent and wanted.src == "user":
        raise HoardError("An agent does not write what the user says.", "src: agent, tool, web or dig")
    title = wanted.title
    if not title or not title.isprintable() or len(title) > LONGEST or holds_tag_or_comment(title):
        raise HoardError(f"A title is one line of plain text, at most {LONGEST} characters.", "hoard wiki new 'Node 2'")
    check_text(wanted.text, "The page")
    values = {"src": wanted.src, "ts": "unknown"}
    values |= {key: value for key, value in (("ttl", wanted.ttl), ("ev", wanted.evidence)) if value}
    problem = find_value_problem(values)
    if problem or not all("!" <= c <= "~" for c in wanted.evidence):
        said = problem or "evidence is one word of printable ASCII"
        raise HoardError(f"{said[0].upper()}{said[1:]}.", "hoard wiki new --help")
    if len(wanted.tags) > MOST_ITEMS or not all(tag.strip() and tag.isprintable() and len(tag) <= LONGEST for tag in wanted.tags):
        raise HoardError(f"A tag is one line of at most {LONGEST} characters.", "hoard wiki new TITLE --tag infra --tag hosts")
