"""Choice of the one note before a command or at a failure."""

from __future__ import annotations

from msgspec.structs import replace

from actors.policy.recall.notes import Cued, chosen, errors_in

TRAP = Cued(7, 2, "discovery", by_person=False, is_kept=False, sessions=0, is_told=False)


def identity(*cued: Cued) -> int | None:
    one = chosen(cued)
    return None if one is None else one.identity


def test_what_was_kept_goes_first_then_the_longest_cue_a_persons_word_a_rule_and_the_newest() -> (
    None
):
    longer = replace(TRAP, identity=1, said=3)
    persons = replace(TRAP, identity=2, by_person=True)
    rule = replace(TRAP, identity=3, kind="convention")
    newer = replace(TRAP, identity=8)
    kept = replace(TRAP, identity=4, said=1, is_kept=True)

    assert identity(TRAP, newer, rule, persons, longer, kept) == 4
    assert identity(TRAP, newer, rule, persons, longer) == 1
    assert identity(TRAP, newer, rule, persons) == 2
    assert identity(TRAP, newer, rule) == 3
    assert identity(TRAP, newer) == 8


def test_a_note_is_told_once_a_session_and_not_after_three_that_did_not_use_it() -> None:
    assert identity(replace(TRAP, is_told=True)) is None
    assert identity(replace(TRAP, sessions=2)) == 7
    assert identity(replace(TRAP, sessions=3)) is None


def test_what_a_person_kept_on_purpose_is_never_silent() -> None:
    assert identity(replace(TRAP, sessions=30, is_kept=True)) == 7


def test_an_error_stands_in_a_message_whatever_its_case_numbers_and_white_space() -> None:
    message = "Exit code 1\nListen tcp 0.0.0.0:8080:\n  bind: address already in use"
    cues = [
        (1, "bind: Address already in use"),
        (1, "tcp 0.0.0.0:9090: bind:"),
        (2, "no such host"),
    ]

    assert errors_in(message, cues) == {1: len("bind: address already in use")}


def test_an_error_of_a_word_that_any_failure_may_have_is_none() -> None:
    assert errors_in("error: failed", [(1, "error"), (2, "failed")]) == {}
