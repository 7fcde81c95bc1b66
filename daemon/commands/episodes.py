"""``episodes``: which moments kept the turns around them; ``backfill``: what explains."""

from datetime import datetime

import click

from daemon.api.about import ended_lines
from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    age,
    counted,
    now,
    one_line,
    page_width,
    present,
    print_table,
    shortened,
    styled,
)
from daemon.commands.terminal.scope import current_project, named_project
from daemon.commands.terminal.verbs import print_lines
from daemon.requests.dreams import ListTogether, TogetherPage
from daemon.requests.episodes import (
    Episode,
    EpisodesPage,
    ListEpisodes,
    ListTags,
    LookBack,
    LookedBack,
    ShowEpisode,
    TagsPage,
)

LISTED = 5  # turns of an episode in a list
GONE = "(no longer in the archive)"
TOGETHER = 10  # memories of a group that a dream saw


@click.group(invoke_without_command=True)
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--tags", is_flag=True, help="The turns that may be captured, or were.")
@click.option("--dreamt", is_flag=True, help="What the last dream saw belonging together.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def episodes(
    ctx: click.Context,
    project: str | None,
    everywhere: bool,
    limit: int,
    tags: bool,
    dreamt: bool,
    as_json: bool,
) -> None:
    """Show which moments kept the turns around them.

    The newest first: what made the moment important, and which turns have to do with it.
    """
    if ctx.invoked_subcommand is not None:
        return
    if tags and dreamt:
        raise click.UsageError("--tags and --dreamt exclude each other.")
    meant = named_project(project) if project else current_project()
    if dreamt:
        drawn = asked(ListTogether(project=meant, everywhere=everywhere, limit=limit))
        present(drawn, as_json, _print_together)
        return
    if tags:
        found = asked(ListTags(project=meant, everywhere=everywhere, limit=limit))
        present(found, as_json, _print_tags)
        return
    page = asked(ListEpisodes(project=meant, everywhere=everywhere, limit=limit))
    present(page, as_json, _print_episodes)


@episodes.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(id_: str, as_json: bool) -> None:
    """Show one episode with its turns."""
    shown = asked(ShowEpisode(id=id_))
    present(shown, as_json, lambda _: _print_episode(shown.episode, len(shown.episode.members)))


def _print_episodes(page: EpisodesPage) -> None:
    for episode in page.episodes:
        _print_episode(episode, LISTED)
    if not page.episodes:
        click.echo("no moment has captured anything yet")
    elif len(page.episodes) < page.total:
        click.echo(f"{len(page.episodes)} of {counted(page.total, 'episode')}")
    if not page.capturing:
        click.echo("nothing is captured now: tagging.enabled = true turns it on")


def _print_together(page: TogetherPage) -> None:
    for place, group in enumerate(page.groups, 1):
        count = counted(len(group.ids), "memory", "memories")
        click.echo(styled(f"{place}. {count} that belong together", bold=True))
        rows = [[id_, one_line(title)] for id_, title in zip(group.ids, group.titles, strict=True)]
        print_table(rows[:TOGETHER], indent=2)
        if len(rows) > TOGETHER:
            click.echo(f"  … and {len(rows) - TOGETHER} more")
    if not page.groups:
        click.echo("no dream has seen anything here that belongs together; 'reverie dream --now'")
    elif len(page.groups) < page.total:
        click.echo(f"{len(page.groups)} of {counted(page.total, 'group')}")


def _print_tags(page: TagsPage) -> None:
    moment = now()
    rows = [
        [
            f"strength {tagged.strength:.2f}",
            age(moment - tagged.at),
            f"captured: {tagged.episode}" if tagged.episode else "open",
            one_line(tagged.said) or GONE,
        ]
        for tagged in page.tags
    ]
    print_table(rows)
    if not rows:
        click.echo("nothing may still be captured")
    click.echo(f"{page.active} may still be captured, {page.captured} were")


def _print_episode(episode: Episode, members: int) -> None:
    local = datetime.fromtimestamp(episode.at).astimezone()
    said = one_line(episode.reason) or episode.kind.replace("_", " ")
    heading = f"{local:%Y-%m-%d %H:%M}  {episode.id}  {said}"
    click.echo(styled(shortened(heading, page_width()), bold=True))
    session = f", in session {one_line(episode.session)}" if episode.session else ""
    kept = counted(len(episode.members), "turn")
    click.echo(f"  {age(now() - episode.at)}{session}; {kept} kept, over {episode.span:.1f} h")
    rows = [
        [
            hours_apart(member.hours),
            f"score {member.score:.2f}",
            one_line(member.said) or GONE,
            ", ".join(member.memories),
        ]
        for member in episode.members[:members]
    ]
    print_table(rows, indent=2)
    if members < len(episode.members):
        click.echo(f"  … and {len(episode.members) - members} more")


def hours_apart(hours: float) -> str:
    """``3.0 h before`` the moment, or after it."""
    return f"{abs(hours):.1f} h {'after' if hours < 0 else 'before'}"


@click.command()
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--failure", metavar="TEXT", help="What failed, instead of a memory that tells it.")
@click.option("--apply", "apply", is_flag=True, help="Strengthen what is found; else only show it.")
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def backfill(
    id_: str | None,
    failure: str | None,
    apply: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Find what may explain a failure.

    Looks back 30 days for memories that name the same variables, paths or dotted names, and
    shows the likeliest three. They are guesses; nothing changes without --apply.
    """
    if (id_ is None) == (failure is None):
        raise click.UsageError("Name a memory that tells of the failure, or give --failure TEXT.")
    meant = named_project(project) if project else None
    if meant is None and id_ is None:
        meant = current_project()
    found = asked(
        LookBack(id=id_, failure=failure, project=meant, everywhere=everywhere, apply=apply)
    )
    present(found, as_json, _print)


def _print(found: LookedBack) -> None:
    if found.ended is not None:
        print_lines(ended_lines([found.ended], "it was ended before:"))
    names = ", ".join(one_line(name) for name in found.names)
    if not found.names:
        click.echo("the failure names no variable, path or dotted name to look for")
        return
    if not found.causes:
        click.echo(f"nothing new of the last 30 days names {names}")
        return
    moment = now()
    rows = [
        [
            cause.id,
            age(moment - cause.created_at),
            f"stability {cause.stability:.1f} → {cause.proposed:.1f} days",
            f"names {', '.join(one_line(name) for name in cause.shared)}",
            one_line(cause.title),
        ]
        for cause in found.causes
    ]
    print_table(rows)
    if found.applied:
        click.echo("strengthened; `reverie why ID` shows it with each")
    else:
        click.echo("possible causes, nothing was changed: --apply strengthens them")
