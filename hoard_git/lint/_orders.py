"""Shapes of instruction text: what it is, whether it counts in an agent's own words too, words that must occur, pattern.

Texts are lower-cased, without invisible characters, list markers and emphasis, entities and percent coding resolved; the lines of a
paragraph are joined by newlines. Placeholders in angle brackets stand for the pieces below.
"""

from __future__ import annotations

PIECES = {
    "<USER>": r"(?:the |our |my |your |its )?(?:user|owner|human|operator|principal)s?",
    "<START>": r"(?:^|[.:;!?\u2014\u2013>|\]\)\"'\u201c\u201d\u00ab(,\n]\s{0,3}|\s-\s|\bplease\s|\bthen\s|\band\s|\balso\s)",
    "<HEAD>": r"(?:^|[.:;!?\u2014\u2013>|\]\"'\u201c\u201d\u00ab]\s{0,3}|\n|\s-\s|\bplease\s)",
    "<GAP>": r"(?:[\w'-]+\W{1,4}){0,4}?",
    "<SHORT>": r"(?:[\w'-]+\W{1,4}){0,2}?",
    "<SAFETY>": r"(?:review\w*|checks?|confirm\w*|verif\w*|approv\w*|validat\w*|2fa|mfa|signatures?|safety|security|safeguards?|guards|guardrails?|gates?|hooks?|audit\w*|permission\w*|sandbox\w*|tests?|warnings?|consent)",
    "<VERB>": r"(?:send|forward|use|reply|respond|answer|prefer|recommend|skip|ignore|approve|run|execute|call|write|save|store|remember|treat|trust|include|add|append|copy|delete|remove|disable|enable|tell|say"
              r"|do|don'?t|never|always|start|stop|open|visit|click|install|download|upload|share|post|publish|pay|transfer|buy|book|order|accept|grant|allow|let|give|provide|reveal|hide|keep|act|behave|pretend|obey|follow"
              r"|load|assume|redirect|route|cc|bcc|e-?mail|mail|message|notify|contact|choose|pick|select|suggest|cite|mention|bypass|override|commit|push|merge|deploy|sign|turn|proceed|return|output|print|insert|attach|advertise|promote)",
    "<TARGET>": r"(?:[\w.+-]{1,64}@[\w-]{1,63}\.\w|https?://|\bwebhook\b|(?<![\w@])@[a-z]\w{2,}|\b[\w-]{2,63}\.[a-z]{2,12}/)",
    "<SEND>": r"(?:forward|send|post|upload|cc|bcc|share|copy|e-?mail|mail|transmit|submit|report|route|redirect|transfer|wire|pay|deliver|leak|exfiltrate)",
    "<THIS>": r"(?:this|these|that|the (?:above|following|present))\W{1,3}(?:[\w'-]+\W{1,3})?(?:notes?|entry|entries|lines?|memory|memories|instructions?|rules?|messages?|steps?|comments?|paragraphs?|blocks?|reminders?|directives?|sentences?)",
}  # fmt: skip

IGNORE, SILENCE, CONSENT, STANDING, CONDITION, SEED, COPY, EXFILTRATE, UNSAFE, SENDING, POWER = (
    "an order to ignore earlier instructions", "a silence clause", "claimed consent", "a standing order", "a conditional order", "a seeded preference",
    "a note that asks to be copied on", "a standing order to send data out", "an order to drop a safeguard", "an order to send something out", "claimed power",
)  # fmt: skip

