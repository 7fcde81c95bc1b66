"""Corrections: a sentence of a prompt that gives something known another value.

What is corrected is told by what a sentence is about and not by its verb: "No, the session cookie
lives for 8 hours", "moved to Wednesday", "switched from npm to pnpm", "you got that wrong: the
timeout is 5 seconds". A sentence is therefore laid beside each memory that shares its words. It
corrects the one that says another value of the same kind of the same subject, and that memory
then says the new value in the old one's place, so that the rest of it still holds.

Another subject ("the refresh token"), another environment, one more value ("also on Fridays"),
a question, a guess and what was before correct nothing. The words are English, like the markers
of contradiction; numbers work in any script.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from actors.policy.text.lexicon import QUALIFIERS, meaning, of_one_kind
from actors.policy.text.plain_speech import spelled, without_quotations
from actors.policy.text.utterances import tells_only_of_before
from actors.policy.text.wording import one_line, prose, sentences
from actors.policy.text.words import STOP_WORDS

PROMPT: Final = 4000  # characters: beyond it a prompt is a pasted document
MOST: Final = 5  # sentences of a prompt that may correct something
READ: Final = 300  # characters of a sentence: a longer one states more than one value
STORED: Final = 800  # characters of a memory: a longer one is a document
PHRASE: Final = 4  # words of a value that is named: "from the old build server to ..."
TAIL: Final = 3  # words that may differ where two sentences begin alike


class Correction(NamedTuple):
    """What a memory says from now on, and which words of it gave way to which."""

    text: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    key: str  # its meaning; a number in digits
    kind: str  # of value: "number hour", "version", "name", "path"; empty for any other word
    content: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence as it is laid beside memories."""

    text: str  # without the words that only say that something is corrected
    words: tuple[_Word, ...]
    marked: bool  # "no, ...", "actually", "moved", "now": it says that something is otherwise
    pairs: tuple[tuple[str, str], ...]  # an old value and the new one, both named

    @property
    def topic(self) -> frozenset[str]:
        """What it is about: its telling words but for values and words of change."""
        return frozenset(word.key for word in self.words if word.content and not word.kind)

    @property
    def values(self) -> tuple[_Word, ...]:
        """The words that may be somebody's value."""
        return tuple(word for word in self.words if word.kind)


