"""docs/cli.md has every command with every option, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from daemon.commands.group import ENTRIES, reverie

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(reverie)
    for name in ENTRIES:
        command = reverie.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                yield name, command
            yield from ((f"{name} {sub}", command.commands[sub]) for sub in command.commands)
        else:
            yield name, command


def sections() -> dict[str, str]:
    parts = re.split(r"^### reverie (.*)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    titles = [re.match(r"[a-z]+( [a-z]+)?", title) for title in parts[1::2]]
    return {
        title[0]: body for title, body in zip(titles, parts[2::2], strict=True) if title is not None
    }


COMMANDS = dict(commands())


def test_the_page_has_exactly_the_commands_there_are() -> None:
    assert set(sections()) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_every_option(name: str) -> None:
    options = [
        option
        for parameter in COMMANDS[name].params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    ]

    missing = [option for option in options if f"`{option}`" not in sections()[name]]

    assert not missing


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_no_option_that_is_not_there(name: str) -> None:
    table = re.findall(r"^\| (`-.*?) \|", sections()[name], flags=re.MULTILINE)
    documented = {option for row in table for option in re.findall(r"`(-[^`]*)`", row)}
    there = {option for parameter in COMMANDS[name].params for option in parameter.opts}

    assert documented <= there
