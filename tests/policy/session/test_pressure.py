"""Context pressure and what a transcript tells of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session import pressure
from actors.policy.session.pressure import Level


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (0.0, Level.NONE),
        (0.59, Level.NONE),
        (0.60, Level.FOCUSED),
        (0.79, Level.FOCUSED),
        (0.80, Level.QUICK),
        (1.0, Level.QUICK),
    ],
)
def test_the_share_in_use_has_three_levels(ratio: float, expected: Level) -> None:
    assert pressure.level(ratio) is expected


def test_tokens_are_a_share_of_the_window() -> None:
    assert pressure.pressure(170_000) is Level.QUICK
    assert pressure.pressure(70, window=100) is Level.FOCUSED


def test_there_is_room_where_nobody_knows() -> None:
    assert pressure.pressure(None) is Level.NONE
    assert pressure.pressure(100, window=0) is Level.NONE


def answer(tokens: int, **more: object) -> str:
    usage = {
        "input_tokens": 1,
        "cache_read_input_tokens": tokens - 111,
        "cache_creation_input_tokens": 100,
        "output_tokens": 10,
    }
    return json.dumps({"type": "assistant", "message": {"usage": usage}} | more)


def compaction(**metadata: object) -> str:
    return json.dumps(
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata}
    )


FULL = answer(190_000)
ZEROS = '{"type":"assistant","message":{"usage":{"input_tokens":0,"output_tokens":0}}}'


@pytest.mark.parametrize(
    ("lines", "tokens"),
    [
        pytest.param([answer(1000), '{"type":"user"}', answer(2000)], 2000, id="the last answer"),
        pytest.param([answer(1000), answer(9000, isSidechain=True)], 1000, id="a subagent's"),
        pytest.param([FULL, compaction(preTokens=190_000)], None, id="a compaction"),
        pytest.param([FULL, compaction(postTokens=9000)], 9000, id="one that tells its size"),
        pytest.param([FULL, compaction(), answer(12_000)], 12_000, id="an answer after it"),
        pytest.param([answer(1000), ZEROS], 1000, id="an answer made up for an error"),
        pytest.param([], None, id="an empty transcript"),
    ],
)
def test_the_last_answer_or_a_compaction_after_it_tells_how_full_the_context_is(
    lines: list[str], tokens: int | None
) -> None:
    assert pressure.tokens_in_use(lines) == tokens


@pytest.mark.parametrize(
    "line",
    [
        '_tokens":5}},"usage" cut at the front',
        '["usage"]',
        '{"type":"assistant","message":"usage","x":{"usage":1}}',
        '{"type":"assistant","message":{"usage":{"input_tokens":"many"}}}',
        '{"type":"attachment","usage":{"input_tokens":5}}',
        '{"subtype":"compact_boundary","compactMetadata":"none"}',
    ],
)
def test_a_line_that_is_cut_or_odd_is_skipped(line: str) -> None:
    assert pressure.tokens_in_use([line]) is None


@given(st.lists(st.text(max_size=40)))
def test_no_line_breaks_the_reading(lines: list[str]) -> None:
    assert pressure.tokens_in_use([f'"usage"{line}' for line in lines]) is None
