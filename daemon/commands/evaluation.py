"""``eval``: how well recall finds what is known to be right, and whether it got worse."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from daemon.client import Client
from daemon.commands.terminal.conversation import asked, conversation
from daemon.commands.terminal.jsonl import STDIN, read_lines
from daemon.commands.terminal.output import (
    age,
    counted,
    error_line,
    now,
    one_line,
    page_width,
    print_json,
    say,
)
from daemon.commands.terminal.progress import progress_line
from daemon.commands.terminal.scope import current_project, named_project
from daemon.home import Home, current_home
from daemon.requests.evaluation import Agents
from daemon.version import own_version
from lab.evaluation import asking, builtin, records, report, truth
from lab.evaluation.figures import FALLING, WHOLE, Asked, Figures, Measures, figures

LOOK = """Give a FILE.jsonl of questions about your own memories, or --builtin.

A line is one question; ids and keys are those that 'reverie list' and 'reverie export' show:

  {"query": "how do we roll back a release", "relevant": ["m12"]}
  {"query": "which port has the test database", "relevant": ["db-port", "m40"], "grade": [3, 1]}
  {"query": "what is the wifi password of the office", "hard_negative": true}

"hard_negative": the right answer is nothing. "project", "complexity", "category" and "intent"
may be there as well."""


SEARCHED = {
    "both": "words and vectors",
    "mixed": "words, and for some by vectors",
    "none": "nothing",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that was made and kept, beside the last of the same questions."""

    truth: truth.Truth
    asked: Asked
    figures: Figures
    mode: str
    memories: int
    before: Measures | None
    before_at: float | None
    ranks_before: Mapping[str, int | None]


Limit = tuple[str, float]
RUN = ("at", "name", "truth", "k", "queries", "memories", "mode", "version")  # what is told of one


