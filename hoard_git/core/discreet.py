"""Names of headings for places that outlive the heading: messages, remarks, file names, reports. One that holds a credential has no name there.

A slug drops the punctuation and the capitals of a credential, so that nothing finds it any more, and still gives most of it away.
"""

from __future__ import annotations

from functools import lru_cache

from hoard_git.core.slugs import slug, slugs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document


def name_of(document: Document, heading: int) -> str:
    """The slug of a heading by its index; '' for -1, which is none, and for one that holds a credential."""
    return slugs(document)[heading] if heading >= 0 and not tells_secret(document.headings[heading].title) else ""


def quiet_slug(title: str) -> str:
    """The slug of a title; '' when it holds a credential."""
    return "" if tells_secret(title) else slug(title)


@lru_cache(maxsize=1 << 12)
def tells_secret(title: str) -> bool:
    """Whether the title of a heading holds a credential."""
    from hoard_git.core.secrets import find_secrets  # slow to import, and only upkeep asks

    return bool(find_secrets([f"# {title}"]))
