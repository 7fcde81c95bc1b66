"""The checks of a reader's answer, whatever the engine. Failures are counted by reason.

A model may invent, obey the text it reads, or overstate. Every note needs a quotation of the
session; a note in a person's name needs a quotation of the person's typed words.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple

from actors.policy.events.cutting import Redact
from actors.policy.events.events import listing, mapping
from actors.policy.gate.gate_features import normalised
from actors.policy.night.insights import Insight, InsightKind, Proposal, insight
from actors.policy.night.replay import Replayed
from actors.policy.reader.digest import Digest, Who
from actors.policy.reader.exchange import FIELDS, INSIGHTS, NOTES, TEXT, TITLE
from actors.policy.reader.notes import CUE, CUES, Cues, Proof, Session, Surroundings, there
from actors.policy.session.ledger import stands_in
from actors.policy.statements.extraction import is_injected
from actors.policy.text.short_ids import numbered, short_id
from actors.policy.text.wording import shortened
from actors.policy.text.words import caseless

# What only a person's words make, and what it is without them.
WEAKER: Final[Mapping[str, str]] = {"wish": "fact", "rule": "fact", "decision": "design"}
STOPPED: Final = 300  # characters of where the work stopped
_TOOLS: Final = frozenset({Who.TOOL, Who.COMMIT})
_TEXTS: Final = ("kind", "title", "text", "said_by", "quote", "scope", "relation", "relation_id")
# A program has users too: what is stored of theirs is a fact of the project.
_ABOUT_THE_PERSON: Final = caseless(
    r"\bthe (?:user|developer|maintainer|author) (?:lives|was born|is married|suffers|earns|is ill)\b"
)


class Fault(StrEnum):
    """Reason why a note is dropped, as a person reads it."""

    SHAPE = "not what was asked for"
    LONG = "a text of more than 300 characters"
    MANY = "more notes than were asked for"
    UNPROVEN = "a quotation that is not in the session"
    SECRET = "a secret in it"
    ORDER = "an order to an agent"
    PERSONAL = "about the person"
    INSTRUCTED = "said by a file of instructions already"
    TWICE = "said twice"
    UNSHOWN = "the same as a note that was not shown"


class _Said(Struct, frozen=True):
    """A note as it was answered, every field of the right type."""

    kind: str  # of those that ``exchange.FIELDS`` names
    title: str  # may be empty
    text: str
    said_by: str  # user, agent, tool
    quote: str
    scope: str  # always, when
    relation: str  # none, same, refines, contradicts
    relation_id: str  # of a note that was shown: m12
    cues: Cues


class CheckedNote(_Said, frozen=True):
    """A note past all checks."""

    proof: Proof


class Checked(Struct, frozen=True):
    """Notes of an answer past the checks, and the number of others, by the reason."""

    notes: tuple[CheckedNote, ...]
    dropped: Mapping[str, int]  # notes
    stopped: str = ""  # where the work stopped


def checked(
    document: Mapping[str, object],
    digest: Digest,
    known: Collection[str],
    surroundings: Surroundings,
    redact: Redact,
) -> Checked | None:
    """Return the valid part of an answer; None when it has another shape.

    ``known``: ids of the notes named in the request. Linear in the digest and in the session's
    words, a pass for each note and each cue.
    """
    notes, stopped = listing(document.get("notes")), document.get("stopped", "")
    if not isinstance(document.get("notes"), list) or not isinstance(stopped, str):
        return None
    read = [_read(one) for one in notes[:NOTES]]
    if notes and not any(read):
        return None
    checks = _Checks(digest, known, surroundings, redact)
    checks.dropped[Fault.MANY] += len(notes[NOTES:])
    kept = [note for one in read if (note := checks.note(one)) is not None]
    return Checked(tuple(kept), +checks.dropped, checks.plain(_clean(stopped), STOPPED))


class _Checks:
    """The checks of one answer, and the count of what was dropped."""

    def __init__(
        self, digest: Digest, known: Collection[str], surroundings: Surroundings, redact: Redact
    ) -> None:
        self._session = Session(digest)
        self._known = known
        self._around = surroundings
        self._redact = redact
        self._texts: set[str] = set()
        self.dropped: Counter[str] = Counter()

    def note(self, said: _Said | None) -> CheckedNote | None:
        """The note as far as it holds; None where it does not."""
        fault = Fault.SHAPE if said is None else self._fault(said)
        if said is None or fault is not None:
            self.dropped[fault or Fault.SHAPE] += 1
            return None
        whole = f"{said.title}\n{said.text}"
        proof = self._session.proof(said.quote, whole, by_user=said.said_by == "user")
        if proof is None:
            self.dropped[Fault.UNPROVEN] += 1
            return None
        self._texts.add(normalised(said.text))
        return self._as_proven(said, proof)

    def plain(self, text: str, most: int) -> str:
        """A sentence without secrets, empty when it orders something."""
        return "" if is_injected(text) else shortened(self._redact(text.strip())[0], most)

    def _fault(self, said: _Said) -> Fault | None:
        if not said.text.strip():
            return Fault.SHAPE
        if len(said.text) > TEXT:
            return Fault.LONG
        whole = f"{said.title}\n{said.text}"
        faults = {
            Fault.SECRET: bool(self._redact(whole)[1]),
            Fault.ORDER: is_injected(whole),
            Fault.PERSONAL: _ABOUT_THE_PERSON.search(whole) is not None,
            Fault.TWICE: normalised(said.text) in self._texts,
            Fault.UNSHOWN: said.relation == "same" and said.relation_id not in self._known,
            Fault.INSTRUCTED: stands_in(said.text, self._around.instructions),
        }
        return next((fault for fault, holds in faults.items() if holds), None)

    def _as_proven(self, said: _Said, proof: Proof) -> CheckedNote:
        by_user = said.said_by == "user" and proof.is_persons
        speaker, kind, scope = said.said_by, said.kind, said.scope
        if not by_user:
            speaker = "tool" if proof.shown.who in _TOOLS or said.said_by == "tool" else "agent"
            kind, scope = WEAKER.get(said.kind, said.kind), "when"
        named = said.relation_id if said.relation != "none" else ""
        if named not in self._known:
            named = ""
        title = shortened(" ".join(said.title.split()), TITLE)
        cues = there(Cues(*map(self._fit, astuple(said.cues))), self._around)
        return CheckedNote(
            kind, title, said.text, speaker, said.quote, scope, said.relation if named else "none",
            named, cues, proof,
        )  # fmt: skip

    def _fit(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Return the cues that are short, without a secret, and order nothing of an agent."""
        return tuple(
            text.strip()
            for text in texts
            if text.strip()
            and len(text) <= CUE
            and not self._redact(text)[1]
            and not is_injected(text)
        )