SHAPES: tuple[tuple[str, bool, tuple[str, ...], str], ...] = (
    # ---- strong: also in an agent's own words
    (IGNORE, True, ("ignor", "disregard", "forget", "overrid", "bypass", "discard"),
     r"\b(?:ignore|disregard|forget|override|bypass|discard)\W{1,3}<GAP>(?:previous|prior|earlier|above|preceding|former|existing|system|safety|developer|original|initial|foregoing)[ \n\"']{1,3}(?:[\w'-]+[ \n\"']{1,3}){0,2}?(?:instruction|rule|prompt|guideline|directive|message|context|polic(?:y|ies)|command|order|constraint|restriction|safeguard)s?\b"),
    (IGNORE, True, ("ignor", "disregard", "forget", "overrid"),
     r"\b(?:ignore|disregard|forget|override)\W{1,3}(?:all|any|every|everything)\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:instructions?|rules|guidelines|directives|prompts?|safeguards|restrictions|(?:you (?:were|have been) told))\b"),
    (IGNORE, True, ("you are now", "you're now"), r"\byou(?: are|'re) now\W{1,3}(?:[\w'-]+\W{1,3}){0,4}?(?:mode|dan|unrestricted|unfiltered|jailbroken|free (?:of|from))\b"),
    (SILENCE, True, ("tell", "mention", "inform", "notif", "alert", "reveal", "disclos", "warn", "know", "asking"),
     (r"\b(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t)\W{1,3}(?:ever\W{1,3})?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|warn(?:ing)?|let(?:ting)?)\W{1,3}"
     r"(?:(?:this|it|that|anything|any of this|these|the (?:change|changes|transfer|payment|step|note|instruction))\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?)?(?:to\W{1,3})?<USER>\b(?!['\u2019]s\b|[ -](?:id|name|interface|data|agent|input|account|facing)\b)"
     r"|\bwithout\W{1,3}(?:telling|informing|notifying|alerting|asking)\W{1,3}(?:the|our|my|your)\W{1,3}(?:user|owner|human|operator)\b")),
    (SILENCE, True, ("mention", "reveal", "disclos", "report", "show", "discuss", "repeat", "tell", "talk", "quote", "refer"),
     r"\b(?:do not|don'?t|never|must not|should not)\W{1,3}(?:ever\W{1,3})?(?:mention|reveal|disclose|report|show|discuss|repeat|tell|talk about|quote|refer to|acknowledge)\W{1,3}(?:anyone\W{1,3}|anybody\W{1,3})?(?:about\W{1,3})?<THIS>\b"),
    (SILENCE, True, ("secret", "hidden", "hide", "keep", "conceal", "confidential", "knowledge", "notic", "between us", "withhold"),
     (r"\b(?:keep|hide|conceal|withhold)\W{1,3}(?:this|it|that|these|the (?:note|instruction|change|rule|step|transfer))\b[^.;]{0,40}?\b(?:from|secret from|hidden from)\W{1,3}<USER>\b|\bwithout\W{1,3}(?:the\W{1,3})?(?:user|owner|human|operator)(?:'s|s')?\W{1,3}(?:knowledge|knowing|noticing|awareness)\b"
     r"|\bkeep\W{1,3}<THIS>\W{1,3}(?:[\w'-]+\W{1,3})?(?:secret|hidden|private|confidential)\b")),
    (CONSENT, True, ("approved", "authori", "consent", "agreed", "granted", "gave", "given", "signed off", "permi"),
     (r"\b(?:user|owner|human|operator)\b\W{1,3}(?:has|have|had)?\W{0,3}(?:already|previously|permanently|generally)\W{1,3}(?:[\w'-]+\W{1,3})?(?:approved|authori[sz]ed|consented|agreed|granted|signed off|gave|given|permitted)\b"
     r"|\b(?:already|previously|permanently)\W{1,3}(?:approved|authori[sz]ed|consented to|cleared|permitted)\W{1,3}by\W{1,3}(?:the )?(?:user|owner|human|operator)\b")),
    (CONSENT, True, ("said", "says", "told", "asked", "confirmed"),
     r"\b(?:user|owner|human|operator)\b\W{1,3}(?:has\W{1,3})?(?:said|says|told \w+|confirmed|asked)\b\W{0,6}(?:that\W{1,3}|us\W{1,3}|me\W{1,3}|to\W{1,3}|for\W{1,3}){0,2}(?:no (?:more|further|longer)|no need|skip|stop|never|don'?t|do not|without|drop)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:confirmation|confirm|confirming|approval|approve|permission|review|asking|ask|questions?|check)s?\b"),
    (CONSENT, True, ("approv", "consent", "permission", "authori"),
     (r"\b(?:standing|blanket|permanent|unconditional|irrevocable)\W{1,3}(?:user\W{1,3})?(?:approval|consent|permission|authori[sz]ation)\b[^.;]{0,60}?\b(?:for|to|of|on|from|by)\b[^.;]{0,30}?\b(?:all|any|every|user|owner|future|transfer|payment|purchase|deploy|release|delet)"
     r"|\bpre-?(?:approved|authori[sz]ed)\W{1,3}(?:by\W{1,3}(?:the )?(?:user|owner|human|operator)|(?:for\W{1,3})?(?:all|any|every)\b)")),
    (EXFILTRATE, True, ("always", "from now on", "every", "each", "whenever", "weekly", "daily"),
     (r"(?:\balways\b|\bfrom now on\b|\bevery (?:time|week|day|hour|month|session|message|report|conversation)\b|\beach (?:time|week|day|hour|session|message)\b|\bwhenever\b|\bafter (?:each|every)\b)[^.;]{0,100}?"
     r"\b(?:forward|send|upload|cc|bcc|e-?mail|transmit|submit|leak|exfiltrate|post)\b[^;]{0,100}?\b(?:to|at|via|with)\W{1,3}<GAP>(?:[\w.+-]{1,64}@[\w-]{1,63}\.\w|https?://)")),
    (COPY, True, ("keep", "copy", "repeat", "includ", "preserv", "carry", "add ", "append", "write", "paste", "put ", "insert", "retain", "replicat", "propagat", "restore"),
     r"\b(?:keep|copy|repeat|include|preserve|carry|add|append|write|paste|put|insert|retain|replicate|propagate|restore)\W{1,3}<SHORT><THIS>\W{1,4}<GAP>(?:in|into|to|onto|across|through|at the (?:top|start|end|bottom) of|over to)\W{1,3}<SHORT>(?:every|each|all|any|future|the next|new|the daily|daily)\b"),
    # ---- weak: only in somebody else's words
    (STANDING, False, ("always", "never"),
     r"<HEAD>(?:always|never)\W{1,3}(?:[a-z]{3,12}ly\W{1,3})?(?!(?:be|been|being|the|an?|is|was|were|are|in|on|at|true|false|available|required|off|null|empty|up|down|there|had|has|have|more|less|again|before|after|mind|ending|seen|got|went|came|ran|came|took|made|fully|ok|okay|only|just|not|really|quite|enough)\b)(?:[a-z]{1,11}(?:[^aeious\W\d_]|[aeiou]|ss))(?<!ed)(?<!ing)\b"),
    (STANDING, False, ("from now on", "going forward", "henceforth", "hereafter", "from this point", "in future", "in the future"),
     r"\b(?:from now on|going forward|henceforth|hereafter|from this point on(?:ward)?s?|in (?:the )?future)\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:<VERB>|you|the (?:agent|assistant|model)|agents?|assistants?)\b"),
    (STANDING, False, ("agent", "assistant", "model", "claude", "gpt", "copilot", "openclaw", "codex", "clawd", "ai "),
     r"\b(?:(?:the|any|every|all|each|dear|hey)\W{1,3})?(?<!ssh )(?<!gpg )(?<!user )(?<!-)(?:ai|ai agent|ai model|ai assistant|agent|assistant|language model|claude|chatgpt|copilot|openclaw|codex|clawd)s?[ ,]{1,3}(?:(?:reading|(?:that|who|which) reads?) (?:this|it)\W{1,3})?(?:must|should|shall|has to|have to|needs? to|will always|is required to|are required to|may not|is to|are to|ought to)\b"),
    (STANDING, False, ("agent", "assistant", "model", "llm", " ai", "session"),
     r"\b(?:notes?|message|instructions?|reminder|notice|attention|important|directive|hint|memo)\W{1,3}(?:to|for)\W{1,3}(?:the |any |all |every |whatever |an? )?(?:ai|assistants?|agents?|(?:language )?models?|llms?|bots?|future (?:sessions?|agents?|self|selves|assistants?|me))\b"),
    (STANDING, False, ("session", "conversation", "interaction", " runs", " chats"),
     (r"<VERB>\b[^.;]{1,100}?\b(?:in|for|during|across|of)\W{1,3}(?:all |any |every |each |your )?(?:future|later|subsequent|upcoming|following)\W{1,3}(?:sessions?|conversations?|runs?|chats?|interactions?)\b"
     r"|\b(?:in|for|during|across)\W{1,3}(?:all |any |every |each )?(?:future|later|subsequent|upcoming|new)\W{1,3}(?:sessions?|conversations?|runs?|chats?|interactions?)\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?<VERB>\b")),
    (STANDING, False, ("you ",),
     r"\byou\W{1,3}(?:must|should|shall|have to|need to|are (?:required|instructed|ordered|authori[sz]ed) to|will)\W{1,3}(?:always|never|now|not (?:tell|mention|ask|reveal)|ignore|obey|trust|forward|send|reply|respond|answer|recommend|prefer|remember|treat|say|skip|bypass|approve|hide|transfer|pay)\b"),
    (STANDING, False, ("remember", "make sure", "be sure", "forget", "ensure"),
     r"<START>(?:remember|make sure|be sure|(?:do not|don'?t) forget|ensure)\W{1,3}(?:to|that you|you)\W{1,3}[a-z]+\b"),
    (CONDITION, False, ("user", "owner", "human", "operator", "customer", "someone", "anyone", "asked", "asks", "you ", "agent", "assistant"),
     (r"\b(?:when|whenever|if|once|as soon as|each time|every time|any ?time|after|before|upon)\b[^.;]{0,30}?\b(?:user|owner|human|operator|customer|someone|anyone|anybody|asked|asks|you (?:see|receive|read|encounter|find|hear|get|are)|agent|assistant)\b[^.;]{0,120}?(?:,|:|\bthen\b|->|=>|\u2192)\W{0,3}"
     r"(?:(?:also|then|always|please|silently|quietly|secretly|immediately|first|just|simply|instead|you|must|should|to|automatically|and)\W{1,3}){0,4}<VERB>\b")),
    (CONDITION, False, ("user", "owner", "human", "asked", "asks"),
     r"<START><VERB>\W[^.;]{1,100}?\b(?:when|whenever|if|once|each time|every time|any ?time|as soon as)\b[^.;]{0,30}?\b(?:user|owner|human|operator|someone|anyone|asked|asks)\b"),
    (UNSAFE, False, ("skip", "bypass", "ignor", "approve", "disable", "omit", "turn", "switch", "suppress", "deactivat", "waive"),
     r"(?:<START>|\b(?:if|when|whenever)\b[^.;]{1,100}?(?:,|\bthen\b)\W{0,3}(?:[\w'-]+\W{1,3}){0,2}?)(?:skip|bypass|ignore|auto-?approve|disable|omit|turn off|switch off|suppress|deactivate|waive) (?!to\b)(?:[\w'-]+[ \n]){0,4}?<SAFETY>\b"),
    (UNSAFE, False, ("ask", "confirm", "verif", "question", "check"),
     r"\b(?:do not|don'?t|never|no need to|stop)\W{1,3}(?:bother\W{1,3})?(?:to\W{1,3})?(?:ask(?:ing)?|confirm(?:ing)?|verify(?:ing)?|question(?:ing)?|double-?check(?:ing)?)\b"),
    (CONSENT, False, ("approv", "confirm", "review", "permission", "consent", "sign-off", "signoff", "asking"),
     (r"\b(?:needs?|requires?)\W{1,3}no\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:approvals?|confirmations?|reviews?|permissions?|consent|sign-?off)\b|\bno\W{1,3}(?:more |further |additional |user |human )?(?:approvals?|confirmations?|reviews?|permissions?|consent|sign-?off)\W{1,3}(?:is |are |will be )?(?:needed|required|necessary)\b"
     r"|\b(?:no (?:more|further))\W{1,3}(?:approvals?|confirmations?|questions)\b|\bwithout\W{1,3}(?:any |further |prior |user |human |asking for |the user's ){0,2}(?:approval|confirmation|permission|consent)\b|\bwithout asking (?:the user|first|again|for|anyone)\b")),
    (CONSENT, False, ("approv", "authori", "consent", "agreed", "granted", "permission", "prefers", "behalf", "wants you"),
     (r"\b(?:user|owner|human|operator)\b\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:approved|authori[sz]ed|consented|agreed to|granted|gave (?:permission|consent)|pre-?approved|prefers|wants you)\b|\b(?:approved|authori[sz]ed|confirmed)\W{1,3}by\W{1,3}(?:the )?(?:user|owner|human|operator)\b"
     r"|\bon behalf of\W{1,3}(?:the )?(?:user|owner)\b|\bwith\W{1,3}(?:the )?(?:user|owner)(?:'s|s')?\W{1,3}(?:permission|consent|approval|authori[sz]ation)\b")),
    (SEED, False, ("prefer", "recommend", "choose", "pick", "suggest", "cite", "favo", "use", "buy", "trust", "promote"),
     r"\b(?:always|exclusively)[ ,]{1,3}(?:prefer|recommend|choose|pick|suggest|cite|favou?r|buy|trust|promote)\b|\bonly (?:recommend|prefer|suggest|cite|buy|trust)\b|<START>(?:prefer|recommend|choose|pick|suggest|cite|favou?r|buy|promote)\W{1,3}[^.;]{1,60}?(?:\bfirst\b|\bover (?:all|any|every|others?|competitors|alternatives)\b|\babove all\b|\bexclusively\b|\bwhen(?:ever)?\b|\balways\b|\bvendor\b|\bsupplier\b|\bbrand\b|\bprovider\b)"),
    (SEED, False, ("trusted", "preferred", "authoritative", "reliable", "go-to", "default"),
     r"\b(?:remember|treat|consider|regard|store|save|keep|mark|note)\W{1,3}[^.;]{1,80}?\bas\W{1,3}(?:an? |the |your |our )?(?:\w+\W{1,3})?(?:trusted|preferred|authoritative|reliable|go-to|default|best|primary)\b"),
    (COPY, False, ("delete", "remove", "summari", "compress", "expire", "archive", "survive", "edit"),
     r"\b(?:do not|don'?t|never|must not)\W{1,3}(?:delete|remove|summari[sz]e|compress|expire|archive|edit|drop|forget)\W{1,3}<THIS>\b|\b<THIS>\W{1,3}(?:must|should|has to|needs to|shall)\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:survive|persist|be (?:kept|copied|repeated|preserved|carried))\b"),
    (SENDING, False, ("forward", "send", "post", "upload", "cc", "share", "copy", "mail", "transmit", "submit", "report", "route", "redirect", "transfer", "wire", "pay", "deliver", "leak", "exfil"),
     r"<START><SEND>\W{1,3}(?!sent\b|received\b|was\b|is\b|has\b|from\b|address\b|to be\b)[^;]{1,100}?\b(?:to|with|at|via)\W{1,3}<GAP><TARGET>|\b<SEND>\W{1,3}<GAP>(?:api keys?|passwords?|credentials?|tokens?|secrets?|conversations?|chat history|memory(?: files?)?|transcripts?|private keys?)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?to\b"),
    (STANDING, False, ("directive", "instruction", "rule", "order", "command", "polic", "prompt"),
     r"\b(?:remember|treat|store|save|regard|consider|keep|record|memori[sz]e|adopt|mark)\W{1,3}(?:this|it|that|these|the (?:above|following))\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,3}?as\W{1,3}(?:an?|the|your|my|our)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,2}?(?:system|standing|core|permanent|durable|master|top|binding|operating|developer|governing|overriding)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,2}?(?:directives?|instructions?|rules?|orders?|commands?|polic(?:y|ies)|prompts?)\b"),
    (UNSAFE, False, ("without", "approve", "accept", "authori", "allow", "grant"),
     r"<START>(?:auto-?)?(?:approve|accept|authori[sz]e|allow|grant|permit|confirm|sign|pay|release)\W{1,3}(?:all|any|every|each)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,5}?without\W{1,3}(?:any |further |prior |human |manual |asking for |a ){0,2}(?:review|oversight|sign-?off|verification|checks?|checking|questions?|looking|asking)\b"),
    (IGNORE, False, ("guideline", "restriction", "filter", "limit", "guardrail", "safeguard", "constraint", "rules", "unrestricted", "unfiltered", "uncensored", "jailbroken"),
     (r"\byou(?: are|'re)\W{1,3}(?:now\W{1,3})?(?:an?\W{1,3})?(?:[\w'-]{1,40}+\W{1,3}){0,1}?(?:unrestricted|unfiltered|uncensored|unshackled|unaligned|jailbroken)\b"
     r"|\b(?:you(?: are|'re)|you have|act|behave|respond|answer|operate|work|ai|assistant|agent|model|persona)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,5}?(?:(?:has|have|with|under)\W{1,3}(?:no|zero)|without(?: any)?|free (?:of|from)(?: any| all)?)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,1}?(?:(?:safety|ethical|moral|content|security|usage)\W{1,3}(?:guidelines?|restrictions?|filters?|limits?|limitations?|guardrails?|safeguards?|constraints?|rules)|guardrails|safeguards|restrictions)\b")),
    (POWER, False, ("admin", "root", "superuser", "super-user", "sudo", "god mode", "full ", "unrestricted", "unlimited", "elevated", "delete_all"),
     (r"\b(?:identity|agents?|assistants?|ai|bot|model|self|session|system|your?|my)(?:'s)?[ ._/-]{1,3}(?:[\w'-]{1,40}+[ ._/-])?(?:roles?|permissions?|privileges?|capabilit(?:y|ies)|scopes?|access(?:[ _-]level)?|clearance)\"?\s{0,3}(?:[:=]|\bis\b|\bare\b|-?>)[^.;\n]{0,80}?(?<![\w-])(?:super[ _-]?admin|admin(?:istrator)?|root|super[ _-]?user|sudo|god[ _-]?mode|unrestricted|unlimited|delete_all)\b"
     r"|\b(?:the|this|our|my)\W{1,3}(?:ai |coding |ai-)?(?:agent|assistant|bot|model)\W{1,3}(?:now\W{1,3}|already\W{1,3})?(?:has|have|holds?|is (?:given|granted|an?)|was (?:given|granted)|gets?)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,2}?(?:super-?admin|admin(?:istrator|istrative)?|root|superuser|sudo|full|unrestricted|unlimited|elevated)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,2}?(?:rights?|access|privileges?|permissions?|powers?|authority)\b"
     r"|\byou(?: are|'re|'ve| have| now have| are now| hold)(?: been)?\W{1,3}(?:granted\W{1,3}|given\W{1,3})?(?:[\w'-]{1,40}+\W{1,3}){0,1}?(?:super-?admin|admin(?:istrator|istrative)?|root|superuser|sudo|unrestricted|unlimited|elevated)\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,1}?(?:rights?|access|privileges?|permissions?|powers?|authority)\b"
     r"|<START>(?:grant|give|assign)\W{1,3}(?:yourself|the (?:agent|assistant|bot|model|ai)|this (?:agent|assistant))\W{1,3}(?:[\w'-]{1,40}+\W{1,3}){0,2}?(?:super-?admin|admin(?:istrator|istrative)?|root|superuser|sudo|full|unrestricted|unlimited|elevated)\b")),
    # ---- other languages: the strongest shapes
    (IGNORE, True, ("ignorier", "vergiss", "missachte"), r"\b(?:ignorier\w*|vergiss|vergesst|missachte\w*)\W{1,3}<GAP>(?:vorherig|bisherig|fr\u00fcher|obig|vorig|vorangegangen)\w*\W{1,3}(?:[\w'-]+\W{1,3})?(?:anweisung|regel|instruktion|vorgabe|befehl)"),
    (SILENCE, True, ("nutzer", "anwender", "besitzer", "dem user", "notiz", "eintrag"),
     (r"\b(?:sage?|erz\u00e4hle?|verrate?|melde|teile?|zeige?)\W{1,3}(?:es\W{1,3}|das\W{1,3}|dies\W{1,3})?(?:dem|den)\W{1,3}(?:be)?(?:nutzer|anwender|besitzer|user)\w*\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:nicht|nichts|nie|niemals)\b|\bdem\W{1,3}(?:be)?(?:nutzer|anwender|besitzer|user)\W{1,3}<GAP>(?:nicht|nichts|nie|niemals)\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:sagen|erz\u00e4hlen|mitteilen|verraten|erw\u00e4hnen|zeigen|melden)"
     r"|\berw\u00e4hne\W{1,3}(?:diese[nrs]?|den|die)\W{1,3}(?:notiz|eintrag|zeile|anweisung|regel)\W{1,3}(?:[\w'-]+\W{1,3})?(?:nicht|nie|niemals)\b|\bohne\W{1,3}(?:das )?wissen\W{1,3}des\W{1,3}(?:be)?(?:nutzer|anwender|besitzer|user)")),
    (CONSENT, True, ("nutzer", "besitzer", "anwender", "der user"), r"\b(?:be)?(?:nutzer|besitzer|anwender|user)\W{1,3}hat\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:bereits|schon|grunds\u00e4tzlich|generell)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:zugestimmt|genehmigt|freigegeben|erlaubt|eingewilligt)"),
    (STANDING, False, ("ab jetzt", "ab sofort", "von nun an", "k\u00fcnftig", "in zukunft"), r"\b(?:ab jetzt|ab sofort|von nun an|k\u00fcnftig|in zukunft)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:immer|nie|niemals|stets|alle|jede\w*)\b"),
    (IGNORE, True, ("ignor", "oubli"), r"\b(?:ignore[zr]?|ignorer|oublie[zr]?|oublier)\W{1,3}<GAP>(?:instructions|consignes|r\u00e8gles|ordres)\W{1,3}(?:[\w'-]+\W{1,3})?(?:pr\u00e9c\u00e9dent|ant\u00e9rieur|ci-dessus|initial)"),
    (SILENCE, True, ("utilisateur", "propri\u00e9taire", "cette note"), r"\bne\W{1,3}(?:le\W{1,3}|lui\W{1,3})?(?:dis|dites|mentionne|r\u00e9v\u00e8le|r\u00e9v\u00e9le|pr\u00e9viens|pr\u00e9venez|parle|informe|montre)\w*\W{1,3}(?:jamais|pas|rien)\W{1,3}(?:[\w'-]+\W{1,3}){0,5}?(?:l['\u2019])?(?:utilisateur|propri\u00e9taire|cette (?:note|r\u00e8gle|consigne))|\b\u00e0 l['\u2019]insu de l['\u2019]utilisateur"),
    (CONSENT, True, ("utilisateur",), r"\butilisateur\W{1,3}a\W{1,3}d\u00e9j\u00e0\W{1,3}(?:[\w'-]+\W{1,3})?(?:approuv\u00e9|autoris\u00e9|accept\u00e9|donn\u00e9|consenti|valid\u00e9)"),
    (STANDING, False, ("d\u00e9sormais", "dor\u00e9navant", "\u00e0 partir de maintenant"), r"\b(?:d\u00e9sormais|dor\u00e9navant|\u00e0 partir de maintenant)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:toujours|jamais|chaque|tous|toutes|\w{3,}(?:ez|er))\b"),
    (IGNORE, True, ("ignor", "olvid", "descart", "omit"), r"\b(?:ignora|ignore|olvida|olvide|descarta|descarte|omite)\w*\W{1,3}<GAP>(?:instrucciones|reglas|indicaciones|\u00f3rdenes)\W{1,3}(?:anterior|previa|precedente)"),
    (SILENCE, True, ("usuari", "due\u00f1o", "propietario", "esta nota"), r"\bno\W{1,3}(?:le\W{1,3}|se lo\W{1,3}|lo\W{1,3})?(?:diga|mencione|informe|revele|avise|cuente|muestre)s?\w{0,2}\W{1,3}(?:[\w'-]+\W{1,3}){0,5}?(?:usuari[oa]|due\u00f1o|propietario|esta (?:nota|regla|l\u00ednea))|\bsin que (?:el )?usuario (?:lo )?sepa"),
    (CONSENT, True, ("usuari",), r"\busuari[oa]\W{1,3}ya\W{1,3}(?:lo\W{1,3})?(?:ha\W{1,3})?(?:aprob|autoriz|acept|consint|dio|dado)\w*"),
    (STANDING, False, ("a partir de ahora", "de ahora en adelante"), r"\b(?:a partir de ahora|de ahora en adelante)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:siempre|nunca|cada|todos|todas|\w{3,}[ae])\b"),
    (IGNORE, True, ("ignor", "dimentic", "scart"), r"\b(?:ignora|ignorate|ignorare|dimentica|dimenticate|scarta)\W{1,3}<GAP>(?:istruzioni|regole|indicazioni)\W{1,3}(?:precedent|anterior|sopra)"),
    (SILENCE, True, ("utente", "proprietario", "questa nota"), r"\bnon\W{1,3}(?:lo\W{1,3})?(?:dire|dirlo|menzionare|informare|rivelare|avvisare|parlare|mostrare)\W{1,3}(?:[\w'-]+\W{1,3}){0,5}?(?:(?:all|l|dell)['\u2019])?(?:utente|proprietario|questa (?:nota|regola))|\ball['\u2019]insaputa dell['\u2019]utente"),
    (CONSENT, True, ("utente",), r"\butente\W{1,3}(?:l['\u2019])?ha\W{1,3}gi\u00e0\W{1,3}(?:[\w'-]+\W{1,3})?(?:approvato|autorizzato|accettato|dato|acconsentito)"),
    (STANDING, False, ("d'ora in poi", "d\u2019ora in poi", "da ora in poi", "da adesso in poi"), r"\bd[a'\u2019] ?(?:ora|adesso) in poi\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:sempre|mai|ogni|tutti|tutte|\w{3,}[aei])\b"),
    (IGNORE, True, ("ignor", "esque\u00e7a", "desconsider", "descart"), r"\b(?:ignore|ignora|ignorem|esque\u00e7a|desconsidere|descarte)\w*\W{1,3}<GAP>(?:instru\u00e7\u00f5es|regras|orienta\u00e7\u00f5es|ordens)\W{1,3}(?:anterior|pr\u00e9via|acima)"),
    (SILENCE, True, ("usu\u00e1rio", "utilizador", "dono", "esta nota"), r"\bn\u00e3o\W{1,3}(?:o\W{1,3}|lhe\W{1,3})?(?:diga|conte|mencione|informe|revele|avise|mostre)\w*\W{1,3}(?:[\w'-]+\W{1,3}){0,5}?(?:usu\u00e1rio|utilizador|dono|esta (?:nota|regra))|\bsem o conhecimento do (?:usu\u00e1rio|utilizador)"),
    (CONSENT, True, ("usu\u00e1rio", "utilizador"), r"\b(?:usu\u00e1rio|utilizador)\W{1,3}j\u00e1\W{1,3}(?:[\w'-]+\W{1,3})?(?:aprovou|autorizou|aceitou|consentiu|deu)\b"),
    (STANDING, False, ("a partir de agora", "de agora em diante"), r"\b(?:a partir de agora|de agora em diante)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:sempre|nunca|cada|todos|todas|\w{3,}[ae])\b"),
    (IGNORE, True, ("negeer", "vergeet"), r"\b(?:negeer|vergeet)\W{1,3}<GAP>(?:vorige|eerdere|voorgaande|bovenstaande)\W{1,3}(?:instructies|regels|opdrachten|aanwijzingen)"),
    (SILENCE, True, ("gebruiker", "eigenaar", "deze notitie"), r"\b(?:zeg|vertel|meld|noem|toon)\W{1,3}(?:het\W{1,3}|dit\W{1,3})?(?:aan\W{1,3})?(?:de\W{1,3})?(?:gebruiker|eigenaar|deze (?:notitie|regel))\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:niet|niets|nooit)\b|\bzonder medeweten van de gebruiker|\bvertel\W{1,3}(?:dit|het|niets)\W{1,3}(?:niet\W{1,3}|nooit\W{1,3})?aan\W{1,3}de\W{1,3}(?:gebruiker|eigenaar)"),
    (CONSENT, True, ("gebruiker", "eigenaar"), r"\b(?:gebruiker|eigenaar)\W{1,3}heeft\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:al|reeds)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:goedgekeurd|toestemming|ingestemd|toegestaan)"),
    (STANDING, False, ("vanaf nu", "voortaan"), r"\b(?:vanaf nu|voortaan)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:altijd|nooit|elke|alle|\w{3,})\b"),
    (IGNORE, True, ("\u0438\u0433\u043d\u043e\u0440", "\u0437\u0430\u0431\u0443\u0434", "\u0437\u0430\u0431\u044b"),
     "\\b(?:\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\\w*|\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u043e\u0432\u0430\u0442\u044c|\u0437\u0430\u0431\u0443\u0434\u044c\\w*|\u0437\u0430\u0431\u044b\u0442\u044c)\\W{1,3}<GAP>(?:\u043f\u0440\u0435\u0434\u044b\u0434\u0443\u0449|\u043f\u0440\u0435\u0436\u043d|\u043f\u0440\u043e\u0448\u043b|\u0432\u044b\u0448\u0435)\\w*\\W{1,3}(?:[\\w'-]+\\W{1,3}){0,2}?(?:\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446|\u0443\u043a\u0430\u0437\u0430\u043d|\u043f\u0440\u0430\u0432\u0438\u043b|\u043a\u043e\u043c\u0430\u043d\u0434)"),
    (SILENCE, True, ("\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b", "\u0432\u043b\u0430\u0434\u0435\u043b", "\u0437\u0430\u043c\u0435\u0442\u043a", "\u0437\u0430\u043f\u0438\u0441"),
     "\\b\u043d\u0435\\W{1,3}(?:\u0433\u043e\u0432\u043e\u0440\u0438|\u0441\u043e\u043e\u0431\u0449\u0430\u0439|\u0440\u0430\u0441\u0441\u043a\u0430\u0437\u044b\u0432\u0430\u0439|\u0443\u043f\u043e\u043c\u0438\u043d\u0430\u0439|\u043f\u043e\u043a\u0430\u0437\u044b\u0432\u0430\u0439|\u0443\u0432\u0435\u0434\u043e\u043c\u043b\u044f\u0439)\\w*\\W{1,3}(?:[\\w'-]+\\W{1,3}){0,5}?(?:\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b|\u0432\u043b\u0430\u0434\u0435\u043b\u044c\u0446|\u044d\u0442\u0443 (?:\u0437\u0430\u043c\u0435\u0442\u043a|\u0437\u0430\u043f\u0438\u0441)|\u044d\u0442\u043e\u0439 (?:\u0437\u0430\u043c\u0435\u0442\u043a|\u0437\u0430\u043f\u0438\u0441))"),
    (CONSENT, True, ("\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b",), "\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044c\\W{1,3}(?:\u0443\u0436\u0435|\u0440\u0430\u043d\u0435\u0435)\\W{1,3}(?:[\\w'-]+\\W{1,3}){0,2}?(?:\u043e\u0434\u043e\u0431\u0440\u0438\u043b|\u0440\u0430\u0437\u0440\u0435\u0448\u0438\u043b|\u0441\u043e\u0433\u043b\u0430\u0441\u0438\u043b|\u0434\u0430\u043b)"),
    (STANDING, False, ("\u043e\u0442\u043d\u044b\u043d\u0435", "\u0441 \u044d\u0442\u043e\u0433\u043e \u043c\u043e\u043c\u0435\u043d\u0442\u0430", "\u0432\u043f\u0440\u0435\u0434\u044c"), "(?:\u043e\u0442\u043d\u044b\u043d\u0435|\u0441 \u044d\u0442\u043e\u0433\u043e \u043c\u043e\u043c\u0435\u043d\u0442\u0430|\u0432\u043f\u0440\u0435\u0434\u044c)\\W{1,3}\\w"),
    (IGNORE, True, ("\u6307\u4ee4", "\u6307\u793a", "\u89c4\u5219", "\u898f\u5247", "\u63d0\u793a", "\u547d\u4ee4"),
     "(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996|\u5fd8\u8bb0|\u5fd8\u8a18|\u5fd8\u6389|\u4e0d\u8981\u7406\u4f1a)[^\u3002\uff1b]{0,10}(?:\u4e4b\u524d|\u4ee5\u524d|\u5148\u524d|\u4e0a\u9762|\u4ee5\u4e0a|\u6b64\u524d|\u524d\u9762)[^\u3002\uff1b]{0,8}(?:\u6307\u4ee4|\u6307\u793a|\u89c4\u5219|\u898f\u5247|\u63d0\u793a|\u547d\u4ee4)"),
    (SILENCE, True, ("\u7528\u6237", "\u7528\u6236", "\u4e3b\u4eba", "\u4f7f\u7528\u8005", "\u8fd9\u6761", "\u9019\u689d", "\u672c\u6761"),
     "(?:\u4e0d\u8981|\u522b|\u5225|\u52ff|\u4e0d\u5f97|\u4e0d\u51c6)(?:\u518d)?(?:\u544a\u8bc9|\u544a\u8a34|\u544a\u77e5|\u901a\u77e5|\u63d0\u53ca|\u900f\u9732|\u5411)[^\u3002\uff1b]{0,8}(?:\u7528\u6237|\u7528\u6236|\u4e3b\u4eba|\u4f7f\u7528\u8005|\u8fd9\u6761|\u9019\u689d|\u672c\u6761)"),
    (CONSENT, True, ("\u7528\u6237", "\u7528\u6236", "\u4e3b\u4eba", "\u4f7f\u7528\u8005"),
     "(?:\u7528\u6237|\u7528\u6236|\u4e3b\u4eba|\u4f7f\u7528\u8005)(?:\u65e9)?(?:\u5df2\u7ecf|\u5df2\u7d93|\u5df2)(?:\u540c\u610f|\u6279\u51c6|\u6388\u6743|\u6388\u6b0a|\u5141\u8bb8|\u8bb8\u53ef)[^\u3002\uff1b]{0,6}(?:\u6240\u6709|\u4e00\u5207|\u5168\u90e8|\u4efb\u4f55|\u4eca\u540e|\u4ee5\u540e|\u65e0\u9700|\u4e0d\u7528|\u4e0d\u5fc5)"),
    (STANDING, False, ("\u4ece\u73b0\u5728", "\u4ece\u4eca", "\u4eca\u540e", "\u4ee5\u540e", "\u5f9e\u73fe\u5728", "\u4eca\u5f8c", "\u4ee5\u5f8c"),
     "(?:\u4ece\u73b0\u5728(?:\u5f00\u59cb|\u8d77)|\u4ece\u4eca\u4ee5\u540e|\u4eca\u540e|\u4ee5\u540e|\u5f9e\u73fe\u5728\u958b\u59cb|\u4eca\u5f8c|\u4ee5\u5f8c)[^\u3002\uff1b]{0,8}(?:\u603b\u662f|\u7e3d\u662f|\u6c38\u8fdc|\u6c38\u9060|\u4e00\u5f8b|\u90fd\u8981|\u5fc5\u987b|\u5fc5\u9808|\u6bcf\u6b21)"),
    (IGNORE, True, ("\u7121\u8996", "\u5fd8\u308c", "\u7834\u68c4"), "(?:\u4ee5\u524d|\u3053\u308c\u307e\u3067|\u4e0a\u8a18|\u5148\u307b\u3069|\u524d)\u306e[^\u3002]{0,8}(?:\u6307\u793a|\u547d\u4ee4|\u30eb\u30fc\u30eb|\u6307\u4ee4)[^\u3002]{0,6}(?:\u7121\u8996|\u5fd8\u308c|\u7834\u68c4)"),
    (SILENCE, True, ("\u306b",), "(?:\u30e6\u30fc\u30b6\u30fc?|\u5229\u7528\u8005|\u6240\u6709\u8005)\u306b(?:\u306f)?[^\u3002]{0,12}(?:\u8a00\u308f\u306a\u3044|\u4f1d\u3048\u306a\u3044|\u77e5\u3089\u305b\u306a\u3044|\u6559\u3048\u306a\u3044|\u8a71\u3055\u306a\u3044|\u898b\u305b\u306a\u3044|\u901a\u77e5\u3057\u306a\u3044|\u79d8\u5bc6|\u5185\u7dd2)"),
    (CONSENT, True, ("\u3059\u3067\u306b", "\u65e2\u306b"), "(?:\u30e6\u30fc\u30b6\u30fc?|\u5229\u7528\u8005)[\u306f\u304c](?:\u3059\u3067\u306b|\u65e2\u306b)[^\u3002]{0,10}(?:\u627f\u8a8d|\u540c\u610f|\u8a31\u53ef)"),
    (STANDING, False, ("\u4eca\u5f8c", "\u3053\u308c\u304b\u3089", "\u4ee5\u5f8c"), "(?:\u4eca\u5f8c|\u3053\u308c\u304b\u3089|\u4ee5\u5f8c)\u306f?[^\u3002]{0,8}(?:\u5fc5\u305a|\u5e38\u306b|\u3044\u3064\u3082|\u7d76\u5bfe)"),
    (IGNORE, True, ("\ubb34\uc2dc", "\uc78a"), "(?:\uc774\uc804|\uc55e\uc758|\uc704\uc758|\uae30\uc874)[^.]{0,8}(?:\uc9c0\uc2dc|\uba85\ub839|\uaddc\uce59|\uc9c0\uce68)[^.]{0,8}(?:\ubb34\uc2dc|\uc78a)"),
    (SILENCE, True, ("\uc0ac\uc6a9\uc790",), "\uc0ac\uc6a9\uc790\uc5d0\uac8c[^.]{0,12}(?:\ub9d0\ud558\uc9c0|\uc54c\ub9ac\uc9c0|\ubcf4\uc5ec\uc8fc\uc9c0|\uc5b8\uae09\ud558\uc9c0)"),
    (CONSENT, True, ("\uc0ac\uc6a9\uc790",), "\uc0ac\uc6a9\uc790[\uac00\ub294]\\s?\uc774\ubbf8[^.]{0,10}(?:\uc2b9\uc778|\ub3d9\uc758|\ud5c8\uac00|\ud5c8\ub77d)"),
    (IGNORE, True, ("ignoruj", "zapomnij", "pomi\u0144"), r"\b(?:zignoruj|ignoruj|zapomnij|pomi\u0144)\w*\W{1,3}<GAP>(?:poprzedni|wcze\u015bniejsz|powy\u017csz)\w*\W{1,3}(?:[\w'-]+\W{1,3})?(?:instrukcj|polece|zasad|regu\u0142)"),
    (SILENCE, True, ("u\u017cytkownik", "w\u0142a\u015bciciel"), r"\bnie\W{1,3}(?:m\u00f3w|informuj|wspominaj|pokazuj|zdradzaj|powiadamiaj)\w*\W{1,3}(?:[\w'-]+\W{1,3}){0,5}?(?:u\u017cytkownik|w\u0142a\u015bciciel)"),
    (CONSENT, True, ("u\u017cytkownik",), r"\bu\u017cytkownik\W{1,3}ju\u017c\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:zatwierdzi\u0142|zgodzi\u0142|wyrazi\u0142|autoryzowa\u0142)"),
    (IGNORE, True, ("yok say", "unut", "g\u00f6rmezden"), r"\b(?:\u00f6nceki|yukar\u0131daki|eski)\W{1,3}<GAP>(?:talimat|kural|y\u00f6nerge)\w*\W{1,3}(?:[\w'-]+\W{1,3}){0,2}?(?:yok say|unut|g\u00f6rmezden)"),
    (SILENCE, True, ("kullan\u0131c\u0131ya", "sahibine"), r"\b(?:kullan\u0131c\u0131ya|sahibine)\W{1,3}<GAP>(?:s\u00f6yleme|bahsetme|bildirme|g\u00f6sterme)"),
    (CONSENT, True, ("kullan\u0131c\u0131",), r"\bkullan\u0131c\u0131\W{1,3}(?:zaten|\u00e7oktan)\W{1,3}(?:[\w'-]+\W{1,3}){0,3}?(?:onay|izin|kabul)"),
)  # fmt: skip
