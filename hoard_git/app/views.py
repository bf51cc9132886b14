"""How one parsed file looks to the rules."""

from __future__ import annotations

from hoard_git.core.files import file_default
from hoard_git.core.markdown import parse, render
from hoard_git.core.model import MODE_FILE
from hoard_git.lint.scene import FileView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy


def make_view(path: str, file_class: str, policy: Policy, document: Document, mode: int = MODE_FILE, *, strict: bool = True) -> FileView:
    """Make the view of one parsed file. A file of no class that holds a NUL byte early is binary, and so is UTF-16 or gzip, of which the text is seen.

    Raises HoardError when such a file cannot be unpacked, unless `strict` is off: the side that a change leaves behind must not block its repair.
    """
    if file_class == "other":
        inner = None
        if _perhaps_wrapped(document):
            from hoard_git.core.unwrap import unwrap

            inner = unwrap(render(document), path, strict=strict)
        document = document if inner is None else parse(inner)
        if inner is not None or any("\0" in line for line in document.lines[:200]):
            file_class = "binary"
    return FileView(path, file_class, document, file_default(path, file_class, policy), None, mode)


def _perhaps_wrapped(document: Document) -> bool:
    """Whether a file begins like gzip or UTF-16: a byte that is no UTF-8, or zero bytes."""
    return document.lines[0].startswith(("\x1f", "\udcff", "\udcfe")) or any("\0" in line for line in document.lines[:200])
