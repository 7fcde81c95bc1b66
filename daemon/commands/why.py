"""``why``: why a memory is there; ``injections``: what a session's prompts were told, and why."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    columns,
    counted,
    one_line,
    page_width,
    present,
    print_table,
    shortened,
    styled,
)
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.link import Direction
from daemon.requests.why import (
    ConsideredView,
    Injections,
    InjectionsShown,
    InjectionView,
    Reasons,
    Why,
)

DIRECTIONS: Mapping[str, Direction] = {"in": "incoming", "out": "outgoing", "both": "both"}


@click.command()
@click.argument("id_", metavar="ID")
@click.option(
    "--depth",
    default=3,
    show_default=True,
    type=click.IntRange(1, 10),
    help="How many links its lineage is followed for.",
)
@click.option(
    "--direction",
    default="both",
    show_default=True,
    type=click.Choice(tuple(DIRECTIONS)),
    help="Only what led to it (in), or what it led to (out).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def why(id_: str, depth: int, direction: str, as_json: bool) -> None:
    """Say why a memory is there.

    Where it comes from, which decision made it, what took its place, what it is linked with,
    when it was shown and used, how its strength came to be, and what calls it.
    """
    reasons = asked(Why(id=id_, depth=depth, direction=DIRECTIONS[direction]))
    present(reasons, as_json, _print_reasons)


def _print_reasons(reasons: Reasons) -> None:
    memory = reasons.memory
    heading = f"{memory.id}  {one_line(memory.title or memory.text)}"
    click.echo(styled(shortened(heading, page_width()), bold=True))
    for sentence in reasons.sentences:
        click.echo(one_line(sentence))


TOLD = "told"
LISTED = "a line"
LEFT = "left out of the page"
PLACES = {
    "prompt": "prompt",
    "session_start": "start of the session",
    "subagent": "a subagent's task",
    "tool": "before a call",
    "failure": "a call that failed",
}
MODES = {"words": ", by words alone", "phrases": ", by phrases alone: it is long"}
LIMIT = 50
ENOUGH = 30  # columns of a prompt that tell which one it was


@click.command()
@click.argument("session", required=False)
@click.option("--project", help="The last session of this project instead of the current one.")
@click.option("--limit", default=LIMIT, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def injections(session: str | None, project: str | None, limit: int, as_json: bool) -> None:
    """Show what a session's prompts were told, and why.

    And what came close and was not told. The last session of the current project, unless named;
    a name may be shortened. The newest prompt last.
    """
    where = named_project(project) if project else current_project()
    asks = Injections(session=session, project=None if session else where, limit=limit)
    present(asked(asks), as_json, _print_injections)


def _print_injections(shown: InjectionsShown) -> None:
    where = f" in {shown.project}" if shown.project else ""
    click.echo(
        shortened(one_line(f"session {shown.session} of {shown.agent}{where}"), page_width())
    )
    for prompt in shown.prompts:
        _print_injection(prompt)
    if any(prompt.considered for prompt in shown.prompts):
        click.echo(f"told from a confidence of {shown.needed:.2f}; one of them: reverie why ID")
    elif not shown.prompts:
        click.echo("no prompt of it is kept")


def _print_injection(prompt: InjectionView) -> None:
    """A prompt, what it was told at which cost, and a line for each memory that was weighed."""
    clock = datetime.fromtimestamp(prompt.at).astimezone().strftime("%H:%M:%S")
    cost = _cost(prompt)
    text = one_line(prompt.text)
    room = page_width() - len(clock) - len(cost) - 6
    beside = columns(text) <= room or room >= ENOUGH
    if not beside:  # the cost goes below, and leaves the prompt its line
        room += len(cost) + 2
    said = f"“{shortened(text, max(room, 1))}”" if text else PLACES.get(prompt.place, prompt.place)
    click.echo(styled(f"{clock}  {said}", bold=True) + ("  " if beside else "\n    ") + cost)
    print_considered(prompt.considered)


def _cost(prompt: InjectionView) -> str:
    if not prompt.answered:
        return "nothing was looked for"
    told = sum(one.fate == TOLD for one in prompt.considered)
    notes = counted(told, "note") if told else "no note"
    said = f"{notes}, {prompt.characters:,} characters" if prompt.characters else "silent"
    return f"{said}, {prompt.milliseconds:.0f} ms{MODES.get(prompt.mode, '')}"


def print_considered(weighed: Sequence[ConsideredView]) -> None:
    """What was told and what came close: id, confidence, why or why not, title."""
    rows = [
        [
            one.fate if one.fate in (TOLD, LISTED) else "not told",
            one.id,
            f"{one.confidence:.2f}",
            _reason(one),
            one.title,
        ]
        for one in weighed
    ]
    print_table(rows, indent=4)


def _reason(one: ConsideredView) -> str:
    """What became of it, how long it is and why it was told: a narrow page cuts the end. Else why not."""
    if one.fate == LEFT:
        return f"{one.fate}: {one.reason}"
    if one.fate not in (TOLD, LISTED):
        return one.fate
    became = f"{one.became}, {one.characters:,} characters: " if one.became else ""
    return f"{became}{one.reason}"
