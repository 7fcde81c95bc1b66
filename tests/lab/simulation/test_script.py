"""Scripts: what a line may be, and what is said of a wrong one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.simulation.script import FORMS, ScriptError, read, span, unrolled, when


def script_of(*lines: Any) -> str:
    """These lines as a file."""
    return "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)


def wrong(*lines: Any) -> str:
    """What is said of this script."""
    with pytest.raises(ScriptError) as caught:
        read("life.jsonl", script_of(*lines))
    return str(caught.value)


def test_comments_and_blank_lines_are_no_steps_but_count_as_lines() -> None:
    script = read("a", script_of("# a life", "", "// and more", {"prompt": "hello"}))

    assert [(step.line, step.verb, step.value) for step in script.steps] == [(4, "prompt", "hello")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"prompt": ', "no JSON"),
        ("[1, 2]", "one JSON object"),
        ({"promt": "hello"}, 'did you mean {"prompt"'),
        ({"nothing": 1}, "nothing happens on this line"),
        ({"prompt": 7}, "the value of prompt is a text, not 7"),
        ({"prompt": "a", "sesion": "s"}, "did you mean 'session'?"),
        ({"prompt": "a", "session": 3}, "session is a text"),
        ({"prompt": "a", "answer": "b"}, "prompt and answer on one line"),
        ({"sleep": "soon"}, "'soon' is no length of time"),
        ({"sleep": -1}, "is no length of time"),
        ({"until": "tomorrow"}, "'tomorrow' is no moment"),
        ({"prompt": "a", "at": [1]}, "[1] is no moment"),
        ({"remember": "a", "tear": "critical"}, "remember: Object contains unknown field `tear`"),
        ({"remember": "a", "tier": "huge"}, "Invalid enum value 'huge'"),
        ({"recall": "a", "k": "five"}, "Expected `int`, got `str`"),
        ({"ask": "forcast"}, "did you mean 'forecast'?"),
        ({"ask": "forecast", "body": {}}, "missing required field `days`"),
        ({"use": "m1", "by": "luck"}, "'luck' is no use of a memory"),
        ({"useful": "@port"}, 'no line before has "as": "port"'),
        ({"expect": {"recalled": "@port"}}, 'no line before has "as": "port"'),
        ({"prompt": "a", "as": "two words"}, "'two words' is no label"),
        ({"repeat": 3}, 'a repeat needs its "steps"'),
        ({"repeat": "x", "steps": [{"sleep": 1}]}, "'x' is no number of turns"),
        ({"repeat": 2, "steps": [{"slep": 1}]}, 'did you mean {"sleep"'),
        ({"repeat": 2, "steps": [{"sleep": 1, "at": "+3h"}]}, "is a time of day"),
        ({"repeat": 100_001, "steps": [{"sleep": 1}]}, "more than 100,000 steps"),
        ({"settings": {"gate.hihg": 1}}, "did you mean gate.high?"),
        ({"expect": 7}, "the value of expect is an object"),
    ],
)
def test_a_wrong_line_is_named_with_its_place_and_with_what_is_meant(line: Any, said: str) -> None:
    text = wrong("# first", line)

    assert text.startswith("life.jsonl:2: ")
    assert said in text
    assert "\n" not in text


def test_settings_come_first() -> None:
    assert "settings come before" in wrong({"prompt": "a"}, {"settings": {"gate.high": 0.9}})


def test_a_label_that_is_nearly_right_is_recognised() -> None:
    said = wrong({"remember": "x", "as": "port"}, {"pin": "@prot"})

    assert said.endswith("did you mean @port?")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (90, 90.0), ("90", 90.0), ("3h", 10_800.0), ("90d", 7_776_000.0), ("1d12h", 129_600.0),
        ("10 min", 600.0), ("10m", 600.0), ("2w", 1_209_600.0), ("1y", 31_536_000.0), (0.5, 0.5),
    ],
)  # fmt: skip
def test_lengths_of_time(value: object, seconds: float) -> None:
    assert span(value) == seconds


def test_moments_are_dates_offsets_and_times_of_day() -> None:
    midnight = 1_767_571_200.0  # 2026-01-05 00:00 UTC

    assert when("2026-01-05T00:00").seconds(0, 0) == midnight
    assert when("2026-01-05T02:00+02:00").seconds(0, 0) == midnight
    assert when("+3h").seconds(midnight, midnight + 50) == midnight + 10_800
    assert when("09:30").seconds(0, midnight) == midnight + 34_200
    assert when("09:30").seconds(0, midnight + 34_201) == midnight + 34_200 + 86_400


def test_repeats_are_written_out_and_know_their_turn() -> None:
    inner = {"repeat": 2, "steps": [{"remember": "fact {n}"}]}
    script = read("a", script_of({"repeat": 2, "steps": [{"prompt": "day {n}"}, inner]}))
    steps = list(unrolled(script.steps))

    assert [step.value for step in steps] == [
        "day 1", "fact 1", "fact 1", "day 2", "fact 2", "fact 2",
    ]  # fmt: skip
    assert steps[1].asked is not None  # the outer turn is filled in first
    assert steps[1].asked.body["text"] == "fact 1"


def test_every_verb_has_its_form() -> None:
    assert all(f'"{verb}"' in form or form.startswith("{") for verb, form in FORMS.items())


def refused(text: str) -> str:
    """What is said of a script, nothing when it is right."""
    try:
        read("life.jsonl", text)
    except ScriptError as error:
        return str(error)
    return ""


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    assert refused(text).partition(":")[0] in ("", "life.jsonl")


@given(
    st.dictionaries(
        st.sampled_from([*FORMS, "at", "as", "steps", "by"]),
        st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2),
        max_size=3,
    )
)
def test_no_object_does_more_than_be_refused(line: dict[str, Any]) -> None:
    assert refused(json.dumps(line)).partition(":")[0] in ("", "life.jsonl")
