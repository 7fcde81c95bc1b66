"""A superseded fact never stands above its successor.

Ten pairs kept through the gate of a real daemon, by words alone, and the same kept without it.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.process import Daemon, prompt

PAIRS = [
    ("We deploy with Jenkins.",
     "We no longer deploy with Jenkins: we deploy with GitHub Actions now.",
     "What do we deploy with?"),
    ("The current primary database is MySQL 5.7.", "The current primary database is PostgreSQL 16.",
     "What is the primary database?"),
    ("Feature flags are stored in a YAML file in the repository.",
     "Feature flags are stored in Unleash now, no longer in a YAML file.",
     "Where are feature flags stored?"),
    ("The API authenticates clients with session cookies.",
     "The API no longer authenticates clients with session cookies but with signed JWTs.",
     "How does the API authenticate clients?"),
    ("The front end state is kept in Redux.",
     "We replaced Redux: the front end state is kept in Zustand.",
     "What is the front end state kept in?"),
    ("The release day is every second Friday.", "The release day is every Tuesday from now on.",
     "Which is the release day?"),
    ("The team lead of payments is Maria.",
     "The team lead of payments is Jonas, since Maria left.",
     "Who is the team lead of payments?"),
    ("The timeout of the search service is 5 seconds.",
     "The timeout of the search service is 2 seconds.",
     "What is the timeout of the search service?"),
    ("Logs are shipped to Splunk.", "Logs are shipped to Loki, not to Splunk any more.",
     "Where are logs shipped to?"),
    ("Use npm to install packages in the web app.",
     "Use pnpm, not npm, to install packages in the web app.",
     "What installs packages in the web app?"),
]  # fmt: skip


def outdated_above(daemon: Daemon, project: str) -> list[str]:
    """The questions that an outdated fact answers above its successor, or alone."""
    bad: list[str] = []
    for older, newer, question in PAIRS:
        found = daemon.recall(question, project=project, k=20, track=False)
        if older in found and (newer not in found or found.index(older) < found.index(newer)):
            bad.append(question)
    return bad


def test_what_the_gate_kept_is_told_in_the_order_of_succession(daemon: Daemon) -> None:
    for place in (0, 1):
        for pair in PAIRS:
            daemon.remember(pair[place], project="gated")

    assert outdated_above(daemon, "gated") == []


@pytest.mark.parametrize("first", [0, 1], ids=["as it happened", "the newer one imported first"])
def test_what_was_kept_side_by_side_is_told_in_the_order_of_its_times(
    daemon: Daemon, first: int
) -> None:
    rows: list[dict[str, Any]] = [
        {"text": pair[place], "project": "beside", "created_at": 1.7e9 + 86_400.0 * place}
        for place in (first, 1 - first)
        for pair in PAIRS
    ]
    daemon.ask("import", rows=rows, gate=False)

    assert outdated_above(daemon, "beside") == []


def test_two_that_disagree_are_told_newer_first_and_both_say_so(daemon: Daemon) -> None:
    older, newer, question = PAIRS[7]
    for text in (older, newer):
        daemon.ask("import", rows=[{"text": text}], gate=False)

    block = daemon.hook(b"o" * 16, prompt(question)).decode()

    assert block.index(newer) < block.index(older)
    assert block.index("older note here") < block.index("newer note here")


def test_a_question_about_the_past_is_answered_in_its_own_order(daemon: Daemon) -> None:
    rows = [
        {"text": pair[place], "project": "past", "created_at": 1.7e9 + 86_400.0 * place}
        for place in (0, 1)
        for pair in PAIRS
    ]
    daemon.ask("import", rows=rows, gate=False)

    found = daemon.ask(
        "recall", query="What was the timeout of the search service before?", project="past",
        explain=True, track=False,
    )  # fmt: skip

    terms = {term["name"] for one in found["results"] for term in one["terms"]}
    assert "successor" not in terms
