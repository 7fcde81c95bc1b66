"""Parts of a prompt: a person's typed words, and their pasted ones.

Output of compilers and linters, logs, diffs, comments of a review bot, a plan handed back by the
client, a template, a mail: all of it arrives in a prompt, and none of it is the person's word. It
is recognized by the shape of lines and their grouping; the meaning decides nothing. A line wrongly
called pasted costs a repetition, one wrongly called typed costs trust, so every doubt is decided
for pasted.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from actors.policy.patterns import pattern
from actors.policy.text.wording import OPENING, is_prose
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__)


class Block(NamedTuple):
    """Lines of a prompt, all of them the person's own, or none."""

    text: str
    pasted: bool


MOST: Final = 4000  # characters that a person types at most; more is a document
OWN: Final = 1000  # characters of what stands before or behind a document
SHORT: Final = 300  # characters of a last remark behind a document
LABELS: Final = 3  # lines of "Name: value" that make a report
HEADINGS: Final = 2  # enough for a document
EMPHASES: Final = 3  # lines with something in bold that make one
COLUMNS: Final = 2  # gaps in a line of a table
GAP: Final = 3  # lines between two of a tool's that are the tool's as well
CODED: Final = 12  # characters of a line without words that is no list mark or smiley
REMARK: Final = 60  # characters from which a paragraph may be a reviewer's remark

_FENCE: Final = pattern(r"`{3}|~{3}")
# A command at a shell's or an agent's prompt: what follows it is its output.
_COMMAND: Final = pattern(
    r"[❯➜»⏺⎿✻] |\$ \S|>>> |(?:PS )?[A-Z]:\\[^>\n]{0,200}>|(?:\(\w{1,40}\) )?"
    r"(?<![\w.-])[\w.-]{1,60}@[\w.-]{1,60}[ :][^$#\n]{0,80}[$#] \S"
)
# How a line begins that a program printed.
_PRINTED: Final = pattern(_EXPRESSIONS["printed"])
_TOKEN: Final = pattern(r"(?<!\S)(?!https?:)\S{40,400}+$")
_QUOTED: Final = pattern(r"`[^`\n]{20,600}`$")
_FRAME: Final = pattern(r"\(\d{1,6}:\d{1,6}\)$")
_HEADING: Final = pattern(
    r"#{1,6} \S|\*\*[^*\n]{2,60}\*\*:?$|[\U0001F300-\U0001F5FF\u26A0\u2705\u2757\u2728]\ufe0f? [A-Z]"
)
_EMPHASIS: Final = pattern(r"\*\*[^*\n]{1,200}\*\*")  # agents write it, hurried people do not
_COLUMN: Final = pattern(r"(?<=\S) {3}(?= {0,80}\S)")
_LABEL: Final = pattern(r"(?<![\w /-])[A-Z][\w /-]{1,30}: \S")
_ITEM: Final = pattern(r"(?:[-*•–]|\(?\w{1,2}[.)])\s")
_MAIL: Final = pattern(_EXPRESSIONS["mail"])
# The words of a form, or of a text with places to fill in: a template's, whoever sends it.
_ROLE: Final = caseless(_EXPRESSIONS["role"])
_PLACE: Final = pattern(_EXPRESSIONS["place"], re.IGNORECASE | re.MULTILINE)
# What announces that another's words follow.
_ANNOUNCES: Final = caseless(_EXPRESSIONS["announces"])
# How an agent begins an answer, and how it ends one.
_ANSWERS: Final = pattern(_EXPRESSIONS["answers"])
_OFFERS: Final = caseless(r"\b(?:would you like|do you want|shall i|let me know)\b")
_PERSON: Final = caseless(_EXPRESSIONS["person"])
# What a reviewer's remark names: `getUser`, `get_user`, `run()`, `main.go:12`.
_CODE: Final = pattern(r"[a-z][A-Z]|\w_\w|\w\(\)|\.\w{1,4}:\d")
# What somebody says who types: to another, in passing, or as an order.
_TYPES: Final = caseless(_EXPRESSIONS["types"])
_ENDED: Final = pattern(r"[.)`]\Z")


