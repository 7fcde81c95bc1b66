"""Redaction, scored: secrets that stay in the output, and harmless lines that change.

    python -m lab.benchmarks.redaction [--development FILE] [--frozen FILE] [--third FILE] [--forms]

Three sets of rows. The development set is what rules are written with, and stands wherever
``--development`` says. The frozen sets are never edited: their rows say how the rules do on values
and forms that nobody looked at, so only totals by form are printed, never a row. The first
(``tests/data/secrets_frozen.jsonl.gz``) was made by hand before the rules of November 2026; the third
(``secrets_third.jsonl.gz``) after them, by an author who saw no rule.

A row is a JSON object: ``text``, ``should_redact``, ``kind`` (its form), ``secret`` (a string of
the text, or null: then any change counts), and maybe ``new`` (a form that no list of ours names)
and ``event`` (the whole hook event with the text as its output: the command is the context).

Reported: the share of secrets of which not the whole is left (gone), the share of which not even
half is left in one piece (no half), the share of harmless rows that changed, and the cost in
microseconds of CPU for each KB of text.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import cast

import msgspec

from actors.policy.events.cutting import Json, cut
from actors.policy.events.redaction import redacted
from actors.policy.events.secret_commands import masked as masked_event
from lab.benchmarks import sets

FROZEN = Path(__file__).resolve().parents[2] / "tests" / "data" / "secrets_frozen.jsonl.gz"
THIRD = FROZEN.with_name("secrets_third.jsonl.gz")
SHORTEST_PIECE = 6  # characters; a shorter piece of a secret may stand in any text
LONG_TEXT = 16 * 1024  # characters: the longest string that is kept whole
ROUNDS = 5  # of timing; the fastest counts


class Row(msgspec.Struct, frozen=True):
    """One row of a set."""

    text: str
    should_redact: bool
    kind: str
    secret: str | None = None
    new: bool = False
    event: dict[str, object] | None = None


@dataclass(slots=True)
class Tally:
    """Counts of one form, or of a whole set."""

    rows: int = 0
    gone: int = 0  # secrets of which the whole is not in the output
    no_half: int = 0  # secrets of which no half is in the output
    changed: int = 0  # harmless rows that changed

    def add(self, row: Row, output: str) -> None:
        """Count one row by its output."""
        self.rows += 1
        if not row.should_redact:
            self.changed += output != original(row)
        elif row.secret is None:
            different = output != original(row)
            self.gone += different
            self.no_half += different
        else:
            self.gone += row.secret not in output
            self.no_half += not half_left(row.secret, original(row), output)


def read_rows(path: Path) -> list[Row]:
    """The rows of a file of JSON lines, packed or not."""
    return [msgspec.convert(row, Row) for row in sets.rows(path)]


def original(row: Row) -> str:
    """All text of the row that may be stored."""
    return row.text if row.event is None else "\n".join(_strings(row.event))


def masked(row: Row) -> str:
    """The text of the row as it would be stored."""
    if row.event is None:
        return redacted(row.text)[0]
    cleaned, _kinds = cut(masked_event(cast("dict[str, Json]", row.event)), redacted)
    return "\n".join(_strings(cleaned))


def half_left(secret: str, text: str, output: str) -> bool:
    """Tell whether half of the secret, in one piece that stands nowhere else, is in the output."""
    size = max(SHORTEST_PIECE, (len(secret) + 1) // 2)
    if len(secret) <= size:
        return secret in output
    rest = text.replace(secret, "\0")
    pieces = (secret[at : at + size] for at in range(len(secret) - size + 1))
    return any(piece in output and piece not in rest for piece in pieces)


def scored(rows: Iterable[Row]) -> dict[tuple[bool, str], Tally]:
    """Tallies by (secret or not, form)."""
    tallies: defaultdict[tuple[bool, str], Tally] = defaultdict(Tally)
    for row in rows:
        tallies[row.should_redact, row.kind].add(row, masked(row))
    return dict(tallies)


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum of the tallies."""
    whole = Tally()
    for tally in tallies:
        whole.rows += tally.rows
        whole.gone += tally.gone
        whole.no_half += tally.no_half
        whole.changed += tally.changed
    return whole


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