def _read(answer: object) -> _Said | None:
    """A note of an answer; None where a field is missing or of another shape than its schema says."""
    left_out = {"relation": "none", **{f"cue_{name}": list[object]() for name in CUES}}
    note = {**left_out, **mapping(answer)}
    if not all(_fits(note.get(name), shape) for name, shape in FIELDS.items()):
        return None
    said = {name: _clean(str(note.get(name) or "")) for name in _TEXTS}
    cues = {
        name: tuple(_clean(str(one)) for one in listing(note[f"cue_{name}"])[:most])
        for name, most in CUES.items()
    }
    said["title"] = said["title"][: 4 * TITLE]
    return _Said(cues=Cues(**cues), **said)


def _fits(value: object, shape: Mapping[str, Any]) -> bool:
    """Tell whether a value is a text, one of some texts, a list of texts, or a text or null."""
    if shape["type"] == "array":
        texts = listing(value)
        return isinstance(value, list) and all(isinstance(one, str) for one in texts)
    if value is None:
        return "null" in shape["type"]
    return isinstance(value, str) and value in shape.get("enum", (value,))


def _clean(text: str) -> str:
    """The text as it can be stored."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")


# ---- the answer of a night about the notes of one project, held against the notes shown to it
#
# Nothing of it changes anything: a repeated or contradicted note is proposed to be put away, and a
# conclusion from several becomes an insight with their names.


NEW: Final = 20  # notes of a project since its last night, from which it is read
SURE: Final = 0.7  # confidence of an insight that was read: a person's verdict moves it. Choice.
EVIDENCE: Final = ("read together",)
REASON: Final = "a reader of the project's notes finds that others say it or end it"


class Concluded(Struct, frozen=True):
    """Valid proposals and insights of an answer, and the number of others, by the reason."""

    proposals: tuple[Proposal, ...] = ()
    insights: tuple[Insight, ...] = ()
    dropped: Mapping[str, int] = {}


def concluded(
    document: Mapping[str, object], notes: Mapping[int, Replayed], redact: Redact
) -> Concluded | None:
    """Return the valid part of an answer; None when it has another shape.

    ``notes``: as shown in the request. Each is put away once at most, and never the one kept in its
    place.
    """
    parts = ("twins", "contradictions", "outdated", "insights")
    if not all(isinstance(document.get(part), list) for part in parts):
        return None
    dropped: Counter[str] = Counter()
    steps: dict[int, str] = {}
    stays: set[int] = set()
    for kept, gone, why in _endings(document):
        known = kept in notes and gone in notes and kept != gone
        if not known or gone in stays or kept in steps:
            dropped["it names notes that were not shown, or against itself"] += 1
            continue
        stays.add(kept)
        steps.setdefault(gone, f"{short_id(kept)} {why}")
    insights = [
        one
        for said in map(mapping, listing(document["insights"])[:INSIGHTS])
        if (one := _insight(said, notes, redact, dropped)) is not None
    ]
    made = [Proposal(gone, REASON, told) for gone, told in steps.items()]
    return Concluded(tuple(made), tuple(insights), dict(dropped))


def _endings(document: Mapping[str, object]) -> list[tuple[int, int, str]]:
    """The note to stay, the one to go, and the reason, for each fault."""
    found: list[tuple[int, int, str]] = []
    for one in map(mapping, listing(document["twins"])):
        kept = _number(one.get("keep"))
        found += [
            (kept, gone, "says it too")
            for gone in map(_number, listing(one.get("ids")))
            if gone != kept
        ]
    for one in map(mapping, listing(document["contradictions"])):
        found.append((_number(one.get("holds")), _number(one.get("ends")), "contradicts it"))
    for one in map(mapping, listing(document["outdated"])):
        found.append((_number(one.get("by")), _number(one.get("id")), "shows that it is over"))
    return found


def _number(id_: object) -> int:
    """The number of a memory by its short id; 0 for none."""
    return (numbered(id_) or 0) if isinstance(id_, str) else 0


def _insight(
    said: Mapping[str, object], notes: Mapping[int, Replayed], redact: Redact, dropped: Counter[str]
) -> Insight | None:
    text = said.get("text")
    ids = [_number(one) for one in listing(said.get("ids"))]
    sources: Sequence[Replayed] = [notes[one] for one in dict.fromkeys(ids) if one in notes]
    if not isinstance(text, str) or not text.strip() or len(text) > TEXT or len(sources) < 2:
        dropped["an insight that is too long, or names fewer than two notes"] += 1
        return None
    if redact(text)[1] or is_injected(text):
        dropped["an insight with a secret, or an order to an agent"] += 1
        return None
    return insight(InsightKind.SYNTHESIS, " ".join(text.split()), sources, EVIDENCE, SURE)
