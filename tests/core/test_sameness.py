from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from hoard_git.core.sameness import FORM, LONGEST, is_sentence, same_form, words_of

SAME = [
    ("The NAS is called heron.", "* The NAS is called heron"),
    ("***Never*** deploy on Friday", "Never deploy on Friday"),
    ("*Anna* leads the team", "Anna leads the team"),
    ("The **staging server** runs Debian", "The staging server runs Debian"),
    ("Backups run at 03:00.", "Backups run at 03:00"),
    ("Backups   run\tat 03:00", "Backups run at 03:00"),
    ("Node 2 is online", "node 2 is online"),
    ("The tests run on GitHub", "Tests run on GitHub"),
    ("See the wiki for details", "see wiki for details"),
    ("Note: the oven runs hot", "The oven runs hot"),
    ("Remember: call Anna", "Call Anna"),
    ("Please use British spelling", "Use British spelling."),
    ("NOTE THAT backups run daily", "backups run daily"),
    ("Anna’s desk is “free”", 'Anna\'s desk is "free"'),
    ("Backup – nightly – to box", "Backup - nightly - to box"),
    ("[2026-01-02] Server moved.", "Server moved. (2026-01-02)"),
    ("- [x] Renew the domain", "* [x] renew domain."),
    ("数据库运行在三号机器上。", "- 数据库运行在三号机器上"),
    ("Die Sicherung läuft nachts.", "- die Sicherung läuft nachts"),
    ("The shop only accepts cash.", "The shop accepts cash only."),
    ("The token only works for admins.", "The token works only for admins."),
    ("Deploy with `make deploy`.", "deploy with `make deploy`"),
    ("The docs are at https://docs.example/a_b.", "docs are at https://docs.example/a_b"),
    ("Uses `PgBouncer` in transaction mode", "uses PgBouncer in transaction mode"),
    ("Owner - Clinic North", "Owner: Clinic North"),
]
"""Pairs that differ in nothing but their form."""

