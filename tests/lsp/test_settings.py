"""Settings from an editor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp.editor import Settings, parsed

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
KEYS = ["enable", "hints", "hover", "minScore", "maxHints", "typingQuietMs", "exclude"]


def test_a_section_may_be_inside_or_be_the_whole() -> None:
    inside, _ = parsed({"reverie": {"typingQuietMs": 1500}}, Settings())
    whole, _ = parsed({"typingQuietMs": 1500}, Settings())

    assert inside == whole == Settings(typing_quiet_ms=1500)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("minScore", 1.5),
        ("minScore", True),
        ("maxHints", 2.5),
        ("hints", "yes"),
        ("hover", ["line"]),
        ("exclude", "*.log"),
        ("exclude", [1]),
    ],
)
def test_a_bad_value_is_the_default_and_a_line(key: str, value: object) -> None:
    settings, problems = parsed({key: value, "undoPrompt": True}, Settings())

    assert settings == Settings(undo_prompt=True)
    assert len(problems) == 1
    assert problems[0].startswith(f"reverie.{key} must be ")


@given(JSON | st.dictionaries(st.sampled_from(KEYS), JSON))
def test_whatever_an_editor_sends_the_settings_are_usable(raw: object) -> None:
    settings, _ = parsed(raw, Settings())

    assert 0 <= settings.min_score <= 1
    assert settings.typing_quiet >= 0


def test_excluded_paths_are_not_covered() -> None:
    settings = Settings(exclude=("*/secret/*", "*.log"))

    assert not settings.covers("/home/a/secret/x.py")
    assert not settings.covers("/var/big.log")
    assert settings.covers("/home/a/x.py")
    assert settings.covers(None)
    assert not Settings(enable=False).covers("/home/a/x.py")
