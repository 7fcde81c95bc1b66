"""The strength of a memory over time, asked of a real daemon."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.daemon.process import Daemon, Refusal

PORT = "The staging database listens on port 5433."


def test_it_begins_where_the_past_ends_and_fades_if_nothing_is_used(clean: Daemon) -> None:
    id_ = clean.remember(PORT)

    course = clean.ask("course", id=id_, days=3_650)

    assert course["past"][-1][1] == course["ahead"][0][1] > 0.99
    assert all(before[1] >= after[1] for before, after in pairwise(course["ahead"]))
    assert course["ahead"][-1][0] - course["at"] == pytest.approx(3_650 * 86_400)
    assert course["borders"]["HOT"] > course["borders"]["DORMANT"]


def test_each_fall_is_named_with_its_state_in_the_order_of_the_states(clean: Daemon) -> None:
    id_ = clean.remember(PORT)

    falls = clean.ask("course", id=id_, days=3_650)["falls"]

    assert [one["state"] for one in falls] == ["WARM", "COLD", "DORMANT", "archivable"]
    assert [one["at"] for one in falls] == sorted(one["at"] for one in falls)


def test_a_verdict_is_an_event_of_the_curve(clean: Daemon) -> None:
    id_ = clean.remember(PORT)
    clean.ask("rate", id=id_, up=True)

    course = clean.ask("course", id=id_)

    assert [one["what"] for one in course["events"]] == ["promoted"]
    assert [at for at, _ in course["past"]] == sorted(at for at, _ in course["past"])


def test_what_is_pinned_or_over_falls_nowhere(clean: Daemon) -> None:
    pinned, over = clean.remember(PORT), clean.remember("Answers are short.")
    clean.ask("pin", ids=[pinned])
    clean.ask("forget", ids=[over])

    falls = [clean.ask("course", id=id_, days=3_650)["falls"] for id_ in (pinned, over)]

    assert falls == [[], []]


@pytest.mark.parametrize("days", [0, -1, 3_651])
def test_a_span_that_no_plot_has_is_refused(clean: Daemon, days: float) -> None:
    id_ = clean.remember(PORT)

    with pytest.raises(Refusal, match="Expected `float`"):
        clean.ask("course", id=id_, days=days)
