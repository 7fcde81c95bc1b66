"""The digest of a session: its events as shown to the reader, one text an event, numbered.

Shown are a person's typed, answered or refusing words, the agent's last message of each turn,
failures with their fixes, commits, written documents, and the places of edits. The output of
working programs is left out. The text of every event is indented below its own mark, so none can
speak as another; this memory's own notes are taken out, so it does not hear itself. Linear in the
events: 11 and 37 ms of CPU for a megabyte of two real projects' events.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from itertools import groupby
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from actors.policy import passages
from actors.policy.events.events import Event, EventKind
from actors.policy.events.fence import neutralised, stripped
from actors.policy.events.trail import SessionTrail, followed, has_failed
from actors.policy.reader import texts
from actors.policy.reader.exchange import CHARACTERS_A_TOKEN
from actors.policy.secrets.redaction import redacted
from actors.policy.text.wording import prose

MOST_TOKENS: Final = 40_000  # of a digest: about what a session of a long day's work comes to

Redact: TypeAlias = Callable[[str], tuple[str, list[str]]]


class Who(Enum):
    """Speaker of a text."""

    TYPED = "user"
    ANSWERED = "user answers"
    REFUSED = "user refuses"
    AGENT = "agent"
    TOOL = "tool"
    COMMIT = "commit"
    DOCUMENT = "document"
    EDIT = "edit"
    SUMMARY = "summary"


# Of a person: a prompt, an answer in a dialogue, the words of a refusal.
PERSONS: Final = frozenset({Who.TYPED, Who.ANSWERED, Who.REFUSED})


class Heard(Struct, frozen=True):
    """A journaled event of the session."""

    seq: int
    at: float  # seconds UTC
    event: Event


class Shown(Struct, frozen=True):
    """One text of one event, exactly as the digest shows it."""

    number: int  # by which the digest names it
    seq: int
    at: float
    who: Who
    text: str
    turn: int  # 0: before anything was typed
    captured: bool = False  # the turn was captured: it comes whole

    @property
    def mark(self) -> str:
        """The mark before the text."""
        return f"[{self.number}] {self.who.value}: "


class Digest(Struct, frozen=True):
    """Texts of a session, as the reader is shown it."""

    shown: tuple[Shown, ...]
    first_seq: int = 0
    last_seq: int = 0  # events to this number are read when this is, shown or not

    @property
    def text(self) -> str:
        """The text for the model: a line for each day, and its numbered texts."""
        days = groupby(
            self.shown, key=lambda one: f"{datetime.fromtimestamp(one.at, UTC):%Y-%m-%d}"
        )
        return "\n".join(
            line
            for day, those in days
            for line in (day, *(f"{one.mark}{one.text}" for one in those))
        )

    @property
    def tokens(self) -> int:
        """Size, as it is estimated."""
        return len(self.text) // CHARACTERS_A_TOKEN

    @property
    def has_words(self) -> bool:
        """Return whether a person said a sentence, or "2" to the agent's question: else nothing is to be read."""
        answers = False
        for one in self.shown:
            if one.who in PERSONS and (answers or prose(one.text).strip()):
                return True
            answers = answers or one.who is Who.AGENT
        return False


# Characters of a text, from what is shown when there is room to what is left of a day too long. A
# captured turn is shown by the first column. Choice, by the sizes of two real projects (docs/reader.md).
_LIMITS: Final[Mapping[Who, tuple[int, ...]]] = {
    Who.TYPED: (16_000, 16_000, 4_000, 1_500, 600, 300),
    Who.ANSWERED: (16_000, 16_000, 4_000, 1_500, 600, 300),
    Who.REFUSED: (16_000, 16_000, 4_000, 1_500, 600, 300),
    Who.AGENT: (16_000, 4_000, 3_000, 2_000, 600, 0),
    Who.TOOL: (900, 700, 500, 300, 0, 0),
    Who.COMMIT: (1_500, 1_000, 600, 300, 150, 0),
    Who.DOCUMENT: (1_500, 400, 300, 150, 0, 0),
    Who.EDIT: (400, 300, 200, 0, 0, 0),
    Who.SUMMARY: (1_500, 1_000, 500, 200, 0, 0),
}
# Tokens up to which a column is taken; beyond the last of them the next one.
_ROOMY: Final = (8_000, 24_000, 32_000)
_LAST: Final = len(_LIMITS[Who.TYPED]) - 1
# The columns of other turns and of captured ones, in the order in which they are tried.
_COLUMNS: Final = (
    *((step, 0) for step in range(_LAST)),
    *((_LAST, step) for step in range(_LAST + 1)),
)
_TAIL: Final = 0.4  # of a text that is cut, its end: there an agent asks and a program says why
_HEADS: Final = frozenset({Who.DOCUMENT, Who.EDIT, Who.COMMIT})  # of these the beginning alone
_GAP: Final = "\n[…]\n"
_MARK: Final = 32  # characters: the mark of a text, and its share of the lines with days
_INDENT: Final = "\n  "
_PASTED: Final = "[pasted]"


