"""The templates of all pages: everything that is filled in is escaped."""

from __future__ import annotations

from functools import cache
from shlex import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    import jinja2


@cache
def environment() -> jinja2.Environment:
    """The one set of templates; a name that a template misses is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("hoard_git.cli.render"), autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    found.filters["number"] = lambda value: f"{value:,}"
    found.filters["typed"] = lambda value: quote(str(value))  # a word of a command as a shell takes it
    return found


def read_asset(name: str) -> str:
    """A style sheet or script that lies beside the templates."""
    found = environment()
    assert found.loader is not None  # noqa: S101 - given above
    return found.loader.get_source(found, name)[0]
