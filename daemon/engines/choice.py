"""The engine chosen by a person: its description, its trial, and the engine itself."""

from collections.abc import Collection
from pathlib import Path
from time import perf_counter
from typing import Final

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.policy.reader.exchange import (
    PROJECT,
    SESSION,
    Answer,
    Engine,
    Fitness,
    fitness,
    request,
    sample,
)
from actors.reader.messages import Chosen, ReadingBegun, ReadingEnded, ReadingEngine
from actors.reader.reading import Readership
from daemon.context import Parts
from daemon.engines import accounts
from daemon.engines.clients import CLIENTS, client, command
from daemon.engines.llama import NoModel, llama, model_file
from daemon.engines.process import Place, located
from daemon.engines.server import BadAddress, Server, first_model, http_engine, server
from daemon.settings import Reader, load
from daemon.shapes.replies import BadRequest
from daemon.storage import readings
from daemon.storage.reader import ReadingSide

ENGINES: Final = (*CLIENTS, "command", "http", "llama")

MOST: Final = 40_000  # tokens of one request's text
MOST_LOCAL: Final = 6_000
"""Tokens of one request's text where the model may be any: small ones lose what is in the middle of
more, and a processor alone takes minutes for these."""

_SENT: Final = (
    "prompts, answers, failures and commits, and in dreams a project's notes, secrets taken out"
)
_SIZE: Final = "usually 4,000 to 6,000 tokens a session"  # six projects: the median of each


class BadChoice(ValueError):
    """The choice names no engine; the text names the missing part."""


class Choice(Struct, frozen=True):
    """Choice of a person, as the settings hold it."""

    engine: str  # one of ENGINES
    command: tuple[str, ...] = ()  # program and arguments; of an agent's engine its program alone
    url: str = ""
    model: str = ""  # its name; of ``llama`` the path of its file
    agents: tuple[str, ...] = ()  # whose sessions an agent's engine may read beside its own

    @property
    def program(self) -> str:
        """The program to run; empty where there is none."""
        if self.command:
            return self.command[0]
        return self.engine if self.engine in CLIENTS else ""


class Description(Struct, frozen=True):
    """Description of an engine for a person before its use. A field is empty where an engine has none."""

    name: str  # of the engine, as consent is kept for it
    program: str = ""  # absolute path
    version: str = ""
    account: str = ""
    endpoint: str = ""
    sends: str = ""  # one line: what goes where and about what it costs
    warning: str = ""  # what it will be bad at
    trouble: str = ""  # why it cannot be used as it is


def reading_engine(choice: Choice, place: Place) -> ReadingEngine:
    """The engine, as the reader uses it; raises ``BadChoice``."""
    is_local = choice.engine == "llama"
    if choice.engine == "http":
        is_local = _server(choice).is_loopback
    return ReadingEngine(
        name=_name(choice),
        answer=_engine(choice, place),
        is_local=is_local,
        agents=frozenset((choice.engine, *choice.agents)) if choice.engine in CLIENTS else None,
        tokens=MOST_LOCAL if choice.engine in {"http", "llama"} else MOST,
        unlike=Elsewhere(choice, place),
    )


class Elsewhere(Struct, frozen=True):
    """The sessions that an engine's own client asks another endpoint about."""

    choice: Choice
    place: Place

    def __call__(self, agent: str, cwd: str, seen: Collection[str] = ()) -> str:
        """Tell why a session of this agent in this folder is not read; empty when it may be.

        An agent's client set to another endpoint has its sessions read by none of ours. ``seen``:
        endpoints seen by the session's hooks; without any the client's settings tell.
        """
        if self.choice.engine not in CLIENTS or agent != self.choice.engine:
            return ""
        ours = accounts.of_engine(agent, self.place.environ)
        theirs = [accounts.named(one) for one in seen]
        theirs = theirs or [accounts.of_client(agent, self.place.environ, cwd)]
        other = next((one for one in theirs if one != ours), "")
        return f"its client asks {other}, the reader would ask {ours}" if other else ""


async def described(choice: Choice, place: Place) -> Description:
    """Describe this engine for a person before its use; raises ``BadChoice``."""
    match choice.engine:
        case "command":
            return _of_command(choice, place)
        case "http":
            return await _of_server(choice)
        case "llama":
            return await _of_file(choice)
        case _:
            return await _of_agent(choice, place)


