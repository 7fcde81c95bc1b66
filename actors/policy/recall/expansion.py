"""Query expansion: a few variants of a query in other words of the trade.

At most three variants, the query itself first; in each of the others one word gives way to its
synonym, and no word has more than one. Five vocabularies: authentication, errors, architecture,
code, memory. Only whole words of prose are exchanged: an identifier, a path or a quoted text means
what it says. Of what the query and a variant both found, the better counts. Whether recall asks with
them is decided by measurement: docs/adr/0006.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

VARIANTS: Final = 3  # with the query itself
READ: Final = 2_000  # characters of a query in which words are looked for
# What a variant finds counts this share of what the query itself would. Less than all of it: a
# synonym in place of a person's word is a guess, and what has the word itself comes before what has
# the guess. Measured: docs/recall-ablation.md.
WORTH: Final = 0.5

SYNONYMS: Final[Mapping[str, str]] = {
        # authentication
        "auth": "authentication", "authentication": "login", "authorization": "permissions",
        "login": "authentication", "signin": "login", "logout": "session", "password": "credential",
        "credential": "password", "credentials": "password", "token": "jwt", "jwt": "token",
        "permission": "authorization", "permissions": "authorization", "sso": "oauth",
        "oauth": "sso", "roles": "permissions", "secrets": "credentials",
        # errors
        "error": "exception", "errors": "exceptions", "exception": "error", "exceptions": "errors",
        "bug": "defect", "crash": "exception", "crashes": "fails", "crashed": "failed",
        "fails": "error", "failing": "broken", "failed": "error", "failure": "error",
        "broken": "failing", "fix": "resolve", "fixed": "resolved", "traceback": "stacktrace",
        "hang": "deadlock", "hangs": "deadlock", "flaky": "intermittent", "slow": "latency",
        "timeout": "deadline", "outage": "incident", "incident": "outage",
        # architecture
        "api": "endpoint", "endpoint": "route", "endpoints": "routes", "route": "endpoint",
        "database": "db", "db": "database", "cache": "caching", "caching": "cache",
        "deploy": "release", "deployed": "released", "deployment": "release", "release": "deploy",
        "hosting": "deployment", "queue": "worker", "jobs": "worker", "background": "async",
        "schema": "migration", "migration": "schema", "frontend": "ui", "ui": "frontend",
        "backend": "server", "architecture": "design", "design": "architecture",
        "monitoring": "observability", "logging": "logs", "framework": "library",
        # code
        "refactor": "restructure", "rename": "refactor", "function": "method",
        "method": "function", "test": "spec", "tests": "specs", "testing": "test",
        "config": "configuration", "configuration": "config", "settings": "config",
        "environment": "env", "env": "environment", "dependency": "package",
        "dependencies": "packages", "package": "dependency", "library": "package",
        "lint": "linter", "linter": "lint", "linting": "style", "formatting": "formatter",
        "style": "convention", "naming": "convention", "repo": "repository",
        "repository": "repo", "ci": "pipeline", "pipeline": "ci", "merge": "pull request",
        "async": "asynchronous", "concurrency": "parallel", "docs": "documentation",
        "documentation": "docs", "typed": "types", "typing": "types",
        # memory
        "memory": "note", "memories": "notes", "note": "memory", "remember": "recall",
        "recall": "remember", "decided": "chose", "decision": "choice", "chose": "decided",
        "choose": "decide", "reason": "rationale", "why": "because", "preference": "prefer",
        "preferences": "prefer", "prefer": "preference", "convention": "rule", "rule": "convention",
        "conventions": "rules", "session": "conversation", "conversation": "session",
        "embedding": "vector", "embeddings": "vectors", "search": "retrieval", "plan": "roadmap",
    }  # fmt: skip

# A word that nothing joins to anything: `auth_token`, `src/auth` and `--cache` name one thing.
_WORD: Final = re.compile(r"(?<![\w./\\@:=#$`-])[A-Za-z]{2,}(?![\w/\\@=(`-]|[.:]+[\w/])")
_QUOTED: Final = re.compile(r'"[^"\n]*"|`[^`\n]*`')


def synonyms(query: str) -> tuple[tuple[str, str], ...]:
    """The words of ``query`` that have a synonym, in lower case, each once with its one."""
    found = {match.group().lower(): other for match, other in _exchangeable(query)}
    return tuple(found.items())


def variants(query: str, limit: int = VARIANTS) -> tuple[str, ...]:
    """``query`` first, then with one word exchanged for its synonym; at most ``limit``."""
    found = {query: None}
    for match, other in _exchangeable(query):
        if len(found) >= limit:
            break
        found[query[: match.start()] + other + query[match.end() :]] = None
    return tuple(found)


def joined_words(
    own: Mapping[int, float], others: Sequence[Mapping[int, float]], worth: float = WORTH
) -> dict[int, float]:
    """The word scores of the query with those of variants, on the query's own scale.

    Scores of two queries have no common scale: a rare synonym would outweigh all that was asked
    for. So the best of another has ``worth`` of the best of the query's own. Own scores of 6 and
    2 with others of 10 and 5: those are worth 4.8 and 2.4.
    """
    found = dict(own)
    for other in others:
        best = max(other.values(), default=0.0)
        if best > 0:
            scale = worth * max(own.values(), default=best) / best
            found = _better(found, {one: scale * score for one, score in other.items()})
    return found


def joined_cosines(
    own: Mapping[int, float], others: Sequence[Mapping[int, float]], worth: float = WORTH
) -> dict[int, float]:
    """The cosines with the query, and ``worth`` of those with variants where more."""
    found = dict(own)
    for other in others:
        found = _better(found, {one: worth * each for one, each in other.items() if each > 0})
    return found


def _exchangeable(query: str) -> list[tuple[re.Match[str], str]]:
    """The first occurrence of each word that has a synonym the query does not hold already."""
    read = query[:READ]
    quoted = _QUOTED.sub(lambda run: '"' * len(run.group()), read)
    words = list(_WORD.finditer(quoted))
    held = {match.group().lower() for match in words}
    seen: set[str] = set()
    found: list[tuple[re.Match[str], str]] = []
    for match in words:
        word = match.group().lower()
        other = SYNONYMS.get(word)
        if other is not None and word not in seen and other not in held:
            seen.add(word)
            found.append((match, other))
    return found


def _better(own: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    return {**own, **{one: max(score, own.get(one, score)) for one, score in other.items()}}
