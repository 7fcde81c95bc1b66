"""``recall``: the operation, and its part at the terminal: a file of questions, the list of switches."""

from typing import TYPE_CHECKING, Any

import click
import msgspec
from click.core import ParameterSource

from daemon.api import recall as subject
from daemon.api.recall import Recall
from daemon.commands.terminal.files import read_lines
from daemon.commands.terminal.output import error_line, print_json, print_lines, progress_line
from daemon.commands.terminal.question import conversation
from daemon.commands.terminal.verbs import carry_out, command, request_of
from daemon.commands.terminal.words import named_project
from daemon.home import current_home
from daemon.shapes.results import Recalled

if TYPE_CHECKING:
    from daemon.settings import Settings


STAGES_ALONE = "--stages stands alone: it lists what can be switched."


class Question(msgspec.Struct, frozen=True):
    """One line of ``--batch``."""

    id: str
    text: str
    project: str | None = None


def _recall(*, stages: bool, batch: str | None, as_json: bool, **given: Any) -> None:
    if given["project"] and given["everywhere"]:
        raise click.UsageError("Give one of --project and --all.")
    if stages:
        source = click.get_current_context().get_parameter_source
        if any(source(name) is ParameterSource.COMMANDLINE for name in (*given, "batch")):
            raise click.UsageError(STAGES_ALONE)
        show_stages(as_json=as_json)
        return
    request = request_of(subject, "recall", given)
    if batch is None:
        carry_out(request, as_json=as_json)
    elif not isinstance(request, Recall) or request.query:
        raise click.UsageError("Give a QUERY, or --batch FILE.jsonl.")
    elif questions := list(read_lines(batch, Question)):
        with progress_line(beside_results=True) as show, conversation() as talk:
            # In the file's order: a tracked recall changes the next one's results.
            for done, question in enumerate(questions, 1):
                print_json(_line(question, talk.ask(_asked(request, question))))
                show(f"{done:,} of {len(questions):,} answered")


def _asked(usual: Recall, question: Question) -> Recall:
    project = named_project(question.project) if question.project else usual.project
    return msgspec.structs.replace(usual, query=question.text, project=project)


def _line(question: Question, recalled: Recalled) -> dict[str, Any]:
    return {
        "id": question.id,
        "confidence": recalled.confidence,
        "degraded": msgspec.to_builtins(recalled.degraded),
        "evidence": recalled.evidence,
        "results": [
            {"id": scored.id, "key": scored.key, "score": scored.score}
            for scored in recalled.results
        ],
    }


def _whole() -> click.Command:
    """The command of the operation, with the options of the terminal's own."""
    made = command(subject, "recall")
    made.params[-1:-1] = [
        click.Option(["--stages"], is_flag=True, help="List what --with and --without can switch."),
        click.Option(
            ["--batch"], metavar="FILE.jsonl", help="Answer every line of a file ('-': stdin)."
        ),
    ]
    made.callback = _recall
    return made


recall = _whole()


# ---- ``recall --stages``: switches of recall, with their defaults and meanings


def show_stages(*, as_json: bool) -> None:
    """Print every channel, stage, way of fusing and score, in the order in which they are used."""
    from daemon.commands.local.config import loaded

    found = loaded(current_home())
    rows = switchable(found.settings)
    if as_json:
        print_json({"switches": rows, "warnings": list(found.warnings)})
        return
    for warning in found.warnings:
        error_line(warning)
    lines = [["kind", "name", "default", "what it is"]]
    lines += [[row["kind"], row["name"], _default(row), row["meaning"]] for row in rows]
    print_lines(lines)
    click.echo("recall --with NAME and --without NAME switch one for a question")


def switchable(settings: "Settings") -> list[dict[str, Any]]:
    """Switches of one question: kind, name, default, whether it is on, and its meaning."""
    from actors.policy.recall import ways

    chosen = ways.turned(ways.DEFAULT, settings.recall.with_, settings.recall.without)
    return [
        {
            "kind": way.kind,
            "name": way.name,
            "default": way.on,
            "on": way.name in chosen,
            "meaning": way.says,
        }
        for way in ways.TABLE
    ]


def _default(row: dict[str, Any]) -> str:
    """The default in words, and the setting where it differs."""
    words = {True: "on", False: "off"}
    default, now = words[row["default"]], words[row["on"]]
    return default if default == now else f"{default} (set: {now})"
