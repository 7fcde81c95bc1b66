"""Sieves before a prompt is told: what is held back of what bears on it, one table with a reason each."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from actors.memory.rows import Memory
from actors.passages.rows import Passage
from actors.policy.decay.suppression import Suppression, is_suppressed
from actors.policy.documents.reconciling import place_in
from actors.policy.events.events import Event, EventKind
from actors.policy.gate.corrections import corrected
from actors.policy.gate.said import Said, said_in
from actors.policy.passages import telling
from actors.policy.recall import evidence
from actors.policy.recall.candidate import Candidate
from actors.policy.recall.considered import Fate, Sieve
from actors.policy.session.ledger import Context, Made, has
from actors.policy.statements.sources import NOTICED, READ
from actors.policy.text.utterances import asks_outright
from actors.policy.times.validity import is_valid
from actors.recall.channels import Looked
from actors.recall.messages import Quotation
from actors.recall.ordering import quotation_id


@dataclass(slots=True)
class Sifting:
    """Notes and quotations on their way to a prompt, and what is known of it."""

    event: Event
    looked: Looked
    had: Context | None  # what the session has in its context; None: not known
    now: float  # seconds UTC
    notes: list[Candidate[Memory]]
    quoted: list[Quotation]
    sayings: Sequence[Said] = ()  # of the prompt, which may set a note right
    bearing: Sequence[Candidate[Memory]] = ()  # notes that bear on it, told or not
    passed: list[Sieve] = field(default_factory=list[Sieve])
    held_back: Counter[Fate] = field(default_factory=Counter[Fate])  # notes

    def __post_init__(self) -> None:
        self.bearing = self.notes
        self.sayings = self.event.turn.read(said_in) if self.notes else ()

    def leave(self, fate: Fate, notes: list[Candidate[Memory]], quoted: list[Quotation]) -> None:
        """Go on with these; the others have this fate."""
        self.held_back[fate] += len(self.notes) - len(notes)
        self.notes, self.quoted = notes, quoted
        self.passed.append(
            (fate, {*(note.memory.id for note in notes), *map(quotation_id, quoted)})
        )


def sift(now: Sifting) -> None:
    """Hold back what the table says, and of the rest what is less sure."""
    for fate, of_note, of_quotation in SIEVES:
        now.leave(
            fate,
            [note for note in now.notes if not of_note(now, note)],
            [one for one in now.quoted if not of_quotation(now, one)],
        )
    now.leave(Fate.LESS_SURE, *_surest(now, _of_each_place(now.quoted)))


def _never(_: Sifting, __: object) -> bool:
    return False


def _is_noticed(_: Sifting, note: Candidate[Memory]) -> bool:
    """An insight quotes notes, and tells an agent at work nothing new."""
    return note.memory.source == NOTICED


def _is_corrected(now: Sifting, note: Candidate[Memory]) -> bool:
    """The prompt itself corrects it: it is not told back to it."""
    return any(corrected(one, note.memory.text) for one in now.sayings)


def _is_suppressed(now: Sifting, note: Candidate[Memory]) -> bool:
    """A person suppressed it within the last day."""
    one = now.looked.opinions.get(note.memory.id)
    return one is not None and is_suppressed(
        Suppression(one.suppressions, one.suppressed_at), now.now
    )


def _is_invalid(now: Sifting, note: Candidate[Memory]) -> bool:
    return not is_valid(note.memory.validity, now.now)


def _is_known(now: Sifting, note: Candidate[Memory]) -> bool:
    """The session has it in its context, or nobody can tell: twice is worse than not at all."""
    asked = now.event.kind is EventKind.PROMPT and asks_outright(now.event.prompt)
    return now.had is None or has(
        now.had, now.event.session, made(note.memory), at_its_moment=asked
    )


def _is_heard(now: Sifting, one: Quotation) -> bool:
    return now.had is None or has(now.had, now.event.session, _made(one.passage))


def _is_said(now: Sifting, one: Quotation) -> bool:
    """A note says it in its words, also one that is known, corrected or suppressed."""
    return any(telling.says(note.memory.text, one.text) for note in now.bearing)


def _is_of_order(now: Sifting, _: Quotation) -> bool:
    return now.event.kind is EventKind.PROMPT and not asks_outright(now.event.prompt)


def _is_unlike(now: Sifting, note: Candidate[Memory]) -> bool:
    """Likeness says little of a long prompt: what a person gave a phrase is told alone."""
    return is_long(now.event) and note.memory.id not in now.looked.given


def _has_been_read(now: Sifting, note: Candidate[Memory]) -> bool:
    """Tell whether it was made of what the project's reader has read: beside its notes that is mostly noise."""
    is_taken = note.memory.source in evidence.TAKEN and note.memory.id not in now.looked.given
    return is_taken and is_read(now.looked)


