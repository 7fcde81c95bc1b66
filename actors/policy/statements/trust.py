"""Trust: whose word ends whose, and which statement may take another's place. An agent's or a tool's words never end a memory kept by a person.

A noticed text may update or supersede an earlier noticed one. A text written down, pinned or given
a high tier by a person stays beside it, linked, until a person decides (tool output makes no memory
of high standing).
"""

from collections.abc import Collection
from enum import Enum
from typing import Final

from msgspec import Struct

from actors.policy.decay.states import is_protected
from actors.policy.gate.contradiction import contradiction
from actors.policy.gate.gate import CreateLinked, Decision, Reinforce, Supersede, Update
from actors.policy.gate.gate_features import normalised, read
from actors.policy.patterns import pattern
from actors.policy.statements.claims import question_of
from actors.policy.statements.extraction import BY_PROMPT
from actors.policy.statements.sources import AGENT, BY_HAND, READER, SHARED
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__)

KEPT_TIERS: Final = frozenset({"constitutional", "critical", "important"})
# Rules of earlier versions: what they kept of a person's words stays theirs.
_ONCE: Final = frozenset({"fact", "practice"})
_SAID_BY_THE_USER: Final = _ONCE | {READER} | BY_PROMPT
_CHOSEN: Final = frozenset({"answer", "plan"})  # a person agreed to the words of an agent
STATED: Final = BY_HAND | _SAID_BY_THE_USER | _CHOSEN  # sources
# What a person meant to be kept: by hand, by "remember that", as a standing rule or wish of theirs.
ON_PURPOSE: Final = BY_HAND | {"remember", "convention", "preference"}
UNJUDGED: Final = 0.5  # confidence of what a person stated, and the most of what nobody confirmed
UNCONFIRMED: Final = 0.45  # of what is only noticed: one useful lifts it over the other


def is_users_word(source: str) -> bool:
    """Return whether a memory of this source is in a person's words: by hand, or from a prompt."""
    return source in BY_HAND or source in _SAID_BY_THE_USER


def is_stated(source: str, confidence: float = UNJUDGED) -> bool:
    """Return whether a person stated it, chose it, or confirmed it since: then a decision lasts."""
    return source in STATED or confidence > UNJUDGED


def trust_in(source: str) -> float:
    """The confidence with which a memory of this source arrives, 0..1.

    A statement of an agent, a tool or a file of the repository counts as noticed until a person or
    an outcome confirms it.
    """
    return UNJUDGED if source in STATED else UNCONFIRMED


def is_kept_from(source: str, *, target: str, tier: str, pinned: bool) -> bool:
    """Return whether a text of ``source`` may not end a memory of source ``target``.

    A person's order by hand ends anything. A person's words in a prompt end anything except pinned
    memories or ones of a high tier; everybody else's also leave a person's words and choices alone.
    """
    if source in BY_HAND:
        return False
    if pinned or tier in KEPT_TIERS:
        return True
    return target in STATED and source not in STATED


def may_change(*, target: str, confidence: float, tier: str, pinned: bool) -> bool:
    """Return whether an agent may reword a memory: one not stated, confirmed, shared or kept by a person."""
    kept = is_kept_from(AGENT, target=target, tier=tier, pinned=pinned)
    return not kept and target != SHARED and not is_stated(target, confidence)


def is_told_whole(source: str, confidence: float, *, uses: int, pinned: bool) -> bool:
    """Return whether its text is told unasked; of a shared note only the title, until it was opened or kept."""
    return source != SHARED or pinned or uses > 0 or is_stated(source, confidence)


def left_standing(decision: Decision, *, tier: str, pinned: bool) -> Decision:
    """The late decision about a memory, or a link where it would end the memory as a copy.

    A memory kept before there were vectors may have been pinned, or be of a protected tier: it
    never leaves by itself.
    """
    if not isinstance(decision, Reinforce) or not is_protected(tier, pinned=pinned):
        return decision
    reason = f"kept beside what it says again; otherwise: {decision.reason}"
    return CreateLinked(decision.target, reason, decision.similarity)


def softened(decision: Decision, kept: Collection[int], why: str) -> Decision:
    """The decision, or a link where it would end one of the ``kept`` memories, and ``why``."""
    if not isinstance(decision, Update | Supersede) or decision.target not in kept:
        return decision
    reason = f"{why}; otherwise: {decision.reason}"
    return CreateLinked(decision.target, reason, decision.similarity, decision.contradiction)


# ---- like ends like: statements able to take another's place, by the matter of both
#
# The gate sees two texts as alike and different. Their matter may still be of two kinds: a commit
# tells a deed, a cause the reason of a state, a decision a plan, anything else a lasting fact. A deed
# stays done, whatever is said later; a cause is the cause of one failure; two decisions may answer
# two questions. Notes of one fix, its commit, its pull request and its cause, resemble one another
# more than anything else does and are kin.


TOLD_AGAIN: Final = 0.6  # of an item's telling words, when a later summary tells it anew. Choice.

