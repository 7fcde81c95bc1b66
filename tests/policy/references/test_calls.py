"""Commands of a line, and the cues that begin one."""

from time import process_time

import pytest

from actors.policy.references.mentions import MOST_COMMANDS, WORDS, begun, commands, is_rule
from tests.tables import rows


@pytest.mark.parametrize(
    ("kind", "status", "rule", "sure"),
    [
        ("convention", "confirmed", "hand", True),
        ("discovery", "confirmed", "conclusion", True),
        ("convention", "noticed", "document", False),
        ("bugfix", "confirmed", "commit", False),
        ("decision", "confirmed", "answer", False),
    ],
)
def test_a_rule_is_confirmed_and_neither_history_nor_one_of_several_options(
    kind: str, status: str, rule: str, sure: bool
) -> None:
    assert is_rule(kind, status, rule) is sure


@pytest.mark.parametrize(
    ("cue", "line", "words"),
    rows(__file__, "a_cue_is_the_beginning_of_a_command_that_the_shell_would_run"),
)
def test_a_cue_is_the_beginning_of_a_command_that_the_shell_would_run(
    cue: str, line: str, words: int
) -> None:
    assert begun(cue, commands(line)) == words


@pytest.mark.parametrize("word", ["env ", "sudo ", "uv run ", "`a` ", "$(a) ", "ls; "])
def test_of_a_line_without_end_a_few_commands_are_looked_at(word: str) -> None:
    run = commands(word * 500)

    assert len(run) <= MOST_COMMANDS
    assert all(len(one.words) <= WORDS for one in run)


@pytest.mark.parametrize(
    ("cue", "line", "words"),
    rows(__file__, "a_cue_speaks_of_what_is_run_all_day_only_when_it_names_that_use"),
)
def test_a_cue_speaks_of_what_is_run_all_day_only_when_it_names_that_use(
    cue: str, line: str, words: int
) -> None:
    assert begun(cue, commands(line)) == words


def test_commands_of_a_long_hostile_line_are_read_in_linear_time() -> None:
    def seconds(count: int) -> float:
        line = "$(gh " * count + "sudo -u " * count + "`" * count
        before = process_time()
        for _ in range(20):
            commands(line)
        return process_time() - before

    assert seconds(2_000) < 5 * seconds(1_000) + 0.05
