"""Words of a text, for full-text search of identifiers and CJK too, and tables of words.

Two sides must agree: `index_text` prepares texts for FTS5 (tokenizer `TOKENIZER`), and
`query_terms` prepares queries. Both see an identifier as its parts and as one whole (`getUserName`,
`get_user_name` and `get-user-name` share the whole `getusername`), and a run of CJK as overlapping
pairs of characters, because FTS5 would store the run as a single word. The stop words were chosen
in docs/adr/0006.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from pkgutil import get_data
from typing import Any, Final, TypeAlias

from actors.policy.patterns import pattern

EXPRESSIONS: Final = "expressions"  # of a table

# ---- tables of words: TOML beside a module, read once
#
# The rules' knowledge of English, of programs and of languages is data: a list of words is a text of
# them, a line or more, in the file with the module's name.


def beside(module: str, file: str) -> str:
    """Read a text beside a module (``module`` is its ``__name__``); ``OSError`` without it."""
    return (get_data(module.rpartition(".")[0], file) or b"").decode()


@cache
def table(module: str, name: str = "") -> Mapping[str, Any]:
    """Read the table of a module, which has its name, or ``name``; ``OSError`` without its file."""
    return tomllib.loads(beside(module, f"{name or module.rpartition('.')[2]}.toml"))


def word_list(module: str, name: str, of: str = "") -> frozenset[str]:
    """One list of a module, as a set of its words; ``of`` another table than the one with its name."""
    text: str = table(module, of)[name]
    return frozenset(text.split())


def expressions(module: str, of: str = "") -> Mapping[str, str]:
    """Vocabulary of a module as expressions: the lines of each are joined."""
    said: Mapping[str, str] = table(module, of)[EXPRESSIONS]
    return {name: text.replace("\n", "") for name, text in said.items()}


TOKENIZER: Final = "porter unicode61 remove_diacritics 2"
"""What the FTS5 table is created with."""

TERMS: Final = 32
"""Terms a query is cut to: every term costs a walk through its postings (docs/adr/0006)."""

_EDGE: Final = 4_096
"""Characters read at each end of a long query: what is asked stands first or last."""

_CJK: Final = (
    r"\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf"
    r"\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003134f"
)
_LINK: Final = pattern(r"https?://\S+")
_CJK_RUN: Final = pattern(f"[{_CJK}]+")
_WORD: Final = pattern(rf"[^\W_{_CJK}]+(?:['’._:/\\@-]{{1,2}}[^\W_{_CJK}]+)*(?:\+\+|#)?|[{_CJK}]+")
# The same in a text of ASCII alone, a third faster.
_ASCII_WORD: Final = pattern(r"[A-Za-z0-9]+(?:['._:/\\@-]{1,2}[A-Za-z0-9]+)*(?:\+\+|#)?")
_PART: Final = pattern(r"[^\W_]+")
_HUMP: Final = pattern(r"(?<=[a-zа-яё0-9])(?=[A-ZА-ЯЁ])|(?<=[A-Z])(?=[A-Z][a-z])")
_LETTERS_THEN_DIGITS: Final = pattern(r"\A([^\W\d_]{3,})\d+")
_LOOSE: Final = pattern(r"\A[^\W\d_]+(?:-[^\W\d_]+)+")
_SEPARATE: Final = pattern(r"['’/\\@]+|:+")

# Of these none belongs to a word at whose edge it stands.
_PUNCTUATION: Final = ".,;:!?()[]\"'"

_SYMBOLIC: Final = {"++": "plusplus", "#": "sharp"}

STOP_WORDS: Final = word_list(__name__, "stop_words")
"""English words that say how something is asked, not what about."""


EVERYDAY: Final = word_list(__name__, "everyday")
"""Words so frequent in prompts to a programming agent that sharing one says little (evidence)."""

EVERYDAY_FILES: Final = word_list(__name__, "files")
"""Names that many folders have a file of: alone they tell nothing."""

CODE_FILES: Final = word_list(__name__, "code_files")
"""Endings of files with code."""

DATA_FILES: Final = word_list(__name__, "data_files")
"""Endings of files with data and prose."""


LEAST_TYPED: Final = 3  # letters of a beginning that are looked for as they are
_BEGUN: Final = pattern(r"(?<![^\W_])[^\W_]+\Z")  # a word at the end of what is typed


def caseless(words: str) -> re.Pattern[str]:
    """A pattern of words in any case, as people and agents write them."""
    return pattern(words, re.IGNORECASE)


def index_text(text: str) -> str:
    """`text` as FTS5 should store it: NFC, CJK in pairs, identifiers also whole and in parts."""
    composed = unicodedata.normalize("NFC", text)
    extras: list[str] = []
    for run in composed.split():
        # Most runs are one plain word: passing over them takes a fifth of reading all words.
        if (run.islower() and run.isalpha()) or _needs_no_extra(run.strip(_PUNCTUATION)):
            continue
        for match in _WORD.finditer(run):
            word = match.group()
            if _needs_no_extra(word) or _CJK_RUN.match(word):
                continue
            seen = {part.lower() for part in _PART.findall(word)}
            extras += [form for form in _forms(word) if form not in seen]
    spread = composed
    if not composed.isascii():
        spread = _CJK_RUN.sub(lambda run: f" {' '.join(_pairs(run.group()))} ", composed)
    return " ".join([spread, *extras]) if extras else spread


def query_terms(text: str) -> list[str]:
    """Terms of a query `text`, in order: lower case, distinct, stop words dropped.

    A text of nothing but stop words keeps them: a poor search beats none. Of more than 32
    terms the most informative stay. A long text is read at both ends only.
    """
    words = _weighed(_ends(text))
    asked = {term: weight for term, weight in words.items() if term not in STOP_WORDS} or words
    return _heaviest(asked, TERMS)


def informative(text: str, *, limit: int = TERMS) -> list[str]:
    """The words of `text` fit to show its subject; empty when there are none.

    Stop words, single letters and bare small numbers never count, unlike in `query_terms`.
    """
    words = _weighed(_ends(text))
    telling = {
        term: weight
        for term, weight in words.items()
        if term not in STOP_WORDS
        and (len(term) > 1 or _CJK_RUN.match(term))
        and not (term.isdigit() and len(term) < 3)
    }
    return _heaviest(telling, limit)


def _heaviest(terms: Mapping[str, float], limit: int) -> list[str]:
    """At most so many terms, the most telling ones, in their order."""
    kept = set(sorted(terms, key=lambda term: -terms[term])[:limit])
    return [term for term in terms if term in kept]


def without_links(text: str) -> str:
    """Text without web addresses, as nobody says their words; one of nothing else as it is.

    Two prompts about pull requests of one repository are else alike by its name and its host's.
    """
    bare = _LINK.sub(" ", text)
    return bare if bare.strip() else text


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 expression for any of `terms`, or "" when there are none.

    Safe for any terms: each is a quoted string, so nothing in it is FTS5 syntax.
    """
    return " OR ".join(_quoted(term) for term in terms if term.strip())


