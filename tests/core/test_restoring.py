"""A block that is put back: between its old neighbours, byte for byte, with what it stood under, and nothing else moved."""

from __future__ import annotations

import pytest

from hoard_git.core.document import Document
from hoard_git.core.markdown import parse
from hoard_git.core.restoring import Kept, block_lines, find_twin, missing_words, put_back
from hoard_git.core.tags import Tag
from hoard_git.core.uprooting import take_out
from hoard_git.errors import HoardError

TEXT = """\
# Memory

Intro text here.

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short.
- The newsletter goes out on Tuesdays.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d id:infra2 -->

- Node-2 serves the wiki.
  - It has 4 GB.
  - It is old.

    Very old.
- Backups run at 03:30. <!-- src:agent ts:2026-06-06 id:abcdef -->

### Ports

<!-- src:tool ts:2026-06-07 -->
| service | port |
|---|---|
| wiki | 80 |
| mail | 25 |

<!-- hoard:allow HG411 reason="wide" -->
A paragraph
of two lines.

Another one. <!-- src:web ts:2026-06-07 -->

```
code
```

## People
### Bob
- Likes tea
### Alice
- Likes tea

- Likes coffee
"""


def entry(document: Document, words: str) -> Kept:
    return Kept(document, None, False, next(n for n, e in enumerate(document.entries) if words in e.text))


def heading(document: Document, title: str) -> Kept:
    return Kept(document, None, True, next(n for n, h in enumerate(document.headings) if h.title.strip() == title))


def without(kept: Kept) -> bytes:
    first, last = block_lines(kept)
    lines = list(kept.document.lines)
    del lines[first - 1 : last]
    return "\n".join(lines).encode()


@pytest.mark.parametrize("data", [TEXT, TEXT.replace("\n", "\r\n"), TEXT.rstrip("\n")], ids=["lf", "crlf", "no newline"])
def test_what_is_taken_out_comes_back_byte_for_byte(data: str) -> None:
    document = parse(data.encode())
    blocks = [Kept(document, None, True, n) for n in range(1, len(document.headings))]
    # A table without its head is no table: what follows the head comes back, but the file differs in blank lines.
    blocks += [Kept(document, None, False, n) for n, e in enumerate(document.entries) if "service" not in e.text]
    for kept in blocks:
        assert put_back(kept, without(kept), None).data == data.encode(), kept.line


def test_a_file_that_is_gone_gets_the_headings_above() -> None:
    found = put_back(entry(parse(TEXT.encode()), "4 GB"), None, None)

    head = "# Memory\n\n## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d id:infra2 -->\n\n"
    assert found.data.decode() == head + "- Node-2 serves the wiki.\n  - It has 4 GB.\n"
    assert (found.line, found.end, found.along) == (6, 6, ("Memory", "Infrastructure", "Node-2 serves the wiki."))


def test_a_row_brings_the_head_of_its_table() -> None:
    found = put_back(
        entry(parse(TEXT.encode()), "mail"), b"# Memory\n\n## Infrastructure <!-- src:agent ts:2026-06-05 id:infra2 -->\n", None
    )

    table = "### Ports\n\n<!-- src:tool ts:2026-06-07 -->\n| service | port |\n|---|---|\n| mail | 25 |\n"
    assert found.data.decode().endswith(table)


def test_under_the_right_one_of_two_headings_of_a_name() -> None:
    text = "# M\n\n## Bob\n\n### Likes\n\n- tea and cake\n\n## Alice\n\n### Likes\n\n- coffee\n"
    document = parse(text.encode())
    now = "# M\n\n## Bob\n\n- new\n\n## Alice\n\n### Likes\n\n- coffee\n"

    found = put_back(entry(document, "tea"), now.encode(), None)

    assert found.data.decode() == "# M\n\n## Bob\n\n- new\n\n### Likes\n\n- tea and cake\n\n## Alice\n\n### Likes\n\n- coffee\n"


def test_what_began_a_file_is_set_apart_from_what_stands_there_now() -> None:
    found = put_back(entry(parse(b"```\ncode\n```\n- b\n"), "code"), b"x\n", None)
    assert found.data == b"x\n\n```\ncode\n```\n"


