"""A superseded fact never stands above its successor: ten pairs in a real daemon, by words alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.process import Daemon

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
