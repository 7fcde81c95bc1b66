"""Commands made of operations: typed words become a request, its reply is printed."""

import sys
from collections.abc import Sequence
from functools import partial
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

from daemon.api.operation import (
    YES,
    Argument,
    Field,
    Here,
    InProject,
    Operation,
    Option,
    Terminal,
    Way,
    commands,
    open_fields,
)
from daemon.commands.terminal.output import ask_first, print_json, print_lines
from daemon.commands.terminal.question import asked, watched
from daemon.commands.terminal.words import current_project, named_project, row_number


def command(subject: ModuleType, name: str) -> click.Command:
    """The command of this name, of one word or two, or the group of the ones beginning with it."""
    named = commands(subject)
    below = {
        typed.partition(" ")[2]: ways
        for typed, ways in named.items()
        if typed.startswith(f"{name} ")
    }
    alone = _command(name.rpartition(" ")[2], named[name]) if name in named else None
    if not below:
        assert alone is not None, f"{subject.__name__} has no verb {name!r}"
        return alone
    subcommands = {word: _command(word, ways) for word, ways in below.items()}
    if alone is None:
        return click.Group(name, subcommands, help=subject.GROUPS[name])
    return click.Group(
        name, subcommands, invoke_without_command=True, params=alone.params, help=alone.help,
        callback=partial(_unless_below, alone.callback),
    )  # fmt: skip


def _unless_below(callback: Any, **given: Any) -> None:
    if click.get_current_context().invoked_subcommand is None:
        callback(**given)


def _command(name: str, ways: list[Way]) -> click.Command:
    typed = [_parameter(field) for field in open_fields(ways)]
    flags = [_flag(way, flag) for way in ways if (flag := way.verb.flag) is not None]
    as_json = click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document.")
    parameters: list[click.Parameter] = [
        *(one for one in typed if one is not None), *flags, as_json,
    ]  # fmt: skip
    return click.Command(name, params=parameters, callback=partial(_run, ways), help=ways[0].help)


def _flag(way: Way, flag: Option) -> click.Option:
    filled = way.verb.fills
    kind = get_type_hints(way.operation)[filled] if filled else bool
    return _option(Field(_key(flag.name), flag, kind, None), flag)


def _parameter(field: Field) -> click.Parameter | None:
    """The parameter for a field; none for one filled by the place."""
    if isinstance(field.typed, Here):
        here = [field.typed.name, field.name]
        return click.Option(here, help=field.typed.help) if field.typed.name else None
    kind, several = _kind(field.kind)
    if isinstance(field.typed, Argument):
        return click.Argument(
            [field.name], metavar=field.typed.metavar, required=field.is_needed,
            type=row_number if kind is int else click.Path() if field.typed.is_file else kind,
            nargs=-1 if several or field.typed.joined else 1,
        )  # fmt: skip
    return _option(field, field.typed)


def _option(field: Field, typed: Option) -> click.Option:
    names, (kind, several) = [typed.name, field.name], _kind(field.kind)
    if kind is bool:
        return click.Option(names, is_flag=True, help=typed.help)
    optional: dict[str, Any] = {}
    if typed.alone is not None:
        optional = {"is_flag": False, "flag_value": typed.alone}
    return click.Option(
        names, required=field.is_needed, multiple=several, help=typed.help,
        metavar=typed.metavar or None, type=click.IntRange(*typed.within) if typed.within else kind, **optional,
        default=None if field.is_needed else field.default, show_default=typed.shows_default,
    )  # fmt: skip


def _kind(kind: Any) -> tuple[Any, bool]:
    """Click's type for a type of a field, and whether there may be several."""
    if get_origin(kind) in (UnionType, Union):
        kind = next(one for one in get_args(kind) if one is not type(None))
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if several := get_origin(kind) is list:
        (kind,) = get_args(kind)
    return click.Choice(get_args(kind)) if get_origin(kind) is Literal else kind, several


def _run(ways: list[Way], *, as_json: bool, **given: Any) -> None:
    carry_out(_request(_chosen(ways, given), ways, given), as_json=as_json)


