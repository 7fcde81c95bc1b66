"""The engine chosen by a person: its description, and the engine itself."""

from pathlib import Path
from typing import Final

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.reader.messages import ReadingEngine
from actors.reader.reading import Readership
from daemon.context import Parts
from daemon.engines import endpoints
from daemon.engines.clients import CLIENTS, client, command
from daemon.engines.llama import NoModel, llama, model_file
from daemon.engines.process import Place, located
from daemon.engines.server import BadAddress, Server, first_model, http_engine, server
from daemon.settings import Reader

ENGINES: Final = (*CLIENTS, "command", "http", "llama")

MOST_LOCAL: Final = 6_000
"""Tokens of one request's text where the model may be any: small ones lose what is in the middle of
more, and a processor alone takes minutes for these."""

_SENT: Final = (
    "prompts, answers, failures and commits, and in dreams a project's notes, secrets taken out"
)
_SIZE: Final = "usually 4,000 to 6,000 tokens a session"  # six projects: the median of each


class BadChoice(ValueError):
    """The choice names no engine; the text names the missing part."""


class Description(Struct, frozen=True):
    """Description of an engine for a person before its use. A field is empty where an engine has none."""

    name: str  # of the engine, as consent is kept for it
    program: str = ""  # absolute path, also of a model's file
    model: str = ""  # where it is not part of the name
    endpoint: str = ""
    sends: str = ""  # one line: what goes where and about what it costs
    warning: str = ""  # what it will be bad at
    trouble: str = ""  # why it cannot be used as it is


def program_of(choice: Reader) -> str:
    """The program to run; empty where there is none."""
    if choice.command:
        return choice.command[0]
    return choice.engine if choice.engine in CLIENTS else ""


def reading_engine(choice: Reader, place: Place) -> ReadingEngine:
    """The engine, as the reader uses it; raises ``BadChoice``.

    Another program, model or address has another name: consent is kept for the name.
    """
    match choice.engine:
        case "command":
            if not choice.command:
                raise BadChoice("the engine command needs a program: [reader] command")
            return ReadingEngine(
                " ".join(("command", *choice.command)), command(choice.command, place)
            )
        case "http":
            there = _server(choice)
            return ReadingEngine(
                " ".join(filter(None, ("http", there.address, choice.model))),
                http_engine(there, model=choice.model),
                is_local=there.is_loopback,
                tokens=MOST_LOCAL,
            )
        case "llama":
            if not choice.model:
                raise BadChoice("the engine llama needs a model file: [reader] model")
            return ReadingEngine(
                f"llama {choice.model}",
                llama(_file(choice), place),
                is_local=True,
                tokens=MOST_LOCAL,
            )
        case agent if agent in CLIENTS:
            model = choice.model or CLIENTS[agent].model
            return ReadingEngine(
                " ".join((agent, *choice.command[:1], model)),
                client(agent, place, program=program_of(choice), model=model),
                agents=frozenset((agent, *choice.agents)),
                elsewhere=lambda of, folders, seen: (
                    endpoints.elsewhere(of, place.environ, folders, seen) if of == agent else ""
                ),
            )
        case _:
            raise BadChoice(f"no engine is called {choice.engine!r}: {', '.join(ENGINES)}")


def _server(choice: Reader) -> Server:
    if not choice.url:
        raise BadChoice("the engine http needs an address: [reader] url")
    try:
        return server(choice.url)
    except BadAddress as error:
        raise BadChoice(f"{choice.url} cannot be used: {error}") from None


def _file(choice: Reader) -> Path:
    return Path(choice.model).expanduser().absolute()


async def described(choice: Reader, place: Place) -> Description:
    """Describe this engine for a person before its use; raises ``BadChoice``."""
    told = Description(reading_engine(choice, place).name)
    match choice.engine:
        case "http":
            return await _of_server(choice, told)
        case "llama":
            return await _of_file(choice, told)
        case "command":
            endpoint, whose = "wherever the program sends it", "all sessions"
            cost, where = "what it costs is the program's", "this program"
        case agent:
            where = endpoint = endpoints.endpoint(agent, place.environ)
            cost = CLIENTS[agent].cost
            whose = f"sessions of {', '.join((agent, *choice.agents))}"
    program = located(program_of(choice), place.environ)
    return replace(
        told,
        program=str(program or ""),
        endpoint=endpoint,
        sends=f"of {whose}, {_SENT}, go to {where}, {_SIZE}: {cost}",
        trouble=""
        if program
        else f"{program_of(choice)} is not on the daemon's path, or cannot be run",
    )


async def _of_server(choice: Reader, told: Description) -> Description:
    there, trouble, model = _server(choice), "", choice.model
    if not model:
        trouble = f"{there.address} does not answer"
        with trio.move_on_after(30.0):
            first = await first_model(there)
            if isinstance(first, str):
                model, trouble = first, ""
            else:
                trouble = f"{there.address}: {first.reason}"
    where = "stay on this machine" if there.is_loopback else f"go to {there.host}"
    open_line = "" if there.is_loopback or there.is_encrypted else ", readable on the way"
    return replace(
        told,
        model=model,
        endpoint=there.address,
        sends=f"of all sessions, {_SENT}, {where}{open_line}, {_SIZE}: what it costs is the server's",
        trouble=trouble,
    )


async def _of_file(choice: Reader, told: Description) -> Description:
    path = _file(choice)
    try:
        found = await trio.to_thread.run_sync(model_file, path)
    except NoModel as error:
        return replace(told, program=str(path), trouble=f"{path}: {error}")
    return replace(
        told,
        program=str(path),
        model=found.name,
        endpoint="this machine",
        sends=f"of all sessions, {_SENT}, stay on this machine, {_SIZE}: time of its processor, no money",
        warning=found.warning,
    )


def take_up(parts: Parts, readership: Readership) -> None:
    """Have the settings' engine read; an impossible one is a warning."""
    choice = parts.settings.reader
    try:
        if choice.engine:
            readership.engine = reading_engine(choice, parts.place)
    except BadChoice as error:
        parts.warnings = (*parts.warnings, f"nothing is read: {error}")
