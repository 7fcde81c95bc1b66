"""Borders that are functions: events of hooks, frames, files of the spool and of imports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import click
import msgpack

from actors.intake import reading
from actors.policy.events.redaction import redacted
from daemon.commands.terminal.jsonl import read_lines
from daemon.files import read_spooled
from daemon.requests.transfer import ImportRow
from daemon.wire import MOST_VALUES, Decoder, WireError
from lab.fuzz.noise import bent, noisy, torn
from lab.fuzz.requests import request
from lab.fuzz.samples import EVENTS, ROWS, SPOOLED
from lab.fuzz.within import Findings, tried


def events(count: int, chance: Random, _: Path) -> Findings:
    """An event as a hook sends it, read as intake reads it."""
    found = Findings()
    for _number in range(count):
        raw = noisy(EVENTS, chance)
        tried(partial(reading.read, "claude", raw, redacted), raw, (), found)
    return found


def a_frame(chance: Random) -> bytes:
    """A frame whose body is bent, whose bytes are torn, or both; a few are right."""
    kind, body = request(chance)
    if chance.random() < 0.3:
        kind, body = "hook", ["claude", chance.randbytes(16), 1, noisy(EVENTS, chance)]
    way = chance.randrange(4)
    try:
        payload = msgpack.packb(
            [1, chance.randrange(99), kind, bent(body, chance) if way else body],
            unicode_errors="replace",
        )
    except (ValueError, OverflowError):  # deeper, or a larger number, than the format holds
        payload = chance.randbytes(40)
    data = len(payload).to_bytes(4, "big") + payload
    return torn(data, chance) if way in (0, 3) and chance.random() < 0.7 else data


def frames(count: int, chance: Random, _: Path) -> Findings:
    """Bytes in pieces to the decoder, which refuses in its own words."""
    found = Findings()
    for _number in range(count):
        data = a_frame(chance) + a_frame(chance)
        step = chance.choice((1, 7, 65536)) if len(data) < 4096 else 65536

        def decode(data: bytes = data, step: int = step) -> None:
            decoder = Decoder(MOST_VALUES)
            for at in range(0, len(data), step):
                decoder.feed(data[at : at + step])
                list(decoder.frames())

        tried(decode, data, (WireError,), found)
    return found


def spool(count: int, chance: Random, folder: Path) -> Findings:
    """A file of the spool: an event or none."""
    return _files(count, chance, folder / "x.json", SPOOLED, read_spooled)


def rows(count: int, chance: Random, folder: Path) -> Findings:
    """A file to import: rows, or one line of complaint."""
    return _files(count, chance, folder / "x.jsonl", ROWS, lambda path: list(_read(path)))


def _read(path: Path) -> list[ImportRow]:
    return list(read_lines(str(path), ImportRow))


def _files(
    count: int, chance: Random, path: Path, samples: tuple[object, ...],
    read: Callable[[Path], object],
) -> Findings:  # fmt: skip
    found = Findings()
    for _ in range(count):
        path.write_bytes(noisy(samples, chance))
        tried(lambda: read(path), path.read_bytes()[:300], (click.ClickException,), found)
    return found
