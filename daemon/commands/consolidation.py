"""``consolidate``: relevance, kinships and forgetting, now."""

from typing import Any, Literal, cast

import click

from daemon.commands.terminal.conversation import watched
from daemon.commands.terminal.output import counted, say
from daemon.requests.consolidation import ConsolidateNow, CycleDone

CYCLES = ("all", "decay", "associations", "forgetting")
WORK = {
    "decay": "computing relevance",
    "associations": "comparing memories, project",
    "forgetting": "looking for what nobody would miss",
}
KINDS = {
    "contradicts": ("contradiction", "contradictions"),
    "explains": ("explanation", "explanations"),
    "shares_theme": ("common theme", "common themes"),
    "parallel_context": ("parallel context", "parallel contexts"),
    "evolves_from": ("development", "developments"),
}
SHOWN = 20  # ids


@click.command()
@click.argument("cycle", type=click.Choice(CYCLES), default="all")
@click.option("--dry-run", is_flag=True, help="Only say what would be done; nothing is written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def consolidate(cycle: str, dry_run: bool, as_json: bool) -> None:
    """Let relevance fade, find kinships, propose what to forget.

    The same as runs by itself: decay every day, associations every week, forgetting (off unless
    consolidation.forget is true) every quarter. No text is changed and nothing is forgotten:
    forgetting proposes a plan, which you decide. Ctrl-C stops it; what is stored by then is whole.
    """
    chosen = cast("Literal['all', 'decay', 'associations', 'forgetting']", cycle)
    done = watched(ConsolidateNow(cycle=chosen, dry_run=dry_run), _progress)
    say(done, as_json, "\n".join(said(one, dry_run=done.dry_run) for one in done.cycles))


def _progress(step: dict[str, Any]) -> str:
    return f"{WORK[str(step['cycle'])]}: {step['done']:,} of {step['total']:,}"


def said(one: CycleDone, *, dry_run: bool) -> str:
    """Outcome of a cycle, in a sentence."""
    if one.skipped:
        return f"{one.cycle}: nothing was done: {one.skipped}"
    match one.cycle:
        case "decay":
            return _decay(one, dry_run)
        case "associations":
            return _associations(one, dry_run)
        case "forgetting":
            return _forgetting(one, dry_run)


def _decay(one: CycleDone, dry_run: bool) -> str:
    looked = f"decay: looked at {counted(one.looked_at, 'memory', 'memories')}"
    if dry_run:
        return f"{looked}; the relevance of {one.changed:,} would change"
    return f"{looked}; the relevance of {one.changed:,} is another now"


def _associations(one: CycleDone, dry_run: bool) -> str:
    compared = f"associations: compared {counted(one.looked_at, 'memory', 'memories')}"
    if one.unvectored:
        compared += f" ({one.unvectored:,} have no vector and were left out)"
    if not one.kinds:
        return f"{compared}; found nothing in common"
    found = ", ".join(counted(number, *KINDS[kind]) for kind, number in one.kinds.items())
    if dry_run:
        return f"{compared}; would store {found}"
    return f"{compared}; found {found}, {one.changed:,} of them new"


def _forgetting(one: CycleDone, dry_run: bool) -> str:
    looked = f"forgetting: looked at {counted(one.looked_at, 'faded memory', 'faded memories')}"
    if not one.ids:
        return f"{looked}; there is nothing new to propose"
    ids = " ".join(one.ids[:SHOWN]) + (" …" if len(one.ids) > SHOWN else "")
    memories = counted(len(one.ids), "memory", "memories")
    if dry_run:
        return f"{looked}; would propose to archive {memories}: {ids}"
    return f"{looked}; plan {one.plan} proposes to archive {memories}: {ids}"
