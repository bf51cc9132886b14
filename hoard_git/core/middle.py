"""The middle of a shortest way from one list of lines to another: Myers' algorithm from both ends, with git's limit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FAR = 1 << 60


def rough_root(n: int) -> int:
    """A power of two near the square root, as git takes it."""
    i = 1
    while n > 0:
        i <<= 1
        n >>= 2
    return i


def find_middle(one: Sequence[str], off1: int, lim1: int, other: Sequence[str], off2: int, lim2: int) -> tuple[int, int]:
    """Find the middle of a shortest way from one side to the other: the point that git finds, of several."""
    dmin, dmax = off1 - lim2, lim1 - off2
    fmid, bmid = off1 - off2, lim1 - lim2
    odd = (fmid - bmid) & 1
    forward, backward = {fmid: off1}, {bmid: lim1}
    fmin = fmax = fmid
    bmin = bmax = bmid
    limit = max(256, rough_root(lim1 - off1 + lim2 - off2 + 3))
    cost = 0
    while True:
        cost += 1
        if fmin > dmin:
            fmin -= 1
            forward[fmin - 1] = -1
        else:
            fmin += 1
        if fmax < dmax:
            fmax += 1
            forward[fmax + 1] = -1
        else:
            fmax -= 1
        for d in range(fmax, fmin - 1, -2):
            i1 = forward[d - 1] + 1 if forward[d - 1] >= forward[d + 1] else forward[d + 1]
            i2 = i1 - d
            while i1 < lim1 and i2 < lim2 and one[i1] == other[i2]:
                i1 += 1
                i2 += 1
            forward[d] = i1
            if odd and bmin <= d <= bmax and backward[d] <= i1:
                return i1, i2
        if bmin > dmin:
            bmin -= 1
            backward[bmin - 1] = _FAR
        else:
            bmin += 1
        if bmax < dmax:
            bmax += 1
            backward[bmax + 1] = _FAR
        else:
            bmax -= 1
        for d in range(bmax, bmin - 1, -2):
            i1 = backward[d - 1] if backward[d - 1] < backward[d + 1] else backward[d + 1] - 1
            i2 = i1 - d
            while i1 > off1 and i2 > off2 and one[i1 - 1] == other[i2 - 1]:
                i1 -= 1
                i2 -= 1
            backward[d] = i1
            if not odd and fmin <= d <= fmax and i1 <= forward[d]:
                return i1, i2
        if cost >= limit:
            return _farthest((off1, lim1, off2, lim2), forward, range(fmax, fmin - 1, -2), backward, range(bmax, bmin - 1, -2))


def _farthest(
    box: tuple[int, int, int, int], forward: dict[int, int], ahead: range, backward: dict[int, int], behind: range
) -> tuple[int, int]:
    """Give up on the shortest way, as git does after 256 steps: the point that either end has come farthest to."""
    off1, lim1, off2, lim2 = box
    most, at = -1, 0
    for d in ahead:
        i1 = min(forward[d], lim1)
        if i1 - d > lim2:
            i1 = lim2 + d
        if most < 2 * i1 - d:
            most, at = 2 * i1 - d, i1
    least, there = _FAR, 0
    for d in behind:
        i1 = max(off1, backward[d])
        if i1 - d < off2:
            i1 = off2 + d
        if 2 * i1 - d < least:
            least, there = 2 * i1 - d, i1
    if lim1 + lim2 - least < most - off1 - off2:
        return at, most - at
    return there, least - there
