"""Telling a note to a prompt, or not: one table of reasons, each with its rule; and the block of what is told.

The first row whose rule is true of a note or a quotation is its fate. The others are told as far as they
fit, which is known once the block is made (``Fate.CROWDED``).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from actors.memory.rows import Memory
from actors.passages.shapes import Passage
from actors.policy import passages
from actors.policy.decay import states
from actors.policy.decay.curve import is_suppressed
from actors.policy.documents.versions import heading_in, place_in
from actors.policy.events.events import Event, EventKind
from actors.policy.gate.correcting_sentence import CorrectingSentence, said_in
from actors.policy.gate.corrections import corrected
from actors.policy.recall import answers, evidence, notes
from actors.policy.recall.candidates import Candidate
from actors.policy.recall.evidence import Reason, Verdict
from actors.policy.recall.notes import Considered, Fate
from actors.policy.session.ledger import Context, Made, has
from actors.policy.session.pressure import Level
from actors.policy.statements.sources import NOTICED, READ, SHARED
from actors.policy.statements.trust import is_told_whole
from actors.policy.text import wording
from actors.policy.text.speech import asks_outright
from actors.policy.times.stated_times import is_valid
from actors.recall.channels import Inquiry
from actors.recall.shapes import Quotation

Note: TypeAlias = Candidate[Memory]


class Telling(Struct):
    """Candidate notes and quotations for a prompt, and facts about it."""

    event: Event
    inquiry: Inquiry
    had: Context | None  # of the session; None: not known
    now: float  # seconds UTC
    notes: list[Note]  # not held back yet, in their order
    quoted: list[Quotation]  # the same, the surest first
    verdicts: Mapping[int, Verdict]  # of both
    bearing: Sequence[Note] = ()  # notes that bear on the prompt, told or not
    sayings: Sequence[CorrectingSentence] = ()  # of the prompt, which may set a note right
    asks: bool = False  # whether it is a prompt that asks outright
    fates: dict[int, Fate] = {}  # of what is held back

    def __post_init__(self) -> None:
        self.bearing = [one for one in self.notes if self.verdicts[one.memory.id].relevant]
        self.sayings = self.event.turn.beginning.read(said_in) if self.bearing else ()
        if self.bearing or self.quoted:
            self.asks = self.event.kind is EventKind.PROMPT and asks_outright(self.event.prompt)
        self.quoted.sort(key=lambda one: -one.confidence)

    def hold(self, fate: Fate, gone: Collection[int]) -> None:
        """Hold these back for this reason."""
        self.fates.update(dict.fromkeys(gone, fate))
        self.notes = [note for note in self.notes if number(note) not in gone]
        self.quoted = [one for one in self.quoted if number(one) not in gone]


def tell_or_not(now: Telling) -> None:
    """Hold back notes and quotations by the table."""
    for fate, of_note, of_quotation in TABLE:
        gone = {number(note) for note in now.notes if of_note(now, note)}
        now.hold(fate, gone | {number(one) for one in now.quoted if of_quotation(now, one)})


def number(one: Note | Quotation) -> int:
    """The number by which it is judged and stands in a block: of a quotation below zero."""
    return one.number if isinstance(one, Quotation) else one.memory.id


# ---- the rules: each is true of what is held back


def _never(_: Telling, __: object) -> bool:
    return False


def _was_wasted(now: Telling, note: Note) -> bool:
    return now.verdicts[note.memory.id].reason is Reason.WASTED and _is_far(now, note)


def _is_far(now: Telling, one: Note | Quotation) -> bool:
    return not now.verdicts[number(one)].relevant


def _is_noticed(_: Telling, note: Note) -> bool:
    """An insight quotes notes, and tells an agent at work nothing new."""
    return note.memory.source == NOTICED


def _is_corrected(now: Telling, note: Note) -> bool:
    """The prompt itself corrects it: it is not told back to it."""
    return any(corrected(one, note.memory.text) for one in now.sayings)


def _is_suppressed(now: Telling, note: Note) -> bool:
    one = now.inquiry.opinions.get(note.memory.id)
    return one is not None and is_suppressed(one.suppressed_at, now.now)


def _is_invalid(now: Telling, note: Note) -> bool:
    return not is_valid(note.memory.validity, now.now)


def _is_known(now: Telling, one: Note | Quotation) -> bool:
    """The session has it in its context, or nobody can tell: twice is worse than not at all."""
    marks = _made(one.passage) if isinstance(one, Quotation) else made(one.memory)
    return now.had is None or has(now.had, now.event.session, marks, at_its_moment=now.asks)


def _is_said(now: Telling, one: Quotation) -> bool:
    """Return whether a note has its words, even a note known, corrected or suppressed."""
    return any(passages.says(note.memory.text, one.text) for note in now.bearing)


def _is_of_order(now: Telling, _: Quotation) -> bool:
    return now.event.kind is EventKind.PROMPT and not now.asks


def _is_unlike(now: Telling, one: Note | Quotation) -> bool:
    """Return whether a long prompt resembles it only: likeness says little there, a person's phrase counts."""
    return is_long(now.event) and number(one) not in now.inquiry.given


