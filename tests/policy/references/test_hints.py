"""Where a memory is hinted at in an editor, and how much the hint is worth."""

from itertools import count

import pytest

from actors.policy.references.places import (
    CROWD,
    DEFINED,
    MENTIONED,
    SET,
    Figures,
    anchor,
    is_name,
    repeats,
    subject,
    worth,
)
from actors.policy.references.references import Reference, line_reference, symbol_reference
from tests.costs import ratio

PAY = "class Card:\n    def charge(self):\n        return 1\n\n\nclass Cash:\n    def charge(self):\n        return 2\n"
FIRST, SECOND = Reference("pay.py", "Client"), Reference("pay.py", "Client._retry")
BAR = 0.75  # of the editor's settings


def defined(text: str, symbol: str) -> Reference:
    """A reference to a symbol of pay.py."""
    reference = symbol_reference("pay.py", text, symbol)
    assert reference is not None
    return reference


def placed(reference: Reference, text: str, *, is_gone: bool = False) -> tuple[int, str, str]:
    """Offset of a reference in a text, the words there, and the remark."""
    found = anchor(reference, text, is_gone=is_gone)
    assert found is not None
    return found.start, text[found.start : found.end], found.stale


def test_a_memory_is_about_the_first_symbol_that_it_names() -> None:
    assert subject([Reference("pay.py"), FIRST, SECOND], {}) == FIRST
    assert subject([Reference("pay.py")], {}) is None


def test_a_symbol_that_few_memories_name_goes_before_one_that_many_do() -> None:
    crowded = {("pay.py", "Client"): CROWD + 1}

    assert subject([FIRST, SECOND], crowded) == SECOND
    assert subject([FIRST], crowded) == FIRST


def test_a_method_is_found_within_its_class() -> None:
    start, name, stale = placed(defined(PAY, "Cash.charge"), PAY)

    assert (PAY[:start].count("\n"), name, stale) == (6, "charge", "")


def test_a_definition_that_changed_in_the_buffer_is_stale_at_once() -> None:
    reference = defined(PAY, "Card.charge")

    _, _, changed = placed(reference, PAY.replace("return 1", "return 3"))
    start, _, gone = placed(reference, "import card\ncard.charge()\n")

    assert changed == "Card.charge in pay.py changed since"
    assert (start, gone) == (17, "Card.charge in pay.py is gone")
    assert anchor(reference, "import card\n") is None


def test_a_line_that_was_given_goes_before_every_symbol() -> None:
    given = Reference("pay.py", line=3, given=True)
    line = Reference("pay.py", line=9)

    assert subject([line, FIRST, given], {}) == given
    assert subject([line, FIRST], {}) == FIRST
    assert subject([line], {}) == line


def test_a_line_is_found_where_it_moved_and_stale_where_it_was() -> None:
    about = line_reference("pay.py", PAY, 8)
    assert about is not None

    _, *moved = placed(about, "# new\n" + PAY)
    start, *edited = placed(about, PAY.replace("return 2", "return 3"))

    assert moved == ["return 2", ""]
    assert start == PAY.index("return 2")
    assert edited == ["return 3", "pay.py changed since"]


def test_what_people_said_moves_a_hint_below_the_bar_and_back() -> None:
    plain = worth(DEFINED, Figures())
    once, both = Figures(useful=1), Figures(useful=2, useless=1)
    useless, silenced = Figures(tier="constitutional", useless=1), Figures(is_silenced=True)

    assert worth(MENTIONED, Figures(tier="constitutional", useful=9)) < BAR < plain
    assert worth(DEFINED, once) > plain
    assert worth(DEFINED, both) > BAR
    assert worth(SET, useless) < BAR
    assert worth(SET, silenced) < BAR
    assert worth(DEFINED, Figures(tier="deprecated")) < BAR


@pytest.mark.parametrize(
    "worse",
    [Figures(crowd=2), Figures(days=30), Figures(state="DORMANT"), Figures(tier="temporary")],
)
def test_of_two_about_one_place_the_fresher_and_rarer_goes_first(worse: Figures) -> None:
    assert BAR < worth(DEFINED, worse) < worth(DEFINED, Figures())


def test_what_has_faded_is_lowered_and_never_hidden_by_that_alone() -> None:
    worst = Figures("temporary", "DORMANT", 999.0, crowd=99)

    assert worth(DEFINED, worst) > BAR


@pytest.mark.parametrize(("phrase", "name"), [("_redirect_headers", True), ("request body", False)])
def test_a_pair_of_words_is_no_name(phrase: str, name: bool) -> None:
    assert is_name(phrase) is name


def test_a_line_of_the_memory_itself_says_nothing_new() -> None:
    text = "x = 1\n    # the budget   is three retries\n"

    assert repeats(text, text.index("budget"), "Remember: the budget is three retries.")
    assert not repeats(text, text.index("budget"), "The budget is large.")
    assert not repeats(
        "class BadRequest:", 0, "What a client does wrong: class BadRequest: has it."
    )
    assert repeats(text, 0, "x = 1")
    assert not repeats(text, 0, "never x = 1")


def test_five_hundred_symbols_of_a_large_file_cost_less_than_forty_times_five() -> None:
    definitions = "".join(f"def handler_{n}(x):\n    return x + {n}\n\n\n" for n in range(1_000))
    fresh = count()

    def place(symbols: int) -> None:
        text = f"{definitions}# {next(fresh)}\n"
        for n in range(symbols):
            assert anchor(Reference("pay.py", f"handler_{n}"), text)

    assert ratio(lambda: place(500), lambda: place(5), 40) < 40


def test_a_symbol_that_is_gone_stands_at_its_use_and_may_be_followed_to_its_new_name() -> None:
    text = "def total(cart):\n    return sum(cart)\n"
    before = defined(text, "total")
    after = text.replace("total", "amount") + "\n\n# total was here\n"

    assert placed(before, after, is_gone=True)[1:] == ("total", "total in pay.py is gone")
    assert placed(before, after)[1:] == ("amount", "")
