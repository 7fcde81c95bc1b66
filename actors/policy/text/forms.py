"""Forms in which people say something: rows of the table beside a module, each an expression with two examples.

The examples are the tests of a form: ``tests/policy/text/test_forms.py`` walks all of them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.text.tables import table
from actors.policy.text.words import caseless

NO_WORDS: Final[Mapping[str, str]] = {}
WORDS: Final = "words"  # lists that stand in expressions by their names in braces: {work}


@dataclass(frozen=True, slots=True)
class Form:
    """A way of saying something, with a sentence of this form and a similar one without it."""

    name: str
    form: str  # an expression, in which case does not matter
    says: str
    but_not: str


def forms(
    module: str, name: str = "", more: Mapping[str, str] = NO_WORDS
) -> Mapping[str, tuple[Form, ...]]:
    """The forms of a module by their meaning (``module`` is its ``__name__``), of a table with a name of its own.

    ``more``: lists from elsewhere. A list may name the ones below it, and these.
    """
    lists = dict(table(module, name))
    parts: Mapping[str, str] = {**lists.pop(WORDS, {}), **more, **table(__name__, "forms")[WORDS]}
    return {
        said: tuple(_form(row, parts) for row in rows)
        for said, rows in lists.items()
        if not isinstance(rows, str)  # a list of words
    }


def pattern_of(several: Iterable[Form]) -> re.Pattern[str]:
    """One expression for any of these forms; the first one wins a text of several."""
    return caseless("|".join(f"(?:{one.form})" if "|" in one.form else one.form for one in several))


def _form(row: Mapping[str, str], parts: Mapping[str, str]) -> Form:
    form = row["form"]
    for name, words in parts.items():
        form = form.replace(f"{{{name}}}", words)
    return Form(row["name"], form, row["says"], row["but_not"])