def _has_been_read(now: Telling, one: Note | Quotation) -> bool:
    """Return whether its source has been read by the project's reader: beside the reader's notes a passage,
    and what rules took from others' words, is mostly noise."""
    is_taken = isinstance(one, Quotation) or one.memory.source in evidence.TAKEN
    return is_taken and number(one) not in now.inquiry.given and is_read(now.inquiry)


def _is_second(now: Telling, note: Note) -> bool:
    """Return whether a surer note of the reader bears on the prompt; a known one lets no second in."""
    if not _is_judged_by_cues(now, note):
        return False
    rivals = [one for one in now.notes if _is_judged_by_cues(now, one)]
    return note is not max(rivals, key=lambda one: one.parts.get("confidence", 0.0))


def _is_judged_by_cues(now: Telling, note: Note) -> bool:
    inquiry = now.inquiry
    return inquiry.by_cues and note.memory.source in READ and note.memory.id not in inquiry.given


def _is_behind(now: Telling, one: Quotation) -> bool:
    """A surer one of its place stands before it."""
    first = next(each for each in now.quoted if each.passage.place == one.passage.place)
    return one is not first


def _is_less_sure(now: Telling, one: Note | Quotation) -> bool:
    """Return whether it is none of the surest among the rest; a note of the reader comes before others."""
    sure = {
        note.memory.id: 1.0 if _is_judged_by_cues(now, note) else note.parts.get("confidence", 0.0)
        for note in now.notes
    }
    sure |= {number(one): one.confidence for one in now.quoted}
    numbers = [*sure]
    surest = evidence.surest([*sure.values()])
    return number(one) not in {numbers[place] for place in surest}


# ---- the table: reasons in their order, each with its rules


class Row(NamedTuple):
    """A reason, and its rules for notes and for quotations."""

    fate: Fate
    of_note: Callable[[Telling, Note], bool] = _never
    of_quotation: Callable[[Telling, Quotation], bool] = _never


TABLE: Final = (
    Row(Fate.WASTED, _was_wasted),
    Row(Fate.FAR, _is_far, _is_far),
    Row(Fate.NOTICED, _is_noticed),
    Row(Fate.CORRECTED, _is_corrected),
    Row(Fate.SUPPRESSED, _is_suppressed),
    Row(Fate.INVALID, _is_invalid),
    Row(Fate.READ, _has_been_read, _has_been_read),
    Row(Fate.LESS_SURE, _is_second),
    Row(Fate.KNOWN, _is_known, _is_known),
    Row(Fate.SAID, of_quotation=_is_said),
    Row(Fate.ORDER, of_quotation=_is_of_order),
    Row(Fate.LONG, _is_unlike, _is_unlike),
    Row(Fate.LESS_SURE, of_quotation=_is_behind),
    Row(Fate.LESS_SURE, _is_less_sure, _is_less_sure),
)


# ---- facts for the rules: marks by which a context knows a note, and the kind of prompt


def made(memory: Memory) -> Made:
    """Marks by which a session's context is searched for a memory."""
    document = place_in(memory.key) if memory.key is not None else None
    return Made(memory.content_hash, memory.session, memory.created_at, document, memory.text)


