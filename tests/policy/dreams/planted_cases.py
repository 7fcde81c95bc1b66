"""Planted structure in words of their own.

Three rounds of structures. A round is dreamt of together, among the two hundred
unrelated notes of ``dream_cases.filler``. They were written after the rules had been read, and the rules were mended by
them: they keep what was reached, and say nothing of words that nobody has seen.
"""

from typing import Final

from tests.policy.dreams.dream_cases import Case, Note


def _case(kind: str, name: str, *notes: tuple[float, str] | tuple[float, str, str]) -> Case:
    made = (
        Note(one[0], one[1], project=f"/src/{one[2]}" if len(one) == 3 else "/src/app")
        for one in notes
    )
    return Case(name, kind, tuple(made))


ROUNDS: Final = (
    (
        _case(
            "recurring_pattern", "certificate",
            (70, "The TLS certificate of the sandbox expired and nobody had noticed"),
            (45, "Renewed the expired TLS certificate for the sandbox host by hand"),
            (21, "Sandbox was unreachable: its certificate had run out once more"),
            (5, "Another expired certificate on the sandbox host"),
        ),
        _case(
            "contradiction", "timestamps",
            (80, "The export writes timestamps as Unix seconds"),
            (8, "The export writes timestamps as ISO 8601 strings"),
        ),
        _case(
            "knowledge_gap", "cache eviction",
            (33, "How does the thumbnail cache decide what to evict?"),
            (19, "Still unclear which thumbnails get evicted from the cache first"),
            (4, "Does anybody know when the thumbnail cache evicts entries?"),
        ),
        _case(
            "temporal_trend", "bundle size",
            (100, "The frontend bundle is 410 kB"),
            (66, "The frontend bundle is 520 kB"),
            (31, "The frontend bundle is 640 kB"),
            (3, "The frontend bundle is 790 kB"),
        ),
        _case(
            "hidden_connection", "schema change breaks reports",
            (60.5, "Changed the orders schema"),
            (60.2, "The nightly revenue report crashed on the orders table"),
            (37.5, "Changed the orders schema again to add a discount column"),
            (37.1, "The nightly revenue report crashed, it could not read the orders table"),
            (11.5, "Changed the orders schema for gift cards"),
            (11.2, "The nightly revenue report crashed on the orders table this night"),
        ),
        _case(
            "generalization", "idempotent consumers",
            (50, "Message consumers must be idempotent because deliveries repeat", "billing"),
            (30, "Consumers of the queue must be idempotent, messages get delivered twice", "mail"),
            (10, "Every message consumer must be idempotent: a delivery may repeat", "search"),
        ),
    ),
    (
        _case(
            "contradiction", "merge policy",
            (55, "Pull requests are merged by squashing all commits"),
            (12, "Pull requests are never squashed, every commit is kept in the merge"),
        ),
        _case(
            "knowledge_gap", "rate limiter",
            (28, "Why does the rate limiter let bursts through at midnight?"),
            (16, "The rate limiter let a burst through at midnight, no idea why"),
            (6, "What makes the rate limiter allow bursts around midnight?"),
        ),
        _case(
            "temporal_trend", "flaky runs rarer",
            (98, "31 flaky test runs this week"),
            (70, "22 flaky test runs this week"),
            (42, "14 flaky test runs this week"),
            (14, "6 flaky test runs this week"),
        ),
        _case(
            "recurring_pattern", "vacuum and locks",
            (52, "Bulk deletes without a vacuum made the search queries slow"),
            (26, "Search queries became slow because of bulk deletes without a vacuum"),
            (9, "After bulk deletes and no vacuum the search queries were slow, as before"),
        ),
        _case(
            "generalization", "timeouts on clients",
            (44, "HTTP clients need an explicit timeout, the default waits forever", "billing"),
            (25, "Always set an explicit timeout on the HTTP client", "mail"),
            (9, "An HTTP client without an explicit timeout hangs; set one", "search"),
        ),
    ),
    (
        _case(
            "contradiction", "retention",
            (90, "Audit logs are kept for 30 days"),
            (15, "Audit logs are kept for one year"),
        ),
        _case(
            "knowledge_gap", "webhook order",
            (31, "Are webhooks delivered in order?"),
            (17, "Not known whether webhooks arrive in the order they were sent"),
            (3, "Who can say if the webhooks are delivered in order?"),
        ),
        _case(
            "hidden_connection", "nginx upgrade",
            (72.4, "Upgraded nginx on the gateway"),
            (72.1, "Websocket connections dropped on the gateway"),
            (35.4, "Upgraded nginx on the gateway to the next minor version"),
            (35.0, "Websocket connections dropped again on the gateway"),
        ),
        _case(
            "generalization", "feature flags cleaned",
            (60, "Old feature flags should be removed once a rollout is complete", "billing"),
            (33, "Remove a feature flag as soon as its rollout is complete", "mail"),
            (12, "Feature flags that stay after the rollout should be removed", "search"),
        ),
    ),
)  # fmt: skip
