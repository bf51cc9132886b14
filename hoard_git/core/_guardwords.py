"""Words by which two sentences that look alike are told apart: negations, opposites, units, the calendar, numbers, hedges."""

from __future__ import annotations

_NEGATIONS = """
not no never none nor neither without cannot nothing nobody nowhere avoid avoids except excluding unless hardly barely scarcely rarely seldom stop stopped
refuse refuses forbid forbids forbidden prohibit prohibited deny denied lack lacks longer only
nicht kein keine keinen keinem keiner keines keinerlei keinesfalls keineswegs nie niemals nein ohne nichts niemand niemandem niemanden nirgends
nirgendwo au\u00dfer ausser kaum selten weder verboten nur
nunca sin ni ning\u00fan ninguna ninguno ningunos ningunas nadie nada jam\u00e1s tampoco ne pas jamais sans ni aucun aucune aucunement nullement gu\u00e8re non rien
n\u00e3o nao sem nem nenhum nenhuma nenhuns nenhumas ningu\u00e9m tampouco jamais senza nessun nessuno nessuna niente nulla neanche nemmeno neppure mica
niet geen nooit zonder
nie bez nigdy \u043d\u0435 \u043d\u0435\u0442 \u043d\u0438 \u0431\u0435\u0437 \u043d\u0438\u043a\u043e\u0433\u0434\u0430 \u043d\u0438\u043a\u0442\u043e \u043d\u0438\u043a\u043e\u0433\u043e \u043d\u0438\u0447\u0435\u0433\u043e \u043d\u0438\u0447\u0442\u043e \u043d\u0438\u0433\u0434\u0435 \u043d\u0438\u043a\u0430\u043a
\u043d\u0435\u043b\u044c\u0437\u044f
"""
NEGATIONS = frozenset(_NEGATIONS.split())
PREFIXES = ("un", "non-", "non", "dis", "in", "im", "ir", "il", "de", "mis", "anti", "anti-", "not-", "nicht-", "des", "d\u00e9s", "\u043d\u0435", "\u0431\u0435\u0437", "\u0431\u0435\u0441")
"""What makes an adjective its opposite."""

_OPPOSITES = """
online offline down unreachable
open closed shut merged resolved
pending done finished complete completed running queued started
active cancelled canceled inactive expired suspended paused
pass fail
passed failed passing failing broken
green red amber yellow
charged empty full
enabled disabled
enable disable
on off
an aus
ein aus
locked unlocked
left right
front rear back
up down
north south east west
northern southern eastern western
before after
above below
over under
inside outside
inner outer
indoor outdoor
top bottom
upper lower
first last
start end
begin end
early late
earlier later
min max
minimum maximum
more less fewer
most least
increase decrease
increased decreased
rises falls
rise fall
rising falling
public private
always sometimes occasionally usually
all some
everyone anyone someone
every some
both either one
allow deny
allowed denied blocked
accept reject
accepted rejected declined
approve reject
approved rejected declined
true false
yes no
hot cold warm cool
wet dry
high low
higher lower
tall short
long short
big small
large small
fast slow
faster slower
heavy light
old new
young old
strong weak
hard soft
thick thin
wide narrow
deep shallow
cheap expensive
easy difficult hard
internal external
upload download
uploads downloads
import export
imports exports
push pull
read write
reads writes
incoming outgoing
inbound outbound
ingress egress
primary secondary replica standby
master slave
leader follower
sync async
synchronous asynchronous
light dark
day night
male female
mother father
brother sister
son daughter
husband wife
married single divorced
hired fired
win lose
won lost
like dislike hate
love hate
add remove
added removed
create delete
created deleted
buy sell
bought sold
borrow lend
borrowed lent
arrive leave depart
manual automatic
manually automatically
optional mandatory required
may must
can must
static dynamic
even odd
horizontal vertical
same different
positive negative
present absent
alive dead
awake asleep
safe dangerous
clean dirty
healthy sick ill
visible hidden
temporary permanent
local remote
ascending descending
odd even
input output
client server
sender receiver recipient
stable unstable beta
lossless lossy
buyer seller
landlord tenant
employer employee
[] [x]
links rechts
linke rechte
linken rechten
offen geschlossen zu
oben unten
innen au\u00dfen
vorne hinten
vor nach
gro\u00df klein
gross klein
hei\u00df kalt warm
erlaubt verboten
aktiv inaktiv
aktiviert deaktiviert
bestanden durchgefallen
morgens abends
immer manchmal
alle einige
hoch niedrig
schnell langsam
neu alt
voll leer
ja nein
izquierda derecha
gauche droite
abierto cerrado
\u5de6 \u53f3
\u4e0a \u4e0b
\u524d \u540e
\u5f00 \u5173
\u958b \u95dc
\u5927 \u5c0f
\u591a \u5c11
\u9ad8 \u4f4e
\u771f \u5047
\u5185 \u5916
\u8fdb \u51fa
\u65b0 \u65e7
\u4e70 \u5356
\u6709 \u65e0
"""
OPPOSITES: tuple[tuple[str, ...], ...] = tuple(tuple(line.split()) for line in _OPPOSITES.split("\n") if line)
"""Each row holds words of which one excludes the others."""