def _long_texts(rows: Iterable[Row]) -> list[str]:
    """The rows' texts joined and cut into strings of the longest length kept whole."""
    joined = "\n".join(row.text for row in rows)
    return [joined[at : at + LONG_TEXT] for at in range(0, len(joined), LONG_TEXT)]


def _report(name: str, rows: Sequence[Row], forms: bool) -> dict[str, float | int]:
    """Print one set; return its figures."""
    tallies = scored(rows)
    secrets = {form: tally for (secret, form), tally in tallies.items() if secret}
    touchy = {form: tally for (secret, form), tally in tallies.items() if not secret}
    new = {row.kind for row in rows if row.should_redact and row.new}
    print(f"\n{name}: {len(rows)} rows, {len(secrets)} forms of secrets, {len(touchy)} of others")
    if forms:
        _print_forms(secrets, touchy, new)
    known = total(tally for form, tally in secrets.items() if form not in new)
    figures: dict[str, float | int] = {}
    for label, tally in (
        ("known forms", known),
        ("new forms", total(tally for form, tally in secrets.items() if form in new)),
        ("all secrets", total(secrets.values())),
    ):
        if tally.rows:
            print(
                f"{label:<14}{tally.rows:>6} rows"
                f"  gone {_share(tally.gone, tally)}  no half {_share(tally.no_half, tally)}"
            )
            figures[f"{label}, gone"] = round(tally.gone / tally.rows, 4)
            figures[f"{label}, no half"] = round(tally.no_half / tally.rows, 4)
    harmless = total(touchy.values())
    if harmless.rows:
        print(
            f"{'touchy lines':<14}{harmless.rows:>6} rows  changed {_share(harmless.changed, harmless)}"
        )
        figures["touchy lines, changed"] = round(harmless.changed / harmless.rows, 4)
    figures["µs per KB, rows"] = round(cost([row.text for row in rows]), 1)
    figures["µs per KB, texts of 16 KB"] = round(cost(_long_texts(rows)), 1)
    print(
        f"cost: {figures['µs per KB, rows']} µs per KB row by row,"
        f" {figures['µs per KB, texts of 16 KB']} in texts of 16 KB"
    )
    return figures


def _print_forms(secrets: dict[str, Tally], touchy: dict[str, Tally], new: set[str]) -> None:
    print(f"  {'form of secret':<34}{'rows':>6}{'gone':>10}{'no half':>10}")
    for form, tally in sorted(secrets.items()):
        name = f"{form} (new)" if form in new else form
        gone, no_half = _share(tally.gone, tally), _share(tally.no_half, tally)
        print(f"  {name:<34}{tally.rows:>6}{gone:>10}{no_half:>10}")
    print(f"  {'form of touchy line':<34}{'rows':>6}{'changed':>10}")
    for form, tally in sorted(touchy.items()):
        print(f"  {form:<34}{tally.rows:>6}{_share(tally.changed, tally):>10}")


def _share(count: int, tally: Tally) -> str:
    return f"{100 * count / tally.rows:.1f} %"


def main(arguments: Sequence[str]) -> int:
    """Score the sets that are there, as tables and as one line of JSON."""
    parser = argparse.ArgumentParser(description="Score the redaction of secrets.")
    parser.add_argument("--development", type=Path, help="gzipped rows that rules are written with")
    parser.add_argument("--frozen", type=Path, default=FROZEN)
    parser.add_argument("--third", type=Path, default=THIRD)
    parser.add_argument("--forms", action="store_true", help="a line for each form as well")
    options = parser.parse_args(arguments)
    sets = {"development": options.development, "frozen": options.frozen, "third": options.third}
    figures = {
        name: _report(name, read_rows(path), options.forms)
        for name, path in sets.items()
        if path is not None
    }
    print(json.dumps(figures, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
