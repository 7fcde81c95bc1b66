"""Rewording of a query: its synonyms, the beginning of its answer, its purpose, and how much it asks.

All of it is off but the last, which says how many tokens an answer may take (docs/recall-ablation.md).
Keywords, weights and limits are choices.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from actors.policy.recall import fusion
from actors.policy.text.vectors import normalised
from actors.policy.text.words import stems

SEARCHED: Final = 2_000  # characters of a query in which words with synonyms are looked for
TEMPLATED: Final = 400  # of one that is put into templates: a model of 128 tokens sees no more
JUDGED: Final = 1_000  # of one whose purpose is looked for
SIMPLE: Final = 3  # words of a simple query at most
MODERATE: Final = 8


def tier(query: str) -> str:
    """Tell how much is asked: ``simple``, ``moderate`` or ``complex``.

    An empty one counts as complex: looking everywhere costs time, looking in too few places costs
    the answer.
    """
    words = len(query.split())
    if not 0 < words <= MODERATE:
        return "complex"
    return "simple" if words <= SIMPLE else "moderate"


# ---- in other words
#
# Only whole words of prose are exchanged: an identifier, a path or a quoted text means what it says.
# What only a variant finds counts half of what the query itself would: a synonym in place of a
# person's word is a guess.

VARIANTS: Final = 2  # beside the query itself
WORTH: Final = 0.5  # share of what a variant finds

# Word and synonym, in the words of authentication, errors, architecture, code and memory.
_PAIRS: Final = """
auth=authentication authentication=login authorization=permissions login=authentication
signin=login logout=session password=credential credential=password credentials=password token=jwt
jwt=token permission=authorization permissions=authorization sso=oauth oauth=sso roles=permissions
secrets=credentials error=exception errors=exceptions exception=error exceptions=errors bug=defect
crash=exception crashes=fails crashed=failed fails=error failing=broken failed=error failure=error
broken=failing fix=resolve fixed=resolved traceback=stacktrace hang=deadlock hangs=deadlock
flaky=intermittent slow=latency timeout=deadline outage=incident incident=outage api=endpoint
endpoint=route endpoints=routes route=endpoint database=db db=database cache=caching caching=cache
deploy=release deployed=released deployment=release release=deploy hosting=deployment queue=worker
jobs=worker background=async schema=migration migration=schema frontend=ui ui=frontend
backend=server architecture=design design=architecture monitoring=observability logging=logs
framework=library refactor=restructure rename=refactor function=method method=function test=spec
tests=specs testing=test config=configuration configuration=config settings=config environment=env
env=environment dependency=package dependencies=packages package=dependency library=package
lint=linter linter=lint linting=style formatting=formatter style=convention naming=convention
repo=repository repository=repo ci=pipeline pipeline=ci async=asynchronous concurrency=parallel
docs=documentation documentation=docs typed=types typing=types memory=note memories=notes
note=memory remember=recall recall=remember decided=chose decision=choice chose=decided
choose=decide reason=rationale why=because preference=prefer preferences=prefer prefer=preference
convention=rule rule=convention conventions=rules session=conversation conversation=session
embedding=vector embeddings=vectors search=retrieval plan=roadmap
"""
SYNONYMS: Final[Mapping[str, str]] = {
    word: other for word, _, other in (pair.partition("=") for pair in _PAIRS.split())
}
# A word that nothing joins to anything: `auth_token`, `src/auth` and `--cache` name one thing.
_WORD: Final = re.compile(r"(?<![\w./\\@:=#$`-])[A-Za-z]{2,}(?![\w/\\@=(`-]|[.:]+[\w/])")
_QUOTED: Final = re.compile(r'"[^"\n]*"|`[^`\n]*`')


def variants(query: str) -> list[tuple[str, str, str]]:
    """Two variants at most, each with the word that gave way and its synonym."""
    read = _QUOTED.sub(lambda run: '"' * len(run.group()), query[:SEARCHED])
    words: dict[str, re.Match[str]] = {}
    for match in _WORD.finditer(read):
        words.setdefault(match.group().lower(), match)
    found = [
        (query[: match.start()] + SYNONYMS[word] + query[match.end() :], word, SYNONYMS[word])
        for word, match in words.items()
        if word in SYNONYMS and SYNONYMS[word] not in words
    ]
    return found[:VARIANTS]


def joined(
    own: Mapping[int, float], others: Sequence[Mapping[int, float]], *, alike: bool
) -> dict[int, float]:
    """The query's scores with half of those of variants, where those are more.

    ``alike``: they have a common scale, as cosines. Scores of words have none, so that the best
    of another counts as half of the best of the query's own.
    """
    found = dict(own)
    for other in others:
        best = max(other.values(), default=0.0)
        scale = WORTH if alike else WORTH * max(own.values(), default=best) / (best or 1.0)
        better = {i: scale * score for i, score in other.items() if score > 0}
        found |= {i: max(score, found.get(i, score)) for i, score in better.items()}
    return found


# ---- as its answer
#
# An answer lies nearer to an answer than to its question, so a query is searched also by the mean of
# its vector and those of three beginnings of answers (Gao et al. 2022, arXiv 2212.10496, with
# templates in place of a model's text).

# By the words of a query that want this kind of answer; the last is for all others.
TEMPLATES: Final = (
    ("why reason reasons rationale", ("The reason {} is that", "{} because", "It was decided because of {}")),
    ("how steps way", ("The steps to {} are", "To {}, first", "We {} by running")),
    ("when date time since until ago yesterday", ("{} happened on", "The date of {} was", "At that time, {}")),
    ("", ("{} is", "The project uses {}", "We decided on {}")),
)  # fmt: skip
_ASKING: Final = frozenset(
    "please can could you tell show me explain describe define find what which who whose where when why"
    " how is are was were do does did should would will has have had to i we the an a".split()
)


def beginnings(query: str) -> tuple[str, ...]:
    """Three beginnings of an answer; none of an empty query."""
    words = query[:TEMPLATED].split()
    plain = [word.strip("?!.,;:").lower() for word in words]
    asking = next((place for place, word in enumerate(plain) if word not in _ASKING), 0)
    about = " ".join(words[asking:]).strip(" ?!.,;:")
    kinds = (of for wanted, of in TEMPLATES if not wanted or {*wanted.split()} & {*plain})
    return tuple(one.replace("{}", about) for one in next(kinds)) if about else ()


def middle(vectors: Sequence[bytes]) -> bytes:
    """The mean of these vectors, each at length 1, at length 1 itself; zeros where they cancel out."""
    rows = normalised(np.stack([np.frombuffer(vector, np.float32) for vector in vectors]))
    found: bytes = normalised(rows.mean(axis=0))[0].tobytes()
    return found


def averaged(own: Mapping[int, float], answers: Mapping[int, float]) -> dict[int, float]:
    """The mean of the cosines with the query and with the middle of its answers, or the one there is."""
    return {**own, **{one: (own.get(one, cosine) + cosine) / 2 for one, cosine in answers.items()}}


# ---- for what it is meant
#
# Looking for a specification leans on meaning, mending a bug as much on its words. The purpose with
# most of its keywords in the query is meant, of equals the first; without any the weights are nearly
# those that are shipped.


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
    asked = stems(query[:JUDGED])
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