_UNITS = """
ng ug \u00b5g \u03bcg mcg mg g kg t lb lbs oz gram grams kilogram kilograms microgram micrograms milligram milligrams kilo kilos pound pounds ounce ounces
nm \u00b5m mm cm dm m km mi ft yd in inch inches foot feet yard yards mile miles meter meters metre metres kilometer kilometers kilometre kilometres
centimeter centimeters centimetre centimetres millimeter millimeters millimetre millimetres m\u00b2 m\u00b3 cm\u00b2 cm\u00b3 km\u00b2 sqm ha acre acres hectare hectares
ml cl dl l L hl litre litres liter liters millilitre millilitres milliliter milliliters gallon gallons pint pints cup cups tbsp tsp
ns \u00b5s ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week weeks month months quarter quarters year years decade decades
sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren
b B kb kB KB Kb Mb mb MB Gb GB gb Tb TB PB KiB MiB GiB TiB bit bits byte bytes kbit Mbit Gbit kbps Mbps Gbps MBps bps
W mW kW MW GW Wh kWh MWh mWh V mV kV A mA \u00b5A mAh Ah Hz kHz MHz GHz mHz J kJ MJ cal kcal N kN Nm ohm ohms \u03a9 k\u03a9 M\u03a9 F \u00b5F nF pF dB dBm lm lux lx
bar mbar psi Pa hPa kPa MPa atm mmHg C F K \u00b0C \u00b0F celsius fahrenheit kelvin degree degrees
eur usd gbp chf jpy cny rmb sek nok dkk pln czk huf inr cad aud nzd brl krw btc eth usdt euro euros dollar dollars cent cents pound pence yen yuan
franc francs krona kronor rupee rupees \u20ac $ \u00a3 \u00a5 \u20bf \u20b9 \u20a9 \u20bd
% percent permille ppm ppb points pct dozen pair pairs thousand million billion hundred k M
kmh km/h mph knots rpm fps px pt em rem dpi
\u5929 \u5468 \u6708 \u5e74 \u65f6 \u5206 \u79d2 \u5143 \u7c73 \u514b \u5347 \u65a4
"""
UNITS = frozenset(_UNITS.split())
"""Units of measure and money. Case counts, but for words of more than four letters and codes of currencies."""

