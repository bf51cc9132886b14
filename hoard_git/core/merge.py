"""Three-way merge of a memory file by heading and entry (DESIGN, "Who may change what"; docs/explanation/merging.md).

What one side added, changed or deleted is taken over; what both changed goes to the more trusted source, then to the newer date, then to the
smaller bytes, and never to "ours": `merge(base, a, b)` and `merge(base, b, a)` are the same bytes. What cannot be merged without doubt raises
CannotMerge, and git's merge of lines takes over. The result is read again before it is given away: every entry must stand where it was
meant to stand, and none may have a higher source than on the sides that hold its words.
"""

from __future__ import annotations

from hoard_git.core.document import CODE
from hoard_git.core.markdown import parse
from hoard_git.core.merging.matching import number_nodes
from hoard_git.core.merging.nodes import OTHER, REGION, ROOT, SECTION, CannotMerge, Node, Tree
from hoard_git.core.merging.ordering import Gaps, merge_order
from hoard_git.core.merging.texts import Form, clean_base, form_of, has_markers, merge_forms
from hoard_git.core.merging.weighing import Weighed, ceiling, put_tag, weigh
from hoard_git.core.model import RANK, UNTAGGED
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.tags import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 4 << 20
"""Bytes of a version that is still merged by entry."""

_DEEPEST = 60
_ROUNDS = 4

__all__ = ["LARGEST", "CannotMerge", "Lost", "Merged", "merge"]


class Lost(Record):
    """A text that both sides had changed and that gave way, by `trust`, `date` or `choice`; `kept` and `kept_src` are what stays."""

    words: str
    by: str
    src: str
    kept: str
    kept_src: str


class Merged(Record):
    """The bytes of the merged file, and the texts that gave way to the other side's; those stand in the history of their side."""

    data: bytes
    lost: tuple[Lost, ...] = ()


def merge(base: bytes | None, one: bytes, other: bytes, default: Tag | None = None) -> Merged:
    """Merge two versions; `base` is None when there is none, and may hold the conflict markers of a merge of several bases.

    `default` is what an untagged file of this path counts as. Raises CannotMerge.
    """
    if other in (one, base):
        return Merged(one)
    if base == one:
        return Merged(other)
    if other < one:
        one, other = other, one
    forms = [form_of(data) if data is not None and len(data) <= LARGEST else None for data in (one, other)]
    if forms[0] is None or forms[1] is None:
        raise CannotMerge("a version is too large")
    old = form_of(clean_base(base)) if base is not None and len(base) <= LARGEST else Form("")
    form = merge_forms(old if base is not None else None, forms[0], forms[1])
    trees = [_read(text.text, default) for text in (old, forms[0], forms[1])]
    data, lost = _Merge(trees, default).run()
    return Merged(form._replace(text=data).render(), lost)


def _read(text: str, default: Tag | None) -> Tree:
    """Cut one version into nodes; raises CannotMerge where what stands where is in doubt."""
    document = parse(text.encode("utf-8", "surrogateescape"))
    if document.depth > _DEEPEST:
        raise CannotMerge("lists or quotes are nested too deep")
    if document.unclosed_fence or any(not comment.closed for comment in document.comments):
        raise CannotMerge("a code fence or a comment is not closed")
    if has_markers([line for line, kind in zip(document.lines, document.kinds, strict=True) if kind != CODE]):
        raise CannotMerge("a version holds conflict markers")
    return Tree(document, default)


