"""Redaction, scored: secrets left in the output, and harmless lines changed.

    python -m lab.benchmarks.redaction [FILE ...] [--forms]

FILEs are sets that rules are written with. The two frozen sets are never edited: their rows tell the rules' quality
on values and forms nobody looked at, so only totals by form are printed, never a row. The first
(``tests/data/secrets_frozen.jsonl.gz``) was made by hand before the rules of November 2026; the third
(``secrets_third.jsonl.gz``) after them, by an author who saw no rule.

A row is a JSON object: ``text``, ``should_redact``, ``kind`` (its form), ``secret`` (a string of
the text, or null: then any change counts), and maybe ``new`` (a form on no list of ours) and
``event`` (the whole hook event with the text as its output: the command is the context).

Reported: the share of secrets of which not the whole is left (gone), the share of which not even
half is left in one piece (no half), the share of harmless rows changed, and the cost in
microseconds of CPU for each KB of text.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import cast

import msgspec
from msgspec import Struct

from actors.policy.events.cutting import Json, cut
from actors.policy.secrets.redaction import redacted
from actors.policy.secrets.secret_commands import masked as masked_event
from lab.benchmarks import instruments

FROZEN = Path(__file__).resolve().parents[2] / "tests" / "data" / "secrets_frozen.jsonl.gz"
THIRD = FROZEN.with_name("secrets_third.jsonl.gz")
SHORTEST_PIECE = 6  # characters; a shorter piece of a secret may stand in any text
LONG_TEXT = 16 * 1024  # characters: the longest string that is kept whole
KNOWN, NEW, ALL, TOUCHY = TOTALS = ("known forms", "new forms", "all secrets", "touchy lines")
ROUNDS = 5  # of timing; the fastest counts


class Row(msgspec.Struct, frozen=True):
    """One row of a set."""

    text: str
    should_redact: bool
    kind: str
    secret: str | None = None
    new: bool = False
    event: dict[str, object] | None = None


class Tally(Struct):
    """Counts of one form, or of a whole set."""

    rows: int = 0
    gone: int = 0  # secrets of which the whole is not in the output
    no_half: int = 0  # secrets of which no half is in the output
    changed: int = 0  # harmless rows that changed
    secret: bool = False

    def shares(self) -> dict[str, float]:
        """Shares of the rows: the lost part of secrets, the changed part of harmless ones."""
        if self.secret:
            return {"gone": self.gone / self.rows, "no half": self.no_half / self.rows}
        return {"changed": self.changed / self.rows}

    def add(self, row: Row, output: str) -> None:
        """Count one row by its output."""
        self.rows, self.secret = self.rows + 1, row.should_redact
        if not row.should_redact:
            self.changed += output != original(row)
        elif row.secret is None:
            different = output != original(row)
            self.gone += different
            self.no_half += different
        else:
            self.gone += row.secret not in output
            self.no_half += not half_left(row.secret, original(row), output)


def original(row: Row) -> str:
    """All text of the row fit to be stored."""
    return row.text if row.event is None else "\n".join(_strings(row.event))


def masked(row: Row) -> str:
    """The text of the row as it would be stored."""
    if row.event is None:
        return redacted(row.text)[0]
    cleaned, _kinds = cut(masked_event(cast("dict[str, Json]", row.event)), redacted)
    return "\n".join(_strings(cleaned))


def half_left(secret: str, text: str, output: str) -> bool:
    """Return whether half of the secret, in one piece found nowhere else, is in the output."""
    size = max(SHORTEST_PIECE, (len(secret) + 1) // 2)
    if len(secret) <= size:
        return secret in output
    rest = text.replace(secret, "\0")
    pieces = (secret[at : at + size] for at in range(len(secret) - size + 1))
    return any(piece in output and piece not in rest for piece in pieces)


def scored(rows: Sequence[Row]) -> dict[str, Tally]:
    """Tallies by form, secrets first, and at last of all alike."""
    new = {row.kind for row in rows if row.should_redact and row.new}
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for row in sorted(rows, key=lambda one: (not one.should_redact, one.kind)):
        output = masked(row)
        name = f"{row.kind} (new)" if row.should_redact and row.kind in new else row.kind
        alike = (NEW if row.kind in new else KNOWN, ALL) if row.should_redact else (TOUCHY,)
        for label in (name if row.should_redact else f"touchy {name}", *alike):
            tallies[label].add(row, output)
    return dict(tallies)


def cost(texts: Sequence[str]) -> float:
    """Microseconds of CPU for each KB of the texts, at the fastest of some rounds."""
    size = sum(len(text.encode("utf-8", "replace")) for text in texts) / 1024
    return min(_seconds(texts) for _ in range(ROUNDS)) * 1e6 / size


def _seconds(texts: Iterable[str]) -> float:
    start = process_time()
    for text in texts:
        redacted(text)
    return process_time() - start


def _strings(value: object) -> Iterator[str]:
    """Every string of a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            yield key
            yield from _strings(item)


def _report(path: Path, forms: bool) -> None:
    """Print one set."""
    rows = [msgspec.convert(row, Row) for row in instruments.rows(path)]
    tallies = scored(rows)
    print(f"\n{path.name}: {len(rows)} rows, {len(tallies.keys() - TOTALS)} forms")
    for label, tally in tallies.items():
        if label not in TOTALS and forms:
            print(f"  {label:<40}{tally.rows:>6}  {_shares(tally)}")
    for label in filter(tallies.__contains__, TOTALS):
        print(f"{label:<14}{tallies[label].rows:>6} rows  {_shares(tallies[label])}")
    joined = "\n".join(row.text for row in rows)
    alone = cost([row.text for row in rows])
    long = cost([joined[at : at + LONG_TEXT] for at in range(0, len(joined), LONG_TEXT)])
    print(f"cost: {alone:.1f} µs per KB row by row, {long:.1f} in texts of 16 KB")


def _shares(tally: Tally) -> str:
    return "  ".join(f"{what} {100 * share:.1f} %" for what, share in tally.shares().items())


def main(arguments: Sequence[str]) -> int:
    """Score the frozen sets, and those that are named, as tables."""
    parser = argparse.ArgumentParser(description="Score the redaction of secrets.")
    parser.add_argument("files", nargs="*", type=Path, help="rows that rules are written with")
    parser.add_argument("--forms", action="store_true", help="a line for each form as well")
    options = parser.parse_args(arguments)
    for path in (*options.files, FROZEN, THIRD):
        _report(path, options.forms)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
