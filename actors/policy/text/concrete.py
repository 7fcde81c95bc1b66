"""Concrete queries: names of one thing as it is written.

Whoever asks with one (a quoted text, a UUID, a path, an identifier, a code, a token joined by one of `_-/\\.:=@`)
wants this thing and nothing similar, so it is looked for literally. A symbol is found by its parts,
whatever joins them: `index_text` stores `getUserName` whole and split, so the phrase of its parts meets every way to
write it.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import STOP_WORDS, match_expression

LONGEST: Final = 160  # characters of one literal


class Literal(Struct, frozen=True):
    """One thing as it is written, and the FTS5 phrases of which any finds it."""

    text: str
    phrases: tuple[str, ...]


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
        return _literal(next(filter(None, quoted.groups())))
    if any(letter.isspace() for letter in said):
        return None
    return _literal(said) if _UUID.fullmatch(said) else _named(said)


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


def _named(token: str) -> Literal | None:
    """The thing named by a token, without the marks of the sentence around it."""
    bare = _CALL.sub("", token.strip(_EDGES + ".:")) if not token.startswith(".") else token
    bare = bare.strip(_EDGES).rstrip(".:")
    if not 2 < len(bare) <= LONGEST or bare.lower() in _EVERYDAY or bare.lower() in STOP_WORDS:
        return None
    if bare.replace(".", "").replace(",", "").isdigit():
        return _literal(bare) if "." in bare else None
    is_path = _PATH.fullmatch(bare) is not None
    if any(form.fullmatch(bare) for form in (_SNAKE, _CAMEL, _SCOPED, _CODE)):
        return _literal(bare, whole="." not in bare or not is_path or not _extension(bare))
    if is_path and ("/" in bare or _extension(bare) or "\\" in bare):
        return _literal(bare)
    return _literal(bare, whole=not _APART.search(bare)) if _JOINT.search(bare) else None


def _extension(path: str) -> bool:
    """Return whether it ends as files do: a short name after the last dot other than a second word."""
    ending = r"\.(?:[a-z]{1,4}|[a-z][a-z0-9]{1,3}|lock|toml|json|yaml|proto|ipynb)$"
    return re.search(ending, path) is not None


def _literal(text: str, *, whole: bool = False) -> Literal | None:
    """The text with its runs of terms in FTS5: as written, in parts, and ``whole`` without joints."""
    written, split = " ".join(_PART.findall(text.lower())), parts(text)
    if not written:
        return None
    runs = (written, " ".join(split), "".join(split) if whole else "")
    return Literal(text, tuple(dict.fromkeys(filter(None, runs))))