class _Merge:
    """One merge: three numbered trees, and what is decided about each number."""

    def __init__(self, trees: Sequence[Tree], default: Tag | None) -> None:
        """Number the nodes."""
        self.base, self.one, self.other = trees
        self.default = default
        number_nodes(self.base, self.one, self.other)
        self.old, self.left, self.right = ({node.key: node for node in tree.nodes} for tree in trees)
        self.known = {**self.right, **self.left}
        self.kept: dict[int, Weighed] = {}
        self.nodes: dict[int, Node] = {}
        self.above: dict[int, int] = {}
        self.extra: dict[int, Node] = {}
        self.next = max((0, *self.old, *self.left, *self.right)) + 1

    def run(self) -> tuple[str, tuple[Lost, ...]]:
        """Decide, arrange, write and read again."""
        for key in sorted(self.known):
            self._decide(key)
        for key in list(self.nodes):
            self._place(key)
        order = self._arrange()
        text = self._write(order)
        for _round in range(_ROUNDS):
            wrong = self._find_wrong(text, order)
            if not wrong:
                return text, self._lost()
            for key, src in wrong:
                self._pin(key, src)
            text = self._write(order)
        raise CannotMerge("a source cannot be kept as it was")

    # ---------------------------------------------------------------- what stays

    def _decide(self, key: int) -> None:
        old, one, other, node = self.old.get(key), self.left.get(key), self.right.get(key), self.known[key]
        if one is not None and other is not None:
            weighed = weigh(old, one, other)
            side = one if weighed.words == one.words else other
            self._keep(key, side, weighed)
            if weighed.also is not None:
                self._keep_too(weighed.also, key)
        elif old is None or _is_touched(old, node) or self._has_moved(old, node):
            self._keep(key, node, Weighed(node.raw, node.words, node.tag, ceiling(node.words, None, one, other)))

    def _has_moved(self, old: Node, node: Node) -> bool:
        """Whether something stands under another heading or item than before: that is a change, and a deletion yields to it."""
        return node.is_fact and _key_above(old) != _key_above(node)

    def _keep(self, key: int, node: Node, weighed: Weighed) -> None:
        self.kept[key], self.nodes[key] = weighed, node

    def _keep_too(self, node: Node, beside: int) -> None:
        """Keep a second version of an entry as one of its own, right behind the first."""
        extra = Node(node.kind, node.raw, node.words)
        extra.claim, extra.tag, extra.span, extra.blanks = node.claim, node.tag, node.span, node.blanks
        extra.key = self.next
        self.next += 1
        self.extra[beside] = extra
        self._keep(extra.key, extra, Weighed(node.raw, node.words, node.tag, node.claim.src))

    def _place(self, key: int) -> None:
        """Decide what a node stands under, and bring back what was deleted around it."""
        if key in self.above:
            return
        beside = next((other for other, extra in self.extra.items() if extra.key == key), None)
        if beside is not None:
            self._place(beside)
            self.above[key] = self.above[beside]
            return
        parents = [_key_above(side[key]) if key in side else None for side in (self.old, self.left, self.right)]
        old, one, other = parents
        if one is None or other is None:
            chosen = one if one is not None else other
        else:
            chosen = other if one == old else one if other == old else _key_above(self.nodes[key])
        above = chosen or 0
        self.above[key] = above
        if above and above not in self.nodes:
            node = self.known[above]
            self._keep(above, node, Weighed(node.raw, node.words, node.tag, node.claim.src))
        if above:
            self._place(above)

    # ---------------------------------------------------------------- where it stands

    def _arrange(self) -> list[int]:
        """The keys in the order of the file."""
        children: dict[int, list[list[int]]] = {}
        for number, tree in enumerate((self.base, self.one, self.other)):
            for node in tree.nodes:
                key = node.key
                if key in self.nodes and self.above[key] == _key_above(node):
                    children.setdefault(self.above[key], [[], [], []])[number].append(key)
        order: list[int] = []
        stack = [0]
        while stack:
            key = stack.pop()
            if key:
                order.append(key)
            sides = children.get(key, [[], [], []])
            inner = merge_order(sides[0], sides[1], sides[2], self.nodes)
            if key in self.extra:
                stack.append(self.extra[key].key)
            stack += inner[::-1]
        if len(order) != len(self.nodes):  # what stands under itself is not come to from the top
            raise CannotMerge("two sides moved things into each other")
        return order

    def _write(self, order: Sequence[int]) -> str:
        gaps = Gaps(self.base, self.one, self.other)
        lines: list[str] = []
        last: Node | None = None
        for key in order:
            lines += gaps.between(last, self.nodes[key])
            lines += self.kept[key].raw
            last = self.nodes[key]
        return "\n".join([*lines, *gaps.between(last, None)])

    # ---------------------------------------------------------------- what it says

    def _find_wrong(self, text: str, order: Sequence[int]) -> list[tuple[int, str]]:
        """Read the result; return the entries that have got another source than they may have. Raises CannotMerge when it reads differently."""
        tree = _read(text, self.default)
        if len(tree.nodes) != len(order):
            raise CannotMerge("the merged text would read differently")
        keys = {id(tree.root): 0}
        wrong = []
        for node, key in zip(tree.nodes, order, strict=True):
            keys[id(node)] = key
            meant = self.kept[key]
            kind = self.nodes[key].kind
            above = keys[id(node.parent)]
            moved = above != self.above[key] and kind not in (OTHER, SECTION)  # headings may nest anew; what is right under them may not
            if node.kind != kind or node.words != meant.words or moved:
                raise CannotMerge("the merged text would read differently")
            if kind not in (OTHER, REGION, ROOT) and node.claim.src != meant.src:
                wrong.append((key, meant.src))
        if not wrong:
            self._check_regions(tree)
        return [(key, src) for key, src in wrong if self.nodes[key].kind == SECTION] or wrong

    def _check_regions(self, tree: Tree) -> None:
        """What other tools keep in managed regions cannot be tagged, so a heading above must not raise it."""
        if not tree.document.regions:
            return
        highest: dict[str, int] = {}
        for side in (self.one, self.other):
            for entry, claim in zip(side.document.entries, provenances(side.document, self.default), strict=True):
                highest[entry.text] = max(highest.get(entry.text, 0), RANK[claim.src])
        for entry, claim in zip(tree.document.entries, provenances(tree.document, self.default), strict=True):
            if tree.document.in_region(entry.line) and RANK[claim.src] > highest.get(entry.text, 0):
                raise CannotMerge("a managed region would get another source")

    def _pin(self, key: int, src: str) -> None:
        """Give a node a tag of its own with the source that it had on its side; what was untagged gets the lowest."""
        node, meant = self.nodes[key], self.kept[key]
        claims = [side[key].claim for side in (self.left, self.right) if key in side] or [node.claim]
        claim = next((claim for claim in claims if claim.src == src), claims[0])
        wanted = src if src != UNTAGGED else "dig"
        tag = meant.tag._replace(src=wanted) if meant.tag is not None else Tag(wanted, claim.ts, claim.ttl)
        self.kept[key] = meant._replace(raw=put_tag(node, tag), tag=tag, src=wanted)

    def _lost(self) -> tuple[Lost, ...]:
        found = []
        for key in sorted(self.kept):
            weighed = self.kept[key]
            if weighed.lost is not None:
                found.append(Lost(weighed.lost.words, weighed.by, weighed.lost.claim.src, weighed.words, weighed.src))
        return tuple(found)


def _is_touched(old: Node, new: Node) -> bool:
    """Whether a side changed a node in a way that a deletion yields to: not by marking it as stale, which is a step on its way out."""
    if new.raw == old.raw:
        return False
    if old.tag is None or new.tag is None or new.words != old.words:
        return True
    return old.tag._replace(stale=True) != new.tag


def _key_above(node: Node) -> int:
    return node.parent.key
