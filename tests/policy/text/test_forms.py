"""Forms in which people say something: each is had by its example, and its reader knows the two apart."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from actors.policy.events import trail
from actors.policy.gate import correcting_sentence
from actors.policy.night import demands, intentions
from actors.policy.statements import accounts, claims, statement_rules, statements
from actors.policy.text.speech import Form, forms, pattern_of
from actors.policy.text.turn import Turn

NOW: Final = datetime(2026, 11, 22, 10, tzinfo=UTC).timestamp()
SIGNALS: Final = {
    "correction": trail.Signal.CORRECTION, "praise": trail.Signal.REINFORCEMENT,
}  # fmt: skip


def is_stated(said: str, text: str) -> bool:
    return any(said == one.rule.id for one in statements.statements(Turn(text)))


def is_kept(_: str, text: str) -> bool:
    return statements.kind_of_kept(text) == "convention"


def is_of_a_moment(said: str, text: str) -> bool:
    if said == "remember":
        return trail.asks_to_remember(Turn(text))
    return SIGNALS[said] in trail.signals(Turn(text))


def is_reminder(_: str, text: str) -> bool:
    return intentions.stated(Turn(text), NOW) is not None


def is_of_form(table: Mapping[str, tuple[Form, ...]]) -> "Reader":
    return lambda said, text: pattern_of(table[said]).search(text) is not None


Reader = Callable[[str, str], bool]
TABLES: Final[tuple[tuple[Mapping[str, tuple[Form, ...]], Reader], ...]] = (
    (
        {said: rows for said, rows in statement_rules.RULE_FORMS.items() if said != "order"},
        is_stated,
    ),
    ({"order": statement_rules.RULE_FORMS["order"]}, is_kept),
    (forms(trail.__name__), is_of_a_moment),
    (intentions.FORMS, is_reminder),
    (statement_rules.STANDING_FORMS, is_of_form(statement_rules.STANDING_FORMS)),
    (correcting_sentence.FORMS, is_of_form(correcting_sentence.FORMS)),
    (statements.WISH_FORMS, is_of_form(statements.WISH_FORMS)),
    (accounts.SETTLED_FORMS, is_of_form(accounts.SETTLED_FORMS)),
    (claims.CLAIM_FORMS, is_of_form(claims.CLAIM_FORMS)),
    (demands.FORMS, is_of_form(demands.FORMS)),
    (statement_rules.WORK_FORMS, is_of_form(statement_rules.WORK_FORMS)),
)


def rows() -> Iterator[ParameterSet]:
    for table, reads in TABLES:
        for said, several in table.items():
            for form in several:
                yield pytest.param(said, form, reads, id=f"{said}: {form.name}")


@pytest.mark.parametrize(("said", "form", "reads"), list(rows()))
def test_a_form_is_had_by_its_example_and_not_by_the_other(
    said: str, form: Form, reads: Reader
) -> None:
    (sentence,) = Turn(form.says).sentences

    assert re.search(form.form, sentence, re.IGNORECASE)
    assert reads(said, form.says)
    assert not reads(said, form.but_not)
