"""Keeping of a reader's notes: context for a request, and its answer on the way into memory.

The reader names the note it sharpens, the gate says whether the note may end, and all of an answer
stands in the store with the mark of the reading's progress, or nothing of it does.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.core.mailbox import Crashed, Lane, Mailbox, SwitchedOff
from actors.gate.messages import GateMessage, KeepRead, ReadNote, Verdict
from actors.memory.commit import LongTermMessage, attempted, commit
from actors.memory.rows import Embed, Embedded, EmbedderMessage, EmbeddingUnavailable, Role, Scope
from actors.memory.writes import Draft, Origin
from actors.policy.events.commands import signature
from actors.policy.reader.checks import Checked, CheckedNote
from actors.policy.reader.digest import Digest
from actors.policy.reader.exchange import NOTES, Answer, LivingNote
from actors.policy.reader.next_session import Unread
from actors.policy.reader.notes import (
    BEST,
    GIVEN,
    KINDS,
    MOST_PROMPTS,
    NEAREST,
    SHOWN,
    acquainted,
    brings_back,
    nearest,
    questions,
)
from actors.policy.statements.sources import DEMANDED, NOTICED, READ, READER, READER_NOTICED
from actors.policy.statements.trust import is_stated
from actors.policy.text.short_ids import numbered, short_id
from actors.policy.text.wording import shortened
from actors.policy.text.words import query_terms
from actors.policy.vectors import cosines, matrix
from actors.reader import messages
from actors.reader.surroundings import anchors
from actors.staleness.messages import PlaceGiven, StalenessMessage
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

RULE: Final = "reader"  # of what an event gave: (event, rule, ordinal) happens once
EMBEDDED_WITHIN: Final = 60.0  # seconds: nobody waits for it
KEPT_WITHIN: Final = 120.0  # seconds
REMEMBERED: Final = 256  # vectors of prompts
LATER: Final = 64  # cues that get their vectors at a time
NO_PROJECT: Final = "of a session outside of every project"
UNWANTED: Final = "dropped, forgotten or erased by a person before"
_NOTICED: Final = frozenset({NOTICED, DEMANDED})  # they quote what others say


class Outcome(Struct, frozen=True):
    """Outcome of a request, or of all requests about a session."""

    notes: int = 0  # new memories
    tokens: int = 0
    dollars: float | None = None
    failure: str = ""
    # Notes and cues by the reason.
    dropped: Counter[str] = field(default_factory=Counter[str])


class Keeping(Struct):
    """Keeps a reader's notes."""

    reader: ReadingSide
    gate: Mailbox[GateMessage]
    embedder: Mailbox[EmbedderMessage]
    long_term: Mailbox[LongTermMessage]
    staleness: Mailbox[StalenessMessage]
    sources: ProjectSources
    _vectors: Latest[tuple[str, Role], bytes] = field(default_factory=lambda: Latest(REMEMBERED))
    _model: str = ""  # of these vectors

    async def known_for(self, project: str | None, digest: Digest) -> tuple[LivingNote, ...]:
        """Return up to twenty living notes, the nearest to the digest.

        Among them are its session's own so far: from explicit requests, commits, documents.
        """
        given = await self.reader.given_by(digest.first_seq, digest.last_seq, GIVEN)
        order = nearest(await self._searches(Scope(project), questions(digest)))
        memories = await self.reader.memories(list({*given, *order}))
        living = {
            number: one
            for number, one in memories.items()
            if one.ended is None and one.source not in _NOTICED
        }
        spoken = {
            number
            for number, one in living.items()
            if one.source in READ or is_stated(one.source, one.confidence)
        }
        named = acquainted(
            [one for one in given if one in living], [one for one in order if one in living], spoken
        )
        return tuple(LivingNote(short_id(one), shortened(living[one].text, SHOWN)) for one in named)

    async def keep(
        self, checked: Checked, reading: int, one: Unread, answer: Answer, *, upto: int, at: float
    ) -> Outcome:
        """Keep an answer about a session in one unit with the end of its reading, all of it or nothing.

        ``upto``: the last event read. Raises the errors of ``commit``.
        """
        dropped = Counter(checked.dropped)
        wanted = await self._wanted(checked.notes, one.project, dropped)
        compared, vectors = await self._compared(wanted, one)
        drafts = tuple(
            _read_note(note, reading, place, one, at, self._cues(note, vectors))
            for place, note in enumerate(compared)
        )

        def ending(written: int) -> tuple[messages.NoteWrite | messages.ReadingWrite, ...]:
            ended = messages.ReadingEnded(
                reading, at, answer.tokens, answer.dollars, "", written, dict(dropped)
            )
            return (
                messages.SessionRead(one.session, upto),
                messages.StoppedAt(one.session, checked.stopped),
                ended,
            )

        verdicts = await self.gate.ask(
            KeepRead(drafts, ending), within=KEPT_WITHIN, lane=Lane.BACKGROUND
        )
        await self._anchor(wanted, verdicts, one.project)
        await attempted(self._embed_cues(), log, "cues_wait")
        written = sum(verdict.action != "REINFORCE" for verdict in verdicts)
        return Outcome(written, answer.tokens, answer.dollars, "", dropped)

    async def _anchor(
        self, notes: Sequence[CheckedNote], verdicts: Sequence[Verdict], project: str | None
    ) -> None:
        """Tell about which symbols of its project each new memory is."""
        for note, verdict in zip(notes, verdicts, strict=True):
            if verdict.action != "REINFORCE" and verdict.memory_id and project is not None:
                for place in await anchors(self.sources, note.cues, project):
                    self.staleness.hint(PlaceGiven(verdict.memory_id, place))

    async def _embed_cues(self) -> None:
        """Give prompts of earlier notes their missing vectors: there was no model, or another."""
        model = await self.reader.model_in_use()
        texts = tuple(await self.reader.cues_to_embed(model, LATER)) if model else ()
        made = await self._embedded(texts, "query")
        if made:
            writes = (messages.CueVectored(text, made[text], model) for text in texts)
            await commit(self.long_term, tuple(writes))

    async def _wanted(
        self, notes: Sequence[CheckedNote], project: str | None, dropped: Counter[str]
    ) -> list[CheckedNote]:
        """Return the notes to keep: of a project, and not taken out by a person."""
        if project is None:
            dropped[NO_PROJECT] += len(notes)
            return []
        texts = [note.text for note in notes]
        unwanted = frozenset(await self.reader.unwanted(project, texts) if texts else ())
        dropped.update(UNWANTED for note in notes if note.text in unwanted)
        return [note for note in notes if note.text not in unwanted]

    # ---- cues

    async def _compared(
        self, notes: Sequence[CheckedNote], one: Unread
    ) -> tuple[Sequence[CheckedNote], Mapping[str, bytes]]:
        """Return the notes with the prompts able to find them, and the vectors of prompts."""
        cues = [prompt for note in notes for prompt in note.cues.prompts]
        texts = tuple(f"{note.title}\n{note.text}" for note in notes)
        asked = await self._embedded(tuple(dict.fromkeys(cues)), "query")
        told = await self._embedded(texts, "document") if asked else {}
        if not told:
            return notes, asked
        elsewhere = tuple(await self.reader.prompts_elsewhere(one.session, MOST_PROMPTS))
        others = list((await self._embedded(elsewhere, "query")).values())
        kept: list[CheckedNote] = []
        for note, text in zip(notes, texts, strict=True):
            prompts: list[str] = []
            for prompt in note.cues.prompts:
                vector = asked[prompt]
                near = await self.reader.nearest(vector, Scope(one.project), BEST)
                (mine,) = _cosines(vector, [told[text]])
                if brings_back(mine, list(near.values()), _cosines(vector, others)):
                    prompts.append(prompt)
            kept.append(replace(note, cues=replace(note.cues, prompts=tuple(prompts))))
        return kept, asked

    def _cues(self, note: CheckedNote, vectors: Mapping[str, bytes]) -> Iterable[messages.Cue]:
        for prompt in note.cues.prompts:
            vector = vectors.get(prompt)
            yield messages.Cue("prompt", prompt, vector, self._model if vector is not None else "")
        for kind, texts in (
            ("file", note.cues.files), ("symbol", note.cues.symbols), ("command", note.cues.commands),
        ):  # fmt: skip
            for text in texts:
                yield messages.Cue(kind, " ".join(text.split()))
        for text in note.cues.errors:
            yield messages.Cue("error", signature(text) or text)

    # ---- searches

    async def _searches(self, scope: Scope, texts: Sequence[str]) -> list[list[int]]:
        """Findings by the words of each of these texts, and by their vectors where there are any."""
        found = [list(await self.reader.words(query_terms(one), scope, NEAREST)) for one in texts]
        for vector in (await self._embedded(tuple(texts), "query")).values():
            found.append(list(await self.reader.nearest(vector, scope, NEAREST)))
        return found

    async def _embedded(self, texts: tuple[str, ...], role: Role) -> dict[str, bytes]:
        """Vectors of these texts by the text; none at all when they cannot be had now."""
        model = await self.reader.model_in_use()
        if not texts or not model:
            return {}
        if model != self._model:
            self._vectors.clear()
            self._model = model
        missing = tuple(text for text in texts if (text, role) not in self._vectors)
        made: list[Embedded] = []
        try:
            if missing:
                made = await self.embedder.ask(
                    Embed(missing, role, False), within=EMBEDDED_WITHIN, lane=Lane.BACKGROUND
                )
        except (EmbeddingUnavailable, trio.TooSlowError, Crashed, SwitchedOff) as error:
            log.info("cues_without_vectors why=%s", type(error).__name__)
            return {}
        fresh = {text: one.vector for text, one in zip(missing, made, strict=True)}
        vectors = {text: fresh.get(text) or self._vectors[text, role] for text in texts}
        for text, vector in fresh.items():
            self._vectors[text, role] = vector
        return vectors


