"""``eval``: quality of recall on known answers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from daemon.commands.local.demo import throwaway_home
from daemon.commands.terminal.files import STDIN, read_lines
from daemon.commands.terminal.output import error_line, print_json, print_lines, progress_line
from daemon.commands.terminal.question import conversation
from daemon.commands.terminal.words import counted, current_project, named_project, now, one_line
from daemon.home import Home
from lab.evaluation import measures, run
from lab.evaluation.run import MEASURES, Run

LOOK = """Give a FILE.jsonl of questions about your own memories, or --builtin.

A line is one question; ids and keys are those that 'reverie list' and 'reverie export' show:

  {"query": "how do we roll back a release", "relevant": ["m12"]}
  {"query": "which port has the test database", "relevant": ["db-port", "m40"], "grade": [3, 1]}
  {"query": "what is the wifi password of the office", "hard_negative": true}

"hard_negative": the right answer is nothing. "project" may be there as well."""
SEARCHED = {
    "both": "words and vectors",
    "mixed": "words, and for some by vectors",
    "none": "nothing",
}


@click.command("eval")
@click.argument("file", metavar="[FILE.jsonl]", required=False)
@click.option("--builtin", "built_in", is_flag=True, help="110 questions about a made-up corpus.")
@click.option("--k", default=10, show_default=True, type=click.IntRange(1, 1000), help="Results.")
@click.option("--project", help="Where questions are asked that name no project; else here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def evaluate(file: str | None, built_in: bool, k: int, project: str | None, as_json: bool) -> None:
    """Measure how well recall finds.

    Asks the questions of a file of your own, or with --builtin those that come with reverie,
    of a throw-away home: your memories are not touched. Asking is not counted as a use.
    """
    if (file is not None) == built_in:
        raise click.UsageError("Give one of FILE.jsonl and --builtin." if built_in else LOOK)
    if file is None:
        if project:
            raise click.UsageError("--builtin asks each question where it belongs.")
        with throwaway_home(with_settings=True) as home:
            truth, made = _run(run.BUILT_IN, run.built_in_questions(), None, k, home)
    else:
        name = "standard input" if file == STDIN else Path(file).name
        lines = measures.checked(name, read_lines(file, measures.Line))
        scope = named_project(project) if project else current_project()
        truth, made = _run(name, lines, scope, k)
    if as_json:
        print_json(made)
    else:
        _tell(truth, made)


def _run(
    name: str,
    lines: Sequence[measures.Line],
    scope: str | None,
    k: int,
    made_for: Home | None = None,
) -> tuple[measures.Truth, Run]:
    """Ask the questions of the user's own daemon, or of one made for the built-in corpus."""
    with progress_line() as show, conversation(made_for) as talk:
        keys = run.keep_corpus(talk, now()) if made_for is not None else {}
        run.embedded(talk, show)
        memories = run.memories_of(talk, keys)
        truth = measures.truth_of(name, lines, memories, scope)
        if not truth.questions:
            raise click.ClickException(
                "none of the memories that the questions name is there: give ids or keys that"
                " 'reverie list --json' shows"
            )
        answers = run.answers(talk, truth.questions, k, show)
    return truth, run.measured(truth, answers, len(memories.by_id), k, now())


def _tell(truth: measures.Truth, made: Run) -> None:
    if truth.unanswerable:
        error_line(
            f"left out: {counted(len(truth.unanswerable), 'question')} whose memories are not"
            f" there (number {', '.join(map(str, truth.unanswerable))})"
        )
    print_lines(_lines(made))


def _lines(made: Run) -> Iterator[str | list[str]]:
    """A run in lines: its measures, and the effect of rank fusion."""
    yield (
        f"{one_line(made.name)}: {counted(len(made.queries), 'question')} about"
        f" {counted(made.memories, 'memory', 'memories')}, {counted(made.k, 'result')} each,"
        f" by {SEARCHED.get(made.mode, made.mode)}"
    )
    yield from ([one.label, _shown(one.name, made.measures[one.name])] for one in MEASURES)
    yield ""
    yield ["rank fusion", "tau to K=60", "MRR@5"]
    for one in made.sensitivity:
        yield [f"K={one.k}", f"{one.tau:.3f}", _shown("mrr", one.mrr)]


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f} ms" if name.endswith("_ms") else f"{value:.3f}"
