"""Items of a document: decisions with their reasons, causes, rules, traps and open work.

A block counts by its content (a choice, a reason, a limit, a prohibition) about a named thing, and by its heading:
"Gotchas" and "Rejected" promise more than "Overview". Work done, instructions for installing and mere requirements
are left out; they are in the code and in git.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from actors.policy.documents.sections import (
    LEARNT,
    Block,
    Purpose,
    Section,
    Shape,
    blocks,
    plain,
    sections,
)
from actors.policy.patterns import pattern
from actors.policy.statements.claims import leans, reasons, weight
from actors.policy.text.wording import SENTENCE_END, names, one_line, sentence
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__)

MOST: Final = 8  # items of an agent's note, those that explain most
MOST_OTHERS: Final = 5  # of another document
OF_A_SECTION: Final = 3
WORDS: Final = (7, 130)  # of an item
ROOM: Final = 480  # characters of an item's own words
ENOUGH: Final = 4  # score from which an item is told
ENOUGH_FOR_USERS: Final = 5  # in guides, which tell most of what they tell to users
SAID_TWICE: Final = 0.6  # of a block's words that its section's claim has


class Topic(Enum):
    """Matter of an item."""

    DECISION = "decision"
    CAUSE = "cause"
    RULE = "rule"
    TRAP = "trap"
    OPEN = "open"


class Item(Struct, frozen=True):
    """A statement of a document, worth telling without the document."""

    headings: tuple[str, ...]
    line: int  # its first in the document, from 1
    topic: Topic
    text: str  # self-contained, at most ``TEXT`` characters
    score: int  # how much it explains

    @property
    def digest(self) -> str:
        """Name of this text within its document."""
        return digest(self.text)


# The first with a word of a heading has it.
_TOPICS: Final = tuple(
    (topic, caseless(rf"\b(?:{_EXPRESSIONS[f'headed_{topic.name.lower()}']})\b"))
    for topic in (Topic.OPEN, Topic.TRAP, Topic.DECISION, Topic.CAUSE, Topic.RULE)
)
# What stands there is done, or the way to do it, or required: none of it outlasts its reading.
_NO_ITEMS: Final = caseless(_EXPRESSIONS["no_items"])
_OVER: Final = pattern(r"[✅☑✔]|\b(?:RESOLVED|FIXED|DONE|CLOSED)\b")
# Only together with the others do these parts of an account say something.
_PART: Final = caseless(_EXPRESSIONS["part"])
# A heading that says something, not only what its section is about.
_SAYS: Final = caseless(_EXPRESSIONS["says"])
_NUMBERED: Final = caseless(_EXPRESSIONS["numbered"])
_GENERIC: Final = caseless(_EXPRESSIONS["generic"])
_CHOICE: Final = caseless(_EXPRESSIONS["choice"])
_RULE: Final = caseless(_EXPRESSIONS["rule"])
_ORDER: Final = caseless(_EXPRESSIONS["order"])
_TRAP: Final = caseless(_EXPRESSIONS["trap"])
_BECAUSE: Final = caseless(_EXPRESSIONS["because"])
# What was done, counted, or is told of the document and its readers.
_NEWS: Final = caseless(_EXPRESSIONS["news"])
# The document's own business, and names that mean something only beside it.
_OF_ITSELF: Final = caseless(_EXPRESSIONS["of_itself"])
_LABEL: Final = caseless(_EXPRESSIONS["label"])
# Names of work that is split up, and risks that somebody has seen to.
_STEP: Final = caseless(_EXPRESSIONS["step"])
_GAP: Final = pattern(r"characters left out …")
_ASIDE: Final = caseless(r"\A(?:see|saved to|tracked in|documented in|related|cf)\b|:\Z")
_COMPARED: Final = caseless(r"\b(?:pros?|cons?|verdict|result|verified|date)\b")
_COUNTED: Final = pattern(r"\A(?:[A-Z]?\d{1,2}[.)]|[A-Z]\d{1,2} [—–-]) (?=\S)")
_POINTS: Final = caseless(_EXPRESSIONS["points"])
_FORM: Final = caseless(_EXPRESSIONS["form"])
_ASKS: Final = pattern(r"[^.!?]{0,200}\?")
_DESCRIPTION: Final = pattern(
    r"^description:[ \t]*[\"']?([^\n]{20,400}?)[\"']?[ \t]*$", re.MULTILINE
)


def items(text: str, purpose: Purpose) -> tuple[Item, ...]:
    """Find the items of a document worth keeping, in its order; nothing an agent reads anyway."""
    if purpose not in LEARNT:
        return ()
    is_note = purpose is Purpose.NOTE
    found = list(_described(text)) if is_note else []
    for section in sections(text):
        found += _of_section(section, purpose)
    unlike = {each.digest: each for each in reversed(found)}
    best = sorted(unlike.values(), key=_rank)[: MOST if is_note else MOST_OTHERS]
    return tuple(sorted(best, key=lambda each: each.line))


def _rank(item: Item) -> tuple[int, int]:
    """Order of items, the best first: decisions outlast findings."""
    return -item.score - (item.topic in (Topic.DECISION, Topic.RULE)), item.line


def _described(text: str) -> Iterator[Item]:
    """Read the description in the metadata of an agent's note."""
    if not text.startswith("---\n"):
        return
    front = text[:2_000].partition("\n---")[0]
    if (found := _DESCRIPTION.search(front)) is not None and names(found[1]):
        line = front.count("\n", 0, found.start()) + 1
        yield Item((), line, Topic.TRAP, one_line(sentence(plain(found[1]))), 4)