def typed(text: str) -> tuple[str, str]:
    """An FTS5 expression of all terms of a text being typed, and the word required in its results.

    The last word is a beginning. The index holds stems: letters of a word beyond its stem begin none of its
    tokens. Of a longer one up to four letters are left out, and all of it has to stand there.
    """
    begun = _BEGUN.search(text)
    last = "" if begun is None or _CJK_RUN.search(begun.group()) else begun.group().lower()
    terms = [_quoted(term) for term in query_terms(text[: len(text) - len(last)]) if term.strip()]
    if last:
        terms.append(f"{_quoted(_without_marks(last[: max(LEAST_TYPED, len(last) - 4)]))} *")
    return " AND ".join(dict.fromkeys(terms)), last if len(last) > LEAST_TYPED else ""


def is_prefix(term: str) -> bool:
    """Return whether a query's term stands for all tokens beginning with it: a lone CJK character."""
    return len(term) == 1 and _CJK_RUN.match(term) is not None


@lru_cache(maxsize=16_384)  # most words come again
def stem(word: str) -> str:
    """A key under which the common English forms of a word meet; other scripts pass.

    Cruder than the index's Porter: only for comparing a query with a text found.
    """
    bare = _without_marks(word.lower())
    if len(bare) < 3 or not bare.isascii() or not bare.isalpha():
        return bare
    bare = _stripped(bare, _ENDINGS, room=2)
    bare = _stripped(bare, _DERIVED, room=4)
    if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "aeiouslz":
        bare = bare[:-1]
    return bare[:-1] + "i" if bare.endswith("y") else bare.removesuffix("e")


def stems(text: str) -> frozenset[str]:
    """Every word of `text` under its stem: words, parts of identifiers, wholes, CJK pairs."""
    composed = unicodedata.normalize("NFC", text)
    runs = set(composed.split())
    # Most runs are one plain word, which needs no pattern: it takes half of the time of the others.
    plain = {run for run in runs if run.isascii() and run.isalpha() and run.islower()}
    pattern = _ASCII_WORD if composed.isascii() else _WORD
    others = set(pattern.findall(" ".join(runs - plain))) - plain
    return frozenset(chain(map(stem, plain), chain.from_iterable(map(_stems_of, others))))


