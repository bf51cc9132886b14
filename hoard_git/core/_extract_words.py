"""Words that may not get lost or come in when blocks are shortened: lower case, one set a kind."""

from __future__ import annotations

_NEGATIONS = """
not no never none nor neither without cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt mustnt aint nothing nobody zero minus
off false disabled disable disables disallow disallowed forbidden forbid forbids forbade deny denied denies prohibited prohibit prohibits
fail failed fails failing failure broken breaks broke stop stopped stops lost missing wrong refuse refused refuses reject rejected rejects blocked
removed deleted revoked expired cancelled canceled unable against instead hardly rarely seldom barely
nicht kein keine keinen keinem keiner keines nie niemals nein ohne nichts niemand verboten untersagt deaktiviert falsch kaum statt
nunca jamás sin ningún ninguna ninguno nada nadie tampoco prohibido prohibida desactivado desactivada deshabilitado deshabilitada falso falsa
ne pas jamais sans aucun aucune non rien interdit interdite désactivé désactivée faux
não nao sem nenhum nenhuma ninguém proibido proibida desativado desativada desabilitado desabilitada
senza nessun nessuno nessuna niente nulla mai vietato vietata disattivato disattivata disabilitato disabilitata
niet geen nooit nee zonder niets verboden uitgeschakeld onwaar
bez nigdy nie żaden żadna żadne brak zabroniony zabronione zabroniona wyłączony wyłączone wyłączona fałsz
не нет ни без никогда никто ничего нельзя запрещено запрещён запрещена запрещены отключено отключён отключена выключено выключен выключена
"""
NEGATIONS = frozenset(_NEGATIONS.split())
"""English, German, Spanish, French, Portuguese, Italian, Dutch, Polish, Russian; words of failure among them."""

_HEDGES = """
reported reportedly report reports allegedly alleged supposedly apparently claims claim claimed says say said saying tells told according heard rumour
rumor rumoured rumored maybe perhaps possibly probably likely unlikely might may could seems seem seemed appears appear appeared unverified unconfirmed
unclear uncertain unsure guess guessed assume assumed assumes assuming believes believe believed thinks think thought suspects suspect suspected
estimated estimate tentative tentatively provisional draft planned proposed suggests suggested quoted quotes wrote writes opinion doubtful doubt
angeblich laut vielleicht eventuell möglicherweise vermutlich wahrscheinlich anscheinend offenbar scheinbar sagt sagte meint meinte behauptet unbestätigt
ungeprüft könnte dürfte soll glaubt vermutet geplant
quizá quizás posiblemente probablemente supuestamente aparentemente según dice dijo podría parece
peut-être probablement possiblement prétendument apparemment selon dit pourrait semble
talvez possivelmente provavelmente supostamente aparentemente segundo diz disse poderia
forse possibilmente probabilmente presumibilmente apparentemente secondo dice potrebbe sembra
misschien mogelijk waarschijnlijk blijkbaar volgens zegt zei
może możliwe prawdopodobnie podobno według mówi
может возможно вероятно наверное якобы похоже говорит сказал сказала
"""
HEDGES = frozenset(_HEDGES.split())
"""Words that say that something is somebody's word, a guess or a plan (threat CL-10)."""

_QUALIFIERS = """
? on true enabled enable enables allowed allow allows permitted always only just except unless if when until till before after since while during
about approximately around roughly almost nearly least most more less fewer under over above below within per up down both every all any some few
must should shall need needs required requires temporarily temporary currently formerly previously old new deprecated instead but however although than
wenn falls außer nur bis vor nach seit während immer muss müssen sollte etwa ungefähr mindestens höchstens aber
si solo sólo excepto salvo hasta antes después desde siempre debe casi pero
sauf seulement avant après depuis toujours doit presque mais
se só exceto até sempre deve quase mas
solo tranne prima dopo sempre deve quasi però ma
als alleen behalve tot voor na sinds altijd moet bijna maar
jeśli tylko oprócz przed zawsze musi prawie ale
если только кроме до после всегда должен должна должны почти но
"""
QUALIFIERS = frozenset(_QUALIFIERS.split())
"""Conditions, limits, amounts, times and states: a statement without them is another statement."""

GUARDED = NEGATIONS | HEDGES | QUALIFIERS

CONNECTING = frozenset(("and", "&", "the", "also", "und", "et"))
"""What a shorter text may add."""

_BOUNDARIES = """
and & und et y but or nor while whereas then which who because so aber oder sondern während weil ou mais pero sino
if unless except when until before after since и но или
"""
BOUNDARIES = frozenset(_BOUNDARIES.split())
"""Words at which a new clause begins."""

FORMS = {"are": "is", "were": "was", "have": "has", "do": "does"}
"""Forms of one verb in one tense."""

STATES = frozenset(("is", "are", "was", "were", "ist", "sind", "war", "est", "sont", "es", "son"))
"""Verbs between a subject and what is said of it."""

ARTICLES = frozenset(("the", "a", "an", "our", "my", "der", "die", "das", "le", "la", "les", "el", "los", "las"))

LITTLE = frozenset(("of", "to", "in", "on", "at", "by", "for", "as", "a", "an", "or", "is", "are", "was", "the", "and", "has", "und", "et"))
"""Short words that may follow a number and are no unit of it; other words of up to three letters are."""

UNITS = frozenset(
    (
        "days",
        "hours",
        "weeks",
        "months",
        "years",
        "minutes",
        "seconds",
        "percent",
        "million",
        "billion",
        "thousand",
        "miles",
        "euros",
        "dollars",
    )
)
"""Longer units."""
