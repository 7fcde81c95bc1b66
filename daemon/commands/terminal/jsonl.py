"""JSON Lines files, read strictly: a wrong line is named by its number, never shown."""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import click
import msgspec

from daemon.commands.terminal.output import print_json
from daemon.shapes.replies import BadRequest

T = TypeVar("T")

STDIN = "-"
BATCH_BYTES = 4 * 1024 * 1024  # encoded; a frame of the wire takes 16 MiB


class LeftOut(NamedTuple):
    """A line left out; the reason never shows its text."""

    line: int
    reason: str


def read_lines(
    name: str,
    type_: type[T],
    *,
    check: Callable[[T], object] = bool,
    left_out: list[LeftOut] | None = None,
) -> Iterator[T]:
    """Every line of the file as a ``type_``, otherwise as ``decoded_lines``."""
    decode = msgspec.json.Decoder(type_).decode
    yield from decoded_lines(name, decode, check=check, left_out=left_out)


def decoded_lines(
    name: str,
    decode: Callable[[bytes], T],
    *,
    check: Callable[[T], object] = bool,
    left_out: list[LeftOut] | None = None,
) -> Iterator[T]:
    """Every line of the file, decoded; ``-`` is standard input, empty lines are skipped.

    ``check`` raises ``BadRequest`` for an unacceptable row. Raises ``click.ClickException`` at the
    first wrong line, unless ``left_out`` takes them.
    """
    for number, line in enumerate(_lines(name), 1):
        if line.isspace():
            continue
        try:
            row = decode(line)
            check(row)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadRequest) as error:
            if left_out is None:
                raise click.ClickException(f"{name}, line {number}: {error}") from error
            left_out.append(LeftOut(number, str(error)))
        else:
            yield row


def _lines(name: str) -> Iterator[bytes]:
    if name == STDIN:
        yield from sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield from file


def write_line(row: object) -> None:
    """One row as a line of standard output."""
    print_json(row)


def batches(rows: Iterable[T], limit: int) -> Iterator[list[T]]:
    """The rows in lists of at most ``limit`` rows and about ``BATCH_BYTES``."""
    batch: list[T] = []
    weight = 0
    for row in rows:
        size = len(msgspec.msgpack.encode(row))
        if batch and (len(batch) == limit or weight + size > BATCH_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(row)
        weight += size
    if batch:
        yield batch
