"""Whether what a line claims fits who wrote it: tag against trailer against author (`hoard blame`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from hoard_git.core.model import Actor

AGREE, DISAGREE, UNVERIFIED = "agree", "disagree", "unverified"


def judge_line(src: str, actor: Actor | None, sources: Collection[str] | None, *, known: bool) -> tuple[str, str]:
    """Return the verdict about a line and one clause that says why.

    `src` is what the line claims, '' for nothing. `actor` wrote it last, None for nobody yet. `sources` are the commit's Memory-Source
    trailers, None without any. `known` says that the policy in force listed the author's address.
    """
    if actor is None:
        return UNVERIFIED, "not committed yet"
    if not src:
        return UNVERIFIED, "it claims no source"
    if sources is not None and src not in sources:
        return DISAGREE, f"the commit's trailers do not name {src}"
    if actor.claimed == "human" and not actor.is_human:
        return UNVERIFIED, "the author's address is a human's, without the proof that the policy asks for"
    if not known:
        return UNVERIFIED, "the policy does not list the author"
    if actor.kind == "tool":
        return DISAGREE, "a tool wrote it, and tools may not write memory"
    if src == "user" and not actor.is_human:
        return DISAGREE, "it claims to be the user's, and an agent wrote it"
    return AGREE, "its author may write it"
