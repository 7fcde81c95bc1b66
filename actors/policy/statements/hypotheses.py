"""Hypotheses: what an agent supposes on the way, and what comes of it.

A supposed cause is kept as a hypothesis. It is confirmed when what failed works again after
exactly the thing that it named was changed, and refuted when the user's correction denies what it
names. Every doubt leaves it open: a wrong guess that stays a guess does no harm, one that was
confirmed by accident does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import Event, EventKind
from actors.policy.events.signals import Signal, signals
from actors.policy.events.trail import SessionTrail, resolved
from actors.policy.statements.candidates import Candidate, Origin
from actors.policy.statements.claims import Outcome, Status, is_hedged
from actors.policy.statements.explanations import leans
from actors.policy.text.pasted import typed
from actors.policy.text.wording import IDENTIFIER, TOOLS, one_line, sentence, sentences
from actors.policy.text.words import caseless

RULE: Final = "supposition"
DOCS: Final = "A cause that the agent supposes; a hypothesis until an outcome tells"
AGENTS_OWN: Final = frozenset({RULE, "conclusion"})
SUPPOSITIONS: Final = 2  # of one message
SUPPOSED_FOR: Final = 7 * 86_400.0  # seconds that one stays open, unless used or pinned
IMPORTANCE: Final = 0.4  # below a conclusion's .6
FRESH: Final = 7_200.0  # seconds: what works again after longer was another failure. Choice.
REASON: Final = 160  # characters

# A supposed cause, not a supposed plan: "we should probably add a test" is none.
_CAUSE: Final = caseless(
    r"\b(?:root |underlying |actual |real )?(?:cause|culprit|reason|bug|problem|issue|suspicion"
    r"|suspect|hypothesis|guess|theory)\b|\bcaused by\b|\bdue to\b|\bbecause\b|\bcomes? from\b"
    r"|\b(?:fail(?:s|ed|ing)?|breaks?|broke|crash(?:es|ed)?|hangs?|hung|times? out)\b"
)
_ASKS_OR_PLANS: Final = caseless(
    r"\?$|\bbecause[.:]?$|^if\b|^(?:maybe|perhaps|possibly|either)\b|: if\b|\b(?:should|could you|let me|let's|let us|i(?:['’]ll| will)|we(?:['’]ll| will)"
    r"|next,? i|want me to)\b"
)
# What it is about is named where the sentence begins.
_NEAR: Final = re.compile(rf"\A.{{0,60}}?(?:{IDENTIFIER}|(?<=[\w,:(] )(?!I\b)[A-Z][A-Za-z0-9]+)")
_NAMED: Final = re.compile(
    rf"{IDENTIFIER}|\b\d{{2,}}\b|\b{TOOLS}\b|(?<=[\w,:(] )(?!I\b)[A-Z][A-Za-z0-9]+"
)
_CLAUSES: Final = re.compile(r"[.;:!?]\s+|,\s*|(?<!\s)\s++(?:[—–-]|but|and|so|rather|instead)\s+")
_DENIES: Final = caseless(
    r"\b(?:not|never|no|nor|isn['’]?t|wasn['’]?t|aren['’]?t|weren['’]?t|doesn['’]?t|didn['’]?t"
    r"|hasn['’]?t|can['’]?t|cannot|wrong|incorrect|unrelated|innocent|nothing to do with)\b"
    r"|\bis (?:fine|ok(?:ay)?|correct|right)\b|\bwas (?:fine|ok(?:ay)?|correct|right)\b"
)
_OPENS_WITH_NO: Final = caseless(r"^(?:(?:no+|nope|nah|wrong|not quite)\b[\s,]*)+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of an event about suppositions made before it."""

    held: frozenset[str] = frozenset()  # names of what was changed, and it works since
    denied: frozenset[str] = frozenset()  # names that the user's correction denies
    reason: str = ""  # one line


@dataclass(frozen=True, slots=True)
class Open:
    """A hypothesis that waits for an outcome."""

    memory_id: int
    text: str
    at: float  # when it was supposed, seconds UTC


