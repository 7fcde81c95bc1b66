"""``episodes``: which important moments captured what was learnt around them."""

from __future__ import annotations

from datetime import datetime

import click

from daemon.commands.conversation import asked
from daemon.commands.output import (
    age,
    counted,
    now,
    one_line,
    page_width,
    print_json,
    shortened,
    styled,
    table,
)
from daemon.commands.scope import current_project, named_project
from daemon.requests.past import Episode, ListEpisodes, ShowEpisode

LISTED = 5  # memories of an episode in a list


@click.group(invoke_without_command=True)
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def episodes(
    ctx: click.Context, project: str | None, everywhere: bool, limit: int, as_json: bool
) -> None:
    """Show which moments captured memories.

    The newest first: what made the moment important, and what was learnt around it.
    """
    if ctx.invoked_subcommand is not None:
        return
    meant = named_project(project) if project else current_project()
    page = asked(ListEpisodes(project=meant, everywhere=everywhere, limit=limit))
    if as_json:
        print_json(page)
        return
    for episode in page.episodes:
        _print_episode(episode, LISTED)
    if not page.episodes:
        click.echo("no moment has captured anything yet")
    elif len(page.episodes) < page.total:
        click.echo(f"{len(page.episodes)} of {counted(page.total, 'episode')}")


@episodes.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(id_: str, as_json: bool) -> None:
    """Show one episode with its memories."""
    shown = asked(ShowEpisode(id=id_))
    if as_json:
        print_json(shown)
    else:
        _print_episode(shown.episode, len(shown.episode.members))


def _print_episode(episode: Episode, members: int) -> None:
    local = datetime.fromtimestamp(episode.at).astimezone()
    said = one_line(episode.reason) or episode.kind.replace("_", " ")
    heading = f"{local:%Y-%m-%d %H:%M}  {episode.id}  {said}"
    click.echo(styled(shortened(heading, page_width()), bold=True))
    session = f", in session {one_line(episode.session)}" if episode.session else ""
    count = counted(episode.captured, "memory", "memories")
    click.echo(
        f"  {age(now() - episode.at)}{session}; {count} over {episode.span:.1f} h,"
        f" mean importance {episode.average_importance:.2f}"
    )
    rows = [
        [
            member.id,
            f"score {member.score:.2f}",
            hours_apart(member.hours),
            f"importance {member.before:.2f} → {max(member.before, member.importance):.2f}",
            one_line(member.title),
        ]
        for member in episode.members[:members]
    ]
    for line in table(rows, page_width() - 2):
        click.echo(f"  {line}")
    if members < episode.captured:
        click.echo(f"  … and {episode.captured - members} more")


def hours_apart(hours: float) -> str:
    """``3.0 h before`` the moment, or after it."""
    return f"{abs(hours):.1f} h {'after' if hours < 0 else 'before'}"