def test_under_a_heading_that_was_renamed_and_kept_its_id() -> None:
    now = "# Memory\n\n## Machines <!-- src:agent ts:2026-06-05 ttl:90d id:infra2 -->\n\n- New.\n"

    found = put_back(entry(parse(TEXT.encode()), "Backups"), now.encode(), None)

    assert found.data.decode() == now + "- Backups run at 03:30. <!-- src:agent ts:2026-06-06 id:abcdef -->\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Node-2", "- Node-2 serves the wiki. <!-- src:agent ts:2026-06-05 ttl:90d -->"),
        ("code", "<!-- src:agent ts:2026-06-05 ttl:90d -->\n```\ncode\n```"),
    ],
)
def test_a_claim_that_is_inherited_no_more_is_written_down(words: str, line: str) -> None:
    now = "# Memory\n\n## Infrastructure <!-- src:user ts:2026-06-09 id:infra2 -->\n\n- New.\n\n### Ports\n\nOther.\n"

    found = put_back(entry(parse(TEXT.encode()), words), now.encode(), None)

    assert found.tagged
    assert line in found.data.decode()


def test_a_section_gets_a_tag_where_its_file_claims_something_else() -> None:
    document = parse(b"# Notes\n\n## A\n\n- one\n\n## B\n\n- two\n")

    found = put_back(Kept(document, Tag("agent", "2026-06-01"), True, 2), b"# Notes\n\n## A\n\n- one\n", Tag("user", "unknown"))

    assert found.data == b"# Notes\n\n## A\n\n- one\n\n## B  <!-- src:agent ts:2026-06-01 -->\n\n- two\n"


def test_untagged_content_is_never_put_below_a_claim() -> None:
    document = parse(b"# Notes\n\n- one\n- two\n")

    with pytest.raises(HoardError, match="would not be read as it was"):
        put_back(entry(document, "two"), b"# Notes <!-- src:user ts:2026-06-01 -->\n\n- one\n", None)


def test_a_file_that_lost_its_newline_gets_it() -> None:
    document = parse(b"# A\r\n\r\n- one\r\n- two\r\n")

    assert put_back(entry(document, "two"), b"# A\r\n\r\n- one", None).data == b"# A\r\n\r\n- one\r\n- two\r\n"


def test_the_last_row_of_a_table_goes_back_into_it() -> None:
    document = parse(b"# A\n\n| k | v |\n|---|---|\n| two | 2 |\n\nThe end.\n")
    now = b"# A\n\n| k | v |\n|---|---|\n| one | 1 |\n"

    assert put_back(entry(document, "two"), now, None).data == b"# A\n\n| k | v |\n|---|---|\n| two | 2 |\n| one | 1 |\n"


def test_the_last_item_of_a_list_goes_back_into_it() -> None:
    document = parse(b"# A\n\n- one\n- two\n\nThe end.\n")

    assert put_back(entry(document, "two"), b"# A\n\n- one\n- three\n", None).data == b"# A\n\n- one\n- two\n- three\n"


def test_the_last_entry_of_a_file_may_get_neighbours_behind_it() -> None:
    document = parse(b"# A\n\npara one\n\npara two\n")

    assert (
        put_back(entry(document, "two"), b"# A\n\npara one\n\n## B\n\n- x\n", None).data == b"# A\n\npara one\n\npara two\n\n## B\n\n- x\n"
    )


def test_children_that_stand_elsewhere_stay_there() -> None:
    document = parse(b"# A\n\n- Servers:\n  - alpha\n  - beta\n")

    assert put_back(entry(document, "Servers"), b"# A\n\n- alpha\n- beta\n", None).data.count(b"alpha") == 1


