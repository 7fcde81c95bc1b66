"""The pages of dreams and plans."""

from __future__ import annotations

import msgspec
import pytest

from lsp.reports import (
    WAITING,
    address,
    dream_page,
    plan_page,
    plans_page,
    report_at,
)
from tests.lsp.fake_daemon import plan, report


def test_a_dreams_page_tells_what_was_replayed_connected_noticed_and_proposed() -> None:
    page = dream_page(report(), now=7_300.0)

    assert page.startswith("# Dream 3\n\nDream 3 (finished): 412 memories, 35 pairs connected,")
    assert "It began 2 hours ago, for a person." in page
    assert "- replayed 412, 9 things that several are about\n" in page
    assert "**pattern** (m9): Retries come up again and again. — from m1, m2" in page
    assert "about the same things, strength 0.80: both about retry" in page
    assert "- Plan 7 (waits for you): put away 2 memories, nobody uses it" in page
    assert "Nothing of this is done before you agree." in page


def test_a_dreams_page_tells_what_became_of_its_plan() -> None:
    found = report()
    applied = msgspec.structs.replace(found.proposed[0], state="applied")
    page = dream_page(msgspec.structs.replace(found, proposed=[applied]), now=0.0)

    assert "## Proposed\n\n- Plan 7 (done): put away 2 memories, nobody uses it\n" in page
    assert "before you agree" not in page


def test_what_a_title_says_is_no_markup() -> None:
    hostile = "![x](http://example.org/x.png)"

    dreamt = dream_page(report(), now=0.0)
    planned = plan_page(plan(7, "m1", title=hostile), now=0.0)

    assert hostile not in dreamt
    assert hostile not in planned
    assert r"\!\[x\](http://example.org/x.png)" in planned


def test_a_plans_page_says_what_why_and_how_it_is_done() -> None:
    page = plan_page(plan(7, "m1", "m2"), now=7_300.0)

    assert page.startswith("# Plan 7: archive 2 memories (waits for you)\n")
    assert "- Why: older than 90 days" in page
    assert "- From: a look through old memories, 2 hours ago\n" in page
    assert "- Means: No answer, prompt or hint has them any more. Nothing is deleted." in page
    assert "It waits: it can be applied, or dismissed" in page
    assert r"- archive m1 Retries: at most 3 — 91 days old, never used" in page


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("applied", "It can be undone"),
        ("undone", "It can be applied after all"),
        ("stale", "It would be proposed anew"),
    ],
)
def test_a_decided_plan_says_what_can_be_done_now(state: str, said: str) -> None:
    page = plan_page(msgspec.structs.replace(plan(7, "m1"), state=state), now=0.0)

    assert said in page


def test_many_steps_are_counted() -> None:
    page = plans_page([plan(7, *(f"m{n}" for n in range(30)))], now=0.0)

    assert "- and 10 more\n" in page
    assert plans_page([], now=0.0) == "# Plans\n\nNo plan waits.\n"


def test_an_address_leads_back_to_its_number_and_others_lead_nowhere() -> None:
    assert report_at(address("dream", 3)) == ("dream", 3)
    assert report_at(address("plan", 7)) == ("plan", 7)
    assert [report_at("reverie://dream/x.md"), report_at(WAITING)] == [None, None]