def _of_section(section: Section, purpose: Purpose) -> list[Item]:
    heading = section.headings[-1] if section.headings else ""
    topic = _topic(section.headings)
    if _OVER.search(heading) or (topic is None and _NO_ITEMS.search(heading)):
        return []
    said = list(blocks(section))
    claim = _claim(section, said, topic, purpose)
    found = [claim] if claim is not None else []
    claimed = frozenset(claim.text.casefold().split()) if claim is not None else frozenset[str]()
    for block in said:
        item = _item(block, section.headings, topic, purpose)
        if item is None:
            continue
        words = frozenset(item.text.casefold().split())
        if len(words & claimed) < SAID_TWICE * len(words):
            found.append(item)
    return sorted(found, key=lambda each: -each.score)[:OF_A_SECTION]


def _topic(headings: Sequence[str]) -> Topic | None:
    """The topic of the nearest heading with one; the document's own title names none."""
    for at, heading in reversed(tuple(enumerate(headings))):
        bare = _bare(heading)
        for topic, words in _TOPICS:
            if words.search(bare):
                return topic
        if at and _NO_ITEMS.search(heading):
            return None
    return None


def _claim(
    section: Section, said: Sequence[Block], topic: Topic | None, purpose: Purpose
) -> Item | None:
    """A heading in the form of a claim, with the sentences below it that give reasons."""
    heading = _bare(section.headings[-1]) if section.headings else ""
    if topic not in (Topic.DECISION, Topic.CAUSE, Topic.TRAP) or _GENERIC.fullmatch(heading):
        return None
    if len(heading.split()) < 4 or not names(f"a {heading}") or not _may_follow(f"{heading}."):
        return None
    if heading.endswith("?") or _NEWS.search(heading):
        return None
    if not (_CHOICE.search(heading) or _SAYS.search(heading)):
        return None
    told = [
        " ".join(line for line in SENTENCE_END.split(block.text) if _may_follow(line))
        for block in said
        if block.shape is Shape.PARAGRAPH and not block.is_done
    ]
    longest = [shorter for one in told for shorter in SENTENCE_END.split(one)]
    why = reasons(told, ROOM - len(heading)) or reasons(longest, ROOM - len(heading))
    if not why:
        return None
    score = 3 + weight(why) + bool(_CHOICE.search(heading))
    if score < _enough(purpose):
        return None
    text = one_line(f"{sentence(heading)} {why}")
    return Item(section.headings, section.first_line, topic, text, score)


def _may_follow(line: str) -> bool:
    """Return whether a sentence may be told without its document."""
    return not (_ASIDE.search(line) or _OF_ITSELF.search(line) or _LABEL.search(line))


def _item(
    block: Block, headings: tuple[str, ...], headed: Topic | None, purpose: Purpose
) -> Item | None:
    text = block.text
    if block.is_done or not _may_stand(text):
        return None
    if block.shape is Shape.ROW and (
        # Most rows are measured, compared or looked up.
        _COMPARED.search(block.columns) or not _BECAUSE.search(text.removeprefix(f"{block.lead}: "))
    ):
        return None
    topic, score = _said(block, _topic((block.lead,)) or headed, purpose)
    score -= _LABEL.search(text[:120]) is not None
    score -= 2 * (_STEP.search(text) is not None)
    if topic is None or score < _enough(purpose):
        return None
    own = _cut(block)
    if own is None:
        return None
    told = _self_contained(own, block, headings)
    if told is None or not names(told) or not WORDS[0] <= len(told.split()) <= WORDS[1]:
        return None
    return Item(headings, block.line, topic, one_line(told), score)


