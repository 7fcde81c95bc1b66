"""Copies: texts equal but for their edges, as duplicates are compared."""

import unicodedata
from typing import Final

from actors.policy.patterns import pattern

_TRAILING: Final = " \t\n\"'“”‘’«»`*.,;:!…。"
# Bullets one behind the other are read once: a text of nothing else would be copied for each.
_LEADING: Final = pattern(r"\A(?:[ \t\n\"'“”‘’«»`*•]|(?:[-*•]|\d++[.)])\s+)*+")


def normalised(text: str) -> str:
    """The text as duplicates are compared: NFC, case folded, single spaces, bare edges.

    Only quotes, bullets and closing punctuation are taken from the edges: `C++`, `.env` and
    `--force` are words.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    flat = " ".join(folded.split())
    return _LEADING.sub("", flat).rstrip(_TRAILING)