def blocks(prompt: str) -> tuple[Block, ...]:
    """A prompt's lines in their order, as runs of the person's own and of pasted ones."""
    lines = [line.rstrip() for line in prompt.splitlines()]
    if _ROLE.match(prompt.lstrip()) or _PLACE.search(prompt):
        return (Block(prompt, pasted=True),)
    marks = _fenced(lines)
    _mark_printed(lines, marks)
    _mark_documents(lines, marks)
    _mark_what_goes_on(lines, marks)
    _mark_reviews(lines, marks)
    _mark_long(lines, marks)
    runs = groupby(zip(lines, marks, strict=True), key=lambda pair: pair[1])
    return tuple(Block("\n".join(line for line, _ in run), pasted) for pasted, run in runs)


def _fenced(lines: Sequence[str]) -> list[bool]:
    """Marks of lines in fences, or in the tags around a client's additions."""
    marks = [False] * len(lines)
    unclosed: set[str] = set()  # looked for once, so that the work stays linear
    at = 0
    while at < len(lines):
        end = _end_of_block(lines, at, unclosed)
        marks[at:end] = [True] * (end - at)
        at = max(end, at + 1)
    return marks


def _end_of_block(lines: Sequence[str], at: int, unclosed: set[str]) -> int:
    """The line behind the block opening at a line; the line itself when none does."""
    rest = range(at + 1, len(lines))
    if _FENCE.match(lines[at].lstrip()):
        return next((here + 1 for here in rest if _FENCE.match(lines[here].lstrip())), len(lines))
    tag = OPENING.match(lines[at])
    if tag is None or tag[1] in unclosed:
        return at
    closing = f"</{tag[1]}>"
    for here in range(at, len(lines)):
        if closing in lines[here]:
            return here + 1
    unclosed.add(tag[1])
    return at