_TOKEN: Final = re.compile(
    r"`[^`\n]{1,60}`|--?[a-z][\w-]*|(?<![\w@~./-])[\w@~.]*+/(?:[\w./-]*\w)?"
    r"|\d++(?:[.,:]\d++)*(?:%|[A-Za-z]{1,3}\b)?|\w++(?:['’._+#@-]\w++)*(?:\+\+|#)?"
)
_VERSION: Final = re.compile(r"\A(?:v?\d+(?:\.\d+)+|v\d+)\Z")
_NUMBER: Final = re.compile(r"\A(\d+(?:[.,:]\d+)*)(%|[a-z]{1,3})?\Z")
_INSIDE: Final = re.compile(r"[/@]|\w[._]\w|[a-z][A-Z]")  # of a path, an address, an identifier
_NUMBERS: Final = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
    if value != 1  # "the one that" counts nothing
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100"}
_UNITS: Final = {
    unit: kind
    for kind, units in {
        "duration": "ms millisecond s sec second min minute h hour day week month year",
        "size": "b byte kb mb gb tb kib mib gib ki mi gi",
        "share": "percent %",
        "clock": "am pm utc o'clock",
    }.items()
    for unit in units.split()
}
_MARK: Final = re.compile(
    r"^(?:(?:no|nope|nah|wrong|incorrect|actually|wait|sorry|oops|hm+|correction|not quite|careful"
    r"|(?:small|quick|one) correction|hold on|hang on|by the way|btw|fyi|update|note|heads up"
    r"|(?:that['’]?s|that is|that was|you['’]?re|you are|this is) (?:\w+ ){0,2}(?:wrong|right"
    r"|correct|true|outdated|stale|old|mistaken|off|incorrect)(?: (?:now|about \w+))?"
    r"|you (?:got|have|remember|remembered|misremember) (?:that|this|it) ?(?:wrong(?:ly)?)?"
    r"|(?:please )?(?:remember|note)(?: that)?|it turns out(?: that)?|as of (?:today|now)"
    r"|since (?:today|yesterday|last \w+|this \w+)|from now on|these days|nowadays)"
    r"(?:[\s,.:;!—–-]+|$))+",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"^(?:no|nope|nah|wrong|incorrect|actually|sorry|oops|correction|not quite|that|you|small"
    r"|quick correction|one correction|this is)\b",
    re.IGNORECASE,
)
_CHANGE_WORDS: Final = frozenset(
    meaning(word)
    for word in (
        "now actually moved move switched switch changed change renamed rename migrated migrate"
        " replaced replace bumped bump raised lowered reduced increased shortened extended longer"
        " instead anymore currently today meanwhile since became become back finally decided agreed"
        " again really wrong right correct old new value done got ditched dropped swapped"
    ).split()
)
_CHANGES: Final = re.compile(
    r"\b(?:now|actually|moved|switch(?:ed|ing)|changed|renamed|migrat(?:ed|ing)|replaced|bumped"
    r"|raised|lowered|reduced|increased|shortened|extended|no longer|instead|any ?more|became"
    r"|not \S{1,40} but|wrong|went (?:back )?(?:to|with)|ditched|dropped|swapped|these days|left"
    r"|from now on|nowadays|decommissioned|reversed|forget|stop using|old value|other way round"
    r"|took over|since (?:last|this)|got|we(?:['’]re| are) (?:all )?on|should be|as of)\b|, not ",
    re.IGNORECASE,
)
# One more value, a question, a guess, a wish, an order for the task, a report: nothing is corrected.
_BARRED: Final = re.compile(
    r"\?\s*$|\b(?:also|too|as well|additionally|besides|in addition|another|second one|both|either"
    r"|plus|on top of|for example|e\.g\.|such as|like|except|maybe|perhaps|probably|possibly|might"
    r"|could|would|should we|shall we|what if|unless|whether|suppose|assume|imagine|i (?:think"
    r"|guess|believe|wonder|wish)|not sure|for now|temporarily|just this once|this time"
    r"|in th(?:is|e) (?:test|example|demo|branch|pr|commit|session|script)|let['’]?s try|try"
    r"|used to|originally|previously|formerly|back then|at first|was going to|says?|said"
    r"|this (?:week|sprint|month)['’]?s?|today|tomorrow|tonight|next (?:week|month|\w+day))\b"
    r"|^(?:if|when|whenever|once|until|before|after|while|why|how|what|where|who|which|can|do"
    r"|does|did|is|are|add|set|change|make|fix|create|write|run|check|rename|move|update|remove"
    r"|delete|bump|replace|please)\b",
    re.IGNORECASE,
)
_GONE: Final = (
    r"(?: (?:is|was|got|are|were|has been))? (?:gone|dead|history|out|off|decommissioned|removed"
    r"|retired|any ?more)[^,;]{0,20}"
)
# Where both values are named: what stands between them, and whether the old one comes first.
_BETWEEN: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), old_first)
    for pattern, old_first in (
        (r",? (?:instead of|rather than|in place of) |, (?:and )?not ", False),
        (r" (?:(?:was|is|are|got|were|has been) )?(?:replaced (?:with|by)|renamed (?:to|into)) ", True),
        (r" (?:is|are) now called ", True),
        (_GONE + r"[,;:] (?:(?:it['’]?s|now|use|we use|everything['’]?s in) )?", True),
    )
)  # fmt: skip
# ... or what stands before the old one, and then before the new one.
_BEFORE: Final = tuple(
    (re.compile(rf"\b(?:{first}) ", re.IGNORECASE), re.compile(rf",? (?:{second}) ", re.IGNORECASE))
    for first, second in (
        ("from", "(?:over |back )?to"),
        ("not", "but|it['’]?s|it is|we use|use"),
        ("replac(?:ed|ing)", "with|by"),
        ("renamed", "to|into"),
        (
            "ditched|dropped|abandoned|left|swapped|traded|went from|forget|stop using|no more",
            "for|to|we use|use|it['’]?s|now|everything['’]?s in",
        ),
    )
)
_BOUNDARY: Final = frozenset(
    "because since as so and but for in on at when if now last this everywhere from until after"
    " before which that anymore instead already yesterday today with".split()
)
# What follows is its consequence or its reason.
_CLAUSES: Final = re.compile(
    r",? (?:so(?! that\b)|because|becuase|anyway)\b|\s[—–-]+\s", re.IGNORECASE
)
_CALLED: Final = re.compile(r"\b(?:called|named)\s+([`\w./+#-]*\w`?)", re.IGNORECASE)
_VALUE_BEFORE: Final = frozenset(
    "use uses using is are was on in at with via by to through from of run runs be as under called"
    " named behind into against want prefer need it's".split()
)
_PASSED_OVER: Final = frozenset(meaning(word) for word in "the a an our all now actually".split())
# Names of tools that are words of every day when they are written small.
_EVERYDAY: Final = frozenset("go make rest black nose rails slack teams linear solid bun".split())
_STOPS: Final = ".,;:!)"
_LEADING: Final = re.compile(r"^(?:the|an?|our|my|its|their|old|new|that|this)\s+", re.IGNORECASE)


