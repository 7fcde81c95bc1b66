"""Links as a person draws, sees and removes them, with the real daemon."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.answers.reasons import Known, sentences
from daemon.requests.link import LineageView, LinkMet, LinkView
from daemon.requests.why import Reasons
from tests.cli.conftest import Program, document
from tests.cli.test_why import NOW, NOWHERE, memory

OUTAGE = "The outage of March was a full disk"
ALERT = "Alerts go off at eighty percent of the disk"
DATABASE = "We use PostgreSQL 16 for the orders service"


@pytest.fixture
def three(command: Program) -> tuple[str, str, str]:
    """An outage, the alert that came of it, and something else."""
    outage, alert, database = [
        document(command("remember", text, "--json"))["id"] for text in (OUTAGE, ALERT, DATABASE)
    ]
    return outage, alert, database


def test_a_link_is_drawn_seen_followed_counted_and_taken_out(
    command: Program, three: tuple[str, str, str]
) -> None:
    outage, alert, database = three

    drawn = document(
        command(
            "link", outage, "caused", alert, "--strength", "0.8", "--evidence", "the minutes",
            "--json",
        )
    )  # fmt: skip
    command("link", database, "supports", outage)
    why = command("why", alert).stdout
    lineage = document(command("why", alert, "--json"))["lineage"]
    shallow = document(command("why", alert, "--depth", "1", "--json"))["lineage"]
    related = document(command("show", alert, "--json"))["related"]
    graph = document(command("stats", "--json"))["graph"]
    ways = document(command("explore", alert, "--to", database, "--json"))
    gone = document(command("unlink", outage, "caused", alert, "--json"))

    link = {
        "id": f"{outage}:caused:{alert}", "source": outage, "relation": "caused", "target": alert,
        "strength": 0.8, "evidence": "the minutes",
    }  # fmt: skip
    assert drawn == {"link": link, "new": True}
    assert f"It was caused by {outage} “{OUTAGE}”, 80% sure: the minutes." in why
    assert f"2 links away, {outage} is supported by {database} “{DATABASE}”." in why
    assert [met["link"] for met in lineage["groups"]["caused"]] == [link]
    assert lineage["groups"]["supports"][0]["path"] == [alert, outage, database]
    assert (lineage["cut"], shallow["cut"], shallow["groups"]["supports"]) == (False, True, [])
    assert related == [
        {
            "id": outage, "title": OUTAGE, "how": "caused", "incoming": True, "strength": 0.8,
            "link": link["id"], "ended": None,
        }
    ]  # fmt: skip
    assert graph == {
        "edges": 2, "nodes": 3, "density": 0.666667, "per_memory": 0.666667, "class": "moderate",
        "needed": 0, "to_dense": 1, "mean_degree": 1.333333, "coverage": 1.0,
        "unresolved": 0, "associations": 0, "associated": 0,
        "relations": {
            "caused": 1, "enabled": 0, "supersedes": 0, "contradicts": 0, "derived_from": 0,
            "supports": 1,
        },
    }  # fmt: skip
    assert [way["memories"] for way in ways["ways"]] == [[alert, outage, database]]
    assert (ways["total"], ways["ways"][0]["sure"]) == (1, 0.8)
    assert gone == {"count": 1, "note": ""}
    assert "it was taken out" not in command("why", alert).stdout
    assert command("unlink", f"{outage}:caused:{alert}").stdout == "there is no such link\n"


# ---- sentences


def met(relation: str, *, source: str = "m1", target: str = "m2", **other: Any) -> LinkMet:
    link = LinkView(
        id=f"{source}:{relation}:{target}", source=source, relation=relation, target=target,
        strength=other.pop("strength", 1.0), evidence=other.pop("evidence", ""),
    )  # fmt: skip
    known: dict[str, Any] = {
        "link": link, "memory": "m2", "title": "the other", "ended": None, "hops": 1,
        "weight": 1.0, "path": ["m1", "m2"], **other,
    }  # fmt: skip
    return LinkMet(**known)


def lines(*links: LinkMet, hint: str = "", cut: bool = False, **other: Any) -> list[str]:
    lineage = LineageView(
        groups={"caused": list(links)}, hint=hint, cut=cut, depth=3, direction="both"
    )
    known: dict[str, Any] = {
        "memory": memory(), "sentences": [], "provenance": NOWHERE, "decision": None, "later": [],
        "supersedes": [], "shown_at": None, "shown_where": None, "used_at": None, "reviews": [],
        "phrases": {"given": [], "derived": []}, "lineage": lineage, **other,
    }  # fmt: skip
    return sentences(Known(Reasons(**known), "declarative", False, NOW))


@pytest.mark.parametrize(
    ("relation", "forth", "back"),
    [
        ("caused", "caused", "was caused by"),
        ("enabled", "made possible", "was made possible by"),
        ("supersedes", "supersedes", "is superseded by"),
        ("contradicts", "contradicts", "is contradicted by"),
        ("derived_from", "is derived from", "is what was drawn on for"),
        ("supports", "supports", "is supported by"),
    ],
)
def test_a_link_is_read_from_both_ends(relation: str, forth: str, back: str) -> None:
    there = lines(met(relation))
    here = lines(met(relation, source="m2", target="m1", ended="forgotten"))

    assert f"It {forth} m2 “the other”." in there
    assert f"It {back} m2 “the other” (forgotten)." in here


def test_a_contradiction_and_more_beyond_are_said() -> None:
    said = lines(
        met("contradicts"), hint="1 of these links contradict: look at both ends", cut=True
    )

    assert "1 of these links contradict: look at both ends." in said
    assert "There are links beyond 3: --depth goes further, to at most 10." in said


def test_what_took_whose_place_is_not_said_twice() -> None:
    said = lines(met("supersedes"), supersedes=["m2"])

    assert [line for line in said if "m2" in line] == ["It took the place of m2."]


def test_of_many_links_the_nearest_are_said_and_the_rest_counted() -> None:
    said = lines(*[met("caused", target=f"n{n}", memory=f"n{n}") for n in range(15)])

    assert "3 more links are around it: --json has them all." in said
