"""Memories as documents and as search results."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.requests.memories import About, MemoryView, Shown
from daemon.requests.recall import Recalled, Scored
from lsp.pages import MOST, NAME, address, memory_at, page, symbols

MEMORY = MemoryView(
    id="m1",
    text="Retry three times.",
    title="Retries",
    kind="decision",
    tier="important",
    project=None,
    created_at=0.0,
    updated_at=60.0,
    state="WARM",
    retrievability=0.5,
    stability=3.0,
    pinned=True,
    ended=None,
    key=None,
    triggers=["retry budget", "backoff"],
    origin="from a prompt",
    session=None,
    versions=2,
)


def recalled(*titles: str) -> Recalled:
    results = [
        Scored(
            id=f"m{n}",
            key=None,
            score=0.5,
            text="text",
            title=title,
            kind="fact",
            tier="normal",
            origin="",
            project="/src/shop" if n else None,
            created_at=0.0,
            why="",
        )
        for n, title in enumerate(titles)
    ]
    return Recalled(
        results=results, confidence=1, mode="both", degraded=None, evidence={}, timings={}
    )


@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_an_address_leads_back_to_its_memory(id_: str) -> None:
    assert memory_at(address(id_)) == id_


@pytest.mark.parametrize(
    "uri", ["file:///m1.md", "reverie://memory/.md", "reverie://memory/m1", "reverie:m1.md"]
)
def test_other_addresses_lead_to_no_memory(uri: str) -> None:
    assert memory_at(uri) is None


def test_results_are_symbols_in_their_order() -> None:
    found = symbols(recalled("first", "a\nlong " + "title " * 40).results)

    assert found[0].name == "first"
    assert len(found[1].name) <= NAME
    assert found[1].name.endswith("…")
    assert [symbol.container_name for symbol in found] == ["fact · everywhere", "fact · shop"]


def test_no_more_symbols_than_an_editor_can_show() -> None:
    assert len(symbols(recalled(*["title"] * 80).results)) == MOST


def test_a_page_tells_the_text_the_reasons_and_the_past() -> None:
    decisions = [{"action": "CREATE", "similarity": 0.25, "existing": None, "at": 60.0}]

    text = page(Shown(memory=MEMORY, decisions=decisions, history=[]), now=120.0)

    assert text.startswith("# Retries\n\nRetry three times.\n\n")
    assert "- Text that says one of: “retry budget”, “backoff”\n" in text
    assert "- decision, important, pinned\n" in text
    assert "- For: everywhere\n" in text
    assert "- Origin: from a prompt, 2 minutes ago\n" in text
    assert "- 1 minute ago: remembered, similarity 0.25\n" in text
    assert "## What happened to it" not in text


def test_a_page_says_what_the_memory_is_about_and_so_why_it_is_shown() -> None:
    held = About(path="src/pay.py", symbol="_charge", command="", state="held")
    changed = About(path="src/web.py", symbol="", command="", state="changed")
    tied = Shown(
        memory=msgspec.structs.replace(MEMORY, triggers=[]),
        decisions=[],
        history=[],
        about=[held, changed],
    )

    text = page(tied, now=0.0)

    assert "- It is about _charge in src/pay.py\n- It is about src/web.py: changed since\n" in text
    assert "No phrase leads to it" not in text


def test_a_page_says_that_a_memory_has_ended() -> None:
    ended = msgspec.structs.replace(
        MEMORY, ended="deprecated", superseded_by="m2", triggers=[], stale="pay.py is gone"
    )

    text = page(Shown(memory=ended, decisions=[], history=[{"at": 0, "what": "shown"}]), now=0.0)

    assert "- Stale: pay.py is gone\n- Ended: deprecated\n- Superseded by m2\n" in text
    assert "No phrase leads to it" in text
    assert text.endswith("## What happened to it\n\n- just now: shown\n")