def _enough(purpose: Purpose) -> int:
    return ENOUGH_FOR_USERS if purpose is Purpose.GUIDE else ENOUGH


def _may_stand(text: str) -> bool:
    words = len(text.split())
    return (
        words >= WORDS[0] - 1
        and not text.endswith(":")
        and not _NEWS.search(text)
        and not _OF_ITSELF.search(text)
        and not _FORM.search(text)
        and not _GAP.search(text)
        and not _PART.match(text)
        and sum(map(str.isalpha, text)) + text.count(" ") >= 0.6 * len(text)
    )


def _said(block: Block, headed: Topic | None, purpose: Purpose) -> tuple[Topic | None, int]:
    """Judge a block's statement, by words and heading, and its amount of explanation; None: nothing."""
    text = block.text
    why = bool(_BECAUSE.search(text))
    explained = weight(text)
    choice, rule, trap = _CHOICE.search(text), _RULE.search(text), _TRAP.search(text)
    led = bool(block.lead) and len(text) > len(block.lead) + 20
    score = explained + why + bool(choice) + bool(trap) + led + (purpose is Purpose.NOTE)
    if headed is Topic.OPEN and purpose is not Purpose.NOTE and _ASKS.match(text):
        return None, 0  # a design answers its questions elsewhere
    if headed is Topic.OPEN:
        stands = explained and (block.shape is not Shape.PARAGRAPH or led)
        return (Topic.OPEN, score + 1) if stands else (None, 0)
    if rule and (_ORDER.search(text) or headed is Topic.RULE):
        enough = why or explained >= 2 or headed is Topic.RULE
        return (Topic.RULE, score + 1) if enough else (None, 0)
    if choice and (why or explained >= 2) and (headed is Topic.DECISION or score >= 3):
        return Topic.DECISION, score + (headed is Topic.DECISION)
    if headed is Topic.TRAP and explained and score >= 2:
        return Topic.TRAP, score + 1
    if headed is Topic.DECISION and explained and why:
        return Topic.DECISION, score
    if headed is Topic.CAUSE and why and explained >= 2:
        return Topic.CAUSE, score
    if trap and (why or explained >= 2) and score >= 3:
        return Topic.TRAP, score
    if why and explained >= 2 and score >= 4:
        return Topic.CAUSE, score
    return None, 0


def _cut(block: Block) -> str | None:
    """The block whole when it is short; else its beginning and the sentences that give reasons."""
    text = block.text
    if len(text) <= ROOM:
        return text
    first, *rest = SENTENCE_END.split(text)
    if len(first) > ROOM:
        return None
    room = ROOM - len(first) - 1
    kept: list[str] = []
    for line in sorted(rest, key=weight, reverse=True):
        if weight(line) and len(line) < room and _may_follow(line):
            kept.append(line)
            room -= len(line) + 1
    return " ".join([first, *(line for line in rest if line in kept)])


def _self_contained(text: str, block: Block, headings: Sequence[str]) -> str | None:
    """The text, with words for its subject where it lacks them; None: nothing names the subject."""
    text = sentence(_COUNTED.sub("", text))
    begins = text[:60]
    if (
        not (leans(text) or _POINTS.match(text))
        and names(f"a {begins}")
        and block.shape is not Shape.ROW
    ):
        return text
    subjects = [block.above, *(_subject(heading) for heading in reversed(headings))]
    subject = next((one for one in subjects if one), "")
    subject = subject if len(subject) <= 160 else ""
    if not subject and _POINTS.match(text):
        return None
    return f"{subject}: {text}" if subject and subject.casefold() not in text.casefold() else text


def _subject(heading: str) -> str:
    bare = _bare(heading)
    return "" if _GENERIC.fullmatch(bare) else bare


def _bare(heading: str) -> str:
    """A heading without its number and markup."""
    return _NUMBERED.sub("", plain(heading) + " ", count=1).strip(" :.—–-") or plain(heading)


def digest(text: str) -> str:
    """Name of a text by its words."""
    flat = " ".join(text.casefold().split())
    return blake2b(flat.encode("utf-8", "replace"), digest_size=6).hexdigest()
