"""A settings file is changed where it has to be, and the rest of its text stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.installing.jsonc import parsed, rewritten

TEXT = """// mine
{
\t"a": [1, 2,], // two
\t/* of the house */
\t"hooks": {
\t\t"Stop": [
\t\t\t{"command": "x"} // theirs
\t\t]
\t}
}
"""


def test_comments_last_commas_order_and_indentation_stay() -> None:
    wanted: Any = parsed(TEXT)
    wanted["hooks"]["Stop"].append({"command": "ours"})
    wanted["hooks"]["Start"] = []

    text = rewritten(TEXT, wanted)

    assert parsed(text) == wanted
    assert text == TEXT.replace(
        '{"command": "x"} // theirs\n\t\t]',
        '{"command": "x"}, // theirs\n\t\t\t{\n\t\t\t\t"command": "ours"\n\t\t\t}\n\t\t],\n'
        '\t\t"Start": []',
    )


def test_what_was_put_in_is_cut_out_again() -> None:
    before: Any = parsed(TEXT)
    wanted = json.loads(json.dumps(before))
    wanted["hooks"]["Stop"].append({"command": "ours"})
    wanted["new"] = 1

    assert rewritten(rewritten(TEXT, wanted), before) == TEXT


@pytest.mark.parametrize(
    ("text", "wanted", "result"),
    [
        ("", {"a": 1}, '{\n  "a": 1\n}\n'),
        ("// only\n", {}, "// only\n{}\n"),
        ('{"a": 1, "b": 2}', {"b": 2}, '{"b": 2}'),
        ('{"a": 1, "b": 2}', {"a": 1}, '{"a": 1}'),
        ('{"a": 1, "b": 2, "c": 3}', {"a": 1, "c": 3}, '{"a": 1, "c": 3}'),
        ('{"a": 1}', {}, "{}"),
        ('{"a": "x"}', {"a": "ä"}, '{"a": "ä"}'),
        ("{\r\n}", {"a": 1}, '{\r\n  "a": 1\r\n\r\n}'),
    ],
)
def test_a_small_change_is_a_small_change(text: str, wanted: Any, result: str) -> None:
    assert rewritten(text, wanted) == result


@pytest.mark.parametrize(
    "text", ["{", "}", '{"a" 1}', "{1: 2}", '{"a": 1} x', "[1 2]", '{"a"', "[" * 100_000]
)
def test_what_is_no_json_is_not_guessed_at(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the reader says
        parsed(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


@given(values, values, st.sampled_from([None, 1, "\t"]))
def test_the_text_says_what_is_wanted_whatever_it_said(
    before: Any, after: Any, indent: Any
) -> None:
    text = json.dumps(before, indent=indent)

    assert parsed(rewritten(text, after)) == after
