"""``config``: every setting with its value, its default and where the value comes from."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING

import click

from daemon.commands.terminal.output import error_line, print_json, styled
from daemon.commands.terminal.words import page_width, shortened, table
from daemon.home import Home, current_home

if TYPE_CHECKING:
    from daemon.settings import Entry, Loaded

VALUE_WIDTH = 24  # columns: the 21 weights of FSRS do not fit; --json has them


def loaded(home: Home) -> Loaded:
    """The settings of this home and this environment, for commands without a daemon.

    Raises ``SettingsError`` when one is wrong.
    """
    # Not before: to import it is to import every actor, ten times what help and --version cost.
    from daemon.settings import load

    return load(home, os.environ)


@click.command()
@click.option(
    "--fit-curve", is_flag=True, help="Fit the forgetting curve to your own reviews, from 100 on."
)
@click.option("--dry-run", is_flag=True, help="With --fit-curve: only say what would be done.")
@click.option(
    "--reset-curve", is_flag=True, help="Go back to the curve that everybody starts with."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def config(fit_curve: bool, dry_run: bool, reset_curve: bool, as_json: bool) -> None:
    """Show every setting with its origin.

    Settings are in config.toml in the data home; every key can also be given as
    REVERIE_<SECTION>_<KEY>. A curve that was fitted is kept there, as strength.weights, only when
    it predicts reviews better that it was not fitted to.
    """
    if (fit_curve and reset_curve) or (dry_run and not fit_curve):
        raise click.UsageError("--dry-run goes with --fit-curve, and --reset-curve stands alone")
    home = current_home()
    if fit_curve or reset_curve:
        from daemon.commands.local import curve_fit

        if reset_curve:
            curve_fit.reset(home, as_json=as_json)
        else:
            curve_fit.fit(home, dry_run=dry_run, as_json=as_json)
        return
    found = loaded(home)
    if as_json:
        print_json(
            {
                "file": str(home.config),
                "settings": [entry._asdict() for entry in found.entries],
                "warnings": list(found.warnings),
            }
        )
        return
    click.echo(f"{home.config}{'' if home.config.is_file() else ' (not there: all defaults)'}")
    for line in table([_row(entry) for entry in found.entries], page_width()):
        click.echo(styled(line, bold=True) if line.startswith("*") else line)
    for warning in found.warnings:
        error_line(f"warning: {warning}")


def _row(entry: Entry) -> list[str]:
    changed = entry.value != entry.default
    value = f"{_said(entry.value)} ({entry.origin})" if changed else _said(entry.value)
    return ["*" if changed else " ", entry.key, shortened(value, VALUE_WIDTH), entry.description]


def _said(value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    return str(value) if value != "" else '""'
