"""Concrete queries: names of one thing as it is written.

A quoted text, a UUID, a path, an identifier, a code (E1043, ORA-00942), a single token joined by one of `_-/\\.:=@`:
whoever asks so wants this thing and nothing similar, so it is looked for literally. A symbol is found by its parts,
whatever joins them: `index_text` stores `getUserName` whole and split, so the phrase of its parts meets every way to
write it. Two to five concepts named one by one ask for memories with all of them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import STOP_WORDS, informative, match_expression, query_terms

CONCEPTS: Final = (2, 5)  # fewest and most concepts of which all are wanted
LONGEST: Final = 160  # characters of one literal, or concept


class Literal(Struct, frozen=True):
    """One thing as it is written, and the FTS5 phrases of which any finds it."""

    text: str
    phrases: tuple[str, ...]


class Concept(Struct, frozen=True):
    """One of several things required in a text; quoted: word for word."""

    text: str
    quoted: bool = False


class NotSeveral(ValueError):
    """The asker's concepts are none: too few, too many, too long, or without a telling word."""


_COMMAND: Final = pattern(r"/[a-z]+")
_UUID: Final = pattern(r"(?<![\w-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])")
_QUOTED: Final = pattern(r'"([^"\n]{1,160})"|`([^`\n]{1,160})`|“([^“”\n]{1,160})”')
_JOINT: Final = pattern(r"[^\W_][_\-/\\.:=@]+[^\W_]|^[_\-/\\.@:]+[^\W_]|[^\W_][_:=]$")
_EDGES: Final = ",;!?()[]{}<>'\"“”`*"
_PATH: Final = pattern(
    r"\A(?:(?:[A-Za-z]:)?[\w.@~+-]*(?:[/\\][\w.@~+-]+)+[/\\]?"
    r"|[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,5})"
)
_CALL: Final = pattern(r"\(.{0,80}\)$")
_SNAKE: Final = pattern(r"\A(?:_*[^\W_]+(?:_+[^\W_]+)+_*|_{1,2}[^\W_]+_{0,2})")
_CAMEL: Final = pattern(r"\A(?:[a-z][a-z0-9]*[A-Z]\w*|(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*)")
_SCOPED: Final = pattern(r"\A[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)+")
_CODE: Final = pattern(r"[A-Z]{1,8}-?\d{2,}[A-Z\d]*")  # of an error, a ticket, a standard
_HUMP: Final = pattern(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APART: Final = pattern(r"[/\\.:=@]")  # what joins things, not the parts of one name
_PART: Final = pattern(r"[^\W_]+")
_EVERYDAY: Final = frozenset("e.g i.e etc. vs. and/or either/or n/a a.m p.m w/o i/o yes/no".split())


def concrete(query: str) -> Literal | None:
    """The one thing ``query`` names and nothing else; None when it has more words."""
    said = query.strip()
    if not said or len(said) > LONGEST + 2:
        return None
    quoted = _QUOTED.fullmatch(said)
    if quoted is not None:
        return _literal(_inside(quoted))
    if any(letter.isspace() for letter in said):
        return None
    if _UUID.fullmatch(said):
        return _literal(said)
    return _named(said, alone=True)


def is_command(prompt: str) -> bool:
    """Return whether a prompt is nothing but a command of one word (``/ide``): it asks for no thing."""
    return _COMMAND.fullmatch(prompt.strip()) is not None


def expression(literals: Iterable[Literal]) -> str:
    """The FTS5 expression for any of the ``literals``; "" when there are none."""
    return match_expression(dict.fromkeys(phrase for one in literals for phrase in one.phrases))


def parts(name: str) -> tuple[str, ...]:
    """The parts of a symbol in lower case: split at `_`, capitals, dots, slashes, colons."""
    return tuple(
        piece.lower()
        for run in _PART.findall(name[:LONGEST])
        for piece in _HUMP.split(run)
        if piece
    )


# -- several concepts ---------------------------------------------------------------------------


def asked_for(texts: Sequence[str]) -> tuple[Concept, ...]:
    """The concepts named one by one by a person.

    Raises ``NotSeveral`` when there are not two to five different ones with words to look for.
    """
    found = tuple(dict.fromkeys(_concept(text.strip()) for text in texts))
    least, most = CONCEPTS
    if not least <= len(found) <= most:
        raise NotSeveral(f"{len(found)} different concepts: give {least} to {most}")
    for one in found:
        if len(one.text) > LONGEST:
            raise NotSeveral(f"a concept has {len(one.text)} characters, the limit is {LONGEST}")
        if not (informative(one.text) or concrete(one.text)):
            raise NotSeveral(f"{one.text[:40]!r} has no word that could be looked for")
    return found


def all_of(wanted: Iterable[Concept]) -> str:
    """The FTS5 expression for texts with every concept: quoted ones as phrases.

    Empty when one of them has no words.
    """
    each = [_wanted(concept) for concept in wanted]
    return " AND ".join(f"({one})" for one in each) if each and all(each) else ""


# -- parts --------------------------------------------------------------------------------------


def _named(token: str, *, alone: bool) -> Literal | None:
    """The thing named by a token, without the marks of the sentence around it."""
    bare = _CALL.sub("", token.strip(_EDGES + ".:")) if not token.startswith(".") else token
    bare = bare.strip(_EDGES).rstrip(".:")
    if not 2 < len(bare) <= LONGEST or bare.lower() in _EVERYDAY or bare.lower() in STOP_WORDS:
        return None
    if bare.replace(".", "").replace(",", "").isdigit():
        return _literal(bare) if alone and "." in bare else None
    is_path = _PATH.fullmatch(bare) is not None
    if any(form.fullmatch(bare) for form in (_SNAKE, _CAMEL, _SCOPED, _CODE)):
        return _literal(bare, whole="." not in bare or not is_path or not _extension(bare))
    slashed = "/" in bare and (alone or _slashed(bare))
    if is_path and (slashed or _extension(bare) or "\\" in bare):
        return _literal(bare)
    joined = alone and _JOINT.search(bare)
    return _literal(bare, whole=not _APART.search(bare)) if joined else None


def _extension(path: str) -> bool:
    """Return whether it ends as files do: a short name after the last dot other than a second word."""
    return (
        re.search(r"\.(?:[a-z]{1,4}|[a-z][a-z0-9]{1,3}|lock|toml|json|yaml|proto|ipynb)$", path)
        is not None
    )


def _slashed(path: str) -> bool:
    """Tell whether slashes make it a path: two of them, one first, or a dot (not "client/server")."""
    return path.count("/") > 1 or path[0] in "/.~" or path.endswith("/") or "." in path


def _literal(text: str, *, whole: bool = False) -> Literal | None:
    """The text with its runs of terms in FTS5: as written, in parts, and ``whole`` without joints."""
    written, split = _written(text), parts(text)
    if not written:
        return None
    runs = (written, " ".join(split), "".join(split) if whole else "")
    return Literal(text, tuple(dict.fromkeys(filter(None, runs))))


def _concept(piece: str) -> Concept:
    quoted = _QUOTED.fullmatch(piece)
    return Concept(_inside(quoted), quoted=True) if quoted else Concept(piece)


def _wanted(concept: Concept) -> str:
    if concept.quoted:
        return match_expression([_written(concept.text)])
    words = concept.text.split()
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    # Of "why ?" the mark is no stop word and says nothing: then the stop words are looked for.
    each = [one for word in telling if (one := _alternatives(word))]
    each = each or [one for word in words if (one := _alternatives(word))]
    return " AND ".join(f"({one})" for one in each)


def _alternatives(word: str) -> str:
    literal = _named(word, alone=False)
    return match_expression(literal.phrases if literal else query_terms(word))


def _inside(match: re.Match[str]) -> str:
    """The text between the marks of a quoted text."""
    return next(group for group in match.groups() if group)


def _written(text: str) -> str:
    """The words of a text as FTS5 divides them, for asking as one phrase."""
    return " ".join(_PART.findall(text.lower()))
