"""Intent of a query, by its words, and the weights that words and vectors have for it.

Looking for a specification leans on meaning, mending a bug as much on its words. Of seven intents
the one with most of its keywords in the query is meant, of equals the first; without any the
weights are nearly those that are shipped. Keywords and weights are a choice.
"""

from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from actors.policy.recall import fusion
from actors.policy.text.words import stems

READ: Final = 1_000  # characters of a query that are read


class Intent(NamedTuple):
    """Purpose of a query; the two weights are beside each other."""

    name: str
    words: float
    vectors: float
    keywords: str = ""


INTENTS: Final = (
    Intent("fix bug", 0.4, 0.4, "fix bug error crash broken fail exception debug regression wrong"
           " traceback hang flaky leak stacktrace"),
    Intent("find decision", 0.3, 0.5, "decision decide why rationale choose chose chosen alternative"
           " tradeoff adr agreed prefer reason instead rejected settled"),
    Intent("find spec", 0.2, 0.7, "spec specification requirement plan scope checklist acceptance"
           " criteria roadmap milestone prd rfc deliverable"),
    Intent("security audit", 0.3, 0.5, "security vulnerability audit injection xss csrf exploit secret"
           " sanitize escalation cve hardening owasp leaked"),
    Intent("refactor", 0.3, 0.6, "refactor restructure cleanup simplify rename extract dedupe decouple"
           " duplicate reorganize rewrite split tidy inline"),
    Intent("add feature", 0.3, 0.5, "add implement create build feature new support introduce extend"
           " integrate enable endpoint scaffold"),
    Intent("understand", 0.2, 0.7, "understand explain overview describe meaning purpose architecture"
           " flow how learn clarify summarize work difference"),
)  # fmt: skip
ANYTHING: Final = Intent("anything", 0.3, 0.5)


def intent_of(query: str) -> Intent:
    """The intent of a query."""
    asked = stems(query[:READ])
    found = max(INTENTS, key=lambda one: len(asked & _keywords(one)))
    return found if asked & _keywords(found) else ANYTHING


def weighed(intent: Intent, settings: fusion.Settings) -> fusion.Settings:
    """The weights of words and vectors divided by what is asked for; their sum stays."""
    both = settings.words + settings.vectors
    words = both * intent.words / (intent.words + intent.vectors)
    return replace(settings, words=words, vectors=both - words)


@cache
def _keywords(intent: Intent) -> frozenset[str]:
    return stems(intent.keywords)
