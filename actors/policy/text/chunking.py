"""Texts cut to the window of an embedding model, and prompts boiled down to a query.

A chunk is at most `LIMIT` tokens by `estimated_tokens`, which needs no tokenizer. The estimate
cannot be badly wrong: WordPiece never makes more tokens than a text has characters after
decomposition, four ASCII letters are counted as one token and everything else as at least one, so a
chunk of 128 estimated tokens never has more than 512 real ones, which is the window of the models
(docs/adr/0005 gives the ratios measured).

Cuts fall between paragraphs, else lines, else sentences, else words; inside a word only when the
word alone is too long.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import STOP_WORDS

LIMIT: Final = 128
"""Tokens of a chunk: 36 ms to embed; longer texts blur into one vector (choice)."""

QUERY: Final = 32
"""Tokens a prompt is condensed to (choice): 10 ms to embed, ten to twenty telling words."""

SEARCH: Final = 64
"""The same for a person's search, who waits: on long questions of four sets worth .7 to 2.8 points of
recall@10 beside 32 (docs/adr/0006-recall-fusion.md); more wins nothing."""

_SPECIAL: Final = 2  # [CLS] and [SEP]
_LETTERS_A_TOKEN: Final = 4

_ALONE: Final = (  # scripts written without spaces: each character is a word
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u3400-\u4dbf"
    r"\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003134f"
)
_ATOM: Final = pattern(rf"(?:[{_ALONE}]|[^\s{_ALONE}]+)\s*|\s+")
_RUN: Final = pattern(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_SENTENCE_END: Final = pattern(r"""[.!?…]["'”’)\]]*\s*$|[。！？｡]\s*$""")

_WORD, _SENTENCE, _LINE, _PARAGRAPH = range(4)


class _Atom(Struct, frozen=True):
    """Part never cut: a word with the space behind it."""

    text: str
    cost: int  # estimated tokens
    end: int  # what ends behind it: _WORD … _PARAGRAPH


def estimated_tokens(text: str) -> int:
    """Number of WordPiece tokens of `text`, special ones included: a fifth too many in prose
    and code (docs/adr/0005)."""
    return _SPECIAL + _cost(text)


def chunks(text: str, *, limit: int = LIMIT) -> list[str]:
    """`text` in order, in pieces of at most `limit` estimated tokens; [] when it is blank.

    Nothing but white space at the edges is lost. `limit` is at least 8.
    """
    if limit < 8:
        raise ValueError(f"a chunk of {limit} tokens holds no text")
    if estimated_tokens(text) <= limit:
        return [text.strip()] if text.strip() else []
    room = limit - _SPECIAL
    found: list[str] = []
    waiting: list[_Atom] = []
    size = 0
    for atom in _atoms(text, room):
        while size + atom.cost > room:
            head, waiting = _split(waiting, room)
            found.append("".join(each.text for each in head).strip())
            size = sum(each.cost for each in waiting)
        waiting.append(atom)
        size += atom.cost
    found.append("".join(each.text for each in waiting).strip())
    return [chunk for chunk in found if chunk]


def embedded_text(title: str, text: str) -> str:
    """Text of a memory or passage in vector space: its title too, unless the text begins with it."""
    return text if not title or text.startswith(title.rstrip("…")) else f"{title}. {text}"


