"""A tool: its words, the schemas of its arguments and answer, its one request, and the answer cut to its room."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, TypeVar, cast

import anyio
import msgspec
from msgspec import Meta, Struct

from daemon.api.operation import Operation
from daemon.asking import DaemonAway, Refused
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import StartFailed, ensure_daemon
from daemon.wire import TooLarge

# ---- a tool: its words, the schemas of its arguments and answer, and its one request

R = TypeVar("R")
T = TypeVar("T")

TOKENS = 2_000  # of an answer, unless a call says otherwise
Tokens = Annotated[
    int, Meta(ge=100, le=20_000, description="Tokens of the answer at most; it says what was cut.")
]


class Place(Struct, frozen=True):
    """Place of a call: the agent's working folder, its project and its session."""

    folder: str
    project: str
    session: str


class Hints(NamedTuple):
    """Effects of a call, for a client asking its user before some."""

    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = False  # a second call with the same arguments changes nothing more


class Tool(Struct, Generic[R], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool in one declaration: a model reads its docstring, and its fields are the arguments."""

    NAME: ClassVar[str]
    TITLE: ClassVar[str]
    HINTS: ClassVar[Hints] = Hints()

    def asks(self, place: Place, /) -> Operation[Any]:
        """The daemon's request. Raises ``NotDone``."""
        raise NotImplementedError

    @staticmethod
    def tells(reply: Any, /) -> Struct | dict[str, Any]:
        """The answer for the model; the annotation is its schema."""
        raise NotImplementedError


# ---- schemas of tools' arguments and answers, and arguments checked against them, strictly

CUT = {
    "description": "What was left out, for its length: narrow the question or raise max_tokens.",
    "type": "array",
    "items": {"type": "string"},
}


def schema_of(kind: type[Any]) -> dict[str, Any]:
    """The JSON schema of a struct or of a dict, an object at its root, as the protocol wants it."""
    (root,), shapes = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    root = shapes.pop(kind.__name__, root)
    return {**root, "$defs": shapes} if shapes else root


def checked(kind: type[T], arguments: dict[str, Any]) -> T:
    """The arguments of a call. Raises ``NotDone`` with the mistake in it."""
    try:
        return msgspec.convert(arguments, kind, strict=True)
    except msgspec.ValidationError as error:
        raise NotDone(f"arguments: {error}: mend it and call again") from None


# ---- the budget of an answer
#
# A too long answer is cut where it is longest, again and again: of a list the last items go, of a text its end. Each
# cut is reported. A token is estimated as four characters of JSON.

CHARACTERS: Final = 4  # of JSON a token
SCRAP: Final = 40  # characters: less than this of a text says nothing
NOTE: Final = 60  # characters that a line about a cut takes
SAID: Final = 6  # lines about what was cut


def fitted(answer: Mapping[str, Any], tokens: int) -> dict[str, Any]:
    """The answer in about so many tokens; ``shortened`` names the parts left out, if any."""
    most = tokens * CHARACTERS
    kept: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    if _size(kept) <= most:
        return kept
    room, before = most - min(NOTE * SAID, most // 4), dict[str, int]()
    said: dict[str, str] = {}
    while (over := _size(kept) - room) > 0 and (parts := [*_parts(kept, "")]):
        _, place, inside, key = max(parts, key=lambda part: part[0])
        part = inside[key]
        whole = before.setdefault(place, len(part))
        if isinstance(part, str):
            part = part[: max(SCRAP, len(part) // 2, len(part) - over - 1)].rstrip()
            inside[key] = f"{part}…"
            said[place] = f"{place}: {whole - len(part):,} of {whole:,} characters are left out"
            continue
        half = max(1, len(part) // 2)
        while over > 0 and len(part) > half:
            over -= _size(part.pop()) + 1
        said[place] = f"{place}: {whole - len(part)} of {whole} are left out"
    lines = [*said.values()][:SAID]
    if len(said) > SAID:
        lines.append(f"and {len(said) - SAID} more")
    if _size(kept) > most:
        lines.append(f"no more could be left out: it takes {_size(kept) // CHARACTERS:,} tokens")
    return {**kept, "shortened": lines}


def _size(value: object) -> int:
    return len(msgspec.json.encode(value))


def _parts(inside: Any, above: str) -> Iterator[tuple[int, str, Any, Any]]:
    """The texts and lists that can be cut: the size of each, its place, what holds it, and its key there."""
    is_list = isinstance(inside, list)
    pairs = (
        enumerate(cast("list[Any]", inside)) if is_list else cast("dict[str, Any]", inside).items()
    )
    for key, part in pairs:
        place = f"{above}[{key}]" if is_list else f"{above}.{key}".removeprefix(".")
        if isinstance(part, str) and len(part) > SCRAP + 1:
            yield _size(part), place, inside, key
        elif isinstance(part, list | dict):
            several = cast("Any", part)
            if isinstance(part, list) and len(several) > 1:
                yield _size(several), place, inside, key
            yield from _parts(several, place)


# ---- one question to the daemon, which is started when it is away; each on a connection of its own
#
# A call cancelled by the agent closes its connection, and so ends the work in the daemon. Any error
# is one line with the remedy: an agent reads it.

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why


class NotDone(Exception):
    """The call failed; the text has reason and remedy, in one line for the agent."""


class Asking:
    """Asks the daemon of one home; the first question, and one after it went away, sees to it first."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._met = False  # a daemon that runs and is not older than this process

    async def __call__(self, request: Operation[R]) -> R:
        """The daemon's reply to one request. Raises ``NotDone``."""
        try:
            if self._met:
                with suppress(DaemonAway):
                    return await self._asked(request)
            ensure = partial(ensure_daemon, self._home, within=READY_WITHIN)
            await anyio.to_thread.run_sync(ensure, abandon_on_cancel=True)
            self._met = True
            return await self._asked(request)
        except (StartFailed, DaemonAway) as error:
            raise NotDone(
                f"the memory is away ({error}): go on without it,"
                " and tell the user to run reverie doctor"
            ) from error

    async def _asked(self, request: Operation[R]) -> R:
        """Ask a present daemon. Raises ``DaemonAway`` or ``NotDone``."""
        within = None if request.SLOW else ANSWER_WITHIN
        try:
            async with open_client(self._home) as client:
                return await client.ask(request, within=within)
        except Refused as error:
            raise NotDone(str(error)) from error
        except TimeoutError as error:
            raise NotDone(
                f"the memory did not answer within {ANSWER_WITHIN:g} s and may have done it all the"
                " same: search before you write it again"
            ) from error
        except TooLarge as error:
            raise NotDone("the text is too large to be sent: shorten it") from error
        except msgspec.ValidationError as error:
            raise NotDone(
                "the memory is of another version: tell the user to run reverie down"
            ) from error
