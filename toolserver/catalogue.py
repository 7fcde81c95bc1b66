"""The catalogue of older systems by name and parameters, over the requests of the daemon.

A table: name, title, when a model is to use it, and how its arguments fill a request. Retired tools
and a person's own acts are not here (docs/reference/tools.md).
"""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from daemon.api.about import Match
from daemon.api.forget import Forget
from daemon.api.intentions import ChangeIntention, Intend, ListIntentions
from daemon.api.operation import Here, fields, operations, subjects
from daemon.api.opinions import Feedback
from daemon.api.recall import IGNORED, Recall
from daemon.api.remember import Edit
from daemon.api.sessions import Brief
from daemon.api.show import Show
from daemon.shapes.results import SEEN
from toolserver.asking import NotDone
from toolserver.rows import Ask, Made, Row
from toolserver.tool import Hints, Place, Tool
from toolserver.tools import READS, moment

# ---- arguments of another shape than the request's


class When(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When an intention is due."""

    type: str = ""
    at: str = ""
    inMinutes: float = 0.0
    in_minutes: float = 0.0
    filePattern: str = ""
    file_pattern: str = ""
    topic: str = ""
    condition: str = ""


def _inside(place: Place, path: str) -> str:
    return str(Path(place.folder) / path)


def _trigger(_: Place, when: When) -> dict[str, Any]:
    holds: dict[str, Any] = {
        "at": moment(when.at, "trigger.at") if when.at else None,
        "after": (when.inMinutes or when.in_minutes) * 60,
        "file": when.filePattern or when.file_pattern,
        "event": ["", said] if (said := f"{when.condition} {when.topic}".strip()) else None,
    }
    triggers = [{name: value} for name, value in holds.items() if value]
    if not triggers:
        raise NotDone("trigger: say at, inMinutes, filePattern, topic or condition")
    return triggers[0] if len(triggers) == 1 else {"all": triggers}


def _word(**values: object) -> Made:
    """A word of the older system for a value of ours."""

    def ours(_: Place, word: str) -> object:
        return values[word]

    return Made(Literal[tuple(values)], ours)


def _id(_: Place, one: str) -> list[str]:
    return [one]


def _deadline(_: Place, said: str) -> float:
    return moment(said, "deadline")


def _minutes(_: Place, minutes: float) -> float:
    return minutes * 60


MADE: Final[Mapping[str, Made]] = {
    "deadline": Made(str, _deadline),
    "filePath": Made(str, _inside),
    "mode": _word(auto="balanced", deep="exhaustive"),
    "snooze_minutes": Made(float, _minutes),
    "status": _word(complete="done", snooze="snoozed", cancel="cancelled"),
    "trigger": Made(When, _trigger),
}
ONE: Final[Mapping[str, Made]] = {"id": Made(str, _id)}

# ---- what several rows say

HERE: Final = "project session"
FOUND: Final = "input=query limit=k includeTrace=explain"


def _made(arguments: str) -> Mapping[str, Made]:
    return ONE if "id=ids" in arguments.split() else MADE


def offered() -> Iterator[Row]:
    """The rows declared by operations, subject by subject."""
    for operation in itertools.chain.from_iterable(map(operations, subjects())):
        if not operation.OFFERS:
            continue  # to read the types of its fields costs a millisecond
        here = [one.name for one in fields(operation) if isinstance(one.typed, Here)]
        for offer in operation.OFFERS:
            yield Row(
                offer.names,
                offer.title,
                offer.description,
                Ask(
                    operation,
                    offer.arguments,
                    offer.fixed,
                    offer.usual,
                    " ".join([*here, offer.here]),
                    _made(offer.arguments),
                ),
                Hints(offer.reads_only, offer.destructive, offer.idempotent or offer.reads_only),
                one_of=offer.one_of,
                keeps=offer.keeps,
                leaves=offer.leaves,
                unused=offer.unused,
                tokens=offer.tokens,
                slow=operation.SLOW,
            )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "memory_context",
        "Context for a task",
        "What earlier sessions left about a task: by its words and meaning (auto), by phrases that it"
        " mentions (quick), wide (deep), strict (focused), or where the last session stopped (resume).",
        {
            "auto": Ask(Recall, FOUND),
            "quick": Ask(Match, "input=text limit", usual={"limit": 10}),
            "deep": Ask(Recall, FOUND, {"mode": "exhaustive", "associations": True}),
            "focused": Ask(Recall, FOUND, {"mode": "precise"}),
            "resume": Ask(Brief, here=HERE),
        },
        READS,
        by="mode",
        otherwise="auto",
        one_of="input",
        unused=IGNORED,
        leaves=SEEN,
    ),
    Row(
        "memory",
        "One memory",
        "Read a memory whole, give it another text, forget it, or say that it helped or did not.",
        {
            "get": Ask(Show, "id", here=""),
            "edit": Ask(Edit, "id content=text", here=""),
            "delete": Ask(Forget, "id=ids", here="", made=ONE),
            "promote": Ask(Feedback, "id", {"useful": True}),
            "demote": Ask(Feedback, "id", {"useful": False}),
        },
        Hints(destructive=True),
        unused="reason",
        leaves="usage spent transitions related",  # explore_connections tells what is near
    ),
    Row(
        "intention",
        "Intentions",
        "Have the user reminded of something later (set), see what is intended (check, list), or say"
        " that it is done, put off or given up (update).",
        {
            "set": Ask(
                Intend,
                "description=text trigger priority deadline",
                here=HERE,
                made=MADE,
                needs="description trigger",
            ),
            "check": Ask(ListIntentions),
            "update": Ask(
                ChangeIntention, "id status=change snooze_minutes=seconds", here="", made=MADE
            ),
            "list": Ask(ListIntentions, "limit", usual={"limit": 20}),
        },
        unused="context include_snoozed filter_status",
    ),
    *offered(),
)

CATALOGUE: Final[tuple[Tool, ...]] = tuple(tool for row in ROWS for tool in row.tools())
