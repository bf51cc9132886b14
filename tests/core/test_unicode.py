from __future__ import annotations

import sys
import unicodedata

import pytest

from hoard_git.core import confusables, unicode


def odd(text: str, number: int = 2) -> list[tuple[int, str, bool]]:
    return [(o.at, o.kind, o.hard) for o in unicode.find_odd(text, number)]


class TestTable:
    def test_ranges_are_in_order_and_do_not_overlap(self) -> None:
        flat = [edge for first, last, _kind in unicode.RANGES for edge in (first, last)]
        assert flat == sorted(flat)
        assert all(last < first for (_a, last, _k), (first, _b, _l) in zip(unicode.RANGES, unicode.RANGES[1:], strict=False))

    def test_every_control_and_format_character_is_listed_or_known_to_be_visible(self) -> None:
        # Prepended and enclosing signs of Arabic, Syriac, Kaithi and Egyptian are format characters with a shape of their own.
        visible = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13440, 0x13456)}
        missing = [
            f"{code:04X}"
            for code in range(sys.maxunicode + 1)
            if unicodedata.category(chr(code)) in {"Cc", "Cf"}
            and code not in visible
            and chr(code) not in "\t\n"
            and not unicode.kind_of(chr(code))
        ]
        assert missing == []

    def test_what_a_category_search_would_miss_is_listed(self) -> None:
        for char in "\u034f\u115f\u1160\u17b4\u17b5\u180b\u2800\u3164\uffa0\ufe0f\U000e0100":
            assert unicodedata.category(char) not in {"Cc", "Cf"}
            assert unicode.kind_of(char)

    @pytest.mark.parametrize("char", ["a", "\t", "\n", "\u00e9", "\u4e2d", "\u2026", "\u26a0", "\u00a0", "\u3000", "\ufffd"])
    def test_ordinary_characters_are_not(self, char: str) -> None:
        assert unicode.kind_of(char) == ""

    def test_noncharacters_of_every_plane(self) -> None:
        assert {unicode.kind_of(chr(plane << 16 | low)) for plane in range(17) for low in (0xFFFE, 0xFFFF)} == {unicode.NONCHARACTER}

    def test_what_is_called_unassigned_is_so(self) -> None:
        listed = [(first, last) for first, last, kind in unicode.RANGES if kind == unicode.UNASSIGNED]
        assigned = [
            f"{code:04X}"
            for first, last in listed
            for code in range(first, last + 1)
            if unicodedata.category(chr(code)) not in {"Cn", "Co"}
        ]
        assert assigned == []
        assert all(last < 0x1F000 or first > 0x1FFFF for first, last in listed), "new emoji come there"
        assert unicode.describe("\U00050000") == "U+50000 UNASSIGNED"

    def test_plain_text_is_not_looked_at(self) -> None:
        assert odd("- plain\ttext") == []


