"""Traces of a turn: its files, its symbols, and its phrases, as digests.

Two turns are related when they share one of these. Only digests are kept, so no tag quotes words or
acts.
"""

from collections.abc import Iterable
from hashlib import blake2b
from itertools import islice, pairwise
from typing import Final

from actors.policy.decay.backfill import entities
from actors.policy.patterns import pattern
from actors.policy.text.words import EVERYDAY, EVERYDAY_FILES, STOP_WORDS, stem

READ: Final = 4_000  # characters of a text that are looked at
TRACES: Final = 48  # of one event
OF_TURN: Final = 128  # of a turn: its tag is a kilobyte at most
SIZE: Final = 8  # bytes of a digest
SHORT: Final = 2  # letters of a word that tells nothing

_WORD: Final = pattern(r"[^\W\d_][\w'-]*")
# A name in code: of several words joined by underscores or humps, or in back quotes.
_SYMBOL: Final = pattern(
    r"\b[A-Za-z]\w*_\w+\b|\b[A-Za-z]+[a-z0-9][A-Z]\w*\b|`([A-Za-z_]\w{2,})(?:\(\))?`"
)


def touched(text: str, paths: Iterable[str] = ()) -> frozenset[bytes]:
    """Digests of an event's traces: the files first, then names and phrases of its text."""
    read = text[:READ]
    named = (match.group(1) or match.group() for match in _SYMBOL.finditer(read))
    names = dict.fromkeys(
        (
            *(f"file {_file(path)}" for path in paths if path),
            *(f"name {symbol}" for symbol in named),
            *(f"file {_file(one)}" if "/" in one else f"name {one}" for one in entities(read)),
            *(f"said {phrase}" for phrase in _phrases(read)),
        )
    )
    return frozenset(map(_digest, islice(names, TRACES)))


def packed(digests: frozenset[bytes]) -> bytes:
    """The digests of a turn as they are stored, the first of them in their order."""
    return b"".join(sorted(digests)[:OF_TURN])


def unpacked(stored: bytes) -> frozenset[bytes]:
    """The stored digests."""
    return frozenset(stored[at : at + SIZE] for at in range(0, len(stored), SIZE))


def _phrases(text: str) -> Iterable[str]:
    """Pairs of neighbouring words, stop words left out; at least one of a pair is not everyday."""
    for line in text.splitlines():
        words = [match.group().casefold() for match in _WORD.finditer(line)]
        telling = [word for word in words if len(word) > SHORT and word not in STOP_WORDS]
        for one, other in pairwise(telling):
            if not (one in EVERYDAY and other in EVERYDAY):
                yield f"{stem(one)} {stem(other)}"


def _file(path: str) -> str:
    """The name of a file, with its folder where its name is a common one."""
    folder, _, name = path.replace("\\", "/").rstrip("/").rpartition("/")
    low = name.casefold()
    return f"{folder.rpartition('/')[2].casefold()}/{low}" if low in EVERYDAY_FILES else low


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "replace"), digest_size=SIZE).digest()
