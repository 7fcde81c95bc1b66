"""Trigger phrases: CPU per KB matched and per phrase added, against the targets of the design.

Run: python benchmarks/triggers.py [--phrases 100000] [--json]. Fixed seed. Two texts: one that
shares its words with the phrases (every word begins some phrase, many match), and one of other
words with a phrase now and then, as prompts are. The peer is a plain `str.split` with set look-ups
on the same text, the least a match by words could cost.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from actors.policy.phrases import PhraseIndex

MATCH_TARGET = 0.4  # ms of CPU per KB
ADD_TARGET = 5.0  # microseconds of CPU per phrase
TEXTS = 200
VOCABULARY = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """One operation: median and 95th percentile in `unit`, and the most it may cost."""

    what: str
    unit: str
    median: float
    p95: float
    target: float | None


def main() -> None:
    """Measure, print a table (or one JSON document with --json), exit 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--phrases", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    hits, rows = measured(options.phrases)
    if options.json:
        figures = {"phrases": options.phrases, "hits_per_kb": hits}
        print(json.dumps(figures | {"rows": [asdict(row) for row in rows]}))
    else:
        print(f"{options.phrases} phrases, {hits} hits per KB of a usual text")
        for row in rows:
            target = "peer" if row.target is None else f"target {row.target}"
            print(f"{row.what:32}{row.median:10.4f}{row.p95:10.4f} {row.unit:6} {target}")
    sys.exit(any(row.target is not None and row.median > row.target for row in rows))


def measured(count: int) -> tuple[float, list[Row]]:
    """Matches per KB of a usual text, and what each operation costs with `count` phrases held."""
    rng = random.Random(7)
    phrases = [_phrase(rng) for _ in range(count)]
    more = [_phrase(rng) for _ in range(2_000)]
    index = PhraseIndex(zip(phrases, range(count), strict=True))
    dense = [_text(rng, "w", 1.0, phrases) for _ in range(TEXTS)]
    usual = [_text(rng, "other", 0.02, phrases) for _ in range(TEXTS)]
    known = {f"w{i}" for i in range(VOCABULARY)}
    owners = range(count, count + len(more))

    rows = [
        _row("match, as in a prompt", "ms/KB", MATCH_TARGET, _each(index.matches, usual)),
        _row("match, every word a beginning", "ms/KB", MATCH_TARGET, _each(index.matches, dense)),
        _row(
            "split and look up",
            "ms/KB",
            None,
            _each(lambda text: [w for w in text.lower().split() if w in known], usual),
        ),
        _row("add", "us", ADD_TARGET, _in_batches(index.add, more, owners)),
        _row("remove", "us", ADD_TARGET, _in_batches(lambda _, o: index.remove(o), more, owners)),
    ]
    hits = statistics.fmean(len(index.matches(text)) for text in usual)
    return round(hits, 1), rows


def _phrase(rng: random.Random) -> str:
    return " ".join(f"w{rng.randrange(VOCABULARY)}" for _ in range(rng.randint(1, 4)))


def _text(rng: random.Random, stem: str, share: float, phrases: Sequence[str]) -> str:
    """About a KB of words `stem`N; `share` of the pieces below 1 are whole phrases."""
    pieces: list[str] = []
    while sum(map(len, pieces)) + len(pieces) < 1_024:
        whole = share < 1.0 and rng.random() < share
        pieces.append(rng.choice(phrases) if whole else f"{stem}{rng.randrange(VOCABULARY)}")
    return " ".join(pieces)[:1_024]


def _each(work: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """CPU milliseconds of `work` for each text, best of three."""
    return [1e3 * min(_spent(lambda: work(text)) for _ in range(3)) for text in texts]


def _in_batches(
    work: Callable[[str, int], object], phrases: Sequence[str], owners: Sequence[int]
) -> list[float]:
    """CPU microseconds a phrase, measured over batches of a hundred."""

    def batch(start: int) -> Callable[[], object]:
        pairs = list(zip(phrases, owners, strict=True))[start : start + 100]
        return lambda: [work(phrase, owner) for phrase, owner in pairs]

    return [1e4 * _spent(batch(start)) for start in range(0, len(phrases), 100)]


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time_ns()
    work()
    return (time.process_time_ns() - start) / 1e9


def _row(what: str, unit: str, target: float | None, costs: Sequence[float]) -> Row:
    ninety_five = sorted(costs)[int(0.95 * len(costs))]
    return Row(what, unit, round(statistics.median(costs), 4), round(ninety_five, 4), target)


if __name__ == "__main__":
    main()
