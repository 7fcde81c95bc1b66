"""Texts of which nothing is left to remember once their secrets are taken out."""

import re

from actors.policy.events.secret_names import is_secret_name

MARKER = "[REDACTED]"  # as `redaction.py` writes it
LABELS = 3  # words beside a secret that may only say what it is: `DB_PASSWORD=…`, `the api key: …`
_WORD = re.compile(r"\w+")
_FILLERS = frozenset("the my a is of for and api access key".split())


def is_all_secret(redacted: str) -> bool:
    """Tell whether a redacted text is a marker, with at most words for a secret beside it."""
    if MARKER not in redacted:
        return False
    words = _WORD.findall(redacted.replace(MARKER, " "))
    if len(words) > LABELS:
        return False
    return all(word.lower() in _FILLERS or is_secret_name(word) for word in words)
