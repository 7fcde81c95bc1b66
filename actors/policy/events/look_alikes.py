"""Looks of a text: invisible characters gone, look-alikes as the Latin letters they resemble.

A reader, and a model, take `Ѕystem` in Cyrillic, full-width `＜` or a name with a soft hyphen in it
for the plain spelling. Rules for guarding names look at this form and change the text itself, so
each character of the form carries its place in the text.
"""

import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from actors.policy.patterns import pattern

# From Unicode's confusables (UTS 39), those of the letters of roles and tags. Compatibility forms
# (full width, mathematical, circled) are not here: NFKC has them.
_ALIKE: Final = {
    ord(other): plain
    for others, plains in (
        ("аеорсухіјѕһԁԛԝкмтпгѵӏ", "aeopcyxijshdqwkmtnrvl"),  # Cyrillic
        ("АВЕКМНОРСТХУІЈЅҺԌԚԜѴ", "ABEKMHOPCTXYIJSHGQWV"),
        ("αβεικνοορτυχηγω", "abeikvooptuxnyw"),  # Greek
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
        ("օսոհցզԼՏ", "ounhgqLS"),  # Armenian
        ("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPRSTVWZ"),  # Cherokee
        ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡɩ", "abcdeghijklmnoprstuvwyziagi"),
        ("꞉˸∶։׃ː", "::::::"),
        ("˂ᐸ", "<<"),
        ("∕⁄╱", "///"),
        ("‐‑‒–—―−", "-------"),
        ("∣ǀ", "||"),
    )
    for other, plain in zip(others, plains, strict=True)
}
# Seen by nobody though Unicode calls them letters: fillers of Hangul.
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")

_OTHER: Final = pattern(r"[^\x00-\x7f]")


class Looks(NamedTuple):
    """The form, and for each of its characters the place of the one it was in the text."""

    form: str
    places: list[int]


def looks(text: str) -> Looks:
    """Text as it looks to a reader."""
    form: list[str] = []
    places: list[int] = []
    at = 0
    for other in _OTHER.finditer(text):
        place = other.start()
        plain = _plain(other[0])
        form += (text[at:place], plain)
        places += range(at, place)
        places += [place] * len(plain)
        at = place + 1
    form.append(text[at:])
    places += range(at, len(text))
    return Looks("".join(form), places)


@lru_cache(maxsize=4_096)
def _plain(character: str) -> str:
    """The look of one character; empty for an invisible one and for marks above letters."""
    if character in _FILLERS or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    return unicodedata.normalize("NFKC", character.translate(_ALIKE)).translate(_ALIKE)