def _paragraphs(lines: Sequence[str], marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of lines between empty ones, all marked or none, as beginnings and ends."""
    at = 0
    for (full, _), run in groupby(
        zip(lines, marks, strict=True), key=lambda pair: (bool(pair[0].strip()), pair[1])
    ):
        end = at + sum(1 for _ in run)
        if full:
            yield at, end
        at = end


def _mark_printed(lines: Sequence[str], marks: list[bool]) -> None:
    """Mark lines in the shape of a tool's output, and the lines between two such."""
    for begin, end in list(_paragraphs(lines, marks)):
        if not marks[begin]:
            for here in _printed(lines[begin:end]):
                marks[begin + here] = True


def _printed(lines: Sequence[str]) -> Iterator[int]:
    """Which lines of a paragraph a program printed."""
    count = len(lines)
    bare = [line.lstrip() for line in lines]
    command = next((at for at, line in enumerate(bare) if _COMMAND.match(line)), count)
    yield from range(command, count)  # with its output
    if count > 1 and all(line.startswith("  ") for line in lines):
        yield from range(count)  # copied from a terminal
    listed = any(map(_ITEM.match, bare))
    labels = [at for at, line in enumerate(bare) if _LABEL.match(line)]
    found = {at for at, line in enumerate(lines) if _is_printed(line, listed=listed)}
    found |= set(labels if len(labels) >= LABELS else ())
    yield from _closed(sorted(found), count)


def _closed(found: Sequence[int], count: int) -> Iterator[int]:
    """Printed lines with the lines between them, or behind them where they are the most."""
    if not found:
        return
    if 2 * len(found) >= count:
        yield from range(found[0], count)
    for one, other in zip(found, [*found[1:], count + GAP + 1], strict=True):
        yield from range(one, other if other - one <= GAP + 1 else one + 1)


def _is_printed(line: str, *, listed: bool) -> bool:
    """Return whether a program printed a line; in a list an indented one goes on."""
    bare = line.lstrip()
    if line.startswith(("    ", "\t")) and bare and not listed:
        return True
    if any(shape.match(bare) for shape in (_PRINTED, _TOKEN, _QUOTED)):
        return True
    item = _ITEM.match(bare)
    if item is not None:
        return _PRINTED.match(bare[item.end() :].lstrip()) is not None
    if (
        bare.endswith((";", "{", "}"))
        or _FRAME.search(bare)
        or len(_COLUMN.findall(bare)) >= COLUMNS
    ):
        return True
    return len(bare) >= CODED and not is_prose(line) and not _HEADING.match(bare)


def _mark_documents(lines: Sequence[str], marks: list[bool]) -> None:
    """Mark a document, an agent's answer or a mail, but for a last remark about it."""
    own = [at for at, line in enumerate(lines) if not marks[at] and line]
    begin = _beginning(lines, own)
    if begin is None:
        return
    last = own[-1]
    apart = last > begin + 1 and not lines[last - 1]
    remark = apart and _is_remark(lines[last], hurried=_ANSWERS.match(lines[begin]) is not None)
    for at in range(begin, last if remark else len(lines)):
        marks[at] = True


def _beginning(lines: Sequence[str], own: Sequence[int]) -> int | None:
    """The line with which a document begins among the person's own ones; None without one."""
    headings = [at for at in own if _HEADING.match(lines[at].lstrip())]
    bold = [at for at in own if _EMPHASIS.search(lines[at])]
    mail = [at for at in own if _MAIL.match(lines[at])]
    if (headings or bold) and _ANSWERS.match(lines[own[0]]):
        return own[0]
    shaped = len(headings) >= HEADINGS or len(bold) >= EMPHASES
    return min([*mail[:1], *(headings[:1] + bold[:1] if shaped else ())], default=None)


def _is_remark(line: str, *, hurried: bool) -> bool:
    """Return whether a line may be the person's remark on the document before it.

    An agent speaks like a person at the end of its answer too, but not in small letters.
    """
    shaped = any(shape.match(line.lstrip()) for shape in (_HEADING, _ITEM, _LABEL))
    if shaped or len(line) > SHORT or _OFFERS.search(line):
        return False
    return line.lstrip()[:1].islower() if hurried else _speaks(line)


def _speaks(text: str) -> bool:
    """Return whether somebody speaks in it: of themselves, to another, or in haste."""
    return _PERSON.search(text) is not None or text.lstrip()[:1].islower()


def _mark_what_goes_on(lines: Sequence[str], marks: list[bool]) -> None:
    """Mark announced texts, and continuations where another's words began the prompt."""
    paragraphs = list(_paragraphs(lines, marks))
    begun = bool(paragraphs) and marks[paragraphs[0][0]] and not _is_block(lines[paragraphs[0][0]])
    announced = False
    for number, (begin, end) in enumerate(paragraphs):
        if marks[begin]:
            announced = False
            continue
        text = "\n".join(lines[begin:end])
        last = number + 1 == len(paragraphs)
        between = number > 0 and not last and marks[begin - 1] and marks[paragraphs[number + 1][0]]
        begun = begun and not _speaks(text) and not (last and end - begin == 1)
        after = next((at for at in range(begin, end) if _ANNOUNCES.search(lines[at])), end)
        if announced or begun or (between and len(text) <= SHORT and not _speaks(text)):
            marks[begin:end] = [True] * (end - begin)
        elif after + 1 < end:
            marks[after + 1 : end] = [True] * (end - after - 1)
        announced = after + 1 == end and not announced


def _mark_reviews(lines: Sequence[str], marks: list[bool]) -> None:
    """Mark a reviewer's text about code: whole sentences with its names, in which nobody speaks.

    Of 22 memories made of such paragraphs of real prompts 19 were a review bot's or a tool's.
    """
    for begin, end in list(_paragraphs(lines, marks)):
        text = " ".join(lines[begin:end])
        if marks[begin] or len(text) < REMARK or _speaks(text) or _TYPES.search(text):
            continue
        if _CODE.search(text) and _ENDED.search(text):
            marks[begin:end] = [True] * (end - begin)


def _is_block(line: str) -> bool:
    """Return whether the beginning of a prompt ends by itself: a fence, a quotation, or a tag."""
    return _FENCE.match(line.lstrip()) is not None or line.lstrip().startswith((">", "<", "`"))


def _mark_long(lines: Sequence[str], marks: list[bool]) -> None:
    """Mark a document without any shape, but not the lines before and behind it."""
    if sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted) <= MOST:
        return
    own = [(begin, end) for begin, end in _paragraphs(lines, marks) if not marks[begin]]
    for number, (begin, end) in enumerate(own):
        outside = len(own) > 1 and number in (0, len(own) - 1)
        if not outside or sum(map(len, lines[begin:end])) > OWN:
            marks[begin:end] = [True] * (end - begin)
