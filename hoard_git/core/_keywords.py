"""Words that make a line of a log worth keeping, and those that make it noise. Lower case; English and German words, Chinese strings."""

from __future__ import annotations

_WORDS: dict[str, str] = {
    "decision": """decided decide decision decisions agreed agreement chose chosen approved rejected adopted switched migrated replaced renamed
        cancelled canceled dropped deprecated retired concluded settled
        entschieden entscheidung beschlossen beschluss vereinbart vereinbarung gew\u00e4hlt genehmigt abgelehnt umgestellt ersetzt gewechselt
        best\u00e4tigt abgesagt eingestellt umbenannt""",
    "preference": """prefers prefer preferred preference preferences likes dislikes hates wants favourite favorite
        bevorzugt bevorzugen lieber vorliebe w\u00fcnscht""",
    "rule": """always never must mandatory required requires rule rules policy convention forbidden prohibited allowed lesson lessons learned
        important principle constraint
        immer nie niemals muss m\u00fcssen darf d\u00fcrfen regel regeln verboten pflicht vorgabe wichtig erkenntnis gelernt""",
    "deadline": """deadline due expires expire expiry until milestone launch
        frist f\u00e4llig f\u00e4lligkeit stichtag abgabe""",
    "fix": """fixed fix fixes resolved solved cause caused workaround solution bug regression mitigated reverted repaired
        behoben gel\u00f6st l\u00f6sung ursache repariert fehler umgehung r\u00fcckg\u00e4ngig""",
}
WORDS = {kind: frozenset(text.split()) for kind, text in _WORDS.items()}

SIGNS: dict[str, tuple[str, ...]] = {
    "decision": (
        "\u51b3\u5b9a",
        "\u786e\u5b9a",
        "\u9009\u5b9a",
        "\u9009\u62e9",
        "\u91c7\u7528",
        "\u6539\u4e3a",
        "\u6539\u7528",
        "\u5207\u6362",
        "\u8fc1\u79fb",
        "\u540c\u610f",
        "\u6279\u51c6",
        "\u62d2\u7edd",
        "\u53d6\u6d88",
        "\u6c7a\u5b9a",
        "\u78ba\u5b9a",
        "\u9078\u64c7",
        "\u63a1\u7528",
        "\u6539\u70ba",
    ),
    "preference": ("\u504f\u597d", "\u559c\u6b22", "\u66f4\u559c\u6b22", "\u5e0c\u671b", "\u4e60\u60ef", "\u559c\u6b61", "\u7fd2\u6163"),
    "rule": (
        "\u603b\u662f",
        "\u4ece\u4e0d",
        "\u6c38\u8fdc",
        "\u5fc5\u987b",
        "\u7981\u6b62",
        "\u4e0d\u8981",
        "\u4e0d\u80fd",
        "\u89c4\u5219",
        "\u539f\u5219",
        "\u91cd\u8981",
        "\u8bb0\u4f4f",
        "\u6559\u8bad",
        "\u7ecf\u9a8c",
        "\u7e3d\u662f",
        "\u5fc5\u9808",
        "\u898f\u5247",
        "\u6559\u8a13",
        "\u8a18\u4f4f",
    ),
    "deadline": ("\u622a\u6b62", "\u671f\u9650", "\u5230\u671f", "\u4e4b\u524d\u5b8c\u6210", "\u8fc7\u671f"),
    "fix": ("\u4fee\u590d", "\u89e3\u51b3", "\u6839\u56e0", "\u539f\u56e0", "\u4fee\u5fa9", "\u89e3\u6c7a"),
}
"""Chinese has no spaces between words, so these are looked for inside the text."""

CHATTER: tuple[str, ...] = (
    "nothing to report", "nothing new", "no changes", "no change", "no updates", "no update", "no new", "no issues", "all good", "all clear", "all quiet",
    "no activity", "not checked", "unchanged", "stable", "heartbeat ok", "heartbeat check", "heartbeat", "still running", "still waiting", "routine check", "checked in", "status ok", "system ok", "quiet",
    "ok", "okay", "done", "hello", "hi", "thanks", "thank you", "good morning", "good night", "session started", "session start", "session ended",
    "session end", "nichts neues", "nichts zu berichten", "keine \u00e4nderungen", "alles gut", "alles in ordnung", "guten morgen", "danke",
    "\u65e0\u4e8b", "\u6ca1\u6709\u53d8\u5316", "\u65e0\u53d8\u5316", "\u4e00\u5207\u6b63\u5e38", "\u65e0\u66f4\u65b0", "\u6ca1\u6709\u66f4\u65b0", "\u6682\u65e0", "\u7121\u4e8b", "\u6c92\u6709\u8b8a\u5316",
)  # fmt: skip
"""Beginnings of lines that report nothing; what follows may be a few words, such as a time."""

HEADERS = frozenset(
    """session key|session id|session|source|channel|model|confidence|evidence|recalls|status|candidate|score|timestamp|time|date|updated|last updated|
    file|files|path|url|link|links|tags|type|id|author|user|assistant|system|human|tool""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""Labels of session headers and of other programs' records, before a colon."""

_SHELL = """sudo cd ls cat grep sed awk curl wget ssh scp rsync git npm npx pnpm yarn pip python python3 node docker kubectl systemctl journalctl apt brew make
    chmod chown mkdir rm cp mv echo export source tail head find"""
SHELL = frozenset(_SHELL.split())
"""First words of lines that were typed into a shell, when BREAKS or an option follow."""

BREAKS = (" --", " -", " | ", " && ", "; ", " > ", "$(", " ./", " /", "://")

_PASSING = """today tonight tomorrow yesterday currently now pending waiting unread suspended inbox
    heute morgen gestern derzeit momentan gerade \u4eca\u5929 \u660e\u5929 \u6628\u5929 \u76ee\u524d \u73b0\u5728"""
PASSING = frozenset(_PASSING.split())
"""Words (pairs of characters in Chinese) of a line that is true on its day alone."""