def _limits(
    _context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[Limit, ...]:
    """``mrr=0.8`` as a name and a number."""
    found: list[Limit] = []
    for one in given:
        name, _, value = one.partition("=")
        if name not in report.NAMES:
            raise click.BadParameter(f"{name!r} is no measure: {', '.join(report.NAMES)}")
        try:
            found.append((name, float(value)))
        except ValueError:
            raise click.BadParameter(f"{one!r} has no number: write {name}=0.8") from None
    return tuple(found)


@click.command("eval")
@click.argument("file", metavar="[FILE.jsonl]", required=False)
@click.option("--builtin", "built_in", is_flag=True, help="110 questions about a made-up corpus.")
@click.option("--k", default=10, show_default=True, type=click.IntRange(1, 1000), help="Results.")
@click.option("--project", help="Where questions are asked that name no project; else here.")
@click.option("--all", "everywhere", is_flag=True, help="Ask every question in every project.")
@click.option("--compare", is_flag=True, help="Name the questions that moved since the last run.")
@click.option(
    "--fail-under",
    multiple=True,
    metavar="MEASURE=VALUE",
    callback=_limits,
    help="Exit code 1 when a measure is worse than this; may be given several times.",
)
@click.option(
    "--fail-drop",
    multiple=True,
    metavar="MEASURE=VALUE",
    callback=_limits,
    help="Exit code 1 when a measure got worse by more than this since the last run.",
)
@click.option("--history", is_flag=True, help="Show the runs there were.")
@click.option("--agents", is_flag=True, help="Show what agents made of what they were shown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def evaluate(
    file: str | None,
    built_in: bool,
    k: int,
    project: str | None,
    everywhere: bool,
    compare: bool,
    fail_under: tuple[Limit, ...],
    fail_drop: tuple[Limit, ...],
    history: bool,
    agents: bool,
    as_json: bool,
) -> None:
    """Measure how well recall finds.

    Asks the questions of a file of your own, or with --builtin those that come with reverie,
    of a throw-away home: your memories are not touched. Asking is not counted as a use. Every
    run is kept in eval.db, without the text of any question.
    """  # fmt: skip
    if sum((file is not None, built_in, history, agents)) > 1:
        raise click.UsageError("Give one of FILE.jsonl, --builtin, --history and --agents.")
    if project and everywhere:
        raise click.UsageError("Give one of --project and --all.")
    if history:
        _print_history(as_json)
    elif agents:
        found = asked(Agents())
        say(found, as_json, "\n".join(report.agents(found, now(), page_width())))
    elif built_in:
        if project or everywhere:
            raise click.UsageError("--builtin asks each question where it belongs.")
        with builtin.throwaway_home(current_home()) as home:
            lines = builtin.questions()
            made = conversation(partial(_run_builtin, lines, k), home)
        _told(made, k, compare, fail_under, fail_drop, as_json)
    elif file is not None:
        name = "standard input" if file == STDIN else Path(file).name
        lines = _read(file, name)
        scope = named_project(project) if project else current_project()
        made = conversation(partial(_run_own, name, lines, scope, everywhere, k))
        _told(made, k, compare, fail_under, fail_drop, as_json)
    else:
        raise click.UsageError(LOOK)


def _read(file: str, name: str) -> list[truth.Line]:
    lines = truth.checked(name, read_lines(file, truth.Line))
    return [
        msgspec.structs.replace(one, project=named_project(one.project)) if one.project else one
        for one in lines
    ]


# ---- a run


Made = tuple[truth.Truth, Asked, truth.Memories]


async def _run_builtin(lines: list[truth.Line], k: int, client: Client) -> Made:
    with progress_line() as show:
        keys = await builtin.keep_corpus(client, now(), show)
        memories = await asking.memories_of(client, keys)
        found = truth.truth_of(builtin.NAME, lines, memories, None, everywhere=False)
        answers = await asking.answers(client, found.questions, k, show)
    return found, list(zip(found.questions, answers, strict=True)), memories


async def _run_own(
    name: str, lines: list[truth.Line], scope: str, everywhere: bool, k: int, client: Client
) -> Made:
    with progress_line() as show:
        await asking.embedded(client, show)
        memories = await asking.memories_of(client)
        found = truth.truth_of(name, lines, memories, scope, everywhere=everywhere)
        answers = await asking.answers(client, found.questions, k, show)
    return found, list(zip(found.questions, answers, strict=True)), memories


def _kept(made: Made, k: int) -> Outcome:
    """Measure the run and keep it, beside the last one."""
    known, answered, memories = made
    at = now()
    found = figures(answered, memories, k, at)
    modes = {answer.mode for _, answer in answered}
    mode = modes.pop() if len(modes) == 1 else "mixed"
    with _records(current_home()) as sql:
        last = records.last_run(sql, known.digest, k)
        before = records.measures_of(sql, last.id).get(WHOLE) if last else None
        ranks_before = records.ranks_of(sql, last.id) if last else {}
        run = records.Run(
            0, at, known.digest, known.name, k, len(answered), len(memories.known), mode,
            own_version(),
        )  # fmt: skip
        records.keep(sql, run, answered, found)
    return Outcome(
        known, answered, found, mode, len(memories.known), before,
        last.at if last else None, ranks_before,
    )  # fmt: skip


@contextmanager
def _records(home: Home) -> Generator[Any]:
    """The evaluation database."""
    home.prepare()
    with records.open_records(home.evaluations) as sql:
        yield sql


def _told(
    made: Made,
    k: int,
    compare: bool,
    fail_under: Sequence[Limit],
    fail_drop: Sequence[Limit],
    as_json: bool,
) -> None:
    if not made[1]:
        raise click.ClickException(
            "none of the memories that the questions name is there: give ids or keys that"
            " 'reverie list --json' shows"
        )
    outcome = _kept(made, k)
    if as_json:
        print_json(_document(outcome, k))
    else:
        _print_run(outcome, k, compare)
    failures = _failures(outcome, fail_under, fail_drop)
    if failures:
        raise click.ClickException("; ".join(failures))


def _failures(
    outcome: Outcome, fail_under: Sequence[Limit], fail_drop: Sequence[Limit]
) -> list[str]:
    found: list[str] = []
    measured = outcome.figures.groups[WHOLE]
    for name, limit in fail_under:
        value, falls = measured.get(name), name in FALLING
        if value is None:
            found.append(f"{name} cannot be told of these questions")
        elif (value > limit) if falls else (value < limit):
            word = "above" if falls else "under"
            found.append(f"{name} is {report.shown(name, value)}, {word} {limit:g}")
    for name, limit in fail_drop:
        worse = report.drop(name, measured, outcome.before)
        if worse > limit:
            found.append(f"{name} got worse by {report.shown(name, worse)}, more than {limit:g}")
    return found


def _document(outcome: Outcome, k: int) -> dict[str, Any]:
    return {
        "name": outcome.truth.name,
        "k": k,
        "memories": outcome.memories,
        "mode": outcome.mode,
        "left_out": list(outcome.truth.unanswerable),
        "measures": outcome.figures.groups,
        "before": outcome.before,
        "sensitivity": [
            {"k": one.k, "tau": one.tau, "mrr": one.mrr} for one in outcome.figures.sensitivities
        ],
        "queries": [
            {
                "query": question.query,
                "rank": outcome.figures.ranks[question.digest],
                "before": outcome.ranks_before.get(question.digest),
                "confidence": answer.confidence,
                "injected": answer.injected,
                "ms": round(answer.milliseconds, 3),
                "results": list(answer.ranked),
            }
            for question, answer in outcome.asked
        ],
    }


def _print_run(outcome: Outcome, k: int, compare: bool) -> None:
    width = page_width()
    known = outcome.truth
    if known.unanswerable:
        error_line(
            f"left out: {counted(len(known.unanswerable), 'question')} whose memories are not"
            f" there (number {_numbers(known.unanswerable)})"
        )
    if known.partly:
        error_line(f"not all memories of question {_numbers(known.partly)} are there")
    searched = SEARCHED.get(outcome.mode, outcome.mode)
    click.echo(
        f"{one_line(known.name)}: {counted(len(outcome.asked), 'question')} about"
        f" {counted(outcome.memories, 'memory', 'memories')}, {counted(k, 'result')} each,"
        f" by {searched}"
    )
    if outcome.before_at is not None:
        click.echo(f"changes since the last run, {age(now() - outcome.before_at)}")
    for line in report.whole(outcome.figures, outcome.before, width):
        click.echo(line)
    for line in report.parts(outcome.figures, width):
        click.echo(line)
    for line in report.sensitivity(outcome.figures.sensitivities, width):
        click.echo(line)
    if compare:
        click.echo()
        _print_moved(outcome, width)


def _print_moved(outcome: Outcome, width: int) -> None:
    if outcome.before is None:
        click.echo("this is the first run of these questions: nothing to compare with")
        return
    questions = outcome.truth.questions
    for line in report.moved(questions, outcome.figures.ranks, outcome.ranks_before, width):
        click.echo(line)


def _numbers(numbers: Sequence[int], most: int = 8) -> str:
    shown = ", ".join(map(str, numbers[:most]))
    return f"{shown}, …" if len(numbers) > most else shown


# ---- what there was


def _print_history(as_json: bool) -> None:
    if not current_home().evaluations.exists():
        found: list[tuple[records.Run, Measures]] = []
    else:
        with _records(current_home()) as sql:
            found = [
                (run, records.measures_of(sql, run.id).get(WHOLE, {}))
                for run in records.runs(sql, records.KEPT)
            ]
    if as_json:
        print_json({
            "runs": [
                {**{name: getattr(run, name) for name in RUN}, "measures": measured}
                for run, measured in found
            ]
        })  # fmt: skip
    elif not found:
        click.echo("nothing was measured yet: reverie eval --builtin")
    else:
        for line in report.history(found, now(), page_width()):
            click.echo(line)
