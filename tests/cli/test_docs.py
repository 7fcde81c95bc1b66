"""docs/reference/cli.md has every command with every option, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from daemon.commands.group import HELP, reverie

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(reverie)
    for name in HELP:
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
    titles = [re.match(r"[a-z-]+( [a-z]+)?", title) for title in parts[1::2]]
    return {
        title[0]: body for title, body in zip(titles, parts[2::2], strict=True) if title is not None
    }


COMMANDS = dict(commands())


def test_the_page_has_exactly_the_commands_there_are() -> None:
    assert set(sections()) == set(COMMANDS)


def test_the_page_has_every_option() -> None:
    missing = [
        (name, option)
        for name, body in sections().items()
        for parameter in COMMANDS[name].params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
        if f"`{option}`" not in body
    ]

    assert missing == []


def test_the_page_has_no_option_that_is_not_there() -> None:
    documented = {
        (name, option)
        for name, body in sections().items()
        for row in re.findall(r"^\| (`-.*?) \|", body, flags=re.MULTILINE)
        for option in re.findall(r"`(-[^`]*)`", row)
    }
    there = {
        (name, option)
        for name, command in COMMANDS.items()
        for parameter in command.params
        for option in parameter.opts
    }

    assert documented - there == set()