def _cosines(vector: bytes, others: Sequence[bytes]) -> list[float]:
    return cosines(matrix([vector])[0], matrix(others)).tolist() if others else []


def _read_note(
    note: CheckedNote,
    reading: int,
    place: int,
    one: Unread,
    at: float,
    cues: Iterable[messages.Cue],
) -> ReadNote:
    """A note on its way through the gate, with its proof."""
    become, shown = KINDS[note.kind], note.proof.shown
    ordinal = reading * NOTES + place
    source = READER if note.said_by == "user" else READER_NOTICED
    origin = Origin(source, one.session, shown.seq, RULE, ordinal)
    draft = Draft(
        note.text, note.title, become.kind, "normal", one.project, (), origin, shown.at,
        become.memory_type, become.context_type, become.importance,
    )  # fmt: skip
    target = numbered(note.relation_id)
    ends = note.relation in ("refines", "contradicts")
    proof = messages.NoteRead(
        0, reading, one.session, shown.seq, note.kind, note.said_by, note.scope, note.proof.text, at,
        note.proof.agreed_to, note.relation if ends else "none", target if ends else None,
        cues=tuple(cues),
    )  # fmt: skip
    return ReadNote(draft, proof, note.relation, target)


def together(one: Outcome, other: Outcome) -> Outcome:
    """Add the outcomes of two requests; a missing cost is left out."""
    costs = [each.dollars for each in (one, other) if each.dollars is not None]
    return Outcome(
        one.notes + other.notes,
        one.tokens + other.tokens,
        sum(costs) if costs else None,
        other.failure,
        one.dropped + other.dropped,
    )
