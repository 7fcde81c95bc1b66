"""Which installations have a feature that is still on trial (F15).

An identity falls into one of a hundred buckets by a hash; a percentage opens the lowest ones. The
same identity always has the same bucket, so raising the percentage only ever adds.
"""

import math
from typing import Final

BUCKETS: Final = 100
_OFF: Final = frozenset({"false", "0", "no", "off"})


def bucket(identity: str) -> int:
    """The bucket of an identity, 0..99: h = h * 31 + code, in 32 bits, modulo 100 at the end (F15).

    Codes are UTF-16 units, as in the documents' own language; "abc" has 54.
    """
    units = identity.encode("utf-16-le", "surrogatepass")
    hashed = 0
    for place in range(0, len(units), 2):
        hashed = (hashed * 31 + int.from_bytes(units[place : place + 2], "little")) & 0xFFFF_FFFF
    return hashed % BUCKETS


def percentage(setting: str | None) -> float:
    """A percentage out of a setting's text: 100 when unset or unreadable, within 0..100 (F15)."""
    try:
        asked = float(setting or "")
    except ValueError:
        return 100.0
    return 100.0 if math.isnan(asked) else min(100.0, max(0.0, asked))


def is_enabled(flag: str | None, identity: str | None, percent: float = 100.0) -> bool:
    """Whether a feature is on (F15).

    "false" switches it off (as do 0, no, off); "true" or unset leave it to the percentage. Without
    an identity it is on, unless the percentage is 0.
    """
    if flag is not None and flag.strip().casefold() in _OFF:
        return False
    if percent <= 0:
        return False
    return not identity or bucket(identity) < percent
