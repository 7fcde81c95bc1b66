"""What became of what a memory is about, what is said of it, and how much sooner it fades."""

import pytest

from actors.policy.references.references import (
    Reference,
    State,
    freshness,
    judged,
    line_reference,
    phrase,
    symbol_reference,
    taken_anew,
)

PAY = "LIMIT = 3\n\ndef charge(bill):\n    return bill\n"
HELD = Reference("src/pay.py")


def charge() -> Reference:
    """A reference to the function."""
    reference = symbol_reference("src/pay.py", PAY, "charge")
    assert reference is not None
    return reference


CHANGED = Reference("src/pay.py", "charge", state=State.CHANGED)
GONE = Reference("src/old.py", state=State.GONE)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (PAY, State.HELD),
        (PAY.replace("LIMIT = 3", "LIMIT = 4\n\nimport os"), State.HELD),
        (PAY.replace("    return", "\treturn"), State.HELD),
        (PAY.replace("return bill", "return 2 * bill"), State.CHANGED),
        (PAY.replace("charge", "collect").replace("return bill", "return 2 * bill"), State.GONE),
    ],
)
def test_a_symbol_changes_with_its_own_lines_alone(text: str, state: State) -> None:
    assert judged(charge(), True, text).state is state


def test_a_symbol_that_was_renamed_and_nothing_else_is_followed() -> None:
    text = PAY.replace("charge", "collect")
    twice = text + text.replace("collect", "levy")

    after = judged(charge(), True, text)

    assert (after.symbol, after.state) == ("collect", State.HELD)
    assert judged(after, True, text) == after
    assert judged(charge(), True, twice).state is State.GONE  # either may be it


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"import os\n{PAY}", State.HELD),
        (PAY.replace("bill", "note"), State.HELD),
        (PAY.replace("LIMIT = 3", "LIMIT = 4"), State.CHANGED),
    ],
)
def test_a_line_may_move(text: str, state: State) -> None:
    reference = line_reference("src/pay.py", PAY, 1)

    assert reference is not None
    assert judged(reference, True, text).state is state


def test_an_empty_line_says_nothing() -> None:
    assert line_reference("src/pay.py", PAY, 2) is None
    assert line_reference("src/pay.py", PAY, 99) is None


def test_a_file_is_there_or_gone() -> None:
    assert judged(HELD, True, "whatever").state is State.HELD
    assert judged(HELD, False, None).state is State.GONE


def test_a_file_that_may_not_be_read_says_nothing() -> None:
    assert judged(CHANGED, True, None).state is State.HELD


def test_taken_anew_it_is_what_is_there_now() -> None:
    text = PAY.replace("return bill", "return 2 * bill")

    anew = taken_anew(charge(), True, text)
    assert (anew.state, judged(anew, True, text).state) == (State.HELD, State.HELD)
    assert judged(anew, True, PAY).state is State.CHANGED
    assert taken_anew(charge(), True, "").state is State.GONE


@pytest.mark.parametrize(
    ("references", "said"),
    [
        ([], ""),
        ([HELD], ""),
        ([HELD, CHANGED], "charge in src/pay.py changed since"),
        ([CHANGED, GONE], "src/old.py and 1 more is gone"),
    ],
)
def test_what_is_said_is_one_short_phrase(references: list[Reference], said: str) -> None:
    assert phrase(references) == said


def test_a_long_path_is_shortened_at_its_beginning() -> None:
    said = phrase([Reference("a/" * 80 + "pay.py", state=State.GONE)])

    assert len(said) <= 100
    assert said.startswith("…")
    assert said.endswith("/pay.py is gone")


@pytest.mark.parametrize(
    ("references", "left"),
    [
        ([], 1.0),
        ([HELD], 1.0),
        ([CHANGED], 0.5),
        ([GONE], 0.25),
        ([HELD, CHANGED], 0.75),
    ],
)
def test_a_memory_fades_sooner_by_the_share_that_is_stale(
    references: list[Reference], left: float
) -> None:
    assert freshness(references) == left