def _is_of_read(now: Sifting, _: Quotation) -> bool:
    return is_read(now.looked)


def _is_second(now: Sifting, note: Candidate[Memory]) -> bool:
    """A prompt is told one note of the reader, the surest; where that is known, the next is no better."""
    if not _is_judged_by_cues(now, note):
        return False
    rivals = [one for one in now.notes if _is_judged_by_cues(now, one)]
    return note is not max(rivals, key=lambda one: one.parts.get("confidence", 0.0))


def _is_judged_by_cues(now: Sifting, note: Candidate[Memory]) -> bool:
    looked = now.looked
    return looked.by_cues and note.memory.source in READ and note.memory.id not in looked.given


def _is_of_long(now: Sifting, _: Quotation) -> bool:
    return is_long(now.event)


class _Row(NamedTuple):
    """A sieve: the fate of those for which one of its rules is true."""

    fate: Fate
    of_note: Callable[[Sifting, Candidate[Memory]], bool] = _never
    of_quotation: Callable[[Sifting, Quotation], bool] = _never


SIEVES: Final = (
    _Row(Fate.NOTICED, _is_noticed),
    _Row(Fate.CORRECTED, _is_corrected),
    _Row(Fate.SUPPRESSED, _is_suppressed),
    _Row(Fate.INVALID, _is_invalid),
    _Row(Fate.READ, _has_been_read, _is_of_read),
    _Row(Fate.LESS_SURE, _is_second),
    _Row(Fate.KNOWN, _is_known, _is_heard),
    _Row(Fate.SAID, of_quotation=_is_said),
    _Row(Fate.ORDER, of_quotation=_is_of_order),
    _Row(Fate.LONG, _is_unlike, _is_of_long),
)


def of(notes: Sequence[Candidate[Memory]], ids: Collection[int]) -> list[Candidate[Memory]]:
    """The notes of these memories, in their order."""
    wanted = set(ids)
    return [note for note in notes if note.memory.id in wanted]


def made(memory: Memory) -> Made:
    """Tell what tells whether a session has it in its context."""
    document = place_in(memory.key) if memory.key is not None else None
    return Made(memory.content_hash, memory.session, memory.created_at, document, memory.text)


def is_read(looked: Looked) -> bool:
    """Return whether the project has notes of a reader with cues that the prompt was compared with."""
    return bool(looked.cues)


def is_long(event: Event) -> bool:
    """Return whether likeness tells too little of a prompt, or of a subagent's task."""
    long = evidence.LONG if event.kind is EventKind.PROMPT else evidence.LONG_TASK
    return len(event.prompt) >= long


def _made(passage: Passage) -> Made:
    document = passage.place if passage.kind == "document" else None
    return Made(passage.content_hash, passage.session, passage.at, document, passage.text)


def _of_each_place(quoted: Sequence[Quotation]) -> list[Quotation]:
    """The surest of each place, the surest first."""
    best: dict[str, Quotation] = {}
    for one in sorted(quoted, key=lambda one: -one.confidence):
        best.setdefault(one.passage.place, one)
    return list(best.values())


def _surest(
    now: Sifting, quoted: Sequence[Quotation]
) -> tuple[list[Candidate[Memory]], list[Quotation]]:
    """The notes and quotations that are told, each in their order; a note of the reader before others."""
    surest = [
        1.0 if _is_judged_by_cues(now, note) else note.parts.get("confidence", 0.0)
        for note in now.notes
    ]  # fmt: skip
    surest += [one.confidence for one in quoted]
    chosen = evidence.surest(surest)
    return (
        [note for place, note in enumerate(now.notes) if place in chosen],
        [one for place, one in enumerate(quoted, start=len(now.notes)) if place in chosen],
    )