def digest(
    heard: Iterable[Heard],
    captured: Collection[int] = (),
    most_tokens: int = MOST_TOKENS,
    redact: Redact = redacted,
) -> Digest:
    """Digest the events of a session, given in their order.

    ``captured``: numbers of events of the turns to keep whole; the rest is cut first.
    """
    events = tuple(heard)
    if not events:
        return Digest(())
    numbers, seqs = _turns(events), [one.seq for one in events]
    places = (bisect_right(seqs, seq) - 1 for seq in captured)
    those = {numbers[at] for at in places if at >= 0}  # the turns in which one of these lies
    said = sorted(_said(events, numbers, redact), key=lambda one: one.seq)
    marked = [replace(one, captured=one.turn in those) for one in said]
    shown = _fitted(marked, most_tokens * CHARACTERS_A_TOKEN)
    return Digest(shown, events[0].seq, events[-1].seq)


def chunks(whole: Digest, tokens: int) -> tuple[Digest, ...]:
    """Cut a digest between turns into parts of at most so many tokens; a longer turn between texts."""
    room = tokens * CHARACTERS_A_TOKEN
    parts: list[list[Shown]] = []
    size = room + 1  # so that the first turn begins a part
    for _, turn in groupby(whole.shown, key=lambda one: one.turn):
        pieces = [_cut(one, max(room - _MARK, 0)) for one in turn]
        length = sum(map(_size, pieces))
        for piece in pieces:
            if size + (length if length <= room else _size(piece)) > room:
                parts.append([])
                size = 0
            parts[-1].append(piece)
            size += _size(piece)
            length = 0 if length <= room else length
    begins = [whole.first_seq, *(part[0].seq for part in parts[1:])]
    ends = [*(max(begin - 1, 0) for begin in begins[1:]), whole.last_seq]
    return tuple(
        Digest(tuple(part), begin, end)
        for part, begin, end in zip(parts, begins, ends, strict=False)
    )


def folded(text: str) -> str:
    """Return a text as quotations are compared: without foreign marks, white space and case."""
    return " ".join(neutralised(text).casefold().split())


# -- what an event says -----------------------------------------------------------------------


def _turns(events: Sequence[Heard]) -> list[int]:
    """Number the turn of each event: one begins with a person's words and ends with the next."""
    numbers: list[int] = []
    turn, number = passages.NOTHING_SAID, 0
    for one in events:
        before, turn = turn, passages.after(turn, one.event, one.seq)[0]
        number += bool(turn.first_seq) and turn.first_seq != before.first_seq
        numbers.append(number)
    return numbers


def _said(events: Sequence[Heard], numbers: Sequence[int], redact: Redact) -> Iterator[Shown]:
    """Yield the texts of the events, each uncut; the edits of a turn are one text."""
    trail, failures, prompts = SessionTrail(), set[str](), set[str]()
    edited = dict[int, dict[str, Heard]]()
    for one, number in zip(events, numbers, strict=True):
        for who, text in _texts(one.event, trail, prompts):
            if who is Who.EDIT:
                edited.setdefault(number, {}).setdefault(text, one)
                continue
            tidied = _tidied(text, who, redact)
            if tidied and not (who is Who.TOOL and tidied in failures):
                yield Shown(0, one.seq, one.at, who, tidied, number)
            if who is Who.TOOL:
                failures.add(tidied)  # what fails again in the same words is shown once
            if who in PERSONS:
                prompts.add(texts.beginning(text))
        if trail.failures or has_failed(one.event):  # else nothing can be over
            trail = followed(trail, one.event)
    for number, paths in edited.items():
        last = max(paths.values(), key=lambda one: one.seq)
        yield Shown(0, last.seq, last.at, Who.EDIT, ", ".join(paths), number)


