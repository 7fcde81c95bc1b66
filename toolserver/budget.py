"""Budget of an answer in tokens: a too long one is cut where it is longest, and the cut is reported.

Room is shared fairly: a part below its share leaves the rest to the others. Of a list the first
items stay, of a text its beginning. A token is estimated as four characters of JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import msgspec

CHARACTERS: Final = 4  # of JSON a token
SCRAP: Final = 40  # characters: less than this of a text or an item says nothing
NOTE: Final = 60  # characters that a line about a cut takes, and all of them at most ten times that
SAID: Final = 6  # lines about what was cut


def fitted(answer: Mapping[str, Any], tokens: int) -> dict[str, Any]:
    """The answer in about so many tokens; ``shortened`` names the parts left out, if any."""
    room = tokens * CHARACTERS
    if _size(answer) <= room:
        return dict(answer)
    cuts: list[str] = []
    kept: dict[str, Any] = _object(answer, room - min(NOTE * SAID, room // 4), "", cuts)
    said = cuts[:SAID]
    if len(cuts) > SAID:
        said.append(f"and {len(cuts) - SAID} more")
    if _size(kept) > room:
        said.append(f"no more could be left out: it takes {_size(kept) // CHARACTERS:,} tokens")
    return {**kept, "shortened": said}


def _size(value: object) -> int:
    return len(msgspec.json.encode(value))


def _cut(value: Any, room: int, place: str, cuts: list[str]) -> Any:
    """The value in at most about ``room`` characters."""
    if _size(value) <= room:
        return value
    if isinstance(value, str):
        cuts.append(f"{place}: {len(value) - room:,} of {len(value):,} characters are left out")
        return value[:room].rstrip() + "…"
    if isinstance(value, dict):
        return _object(cast("dict[str, Any]", value), room, place, cuts)
    if isinstance(value, list):
        return _list(cast("Sequence[Any]", value), room, place, cuts)
    return value


def _object(value: Mapping[str, Any], room: int, place: str, cuts: list[str]) -> dict[str, Any]:
    sizes = {name: _size(one) for name, one in value.items()}
    share = _shares(sizes, room - sum(len(name) + 4 for name in value))
    inside = f"{place}." if place else ""
    return {
        name: _cut(one, max(share[name], SCRAP), f"{inside}{name}", cuts)
        for name, one in value.items()
    }


def _shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """Room of each part: the small ones whole, the others as much as each other."""
    share: dict[str, int] = {}
    for left, name in zip(
        range(len(sizes), 0, -1), sorted(sizes, key=sizes.__getitem__), strict=True
    ):
        share[name] = min(sizes[name], max(room, 0) // left)
        room -= share[name]
    return share


def _list(value: Sequence[Any], room: int, place: str, cuts: list[str]) -> list[Any]:
    kept = list(_first(value, room))
    if not kept and value and room > SCRAP:  # better a part of the first than nothing
        kept = [_cut(value[0], room, f"{place}[0]", cuts)]
    if len(kept) < len(value):
        cuts.append(f"{place}: {len(value) - len(kept)} of {len(value)} are left out")
    return kept


def _first(value: Sequence[Any], room: int) -> Iterator[Any]:
    """The first items within the room."""
    for one in value:
        room -= _size(one) + 1
        if room < 0:
            return
        yield one