def said_in(prompt: str) -> tuple[Said, ...]:
    """The sentences of a typed prompt that may correct something, in its order, at most five."""
    if len(prompt) > PROMPT:
        return ()
    own = without_quotations(prose(prompt)).text
    told = (said(spelled(part)) for line in sentences(own) for part in _CLAUSES.split(line))
    return tuple(one for one in told if one is not None)[:MOST]


def said(sentence: str) -> Said | None:
    """A sentence of a prompt as it may correct something; None when it can correct nothing."""
    line = one_line(sentence)
    if len(line) > READ:
        return None
    opening = _MARK.match(line)
    rest = line[opening.end() :] if opening else line
    if not rest or _BARRED.search(rest) or tells_only_of_before(rest):
        return None
    denies = opening is not None and _DENIES.match(line) is not None
    marked = denies or _CHANGES.search(rest) is not None
    words = tuple(_words(rest))
    pairs = tuple(
        (old, new) for old, new in _pairs(rest) if old and new and old.lower() != new.lower()
    )
    if not pairs and not any(word.kind for word in words) and not denies:
        return None
    return Said(rest, words, marked, pairs)


def corrected(told: Said, stored: str, *, discussed: bool = False) -> Correction | None:
    """What ``stored`` says once ``told`` holds, or None when that is not about it.

    ``discussed``: the memory was shown in this session, so that a sentence without a subject
    ("moved to Wednesday") may be about it.
    """
    if len(stored) > STORED:
        return None
    known = tuple(_words(stored))
    if _other_place(told, known):
        return None
    return (
        _named_pair(told, stored, known, discussed=discussed)
        or _both_named(told, stored, known)
        or _other_value(told, stored, known, discussed=discussed)
        or _other_ending(told, stored, known)
    )


def _named_pair(
    told: Said, stored: str, known: Sequence[_Word], *, discussed: bool
) -> Correction | None:
    """Both values are named: the old one stands in the memory, the new one does not."""
    for old, new in told.pairs:
        place = _place(old, stored)
        if place is None or _place(new, stored) is not None:
            continue
        named = {word.key for word in (*_words(old), *_words(new))}
        rest = {word.key for word in told.words if word.content} - named - _CHANGE_WORDS
        about = {word.key for word in known if word.content} - named
        if rest & about or discussed or _is_value(stored, place):
            return _put(stored, place, new)
    return None


def _both_named(told: Said, stored: str, known: Sequence[_Word]) -> Correction | None:
    """It says another value of a kind and names the memory's own as what was: "main, not master"."""
    if not told.marked:
        return None
    keys, theirs = {word.key for word in known}, {word.key for word in told.words}
    pairs = [
        (old, new)
        for old in known
        for new in told.values
        if old.kind and old.key in theirs and new.key not in keys and _alike(old, new)
    ]
    if len(pairs) != 1 or not _is_value(stored, (pairs[0][0].start, pairs[0][0].end)):
        return None
    old, new = pairs[0]
    return _put(stored, (old.start, old.end), told.text[new.start : new.end])


def _other_value(
    told: Said, stored: str, known: Sequence[_Word], *, discussed: bool
) -> Correction | None:
    """The same subject with another value of the same kind, once."""
    keys = {word.key for word in known}
    theirs = {word.key for word in told.words}
    fresh = [word for word in told.values if word.key not in keys]
    gone = [word for word in known if word.kind and word.key not in theirs]
    pairs = [(old, new) for new in fresh for old in gone if _alike(old, new)]
    if len(pairs) > 1:  # the one that stands behind the same word: port 5432, port 5433
        pairs = [(o, n) for o, n in pairs if _before(o, known) == _before(n, told.words)]
    if len(pairs) != 1:
        return None
    old, new = pairs[0]
    if not _same_subject(told, known, discussed=discussed):
        return None
    return _put(stored, (old.start, old.end), told.text[new.start : new.end])


