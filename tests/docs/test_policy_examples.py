"""docs/reference/policy-examples.md: every call there gives what stands beside it, digit by digit."""

import importlib
import math
import pkgutil
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from msgspec.structs import replace

from actors import policy
from actors.policy.decay import capture, curve
from actors.policy.gate import gate
from actors.policy.graph.link_graph import Link
from lab.evaluation import measures

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "policy-examples.md"
LINE: Final = re.compile(r"^\| `(?P<call>[^`]+)` \| (?P<gives>[^|]+) \|$", re.MULTILINE)
NUMBER: Final = re.compile(r"-?\d+(?:\.(?P<places>\d+))?")


def modules() -> list[ModuleType]:
    """Every module of the policy, in whichever room it stands."""
    found = pkgutil.walk_packages(policy.__path__, "actors.policy.")
    return [importlib.import_module(one.name) for one in found if not one.ispkg]


def flagged(hours: float, decay: capture.Decay = capture.Decay.POWER) -> capture.Capture | None:
    at, touched = -hours * capture.HOUR, b"the same"
    flag = capture.Raised("flag", "user_flag", 1.0, 0.0, "s", "/p", "", touched=touched)
    turn = capture.TurnTagged(1, 2, "s", "/p", at, touched)
    return capture.captured(turn, flag, decay)


KNOWN: Final[dict[str, object]] = {
    **{module.__name__.rpartition(".")[2]: module for module in modules()},
    "DAY": 86_400.0,
    "HOUR": 3_600.0,
    "EXPONENTIAL": capture.Decay.EXPONENTIAL,
    "FSRS6": curve.FSRS6_DECAY,
    "REVIEWED": curve.Strength(10, 5, 0.0, 1, 0),
    "STORED": gate.Candidate(42, "Use React for UI", 0.92),
    "GRAPH": [Link(42, 71, "similar", 0.85), Link(71, 84, "similar", 0.85)],
    "flagged": flagged,
    "measures": measures,
    "inf": math.inf,
    "nan": math.nan,
    "replace": replace,
}


def examples() -> list[re.Match[str]]:
    return list(LINE.finditer(PAGE.read_text("utf-8")))


def agrees(given: object, printed: object, places: int) -> bool:
    """Whether a value is what is printed; numbers to the digits that the line shows."""
    if isinstance(printed, list | tuple) and isinstance(given, list | tuple):
        ours, theirs = cast("Sequence[object]", given), cast("Sequence[object]", printed)
        return len(ours) == len(theirs) and all(
            agrees(one, other, places) for one, other in zip(ours, theirs, strict=True)
        )
    if isinstance(printed, float) and isinstance(given, float):
        return given == printed or abs(given - printed) <= 0.5 * 10**-places + 1e-9
    return given == printed


def test_every_line_of_a_table_is_an_example() -> None:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    tables = sum(line.startswith("| call |") for line in lines)

    assert len(examples()) == len(lines) - tables


def test_an_example_gives_what_stands_beside_it() -> None:
    wrong: list[str] = []
    for line in examples():
        # The page is ours and part of the repository; so are the names it may use.
        given = eval(line["call"], dict(KNOWN))
        printed = eval(line["gives"], {"inf": math.inf})
        places = max(
            (len(found["places"] or "") for found in NUMBER.finditer(line["gives"])), default=0
        )
        if not agrees(given, printed, places):
            wrong.append(f"{line['call']} gives {given!r}")

    assert wrong == []