def _texts(
    event: Event, before: SessionTrail, prompts: Collection[str]
) -> Iterator[tuple[Who, str]]:
    """Yield an event's texts, each with its speaker; of a subagent its commits alone."""
    if event.agent_id:
        yield Who.COMMIT, texts.commit(event)
        return
    match event.kind:
        case EventKind.PROMPT:
            yield from _prompted(event)
        case EventKind.TURN_END:
            if not event.turn.is_machine_made:  # "No response requested."
                yield Who.AGENT, event.message
        case EventKind.REFUSED:
            yield Who.AGENT, texts.refused(event)
            yield Who.REFUSED, event.refusal
        case EventKind.POST_COMPACT:
            for section in texts.summary(event.summary, prompts):
                yield Who.SUMMARY, section
        case EventKind.TOOL | EventKind.TOOL_ERROR:
            yield from _of_tool(event, before)
        case _:
            return


def _prompted(event: Event) -> Iterator[tuple[Who, str]]:
    """Yield a person's typed words, and their pasted ones, which are nobody's word."""
    turn = event.turn
    if not event.is_typed_prompt:
        return
    if turn.text.startswith(("/", "!")) and len(turn.text.split()) < 2:
        return  # an order to the client
    if turn.typed.strip():
        yield Who.TYPED, "\n".join(_PASTED if part.pasted else part.text for part in turn.parts)
    pasted = "\n".join(part.text for part in turn.parts if part.pasted).strip()
    if pasted:
        yield Who.DOCUMENT, f"pasted by the user:\n{pasted}"


def _of_tool(event: Event, before: SessionTrail) -> Iterator[tuple[Who, str]]:
    """Yield the texts of a tool's call: a dialogue, a failure, its end, a commit, a written document."""
    tool = event.tool
    if tool is None:
        return
    for asked, answer in texts.questions(tool):
        yield Who.AGENT, f"asks: {asked}"
        yield Who.ANSWERED, answer
    if has_failed(event):
        yield Who.TOOL, texts.failure(tool)
        return
    yield Who.TOOL, texts.recovery(before, event)
    yield Who.COMMIT, texts.commit(event)
    written = texts.document(event)
    if written:
        yield Who.DOCUMENT, written
    elif path := texts.edit(event):
        yield Who.EDIT, path


def _tidied(text: str, who: Who, redact: Redact) -> str:
    """Make a text of its own: nothing we told, no secret, no empty line, all but the first indented."""
    most = 2 * _LIMITS[who][0]  # with a margin against cut secrets
    if len(text) > 2 * most:
        text = f"{text[:most]}{_GAP}{text[-most:]}"
    said = neutralised(stripped(text))
    lines = [line.rstrip() for line in said.splitlines() if line.strip()]
    return redact(_INDENT.join(lines).strip())[0]


# -- fitting ----------------------------------------------------------------------------------


def _fitted(said: Sequence[Shown], most: int) -> tuple[Shown, ...]:
    """Cut texts until all fit: the ones of other turns first, then all, then the oldest go."""
    *tried, last = _COLUMNS
    step, whole = next((pair for pair in tried if _fits(said, *pair, most)), last)
    cut = [_cut(one, _limit(one, step, whole)) for one in said]
    kept: list[Shown] = []
    size = 0
    for one in sorted(cut, key=lambda one: (one.captured, one.seq), reverse=True):
        size += _size(one)
        if one.text and size <= most:
            kept.append(one)
    kept.sort(key=lambda one: one.seq)
    return tuple(replace(one, number=number) for number, one in enumerate(kept, start=1))


def _fits(said: Sequence[Shown], step: int, whole: int, most: int) -> bool:
    """Tell whether a column leaves as much as it is for, with captured turns by a column of theirs."""
    roomy = _ROOMY[step] * CHARACTERS_A_TOKEN if step < len(_ROOMY) else most
    return sum(_length(one, step, whole) for one in said) <= min(most, roomy)


def _limit(one: Shown, step: int, whole: int) -> int:
    return _LIMITS[one.who][whole if one.captured else step]


def _length(one: Shown, step: int, whole: int) -> int:
    limit = _limit(one, step, whole)
    return min(len(one.text), limit) + _MARK if limit else 0


def _size(one: Shown) -> int:
    return len(one.text) + _MARK


def _cut(one: Shown, most: int) -> Shown:
    """Cut a text in its middle, or behind its head where the beginning names its kind."""
    text = one.text
    if len(text) <= most:
        return one
    if most <= 2 * len(_GAP):
        return replace(one, text="")
    room = most - len(_GAP)
    tail = 0 if one.who in _HEADS else int(room * _TAIL)
    gap = _INDENT + _GAP.strip()
    head = text[: room - tail].rstrip()
    end = f"{_INDENT}{text[len(text) - tail :].strip()}" if tail else ""
    return replace(one, text=f"{head}{gap}{end}")
