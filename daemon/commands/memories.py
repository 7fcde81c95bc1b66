"""``list`` and ``show``: the memories there are."""

import textwrap
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, get_args

import click

from daemon.api.passages import ShowPassage
from daemon.api.timeline import Forecast, Foretold
from daemon.commands.terminal import validity
from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.numbers import LARGEST
from daemon.commands.terminal.output import (
    age,
    counted,
    now,
    one_line,
    page_width,
    present,
    print_section,
    print_table,
    printable,
    shortened,
    styled,
)
from daemon.commands.terminal.scope import named_project
from daemon.commands.terminal.verbs import carry_out
from daemon.requests.link import Related
from daemon.requests.memories import List, Listed, MemoryView, Show, Shown, Status, Usage
from daemon.requests.shapes import Tier
from daemon.requests.wording import about_line
from daemon.spans import FOR_EVER

# The states of the two axes in words. Both have a dormant one, so each is said with its axis.
LIFECYCLE = {
    "HOT": "fresh or lately used",
    "WARM": "fading a little",
    "COLD": "not used for weeks",
    "DORMANT": "nearly faded",
    "archivable": "not used for months",
}
ACCESSIBILITY = {
    "active": "on the mind now",
    "dormant": "comes to mind when asked for",
    "silent": "needs a strong cue",
    "unavailable": "hardly comes to mind at all",
}
# How a memory that ended comes back.
BACK = {
    "archived": "unforget",
    "forgotten": "unforget",
    "expired": "unforget",
    "refuted": "confirm",
}
REACHES = tuple(ACCESSIBILITY)
NO_TIME: Mapping[str, float] = {}
NARROW = 30  # columns that an entry of the past has at least