def _made(passage: Passage) -> Made:
    document = passage.place if passage.kind == "document" else None
    return Made(passage.content_hash, passage.session, passage.at, document, passage.text)


def is_read(inquiry: Inquiry) -> bool:
    """Return whether the prompt was compared with cues of a reader's notes."""
    return bool(inquiry.cues)


def is_long(event: Event) -> bool:
    """Return whether likeness tells too little of a prompt, or of a subagent's task."""
    long = evidence.LONG if event.kind is EventKind.PROMPT else evidence.LONG_TASK
    return len(event.prompt) >= long


# ---- the block of a prompt or a page: notes and quotations as attributed lines within a budget


def block_of(
    chosen: Sequence[Candidate[Memory]],
    room: wording.Settings,
    now: float,
    successors: Mapping[int, int] | None = None,
    *,
    heading: str = notes.HEADING,
    quoted: Sequence[Quotation] = (),
) -> tuple[str, tuple[int, ...]]:
    """The fenced block of these notes within a budget, and the ids of the fitting ones.

    Of two that disagree both say so; ``successors`` names the newer one of each older one.
    """
    here = {note.memory.id for note in chosen}
    pairs = [(a, b) for a, b in (successors or {}).items() if a in here and b in here]
    odds = {b: notes.NEWER for _, b in pairs} | {a: notes.OLDER for a, _ in pairs}
    lines = list[wording.Note]()
    for note in chosen:
        one = note.memory
        text = one.title if _is_title_alone(one) else one.text
        behind = attribution(one, now, odds.get(one.id, ""))
        lines.append(wording.Note(one.id, text, note.score, behind))
    for quote in quoted:
        said = quote.passage
        by = passages.whence(said.kind, said.place, said.title)
        behind = notes.source(quote.number, by, now - said.at)
        lines.append(wording.Note(quote.number, f"“{quote.text}”", quote.confidence, behind))
    return notes.block(lines, room, heading=heading)


class Section(NamedTuple):
    """A section of a page: its heading, and why a memory stands in it."""

    heading: str
    why: str


STANDING: Final = Section(notes.STANDING_HEADING, "standing")
WISHES: Final = Section(notes.WISHES_HEADING, "a standing wish")


def section_block(
    section: Section, memories: Sequence[Memory], room: wording.Settings, now: float
) -> tuple[str, tuple[Note, ...]]:
    """The memories of a section as far as they fit, and the fitting ones in their order."""
    chosen = [Candidate(memory, why=section.why) for memory in memories]
    block, ids = block_of(chosen, room, now, heading=section.heading)
    return block, tuple(note for note in chosen if note.memory.id in set(ids))


def told_unasked(told: Iterable[Note]) -> list[Considered]:
    """Record notes told for their place rather than for a question."""
    return [Considered(one.memory.id, 1.0, one.why, Fate.TOLD) for one in told]


def cut_for(
    chosen: list[Note],
    level: Level,
    state_of: Callable[[Memory, float], states.Lifecycle],
    now: float,
) -> list[Note]:
    """As much of each as its state and the room there is allow; with room all of it."""
    if level is Level.NONE:
        return chosen
    cut = list[Note]()
    for note in chosen:
        one = note.memory
        said = answers.shown(one.text, one.title, state_of(one, now), level)
        cut.append(note._replace(memory=replace(one, text=said)))
    return cut


def _is_title_alone(memory: Memory) -> bool:
    """Return whether only the title of a note shared by others is told unasked."""
    whole = is_told_whole(memory.source, memory.confidence, uses=memory.uses, pinned=memory.pinned)
    return not whole and memory.title != memory.text


def attribution(memory: Memory, now: float, odds: str = "") -> str:
    """Attribution of a note: its author or its place in a document, and anything against it."""
    key = memory.key or ""
    by = notes.whose(memory.source, place_in(key) or "", heading_in(key), memory.author)
    return notes.source(
        memory.id,
        by,
        now - memory.created_at,
        "unconfirmed" if memory.status == "hypothesis" else "",
        odds,
        notes.TITLE_ALONE if _is_title_alone(memory) else "",
        notes.CHANGED_HERE if memory.source == SHARED and memory.versions > 1 else "",
        f"stale: {memory.stale}" if memory.stale else "",
    )