def _before(word: _Word, words: Sequence[_Word]) -> str:
    at = words.index(word)
    return words[at - 1].key if at else ""


def _other_ending(told: Said, stored: str, known: Sequence[_Word]) -> Correction | None:
    """It begins like the memory and ends otherwise: "the reports go to legal, not finance"."""
    if not told.marked:
        return None
    mine = [word for word in told.words if word.key not in _PASSED_OVER]
    theirs = [word for word in known if word.key not in _PASSED_OVER]
    head = _common(mine, theirs)
    tail = _common(
        mine[: head - 1 if head else None : -1], theirs[: head - 1 if head else None : -1]
    )
    gaps = mine[head : len(mine) - tail], theirs[head : len(theirs) - tail]
    if head < 2 or not any(word.content for word in mine[:head]):  # a subject and its verb
        return None
    if not all(1 <= len(gap) <= TAIL and gap[-1].content for gap in gaps):
        return None
    new = told.text[gaps[0][0].start : gaps[0][-1].end]
    return _put(stored, (gaps[1][0].start, gaps[1][-1].end), new)


def _common(one: Sequence[_Word], other: Sequence[_Word]) -> int:
    """How many words are the same from the beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (mine, theirs) in enumerate(pairs) if mine.key != theirs.key),
        min(len(one), len(other)),
    )


def _same_subject(told: Said, known: Sequence[_Word], *, discussed: bool) -> bool:
    """Whether both speak of the same thing, judged by their telling words."""
    keys = {word.key for word in known}
    mine = _subject(told.words, keys)
    about = _subject(known, {word.key for word in told.words})
    shared, extra = mine & about, mine - about
    if not mine:
        return discussed and told.marked
    if not shared or _narrowed(told.words, shared, extra):
        return False
    if told.marked:
        near = len(shared) > 1 or len(about) <= TAIL or discussed
        return near and len(extra) <= 2 * len(shared) + 1
    missing = about - mine
    narrowed = _narrowed(known, shared, missing)
    return not extra and len(shared) > 1 and len(missing) <= TAIL - 1 and not narrowed


def _subject(words: Sequence[_Word], others: Set[str]) -> set[str]:
    """The telling words that are no value of one text alone, nor only announce a change."""
    return {
        word.key for word in words if word.content and (not word.kind or word.key in others)
    } - _CHANGE_WORDS


def _narrowed(words: Sequence[_Word], shared: Set[str], extra: Set[str]) -> bool:
    """Whether a word of ``extra`` stands right before a shared one: the *admin* session cookie."""
    return any(
        before.key in extra and after.key in shared
        for before, after in pairwise(words)
        if before.content and not before.kind
    )


def _other_place(told: Said, known: Sequence[_Word]) -> bool:
    """Whether one of them speaks of staging, the other of production, or only one of either."""
    mine = {word.key for word in told.words} & QUALIFIERS
    theirs = {word.key for word in known} & QUALIFIERS
    return bool(mine) and mine != theirs and not (mine <= theirs)


def _alike(old: _Word, new: _Word) -> bool:
    """Whether one value may stand for the other: of one kind, in one unit."""
    return of_one_kind(old.key, new.key) or old.kind == new.kind


def _words(text: str) -> Iterator[_Word]:
    found = list(_TOKEN.finditer(text))
    called = {match.start(1) for match in _CALLED.finditer(text)}
    skip = -1
    for at, token in enumerate(found):
        if at == skip:
            continue
        written = token.group()
        lower = written.lower().replace("’", "'").removesuffix("'s").strip("`")
        figure = _NUMBER.match(lower)
        number = _NUMBERS.get(lower, figure[1] if figure else "")
        following = found[at + 1].group() if at + 1 < len(found) else ""
        end = token.end()
        if number and not _VERSION.match(lower):
            glued = figure[2] if figure and figure[2] else ""
            kind, with_unit = _number_kind(number, glued, following)
            if with_unit:
                skip, end = at + 1, found[at + 1].end()
            yield _Word(token.start(), end, text[token.start() : end].lower(), kind, content=True)
            continue
        kind = _kind(written, inside=at > 0, called=token.start() in called)
        content = lower not in STOP_WORDS and len(lower) > 1
        yield _Word(token.start(), end, meaning(lower), kind, content)


def _number_kind(number: str, glued: str, following: str) -> tuple[str, bool]:
    """What a number counts, and whether the next word belongs to it: 8 hours, 25mb, port 5433."""
    unit = (glued or following).lower().rstrip(".")
    kind = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ""
    if kind:
        return kind, not glued
    return ("clock" if ":" in number else "number"), False


def _kind(written: str, *, inside: bool, called: bool) -> str:
    """What kind of value a word is; empty for one that is none."""
    lower = written.lower()
    if called:
        return "called"
    if _VERSION.match(lower):
        return "version"
    if written[0] in "`-" or _INSIDE.search(written):
        return "path"
    if written not in _EVERYDAY and any(of_one_kind(meaning(lower), one) for one in _SAMPLES):
        return f"one of a kind: {lower}"
    if inside and written[:1].isupper() and len(written) > 1:
        return "name"
    return ""


# One word of each kind of values that the lexicon knows and that people change.
_SAMPLES: Final = tuple(
    meaning(word)
    for word in (
        "monday tuesday january february hourly daily postgresql mysql npm yarn pip poetry jest"
        " vitest pytest unittest cypress playwright react vue django flask rails sinatra python"
        " ruby webpack vite aws azure kafka rabbitmq make bazel black ruff eslint biome mypy"
        " pyright rest graphql jwt oauth json yaml github gitlab jira linear slack teams nginx"
        " apache main master linux windows ubuntu debian mit bsd utc cet vim emacs"
    ).split()
)


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """The old and the new value where both are named."""
    for between, old_first in _BETWEEN:
        for match in between.finditer(line):
            one, other = _value(line[: match.start()]), _beginning(line[match.end() :])
            yield (one, other) if old_first else (other, one)
    for before, then in _BEFORE:
        for match in before.finditer(line):
            second = then.search(line, match.end())
            first = line[match.end() : second.start()] if second is not None else ""
            if second is not None and len(first.split()) <= PHRASE and "->" not in first:
                yield _value(first), _beginning(line[second.end() :])


def _beginning(text: str) -> str:
    """What is named at the beginning of a text, up to four words."""
    words: list[str] = []
    for word in text.split()[:PHRASE]:
        if word.lower().strip(_STOPS) in _BOUNDARY:
            break
        words.append(word)
        if word[-1] in _STOPS:
            break
    return _bare(" ".join(words))


def _value(phrase: str) -> str:
    """What is named at the end of a text, after its last verb or preposition, up to four words."""
    words = phrase.split()[-PHRASE:]
    last = max((at for at, word in enumerate(words) if word.lower() in _VALUE_BEFORE), default=-1)
    return _bare(" ".join(words[last + 1 :]))


def _bare(phrase: str) -> str:
    """A phrase without the articles before it."""
    while (shorter := _LEADING.sub("", phrase)) != phrase:
        phrase = shorter
    return phrase.strip(f" {_STOPS}")


def _place(phrase: str, text: str) -> tuple[int, int] | None:
    """Where a phrase stands in a text as whole words; its last words, when it is longer there."""
    words = phrase.split()
    for begin in range(len(words)):
        tail = " ".join(words[begin:])
        if begin and meaning(tail.lower()) in STOP_WORDS:
            break
        found = re.search(rf"(?<![\w-]){re.escape(tail)}(?![\w-])", text, re.IGNORECASE)
        if found is not None:
            return found.span()
    return None


def _is_value(text: str, place: tuple[int, int]) -> bool:
    """Whether what stands there is said of something: "use npm", "npm is ...", not "an npm bug"."""
    before = text[: place[0]].split()
    if not before or before[-1].lower().strip(",:") in _VALUE_BEFORE:
        return True
    return len(before) <= 1 and text[place[1] :].lstrip().startswith(("is ", "are ", "runs "))


def _put(text: str, place: tuple[int, int], new: str) -> Correction:
    """The text with a value in another's place."""
    old = text[place[0] : place[1]]
    value = new[0].upper() + new[1:] if place[0] == 0 and old[:1].isupper() else new
    return Correction(text[: place[0]] + value + text[place[1] :], old, new)
