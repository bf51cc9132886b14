"""Regexes that are compiled when they are first used: the pre-commit hook imports all of them and needs few."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:

    def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
        """Return a regex that is compiled at its first use."""
        raise NotImplementedError

else:

    class lazy:  # noqa: N801  # reads as the function it is to a type checker
        """A regex that is compiled at its first use; afterwards its methods are the compiled one's own."""

        def __init__(self, pattern, flags=0):  # noqa: ANN001, ANN204  # typed above
            self.pattern = pattern
            self.flags = flags

        def __getattr__(self, name):  # noqa: ANN001, ANN204
            if name.startswith("__"):
                raise AttributeError(name)
            real = re.compile(self.pattern, self.flags)
            self.__dict__.update(
                {method: getattr(real, method) for method in ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")}
            )
            return getattr(real, name)


__all__ = ["lazy"]