_CHANGES: Final = frozenset({"commit", "pull-request"})
_CHANGED: Final = frozenset({"bugfix", "feature", "refactor", "change"})
_ACCOUNT: Final = "session-summary"
_ABOUT: Final = "state"  # the kind of what a session was about; other items tell what holds
# "Commit 24a8866 on main: Fix the hang. Why …": what stands before and behind its subject.
_HEAD: Final = pattern(r"\A(?:Commit\b[^:\n]{0,120}|A pull request was opened): ")
_BODY: Final = pattern(r"\n|\.\s")
_FILE: Final = pattern(r"\A(?:In )?((?:[\w.-]*/)*[\w-]*\.?[\w.-]{1,80})(?:, | “)")
# What went wrong once: an account of a failure, whatever kind it is noted as.
_FAILED: Final = caseless(_EXPRESSIONS["failed"])


class Matter(Enum):
    """Matter of a statement."""

    CHANGE = "what was done"
    ACCOUNT = "what a session was about"
    CAUSE = "why something was so"
    DECISION = "what was decided"
    CLAIM = "what holds"


class SourcedStatement(Struct, frozen=True):
    """A statement, its source, and its session."""

    text: str
    source: str
    kind: str
    session: str | None = None

    @property
    def matter(self) -> Matter:
        """Matter of a statement."""
        if self.source in _CHANGES or (self.kind in _CHANGED and self.source not in BY_HAND):
            return Matter.CHANGE
        if self.source == _ACCOUNT and self.kind == _ABOUT:
            return Matter.ACCOUNT
        if self.kind == "discovery" or self.source in ("cause", "supposition"):
            return Matter.CAUSE
        return Matter.DECISION if self.kind == "decision" else Matter.CLAIM


def may_succeed(new: SourcedStatement, old: SourcedStatement) -> bool:
    """Return whether a statement may rewrite or end a similar one.

    A person may reword anything by hand. In a session their word ends a claim or a decision of the same
    question, never a deed; an agent's or a tool's words end only their own kind.
    """
    if new.source in BY_HAND:
        return True
    mine, theirs = new.matter, old.matter
    if Matter.CHANGE in (mine, theirs) or Matter.ACCOUNT in (mine, theirs):
        return mine is theirs and _is_of_one_thing(new, old)
    if Matter.CAUSE in (mine, theirs):
        found_out_better = is_users_word(new.source) or new.session == old.session
        return mine is theirs and found_out_better
    if _FAILED.search(new.text) and not _FAILED.search(old.text):
        return False
    if is_users_word(new.source):
        return _question(new) in (None, _question(old))
    return mine is theirs and _is_of_one_question(new, old)


def may_stand_for(new: SourcedStatement, old: SourcedStatement) -> bool:
    """Return whether a known statement may stand for a new one of seemingly the same content.

    Another commit, or another session's account, is one more even in the same words; another session's
    cause is, when it names anything else.
    """
    if is_past(new) or is_past(old):
        return new.matter is old.matter and _is_of_one_thing(new, old)
    if new.matter is old.matter is Matter.CAUSE and new.session != old.session:
        return read(new.text).content <= read(old.text).content
    return new.matter is old.matter or is_users_word(new.source)


def is_past(told: SourcedStatement) -> bool:
    """Return whether it tells a deed, untouched by any new value."""
    return told.matter in (Matter.CHANGE, Matter.ACCOUNT)


def _is_of_one_thing(new: SourcedStatement, old: SourcedStatement) -> bool:
    """Return whether a commit was amended, or a session told of again."""
    if new.matter is Matter.ACCOUNT:
        return _is_told_again(new, old)
    return new.source == old.source and _subject(new.text) == _subject(old.text)


def _is_told_again(new: SourcedStatement, old: SourcedStatement) -> bool:
    """Return whether a later summary of a session repeats an earlier one, and perhaps adds to it."""
    of_one_session = new.session is not None and new.session == old.session
    if not (new.source == old.source == _ACCOUNT and of_one_session):
        return False
    told, before = read(new.text).content, read(old.text).content
    return len(told & before) >= TOLD_AGAIN * len(before)


def _subject(text: str) -> str:
    """Title of a commit or a request, as duplicates are compared."""
    return normalised(_BODY.split(_HEAD.sub("", text), maxsplit=1)[0])


def _is_of_one_question(new: SourcedStatement, old: SourcedStatement) -> bool:
    """Tell whether both answer one question, tell of one file, or one denies the other outright."""
    asked, before = _question(new), _question(old)
    if asked is not None or before is not None:
        return asked == before
    mine, theirs = _FILE.match(new.text), _FILE.match(old.text)
    if mine is not None or theirs is not None:
        return mine is not None and theirs is not None and mine[1] == theirs[1]
    return (
        new.matter is not Matter.DECISION
        or _is_told_again(new, old)
        or contradiction(new.text, old.text) is not None
    )


def _question(told: SourcedStatement) -> str | None:
    """The question asked by an agent, as duplicates are compared."""
    return question_of(told.text) if told.source in _CHOSEN else None
