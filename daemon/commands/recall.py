"""``recall``: ask what is known, once or for a whole file of questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import click
import msgspec

from daemon.api.folders import Folders
from daemon.api.injections import weighed_rows
from daemon.api.passages import FindPassages
from daemon.client import Client
from daemon.commands.terminal.conversation import ANSWER_WITHIN, asked, conversation
from daemon.commands.terminal.jsonl import read_lines, write_line
from daemon.commands.terminal.output import (
    error_line,
    one_line,
    page_width,
    print_json,
    print_table,
    printable,
    shortened,
    styled,
)
from daemon.commands.terminal.progress import progress_line
from daemon.commands.terminal.results import result
from daemon.commands.terminal.scope import current_project, named_project
from daemon.commands.terminal.verbs import carry_out, print_lines
from daemon.requests.recall import Channel, Recall, RecallById, Recalled, Scored


class Question(msgspec.Struct, frozen=True):
    """One line of ``--batch``."""

    id: str
    text: str
    project: str | None = None


# Reasons of results that nobody would miss: a person asked for as many as there are.
LEADING = "constitutional"  # leads whether or not it is close
FAR = frozenset({"not close enough", "not looked at closely"})


def _tokens_meant(_: click.Context, __: click.Parameter, given: str | None) -> int | None:
    """The number; 0 for ``auto``."""
    if given is None:
        return None
    if given == "auto":
        return 0
    if given.isascii() and given.isdigit() and int(given):
        return int(given)
    raise click.BadParameter("it must be a number, or 'auto'")


@click.command()
@click.argument("query", nargs=-1)
@click.option("-k", default=10, show_default=True, type=click.IntRange(1, 1000), help="Results.")
@click.option("--project", help="In this project and what holds everywhere; else the current one.")
@click.option("--all", "everywhere", is_flag=True, help="In every project.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--explain", is_flag=True, help="Say why each result is there.")
@click.option("--no-track", is_flag=True, help="Do not note that it was shown.")
@click.option(
    "--as-prompt",
    is_flag=True,
    help="Show what an agent's prompt would get, and why; nobody is told.",
)
@click.option(
    "--as-of", metavar="DATE", help="What was true then, also if replaced since (ISO, UTC)."
)
@click.option(
    "--mode",
    type=click.Choice(("precise", "balanced", "exhaustive")),
    default="balanced",
    help="How widely to look: quickly, as usual, or everywhere.",
)
@click.option(
    "--concept",
    "concepts",
    multiple=True,
    metavar="TEXT",
    help="Two to five times: what holds all of them comes first.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="Do without this channel, stage or way, to compare.",
)
@click.option(
    "--with",
    "also",
    multiple=True,
    metavar="NAME",
    help="With this channel, stage or way, which is off.",
)
@click.option(
    "--passages", is_flag=True, help="Search what was written and said, in place of memories."
)
@click.option(
    "--folders",
    is_flag=True,
    help="Find the folders it is about, by their README or spec.md; without a QUERY all.",
)
@click.option("--stages", is_flag=True, help="List what --with and --without can switch.")
@click.option(
    "--detail",
    type=click.Choice(("brief", "summary", "full")),
    default="full",
    help="How much of each result: a line, a paragraph, everything.",
)
@click.option(
    "--tokens",
    metavar="N",
    callback=_tokens_meant,
    help="At most so many tokens of text; 'auto': by the question.",
)
@click.option("--id", "id_", metavar="ID", help="Just this one; out of the archive if need be.")
@click.option("--batch", metavar="FILE.jsonl", help="Answer every line of a file ('-': stdin).")
def recall(
    query: tuple[str, ...],
    k: int,
    project: str | None,
    everywhere: bool,
    as_json: bool,
    explain: bool,
    no_track: bool,
    as_prompt: bool,
    as_of: str | None,
    mode: Literal["precise", "balanced", "exhaustive"],
    concepts: tuple[str, ...],
    without: tuple[str, ...],
    also: tuple[str, ...],
    passages: bool,
    folders: bool,
    stages: bool,
    detail: Literal["brief", "summary", "full"],
    tokens: int | None,
    id_: str | None,
    batch: str | None,
) -> None:
    """Find what is known about something.

    Searches the project of the current directory and what holds everywhere, best first.
    """
    several = bool(query or concepts or batch is not None)
    if stages:
        if several or id_ is not None:
            raise click.UsageError("--stages stands alone: it lists what can be switched.")
        from daemon.commands.local.stages import show

        show(as_json=as_json)
        return
    if id_ is not None:
        if several:
            raise click.UsageError("--id stands alone: it names the memory.")
        wanted = RecallById(id=id_, track=not no_track, project=current_project())
        _present(asked(wanted), as_json, explain)
        return
    if not folders and bool(query or concepts) == (batch is not None):
        raise click.UsageError("Give a QUERY, or --batch FILE.jsonl.")
    if project and everywhere:
        raise click.UsageError("Give one of --project and --all.")
    scope, words = named_project(project) if project else current_project(), " ".join(query)
    if (folders or passages) and (batch is not None or concepts or (folders and passages)):
        takes = "--folders takes a QUERY, or none." if folders else "--passages takes a QUERY."
        raise click.UsageError(takes)
    if folders:
        carry_out(
            Folders(query=words, project=scope, everywhere=everywhere, limit=k), as_json=as_json
        )
        return
    if passages:
        found = FindPassages(
            query=words, k=k, project=scope, everywhere=everywhere, track=not no_track
        )
        carry_out(found, as_json=as_json)
        return
    ask = partial(
        Recall,
        k=k,
        everywhere=everywhere,
        explain=explain,
        track=not no_track,
        as_prompt=as_prompt,
        as_of=as_of,
        mode=mode,
        concepts=list(concepts),
        without=list(without),
        also=list(also),
        detail=detail,
        tokens=tokens,
    )
    if batch is not None:
        _answer_batch(batch, partial(_recall_of, ask, scope))
        return
    words = " ".join(query or concepts)
    _present(asked(ask(query=words, project=scope, associations=not as_prompt)), as_json, explain)


def _present(recalled: Recalled, as_json: bool, explain: bool) -> None:
    if as_json:
        print_json(_document(recalled, explain))
    elif recalled.prompt is not None:
        _print_degraded(recalled)
        click.echo(printable(recalled.prompt or "an agent would be told nothing"))
        print_table(list(weighed_rows(recalled.considered)))
    else:
        _print_results(recalled, explain)


def _recall_of(ask: Callable[..., Recall], scope: str, question: Question) -> Recall:
    project = named_project(question.project) if question.project else scope
    return ask(query=question.text, project=project)


def _document(recalled: Recalled, explain: bool) -> dict[str, Any]:
    whole: dict[str, Any] = msgspec.to_builtins(recalled)
    told = ["confidence", "degraded", "evidence", "mode", "results", "said"]
    told += ["associations"] if recalled.prompt is None else ["prompt", "considered"]
    told += [] if recalled.tokens is None else ["expandable", "tokens"]
    told += ["channels", "timings", "stages"] if explain else []
    if not explain:
        results: list[dict[str, Any]] = whole["results"]
        for result in results:
            del result["why"], result["parts"], result["terms"]
    return {name: whole[name] for name in told}


def _answer_batch(name: str, recall_of: Callable[[Question], Recall]) -> None:
    questions = list(read_lines(name, Question))
    if questions:
        conversation(partial(_answer_all, questions, recall_of))


async def _answer_all(
    questions: list[Question], recall_of: Callable[[Question], Recall], client: Client
) -> None:
    """One at a time, in the file's order: a tracked recall changes what the next one finds."""
    with progress_line(beside_results=True) as show:
        for done, question in enumerate(questions, 1):
            recalled = await client.ask(recall_of(question), within=ANSWER_WITHIN)
            write_line(_line(question, recalled))
            show(f"{done:,} of {len(questions):,} answered")


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


