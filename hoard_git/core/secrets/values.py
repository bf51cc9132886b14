"""What a found value looks like: a placeholder, a reference, an ordinary word, a password, a random key.

Every test here is a question about one string, without its surroundings. Precision lives in this file: most false alarms of secret
scanners are hashes, identifiers, placeholders and references.
"""

from __future__ import annotations

import re
from itertools import pairwise

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets._words import COMMON, KEEPERS, REFUSALS

NONE, WEAK, PHRASE, FAIR, STRONG = range(5)

_PLACEHOLDER = (
    "example", "xxxx", "****", "....", "…", "changeme", "change_me", "change-me", "placeholder", "redacted", "dummy", "insert", "replace",
    "goes-here", "goeshere", "goes_here", "your-", "your_", "yourpass", "yourtoken", "yourkey", "yoursecret", "<", "{{", "${", "todo",
    "notreal", "not-a-real", "not-real", "fakekey", "fake-", "fake_", "123456789", "abcdefgh", "deadbeef", "0123456", "000000000", "aaaaaaaaaa", "qwertyui",
    "password123", "passw0rd", "secret123", "mypassword", "my-password", "my_password", "mysecret", "my-secret", "my_secret", "p@ssw0rd",
    "letmein", "_here", "-here", "sample", "foobar", "foo-bar", "testtest", "•", "zzzzzz", "lorem", "ipsum",
    "mytoken", "my-token", "my_token", "somepass", "some-", "some_", "user:pass", "██", "▇", "[...]", "[a-z", "[0-9", "a-za-z", "\\d{", "\\w", "cafebabe", "c0ffee", "=== ",
)  # fmt: skip
_SEPARATED = lazy(r"[-_./:+=~,@!?*&#$%^]+")
_CAMEL = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^0-9A-Za-z]+")
# Dates, times, versions, measures, addresses, paths, names of files and hosts, code.
_ORDINARY = lazy(
    r"""(?:
      [0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[T_-][0-9:.+Zz-]{2,20})?)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[ap]m|Z)?
    | v?[0-9]{1,5}(?:\.[0-9]{1,6}){1,4}(?:[.+-][0-9A-Za-z]{1,14}){0,4}
    | [~≈<>$€£#]?[+-]?[0-9][0-9.,]{0,18}(?:%|[A-Za-z]{1,4}|chars?|bytes?|bits?|tokens?|mins?|secs?|hours?|days?|weeks?|years?|°C?|x|-?(?:bit|byte|char|day|min|hour|digit|character)s?)?(?:/[A-Za-z0-9]{1,8})?
    | [0-9]{1,6}[-–/:][0-9]{1,6}(?:[A-Za-z%]{0,4})
    | [0-9A-Za-z_.+-]{1,80}@[0-9A-Za-z-]{1,60}(?:\.[0-9A-Za-z-]{1,60}){1,5}
    | @[0-9A-Za-z_.-]{1,60}(?:/[0-9A-Za-z_.-]{1,60})?|\#[0-9A-Za-z_/-]{1,60}|--?[A-Za-z][0-9A-Za-z_-]{0,60}(?:=\S{0,40})?
    | (?:[a-z][0-9a-z+.-]{1,14}:)?//\S{0,300}
    | (?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\s:]{0,300}
    | (?:[0-9A-Za-z_.@~-]{1,80}/){1,12}[0-9A-Za-z_.@~-]{0,80}(?::[a-z]{1,12})?
    | (?-i:(?:[a-z][a-z0-9_-]{1,60}:){2,8}[0-9A-Za-z_:.+-]{1,120}|(?:[a-z][a-z0-9_-]{1,60}:){3,8}\S{1,200})
    | [^\s=;]{1,30}=[^\s=;]{0,30};\S{1,60}
    | (?:[0-9A-Za-z_-]{1,60}\.){1,6}(?:md|py|js|ts|tsx|jsx|json|ya?ml|toml|txt|sh|env|log|csv|pdf|png|jpe?g|html?|css|go|rs|rb|java|sql|conf|cfg|ini|lock|pem|key|pub|gpg|age|enc|bak|xml|dat|db|sqlite3?|kdbx|exe|com|org|net|io|dev|ai|app|de|fr|es|it|nl|ru|cn|jp|uk|eu|local|internal|lan|home|test|localhost|cloud|sh|me|gg|xyz|tech|so|co|us|ch|at|be|br|pl|tr|kr)(?::[0-9]{1,5})?
    | (?-i:[A-Z][A-Z0-9_$-]{0,40}\.[A-Z]{2,4}(?:;[0-9]{1,5})?)
    | [A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}
    | [a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,8}
    | [A-Za-z_][0-9A-Za-z_.]{0,80}(?:\(.{0,120}\)?|\[.{0,120}\]?)[;,:]?
    | (?:[0-9A-Fa-f]{2}[:-]){5,40}[0-9A-Fa-f]{2}|(?:[0-9a-f]{0,4}:){3,8}[0-9a-f]{0,4}
    | [\[({<][^\])}>]{0,200}[\])}>]?|[\])}>].{0,100}
    | (?-i:(?:[A-Z]{2,6}|[A-Za-z]{1,2})-?[0-9]{1,6}[a-z]?)
    | (?:sha|md|rsa|aes|hs|rs|es|ed|utf|base|wpa|oauth|ipv|http|tls|ssl|argon|bcrypt|scrypt|pbkdf|python|node|gpt|claude|gemini|llama|qwen|ubuntu|debian|win|windows|iso|rfc|x|arm|amd|k8s|s3|ec|web|log4j|h)-?[0-9]{1,5}[a-z]{0,4}(?:[-/.][0-9A-Za-z]{1,12}){0,3}
    | (?:[0-9]{1,3}[dhms]){1,4}
    | [^\s=<>≥≤≈~]{1,60}(?:=|<|>|≥|≤|≈|~|==|!=|>=|<=){1,2}[~+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?(?:%|[A-Za-z]{1,3})?
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_ORDINARY_CASED = lazy(r"[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}|[a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,8}")
_REFERENCE = lazy(
    r"""(?:[$%]\{?[A-Za-z_(]|\$\(|[<{\[]|op://|vault:|arn:|env[.:(\[]|process\.env|os\.|import\.meta|secrets?[./]|secrets\[|var\.|data\.|file:|keyring|ref\+
      |!(?:Ref|Sub|vault|env|secret)|ENC\[|getenv|@Microsoft|projects/|ssm:|aws:|gcp:|azure:|doppler:|bw:|pass:|keychain:|1password:|age1|ssh-(?:rsa|ed25519|dss)|ecdsa-|sk-ssh
      |\$(?:2[abxy]|apr1|argon2[id]{0,2}|[1567y]|pbkdf2\S{0,12}|scrypt)\$|pbkdf2_|\{S?SHA|(?-i:[A-Z][A-Z0-9_]{2,60}=)|@[0-9A-Za-z_.-]{1,60}:|SHA256:|sha(?:1|256|384|512)[-:=]|md5[-:=]|h1:|sealed:|ansible-vault|\\u0024|\*|_+$|=+$|-+$|\.+$|/)""",
    re.VERBOSE | re.IGNORECASE,
)  # fmt: skip
_UUID = lazy(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_HEX = lazy(r"(?:0x)?[0-9a-f]{7,}|(?:0x)?[0-9A-F]{7,}")
_KNOWN_ID = lazy(
    r"""(?:vpc|subnet|ami|sg|eni|vol|snap|igw|rtb|acl|i|nat|lt|tgw|eipalloc|req|run|msg|msgs|toolu|chatcmpl|resp|asst|thread|file|batch|session|sess|conv|user|usr|org|team|
      proj|prj|prod|price|cus|sub|in|pi|pm|ch|evt|txn|re|seti|cs_live|cs_test|acct|apikey|wrkspc|env|dpl|prj|task|job|wf|agent|call|item|order|pk_live|pk_test|c|ws|doc|page|block|
      chan|channel|guild|event|trace|span|build|deploy|img|sha|rev|commit|bafy|bafk|Qm|01[0-9A-HJKMNP-TV-Z]{5})[-_][0-9A-Za-z_-]{6,80}
      |0[0-9A-HJKMNP-TV-Z]{25}|Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[0-9a-z]{50,60}|bc1[0-9a-z]{25,60}|0x[0-9a-fA-F]{40}|[CUDGTBWA]0[0-9A-Z]{7,10}|1[0-9A-Za-z_-]{32}|1[0-9A-Za-z_-]{43}
      |(?:pk|pub|anon|publishable)[-_][0-9A-Za-z_-]{10,80}|age1[0-9a-z]{58}|npub1[0-9a-z]{58}|AAAA[BCE][0-9A-Za-z+/]{20,}|RW[0-9A-Za-z+/]{54}""",
    re.VERBOSE,
)  # fmt: skip


def entropy(value: str) -> float:
    """Return Shannon's entropy of the characters, in bits a character."""
    from math import log2  # a C module: 0.05 ms, and only where something was found

    size = len(value)
    counts = [value.count(char) for char in set(value)]
    return -sum(n / size * log2(n / size) for n in counts) if size else 0.0


def is_placeholder(value: str) -> bool:
    """Say whether the value stands for another one: YOUR_KEY, xxxx, [REDACTED], changeme, sk-proj-..."""
    low = value.lower()
    if low in COMMON:
        return True
    bare = low.rstrip("!1234567890.,;")
    if bare in COMMON and len(low) - len(bare) <= 1:
        return True
    if any(mark in low for mark in _PLACEHOLDER) or len(low) < 40 and any(mark in low for mark in ("###", "___", "---", "%s")):
        return True
    return len(value) >= 8 and len(set(low)) <= max(3, min(8, len(low) // 12))


_CALLS = lazy(r"[a-z_]{3,60}\([\w, ]{0,40}\)\.[a-z_]{3,60}(?:\(|$)")
"""A method called on what another one gave: `token = scores.argmax().view(0)` is a line of a program."""


def is_reference(value: str) -> bool:
    """Say whether the value names a place where the secret is: $VAR, op://…, vault:…, process.env.X, ENC[…]."""
    if _REFERENCE.match(value) is not None:
        return True
    if value.startswith(("#", "@")) and value[1:].isalnum() and value[1:].isalpha():
        return True
    if "(" in value and _CALLS.search(value) is not None:
        return True
    return value.endswith(("()", ")", "]", "}")) and any(mark in value for mark in "([{")


def is_uuid(value: str) -> bool:
    """Say whether the value is a UUID in its usual spelling."""
    return _UUID.fullmatch(value) is not None


def is_hex(value: str) -> bool:
    """Say whether the value is seven or more hexadecimal digits of one case."""
    return _HEX.fullmatch(value) is not None


def is_ordinary(value: str) -> bool:
    """Say whether the value is a date, version, measure, address, path, file or host name, identifier or piece of code."""
    if _KNOWN_ID.fullmatch(value) is not None or _UUID.fullmatch(value) is not None:
        return True
    found = _ORDINARY.fullmatch(value)
    if found is None:
        return False
    # snake_case with three kinds of characters is no identifier: a base64url key may hold one "_"
    if value.count(":") >= 2:
        return True
    if "_" in value and _ORDINARY_CASED.fullmatch(value) is None and "." not in value and "(" not in value and "/" not in value:
        return not _mixed(value)
    if "_" in value and any(len(piece) >= 9 and _mixed(piece) for piece in value.split("_")):
        return False
    return not ("/" in value and ":" not in value and value[0] not in "/~." and _random_path(value))


def _random_path(value: str) -> bool:
    """Say whether something like a path is base64 with slashes: one of its long pieces is random."""
    return any(
        len(piece) >= 10 and piece.replace("+", "").rstrip("=").isalnum() and _mixed(piece) and _changes(piece) * 3 > len(piece)
        for piece in value.split("/")
    )


def _mixed(value: str) -> bool:
    """Say whether digits and letters of it alternate as they do in random text."""
    digits = sum(char in "0123456789" for char in value)
    letters = sum(char.isalpha() for char in value)
    return digits >= 2 and letters >= 2 and _changes(value) >= max(3, len(value) // 6)


def _changes(value: str) -> int:
    """Count the places where the kind of character changes (lower, upper, digit, other)."""
    kinds = [0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3 for c in value]
    return sum(a != b for a, b in pairwise(kinds))


def is_opaque(value: str, least: int = 16) -> bool:
    """Say whether the value is random text of at least `least` characters: no words, no identifier, no list of numbers."""
    if len(value) < least or is_placeholder(value):
        return False
    core = value.rstrip("=")
    if is_hex(core):
        return len(core) >= max(least, 24) and len(set(core)) >= 8 and any(c.isalpha() for c in core) and any(c.isdigit() for c in core)
    digits = sum(c in "0123456789" for c in core)
    letters = sum(c.isalpha() for c in core)
    if letters < 4 or digits + letters < len(core) * 0.75 or len(set(core)) < min(10, least // 2 + 3):
        return False
    if digits == 0:
        return len(core) >= 20 and random_letters(core)
    least_word = 5 if _changes(core) >= len(core) * 0.3 else 4
    wordy = sum(len(p) for p in _CAMEL.findall(core) if len(p) >= least_word and p.isalpha() and _speakable(p))
    numbers = sum(len(p) for p in _SEPARATED.split(core) if p.isdigit())
    one_case = core.islower() or core.isupper()
    # in one case, short runs of letters often look like words by chance; many digits between them decide
    busy = one_case and core.isalnum() and digits >= len(core) * 0.15 and _changes(core) >= len(core) * 0.25
    if wordy + numbers > len(core) * (0.65 if busy else 0.45):
        return False
    return _changes(core) >= len(core) * (0.12 if one_case and wordy == 0 else 0.2) and entropy(core) >= min(
        3.6, 0.75 * (len(core).bit_length() - 1) + 0.3
    )


def random_letters(value: str) -> bool:
    """Say whether a run of letters of both cases is random: cases alternate, and what is left between them are no words."""
    if sum(c.islower() for c in value) < 3 or sum(c.isupper() for c in value) < 3 or sum(c.isalpha() for c in value) < len(value) * 0.9:
        return False
    wordy = sum(len(p) for p in _CAMEL.findall(value) if len(p) >= 4 and _speakable(p))
    vowels = sum(c in "aeiouAEIOU" for c in value)
    return value.isascii() and _changes(value) >= len(value) * 0.22 and wordy <= len(value) * 0.45 and vowels < len(value) * 0.36


def _speakable(piece: str) -> bool:
    """Say whether a run of letters could be a word: vowels and consonants in the proportion of words, no long run of consonants."""
    low = piece.lower()
    if sum(c in "jqxz" for c in low) >= 2 + len(low) // 10 or "q" in low and "qu" not in low:
        return False
    vowels = sum(c in "aeiouyäöüáéíóúàèâêô" for c in low)
    if not 0.2 <= vowels / len(low) <= 0.8:
        return False
    run = worst = 0
    for char in low:
        run = 0 if char in "aeiouyäöüáéíóúàèâêô" else run + 1
        worst = max(worst, run)
    return worst <= 4


# Words of a password with a number at the end, which have the shape of an identifier: winter_tulip74, tiger.lemon81.
_WORDS_AND_NUMBER = lazy(r"[A-Za-z]{3,14}(?:[_.][A-Za-z]{3,14}){1,3}[0-9]{2,4}")
_LABEL_WORDS = (
    "pass",
    "secret",
    "token",
    "key",
    "user",
    "name",
    "login",
    "test",
    "mock",
    "version",
    "batch",
    "step",
    "case",
    "task",
    "phase",
    "page",
    "line",
    "file",
)


def strength(value: str) -> int:
    """Return how much a value looks like a password: NONE, WEAK (a word), PHRASE (word-word-word), FAIR or STRONG.

    NONE also for placeholders, references, dates, versions, paths, identifiers, code and numbers.
    """
    size = len(value)
    if size < 4 or size > 400 or value.isdigit() or any(c.isspace() for c in value):
        return NONE
    low = value.lower()
    if low in KEEPERS or low in REFUSALS:
        return NONE
    if value.isalpha() and value[1:].islower() and value.isascii():  # a word: most values are, and need no regex
        return NONE if is_placeholder(value) else WEAK
    if "](" in value or "://" in value or is_placeholder(value) or is_reference(value):
        return NONE
    if is_hex(value) or is_uuid(value):
        return NONE if size not in {16, 24, 32, 36, 40, 48, 64} or value.isdigit() or not any(c.isdigit() for c in value) else WEAK
    if _WORDS_AND_NUMBER.fullmatch(value) is not None:
        return NONE if any(mark in low for mark in _LABEL_WORDS) else PHRASE
    odd = sum(c in "!#%&*?=+@$^~;|€£§°" for c in value)
    if is_ordinary(value) and not (
        odd > value.count("=") and _has_three(value) and "/" not in value and "(" not in value and "@" not in value[1:-1]
    ):
        return NONE
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if not digits:
        return _without_digits(value, letters, odd)
    if not letters:
        return WEAK if odd >= 2 else NONE
    pieces = [p for p in _SEPARATED.split(value) if p]
    if not odd and len(pieces) > 1 and all(p.isalpha() or p.isdigit() or _ORDINARY.fullmatch(p) for p in pieces):
        words = [p for p in pieces if p.isalpha() and len(p) >= 3]
        return PHRASE if len(words) >= 3 and "-" in value and "." not in value else WEAK
    if len(pieces) > 1 and any(p.lower() in KEEPERS for p in pieces):
        return NONE
    return _with_digits(value, size, odd)


def _has_three(value: str) -> bool:
    return any(c.islower() for c in value) + any(c.isupper() for c in value) + any(c.isdigit() for c in value) >= 2


def _with_digits(value: str, size: int, odd: int) -> int:
    """Judge letters together with digits."""
    kinds = any(c.islower() for c in value) + any(c.isupper() for c in value) + 1
    if size < 6:
        return FAIR if odd and kinds == 3 else WEAK
    if odd and not (value.count("=") == 1 and odd == 1 and "=" in value[1:-1]):
        return STRONG if size >= 8 else FAIR
    if kinds == 3 and size >= 8:
        return STRONG if _changes(value) >= 4 else FAIR
    if is_opaque(value):
        return STRONG
    return FAIR


def _without_digits(value: str, letters: int, odd: int) -> int:
    """Judge a value of letters, perhaps with punctuation, but without digits."""
    if letters < 4:
        return NONE
    pieces = [p for p in re.split(r"[-_. ]+", value) if p]
    if all(p.isalpha() for p in pieces):
        if any(p.lower() in KEEPERS or p.lower() in REFUSALS for p in pieces):
            return NONE
        if len(pieces) == 1:
            return FAIR if len(value) >= 10 and random_letters(value) else WEAK
        return PHRASE if len(pieces) >= 3 and min(map(len, pieces)) >= 3 else WEAK
    if odd and len(value) >= 8 and any(c.isupper() for c in value) and any(c.islower() for c in value):
        return FAIR
    return WEAK if odd else NONE
