"""The table of projects says what a dictionary would, in a fifth of the bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.project_table import ProjectTable

IDS = st.integers(-5, 30)
PROJECTS = st.sampled_from([None, "/a", "/b", "/c"])


@given(
    st.lists(st.one_of(st.tuples(IDS, PROJECTS), IDS), max_size=60),
)
def test_it_says_what_a_dictionary_says(changes: list[tuple[int, str | None] | int]) -> None:
    table = ProjectTable()
    plain: dict[int, str | None] = {}
    for change in changes:
        if isinstance(change, int):
            table.discard(change)
            plain.pop(change, None)
        else:
            table.put(*change)
            plain[change[0]] = change[1]

    assert len(table) == len(plain)
    assert {number: table.project(number) for number in plain} == plain
    assert all(table.project(number) is None for number in range(-6, 32) if number not in plain)


def test_a_hundred_thousand_memories_take_eighteen_bytes_each() -> None:
    table = ProjectTable()
    for number in range(100_000):
        table.put(number, f"/{number % 7}")

    assert table.nbytes <= 18 * 100_000 + 1_000
    assert table.project(99_999) == f"/{99_999 % 7}"
