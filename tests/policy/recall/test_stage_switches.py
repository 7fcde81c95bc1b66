"""Which stages a person may switch (K28)."""

from dataclasses import fields

from actors.policy.recall import ranking, stages
from actors.policy.recall.stage_switches import (
    DEFAULT,
    NAMES,
    OF_SEARCHES,
    Settings,
    of_prompts,
    running,
)

RECALLS_AFFAIR = {"overfetch", "limit", "budget", "spreading"}


def test_every_stage_has_a_switch_but_those_that_the_answer_itself_decides() -> None:
    known = {one.name for one in fields(stages.Settings)} - RECALLS_AFFAIR
    assert set(NAMES) == known | {"coactivation"}


def test_what_is_on_by_default_is_what_recall_runs() -> None:
    assert running(DEFAULT) == ranking.Settings().running


def test_a_prompt_has_every_stage_but_those_of_searches() -> None:
    everything = Settings(**dict.fromkeys(NAMES, True))
    on = {name for name in NAMES if getattr(of_prompts(everything), name)}

    assert set(NAMES) - on == OF_SEARCHES
    assert of_prompts(DEFAULT) == DEFAULT


def test_a_switch_turns_its_stage_and_no_other() -> None:
    usual = running(DEFAULT)
    for name in set(NAMES) - {"coactivation"}:
        other = running(Settings(**{name: not getattr(DEFAULT, name)}))
        differing = {
            one.name
            for one in fields(stages.Settings)
            if getattr(usual, one.name) != getattr(other, one.name)
        }
        assert differing == {name}
