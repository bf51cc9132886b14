"""Words that tie a sentence to the day on which it was said, or to the heading above it."""

from __future__ import annotations

_DEICTIC = """
today yesterday tomorrow tonight now currently recently lately soon ago this next last morning evening afternoon later earlier
heute gestern morgen vorgestern jetzt gerade derzeit aktuell k\u00fcrzlich neulich bald diese dieser dieses n\u00e4chste n\u00e4chsten letzte letzten
aujourd hier demain maintenant hoy ayer ma\u00f1ana ahora oggi ieri domani ora hoje ontem amanh\u00e3 agora vandaag gisteren nu dzisiaj wczoraj jutro
\u0441\u0435\u0433\u043e\u0434\u043d\u044f \u0432\u0447\u0435\u0440\u0430 \u0437\u0430\u0432\u0442\u0440\u0430 \u0441\u0435\u0439\u0447\u0430\u0441
"""
DEICTIC = frozenset(_DEICTIC.split())
"""Words, in lower case, that mean another day on another day."""

WIDE_DEICTIC = (
    "\u4eca\u5929", "\u6628\u5929", "\u660e\u5929", "\u73b0\u5728", "\u73fe\u5728", "\u76ee\u524d", "\u6700\u8fd1", "\u672c\u5468", "\u4e0b\u5468", "\u4e0a\u5468",
    "\u4eca\u65e5", "\u6628\u65e5", "\u660e\u65e5", "\u4eca\u9031", "\uc624\ub298", "\uc5b4\uc81c", "\ub0b4\uc77c", "\uc9c0\uae08",
)  # fmt: skip
"""The same in Chinese, Japanese and Korean, where words are not set apart."""

_SUBJECTLESS = """
it its this that these those they he she his her their we our here there same also both such one which
es er sie dies dieser diese dieses das dort hier auch il elle ils elles cela esto eso este aqu\u00ed
is are was were has have had does did can could will would must should may might
runs uses requires needs lives works takes keeps stores returns sends expects costs starts stops depends contains provides holds supports
lies stands sits belongs goes gets makes gives reads writes serves listens serves manages handles owns wants prefers likes knows
runs, using running used based built written made located hosted owned managed set moved changed updated added removed fixed created deployed
installed configured enabled disabled tested started stopped restarted finished completed failed passed renewed replaced migrated
"""
SUBJECTLESS = frozenset(_SUBJECTLESS.split())
"""First words of sentences whose subject stands elsewhere."""
