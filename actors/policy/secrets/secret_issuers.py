"""Tokens of known kinds: who issues them, and how they begin and go on, as their issuers publish it.

The lengths are minima: a longer token is a token. A pattern is one prefix and one class, without a
second part to fail late, so a hint costs at most its own match. Loaded by the hook by its path: see
`redaction`.
"""

from __future__ import annotations

import re

from actors.policy.secrets.secret_tables import sections


def rules_by_hint() -> dict[str, list[tuple[str, str]]]:
    """Return for each hint the trie can find the kinds and patterns to try there."""
    classes = sections("secret_issuers")
    forms = (line.split(" | ", 2) for line in classes.pop("forms"))
    rules = [(kind, prefixes.split(), body) for kind, prefixes, body in forms]
    for characters, rows in classes.items():
        for kind, least, *prefixes in map(str.split, rows):
            rules.append((kind, prefixes, characters + "{" + least + ",}"))
    every = sorted({prefix for _, prefixes, _ in rules for prefix in prefixes})
    hints: list[str] = []
    for prefix in every:  # sorted: what a prefix begins with comes before it
        if not (hints and prefix.startswith(hints[-1])):
            hints.append(prefix)
    by_hint: dict[str, list[tuple[str, str]]] = {hint: [] for hint in hints}
    for kind, prefixes, body in rules:
        pattern = "(?:" + "|".join(map(re.escape, prefixes)) + ")(?:" + body + ")"
        for hint in {next(h for h in hints if prefix.startswith(h)) for prefix in prefixes}:
            by_hint[hint].append((kind, pattern))
    return by_hint
