"""``dream`` and ``insights``: dream now, and read what came of it."""

from collections.abc import Iterable
from typing import Any

import click

from daemon.api.plans import STATES
from daemon.commands.terminal.conversation import asked, watched
from daemon.commands.terminal.numbers import row_number
from daemon.commands.terminal.output import (
    age,
    counted,
    duration,
    now,
    one_line,
    present,
    print_found,
    print_json,
    say,
    shortened,
    styled,
)
from daemon.requests.dreams import (
    CancelDreaming,
    DreamNow,
    DreamReport,
    DreamView,
    InsightView,
    ListDreams,
    ListInsights,
    ShowDream,
)
from daemon.requests.wording import (
    DOING,
    KINDS,
    connected_line,
    stage_lines,
)

LAST = "last"  # of all dreams


@click.command()
@click.option("--now", "at_once", is_flag=True, help="Whether or not one is due.")
@click.option("--cancel", is_flag=True, help="Stop the dream that is under way.")
@click.option(
    "--past",
    is_flag=False,
    flag_value="",
    metavar="[ID]",
    help="Instead: which dreams there were; of an ID, or 'last', what came of it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def dream(at_once: bool, cancel: bool, past: str | None, as_json: bool) -> None:
    """Dream: connect what belongs together, and see what was noticed.

    Nothing is changed that memories say. Ctrl-C stops at the next checkpoint.
    """
    if past is not None:
        _past(past, as_json)
        return
    if cancel:
        done = asked(CancelDreaming())
        say(done, as_json, "the dream stops" if done.count else done.note)
        return
    found = watched(DreamNow(now=at_once), _progress)
    if as_json:
        print_json(found)
    elif found.dream is None:
        hint = "; 'reverie dream --now' does it all the same" if found.outcome == "not_due" else ""
        click.echo(f"no dream: {found.note}{hint}")
    else:
        _print_report(asked(ShowDream(id=found.dream.id)))


def _progress(frame: dict[str, Any]) -> str:
    doing = DOING.get(frame["stage"], frame["stage"])
    return (
        f"dreaming over {counted(frame['memories'], 'memory', 'memories')}:"
        f" {doing} ({frame['done'] + 1} of {frame['total']}); Ctrl-C stops"
    )


def _past(which: str, as_json: bool) -> None:
    """List past dreams, or show what came of one."""
    if which:
        number = 0 if which == LAST else row_number(which)
        present(asked(ShowDream(id=number)), as_json, _print_report)
        return
    found = asked(ListDreams()).dreams
    none = "no dream yet: one comes when nobody is busy; 'reverie dream --now' at once"
    print_found({"dreams": found}, as_json, [_row(one) for one in found], none)


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 500))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def insights(limit: int, as_json: bool) -> None:
    """Show what dreams have noticed, the most useful first.

    'reverie useful ID' and 'reverie useless ID' decide what is shown from now on.
    """
    found = asked(ListInsights(limit=limit)).insights
    if as_json:
        print_json({"insights": found})
        return
    _print_insights(found)
    if not found:
        click.echo("nothing was noticed yet")


def _row(one: DreamView) -> list[str]:
    connections = one.figures.get("cross_reference", {}).get("connections", 0)
    noticed = one.figures.get("transfer", {}).get("insights", 0)
    return [
        str(one.id),
        age(now() - one.began_at),
        one.outcome or f"under way, {DOING.get(one.stage, 'begun')}",
        counted(one.memories, "memory", "memories"),
        counted(int(connections), "connection"),
        f"{noticed} noticed",
        one.why,
    ]


def _print_report(report: DreamReport) -> None:
    one = report.dream
    took = duration(one.ended_at - one.began_at) if one.ended_at is not None else "not over"
    click.echo(
        f"Dream {one.id} ({one.outcome or 'under way'}, {took}), for {one.why}:"
        f" {counted(one.memories, 'memory', 'memories')}"
    )
    for line in stage_lines(one):
        click.echo(f"  {line}")
    if report.insights:
        click.echo("\nNoticed")
        _print_insights(report.insights)
    if report.connections:
        click.echo("\nConnected most strongly")
        for pair in report.connections:
            click.echo(
                f"  {pair.one} {shortened(one_line(pair.one_title), 48)}"
                f"  and  {pair.other} {shortened(one_line(pair.other_title), 48)}"
            )
            click.echo(
                styled(
                    f"      {connected_line(pair)}: {pair.evidence}",
                    dim=True,
                )
            )
    if report.proposed:
        waits = any(plan.state == "open" for plan in report.proposed)
        decide = ": 'reverie plan show ID', 'reverie plan apply ID'" if waits else ""
        click.echo(f"\nProposed{decide}")
        for plan in report.proposed:
            click.echo(
                f"  {plan.id}  {plan.act}"
                f" {counted(plan.memories, 'memory', 'memories')} ({STATES.get(plan.state, plan.state)}): {plan.reason}"
            )


def _print_insights(found: Iterable[InsightView]) -> None:
    for one in found:
        label = KINDS.get(one.kind, one.kind)
        click.echo(f"  {one.id}  {styled(label, bold=True)}: {one_line(one.text)}")
        from_ = f"from {', '.join(one.sources[:8])}; " if one.sources else ""
        judged = f"; found useful {counted(one.accepted, 'time')}" if one.accepted else ""
        click.echo(
            styled(
                f"      {from_}{'; '.join(one.evidence)}{judged}",
                dim=True,
            )
        )
