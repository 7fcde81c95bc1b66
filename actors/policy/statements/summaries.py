"""Summaries: facts in the account of a compaction, section by section.

A model wrote it: the user's requirements, decisions and corrections, errors with their causes and
fixes. Deeds are in git, and the next steps belong to the continued session.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.statements.accounts import (
    LASTS,
    SETTLES,
    Point,
    points,
    sections,
    sets_the_agent_right,
    settled,
)
from actors.policy.statements.claims import explains_as_item, is_hedged, weight
from actors.policy.statements.statement_rules import Candidate
from actors.policy.statements.statements import statements
from actors.policy.text.turn import Turn
from actors.policy.text.wording import SENTENCE_END, names, one_line, sentence, sentences, specifics
from actors.policy.text.words import caseless, expressions, stems

_EXPRESSIONS: Final = expressions(__name__)

EXPLAINED: Final = 2  # items of one summary
SETTLED: Final = 5  # of what the user settled
LEAST, MOST = 8, 70  # words of what was found out
CAUSE: Final = 4  # words before a fix that say what it mends
QUOTED: Final = 3  # of the user's messages
MESSAGE: Final = 400  # characters of a message that is told whole
ABOUT: Final = 560  # characters of what was asked
RULES: Final = 2  # sentences of it that require something beyond the task
JOINED: Final = 400  # characters of an item with those below it
ALIKE: Final = 0.6  # of the words of the shorter of two texts: one of them tells both. Choice.
SUMMARY: Final = "session-summary"
QUOTATION: Final = "quoted"

_LEADER: Final = caseless(_EXPRESSIONS["leader"])
# The parts of a summary that explain; the rest tells what was asked and done.
_EXPLAINS: Final = caseless(_EXPRESSIONS["explains"])
_FAILURES: Final = caseless(r"error|problem|cause|issue|bug|fix")
_ASKED: Final = caseless(r"request|intent|goal|objective")
_SAID: Final = caseless(r"user messages")
_PASSING: Final = caseless(_EXPRESSIONS["passing"])
_WANTED: Final = caseless(_EXPRESSIONS["wanted"])
_RULED: Final = caseless(_EXPRESSIONS["ruled"])
_QUOTED: Final = pattern(r"[\"“”]")
_QUOTATION: Final = pattern(
    r"\A[^\"“\n]{0,20}[\"“](.{4,}?)[\"”](?:[ .,]{0,2}\([^)\n]*\))?[ .]*\Z", re.DOTALL
)
# What holds beyond the message: a fact or a tool of the user needs the message whole.
_LASTING: Final = frozenset({"preference", "convention", "decision", "wish", "correction"})
_CHOSEN: Final = caseless(_EXPRESSIONS["chosen"])
# What was looked into, answered or sent, and by which steps: it is over with the session.
_OF_THE_SESSION: Final = caseless(_EXPRESSIONS["of_the_session"])
# "Problem 1 (FIXED): ...", "Solved: ...": where it stands, before what it is.
_STATUS: Final = caseless(_EXPRESSIONS["status"])
# "Settled X (not Y) on evidence ...": what was found out or decided on the way.
_RESOLVED: Final = caseless(_EXPRESSIONS["resolved"])
_CAUSED: Final = caseless(r"\b(?:due to|because|since|caused by|(?:root )?causes?)\b")
_MENDED: Final = caseless(_EXPRESSIONS["mended"])
_MENDS: Final = caseless(_EXPRESSIONS["mends"])
_OPEN: Final = caseless(_EXPRESSIONS["open"])
_CODE: Final = pattern(r"`[^`\n]*`")
# A slip of the agent's hands: it was mended, and git tells how.
_SLIP: Final = caseless(_EXPRESSIONS["slip"])
# What went wrong once: so is what a sentence tells with its cause and its fix.
_ONCE: Final = caseless(r"\b(?:was|were|had|did|could)(?:n['’]t)?\b")
# A title that says of nothing what it is of.
_BARE: Final = caseless(_EXPRESSIONS["bare"])


def of_summary(summary: str) -> list[Candidate]:
    """Return the facts of a compaction's summary: the request, the user's settled matters and words, explanations.

    A fact told in several sections counts once, the first time.
    """
    parts = sections(summary)
    decided: list[str] = []
    explained: list[str] = []
    for name, point in ((name, point) for name, body in parts for point in points(body)):
        if _PASSING.search(name):
            continue
        text = settled(point, name)
        # A wish of the user and no rule for it is over with the request.
        is_over = _ASKED.search(name) and _WANTED.match(text) and not _RULED.search(text)
        if text and not is_over:
            decided.append(text)
        if _EXPLAINS.search(name) and _is_explained(item := _item(point), name):
            explained.append(_STATUS.sub("", item))
    about = _about(body for name, body in parts if _ASKED.search(name))
    drafts = [_drafted(text, "state") for text in about]
    for text in _distinct(decided)[:SETTLED]:
        drafts.append(_drafted(text, "convention" if sets_the_agent_right(text) else "decision"))
    drafts += [_drafted(text, "insight") for text in _best(_distinct(explained))]
    drafts += _quoted(body for name, body in parts if _SAID.search(name))
    firsts = {draft.text: draft for draft in reversed(drafts)}
    return [firsts[text] for text in _distinct(draft.text for draft in drafts)]


def _best(lines: Sequence[str]) -> list[str]:
    """The lines with the most explanation, in their order."""
    best = sorted(lines, key=weight, reverse=True)[:EXPLAINED]
    return [line for line in lines if line in best]


def _drafted(line: str, kind: str) -> Candidate:
    text = one_line(sentence(_LEADER.sub("", line).removesuffix(":")))
    return Candidate(SUMMARY, text, kind, "declarative", 0.6, "discovery")


def _item(point: Point) -> str:
    """The head of a point, with the lines below it where it only announces them."""
    head = point.head
    # Of what was seen and tried the cause and the fix are left.
    mends = [said for said in point.below if _MENDS.match(said)]
    told = [sentence(said) for said in mends or (point.below if head.endswith(":") else [])]
    whole = head if head.endswith(":") else sentence(head)
    return one_line(" ".join([whole, *told]), JOINED) if told else head


def _distinct(texts: Iterable[str]) -> list[str]:
    """The texts without near repetitions of an earlier one."""
    kept: dict[str, frozenset[str]] = {}
    for text in texts:
        words = stems(text)
        shared = ((len(words & one), min(len(words), len(one))) for one in kept.values())
        if all(both < ALIKE * shorter for both, shorter in shared):
            kept[text] = words
    return list(kept)


def _quoted(bodies: Iterable[str]) -> list[Candidate]:
    """Find lasting statements in the user's messages, by the rules for prompts; a short message whole.

    The summary quotes them: it is a description of the talk, as good as the model behind it.
    """
    texts: list[str] = []
    for point in (point for body in bodies for point in points(body)):
        quotation = _QUOTATION.match(point.head)
        if quotation is None:
            continue
        message = quotation[1]
        said = [one_line(one.text) for one in statements(Turn(message)) if one.rule.id in _LASTING]
        texts += [sentence(message)] if said and len(message) <= MESSAGE else said
    return [
        Candidate(QUOTATION, text, "decision", "semantic", 0.6, "decision")
        for text in texts[:QUOTED]
    ]


def _is_explained(item: str, section: str) -> bool:
    bare = _STATUS.sub("", item)
    own = _CODE.sub("", item)
    if is_hedged(item) or _OPEN.search(item) or _SLIP.search(own):
        return False
    title, _, body = item.partition(":")
    is_whole = LEAST <= len(bare.split()) <= MOST
    tells = names(bare) and is_whole
    of_failures = _FAILURES.search(section) is not None
    caused = _CAUSED.search(f"{section}: {bare}") is not None
    is_sentence = SENTENCE_END.search(title) is not None or not body
    if is_sentence and caused and _MENDED.search(bare):
        return is_whole if of_failures else tells
    if _ONCE.search(own) or _BARE.match(title):
        return False
    if is_sentence and caused and of_failures:
        return tells
    mended = _MENDED.search(body)
    if mended and not caused and len(body[: mended.start()].split()) < CAUSE:
        return False  # a fix of what nobody explains
    resolved = _RESOLVED.match(bare) and weight(bare)
    if tells and (resolved or (mended and caused)):
        return True
    return bool(names(body) or _CODE.search(title)) and explains_as_item(bare)


def _about(asked: Iterable[str]) -> list[str]:
    """Find the request's requirements, decisions or findings about a named thing, in whole sentences."""
    found: list[str] = []
    room = ABOUT
    for line in (line for body in asked for line in sentences(body)):
        if _QUOTED.search(line):
            continue
        room -= len(line)
        if room < 0:
            break
        concrete = specifics(line) or weight(line) or SETTLES.search(line)
        if concrete and (_CHOSEN.search(line) or not _OF_THE_SESSION.search(line)):
            found.append(line)
    while found and found[-1].endswith(":"):
        found.pop()  # it announces what does not follow
    told = " ".join(map(sentence, found))
    rules = sum(LASTS.search(line) is not None for line in found)
    return [f"Session about: {told}"] if rules >= RULES else []
