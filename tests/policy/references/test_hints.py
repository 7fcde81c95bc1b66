"""Where a memory is hinted at in an editor, and how much the hint is worth."""

import pytest

from actors.policy.references.hints import (
    CROWD,
    DEFINED,
    MENTIONED,
    SET,
    anchor,
    is_name,
    repeats,
    subject,
    worth,
)
from actors.policy.references.references import Reference, symbol_reference

PAY = "class Card:\n    def charge(self):\n        return 1\n\n\nclass Cash:\n    def charge(self):\n        return 2\n"
FIRST, SECOND = Reference("pay.py", "Client"), Reference("pay.py", "Client._retry")
BAR = 0.75  # of the editor's settings


def test_a_memory_is_about_the_first_symbol_that_it_names() -> None:
    assert subject([Reference("pay.py"), FIRST, SECOND], {}) == FIRST
    assert subject([Reference("pay.py"), Reference("Makefile", "lint", "make lint")], {}) is None


def test_a_symbol_that_few_memories_name_goes_before_one_that_many_do() -> None:
    crowded = {("pay.py", "Client"): CROWD + 1}

    assert subject([FIRST, SECOND], crowded) == SECOND
    assert subject([FIRST], crowded) == FIRST


def test_a_method_is_found_within_its_class() -> None:
    reference = symbol_reference("pay.py", PAY, "Cash.charge")
    assert reference is not None

    found = anchor(reference, PAY)

    assert found is not None
    assert PAY[: found.start].count("\n") == 6
    assert PAY[found.start : found.end] == "charge"
    assert found.stale == ""


def test_a_definition_that_changed_in_the_buffer_is_stale_at_once() -> None:
    reference = symbol_reference("pay.py", PAY, "Card.charge")
    assert reference is not None

    changed = anchor(reference, PAY.replace("return 1", "return 3"))
    gone = anchor(reference, "import card\ncard.charge()\n")

    assert changed is not None
    assert changed.stale == "Card.charge in pay.py changed since"
    assert gone is not None
    assert (gone.start, gone.stale) == (17, "Card.charge in pay.py is gone")
    assert anchor(reference, "import card\n") is None


def test_what_people_said_moves_a_hint_below_the_bar_and_back() -> None:
    assert worth(MENTIONED, "constitutional", 9, 0, False) < BAR
    assert worth(DEFINED, "normal", 0, 0, False) > BAR
    assert worth(DEFINED, "normal", 1, 0, False) > worth(DEFINED, "normal", 0, 0, False)
    assert worth(SET, "constitutional", 0, 1, False) < BAR
    assert worth(SET, "constitutional", 0, 0, True) < BAR
    assert worth(DEFINED, "normal", 2, 1, False) > BAR
    assert worth(DEFINED, "deprecated", 0, 0, False) < BAR


@pytest.mark.parametrize(("phrase", "name"), [("_redirect_headers", True), ("request body", False)])
def test_a_pair_of_words_is_no_name(phrase: str, name: bool) -> None:
    assert is_name(phrase) is name


def test_a_line_of_the_memory_itself_says_nothing_new() -> None:
    text = "x = 1\n    # the budget   is three retries\n"

    assert repeats(text, text.index("budget"), "Remember: the budget is three retries.")
    assert not repeats(text, text.index("budget"), "The budget is large.")
    assert not repeats(text, 0, "x = 1")
