"""The table of commands, and the group that imports a command only when it is used.

``reverie --help`` reads this table alone. Lines of operations stand in ``declared``; a test compares
the others with the command's own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click

from daemon.commands.declared import DECLARED
from daemon.version import own_version

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


PROGRAM = "reverie"
SHELLS = ("bash", "zsh", "fish")
COMPLETION = "_REVERIE_COMPLETE"  # what a shell sets that asks how a line goes on


class Entry(NamedTuple):
    """Entry of a command: where it is, and what it is for, in one line."""

    where: str  # module in daemon.commands, and the command's name in it; of an operation api.<subject>
    help: str


def _declared(name: str) -> Entry:
    return Entry(*DECLARED[name])


TOPICS: dict[str, dict[str, Entry]] = {
    "Remember and recall": {
        "remember": _declared("remember"),
        "recall": Entry("recall:recall", DECLARED["recall"][1]),
        "about": _declared("about"),
        "list": _declared("list"),
        "show": _declared("show"),
        "useful": _declared("useful"),
        "useless": _declared("useless"),
        "link": _declared("link"),
        "unlink": _declared("unlink"),
        "confirm": _declared("confirm"),
        "refute": _declared("refute"),
        "pin": _declared("pin"),
        "edit": _declared("edit"),
        "inbox": _declared("inbox"),
        "start-page": _declared("start-page"),
        "plans": _declared("plans"),
        "plan": _declared("plan"),
        "forget": _declared("forget"),
        "unforget": _declared("unforget"),
        "purge": _declared("purge"),
    },
    "Later": {
        "intend": _declared("intend"),
    },
    "In bulk": {
        "reader": _declared("reader"),
        "learn": _declared("learn"),
        "import": Entry("transfer:import_rows", "Keep every row of a JSON Lines file."),
        "export": Entry("transfer:export_rows", "Write every living memory as JSON Lines."),
        "gate": Entry("transfer:gate", "Say what the gate would do with pairs of texts."),
        "redact": Entry("local.redact:redact", "Take the secrets out of a text."),
    },
    "What happened": {
        "timeline": _declared("timeline"),
        "why": Entry("why:why", "Say why a memory is there."),
        "injections": _declared("injections"),
        "explore": Entry("graph:explore", "Show what a memory is connected with."),
        "stats": _declared("stats"),
        "session": _declared("session"),
        "log": Entry("local.log:log", "Show what was learnt, changed and shown."),
        "episodes": _declared("episodes"),
        "backfill": _declared("backfill"),
        "journal": Entry("local.log:journal", "Show which events arrived."),
        "eval": Entry("local.evaluation:evaluate", "Measure how well recall finds."),
    },
    "Dreams": {
        "dream": _declared("dream"),
        "insights": _declared("insights"),
    },
    "The daemon": {
        "up": Entry("local.up:up", "Start reverie in the background."),
        "down": Entry("local.up:down", "Stop reverie."),
        "status": Entry("local.status:status", "Show how reverie is."),
        "pause": Entry(
            "local.pause:pause", "Record nothing, and tell agents nothing, until 'reverie resume'."
        ),
        "resume": Entry(
            "local.pause:resume", "Record again: end every pause, or that of a project or session."
        ),
        "backup": Entry("local.backup:backup", "Make, list, check and bring back backups."),
        "snapshot": Entry(
            "local.snapshot:snapshot", "Keep copies by name, and bring some memories back."
        ),
        "doctor": Entry("local.doctor:doctor", "Find out what is wrong, and repair it."),
        "config": Entry("local.config:config", "Show every setting with its origin."),
        "model": Entry("local.model:model", "Set up, add and choose the embedding model."),
    },
    "Agents and editors": {
        "demo": Entry(
            "local.demo:demo",
            "Show the main job end to end, on real parts, and leave nothing behind.",
        ),
        "install": Entry("local.install:install", "Connect an agent with reverie."),
        "uninstall": Entry("local.install:uninstall", "Disconnect an agent."),
        "lsp": Entry("local.frontends:lsp", "Serve an editor (run by the editor)."),
        "mcp": Entry("local.frontends:mcp", "Serve an agent's tools (run by the agent)."),
    },
}

# Run by services and agents, never typed.
HIDDEN = {
    "daemon": Entry("local.frontends:daemon", "Run the daemon in the foreground."),
    "hook": Entry("local.frontends:hook", "Carry one event of an agent (run by the agent)."),
}

# Commands of the version before, and what to use instead; each is said for one release.
RETIRED: dict[str, str] = {
    "dreams": "'reverie dream --past' shows which dreams there were, 'reverie dream --past ID' what came of one",
    "autostart": "'reverie up --at-login' starts reverie with your session, --not-at-login no more",
    "intentions": "'reverie intend --list' shows what you mean to do, 'reverie intend --done ID' ends one",
    "optimize": "'reverie config --fit-curve' fits the forgetting curve to your own reviews",
    "consolidate": "each dream does it: 'reverie dream --now'; 'reverie show ID' computes a relevance"
    " when it is asked",
    "events": "'reverie log --follow' shows what happens, as it happens",
    "logs": "'reverie log --daemon' shows the daemon's own log",
    "migrate": "'reverie doctor --try-update' tries an update on a copy",
    "folders": "'reverie recall --folders QUERY' finds the folder that it is about",
    "forecast": "'reverie list --fading DAYS' tells what will have faded by then",
    "proposals": "'reverie plans' shows what reverie proposes, 'reverie plan apply ID' does it",
    "tier": "'reverie edit ID --tier TIER' sets how much a memory weighs",
    "promote": "'reverie edit ID --promote' makes a memory stronger",
    "demote": "'reverie edit ID --demote' makes a memory weaker",
    "suppress": "'reverie useless ID --suppress' brings a memory back less",
    "unsuppress": "'reverie useless ID --take-back' takes the last suppression back",
    "archive": "'reverie forget ID --archive' puts a memory away, 'reverie forget --candidates'"
    " shows what reverie would put away",
    "unarchive": "'reverie unforget ID' brings an archived memory back",
    "merge": "'reverie import --merge DIR' brings what another home has and this one has not;"
    " 'reverie snapshot restore before-merge' goes back to before a merge of an earlier version",
    "graph": "'reverie explore --graphml FILE' writes the graph for other programs,"
    " 'reverie explore --json' prints it",
    "simulate": "'reverie list --fading DAYS' tells what will have faded by a day, 'reverie demo' shows a"
    " memory come back",
}

# The same of options whose command stays.
RETIRED_OPTIONS: dict[str, dict[str, str]] = {
    "why": {"--to": "'reverie explore ID --to OTHER' says by which ways one leads to the other"},
    "about": {
        "--explain": "'reverie about FILE' always says why, and nothing is expected any more"
    },
}

ENTRIES: dict[str, Entry] = HIDDEN | {
    name: entry for topic in TOPICS.values() for name, entry in topic.items()
}


class Gone(click.ClickException):
    """A command of the version before; the text says what to use instead."""

    exit_code = click.UsageError.exit_code


class LazyGroup(click.Group):
    """A group whose commands are in the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Every command that a person calls, in the order of the table."""
        return [name for name in ENTRIES if name not in HIDDEN]

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        cmd_name: str,
    ) -> click.Command | None:
        """The command of this name, imported now."""
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.where.partition(":")
        if module.startswith("api."):
            from daemon.commands.terminal.verbs import command as made

            return made(import_module(f"daemon.{module}"), cmd_name)
        command: click.Command = getattr(import_module(f"daemon.commands.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments begin with; one that is near, when it is mistyped.

        Raises ``click.UsageError`` for a name that is no command, ``Gone`` for one that was,
        or for an option that was.
        """
        name = args[0]
        if ctx.resilient_parsing:  # a shell asks how a line goes on, and shows no complaint
            return super().resolve_command(ctx, args)
        if name in RETIRED:
            raise Gone(f"{name!r} is gone: {RETIRED[name]}.")
        for option, instead in RETIRED_OPTIONS.get(name, {}).items():
            if any(word.partition("=")[0] == option for word in args):
                raise Gone(f"'{name} {option}' is gone: {instead}.")
        if name not in ENTRIES and not name.startswith("-"):
            import difflib  # 17 ms, and only for a mistake

            near = difflib.get_close_matches(name, ENTRIES, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names that go on as what is typed, by the table alone, and options."""
        from click.shell_completion import CompletionItem

        named = [
            CompletionItem(name, help=ENTRIES[name].help)
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
        for topic, entries in TOPICS.items():
            with formatter.section(topic):
                formatter.write_dl([(name, entry.help) for name, entry in entries.items()])


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
