"""Words that the safe normaliser treats with care."""

from __future__ import annotations

_NAMES = """
may march august june april will bill mark frank rich rose rob bob pat art jack dick grace hope faith joy dawn eve ivy holly iris lily daisy violet ruby
pearl drew ray gene guy victor earl duke king bishop baker carter mason miller smith taylor wood woods hill hall brook brooks
sie ihr ihre ihren ihrem ihrer ihnen
"""
NAMES = frozenset(_NAMES.split())
"""Words that are somebody's name, a month or a German form of address with a capital: their case is kept even at the start of a sentence."""

_CAPITONYMS = """
sun sat mon polish turkey china chile jordan georgia guinea cyprus job reading nice mobile lent mass
go rust swift dart java perl python julia crystal scheme lisp basic ada word excel access outlook teams office edge safari chrome opera
apple amazon oracle adobe shell ford lotus puma gap target visa discover echo alexa slack zoom signal discord notion linear asana box
earth moon mercury mars venus saturn pluto god lord bible west east north south pole left right labour labor liberal democrat republican catholic
cancer titan phoenix bath cork split worms brest nancy orange lima manila bologna cologne champagne boston
arm essen weise recht dichter reich laut rot gut klein gross wei\u00df schwarz lang kurz bald see tor mut ma\u00df
angular express spring flask django rails gin fiber node next nest vue react svelte spark storm flink beam airflow
master main stable testing unstable production staging
"""
CAPITONYMS = NAMES | frozenset(_CAPITONYMS.split())
"""Words that mean something else with a capital inside a sentence: places and adjectives, products, German nouns."""

_KEPT = """
charge question control possession care same other others only first second third last latter former few fewer little least less more most many much one
ones lot lots number next previous past coming rest best worst right wrong whole following above below all both half single sole
call duty air fire board line hold record order place part time times case event office house hospital school prison church bed sea class court
service stock public private sight view power production hand hands demand point course day night hour week month year weeks days months years way end
future dark run go light black red box mark market press house road street top bottom minute spot side back front move table ground loop know
hague who verge onion guardian economist netherlands gambia bahamas band edge sun mirror note notes please remember fyi
zero two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand million billion
old young rich poor sick dead living blind deaf
"""
KEPT_AFTER_THE = frozenset(_KEPT.split())
"""Words before which `the` may change the meaning: in charge and in the charge, on call and on the call, last week and the last week."""

_PREPOSITIONS = """
over on in at via with from for by to of under through within inside outside until till before after during when while if unless and or but
than as not never no nor without except because since that which who
"""
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
"""Words that begin another phrase or sentence, in which `only` may point at something else."""
