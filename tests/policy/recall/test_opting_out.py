"""Opting out: which prompts switch notes off and on, and which only speak of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.notes import switched_silent


@pytest.mark.parametrize(
    "prompt", ["/memory off", "  /memory off\n", "/Memory OFF", ".memory off", "/memory \toff"]
)
def test_a_prompt_that_is_only_the_switch_switches_off(prompt: str) -> None:
    assert switched_silent(prompt) is True


@pytest.mark.parametrize("prompt", ["/memory on", "\n.memory on ", "/MEMORY on"])
def test_a_prompt_that_is_only_the_switch_switches_on(prompt: str) -> None:
    assert switched_silent(prompt) is False


@pytest.mark.parametrize(
    "prompt",
    [".nomemory", "fix the port\n.nomemory", "\t.nomemory \nfix the port", ".NOMEMORY\r\nfix it"],
)
def test_no_memory_alone_on_a_line_switches_off(prompt: str) -> None:
    assert switched_silent(prompt) is True


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "/memory",
        "/memory offline",
        "what does /memory off do?",
        "/memory off please",
        "memory off",
        "/memory\noff",
        "add .nomemory to the docs",
        ".nomemory off",
        "x.nomemory",
    ],
)
def test_a_prompt_that_only_speaks_of_it_switches_nothing(prompt: str) -> None:
    assert switched_silent(prompt) is None


@given(st.text())
def test_any_text_has_an_answer_and_space_around_it_changes_nothing(text: str) -> None:
    assert switched_silent(f" {text} ") == switched_silent(text)


@given(st.text(), st.text())
def test_a_line_of_its_own_switches_off_wherever_it_stands(before: str, after: str) -> None:
    assert switched_silent(f"{before}\n.nomemory\n{after}") is True