def _print_results(recalled: Recalled, explain: bool) -> None:
    _print_degraded(recalled)
    if not recalled.results:
        click.echo("nothing is known about this")
    for line in recalled.said:
        click.echo(styled(shortened(one_line(line), page_width()), dim=True))
    further = _further(recalled.results)
    for place, scored in enumerate(recalled.results):
        if place == further:
            click.echo(styled("further ones, none of them close:", dim=True))
        print_lines(result(scored, explain=explain))
    if recalled.expandable:
        more = ", ".join(recalled.expandable)
        click.echo(shortened(f"not whole here (reverie show ID): {more}", page_width()))
    if recalled.associations and recalled.results:
        came = ", ".join(f"{one.id} {one.title} ({one.score:.2f})" for one in recalled.associations)
        line = f"{recalled.results[0].id} brings to mind: {one_line(came)}"
        click.echo(shortened(line, page_width()))
    if explain:
        spent = ", ".join(f"{name} {ms:.1f} ms" for name, ms in recalled.timings.items())
        click.echo(f"confidence {recalled.confidence:.2f}" + (f"; {spent}" if spent else ""))
        if recalled.evidence:
            click.echo(_gap(recalled.evidence))
        if recalled.channels:
            click.echo("channels: " + ", ".join(map(_channel, recalled.channels)))
        if recalled.stages:
            click.echo("stages: " + ", ".join(map(_stage, recalled.stages)))


def _further(results: Sequence[Scored]) -> int:
    """The place from which none is close; a stage of variety puts far ones before close ones."""
    close = (
        place
        for place, scored in enumerate(results, start=1)
        if scored.why not in FAR or scored.tier == LEADING
    )
    return max(close, default=0)


def _print_degraded(recalled: Recalled) -> None:
    if recalled.degraded is not None:
        error_line(one_line(recalled.degraded.line))


def _channel(channel: Channel) -> str:
    """A channel in words: what it found in how long, or how it failed."""
    said = channel.failure or f"{channel.found} found"
    return f"{channel.channel.replace('_', ' ')} {said} in {channel.ms:.1f} ms"


def _gap(evidence: Mapping[str, Any]) -> str:
    """Line on whether the answer stands on anything."""
    z = "" if evidence.get("z") is None else f", z {evidence['z']:.2f}"
    connected = evidence.get("connected")
    links = "" if connected is None else f", {connected} memories linked with it"
    why = "there is some" if evidence["reason"] == "none" else evidence["reason"]
    return f"evidence: {why}{z}{links}"


def _stage(stage: dict[str, Any]) -> str:
    """A stage in words: how many went on, of how many, and how many scores it changed."""
    count = f"{stage['in']}" if stage["in"] == stage["out"] else f"{stage['in']} to {stage['out']}"
    changed = f", {stage['changed']} changed" if stage["changed"] else ""
    return f"{stage['stage']} ({count}{changed})"