def request_of(subject: ModuleType, name: str, given: dict[str, Any]) -> Operation[Any]:
    """The request of the words typed for the command of this name.

    Raises ``click.UsageError`` for options unfit for each other.
    """
    ways = commands(subject)[name]
    return _request(_chosen(ways, given), ways, given)


def carry_out(request: Operation[Any], *, as_json: bool = False) -> None:
    """Ask the typed request, have a person agree where needed, and print the result.

    Raises ``click.UsageError`` for an impossible request and ``click.ClickException`` where the
    person does not agree.
    """
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        request = request.prepared(Terminal(as_json, at_terminal))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    reply = _reply(request)
    if not as_json and (question := request.question(reply)):
        print_lines(request.lines(reply))
        ask_first(question, request.REFUSED)
        request = request.agreed()
        reply = _reply(request)
    if as_json:
        print_json(request.document(reply))
    elif not (at_terminal and request.sit(reply)):
        print_lines(request.lines(reply))
    if request.has_failed(reply):
        raise click.exceptions.Exit(1)


def _key(flag: str) -> str:
    return flag.replace("-", "_")  # no field is called so


def _chosen(ways: list[Way], given: dict[str, Any]) -> Way:
    """The way chosen by an option, else the first. Raises ``click.UsageError`` for two of them."""
    chosen: list[Way] = []
    for way in ways:
        value = None if way.verb.flag is None else given.pop(_key(way.verb.flag.name))
        if value not in (None, False):
            chosen.append(way.filled(value) if way.verb.fills else way)
    if len(chosen) > 1:
        names = [way.verb.flag.name for way in ways if way.verb.flag is not None]
        either = f"give one of {', '.join(names[:-1])} and {names[-1]}"
        raise click.UsageError(chosen[0].operation.ONE_WAY or either)
    if not chosen and ways[0].is_further:
        raise click.UsageError(ways[0].operation.ONE_WAY)
    return chosen[0] if chosen else ways[0]


def _request(way: Way, ways: list[Way], given: dict[str, Any]) -> Operation[Any]:
    """The request of a way. Raises ``click.UsageError`` for an option of another way."""
    values: dict[str, Any] = dict(way.verb.fixed)
    for field in way.typed():
        if isinstance(field.typed, Here):
            values[field.name] = _project(field.typed, given.pop(field.name, None), values)
        else:
            value: Any = given.pop(field.name)
            if isinstance(field.typed, InProject) and value:
                value = named_project(value)
            several = _kind(field.kind)[1]
            if field.is_needed and value in (None, ()):  # another way can do without
                raise click.UsageError(f"Missing argument {field.typed.metavar!r}.")
            if isinstance(field.typed, Argument) and field.typed.joined:
                values[field.name] = _text(field.typed, value)
            elif not isinstance(field.default, bool):
                values[field.name] = list(value) if several else value
            elif value:  # a flag is given
                values[field.name] = not field.default
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in given and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(_misplaced(parameter, way, ways))
    return way.operation(**values)


def _misplaced(parameter: click.Parameter, meant: Way, ways: list[Way]) -> str:
    """Name the mistake in words or an option of another way than the chosen one."""
    name, instead = parameter.opts[0], meant.operation.ONE_WAY
    of = [way for way in ways if any(one.name == parameter.name for one in way.typed())]
    if all(way.verb.flag is not None for way in of):
        return f"{name} goes with {' or '.join(way.verb.flag.name for way in of if way.verb.flag)}"
    if instead and isinstance(parameter, click.Argument):
        return instead
    wrong = f"{name} is for another way to ask"
    return f"{wrong}: {instead}" if instead else wrong


def _project(here: Here, named: str | None, values: dict[str, Any]) -> str | None:
    if named:
        return named_project(named)
    return None if values.get(here.unless) else current_project()


def _text(typed: Argument, words: Sequence[str]) -> str:
    """Several words as one text, or the text of standard input."""
    if typed.piped and list(words) == ["-"]:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    return typed.joined.join(words)


def _reply(request: Operation[Any]) -> Any:
    try:
        if request.SLOW:
            return watched(request, request.step)
        return asked(request, within=request.WITHIN)
    except KeyboardInterrupt:
        if request.STOPPED and getattr(request, YES, False):
            raise click.ClickException(request.STOPPED) from None
        raise
