"""Word of another home of this person about memories here: ended ones, and erased ones."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from actors.memory.commit import Unit
from actors.memory.writes import Ended, Erased, ErasedElsewhere, FormerErased
from actors.policy.statements.sources import Life, is_erased, latest
from daemon.answers.erasure import erase
from daemon.context import Parts
from daemon.shapes.rows import GoneRow
from daemon.share.leaving import taken_out
from daemon.storage import gone
from daemon.storage.gone import ERASED, Match


class Left(NamedTuple):
    """Numbers of memories gone here as in the other home."""

    ended: int
    erased: int


async def follow(parts: Parts, rows: Sequence[GoneRow]) -> Left:
    """End and erase memories here as in the other home, unless a person said them here later.

    No time is later than now: a fast clock there decides nothing for ever.
    """
    now = parts.clock.now()
    asked = [(row.salt, bytes.fromhex(row.gone)) for row in rows]
    found = await parts.reader.read(gone.matches, asked)
    doomed = tuple(_erased(rows, found, now))
    await parts.commit(_heard(rows, now))
    if doomed:
        await taken_out(parts, [one for write in doomed for one in _named(write)])
        await erase(parts, doomed)
    ended = tuple(_ended(rows, found, now))
    await parts.commit(ended)
    return Left(
        len(ended), len({write.memory_ids for write in doomed if isinstance(write, Erased)})
    )


def _named(write: Erased | FormerErased) -> tuple[int, ...]:
    return write.memory_ids if isinstance(write, Erased) else ()


def _erased(
    rows: Sequence[GoneRow], found: Sequence[Match], now: float
) -> Iterator[Erased | FormerErased]:
    for place, trace in found:
        if rows[place].how != ERASED:
            continue
        if not trace.is_text:
            yield FormerErased(trace.memory_id, trace.content)
        elif is_erased(min(rows[place].at, now), trace.said):
            yield Erased((trace.memory_id,), elsewhere=True)


def _heard(rows: Sequence[GoneRow], now: float) -> Unit:
    """Keep the digests: neither home nor a third one brings the texts back."""
    erased = [row for row in rows if row.how == ERASED]
    return tuple(
        ErasedElsewhere(
            salt,
            tuple(
                (bytes.fromhex(one.gone), min(one.at, now)) for one in erased if one.salt == salt
            ),
        )
        for salt in sorted({one.salt for one in erased})
    )


def _ended(rows: Sequence[GoneRow], found: Sequence[Match], now: float) -> Iterator[Ended]:
    for place, trace in found:
        row = rows[place]
        there = Life(False, min(row.at, now))
        if row.how == ERASED or row.project != trace.project or not trace.is_own:
            continue
        if trace.life.lives and latest((trace.life, there)) == there:
            yield Ended(trace.memory_id, row.how, there.since)