class TestHard:
    @pytest.mark.parametrize(
        "char",
        ["\x00", "\x08", "\x0b", "\x0c", "\x1b", "\x1c", "\x7f", "\x85", "\x9b", "\u034f", "\u115f", "\u180e", "\u200b", "\u2028", "\u2029", "\u2060", "\u2063",
         "\u206a", "\u2800", "\u3164", "\ufdd0", "\ufe00", "\ufeff", "\uffa0", "\ufff9", "\ufffe", "\U000e0041", "\U000e0100", "\U0001d173", "\U00013430", "\U0001343f", "\U00014680", "\U0002fa20", "\U00040000", "\U000dfffd", "\U000e1000"],
    )  # fmt: skip
    @pytest.mark.parametrize("place", ["{}word", "wo{}rd", "word{}"])
    def test_has_no_business_anywhere(self, char: str, place: str) -> None:
        text = place.format(char)
        assert odd(text) == [(text.index(char), unicode.kind_of(char), True)]

    def test_bidi_controls_are_nine(self) -> None:
        nine = [chr(code) for code in range(0x110000) if unicode.kind_of(chr(code)) == unicode.BIDI]
        assert nine == list("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

    def test_a_carriage_return_is_half_of_a_line_end_or_nothing(self) -> None:
        assert odd("text\r") == []
        assert odd("te\rxt") == [(2, unicode.RETURN, True)]
        assert [o.kind for o in unicode.find_odd("text\r", 3, last=True)] == [unicode.RETURN]

    def test_a_byte_order_mark_stands_at_the_start_of_the_file(self) -> None:
        assert odd("\ufefftext", 1) == []
        assert odd("\ufefftext", 2) == [(0, unicode.BOM, True)]

    def test_more_than_four_marks_on_a_letter(self) -> None:
        assert odd("n" + "\u0335" * 5 + "o") == [(1, unicode.PILE, True)]
        assert odd("n" + "\u0335" * 4 + "o") == []


class TestContext:
    @pytest.mark.parametrize(
        "text",
        ["\u26a0\ufe0f", "1\ufe0f\u20e3", "#\ufe0f\u20e3", "\u2764\ufe0f", "\u2197\ufe0e", "\u00a9\ufe0f", "\U0001f469\u200d\U0001f4bb",
         "\u2764\ufe0f\u200d\U0001f525", "\U0001f44d\U0001f3fb\u200d\u2642\ufe0f", "\u0645\u06cc\u200c\u062e\u0648", "\u0915\u094d\u200d\u0937",
         "\u0d28\u0d4d\u200d", "\U00013000\U00013430\U00013001", "\U0001faea", "\U0001fc00", "\U0001f6d8", "\U00033479", "\u1820\u180b", "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"],
    )  # fmt: skip
    def test_right_in_its_place(self, text: str) -> None:
        assert odd("- " + text + " x") == []

    @pytest.mark.parametrize(
        ("text", "hard"),
        [
            ("a\ufe0f", True),
            ("\ufe0f", True),
            ("\u26a0\ufe0f\ufe0f", True),
            ("a\u200db", True),
            ("\U0001f469\u200d", False),
            ("a\u200cb", True),
            ("a \u200c b", False),
            ("so\u00adft", True),
            ("soft \u00ad", False),
            ("\ue000", False),
            ("a\u200eb", False),
            ("\U0001f3f4\U000e0068\U000e0069\U000e007f", True),
        ],
    )
    def test_wrong_in_another(self, text: str, hard: bool) -> None:
        found = odd("- " + text)
        assert found
        assert found[0][2] is hard


class TestStructure:
    @pytest.mark.parametrize(
        "line", ["#\u00a0Title", "##\u2003Title", "-\u00a0item", "*\u3000item", "1.\u00a0item", "\u00a0# Title", "\u2003- item"]
    )
    def test_a_blank_that_is_no_space_unmakes_a_marker(self, line: str) -> None:
        at = unicode.find_structure_space(line)
        assert not line[at].isascii()

    @pytest.mark.parametrize(
        "line", ["# Title\u00a0more", "- item", "\u2022\u00a0item", "5\u00a0kg", "\u00e9", "- \u00a0x", "\u3000\u3000- \u4e2d"]
    )
    def test_elsewhere_it_does_not(self, line: str) -> None:
        assert unicode.find_structure_space(line) == -1


class TestForms:
    def test_decomposed_letters_have_a_composed_form(self) -> None:
        assert unicode.find_decomposed("cafe\u0301") == 3
        assert unicode.find_decomposed("caf\u00e9 x\u0335") == -1
        assert unicode.find_decomposed("\u1112\u1161\u11ab") == 0
        assert unicode.find_decomposed("caf\u00e9") == -1
        assert unicode.find_decomposed("a\u0300") == 0

    @pytest.mark.parametrize("count", [3, 4])
    def test_three_or_four_marks_are_decoration(self, count: int) -> None:
        assert unicode.find_pile("n" + "\u0335" * count) == 1
        assert unicode.find_pile("n" + "\u0335" * 5) == -1
        assert unicode.find_pile("nn") == -1
        assert unicode.find_pile("n" + "\u05b0" * 3) == -1

    def test_visible_text_has_no_hidden_characters_left(self) -> None:
        assert unicode.visible("pass\u200bword\u2028next\u00a0one\x1b[0m") == "password next one[0m"
        assert unicode.visible("plain\ttext") == "plain\ttext"


class TestNames:
    @pytest.mark.parametrize(
        ("char", "name"),
        [
            ("\u200b", "U+200B ZERO WIDTH SPACE"),
            ("\x00", "U+0000 NULL"),
            ("\x1b", "U+001B ESCAPE"),
            ("\x90", "U+0090 CONTROL CHARACTER"),
            ("\ue000", "U+E000 PRIVATE USE"),
            ("\ufdd0", "U+FDD0 NONCHARACTER"),
            ("\udcff", "byte 0xFF"),
            ("\ud800", "U+D800 UNNAMED"),
            ("\U000e0041", "U+E0041 TAG LATIN CAPITAL LETTER A"),
        ],
    )
    def test_describe(self, char: str, name: str) -> None:
        assert unicode.describe(char) == name

    def test_show_prints_nothing_but_ascii(self) -> None:
        assert unicode.show("a\u200bb\tc") == "a<U+200B>b<U+0009>c"
        assert unicode.show("x" * 70) == "x" * 60 + "..."


class TestConfusables:
    @pytest.mark.parametrize(
        ("text", "plain"),
        [
            ("v\u0430ult", "vault"),
            ("\uff41dmin", "admin"),
            ("\U0001d400\U0001d41b", "Ab"),
            ("\U0001d7ce", "0"),
            ("caf\u00e9", "caf\u00e9"),
            ("plain", "plain"),
        ],
    )
    def test_skeleton(self, text: str, plain: str) -> None:
        assert confusables.skeleton(text) == plain

    def test_fold_is_for_finding_words(self) -> None:
        assert confusables.fold("ign\u043ere\u200b \u00a0pre\u0301vious") == "ignore  previous"

    @pytest.mark.parametrize(
        "line",
        ["at v\u0430ult.acme.example", "the p\u0430yp\u0430l page", "mail s\u0430m@mail.example", "\u0430\u0440\u0440\u04cf\u0435.com", "g\u03bfogle",
         "\uff41bc.example", "\U0001d400dmin", "\u0443\u0437\u0435\u043b.x.com/\u0430\u0431x"],
    )  # fmt: skip
    def test_tokens_that_are_not_what_they_seem(self, line: str) -> None:
        assert [likeness.reason for likeness in confusables.find_likenesses(line, frozenset())]

    @pytest.mark.parametrize(
        "line",
        ["plain", "\u03bcs and k\u03a9 and \u0394t", "PDF\u044b \u0438 git\u043e\u043c", "IT-\u043e\u0442\u0434\u0435\u043b", "\u043e\u0442\u0447\u0451\u0442_v2.docx",
         "\uff21\u793e\u306eAPI", "caf\u00e9", "\u03b1 and \u03b2", "x\u00b2", "\u0430\u0431", "\u4e2d\u6587"],
    )  # fmt: skip
    def test_open_mixing_is_innocent(self, line: str) -> None:
        assert [likeness.text for likeness in confusables.find_likenesses(line, frozenset())] == []

    @pytest.mark.parametrize(
        "line",
        ["at \u13a1uby.example", "at v\u0561ult.example", "at pa\u0568.example", "\u0570ub.example", "mail s\u0581m@mail.example", "at https://\u13df\u13aa\u13e2.example"],
    )  # fmt: skip
    def test_armenian_and_cherokee_letters_in_hosts(self, line: str) -> None:
        assert [likeness.reason for likeness in confusables.find_likenesses(line, frozenset())]

    @pytest.mark.parametrize(
        "line", ["\u0540\u0561\u0575\u0561\u057d\u057f\u0561\u0576", "\u13e3\u13b3\u13a9 and more", "\u0535\u0580\u0587\u0561\u0576-office"]
    )
    def test_armenian_and_cherokee_words_are_words(self, line: str) -> None:
        assert [likeness.reason for likeness in confusables.find_likenesses(line, frozenset())] == []

    @pytest.mark.parametrize(
        "line",
        ["at vault\u3002example", "at vault.acme\uff0ecom/x", "at vault\uff61acme.example", "at https://vault\u3002acme", "at va\u2024ult", "at vault\ufe52net",
         "sam\uff20mail.example", "sam@mail\u3002example", "sam\ufe6bmail\u3002example", "10.0.\u0661.5", "10.0.0.1\u0665", "port 80\uff18\uff10", "\u09e7\u09e80 taka", "1\U0001d7d0",
         "\u8bf7\u8bbf\u95eevault\u3002example\u3002"],
    )  # fmt: skip
    def test_signs_of_another_script_in_hosts_and_numbers(self, line: str) -> None:
        assert [likeness.reason for likeness in confusables.find_odd_signs(line)]

    @pytest.mark.parametrize(
        "line",
        ["plain", "\u8bbf\u95eeexample.com\u3002\u8c22\u8c22", "\u7528Python\u3002Node\u662f", "\u7528Vue\u3002Node.js", "\u5b8c\u6210\u4e86abc\u3002def\u5f00\u59cb", "\uff20sam \u4f60\u597d", "\u7b2c\uff11\u56de 2026\u5e74", "\u0661\u0662\u0663 and 123",
         "\uff11\uff0e 5 items", "x\u00b2 5\u00bd H\u2082O", "caf\u00e9 1.5", "done\u3002\u4e0b\u4e00\u6b65"],
    )  # fmt: skip
    def test_signs_of_another_script_in_text(self, line: str) -> None:
        assert [likeness.text for likeness in confusables.find_odd_signs(line)] == []

    def test_a_look_alike_of_a_known_word(self) -> None:
        word = "\u0441\u043e\u0440\u0443"
        assert list(confusables.find_likenesses(word, frozenset({"other"}))) == []
        assert [likeness.reason for likeness in confusables.find_likenesses(word, frozenset({"copy"}))]
