"""Commands that are made of operations: what is typed, asked, agreed to and printed."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from daemon.api.operation import Argument, Here, Line, Operation, Option, Title, Verb
from daemon.commands.terminal import verbs
from daemon.shapes.replies import Reply

SUBJECT = sys.modules[__name__]
FROM = Option("--from", "From there.", metavar="[PLACE]", alone="the well")
COLD = Option("--cold", "From the sea.")


class Heated(Reply, frozen=True, kw_only=True):
    """How warm it is."""

    rows: list[list[str]] = msgspec.field(default_factory=list[list[str]])
    done: bool = True


class Heat(Operation[Heated], frozen=True, kw_only=True):
    """Heat water.

    Until it boils.
    """

    NAME = "heat"
    VERBS = (Verb("kettle"), Verb("boiler slowly", {"degrees": 40}, "Heat it slowly."))
    REFUSED = "it stays cold"
    cups: Annotated[list[str], Argument("[CUP]...")] = msgspec.field(default_factory=list[str])
    degrees: Annotated[int, Option("--degrees", "How warm.")] = 100
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False

    def lines(self, reply: Heated) -> list[Line]:
        """Tell how warm, and for each cup a row."""
        return [f"{self.degrees} degrees", *reply.rows]

    def question(self, reply: Heated) -> str:
        """Tell whether to do it."""
        return "" if reply.done else "Heat it?"


class Cool(Operation[Heated], frozen=True, kw_only=True):
    """Let water cool."""

    NAME = "cool"
    ONE_WAY = "heat it or cool it"
    VERBS = (Verb("kettle", flag=Option("--cool", "Let it cool.")), Verb("boiler"))

    def lines(self, reply: Heated) -> list[Line]:
        """A stored text that would colour the terminal."""
        del reply
        return ["\x1b[31mcold"]


class Pour(Operation[Heated], frozen=True, kw_only=True):
    """Pour it."""

    NAME = "pour"
    VERBS = (Verb("pour"),)
    cup: Annotated[str | None, Argument("[CUP]")] = None
    project: Annotated[str | None, Here("--project", "Of this one.", unless="cup")] = None

    def lines(self, reply: Heated) -> list[Line]:
        """A title that is wider than any page."""
        del reply
        return [Title("tea " * 40)]


class Spill(Operation[Heated], frozen=True, kw_only=True):
    """Spill what is in a cup."""

    NAME = "spill"
    VERBS = (Verb("pour", flag=Option("--spill", "Spill it.", metavar="CUP"), fills="cup"),)
    cup: str

    def lines(self, reply: Heated) -> list[Line]:
        """Nothing is left to tell."""
        del reply
        return []


class Fetch(Operation[Heated], frozen=True, kw_only=True):
    """Fetch water, and heat it where it is cold."""

    NAME = "fetch"
    STOPPED = "the bucket stands where it stood"
    ONE_WAY = "give --from or --cold"
    VERBS = (Verb("fetch", flag=FROM, fills="place"), Verb("fetch", {"place": "sea"}, flag=COLD))
    place: str
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False

    def lines(self, reply: Heated) -> list[Line]:
        """Tell from where."""
        del reply
        return [self.place]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Operation[Any]]:
    """Tell what was asked; nothing is done before somebody agrees."""
    requests: list[Operation[Any]] = []

    def asked(request: Operation[Any], *, within: float) -> Heated:
        assert within == request.WITHIN
        requests.append(request)
        rows = [[cup, "warm"] for cup in getattr(request, "cups", [])]
        return Heated(rows=rows, done=getattr(request, "yes", True))

    monkeypatch.setattr(verbs, "asked", asked)
    return requests


def typed(*words: str, name: str = "kettle", given: str = "") -> Result:
    return CliRunner().invoke(verbs.command(SUBJECT, name), words, input=given)


def test_what_is_typed_is_asked_and_rows_are_a_table(sent: list[Operation[Any]]) -> None:
    done = typed("--yes", "--degrees", "90")

    assert (sent, done.stdout) == ([Heat(degrees=90, yes=True)], "90 degrees\n")


def test_who_agrees_is_asked_once_and_who_does_not_changes_nothing(
    sent: list[Operation[Any]],
) -> None:
    agreed, refused = typed(given="y\n"), typed(given="n\n")

    assert sent == [Heat(), Heat(yes=True), Heat()]
    assert agreed.stdout == "100 degrees\n100 degrees\n"
    assert (refused.exit_code, refused.stderr.splitlines()[-1]) == (1, "Error: it stays cold")


def test_a_flag_chooses_another_operation_and_takes_only_its_options(
    sent: list[Operation[Any]],
) -> None:
    cooled, wrong = typed("--cool"), typed("--cool", "--degrees", "90")

    assert sent == [Cool()]
    assert cooled.stdout == "\N{REPLACEMENT CHARACTER}[31mcold\n"
    assert wrong.exit_code == 2
    assert "--degrees is for another way to ask: heat it or cool it" in wrong.stderr


@pytest.mark.parametrize(
    ("words", "project"),
    [([], "here"), (["m1"], None), (["m1", "--project", "p"], "p"), (["--project", "p"], "p")],
)
def test_the_current_project_is_meant_unless_another_or_something_else_is_named(
    sent: list[Operation[Any]],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    project: str | None,
) -> None:
    monkeypatch.setattr(verbs, "current_project", lambda: "here")

    typed(*words, name="pour")

    assert sent == [Pour(cup="m1" if "m1" in words else None, project=project)]


def test_a_flag_with_a_value_chooses_another_operation_and_fills_a_field(
    sent: list[Operation[Any]],
) -> None:
    both = typed("m1", "--spill", "m2", name="pour")
    typed("--spill", "m2", name="pour")

    assert "cup is for another way to ask" in both.stderr
    assert sent == [Spill(cup="m2")]


@pytest.mark.parametrize(
    ("words", "place"), [(["--from"], "the well"), (["--from", "a river"], "a river")]
)
def test_an_option_chooses_a_way_with_its_value_or_alone(
    sent: list[Operation[Any]], words: list[str], place: str
) -> None:
    done = typed(*words, name="fetch")

    assert (sent, done.stdout) == ([Fetch(place=place)], f"{place}\n")


@pytest.mark.parametrize("words", [[], ["--from", "a river", "--cold"]])
def test_who_chooses_no_way_or_two_is_told_which_there_are(
    sent: list[Operation[Any]], words: list[str]
) -> None:
    wrong = typed(*words, name="fetch")

    assert (wrong.exit_code, "give --from or --cold" in wrong.stderr, sent) == (2, True, [])


@pytest.mark.parametrize(("words", "told"), [(["--yes"], True), ([], False)])
def test_who_agreed_and_stops_it_is_told_what_stays(
    monkeypatch: pytest.MonkeyPatch, words: list[str], told: bool
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(verbs, "asked", stopped)

    done = typed("--from", "here", *words, name="fetch")

    assert (done.exit_code, Fetch.STOPPED in done.stderr) == (1, told)