def _engine(choice: Choice, place: Place) -> Engine:
    match choice.engine:
        case "command":
            return command(_words(choice), place)
        case "http":
            _server(choice)
            return http_engine(choice.url, model=choice.model)
        case "llama":
            return llama(_file(choice), place)
        case _ if choice.engine in CLIENTS:
            return client(choice.engine, place, program=choice.program, model=choice.model)
        case _:
            raise BadChoice(f"no engine is called {choice.engine!r}: {', '.join(ENGINES)}")


def _name(choice: Choice) -> str:
    """The engine with its program, model or address: another program, model or address is another consent."""
    match choice.engine:
        case "command":
            return " ".join((choice.engine, *choice.command))
        case "http":
            return " ".join(filter(None, (choice.engine, _server(choice).address, choice.model)))
        case "llama":
            return f"{choice.engine} {choice.model}"
        case _:
            known = CLIENTS.get(choice.engine)
            model = choice.model or (known.model if known else "")
            return " ".join(filter(None, (choice.engine, *choice.command[:1], model)))


def _words(choice: Choice) -> tuple[str, ...]:
    if not choice.command:
        raise BadChoice("the engine command needs a program: [reader] command")
    return choice.command


def _server(choice: Choice) -> Server:
    if not choice.url:
        raise BadChoice("the engine http needs an address: [reader] url")
    try:
        return server(choice.url)
    except BadAddress as error:
        raise BadChoice(f"{choice.url} cannot be used: {error}") from None


def _file(choice: Choice) -> Path:
    if not choice.model:
        raise BadChoice("the engine llama needs a model file: [reader] model")
    return Path(choice.model).expanduser().absolute()


async def _of_agent(choice: Choice, place: Place) -> Description:
    if choice.engine not in CLIENTS:
        raise BadChoice(f"no engine is called {choice.engine!r}: {', '.join(ENGINES)}")
    endpoint = accounts.of_engine(choice.engine, place.environ)
    program = located(choice.program, place.environ)
    if program is None:
        trouble = f"{choice.program} is not on the daemon's path"
        return Description(_name(choice), endpoint=endpoint, trouble=trouble)
    match choice.engine:
        case "claude":
            account = accounts.of_claude(place.environ, endpoint)
            cost = (
                "about $.002 to $.005 a session at the client's own price of its small model, "
                "or a part of a subscription's limits"
            )
        case "codex":
            account, cost = accounts.of_codex(place.environ), _UNKNOWN
        case _:
            account, cost = accounts.of_gemini(place.environ), _UNKNOWN
    whose = ", ".join((choice.engine, *choice.agents))
    trouble = warning = ""
    if not account and choice.command:  # a script that sets a key and runs the client
        warning = f"no login of {choice.engine} can be seen: {program} has to bring one"
    elif not account:
        trouble = (
            f"no login of {choice.engine} can be seen: log in to it "
            "(a key in a shell's environment does not reach the daemon: name a script that sets it)"
        )
    aside = Place(place.root / "asked", place.environ)  # not to wait for a reading
    return Description(
        _name(choice),
        str(program),
        await accounts.version(program, aside),
        account,
        endpoint,
        f"of sessions of {whose}, {_SENT}, go to {endpoint}, {_SIZE}: {cost}",
        warning=warning,
        trouble=trouble,
    )


_UNKNOWN: Final = "what it costs is not known yet, and counts against the account's limits"


def _of_command(choice: Choice, place: Place) -> Description:
    words = _words(choice)
    program = located(words[0], place.environ)
    return Description(
        _name(choice),
        str(program or ""),
        endpoint="wherever the program sends it",
        sends=f"of all sessions, {_SENT}, go to this program, {_SIZE}; what it costs is the program's",
        trouble="" if program else f"{words[0]} cannot be run",
    )


async def _of_server(choice: Choice) -> Description:
    there, trouble, model = _server(choice), "", choice.model
    if not model:
        with trio.move_on_after(30):
            first = await first_model(there)
            model = first if isinstance(first, str) else ""
            trouble = "" if isinstance(first, str) else f"{there.address}: {first.reason}"
    where = "stay on this machine" if there.is_loopback else f"go to {there.host}"
    open_line = "" if there.is_loopback or there.is_encrypted else ", readable on the way"
    return Description(
        _name(choice),
        version=model,
        endpoint=there.address,
        sends=f"of all sessions, {_SENT}, {where}{open_line}, {_SIZE}; what it costs is the server's",
        trouble=trouble or ("" if model else f"{there.address} does not answer"),
    )


