"""From what the channels found to an order and a judgement (K01, K28, F08).

First an order by words, vectors, triggers and neighbours in time: nobody's text is read
for it. Then the first of them are read for their words, ranked again with the share of
the query they have, moved a little by what the session attends to, and judged whether
they are worth an agent's attention unasked (``evidence``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from actors.policy import attention, evidence, fusion
from actors.policy.words import coverage, stem

V = TypeVar("V")

UNREAD = "not looked at closely"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the steps."""

    fusing: fusion.Settings = field(default_factory=fusion.Settings)
    judging: evidence.Settings = field(default_factory=evidence.Settings)
    attending: attention.Settings = field(default_factory=attention.Settings)


@dataclass(slots=True)
class Findings:
    """What the channels brought for one query, by memory id."""

    terms: list[str] = field(default_factory=list[str])  # telling words of the query
    frequencies: dict[str, int] = field(default_factory=dict[str, int])  # memories with each
    memories: int = 0  # in the whole store
    words: dict[int, float] = field(default_factory=dict[int, float])  # bm25, more is better
    cosines: dict[int, float] = field(default_factory=dict[int, float])
    given: set[int] = field(default_factory=set[int])  # called by a phrase a person set
    phrases: dict[int, int] = field(default_factory=dict[int, int])  # how many phrases call it
    held: dict[int, float] = field(default_factory=dict[int, float])  # attention, 0..1
    places: dict[int, fusion.Place] = field(default_factory=dict[int, "fusion.Place"])
    with_vector: bool = False

    def keep(self, living: Collection[int]) -> None:
        """Drop what ended, or lies out of scope."""
        self.words = _of(self.words, living)
        self.cosines = _of(self.cosines, living)
        self.phrases = _of(self.phrases, living)
        self.given &= set(living)


@dataclass(frozen=True, slots=True)
class Placed:
    """A memory in its place: score 0..1, why in words, and what made the score up."""

    identity: int
    score: float
    why: str
    parts: dict[str, float]


def first_order(findings: Findings, settings: Settings) -> list[fusion.Ranked]:
    """The order by the channels alone, best first."""
    return fusion.fused(
        findings.words,
        findings.cosines,
        places=findings.places,
        bonuses=_bonuses(findings),
        settings=settings.fusing,
    )


def judged_order(
    findings: Findings, said: Mapping[int, frozenset[str]], settings: Settings
) -> tuple[list[Placed], evidence.Evidence]:
    """The memories whose stems are ``said``, best first, and the judgement in that order."""
    plain = dict.fromkeys(map(stem, findings.terms), 1.0)
    fused = fusion.fused(
        _of(findings.words, said),
        _of(findings.cosines, said),
        found={i: coverage(plain, stems) for i, stems in said.items()} if plain else {},
        places=_of(findings.places, said),
        bonuses=_of(_bonuses(findings), said),
        settings=settings.fusing,
    )
    ranked = attended(fused, findings.held, settings.attending)
    question = evidence.asked(findings.frequencies, findings.memories, settings.judging)
    judged = evidence.weighed(
        question,
        [_candidate(one, findings, said[one.identity]) for one in ranked],
        settings.judging,
    )
    placed = [
        Placed(
            one.identity,
            one.score,
            str(verdict.reason),
            {**_parts(one), "confidence": verdict.confidence},
        )
        for one, verdict in zip(ranked, judged.verdicts, strict=True)
    ]
    return placed, judged


def attended(
    ranked: list[fusion.Ranked], held: Mapping[int, float], settings: attention.Settings
) -> list[fusion.Ranked]:
    """What the session attends to already comes a little sooner (F08)."""
    if not held:
        return ranked
    boosted = [
        replace(one, score=_boosted(one.score, held.get(one.identity, 0.0), settings))
        for one in ranked
    ]
    return sorted(boosted, key=lambda one: (-one.score, one.identity))


def unread(rest: Sequence[fusion.Ranked], lowest: float) -> list[Placed]:
    """Those not read, below the last one read, in their order with falling scores."""
    return [
        Placed(one.identity, lowest * (1.0 - (place + 1) / (len(rest) + 1)), UNREAD, _parts(one))
        for place, one in enumerate(rest)
    ]


def _boosted(score: float, held: float, settings: attention.Settings) -> float:
    return min(1.0, score * (1.0 + attention.session_boost(held, 0.0, settings)))


def _candidate(one: fusion.Ranked, findings: Findings, said: frozenset[str]) -> evidence.Candidate:
    return evidence.Candidate(
        one.identity,
        one.score,
        findings.cosines.get(one.identity) if findings.with_vector else None,
        said,
        trigger=one.identity in findings.given,
        called=findings.phrases.get(one.identity, 0),
    )


def _bonuses(findings: Findings) -> dict[int, fusion.Bonus]:
    return {i: fusion.Bonus(trigger=i in findings.given) for i in findings.phrases}


def _parts(ranked: fusion.Ranked) -> dict[str, float]:
    given = ranked.parts
    parts = {
        "words": given.words,
        "vectors": given.vectors,
        "found": given.found,
        "neighbours": given.neighbours,
        "bonus": given.bonus,
    }
    if given.word_score is not None:
        parts["word_score"] = given.word_score
    if given.cosine is not None:
        parts["cosine"] = given.cosine
    return parts


def _of(values: Mapping[int, V], ids: Collection[int]) -> dict[int, V]:
    return {i: value for i, value in values.items() if i in ids}
