"""Cost of trigger phrases: CPU per KB matched and per phrase added, beside the targets.

    python -m lab.benchmarks.triggers [--phrases N] [--json FILE]

Targets: 0.4 ms per KB against 100,000 phrases, 5 us per added phrase; exit 1
when a median misses its own. Fixed seed, two texts: one whose every word begins some phrase and
which matches many, and one of other words with a phrase now and then, as prompts are. The peer is
`str.split` with set look-ups on that text, the least that any match by words costs.
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

from actors.policy.text.phrases import PhraseIndex
from lab.benchmarks.timing import p95

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
    """Measure, print a table, write JSON when asked, exit 1 if a target is missed."""
    parser = argparse.ArgumentParser(description="What trigger phrases cost.")
    parser.add_argument("--phrases", type=int, default=100_000)
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    hits, rows = measured(options.phrases)
    print(f"{options.phrases} phrases, {hits} hits per KB of a usual text; median, p95")
    for row in rows:
        target = "peer" if row.target is None else f"target {row.target}"
        print(f"{row.what:32}{row.median:10.4f}{row.p95:10.4f} {row.unit:6} {target}")
    if options.json:
        figures = {"phrases": options.phrases, "hits_per_kb": hits}
        options.json.write_text(json.dumps(figures | {"rows": [asdict(row) for row in rows]}))
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

    def best(text: str) -> float:
        return min(_spent(lambda: work(text)) for _ in range(3))

    return [1e3 * best(text) for text in texts]


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
    return Row(what, unit, round(statistics.median(costs), 4), round(p95(costs), 4), target)


if __name__ == "__main__":
    main()
