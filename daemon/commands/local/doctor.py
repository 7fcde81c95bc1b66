"""``doctor``: find out what is wrong, and repair what can be repaired."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import trio

from daemon.api.status import StatusReply
from daemon.commands.local import checks
from daemon.commands.local.checks import Check
from daemon.commands.local.model import used_model
from daemon.commands.local.processes import current_status, failed_line
from daemon.commands.terminal.failure import line_of
from daemon.commands.terminal.output import error_line, print_json, styled
from daemon.commands.terminal.verbs import carry_out
from daemon.commands.terminal.words import counted, now, one_line, page_width, shortened
from daemon.home import Home, chosen_home, distrust
from daemon.installing.agents import (
    Places,
    agents_here,
    claude_settings,
    is_connected,
    to_install,
    usual_places,
)
from daemon.installing.files import InstallationError
from daemon.launch import stop_daemon
from daemon.lock import held_lock
from daemon.settings import SettingsError, load
from hooks import ownership

if TYPE_CHECKING:
    from daemon.durability.repair import Came, Repaired

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--fix", is_flag=True, help="Repair what can be repaired.")
@click.option("--secrets", is_flag=True, help="Look for secrets that earlier versions let in.")
@click.option("--yes", is_flag=True, help="With --fix or --secrets: do not ask.")
def doctor(as_json: bool, fix: bool, secrets: bool, yes: bool) -> None:
    """Find out what is wrong, and repair it.

    Looks at the data home, the daemon, the database, the model and the agents. The exit
    code is 1 when something failed. With --fix a damaged database is made anew of what can
    be read of it, once a person says so; the damaged file is kept. With --secrets it looks through everything that is stored
    instead, with today's rules, and takes out what they find, once a person says so. The daemon
    changes the database by itself when it starts for the first time after an update.
    """
    if secrets:
        from daemon.api.erase import Secrets  # not before: few ask

        carry_out(Secrets(yes=yes), as_json=as_json)
        return
    if yes and not fix:
        raise click.UsageError("--yes goes with --fix or --secrets")
    home = chosen_home()
    results = examined(home)
    repaired = _repaired(results) if fix else set[str]()
    salvaged: Repaired | None = None
    if fix and "database" in _failed(results):
        salvaged = _made_anew(home, yes=yes)
        if checks.database_check(home).state == "ok":
            repaired.add("database")
    if repaired:
        results = examined(home)
    if as_json:
        rows = [_row(check, repaired) for check in results]
        print_json({"ok": not _failed(results), "checks": rows, "salvaged": salvaged})
    else:
        if salvaged is not None:
            _tell_repair(salvaged)
        for check in results:
            _print(check, check.name in repaired)
    if _failed(results):
        raise click.ClickException(f"failed: {', '.join(_failed(results))}")


def examined(home: Home) -> list[Check]:
    """Every check, in the order in which one would look; of an unusable home only its own."""
    if home.no_folder or distrust(home.root):
        return [checks.home_check(home)]
    found, problem = _seen(home)
    places = usual_places(home, os.environ)
    answered = found is not None or bool(problem)
    moment = now()
    results = [
        checks.home_check(home),
        checks.daemon_check(home, found, problem, failed_line(home, moment)),
        checks.spool_check(home, found is not None, moment),
        checks.disk_check(home),
        checks.backup_check(home, moment),
    ]
    if not answered or (found is not None and checks.is_database_in_doubt(home, found)):
        results.append(checks.database_check(home))
    return [
        *results,
        *_warned(home),
        _settings_and_model(home),
        hook_check(home),
        agents_check(places),
        *filter(None, [reader_check(home)]),
        checks.recording_check(home, moment),
    ]


def _seen(home: Home) -> tuple[StatusReply | None, str]:
    try:
        return current_status(home), ""
    except Exception as error:  # whatever it is, the other checks are made
        return None, line_of(error)


def _warned(home: Home) -> list[Check]:
    """Unused settings; a mistake stopping the daemon is told with the model."""
    with suppress(SettingsError):
        found = load(home, os.environ).warnings
        if found:
            return [Check("settings", "warn", "; ".join(found), "reverie config shows all of them")]
    return []


def _settings_and_model(home: Home) -> Check:
    try:
        return checks.model_check(used_model(home))
    except SettingsError as error:
        return Check("settings", "fail", str(error), f"correct {home.config}")


def _repaired(results: list[Check]) -> set[str]:
    done: set[str] = set()
    for check in results:
        if check.repair is None:
            continue
        try:
            check.repair()
        except OSError as error:
            error_line(f"cannot repair {check.name}: {error.strerror}")
        else:
            done.add(check.name)
    return done


def _failed(results: list[Check]) -> list[str]:
    return [check.name for check in results if check.state == "fail"]


def _row(check: Check, repaired: set[str]) -> dict[str, Any]:
    return {
        "name": check.name,
        "state": check.state,
        "detail": check.detail,
        "remedy": check.remedy,
        "repaired": check.name in repaired,
    }


def _print(check: Check, repaired: bool) -> None:
    width = page_width()
    detail = one_line(check.detail) + (" (repaired)" if repaired else "")
    state = styled(f"{check.state:<4}", fg=COLOURS[check.state])
    click.echo(f"{state}  {shortened(f'{check.name:<10} {detail}', width - 6)}")
    if check.remedy:
        click.echo(f"      {'':<10} {one_line(check.remedy)}")


# ---- checks of ``doctor`` where agents are concerned: the hook client and their settings


def hook_check(home: Home) -> Check:
    """Check the hook client recorded by an installation; without one a slower one runs."""
    record = home.hook_client
    if not record.is_file():
        return Check("hook", "warn", "no hook client is recorded", "reverie install AGENT")
    client = Path(record.read_text(encoding="utf-8").partition("\n")[0])
    if not (client.is_absolute() and client.is_file() and os.access(client, os.X_OK)):
        return Check("hook", "fail", f"{client} cannot be run", "reverie install AGENT")
    if reason := distrust(record) or distrust(client, strict=ownership.PROGRAM):
        return Check("hook", "fail", f"not used: {reason}", "reverie install AGENT")
    return Check("hook", "ok", str(client))


def reader_check(home: Home) -> Check | None:
    """Check the presence of the engine for reading sessions; nothing where nobody reads."""
    # Not before: most homes have none.
    from daemon.engines.choice import BadChoice, described
    from daemon.engines.process import Place
    from daemon.settings import SettingsError, load

    try:
        choice = load(home, os.environ).settings.reader
    except SettingsError:
        return None  # said with the model
    if not choice.engine:
        return None
    try:
        found = trio.run(described, choice, Place.of(home))
    except BadChoice as error:
        return Check("reader", "fail", str(error), "reverie reader use")
    if found.trouble:
        return Check("reader", "warn", found.trouble, "reverie reader use")
    return Check("reader", "ok", f"{found.name} {found.model}".strip())


def agents_check(places: Places) -> Check:
    """Check whether the agents of this machine run the hooks of this installation."""
    ours = [one for one in agents_here(places) if one == "claude" or is_connected(one, places)]
    try:
        old = [one for one in ours if any(change.is_one for change in to_install(one, places))]
        is_off = "claude" in ours and claude_settings(places).get("disableAllHooks") is True
    except InstallationError as error:
        return Check("agents", "fail", str(error), "mend that file")
    if is_off:
        said = f"{places.settings} has disableAllHooks: no hook runs"
        return Check("agents", "fail", said, "take it out there")
    if old:
        told = f"not connected, or by another version or installation: {', '.join(old)}"
        return Check("agents", "warn", told, f"reverie install {old[0]}")
    return Check("agents", "ok", f"connected: {', '.join(ours) or 'none'}")


# ---- ``doctor --fix`` of a damaged database: asks, has it repaired, tells the result

QUESTION = (
    "The database is damaged. A new one is made of what can be read, of the newest sound backup and"
    " of the journal; the damaged file is kept beside the backups. Go on?"
)
FINISHED = "what an earlier repair had made is in its place now"


def _made_anew(home: Home, *, yes: bool) -> Repaired | None:
    """Repair the database once a person says so; ``None`` when there is nothing to tell of it."""
    if not yes and not click.confirm(QUESTION, default=False, err=True):
        error_line("the database was left as it is")
        return None
    from daemon.durability import repair  # it loads the store's rooms: few are damaged

    stop_daemon(home)
    with held_lock(home):
        if repair.finish(home, now()):
            error_line(FINISHED)
            return None
        error_line("making a new database of what can be read")
        return repair.repair(home, now())


def _tell_repair(done: Repaired) -> None:
    """Print the origins of everything recovered, and the losses."""
    click.echo(_came(done.memories, "memory", "memories", done))
    click.echo(_came(done.events, "event", "events", done))
    if done.replayed:
        again = counted(done.replayed, "event")
        click.echo(
            f"{again} that missing memories were made of: worked through again at the next start"
        )
    click.echo("words are indexed anew; the daemon makes the vectors and takes the spool in")
    if done.aside:
        click.echo(f"the damaged file is kept: {done.aside}")


def _came(came: Came, word: str, plural: str, done: Repaired) -> str:
    from_backup = f", {came.restored:,} from {done.backup}" if done.backup else ""
    return (
        f"{counted(came.salvaged, word, plural)} from the damaged file{from_backup},"
        f" {came.missing:,} missing"
    )
