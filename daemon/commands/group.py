"""The table of commands, and a group importing a command only when it is used.

``reverie --help`` reads this table and ``declared.txt``, which has each command's line of help.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from daemon import own_version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from click.shell_completion import CompletionItem


# ---- the lines of ``declared.txt``, made by scripts/pages.py, and of ``retired.txt``, written by whoever takes a
# command or an option out; each of these is said for one release


_FOLDER = __file__[: -len("group.py")]


def _lines(name: str, parts: int) -> list[list[str]]:
    """Read a file of this folder: lines of so many parts with a colon between. No pathlib: ``--help`` is quick."""
    with open(f"{_FOLDER}{name}.txt", encoding="utf-8") as file:
        return [line.split(": ", parts - 1) for line in file.read().splitlines()]


def retired() -> dict[str, str]:
    """Replacements of retired commands, or of commands with an option."""
    return {line[0]: line[1] for line in _lines("retired", 2)}


_DECLARED = _lines("declared", 3)
HELP = {name: line for name, _, line in _DECLARED}
SUBJECTS = {name: subject for name, subject, _ in _DECLARED if subject != "-"}


PROGRAM = "reverie"
SHELLS = ("bash", "zsh", "fish")
COMPLETION = "_REVERIE_COMPLETE"  # what a shell sets that asks how a line goes on

# Each topic of the help with its commands, in their order; an operation that is not named here stands under More.
TOPICS: dict[str, str] = {
    "Remember and recall": (
        "remember recall about list show useful useless link unlink confirm refute pin "
        "edit inbox start-page plans plan forget unforget purge"
    ),
    "Later": "intend",
    "In bulk": "reader learn import export share gate redact",
    "What happened": (
        "view timeline why injections explore stats session log episodes backfill journal eval"
    ),
    "Dreams": "dream insights",
    "The daemon": "up down status pause resume backup doctor config model",
    "Agents and editors": "demo install uninstall lsp mcp",
}
# Commands that are no operations, or do some work at the terminal: module in daemon.commands.local, and name there.
# The last two are run by services and agents, never typed.
OWN: dict[str, str] = {
    "recall": "recall:recall",
    "import": "transfer:import_rows",
    "export": "transfer:export_rows",
    "gate": "transfer:gate",
    "redact": "privacy:redact",
    "explore": "graph:explore",
    "view": "processes:view",
    "log": "log:log",
    "journal": "log:journal",
    "eval": "evaluation:evaluate",
    "up": "processes:up",
    "down": "processes:down",
    "status": "processes:status",
    "pause": "privacy:pause",
    "resume": "privacy:resume",
    "backup": "backup:backup",
    "doctor": "doctor:doctor",
    "config": "config:config",
    "model": "model:model",
    "demo": "demo:demo",
    "install": "install:install",
    "uninstall": "install:uninstall",
    "lsp": "processes:lsp",
    "mcp": "processes:mcp",
    "daemon": "processes:daemon",
    "hook": "processes:hook",
}


class Gone(click.ClickException):
    """A command of the version before; the text names its replacement."""

    exit_code = click.UsageError.exit_code


def topics(operations: Iterable[str]) -> dict[str, list[str]]:
    """Commands by the topic of the help, among them these of operations."""
    placed = {topic: names.split() for topic, names in TOPICS.items()}
    there = {name for names in placed.values() for name in names}
    more = [name for name in operations if " " not in name and name not in there]
    return {**placed, "More": more} if more else placed


def own(name: str) -> click.Command:
    """The command of this name with a module of its own, imported now."""
    module, _, attribute = OWN[name].partition(":")
    command: click.Command = getattr(import_module(f"daemon.commands.local.{module}"), attribute)
    return command


class LazyGroup(click.Group):
    """A group with its commands in the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Every command for a person, in the order of the table."""
        return [name for names in topics(SUBJECTS).values() for name in names]

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        cmd_name: str,
    ) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name in OWN:
            return own(cmd_name)
        if cmd_name not in SUBJECTS:
            return None
        from daemon.commands.terminal.verbs import command

        return command(import_module(f"daemon.api.{SUBJECTS[cmd_name]}"), cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command at the beginning of the arguments; a near one, when it is mistyped.

        Raises ``click.UsageError`` for an unknown name, ``Gone`` for a retired command or option.
        """
        name = args[0]
        if ctx.resilient_parsing:  # a shell asks how a line goes on, and shows no complaint
            return super().resolve_command(ctx, args)
        gone = retired()
        for said in (name, *(f"{name} {word.partition('=')[0]}" for word in args[1:])):
            if said in gone:
                raise Gone(f"{said!r} is gone: {gone[said]}.")
        if name not in HELP and not name.startswith("-"):
            import difflib  # 17 ms, and only for a mistake

            near = difflib.get_close_matches(name, HELP, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names beginning with the typed text, by the table alone, and options."""
        from click.shell_completion import CompletionItem

        named = [
            CompletionItem(name, help=HELP[name])
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        formatter: click.HelpFormatter,
    ) -> None:
        """The table as it is: one section a topic, one line a command."""
        for topic, names in topics(SUBJECTS).items():
            with formatter.section(topic):
                formatter.write_dl([(name, HELP[name]) for name in names])


def _print_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"reverie {own_version()}")
        ctx.exit()


def _print_completions(ctx: click.Context, _parameter: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    from click.shell_completion import get_completion_class

    of_shell = get_completion_class(shell)
    assert of_shell is not None  # one of those that may be given
    click.echo(of_shell(ctx.command, {}, PROGRAM, COMPLETION).source())
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="REVERIE_HOME moves everything reverie keeps. 'reverie COMMAND --help' says more.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and leave.",
)
@click.option(
    "--completions",
    type=click.Choice(SHELLS),
    is_eager=True,
    expose_value=False,
    callback=_print_completions,
    metavar="SHELL",
    help="Print what bash, zsh or fish runs to complete with Tab.",
)
def reverie() -> None:
    """A memory that lives beside a programmer and the coding agents they use."""
