"""Names of people that a repository knows: the policy's list, those who wrote commits, and its pages about people."""

from __future__ import annotations

from hoard_git.core.files import local_path, roots_of
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, RepoPath
from hoard_git.core.personal_names import names_of_person, names_on_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.core.model import Oid
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

PAGES = ("memory/people.md", "wiki/people.md", "people.md", "memory/contacts.md", "wiki/contacts.md")
"""Pages about people, below a workspace's root."""

_LOG = (
    "-c",
    "log.showSignature=false",
    "log",
    "--no-color",
    "--no-show-signature",
    "--no-notes",
    "--format=%an%x00%ae%x00%cn%x00%ce",
    "-z",
)


def gather_names(reader: PlumbingReader, policy: Policy, commit: Oid | None) -> tuple[str, ...]:
    """Every name, sorted: the policy's own as they are, others whole and by their parts of three letters and more that are no ordinary words.

    Authors and committers are those behind `commit` (None: there are none yet), without the policy's agents and tools and without programs;
    pages are those of that commit's tree. Raises HoardError when history cannot be read.
    """
    found = {" ".join(name.split()) for name in policy.personal_names if name.strip()}
    if commit is not None:
        for name in _author_names(reader, policy, commit):
            found.update(names_of_person(name))
        for data in _pages(reader, policy, commit).values():
            found.update(names_on_page(parse(data)))
    agents = {rule.name.lower() for rule in policy.actors if rule.kind != "human"}
    return tuple(sorted(name for name in found if name.lower() not in agents))


def _author_names(reader: PlumbingReader, policy: Policy, commit: Oid) -> set[str]:
    """Names in commit headers, as they were written: a mail map would leave out the old ones, which the memory may still hold."""
    machines = {email for rule in policy.actors if rule.kind != "human" for email in rule.emails}
    fields = reader.git((*_LOG, commit, "--")).finish().decode("utf-8", "surrogateescape").split("\0")
    people = set(zip(fields[::4], fields[1::4], strict=False)) | set(zip(fields[2::4], fields[3::4], strict=False))
    return {name for name, email in people if email.lower() not in machines}


def _pages(reader: PlumbingReader, policy: Policy, commit: Oid) -> Mapping[RepoPath, bytes]:
    """The bytes of each page about people, by path."""
    wanted = [RepoPath(root + page) for root in roots_of(policy) for page in PAGES]
    entries = {
        path: oid
        for path, (mode, oid) in reader.tree(commit, wanted).items()
        if path in wanted and mode in (MODE_FILE, MODE_EXECUTABLE) and local_path(path, policy) is not None
    }
    blobs = reader.blobs(entries.values()) if entries else {}
    return {path: blobs[oid] for path, oid in sorted(entries.items())}