def test_what_stands_already_is_found() -> None:
    document = parse(TEXT.encode())
    now = parse(b"# Memory\n\n## Preferences <!-- src:user ts:2026-06-01 -->\n\n- Answers are short.\n")

    assert find_twin(entry(document, "Answers"), now) == 5
    assert find_twin(entry(document, "Tuesdays"), now) == 0
    assert find_twin(entry(document, "Backups"), now) == 0
    assert find_twin(heading(document, "Preferences"), now) == 3
    assert find_twin(heading(document, "Ports"), now) == 0
    assert missing_words(heading(document, "Preferences"), now) == ["The newsletter goes out on Tuesdays."]


def test_headings_in_managed_regions_take_nothing_in() -> None:
    document = parse(b"# A\n\n## B\n\n- one\n")
    now = b"# A\n\n<!-- x:start -->\n## B\n\n- theirs\n<!-- x:end -->\n"

    assert put_back(entry(document, "one"), now, None).data == now + b"\n## B\n\n- one\n"


class TestTakeOut:
    def test_an_entry_and_the_heading_that_it_leaves_empty(self) -> None:
        document = parse(b"# Archive\n\n## Old\n\n- one\n\n## Other\n\n- two\n- three\n")

        assert take_out(entry(document, "one")) == b"# Archive\n\n## Other\n\n- two\n- three\n"
        assert take_out(entry(document, "two")) == b"# Archive\n\n## Old\n\n- one\n\n## Other\n\n- three\n"

    def test_a_section(self) -> None:
        document = parse(b"# Archive\n\n## Old\n\n- one\n\n## Other\n\n- two\n")

        assert take_out(heading(document, "Other")) == b"# Archive\n\n## Old\n\n- one\n"

    def test_the_last_one_takes_the_file_along_unless_a_comment_is_left(self) -> None:
        assert take_out(entry(parse(b"# Archive\n\n## Old\n\n- one\n"), "one")) is None
        assert take_out(entry(parse(b"# Archive\n<!-- keep -->\n\n- one\n"), "one")) == b"# Archive\n<!-- keep -->\n"

    def test_a_heading_that_was_empty_before_stays(self) -> None:
        document = parse(b"# Archive\n\n## Empty\n\n## Old\n\n- one\n- two\n")

        assert take_out(entry(document, "two")) == b"# Archive\n\n## Empty\n\n## Old\n\n- one\n"


def test_an_item_comes_back_with_the_one_around_it_where_that_stood() -> None:
    kept = entry(parse(b"# T\n\n- x\n- a\n  - b\n    - c\n- y\n"), "c")
    assert put_back(kept, b"# T\n\n- x\n- y\n", None).data == b"# T\n\n- x\n- a\n  - b\n    - c\n- y\n"


def test_a_section_goes_beside_the_nearest_one_that_is_left() -> None:
    sections = {name: f"## {name}\n\n- of {name}\n" for name in "ABCDE"}
    kept = heading(parse("\n".join(["# T\n", *sections.values()]).encode()), "C")
    for left in ("DE", "E", "A", "B", ""):
        now = "\n".join(["# T\n", *(sections[name] for name in left)])
        meant = "\n".join(["# T\n", *(sections[name] for name in sorted({*left, "C"}))])
        assert put_back(kept, now.encode(), None).data == meant.encode()


def test_the_last_section_of_a_file_without_a_last_newline_gets_the_files_line_end() -> None:
    top, last, other = "# T\r\n\r\n## A\r\n\r\n- x\r\n\r\n", "## B\r\n\r\n- y", "## Z\r\n\r\n- z\r\n"
    kept = heading(parse((top + last).encode()), "B")
    assert put_back(kept, (top + other).encode(), None).data == f"{top}{last}\r\n\r\n{other}".encode()


@pytest.mark.parametrize("now", ["# Memory\n\n- a\n\n```\nno end\n", "# Memory\n\n<!-- no end\n"])
def test_nothing_is_put_where_nobody_would_read_it(now: str) -> None:
    """At the end of a file whose last fence or comment is open everything is code or comment."""
    document = parse(TEXT.encode())
    for kept in (entry(document, "Answers are short"), entry(document, "Likes coffee"), heading(document, "Infrastructure")):
        with pytest.raises(HoardError, match="would not be read as it was"):
            put_back(kept, now.encode(), None)
