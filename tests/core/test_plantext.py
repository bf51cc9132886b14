"""What of a text may stand in a commit message."""

from __future__ import annotations

from hoard_git.core.plantext import _plain


def test_what_nobody_could_see_is_a_question_mark() -> None:
    assert _plain("caf\u00e9 \x1b[31m \u202eab\u200b\n") == "caf\u00e9 ?[31m ?ab??"
