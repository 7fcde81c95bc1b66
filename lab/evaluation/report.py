"""A run in lines that fit a page: measures by group, abstention, latency, what changed."""

from collections.abc import Iterator, Mapping, Sequence

from daemon.commands.terminal.output import age, columns, counted, one_line, shortened, table
from daemon.requests.evaluation import AgentsFigures
from lab.evaluation.figures import COUNT, FALLING, WHOLE, Figures, Measures
from lab.evaluation.records import Run
from lab.evaluation.sensitivity import Sensitivity
from lab.evaluation.truth import Question

NAMES = {
    "mrr": "MRR",
    "ndcg": "nDCG",
    "recall": "recall",
    "hit_rate": "hit rate",
    "hit_rate_1": "right at first place",
    "inversion_rate": "inversion rate",
    "constitutional_surfacing": "constitutional surfacing",
    "importance_weighted_recall": "importance-weighted recall",
    "cold_start_detection": "cold-start detection",
    "intent_weighted_ndcg": "intent-weighted nDCG",
    "quality_proxy": "quality proxy",
    "confidence_auc": "AUC of the confidence",
    "injected": "injected, with an answer",
    "injected_on_nothing": "injected, with none",
    "p50_ms": "latency p50",
    "p95_ms": "latency p95",
}
SPLIT = ("mrr", "ndcg", "recall", "hit_rate_1", "injected")
HEADS = ("queries", "MRR", "nDCG", "recall", "1st right", "injected")
PAST = ("mrr", "ndcg", "recall", "confidence_auc", "injected_on_nothing", "p95_ms")
PAST_HEADS = ("MRR", "nDCG", "recall", "AUC", "inj. on none", "p95")
SMALL = 5e-4  # what is less than the last digit shown is no change
MANY = 10  # changed questions that are named

Ranks = Mapping[str, int | None]


def whole(found: Figures, before: Measures | None, width: int) -> list[str]:
    """Every measure of the whole run, with its change since the last."""
    now = found.groups[WHOLE]
    rows = [
        (label, shown(name, now.get(name)), change(name, now, before))
        for name, label in NAMES.items()
    ]
    return table(rows, width)


def parts(found: Figures, width: int) -> list[str]:
    """The measures of each complexity and category; of hard negatives only what was injected."""
    lines: list[str] = []
    for split in ("complexity", "category"):
        rows = [
            (
                group.partition(":")[2],
                f"{one[COUNT] or 0:.0f}",
                *(shown(name, _of(name, one)) for name in SPLIT),
            )
            for group, one in found.groups.items()
            if group.startswith(f"{split}:")
        ]
        if rows:
            lines += ["", *table([(f"by {split}", *HEADS), *rows], width)]
    return lines


def _of(name: str, one: Measures) -> float | None:
    value = one.get(name)
    if name == "injected" and value is None:
        return one.get("injected_on_nothing")
    return value


def sensitivity(found: Sequence[Sensitivity], width: int) -> list[str]:
    """Effect of the constant of rank fusion, as a table."""
    rows = [(f"K={one.k}", f"{one.tau:.3f}", shown("mrr", one.mrr)) for one in found]
    return ["", *table([("rank fusion", "tau to K=60", "MRR@5"), *rows], width)]


def shown(name: str, value: float | None) -> str:
    """A measure in figures."""
    if value is None:
        return "–"
    return f"{value:.1f} ms" if name.endswith("_ms") else f"{value:.3f}"


def change(name: str, now: Measures, before: Measures | None) -> str:
    """Movement of a measure since the last run, and whether for the worse."""
    if before is None:
        return ""
    new, old = now.get(name), before.get(name)
    if new is None or old is None or abs(new - old) < SMALL:
        return "" if new == old or (new is not None and old is not None) else "new"
    worse = (new > old) == (name in FALLING)
    size = f"{new - old:+.1f} ms" if name.endswith("_ms") else f"{new - old:+.3f}"
    return f"{size} {'worse' if worse else 'better'}"


def drop(name: str, now: Measures, before: Measures | None) -> float:
    """Amount by which a measure is worse than it was; 0 or less: it is not."""
    new, old = now.get(name), (before or {}).get(name)
    if new is None or old is None:
        return 0.0
    return new - old if name in FALLING else old - new


def moved(questions: Sequence[Question], now: Ranks, before: Ranks, width: int) -> Iterator[str]:
    """The questions whose first right answer has another place, the worst first."""
    changed = [
        (_loss(before[one.digest], now[one.digest]), one)
        for one in questions
        if one.digest in before and before[one.digest] != now[one.digest]
    ]
    if not changed:
        yield "no question has its first right answer in another place"
        return
    changed.sort(key=lambda pair: -abs(pair[0]))
    for loss, one in sorted(changed[:MANY], key=lambda pair: -pair[0]):
        places = f"{_place(before[one.digest])} -> {_place(now[one.digest])}"
        head = f"  {'worse ' if loss > 0 else 'better'}  {places:>9}  "
        yield shortened(head + one_line(one.query), max(width, columns(head)))
    if len(changed) > MANY:
        yield f"  ({len(changed) - MANY} more)"


def _loss(before: int | None, now: int | None) -> float:
    return (1 / before if before else 0.0) - (1 / now if now else 0.0)


def _place(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def history(found: Sequence[tuple[Run, Measures]], now: float, width: int) -> list[str]:
    """The runs there were."""
    rows: list[tuple[str, ...]] = [("when", "of", "k", "by", *PAST_HEADS)]
    for run, measured in found:
        figures = (shown(name, measured.get(name)) for name in PAST)
        rows.append((age(now - run.at), run.name, str(run.k), run.mode, *figures))
    return table(rows, width)


def agents(found: AgentsFigures, now: float, width: int) -> Iterator[str]:
    """Use that agents made of what they were shown, and what was shown for nothing."""
    if not found.weeks:
        yield "no agent was shown a memory in the last eight weeks"
        return
    rows = [("week from", "sessions", "shown", "cited", "used", "ignored")]
    rows += [
        (
            age(now - week.begins), f"{week.sessions:,}", f"{week.shown:,}",
            _share(week.cited, week.shown), _share(week.used, week.shown),
            _share(week.ignored, week.shown),
        )
        for week in found.weeks
    ]  # fmt: skip
    yield from table(rows, width)
    if found.ignored:
        yield ""
        yield "shown most often and never used:"
    for one in found.ignored:
        line = f"  {one.id}  in {counted(one.sessions, 'session')}  {one_line(one.title)}"
        yield shortened(line, width)


def _share(part: int, of: int) -> str:
    return f"{part:,} ({part / of:.0%})"
