"""Copies: texts that are the same but for their edges, as duplicates are compared."""

import re
import unicodedata
from typing import Final

_LEADING: Final = " \t\n\"'“”‘’«»`*•"
_TRAILING: Final = " \t\n\"'“”‘’«»`*.,;:!…。"
_BULLET: Final = re.compile(r"\A(?:[-*•]|\d+[.)])\s+")


def normalised(text: str) -> str:
    """The text as duplicates are compared: NFC, case folded, single spaces, bare edges.

    Only quotes, bullets and closing punctuation are taken from the edges: `C++`, `.env` and
    `--force` are words.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    flat = " ".join(folded.split())
    while (bare := _without_bullet(flat).lstrip(_LEADING).rstrip(_TRAILING)) != flat:
        flat = bare
    return flat


def _without_bullet(line: str) -> str:
    bullet = _BULLET.match(line)
    return line if bullet is None else line[bullet.end() :]
