"""A line holds a mail address, a phone number, a bank account, a card or another number that belongs to one person.

## Why

Whoever shares a memory repository may not want to share people. Personal data is normal in memory, and a hard rule would have failed 35 of 67
real repositories, so this one is off until the policy turns it on. Phone numbers count in international form and in national forms that nothing
else has; accounts, cards and national numbers need a right checksum or a word in front that says what they are; addresses of the public network
and of hardware count, too. Home directories, private network addresses and addresses of the documentation are no persons. Names are not looked
for.

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
    from hoard_git.core.personal import NAMED, STRUCTURED, find_personal
    from hoard_git.core.personal_addresses import is_reserved

    for number, line in file.judged_lines():
        for found in find_personal(line, keep=scene.policy.personal_keep, kinds=STRUCTURED):
            if found.kind != "EMAIL" or not is_reserved(line[found.start : found.end]):
                yield Hit(NAMED[found.kind], number, found.start + 1, _HINT)
