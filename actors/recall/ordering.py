"""Ordering: findings of the channels as notes, and the judgement of the first ones.

Reading texts for their words costs more than all else in recall: the stems are kept for the next
query. The rules are in ``actors.policy.recall.ranking``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, tzinfo
from itertools import islice

from msgspec import Struct, field

from actors.core.equipment import Clock, Latest
from actors.memory.rows import Memory
from actors.policy.decay import states
from actors.policy.recall import ranking, stages
from actors.policy.recall.answers import lowered
from actors.policy.recall.candidates import Candidate, Facts
from actors.policy.recall.stages import Trace
from actors.policy.recall.ways import DEFAULT
from actors.policy.statements.sources import NOTICED
from actors.policy.statements.trust import is_users_word
from actors.policy.text import speech, wording
from actors.policy.text.speech import asks_of_past, tells_of_past
from actors.policy.text.words import stem, stems
from actors.policy.times import time_phrases
from actors.policy.times.stated_times import is_valid
from actors.recall.channels import Inquiry
from actors.recall.shapes import Answer

SAID = 4_096  # memories whose words are kept between queries
READ_LIMIT = 4_000  # characters of a memory that are read for its words
COMMITTED = "commit"  # the source of commits' messages


class Settings(Struct, frozen=True):
    """Settings of recall's search and of a prompt's notes."""

    candidates: int = 40  # memories taken from each channel for a prompt
    read: int = 24  # of them all, those whose words are read
    search_candidates: int = 100  # the same for a person's search, which may take longer
    search_read: int = 60
    embedding_wait: float = 0.150  # seconds a prompt waits for its vector at most
    channel_wait: float = 0.045  # seconds that one channel may take for a prompt
    neighbour_wait: float = 0.020  # seconds that a neighbour may, who answers from memory
    search_wait: float = 5.0  # seconds a person's search waits for it
    ranking: ranking.Settings = field(default_factory=ranking.Settings)
    budget: wording.Settings = field(default_factory=wording.Settings)
    at_start: bool = True  # the project's page when a session starts
    opens_notes: bool = True  # agents have the tools by which a line of the page is opened
    to_subagents: bool = True  # the notes of its task when a subagent starts
    # how far a memory has faded
    state_of: Callable[[Memory, float], states.Lifecycle] = lambda _memory, _now: (
        states.Lifecycle.HOT
    )
    # how likely one is recalled now, 0..1; for the composite score
    retrievability: Callable[[Memory, float], float] = lambda _memory, _now: 1.0
    zone: tzinfo = UTC  # where "yesterday" is


class Ordering(Struct):
    """Orders memories; holds only the words of texts it has read."""

    clock: Clock
    settings: Settings
    _said: Latest[tuple[int, int], frozenset[str]] = field(default_factory=lambda: Latest(SAID))

    def ranked(self, inquiry: Inquiry, wanted: int = 0) -> Trace:
        """The best memories found, and the judgement of the first ones in that order.

        Reading a text for its words costs more than all else here, so only the first by words and
        vectors are read.
        """
        living = inquiry.memories
        said = {i: self.words_of(living[i]) for i in inquiry.best()}
        inquiry.stems = said
        if not inquiry.settings.on <= DEFAULT:
            self._note_facts(inquiry, said)
        if not asks_of_past(inquiry.query):
            # A commit speaks of the past because it changed it.
            others = (i for i in said if living[i].source != COMMITTED)
            inquiry.past = {i for i in others if tells_of_past(living[i].text)}
            # An insight quotes what it was drawn from and takes nobody's place.
            kept = (_kept(living[i], said[i]) for i in said if living[i].source != NOTICED)
            inquiry.successors = stages.successors([*islice(kept, stages.LOOKED_AT)])
        self._note_labels(inquiry, said)
        inquiry.made_of = {i: living[i].source for i in said}
        self._note_times(inquiry, said)
        trace = ranking.judged_order(inquiry, said, inquiry.settings, wanted)
        # Where a stage cut it, what is unread lies behind the cut.
        if len(trace.order) == len(trace.passed[0].entered):
            lowest = min((one.score for one in trace.candidates), default=0.0)
            rest = inquiry.first[inquiry.read : max(inquiry.read, wanted)]
            trace.candidates.extend(ranking.unread(rest, lowest, inquiry))
        return trace

    def _note_labels(self, inquiry: Inquiry, ids: Iterable[int]) -> None:
        """Note memories with a name from the query; words set at the start of a text by capture are no names."""
        asked, living = frozenset(map(stem, inquiry.terms)), inquiry.memories
        named = (i for i in ids if is_users_word(living[i].source))
        shares = ((i, speech.named(asked, living[i].text)) for i in named)
        inquiry.labelled = {i: share for i, share in shares if share}

    def _note_times(self, inquiry: Inquiry, ids: Iterable[int]) -> None:
        when = time_phrases.asked(inquiry.query, self.clock.now(), self.settings.zone)
        if when is not None:
            inquiry.timely = {
                i: time_phrases.boost(inquiry.memories[i].created_at, when) for i in ids
            }

    def _note_facts(self, inquiry: Inquiry, ids: Iterable[int]) -> None:
        """Note facts for the ways switched off by default."""
        now = inquiry.at = self.clock.now()
        memories = [inquiry.memories[i] for i in ids]
        inquiry.facts = {
            one.id: Facts(one.tier, one.last_use, one.uses, self.settings.retrievability(one, now))
            for one in memories
        }

    def forget(self) -> None:
        """Let go of the words read."""
        self._said.clear()

    def knows(self, memory: Memory) -> bool:
        """Return whether its words were read already."""
        return (memory.id, memory.versions) in self._said

    def words_of(self, memory: Memory) -> frozenset[str]:
        """The stems of a memory's words, kept for the next query."""
        key = (memory.id, memory.versions)
        if not self.knows(memory):
            text = f"{memory.title}\n{' '.join(memory.triggers)}\n{memory.text[:READ_LIMIT]}"
            self._said[key] = stems(text)
        return self._said[key]


def placed(trace: Trace, living: Mapping[int, Memory]) -> list[Candidate[Memory]]:
    """The candidates in their places, each with its memory."""
    return [
        Candidate(living[one.memory], one.score, one.why, one.parts, one.terms)
        for one in trace.candidates
    ]


def _kept(memory: Memory, words: frozenset[str]) -> stages.Kept:
    return stages.Kept(
        memory.id, memory.text, memory.created_at, words, memory.subject, memory.project
    )


def answer_of(chosen: Sequence[Candidate[Memory]], inquiry: Inquiry, trace: Trace) -> Answer:
    """The answer with the account of the way to it."""
    missing = inquiry.missing
    return Answer(
        tuple(chosen),
        lowered(trace.answered, missing),
        inquiry.mode,
        missing,
        stages=tuple(trace.passed),
        said=tuple(inquiry.said),
    )


def true_now(memories: Sequence[Memory], now: float) -> list[Memory]:
    """Memories true now, in their order."""
    return [memory for memory in memories if is_valid(memory.validity, now)]
