"""A tool: its words, the schemas of its arguments and answer, its one request, and the answer cut to its room."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    TypeVar,
    cast,
)

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
    int,
    Meta(ge=100, le=20_000, description="Tokens of the answer at most; it says what was cut."),
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
    def tells(reply: Any, /) -> Struct:
        """The answer for the model; the annotation is its schema."""
        raise NotImplementedError


# ---- schemas of tools' arguments and answers, and arguments checked against them, strictly

CUT = {
    "description": "What was left out, for its length: narrow the question or raise max_tokens.",
    "type": "array",
    "items": {"type": "string"},
}


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of a struct, an object at its root, as the protocol wants it."""
    _, shapes = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    root = shapes.pop(kind.__name__)
    return {**root, "$defs": shapes} if shapes else root


def checked(kind: type[T], arguments: dict[str, Any]) -> T:
    """The arguments of a call. Raises ``NotDone`` with the mistake in it."""
    try:
        return msgspec.convert(arguments, kind, strict=True)
    except msgspec.ValidationError as error:
        raise NotDone(f"arguments: {error}: mend it and call again") from None


# ---- the budget of an answer
#
# Budget of an answer in tokens: a too long one is cut where it is longest, and the cut is reported.
#
# Room is shared fairly: a part below its share leaves the rest to the others. Of a list the first
# items stay, of a text its beginning. A token is estimated as four characters of JSON.

CHARACTERS: Final = 4  # of JSON a token
SCRAP: Final = 40  # characters: less than this of a text or an item says nothing
NOTE: Final = 60  # characters that a line about a cut takes, and all of them at most ten times that
SAID: Final = 6  # lines about what was cut


def fitted(answer: Mapping[str, Any], tokens: int) -> dict[str, Any]:
    """The answer in about so many tokens; ``shortened`` names the parts left out, if any."""
    room = tokens * CHARACTERS
    if _size(answer) <= room:
        return dict(answer)
    cuts: list[str] = []
    kept: dict[str, Any] = _object(answer, room - min(NOTE * SAID, room // 4), "", cuts)
    said = cuts[:SAID]
    if len(cuts) > SAID:
        said.append(f"and {len(cuts) - SAID} more")
    if _size(kept) > room:
        said.append(f"no more could be left out: it takes {_size(kept) // CHARACTERS:,} tokens")
    return {**kept, "shortened": said}


def _size(value: object) -> int:
    return len(msgspec.json.encode(value))


def _cut(value: Any, room: int, place: str, cuts: list[str]) -> Any:
    """The value in at most about ``room`` characters."""
    if _size(value) <= room:
        return value
    if isinstance(value, str):
        cuts.append(f"{place}: {len(value) - room:,} of {len(value):,} characters are left out")
        return value[:room].rstrip() + "…"
    if isinstance(value, dict):
        return _object(cast("dict[str, Any]", value), room, place, cuts)
    if isinstance(value, list):
        return _list(cast("Sequence[Any]", value), room, place, cuts)
    return value


def _object(value: Mapping[str, Any], room: int, place: str, cuts: list[str]) -> dict[str, Any]:
    sizes = {name: _size(one) for name, one in value.items()}
    share = _shares(sizes, room - sum(len(name) + 4 for name in value))
    inside = f"{place}." if place else ""
    return {
        name: _cut(one, max(share[name], SCRAP), f"{inside}{name}", cuts)
        for name, one in value.items()
    }


def _shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """Room of each part: the small ones whole, the others as much as each other."""
    share: dict[str, int] = {}
    for left, name in zip(
        range(len(sizes), 0, -1), sorted(sizes, key=sizes.__getitem__), strict=True
    ):
        share[name] = min(sizes[name], max(room, 0) // left)
        room -= share[name]
    return share


def _list(value: Sequence[Any], room: int, place: str, cuts: list[str]) -> list[Any]:
    kept = list(_first(value, room))
    if not kept and value and room > SCRAP:  # better a part of the first than nothing
        kept = [_cut(value[0], room, f"{place}[0]", cuts)]
    if len(kept) < len(value):
        cuts.append(f"{place}: {len(value) - len(kept)} of {len(value)} are left out")
    return kept


def _first(value: Sequence[Any], room: int) -> Iterator[Any]:
    """The first items within the room."""
    for one in value:
        room -= _size(one) + 1
        if room < 0:
            return
        yield one


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