def vector_key(text: str) -> bytes:
    """Key of a text's vector among the ones made before: 16 bytes."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def condensed(text: str, *, limit: int = QUERY) -> str:
    """The telling words of a long prompt in their order, at most `limit` estimated tokens.

    A fitting prompt is returned as it is, except for white space. Of a longer one the words other
    than stop words are kept, each once, identifiers and names before common words, and the first
    and last sentence before the ones between (the request stands at an end, pasted output in the
    middle).
    """
    plain = " ".join(text.split())
    if estimated_tokens(plain) <= limit:
        return plain
    words = list(_candidates(text))
    ranked = sorted(words, key=lambda word: (-word.weight, word.position))
    room = limit - _SPECIAL
    kept: list[_Word] = []
    for word in ranked:
        if word.cost <= room:
            kept.append(word)
            room -= word.cost
        if room <= 0:
            break
    return " ".join(word.text for word in sorted(kept, key=lambda word: word.position))


def _atoms(text: str, room: int) -> Iterator[_Atom]:
    known: dict[str, _Atom] = {}  # a text repeats its words
    for match in _ATOM.finditer(text):
        word = match.group()
        atom = known.get(word)
        if atom is None:
            atom = known[word] = _Atom(word, _cost(word), _end(word))
        if atom.cost <= room:
            yield atom
        else:
            yield from _pieces(word, room)


def _pieces(word: str, room: int) -> Iterator[_Atom]:
    """A word too long, cut by characters."""
    start, cost = 0, 0
    # One token a character, as if none belonged together: cheap, and never too little.
    costs = {character: _cost(character) for character in set(word)}
    for position, character in enumerate(word):
        more = costs[character]
        if cost + more > room:
            yield _Atom(word[start:position], cost, _WORD)
            start, cost = position, 0
        cost += more
    yield _Atom(word[start:], cost, _end(word))


def _split(atoms: list[_Atom], room: int) -> tuple[list[_Atom], list[_Atom]]:
    """The atoms up to the best place for a cut, and the rest.

    The best place is the strongest end in the second half, the last of its kind: an earlier one
    would leave a chunk of little content.
    """
    total = 0
    best, best_end = len(atoms), -1
    for number, atom in enumerate(atoms, start=1):
        total += atom.cost
        if 2 * total >= room and atom.end >= max(best_end, _SENTENCE):
            best, best_end = number, atom.end
    return atoms[:best], atoms[best:]


def _end(atom: str) -> int:
    space = atom[len(atom.rstrip()) :]
    if space.count("\n") > 1:
        return _PARAGRAPH
    if "\n" in space:
        return _LINE
    return _SENTENCE if _SENTENCE_END.search(atom) else _WORD


def _cost(text: str) -> int:
    return sum(
        -(-len(run) // _LETTERS_A_TOKEN)
        if run.isascii()
        else len(unicodedata.normalize("NFD", run))
        for run in _RUN.findall(text)
    )


class _Word(Struct, frozen=True):
    text: str
    position: int
    cost: int
    weight: float


_CANDIDATE: Final = pattern(rf"[{_ALONE}]+|[^\W{_ALONE}]+(?:[._:/\\@'’-]+[^\W{_ALONE}]+)*")
_HUMP: Final = pattern(r"[a-z0-9][A-Z]")
_BREAK: Final = pattern(r"[.!?…]\s|[。！？｡\n]")

_COMPOUND = 1.0
_NAMED = 0.5
_AT_AN_END = 2.0
_REPEATED = 0.25  # for each of up to four repetitions


def _candidates(text: str) -> Iterator[_Word]:
    """Each telling word once, where it first stands, with how telling it is."""
    breaks = [match.end() for match in _BREAK.finditer(text.rstrip())]
    # Where the first sentence ends, and where the last one begins.
    first, last = (breaks[0], breaks[-1]) if breaks else (len(text), 0)
    places: dict[str, list[re.Match[str]]] = {}
    for match in _CANDIDATE.finditer(text):
        folded = match.group().casefold()
        if folded not in STOP_WORDS and len(folded) > 1:
            places.setdefault(folded, []).append(match)
    for matches in places.values():
        word = matches[0].group()
        starts = [match.start() for match in matches]
        weight = min(len(word), 12) / 12
        weight += _COMPOUND * (not word.isalpha() or bool(_HUMP.search(word)))
        weight += _NAMED * word[:1].isupper()
        weight += _AT_AN_END * (starts[0] < first or bisect_left(starts, last) < len(starts))
        weight += _REPEATED * min(len(matches) - 1, 4)
        yield _Word(word, starts[0], _cost(word), weight)