DIFFERENT = [
    ("Vet - the clinic in town", "Vet: the clinic in town"),
    ("The temperature is -5 C", "The temperature is 5 C"),
    ("The temperature is −5 C", "The temperature is 5 C"),
    ("The pool is 5 m² large", "The pool is 5 m³ large"),
    ("The area is 10² units", "The area is 102 units"),
    ("The plant makes 5 mW", "The plant makes 5 MW"),
    ("The plant makes 5 MW of power", "The plant makes 5 mW of power"),
    ("The disk holds 5 Mb", "The disk holds 5 MB"),
    ("Take route A to the office", "Take route B to the office"),
    ("Take route A to the office", "Take route a to the office"),
    ("The server IP is 10.0.0.1", "The server IP is 10.0.0.11"),
    ("The server IP is 192.168.1.10", "The server IP is 192.168.10.1"),
    ("Port 80 is blocked", "Port 8080 is blocked"),
    ("The price is €25", "The price is $25"),
    ("The price is 25 €", "The price is 25 $"),
    ("The fee is 5 %", "The fee is 5 ppm"),
    ("Payments are in CHF", "Payments are in EUR"),
    ("The door is usable", "The door is unusable"),
    ("The result is reversible", "The result is irreversible"),
    ("The move is possible", "The move is impossible"),
    ("The user is active", "The user is inactive"),
    ("The API no longer accepts tokens", "The API accepts tokens"),
    ("Everyone except Lotte may approve", "Everyone may approve"),
    ("Everyone may approve releases", "Only admins may approve releases"),
    ("Alpha depends on Beta", "Beta depends on Alpha"),
    ("Data flows from A to B", "Data flows from B to A"),
    ("Anna reports to Ben", "Ben reports to Anna"),
    ("Der Server ist nicht erreichbar", "Der Server ist erreichbar"),
    ("Der Zug fährt am Montag", "Der Zug fährt am Dienstag"),
    ("Das linke Knie schmerzt", "Das rechte Knie schmerzt"),
    ("Die Miete kostet 800 Euro", "Die Miete kostet 900 Euro"),
    ("Es gibt keine Sicherung", "Es gibt eine Sicherung"),
    ("Wir haben drei Katzen", "Wir haben vier Katzen"),
    ("Die Frist endet im März", "Die Frist endet im Mai"),
    ("会议在周三下午举行", "会议在周五下午举行"),
    ("服务器不在线", "服务器在线"),
    ("左膝疼痛严重", "右膝疼痛严重"),
    ("办公室在北京市中心", "办公室在上海市中心"),
    ("价格是二十五元", "价格是三十五元"),
    ("Requires Node 18", "Requires Node 20"),
    ("The app targets Android 14", "The app targets Android 15"),
    ("We pin ruff v0.17.1", "We pin ruff v0.17.2"),
    ("The build uses Go 1.22", "The build uses Go 1.23"),
    ("The cert expires on 2027-01-05", "The cert expires on 2027-05-01"),
    ("Standup is at 9:30", "Standup is at 10:30"),
    ("Standup is in the morning", "Standup is in the evening"),
    ("Rent is due on 1 March", "Rent is due on 3 March"),
    ("The invoice is due 01.02.2026", "The invoice is due 02.01.2026"),
    ("Backups run daily", "Backups run weekly"),
    ("Anna lives in Berlin", "Anna lives in Hamburg"),
    ("Anna leads the data team", "Lotte leads the data team"),
    ("The host is called kite", "The host is called crow"),
    ("Vault is at vault.acme.example", "Vault is at vault-acme.example"),
    ("Logs go to /var/log/app", "Logs go to /var/log/api"),
    ("Contact ann@example.org for access", "Contact bob@example.org for access"),
    ("The light is on", "The light is off"),
    ("Turn left at the church", "Turn right at the church"),
    ("The valve opens before noon", "The valve opens after noon"),
    ("Sync is synchronous", "Sync is asynchronous"),
    ("The queue is full", "The queue is empty"),
    ("Joining is optional", "Joining is mandatory"),
    ("The switch is at the top", "The switch is at the bottom"),
    ("Use HTTPS for uploads", "Use HTTPS for downloads"),
    ("The test passed on main", "The test failed on main"),
    ("Deploys are always reviewed", "Deploys are never reviewed"),
    ("The key is encrypted", "The key is hardly encrypted"),
    ("The script runs without root", "The script runs with root"),
    ("You can push to main", "You can't push to main"),
    ("The feature is disabled for guests", "The feature is enabled for guests"),
    ("Anna moved to Oslo", "Anna will move to Oslo"),
    ("The team uses Jira", "The team used Jira"),
    ("We bought a new router", "We buy a new router"),
    ("The plan was approved", "The plan is approved"),
    ("The mirror is safe", "A blog says the mirror is safe"),
    ("Sales fell last quarter", "Sales reportedly fell last quarter"),
    ("The cafe closes at six", "The cafe closes at seven"),
    ("Retention is 30 days", "Retention is 30 weeks"),
    ("The dose is 5 mg", "The dose is 5 g"),
    ("The cable is 3 m long", "The cable is 3 ft long"),
    ("The link runs at 10 Mbps", "The link runs at 10 MBps"),
    ("The timeout is 30 s", "The timeout is 30 ms"),
    ("A few users can log in", "Few users can log in"),
    ("Ada is on the call", "Ada is on call"),
    ("Anna is in charge of Ben", "Anna is in the charge of Ben"),
    ("Deployed the last week", "Deployed last week"),
    ("Ask us about it", "Ask US about it"),
    ("Ada likes polish", "Ada likes Polish"),
    ("Ich rufe Sie an", "Ich rufe sie an"),
    ("Run `make test`", "Run `make  test`"),
    ("Run `Make`", "Run `make`"),
    ("Set `debug` on", "Set debug on"),
    ("Open https://x.example/A", "Open https://x.example/a"),
    ("See memory/A.md", "See memory/a.md"),
    ("~~The NAS is red~~", "The NAS is red"),
    ("- [ ] Renew the domain", "- [x] Renew the domain"),
    ("- [ ] Renew the domain", "- Renew the domain"),
    ("Is the NAS red?", "Is the NAS red"),
    ("5. Mai ist frei", "6. Mai ist frei"),
    ("__init__ is empty here", "init is empty here"),
    ("Match *.md and *.txt", "Match .md and .txt"),
    ("Done...", "Done"),
    ("Marta only drinks coffee on Mondays", "Marta drinks only coffee on Mondays"),
    ("Only Marta drinks coffee", "Marta drinks only coffee"),
    ("The cat eats only renal food at night", "The cat only eats renal food at night"),
    ("The fee is 1,000 EUR", "The fee is 1.000 EUR"),
    ("The version is 1.0", "The version is 1.0.0"),
    ("Anna joined in 2019", "Anna joined in 2021"),
    ("Costs rise by 5", "Costs fall by 5"),
    ("The user may approve", "A user may approve"),
    ("currently the plan is active", "the plan is active"),
    ("The number of errors is 5", "A number of errors is 5"),
    ("The two servers are down", "Two servers are down"),
    ("Dana is out of the question", "Dana is out of question"),
    ("The result is 5!", "The result is 5"),
    ("1. Restart the server", "2. Restart the server"),
    ("1. Restart the server", "- Restart the server"),
    ("+ 5 points", "- 5 points"),
    ("Bonn - Köln", "Bonn: Köln"),
    ("Total - 5", "Total: 5"),
    ("Range 10 – 20", "Range 10 - 20"),
    ("Files go to a_b", "Files go to ab"),
    ("Multiply 2*3*4", "Multiply 234"),
    ("See [docs](a.md)", "See [docs](b.md)"),
    ("See [[Anna]]", "See Anna"),
    ("Uses `openwrt`", "Uses openwrt"),
    ("Mark deploys on Friday", "mark deploys on Friday"),
    ("He works in March", "He works in march"),
    ("Yes. No more", "Yes no more"),
    ("[2026-01-02] Server moved.", "[2026-01-03] Server moved."),
    ("[2026-01-02] Server moved.", "Server moved."),
    ("5\u00a0MB", "5 MB"),
    ("zero\u200bwidth", "zerowidth"),
    ("The fee is ５ EUR", "The fee is 5 EUR"),
    ("The word is ﬁne", "The word is fine"),
    ("It weighs 5 Kg", "It weighs 5 kg"),
    ("She said it", "She said it?!"),
    ("The 2 servers", "2 servers"),
    ("a team wins", "the team wins"),
    ("Users can edit only posts", "Users can only edit posts"),
    ("Staff only reads posts by admins", "Staff reads posts by admins only"),
]
"""Pairs of which each says something else, or may."""

