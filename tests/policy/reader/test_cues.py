"""A prompt that is a cue finds its own note, and not just any prompt of this home."""

from __future__ import annotations

from actors.policy.reader.notes import brings_back

PROMPTS = [0.1] * 10


def test_a_prompt_finds_its_note_among_the_first_three() -> None:
    assert brings_back(0.7, [0.8, 0.75, 0.1], PROMPTS)


def test_a_prompt_that_three_other_notes_answer_better_brings_nothing_back() -> None:
    assert not brings_back(0.7, [0.8, 0.75, 0.71], PROMPTS)


def test_a_prompt_like_any_other_brings_nothing_back() -> None:
    assert not brings_back(0.7, [], [*PROMPTS, 0.7])


def test_a_prompt_is_kept_where_fewer_than_ten_say_what_is_asked() -> None:
    assert brings_back(0.1, [0.9, 0.9, 0.9], PROMPTS[1:])
