"""Names that are ordinary words as well, in lower case: alone they are no sign of a person."""

from __future__ import annotations

_WORDS = """
ace admin agent alexa all amber and angel any april archer are ark art ash aspen atlas august autumn bailey baker bank banks barber bard
basil bass bauer bay bear bell bench berg best bianco bill bird bishop black blanc blanca blue bob bolt bond book boss bot brand bridge
bridges brook brooks brown buck bud burn burns butler butt campo can cape carol carpenter carter case cash cat chance charity chase chip
christian church clay cliff cloud coco colt constance cook cooper coral court crane cross cruz crystal curry daisy dale dawn day dean dell
dick dolly dot drew duke dusty earl early east easter echo eden ember engel english eve faith fan field fields finch fiore fisher fitch
flint flor flora for ford forest forester forrest foster fox frank freeman french from frost fuchs gale garden gardener gene general
german gift ginger glen gold golden good gore grace grand grant gray green grey griffin gross grove groß guest gun guy had hale hall hand
happy hardy harmony harp harry hart has hawk hazel head heart heath heather her herbst hero hill hills his holly home hood hook hope horn
house how hunt hunter ice iris its ivory ivy jack jade jay jet jewel job joker josh joy judge july june junior juniper justice kaiser king
kit kitty klein knight koch kurz könig lake lamb lance land lane lang large lark lavender law laws leblanc legend leon lily lion lisp
little long lord lotus love luck luna luz major maler mar marina mark marsh marshal marshall mason max maxim may meadow melody mercury
mercy merit miles mill miller mills mint moon moor moore moss mountain neo new nice nick night noble noel noir north not nova oak ocean
olive online opal orange otter our page paint palm park parker parson pat patience patsy patty paz pea peace peach peak pearl pen penny
pepper perry petal petit phoenix pine piper plant plum pole pond pool poppy porter post pot potter power powers price pride prince
princess prudence queen rain raven ray read red reed reef reign rey rich ridge ring rip river rivers road rob robin rock rocky rod roi
rojo roman root rosa rose rosemary rosy roux ruby rue rush russet rust rusty sage sailor saint sally salt sandy savannah say schmied
schwarz seal season see serene shade shepherd short sierra silver singer siri skip sky small smart smith snow sol sommer south sparrow
speed spring star starling steel stein sterling stern still stone storm stormy stout strand street strong sue summer sun sunday sunny swan
swift sword taylor teal temple terry test the thorn thrush tiger torres tower town trip true trust tucker turner unity user valley van
vega velvet venus verde verity victor victory viola violet virginia vogel wade wagner wagon walker wall waller ward was water waters
weaver web weber week weiß well wells west what wheat when where white who why wick will willow wills winner winter wise with wolf wood
woods woody word worth wren young your zen
"""
WORDS = frozenset(_WORDS.split())