async def _of_file(choice: Choice) -> Description:
    path = _file(choice)
    told = Description(
        _name(choice),
        str(path),
        endpoint="this machine",
        sends=f"of all sessions, {_SENT}, stay on this machine, {_SIZE}: time of its processor, no money",
    )
    try:
        model = await trio.to_thread.run_sync(model_file, path)
    except NoModel as error:
        return replace(told, trouble=f"{path}: {error}")
    return replace(told, version=model.name, warning=model.warning)


# ---- trials of an engine on the sample session, and whether its notes wait for a person
#
# A model behind ``http`` or ``llama`` may be anybody's and has to prove first it can read: until a trial
# says so, its notes wait in the inbox. The last trial of each engine stands in the store.


ANY_MODEL: Final = ("http", "llama")
TRIAL: Final = "a trial"  # why such a request was made
TELL_WITHIN: Final = 30.0  # seconds


class Trial(Struct, frozen=True):
    """A trial with an answer."""

    engine: ReadingEngine
    told: Description
    fitness: Fitness
    tokens: int
    dollars: float | None
    seconds: float


def choice_of(settings: Reader) -> Choice | None:
    """The engine of the settings; ``None``: nobody reads."""
    if not settings.engine:
        return None
    return Choice(settings.engine, settings.command, settings.url, settings.model, settings.agents)


async def engine_of(choice: Choice, place: Place, reader: ReadingSide) -> ReadingEngine:
    """The engine of a choice, as the reader uses it."""
    made = reading_engine(choice, place)
    if choice.engine in ANY_MODEL and not await reader.read(readings.was_fit, made.name, TRIAL):
        return replace(made, waits=True)
    return made


async def take_up(parts: Parts, readership: Readership) -> None:
    """Have the settings' engine read; an impossible one is a warning."""
    choice = choice_of(parts.settings.reader)
    try:
        if choice is not None:
            readership.engine = await engine_of(choice, parts.place, parts.reader)
    except BadChoice as error:
        parts.warnings = (*parts.warnings, f"nothing is read: {error}")


async def tried(parts: Parts) -> Trial:
    """Have the engine in use read the sample. Raises ``BadRequest`` without a result."""
    loaded = await trio.to_thread.run_sync(load, parts.home, parts.place.environ)
    choice = choice_of(loaded.settings.reader)
    if choice is None:
        raise BadRequest("there is no reader yet: reverie reader use says which there are")
    try:
        told = await described(choice, parts.place)
    except BadChoice as error:
        raise BadRequest(str(error)) from None
    if told.trouble:
        raise BadRequest(told.trouble)
    engine = reading_engine(choice, parts.place)
    shown = sample()
    wanted = request(SESSION, PROJECT, shown)
    began = parts.clock.now()
    begun = ReadingBegun("", None, engine.name, TRIAL, began, began, 0, 0, shown.tokens)
    (number,) = await parts.commit((begun,))
    sent = perf_counter()
    answer = await engine.answer(wanted)
    seconds = perf_counter() - sent
    if not isinstance(answer, Answer):
        failure = answer.reason.value
        ended = ReadingEnded(number, parts.clock.now(), answer.tokens, None, failure)
        await parts.commit((ended,))
        detail = f" ({answer.detail})" if answer.detail else ""
        raise BadRequest(f"{engine.name}: {failure}{detail}")
    found = fitness(answer.document, shown)
    unfit = {} if found.is_fit else {"unfit": 1}
    ended = ReadingEnded(number, parts.clock.now(), answer.tokens, answer.dollars, "", 0, unfit)
    await parts.commit((ended,))
    engine, at = await engine_of(choice, parts.place, parts.reader), parts.clock.now()
    chosen = Chosen(engine, at)
    await parts.mailboxes.session_reader.ask(chosen, within=TELL_WITHIN)
    return Trial(engine, told, found, answer.tokens, answer.dollars, seconds)