WORDS = [
    "server",
    "backup",
    "runs",
    "nightly",
    "Anna",
    "deploys",
    "port",
    "uses",
    "for",
    "with",
    "is",
    "open",
    "Kiel",
    "EUR",
    "MB",
    "only",
    "the",
    "a",
]
NEGATORS = ["not", "no", "never", "without", "except", "cannot", "nicht", "kein"]
SIGNS = ["-", "+", "~", "<", ">", "\u2212", "\u00b1"]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_these_say_the_same(one: str, two: str) -> None:
    assert same_form(one) == same_form(two)


@pytest.mark.parametrize(("one", "two"), DIFFERENT)
def test_these_do_not(one: str, two: str) -> None:
    assert same_form(one) != same_form(two)


def test_a_form_is_readable() -> None:
    assert words_of(same_form("- [ ] **The** NAS runs at 5 \u00b0C.")) == ["[ ]", "the", "NAS", "runs", "at", "5", "\u00b0C"]
    assert words_of(same_form("The readings are kept.")) == ["readings", "are", "kept"]
    assert words_of(same_form("Kept. (2026-01-02)")) == ["@2026-01-02", "kept"]


@pytest.mark.parametrize(
    "text", ["", " ", "- ", "*", "**", "`", "``", "_", "- - -", "[", "](", "<", "\x00", "\x1f", "[2026-01-02] ", "note: ", "the", "only"]
)
def test_odd_texts_have_a_form_of_their_own(text: str) -> None:
    assert same_form(text).startswith(FORM)
    assert same_form(same_form(text)) == same_form(text)


def test_long_texts_are_the_same_only_when_identical() -> None:
    text = "word " * LONGEST
    assert same_form(text) == same_form(text)
    assert same_form(text) != same_form("- " + text)


def test_a_name_in_code_is_the_name_but_code_is_code() -> None:
    assert same_form("Uses `PgBouncer`") == same_form("uses PgBouncer")
    assert same_form("Set `True`") != same_form("Set True")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("port 8080", False),
        ("one two three four five", False),
        ("one two three four five six", True),
        ("one - two - three - four", False),
        ("\u6570\u636e\u5e93\u8fd0\u884c\u5728\u4e09\u53f7\u673a\u5668\u4e0a", False),
        ("\u6570\u636e\u5e93\u8fd0\u884c\u5728\u4e09\u53f7\u673a\u5668\u4e0a\u9762", True),
    ],
)
def test_sentences_are_long_enough(text: str, is_one: bool) -> None:
    assert is_sentence(same_form(text)) is is_one


