"""``eval``: quality of recall on known answers, and whether it got worse."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click
import msgspec

from daemon.api.evaluation import Agents
from daemon.client import Client
from daemon.commands.terminal.files import STDIN, read_lines
from daemon.commands.terminal.output import error_line, print_json, progress_line
from daemon.commands.terminal.question import conversation
from daemon.commands.terminal.verbs import carry_out
from daemon.commands.terminal.words import (
    counted,
    current_project,
    named_project,
    now,
    one_line,
    page_width,
    table,
)
from daemon.home import current_home
from lab.evaluation import measures, run
from lab.evaluation.run import COUNT, MEASURES, WHOLE, Measures, Run

LOOK = """Give a FILE.jsonl of questions about your own memories, or --builtin.

A line is one question; ids and keys are those that 'reverie list' and 'reverie export' show:

  {"query": "how do we roll back a release", "relevant": ["m12"]}
  {"query": "which port has the test database", "relevant": ["db-port", "m40"], "grade": [3, 1]}
  {"query": "what is the wifi password of the office", "hard_negative": true}

"hard_negative": the right answer is nothing. "project", "complexity" and "category" may be there
as well."""
SEARCHED = {
    "both": "words and vectors",
    "mixed": "words, and for some by vectors",
    "none": "nothing",
}
SPLIT = ("mrr", "ndcg", "recall", "hit_rate_1", "injected")
HEADS = ("queries", "MRR", "nDCG", "recall", "1st right", "injected")
NAMES = {one.name: one.label for one in MEASURES}
FALLING = frozenset(one.name for one in MEASURES if one.falls)  # less is better
SMALL = 5e-4  # what is less than the last digit shown is no change


def _earlier(
    _context: click.Context, _parameter: click.Parameter, given: Path | None
) -> Run | None:
    """The run printed by an earlier ``--json``."""
    if given is None:
        return None
    try:
        return msgspec.json.decode(given.read_bytes(), type=Run)
    except msgspec.DecodeError as error:
        raise click.BadParameter(
            f"{given.name} is not what 'eval --json' prints: {error}"
        ) from None


@click.command("eval")
@click.argument("file", metavar="[FILE.jsonl]", required=False)
@click.option("--builtin", "built_in", is_flag=True, help="110 questions about a made-up corpus.")
@click.option("--k", default=10, show_default=True, type=click.IntRange(1, 1000), help="Results.")
@click.option("--project", help="Where questions are asked that name no project; else here.")
@click.option("--all", "everywhere", is_flag=True, help="Ask every question in every project.")
@click.option(
    "--before",
    metavar="RUN.json",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    callback=_earlier,
    help="Compare with an earlier run: what --json printed of it.",
)
@click.option("--agents", is_flag=True, help="Show what agents made of what they were shown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def evaluate(
    file: str | None,
    built_in: bool,
    k: int,
    project: str | None,
    everywhere: bool,
    before: Run | None,
    agents: bool,
    as_json: bool,
) -> None:
    """Measure how well recall finds.

    Asks the questions of a file of your own, or with --builtin those that come with reverie,
    of a throw-away home: your memories are not touched. Asking is not counted as a use.
    """
    if sum((file is not None, built_in, agents)) > 1:
        raise click.UsageError("Give one of FILE.jsonl, --builtin and --agents.")
    if project and everywhere:
        raise click.UsageError("Give one of --project and --all.")
    if agents:
        carry_out(Agents(), as_json=as_json)
    elif built_in:
        if project or everywhere:
            raise click.UsageError("--builtin asks each question where it belongs.")
        with run.throwaway_home(current_home()) as home:
            made = conversation(partial(_run_builtin, k, before), home)
        _tell(*made, as_json)
    elif file is not None:
        name = "standard input" if file == STDIN else Path(file).name
        lines = _read(file, name)
        scope = named_project(project) if project else current_project()
        made = conversation(partial(_run_own, name, lines, scope, everywhere, k, before))
        _tell(*made, as_json)
    else:
        raise click.UsageError(LOOK)


def _read(file: str, name: str) -> list[measures.Line]:
    lines = measures.checked(name, read_lines(file, measures.Line))
    return [
        msgspec.structs.replace(one, project=named_project(one.project)) if one.project else one
        for one in lines
    ]


async def _run_builtin(k: int, before: Run | None, client: Client) -> tuple[measures.Truth, Run]:
    with progress_line() as show:
        keys = await run.keep_corpus(client, now(), show)
        memories = await run.memories_of(client, keys)
        lines = run.built_in_questions()
        asking = measures.truth_of(run.BUILT_IN, lines, memories, None, everywhere=False)
        answers = await run.answers(client, asking.questions, k, show)
    return asking, run.measured(asking, answers, len(memories.by_id), k, now(), before)


async def _run_own(
    name: str,
    lines: list[measures.Line],
    scope: str,
    everywhere: bool,
    k: int,
    before: Run | None,
    client: Client,
) -> tuple[measures.Truth, Run]:
    with progress_line() as show:
        await run.embedded(client, show)
        memories = await run.memories_of(client)
        asking = measures.truth_of(name, lines, memories, scope, everywhere=everywhere)
        if not asking.questions:
            raise click.ClickException(
                "none of the memories that the questions name is there: give ids or keys that"
                " 'reverie list --json' shows"
            )
        answers = await run.answers(client, asking.questions, k, show)
    return asking, run.measured(asking, answers, len(memories.by_id), k, now(), before)


# ---- how it is told


def _tell(asking: measures.Truth, made: Run, as_json: bool) -> None:
    if as_json:
        print_json(made)
        return
    if asking.unanswerable:
        error_line(
            f"left out: {counted(len(asking.unanswerable), 'question')} whose memories are not"
            f" there (number {_numbers(asking.unanswerable)})"
        )
    if asking.partly:
        error_line(f"not all memories of question {_numbers(asking.partly)} are there")
    for line in _lines(made, page_width()):
        click.echo(line)


def _lines(made: Run, width: int) -> Iterator[str]:
    """A run in lines: its measures, its parts' measures, the effect of rank fusion."""
    searched = SEARCHED.get(made.mode, made.mode)
    yield (
        f"{one_line(made.name)}: {counted(len(made.queries), 'question')} about"
        f" {counted(made.memories, 'memory', 'memories')}, {counted(made.k, 'result')} each,"
        f" by {searched}"
    )
    whole = made.measures[WHOLE]
    yield from table(
        [
            (label, _shown(name, whole.get(name)), change(name, whole, made.before))
            for name, label in NAMES.items()
        ],
        width,
    )
    for split in ("complexity", "category"):
        rows = [
            (
                group.partition(":")[2],
                f"{one[COUNT] or 0:.0f}",
                *(_shown(name, _of(name, one)) for name in SPLIT),
            )
            for group, one in made.measures.items()
            if group.startswith(f"{split}:")
        ]
        if rows:
            yield from ("", *table([(f"by {split}", *HEADS), *rows], width))
    fusion = [(f"K={one.k}", f"{one.tau:.3f}", _shown("mrr", one.mrr)) for one in made.sensitivity]
    yield from ("", *table([("rank fusion", "tau to K=60", "MRR@5"), *fusion], width))


def _of(name: str, one: Measures) -> float | None:
    """A measure of a group; of hard negatives only the injected share."""
    value = one.get(name)
    return one.get("injected_on_nothing") if name == "injected" and value is None else value


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f} ms" if name.endswith("_ms") else f"{value:.3f}"


def change(name: str, measured: Measures, before: Measures | None) -> str:
    """Movement of a measure since the run before, and whether for the worse; empty without one."""
    new, old = measured.get(name), (before or {}).get(name)
    if new is None or old is None or abs(new - old) < SMALL:
        return ""
    worse = (new > old) == (name in FALLING)
    size = f"{new - old:+.1f} ms" if name.endswith("_ms") else f"{new - old:+.3f}"
    return f"{size} {'worse' if worse else 'better'}"


def _numbers(numbers: Sequence[int], most: int = 8) -> str:
    shown = ", ".join(map(str, numbers[:most]))
    return f"{shown}, …" if len(numbers) > most else shown