@lru_cache(maxsize=16_384)
def _stems_of(word: str) -> tuple[str, ...]:
    return tuple(map(stem, _forms(word)))


def coverage(asked: Mapping[str, float], found: frozenset[str]) -> float:
    """Share (0..1) of the weight of the `asked` stems among the `found` ones."""
    total = sum(asked.values())
    return sum(weight for word, weight in asked.items() if word in found) / total if total else 0.0


Suffixes: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]
"""Suffixes and what takes their place, by their last letter: most words end in one that has none."""


def _by_last_letter(suffixes: str) -> Suffixes:
    """Read suffixes, each with a colon and what takes its place, if anything does."""
    found: dict[str, list[tuple[str, str]]] = {}
    for pair in suffixes.split():
        suffix, _, put = pair.partition(":")
        found.setdefault(suffix[-1], []).append((suffix, put))
    return found


_ENDINGS: Final = _by_last_letter(
    "sses:ss ies:y ied:y ingly edly ings ing ed ss:ss us:us is:is es:e ly s"
)
_DERIVED: Final = _by_last_letter(
    "ations ation ements ement ments ment ness ions ion ate at ers er or"
)


_VOWELS: Final = frozenset("aeiouy")


def _stripped(word: str, suffixes: Suffixes, *, room: int) -> str:
    """`word` without the first suffix to leave `room` letters and a vowel among them."""
    for suffix, put in suffixes.get(word[-1], ()):
        if word.endswith(suffix):
            left = word.removesuffix(suffix)
            if len(left) >= room and not _VOWELS.isdisjoint(left):
                return left + put
    return word


def _needs_no_extra(word: str) -> bool:
    """Return whether FTS5's own splitting says all there is to say (nearly every word of prose)."""
    return word.isalpha() and (word.islower() or word[1:].islower() or word.isupper())


def _forms(word: str) -> list[str]:
    """The terms one written word stands for: its whole first, then its parts; lower case."""
    if not word.isascii() and _CJK_RUN.match(word):
        return _pairs(word)
    if _needs_no_extra(word):
        return [word.lower()]
    pieces = _SEPARATE.split(word)
    if len(pieces) > 1:
        several = [form for piece in pieces for form in _forms(piece) if len(form) > 1]
        return list(dict.fromkeys(several))
    symbol = next((end for end in _SYMBOLIC if word.endswith(end)), "")
    body = word.removesuffix(symbol)
    parts = _PART.findall(body)
    if not body.islower():  # most are, and have no humps
        parts = [hump for part in parts for hump in _HUMP.split(part)]
    whole = "".join(parts).lower() + _SYMBOLIC.get(symbol, "")
    lowered = [part.lower() for part in parts]
    numbered = (_LETTERS_THEN_DIGITS.fullmatch(part) for part in lowered if not part.isalpha())
    stripped = [found.group(1) for found in numbered if found]
    return list(dict.fromkeys([whole, *lowered, *stripped]))


def _pairs(run: str) -> list[str]:
    """Overlapping pairs of a CJK run and its last character alone, so any prefix is found."""
    return [run[i : i + 2] for i in range(len(run))]


def _ends(text: str) -> str:
    """`text`, or its first and last `_EDGE` characters when it is long; NFC."""
    if len(text) > 2 * _EDGE:
        text = f"{text[:_EDGE]} {text[-_EDGE:]}"
    return unicodedata.normalize("NFC", text)


def _weighed(text: str) -> dict[str, float]:
    """Each term with how telling it is: identifiers, names, numbers and long words lead."""
    weights: dict[str, float] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        forms = _forms(word)
        if _CJK_RUN.match(word):
            forms = forms[:-1] or forms  # of several pairs not the last character alone
        elif len(forms) > 2 and _LOOSE.fullmatch(word):
            # Joined by hyphens it is asked for by its parts alone: the whole of `ecommerce-api` would
            # lift every text of its project over the answering one.
            forms = forms[1:]
        compound = len(forms) > 1
        named = word[:1].isupper() and match.start() > 0
        for form in forms:
            weight = min(len(form), 12) / 12 + 0.5 * named + 0.5 * compound
            weights[form] = max(weights.get(form, 0.0), weight) + 0.1 * (form in weights)
    return weights


def _quoted(term: str) -> str:
    safe = term.replace("\x00", " ").replace('"', '""')
    return f'"{safe}" *' if is_prefix(term) else f'"{safe}"'


def _without_marks(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