_CALENDAR = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays weekend weekends
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
spring summer autumn fall winter noon midnight morning mornings afternoon afternoons evening evenings night nights dawn dusk
today tomorrow yesterday tonight daily weekly biweekly fortnightly monthly quarterly yearly annually hourly nightly am pm easter christmas
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags
januar februar m\u00e4rz mai juni juli oktober dezember fr\u00fchling fr\u00fchjahr sommer herbst morgen heute gestern mittag abend nacht t\u00e4glich w\u00f6chentlich monatlich
j\u00e4hrlich st\u00fcndlich lunes martes mi\u00e9rcoles jueves viernes s\u00e1bado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
diciembre lundi mardi mercredi jeudi vendredi samedi dimanche janvier f\u00e9vrier mars avril juin juillet ao\u00fbt septembre octobre novembre d\u00e9cembre
utc cet cest gmt est edt pst pdt
"""
CALENDAR = frozenset(_CALENDAR.split())
WIDE_CALENDAR = frozenset("\u5468\u661f\u671f\u6708\u65e5\u53f7\u865f\u66dc\u9031\u6625\u590f\u79cb\u51ac\u65e9\u665a\u6668")
"""Characters that are a calendar word or make one of the number beside them."""

_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty
sixty seventy eighty ninety hundred thousand million billion once twice thrice first second third fourth fifth sixth seventh eighth ninth tenth half
quarter double triple single dozen couple pair
null eins zwei drei vier f\u00fcnf sechs sieben acht neun zehn elf zw\u00f6lf zwanzig drei\u00dfig vierzig f\u00fcnfzig hundert tausend einmal zweimal dreimal
erste zweite dritte ersten zweiten dritten uno dos tres cuatro cinco seis siete ocho nueve diez deux trois quatre cinq sept huit neuf dix
\u4e00 \u4e8c \u4e24 \u4e09 \u56db \u4e94 \u516d \u4e03 \u516b \u4e5d \u5341 \u767e \u5343 \u4e07 \u4ebf
"""
NUMBERS = frozenset(_NUMBERS.split())

_HEDGES = """
reported reportedly report reports according says say said claims claim claimed allegedly alleged apparently maybe perhaps probably possibly presumably
supposedly likely might seems seem appears rumored rumoured rumor rumour think thinks thought believe believes guess unconfirmed unverified supposed suspect
suspects hear heard told blog post article page site website forum thread tweet source sources somebody someone quote quoted roughly about approximately circa
around almost nearly laut angeblich vermutlich wahrscheinlich vielleicht anscheinend m\u00f6glicherweise soll etwa ungef\u00e4hr
"""
HEDGES = frozenset(_HEDGES.split())

_SMALL = "the a an of to in on at by for from with and or that this it its as into is are was were be by i we you he she they der die das den dem des und zu im am"
SMALL = frozenset(_SMALL.split())
"""Words that carry little by themselves."""

_AUXILIARIES = "will shall would is are was were be been being am has have had do does did going gonna to used got gets get just already now once about wird werden wurde hat haben ist war"
AUXILIARIES = frozenset(_AUXILIARIES.split())
"""Words that make a tense of the verb behind them."""

_IRREGULAR = """
run ran|use used using uses|go went gone goes|buy bought|take took taken|make made|get got gotten|give gave given|write wrote written|send sent|build built|keep kept|hold held
leave left|lose lost|meet met|pay paid|say said|sell sold|spend spent|stand stood|teach taught|tell told|think thought|win won|break broke broken
choose chose chosen|come came|drive drove driven|eat ate eaten|fall fell fallen|find found|fly flew flown|grow grew grown|know knew known|lie lay lain
see saw seen|sleep slept|speak spoke spoken|begin began begun|bring brought|catch caught|feel felt|lead led|learn learnt|rise rose risen|sit sat
wear wore worn|have had has|be is are was were been|do did does|arbeitet arbeitete gearbeitet|l\u00e4uft lief gelaufen|wohnt wohnte gewohnt
"""
IRREGULAR = {word: row.split()[0] for line in _IRREGULAR.split("\n") for row in line.split("|") if row for word in row.split()}
"""Verb forms that share no stem, by form."""

_HINGES = """
is are was were has have had be runs uses needs takes holds keeps costs lives works requires expires renews contains weighs measures pays earns owes opens closes
starts ends begins leaves arrives equals listens lasts rotates prefers wants stands sits lies ist sind hat war hei\u00dft kostet l\u00e4uft wohnt nutzt braucht dauert
borrowed bought moved became
\u662f \u5728 \u6709 \u7528 \u70ba \u4e3a
"""
HINGES = frozenset(_HINGES.split())
"""Words between what a sentence speaks of and what it says of it."""

_NAMING = "is are was named called heisst hei\u00dft ist sind lautet equals \u662f \u53eb"
NAMING = frozenset(_NAMING.split())
"""Hinges behind which a thing has one value at a time."""
