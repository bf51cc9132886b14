"""A line holds a mail address, a phone number, a bank account or a card number.

## Why

Whoever shares a memory repository may not want to share people. Personal data is normal in memory, and a hard rule would have failed 35 of 67
real repositories, so this one is off until the policy turns it on. Phone numbers count in international form, accounts and cards with a right
checksum. Home directories and private network addresses are no persons.

## Bad

```
- Reach Ada at ada@mail.invalid or +44 20 7946 0958
```

## Good

```
- Ada's address is in the contacts
```

## Instead

Keep the data where it can be deleted, and write down where that is. `personal.keep` in the policy lists what may stay.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG203", "personal-data", "off", "file")

_HINT = "write down where it is kept, or list it under personal: keep in .hoard.yaml"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the lines under judgement; one finding a piece of data."""
    keep = {_plain(text) for text in scene.policy.personal_keep}
    for number, line in file.judged_lines():
        for start, value, what in find_personal(line):
            if _plain(value) not in keep:
                yield Hit(what, number, start + 1, _HINT)


def find_personal(line: str) -> Iterator[tuple[int, str, str]]:
    """Yield 0-based place, value and what it is."""
    import re

    flags = re.ASCII
    if "@" in line:
        for match in re.finditer(r"(?<![\w.+@/-])[\w.+-]{1,64}+@((?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24})(?![\w@:/-])", line, flags):
            if not _is_nobody(match.group(), match[1].lower()):
                yield match.start(), match.group(), "a mail address"
    for match in re.finditer(
        r"(?<![\w+.])(?:\+|00)[1-9][0-9]{0,2}[ ./()-]{0,2}(?:[0-9]{1,5}[ ./()-]{0,2}){2,6}[0-9](?![\w.])", line, flags
    ):
        if 8 <= sum(char.isdigit() for char in match.group()) <= 15 and (match.group()[0] == "+" or " " in match.group()):
            yield match.start(), match.group(), "a phone number"
    for match in re.finditer(r"(?<![\w-])[A-Z]{2}[0-9]{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{0,4}(?!\w)", line, flags):
        if is_iban(match.group()):
            yield match.start(), match.group(), "a bank account number"
    for match in re.finditer(
        r"(?<![\w.-])[3-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}(?![\w.-])|(?<![\w.-])3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}(?![\w.-])",
        line,
        flags,
    ):
        if is_card(match.group()):
            yield match.start(), match.group(), "a card number"


def _is_nobody(address: str, host: str) -> bool:
    """Whether an address belongs to a machine or to the documentation: noreply, git@ of a forge, example domains."""
    name = address.partition("@")[0].lower()
    if host.startswith("example.") or host.endswith((".example", ".test", ".localhost", ".example.org", ".example.com", ".example.net")):
        return True
    return name in {"git", "noreply", "no-reply", "donotreply", "do-not-reply", "mailer-daemon"} or host.startswith("users.noreply.")


def is_iban(text: str) -> bool:
    """Whether the check digits of an international bank account number are right (ISO 13616, ISO 7064 mod 97-10)."""
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    digits = "".join(str(int(char, 36)) for char in plain[4:] + plain[:4])
    return int(digits) % 97 == 1


def is_card(text: str) -> bool:
    """Whether a number of 13 to 19 digits passes Luhn's check (ISO/IEC 7812) and is not one digit over and over."""
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = [digit if index % 2 == 0 else digit * 2 - 9 * (digit > 4) for index, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char not in " -./()")
