"""``doctor``: find out what is wrong, and repair what can be repaired."""

import os
from contextlib import suppress
from typing import Any

import click

from daemon.api.status import StatusReply
from daemon.commands.local import checks, repair
from daemon.commands.local.agent_checks import claude_check, hook_check, others_check, reader_check
from daemon.commands.local.checks import Check
from daemon.commands.local.model import used_model
from daemon.commands.local.secrets import clean
from daemon.commands.local.status import current_status, failed_line
from daemon.commands.terminal.output import error_line, print_json, styled
from daemon.commands.terminal.words import now, one_line, page_width, shortened
from daemon.durability.repair import Repaired
from daemon.home import Home, chosen_home, current_home, distrust
from daemon.installing.agents import usual_places
from daemon.settings import SettingsError, load

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
        clean(current_home(), yes=yes, as_json=as_json)
        return
    if yes and not fix:
        raise click.UsageError("--yes goes with --fix or --secrets")
    home = chosen_home()
    results = examined(home)
    repaired = _repaired(results) if fix else set[str]()
    salvaged: Repaired | None = None
    if fix and "database" in _failed(results):
        salvaged = repair.repaired(home, yes=yes)
        if checks.database_check(home).state == "ok":
            repaired.add("database")
    if repaired:
        results = examined(home)
    if as_json:
        rows = [_row(check, repaired) for check in results]
        print_json({"ok": not _failed(results), "checks": rows, "salvaged": salvaged})
    else:
        if salvaged is not None:
            repair.tell(salvaged)
        for check in results:
            _print(check, check.name in repaired)
    if _failed(results):
        raise click.ClickException(f"failed: {', '.join(_failed(results))}")


def examined(home: Home) -> list[Check]:
    """Every check, in the order in which one would look; of an unusable home only its own."""
    if home.misplaced() or distrust(home.root):
        return [checks.home_check(home)]
    found, problem = _seen(home)
    places = usual_places(home, os.environ)
    answered = found is not None or bool(problem)
    moment = now()
    results = [
        checks.home_check(home),
        checks.daemon_check(found, problem, failed_line(home, moment)),
    ]
    results.append(checks.health_check(found) if found is not None else checks.lock_check(home))
    results += [
        checks.address_check(home, answered),
        checks.start_check(home),
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
        checks.llama_check(),
        hook_check(home),
        claude_check(places),
        others_check(places),
        *filter(None, [reader_check(home)]),
        checks.recording_check(home, moment),
        checks.clock_check(home, moment),
    ]


def _seen(home: Home) -> tuple[StatusReply | None, str]:
    try:
        return current_status(home), ""
    except click.ClickException as error:
        return None, error.message


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