sentences = st.lists(
    st.sampled_from([*WORDS, *NEGATORS, "7", "-3", "2.5", "`a b`", "(x)", "**bold**", "fast."]), min_size=1, max_size=9
).map(" ".join)


@given(st.text(max_size=80) | sentences)
@example("The note that Anna wrote")
@example("- - 5")
@example("Note that please note: the x")
def test_a_form_is_its_own_form(text: str) -> None:
    assert same_form(same_form(text)) == same_form(text)


@given(sentences, st.sampled_from(["- ", "* ", "\u2022 "]), st.integers(1, 4))
def test_bullets_blanks_and_the_full_stop_do_not_count(text: str, bullet: str, blanks: int) -> None:
    assume(text[-1].isalnum() and text[0].isalpha())
    assert same_form(bullet + text.replace(" ", " " * blanks).replace("`a" + " " * blanks + "b`", "`a b`") + ".") == same_form(text)


@given(
    st.text("0159.,-+ax*`_ []()!\uff15\u00b2", max_size=14),
    st.text("0159.,-+ax*`_ []()!\uff15\u00b2", max_size=14),
    st.text("0159\uff15\u00b2", min_size=1),
)
def test_digits_are_never_lost(one: str, two: str, digits: str) -> None:
    one += digits
    assume(re.findall(r"\d", one) != re.findall(r"\d", two))
    assert same_form(one) != same_form(two)


@given(sentences, st.integers(0, 9), st.sampled_from(NEGATORS))
def test_a_negation_is_never_lost(text: str, at: int, negator: str) -> None:
    words = text.split(" ")
    assert same_form(" ".join([*words[:at], negator, *words[at:]])) != same_form(text)


@given(sentences, st.sampled_from(SIGNS), st.integers(1, 999))
def test_a_sign_is_never_lost(text: str, sign: str, number: int) -> None:
    assert same_form(f"{text} {sign}{number}") != same_form(f"{text} {number}")
    assert same_form(f"{sign}{number} {text}") != same_form(f"{number} {text}")


@given(st.permutations(["server", "backup", "sends", "Anna", "deploys", "port", "for", "with", "is", "not", "7"]), st.integers(2, 11))
def test_the_order_of_words_counts(words: list[str], length: int) -> None:
    one = words[:length]
    two = [one[1], one[0], *one[2:]]
    assert same_form(" ".join(one)) != same_form(" ".join(two))


@given(st.text("ab.*_- \u2019", min_size=1, max_size=12), st.text("ab.*_- \u2019", min_size=1, max_size=12))
def test_code_counts_byte_for_byte(one: str, two: str) -> None:
    assume(one != two and one.strip(" -") and two.strip(" -"))
    assert same_form(f"Run `{one}` at night") != same_form(f"Run `{two}` at night")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The wifi password of the guest network is Hunter", "The wifi password of the guest network is hunter"),
        ("The passphrase is The blue car in winter", "The passphrase is blue car in winter"),
        ("The passphrase is the blue car", "The passphrase is blue car"),
        ("Her dog is called The Boss now", "Her dog is called Boss now"),
        ("Delete *log*.txt files every week", "Delete log.txt files every week"),
        ("Use cd Documents to get there", "Use cd documents to get there"),
        ("Ada uses Windows on the machine", "Ada uses windows on the machine"),
        ("She works for Meta", "She works for meta"),
        ("She listened to the Doors", "She listened to doors"),
        ("Use _foo bar_ as the key", "Use foo bar as the key"),
        ("\u041e\u043d\u0430 \u0412\u0435\u0440\u0430", "\u041e\u043d\u0430 \u0432\u0435\u0440\u0430"),
    ],
)
def test_a_capital_an_article_and_a_star_inside_a_sentence_may_be_a_value(one: str, other: str) -> None:
    assert same_form(f"- {one}") != same_form(f"- {other}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploys happen on Tuesday.", "deploys happen on tuesday"),
        ("**The NAS is called osprey**", "The NAS is called osprey"),
        ("_The NAS is called osprey._", "The NAS is called osprey"),
        ("CI runs on the Forgejo runners", "CI runs on Forgejo runners"),
    ],
)
def test_what_carries_nothing_is_still_left_out(one: str, other: str) -> None:
    assert same_form(f"- {one}") == same_form(f"- {other}")
