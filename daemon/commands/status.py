"""``status``: how the daemon is."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import anyio
import click
import msgspec

from daemon.client import DaemonAway, Refused, open_client
from daemon.commands.terminal.output import (
    age,
    counted,
    duration,
    now,
    one_line,
    present,
    print_json,
    print_section,
    print_table,
    styled,
)
from daemon.durability.copies import newest
from daemon.failed_starts import failed_start
from daemon.home import Home, current_home
from daemon.launch import HUNG_AFTER, StartFailed, greeting, lock_holder
from daemon.recording import Recording
from daemon.requests.status import Status, StatusReply
from daemon.version import own_version

STATE_FIGURES = frozenset({"state", "reason", "embedding", "model"})  # said elsewhere
DIGITS = 2  # behind the point of a figure
STATUS_WITHIN = 10.0  # seconds


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def status(as_json: bool) -> None:
    """Show how reverie is.

    Does not start it: when it is not running, the exit code is 1.
    """
    home = current_home()
    found = anyio.run(partial(current_status, home))
    if found is not None:
        degraded = [*found.degraded, *_unreadable_settings(home, found.uptime)]
        found = msgspec.structs.replace(found, degraded=degraded, **off_here(home))
    else:
        failed = failed_line(home, now())
        if as_json:
            print_json(_absent(home, failed))
        else:
            _tell_off(off_here(home)["recording"])
        raise click.ClickException(
            f"not running: {failed}"
            if failed
            else f"not running (home {home.root}); 'reverie up' starts it"
        )
    present(found, as_json, _print_status)


async def current_status(home: Home) -> StatusReply | None:
    """Status by the daemon; ``None`` when there is none. One that hangs is told at once."""
    strangers: list[str] = []
    try:
        if await greeting(home, strangers.append, within=HUNG_AFTER) is not None:
            async with open_client(home) as client:
                return await client.ask(Status(), within=STATUS_WITHIN)
    except DaemonAway:
        return None
    except StartFailed as error:
        raise click.ClickException(str(error)) from error
    except Refused as error:
        raise click.ClickException(f"refused: {error}") from error
    except TimeoutError as error:
        problem = (
            f"the daemon did not answer within {STATUS_WITHIN:g} s; see 'reverie log --daemon'"
        )
        raise click.ClickException(problem) from error
    if strangers:
        raise click.ClickException(strangers[0])
    return None


def off_here(home: Home) -> dict[str, Any]:
    """What of the reply only this process knows: where recording is off, and lines that say so."""
    recording, moment = Recording(home), now()
    here = recording.off_here(moment)
    folder = "" if here is None else here.folder
    if here is not None and here.pause is not None:
        folder = here.pause.folders[0] if here.pause.folders else "/"
    return {"recording_off": folder, "recording": recording.lines(moment)}


def _unreadable_settings(home: Home, uptime: float) -> list[str]:
    """Line about a mistake in the settings that the daemon that runs has not read yet."""
    try:
        is_new = home.config.stat().st_ctime > now() - uptime
    except OSError:
        is_new = False
    is_set = any(name.startswith("REVERIE_") and name.count("_") > 1 for name in os.environ)
    if not (is_new or is_set):
        return []
    # Not before: to import it is to import every actor, ten times what all else of this costs.
    from daemon.settings import SettingsError, load

    try:
        load(home, os.environ)
    except SettingsError as error:
        return [f"the next start will fail: {error}"]
    return []


def _tell_off(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(f"recording is {one_line(line)}")


def failed_line(home: Home, moment: float) -> str:
    """Failure to start and who tries again when; empty when none failed, or one goes on."""
    failed = failed_start(home)
    if failed is None or lock_holder(home) is not None:
        return ""
    which = "the last start" if failed.times == 1 else f"the last {failed.times} starts"
    left = failed.at + failed.rest - moment
    hooks = f", agents' hooks again in {duration(left)}" if 0 < left <= failed.rest else ""
    since = age(moment - failed.at)
    return f"{which} failed, {since}: {failed.why}; 'reverie up' tries at once{hooks}"


def _absent(home: Home, failed: str) -> dict[str, Any]:
    """The shape of a reply, for scripts that wait for ``ready``."""
    return {
        "ready": False,
        "pid": None,
        "version": own_version(),
        "home": str(home.root),
        "uptime": 0.0,
        "memories": None,
        "vectors": "off",
        "vectors_detail": "not running",
        "spooled": None,
        "undone": None,
        "degraded": ["not running", *([failed] if failed else [])],
        "actors": {},
        "schedule": {},
        "plans": 0,
        "passages": 0,
        "passages_bytes": 0,
        "inbox": 0,
        "backup": copy.at if (copy := newest(home)) is not None else None,
        **off_here(home),
    }


def _print_status(found: StatusReply) -> None:
    state = "ready" if found.ready else "starting"
    running = f"process {found.pid}, running for {duration(found.uptime)}"
    click.echo(f"{styled(f'reverie {found.version} is {state}', bold=True)} ({running})")
    print_table(_facts(found))
    _tell_off(found.recording)
    for problem in found.degraded:
        click.echo(styled(f"degraded: {one_line(problem)}", fg="yellow"))
    moment = now()
    print_section("actors", [[name, _said(entry)] for name, entry in found.actors.items()])
    print_section("schedule", [_job(entry, moment) for entry in found.schedule.values()])


def _facts(found: StatusReply) -> list[list[str]]:
    detail = f" ({found.vectors_detail})" if found.vectors_detail else ""
    facts = [
        ["home", found.home],
        ["memories", "unknown" if found.memories is None else f"{found.memories:,}"],
        ["vectors", f"{found.vectors}{detail}"],
        ["passages", f"{found.passages:,}, {found.passages_bytes / 1e6:.1f} MB of text"],
        ["backup", "none yet" if found.backup is None else f"{age(now() - found.backup)}"],
    ]
    if (loop := found.actors.get("loop", {})).get("held"):
        times = f"over 100 ms {counted(loop['held'], 'time')}, up to {loop['longest_ms']:g} ms"
        facts.append(["held up", f"{times}, last by {loop['held_by']}"])
    recall = found.actors.get("recall", {})
    if recall.get("by_words_alone") and found.vectors != "off":
        said = f"{recall['by_words_alone']} of {recall['prompts']} answered by words alone"
        facts.append(["prompts", f"{said}: their vectors were not there in time"])
    if (answers := found.actors.get("answers", {})).get("late"):
        said = f"{counted(answers['late'], 'answer')} late or partial, {answers['told_later']} told later"
        facts.append(["late", said])
    reminders = found.actors.get("prospective", {})
    if reminders.get("open"):
        said = f"{reminders['due']} told and not done, {reminders['open']} open (reverie intend --list)"
        facts.append(["reminders", said])
    if found.plans:
        facts.append(["plans", f"{found.plans} to decide on (reverie plans)"])
    if away := found.actors.get("archivist", {}).get("put_away_in_30_days"):
        said = f"{counted(away, 'memory', 'memories')} by itself in 30 days (reverie plans --all)"
        facts.append(["put away", said])
    if found.inbox:
        facts.append(["inbox", f"{counted(found.inbox, 'note')} of the reader (reverie inbox)"])
    if found.undone:
        facts.append(["journal", f"{counted(found.undone, 'event')} not worked through yet"])
    if found.spooled:
        facts.append(["spool", f"{counted(found.spooled, 'event')} waiting"])
    return facts


def _job(entry: dict[str, Any], moment: float) -> list[str]:
    """When a job runs next, when it ran, and what it waits for."""
    left = float(entry["due"]) - moment
    last = entry["last_ran"]
    ran = f"ran {age(moment - float(last))}" if last is not None else "has not run yet"
    return [str(entry["job"]), _coming(entry, left), ran]


def _coming(entry: dict[str, Any], left: float) -> str:
    if entry["running"]:
        return "running now"
    if left > 0:
        return f"due in {duration(left)}"
    return f"due, waits: {entry['waits_for']}" if entry["waits_for"] else "due now"


def _said(figures: dict[str, Any]) -> str:
    """The figures of one part that say anything: its state, and what is not zero."""
    said = [str(figures["state"])] if "state" in figures else []
    for name, value in figures.items():
        if name in STATE_FIGURES or not value or isinstance(value, dict):
            continue
        shown = round(value, DIGITS) if isinstance(value, float) else value
        said.append(f"{name.replace('_', ' ')} {shown}")
    return ", ".join(said) or "none yet"