@dataclass(frozen=True, slots=True)
class Resolution:
    """Resolution of a hypothesis, and by what."""

    memory_id: int
    outcome: Outcome
    reason: str


def suppositions(message: str) -> list[Candidate]:
    """The causes that an agent's message supposes, each with a name of something in it.

    Hedged sentences about a cause that stand by themselves; no questions, no plans.
    """
    if "<summary>" in message or "<analysis>" in message:
        return []
    return [
        Candidate(
            RULE,
            one_line(sentence(line)),
            "discovery",
            "declarative",
            IMPORTANCE,
            "discovery",
            Origin.AGENT,
        )
        for line in sentences(message)
        if _supposes(line)
    ][:SUPPOSITIONS]


def status_of(candidate: Candidate) -> Status:
    """A hedged text of the agent's own is a hypothesis; everything else is stated."""
    own = candidate.rule in AGENTS_OWN and candidate.origin is Origin.AGENT
    if own and is_hedged(candidate.text):
        return Status.HYPOTHESIS
    return Status.CONFIRMED


def evidence(before: SessionTrail, event: Event) -> Evidence | None:
    """Evidence of an event about hypotheses of its session; ``before``: the trail until then.

    What failed works again: the files and symbols changed since, and the repairs that were run,
    but not what the command itself names. A prompt that corrects: the names in its clauses that
    deny, but none that another clause affirms.
    """
    if event.kind is EventKind.PROMPT:
        return _corrected(event.prompt)
    over = resolved(before, event)
    if over is None:
        return None
    touched = [name for edit in over.edits for name in (edit.path, *edit.symbols)]
    named = names(" ".join((*touched, *over.failure.repairs))) | {t.casefold() for t in touched}
    held = named - names(over.command) - names(over.failure.command)
    if not held:
        return None
    return Evidence(held=held, reason=one_line(f"{over.command} works since the change", REASON))


def judged(waiting: Sequence[Open], told: Evidence, at: float) -> list[Resolution]:
    """Resolutions of the hypotheses that the evidence of the moment ``at`` decides.

    Only those of the two hours before it, seconds UTC.
    Confirmed is the one that names most of what was changed, if it is the only one: of two
    guesses about one file nobody can tell which was right. Refuted is each that names what is
    denied.
    """
    waiting = [one for one in waiting if at - FRESH <= one.at < at]
    denied = [
        Resolution(one.memory_id, Outcome.FAILED, told.reason)
        for one in waiting
        if names(one.text) & told.denied
    ]
    shared = sorted(
        ((len(names(one.text) & told.held), one.memory_id) for one in waiting), reverse=True
    )
    best = [memory_id for count, memory_id in shared if count and count == shared[0][0]]
    if len(best) != 1 or any(one.memory_id == best[0] for one in denied):
        return denied
    return [*denied, Resolution(best[0], Outcome.HELD, told.reason)]


def names(text: str) -> frozenset[str]:
    """Names, paths and numbers of a text, in small letters; a path also by its last part."""
    found = {match[0].strip("`").casefold() for match in _NAMED.finditer(text)}
    return frozenset(found | {name.rsplit("/", 1)[-1] for name in found} - {""})


def _supposes(line: str) -> bool:
    return (
        is_hedged(line)
        and _CAUSE.search(line) is not None
        and not _ASKS_OR_PLANS.search(line)
        and not leans(line)
        and 5 <= len(line.split()) <= 60
        and _NEAR.match(line) is not None
    )


def _corrected(prompt: str) -> Evidence | None:
    said = sentences(typed(prompt))
    corrects = Signal.CORRECTION in signals(prompt) or any(map(_OPENS_WITH_NO.match, said[:1]))
    if not corrects:
        return None
    plain = [_OPENS_WITH_NO.sub("", line) for line in said]
    clauses = [clause for line in plain for clause in _CLAUSES.split(line) if clause]
    denied = _names_of(clause for clause in clauses if _DENIES.search(clause))
    affirmed = _names_of(clause for clause in clauses if not _DENIES.search(clause))
    if not denied - affirmed:
        return None
    return Evidence(denied=denied - affirmed, reason="the user corrected it")


def _names_of(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(name for clause in clauses for name in names(clause))