@click.command("list")
@click.option("--project", help="Of this project ('.': the current one) and what holds everywhere.")
@click.option("--type", "kind", help="Only of this type: decision, preference, …")
@click.option("--tier", type=click.Choice(get_args(Tier)), help="Only of this tier.")
@click.option("--state", help="Only in this lifecycle state: HOT, WARM, COLD, DORMANT, …")
@click.option(
    "--accessibility",
    type=click.Choice(REACHES, case_sensitive=False),
    help="Only those that come to mind like this.",
)
@click.option("--status", type=click.Choice(get_args(Status)), help="Only of this status.")
@click.option(
    "--expiring",
    metavar="[DAYS]",
    type=float,
    is_flag=False,
    flag_value=7.0,
    help="Only what is true now and no longer in so many days (7); the soonest first.",
)
@click.option(
    "--fading",
    metavar="DAYS",
    type=click.FloatRange(0, 36_500, min_open=True),
    help="What will be in another state by then if nothing is used; the soonest first.",
)
@click.option("--ended", is_flag=True, help="Those that ended, instead of those that live.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--offset", default=0, show_default=True, type=click.IntRange(0, LARGEST))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_memories(
    project: str | None,
    kind: str | None,
    tier: str | None,
    state: str | None,
    accessibility: str | None,
    status: Status | None,
    expiring: float | None,
    fading: float | None,
    ended: bool,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """Show which memories there are.

    The newest first, of every project unless one is named.
    """
    meant = named_project(project) if project else None
    if fading is not None:
        if any((kind, tier, state, accessibility, status, expiring, ended, offset)):
            raise click.UsageError("--fading goes with --project, --limit and --json alone")
        request = Forecast(days=fading, project=meant, everywhere=project is None, limit=limit)
        present(asked(request), as_json, _print_forecast)
        return
    listed = asked(
        List(
            project=meant,
            everywhere=project is None,
            type=kind,
            tier=tier,
            state=state,
            accessibility=accessibility,
            status=status,
            expiring=expiring,
            ended=ended,
            limit=limit,
            offset=offset,
        )
    )
    present(listed, as_json, lambda found: _print_list(found, offset))


def _print_list(listed: Listed, offset: int) -> None:
    moment = now()
    print_table([_row(memory, moment) for memory in listed.memories])
    shown = len(listed.memories)
    if not listed.total:
        click.echo("there are no such memories")
    elif shown < listed.total:
        click.echo(
            f"{offset + 1}-{offset + shown} of {counted(listed.total, 'memory', 'memories')}"
        )


def _print_forecast(foretold: Foretold) -> None:
    until = datetime.fromtimestamp(foretold.until).astimezone()
    click.echo(f"{counted(foretold.memories, 'memory', 'memories')}, now and on {until:%Y-%m-%d}")
    rows = [
        [state, f"{foretold.now[state]:,}", "->", f"{foretold.then[state]:,}"]
        for state in foretold.now
        if foretold.now[state] or foretold.then[state]
    ]
    print_table(rows, indent=2)
    if not foretold.changes:
        click.echo("nothing changes" if foretold.memories else "there are no memories")
        return
    click.echo()
    moved = [
        [
            one.id,
            f"{datetime.fromtimestamp(one.at).astimezone():%Y-%m-%d}",
            f"{one.now} -> {one.then}",
            one.title,
        ]
        for one in foretold.changes
    ]
    print_table(moved)
    if foretold.changing > len(moved):
        click.echo(f"{len(moved)} of {foretold.changing:,} that change; --limit shows more")


def _row(memory: MemoryView, moment: float) -> list[str]:
    marks = [memory.kind]
    if memory.tier != "normal":
        marks.append(memory.tier)
    if memory.pinned:
        marks.append("pinned")
    if memory.ended is None:
        marks += validity.in_short(memory)
    state = memory.ended or memory.state
    reach = f"access {memory.accessibility}" if memory.accessibility and not memory.ended else ""
    text = memory.title or memory.text
    return [memory.id, age(moment - memory.created_at), " ".join(marks), state, reach, text]


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(id_: str, as_json: bool) -> None:
    """Show one memory with its past.

    Its text, how strong it is, why it was kept, and every change since; or a passage.
    """
    if id_.startswith("p"):
        carry_out(ShowPassage(id=id_), as_json=as_json)
        return
    present(asked(Show(id=id_)), as_json, _print_memory)


def _print_memory(shown: Shown) -> None:
    memory, width, moment = shown.memory, page_width(), now()
    own_title = "" if memory.text.startswith(memory.title) else memory.title
    heading = f"{memory.id}  {one_line(own_title)}".rstrip()
    click.echo(styled(shortened(heading, width), bold=True))
    click.echo(printable(memory.text))
    click.echo()
    facts = [*_facts(memory, moment, shown.spent), *_usage(shown.usage, moment)]
    facts += [["about", about_line(one)] for one in shown.about]
    if shown.context != "general":
        facts.append(["work", shown.context])
    print_table(facts)
    print_section("related", [_related(one) for one in shown.related])
    if shown.read:
        click.echo("\nread by the reader")
        for said in shown.read:
            click.echo(
                textwrap.indent(textwrap.fill(printable(said), max(width - 2, NARROW)), "  ")
            )
    if memory.ended in BACK:
        click.echo(f"\nbring it back: reverie {BACK[memory.ended]} {memory.id}")
    past = (
        ("decisions", [(one, _decided(one, memory.id)) for one in shown.decisions]),
        ("history", [(one, _happened(one)) for one in shown.history]),
        (
            "accessibility, as time and access changed it",
            [(one, _came(one)) for one in shown.transitions],
        ),
    )
    for title, entries in past:
        if entries:
            click.echo(f"\n{title}")
            for entry, words in entries:
                for line in _past(entry, words, moment, width):
                    click.echo(line)


def _facts(
    memory: MemoryView, moment: float, spent: Mapping[str, float] = NO_TIME
) -> list[list[str]]:
    fading = memory.stability < FOR_EVER
    lasting = f"stability {memory.stability:.1f} days" if fading else "does not fade"
    strength = f"{memory.retrievability:.0%} recallable, {lasting}"
    facts = {
        "what": f"{memory.kind}, {memory.tier}" + (", pinned" if memory.pinned else ""),
        "ended" if memory.ended else "lifecycle": _lifecycle(memory, strength),
        "accessibility": _accessibility(memory, spent),
        "kept for": memory.project or "every project",
        "origin": memory.origin + (f", session {memory.session}" if memory.session else ""),
        "made": _when(memory.created_at, moment),
        "changed": _when(memory.updated_at, moment) if memory.versions > 1 else "",
        "status": memory.status + (f", the current “{memory.subject}”" if memory.subject else ""),
        "true": validity.interval(memory, moment),
        "used": f"{counted(memory.uses, 'time')}, shown {counted(memory.exposures, 'time')}",
        "triggers": ", ".join(memory.triggers),
        "key": memory.key or "",
        "replaced by": memory.superseded_by or "",
    }
    return [[name, value] for name, value in facts.items() if value]


def _usage(usage: Usage, moment: float) -> list[list[str]]:
    """What use and people made of it; nothing where nobody said or did anything."""
    rows = [["strengths", f"storage {usage.storage:.1f} of 10, retention {usage.retention:.0%}"]]
    if usage.sessions:
        share = f" ({usage.effectiveness:.0%})" if usage.effectiveness is not None else ""
        shown = f"shown in {counted(usage.sessions, 'session')}, cited in {usage.cited}{share}"
        rows.append(["agents", shown])
    if usage.validations:
        verdicts = counted(usage.validations, "verdict")
        rows.append(["confidence", f"{usage.confidence:.2f} after {verdicts}"])
    if usage.relevance is not None:
        rows.append(["relevance", f"{usage.relevance:.3f}"])
    if usage.suppressions:
        until = ""
        if usage.hidden_until is not None:
            until = f", in no prompt for {(usage.hidden_until - moment) / 3600:.0f} hours more"
        rows.append(["suppressed", counted(usage.suppressions, "time") + until])
    for made in usage.proposals:
        if made["state"] == "open":
            rows.append(
                ["proposed", f"critical ({made['reason']}): reverie plan show {made['id']}"]
            )
    return rows


def _lifecycle(memory: MemoryView, strength: str) -> str:
    if memory.ended:
        return f"{memory.ended} ({strength})"
    words = LIFECYCLE.get(memory.state, "")
    return f"{memory.state} ({strength})" + (f": {words}" if words else "")


def _accessibility(memory: MemoryView, spent: Mapping[str, float]) -> str:
    """The second axis, with its value, in words, and how its life was spent."""
    state = memory.accessibility
    if state is None or memory.ended:
        return ""
    value = memory.accessibility_value
    said = f"{state} ({value:.2f})" if value is not None else state
    life = ", ".join(f"{name} {share:.0f} %" for name, share in spent.items() if share >= 0.5)
    return f"{said}: {ACCESSIBILITY[state]}" + (f"; its life so far: {life}" if life else "")


def _related(one: Related) -> list[str]:
    how = one.how.replace("_", " ")
    said = f"{how} it" if one.incoming else how if one.link is None else f"it {how}"
    return [one.id, said, f"{one.strength:.2f}", one.ended or "", one.title]


def _past(entry: Mapping[str, Any], words: str, moment: float, width: int) -> Iterator[str]:
    """When something happened, and all of what is said about it, on as many lines as it takes."""
    at = entry.get("at")
    when = _when(float(at), moment) if isinstance(at, int | float) else ""
    indent = " " * (len(when) + 4)
    yield from textwrap.wrap(
        f"{when}  {one_line(words)}",
        max(width, len(indent) + NARROW),
        initial_indent="  ",
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def _decided(decision: Mapping[str, Any], id_: str) -> str:
    """What the gate decided, about which other memory, why."""
    existing, decided = decision.get("existing"), decision.get("memory")
    other = ""
    if existing not in (None, id_):
        other = f" of {existing}"
    elif decided not in (None, id_):
        other = f" by {decided}"
    reason, similarity = str(decision.get("reason") or ""), decision.get("similarity")
    close = ""
    if similarity is not None and "similarity" not in reason:
        close = f" (similarity {similarity:.3f})"
    return f"{decision['action']}{other}{': ' if reason else ''}{reason}{close}"


def _happened(entry: Mapping[str, Any]) -> str:
    detail = str(entry.get("detail") or "")
    return f"{entry['what']}{': ' if detail else ''}{detail}"


def _came(change: Mapping[str, Any]) -> str:
    return f"{change['before']} → {change['after']} ({change['cause']})"


def _when(at: float, moment: float) -> str:
    local = datetime.fromtimestamp(at).astimezone()
    return f"{local:%Y-%m-%d %H:%M} ({age(moment - at)})"
