"""Traces of an erased text: fields and events with it, and not by chance.

A *long* text stands nowhere by chance, so every occurrence counts, as bytes. A short one does ("ok"
in "token", "done" in any event): it counts where a whole field has it and nothing else. A
*particular* short one, a code, a name or some words, counts wherever it stands between word
borders: who erases "pin 4711" wants no trace of it either.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from json import dumps
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from actors.memory.particulars import NAMES
from actors.policy.patterns import pattern
from daemon.storage.database.sql import Sql, Value

SHORT: Final = 12  # characters; what is shorter may stand in other texts by chance
CORE: Final = 8  # characters that a text must have left to be looked for without its first letter
PARTICULAR: Final = 4  # characters that a code or a name has at least
BODIES: Final = 500  # events that are looked at in one turn
_WORD: Final = pattern(r"\w+")
_STOPS: Final = ".!?… "
_SOLID: Final = pattern(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_AFTER: Final = ("", ".", "!", "\n")  # what may stand behind the whole of a field


class Mentions(Struct, frozen=True):
    """Places of a text in whatever form: with other letters, line ends or signs between its words."""

    events: tuple[int, ...]
    passages: tuple[int, ...]
    sessions: tuple[str, ...]
    memories: tuple[int, ...]


def mentions(sql: Sql, texts: Sequence[str], emptied: Collection[int] = ()) -> Mentions:
    """Find places of the words of one of these texts, in their order and with none between.

    Texts beside a memory's own count, except for memories to be ``emptied`` of them.
    """
    sought = {worded for text in texts if (worded := _worded(text)).strip()}

    def says(*fields: object) -> bool:
        said = [_worded(str(field)) for field in fields]
        return any(text in one for one in said for text in sought)

    rare = sorted({_longest(text) for text in sought})

    def rows(columns: str, table: str, said: str) -> list[tuple[Any, ...]]:
        return sql.rows(f"SELECT {columns} FROM {table} WHERE {_likely(said, rare)}", rare)

    passages = rows("id, title, text", "passage", "title || ' ' || text")
    sessions = rows("session, task, summary", "session", "task || ' ' || summary")
    beside = "".join(f" || ' ' || {name}" for name in NAMES)
    memories = rows(
        f"id, title, text, {', '.join(NAMES)}", "memory", f"title || ' ' || text{beside}"
    )
    events = _journaled(sql, rare)
    return Mentions(
        events=tuple(seq for seq, event in events if says(*_fields(event, keys=False))),
        passages=tuple(int(number) for number, *said in passages if says(*said)),
        sessions=tuple(str(session) for session, *said in sessions if says(*said)),
        memories=tuple(
            int(number)
            for number, title, text, *others in memories
            if says(title, text, *(() if number in emptied else others))
        ),
    )


def _longest(worded: str) -> str:
    """The longest word for SQLite to find whatever its case; any text has the empty one."""
    return max((word for word in worded.split() if word.isascii()), key=len, default="")


def _likely(said: str, words: Sequence[str]) -> str:
    return " OR ".join([f"instr(lower({said}), ?)"] * len(words)) or "0"


def _journaled(sql: Sql, words: Sequence[str]) -> Iterator[tuple[int, object]]:
    """Events that may have one of these words; an unreadable one as its raw text."""
    after = 0
    page = (
        f"SELECT seq, body FROM journal WHERE ({_likely('CAST(body AS TEXT)', words)})"
        " AND seq > ? ORDER BY seq LIMIT ?"
    )
    while rows := sql.rows(page, (*words, after, BODIES)):
        for seq, body in rows:
            try:
                event: object = msgspec.msgpack.decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError):
                event = bytes(body).decode("utf-8", "replace")
            yield int(seq), event
        after = int(rows[-1][0])


def _worded(text: str) -> str:
    """Words of a text between single spaces, whatever the case of its letters."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def is_short(text: str) -> bool:
    """Tell whether it may stand in other texts by chance; an ideograph says two letters."""
    return len(text) + len(_SOLID.findall(text)) < SHORT


def core(text: str) -> str:
    """The text without its first letter and its full stop, which extraction may have changed."""
    cut = text[1:].rstrip(_STOPS)
    return cut if len(cut) >= CORE else text


def is_particular(text: str) -> bool:
    """Tell whether a short text is no word of all sessions: it has a digit, a name, or some words."""
    if len(text) < PARTICULAR:
        return False
    if len(text) > CORE and len(text.split()) > 1:  # "hunter two" is said by chance nowhere
        return True
    return any(map(str.isdigit, text)) or any(word[0].isupper() for word in text.split()[1:])


def stands_in(text: str, said: str) -> bool:
    """Tell whether the text stands there between word borders, whatever the case of its letters."""
    found = re.search(rf"(?<!\w){re.escape(_bare(text))}(?!\w)", said, re.IGNORECASE)
    return found is not None


def holding_condition(sql: Sql, table: str, text: str, *columns: str) -> tuple[str, str]:
    """The condition, on ``?1``, for one of these columns having the text, and its value."""
    if not is_short(text):
        return " OR ".join(f"instr({column}, ?1)" for column in columns), core(text)
    said = _forms(text)
    if is_particular(text):
        for column in columns:
            rows = sql.rows(f"SELECT DISTINCT {column} FROM {table} WHERE {column} <> ''")
            said += [str(field) for (field,) in rows if stands_in(text, str(field))]
    among = "IN (SELECT value FROM json_each(?1))"
    return " OR ".join(f"{column} {among}" for column in columns), dumps(said)


def events_with(sql: Sql, text: str) -> list[int]:
    """The numbers of the journaled events with a short text."""
    if is_particular(text):
        bare = _bare(text)
        spelt = {bare, bare.lower(), bare.upper(), bare.title(), bare[:1].swapcase() + bare[1:]}
        sought: list[Value] = [one.encode("utf-8", "replace") for one in sorted(spelt)]
    else:
        sought = [msgspec.msgpack.encode(form) for form in _forms(text)]
    anywhere = " OR ".join(["instr(body, ?)"] * len(sought))
    rows = sql.rows(f"SELECT seq, body FROM journal WHERE {anywhere}", sought)
    return [int(seq) for seq, body in rows if _says(bytes(body), text)]


def _says(body: bytes, text: str) -> bool:
    """Return whether an event's fields have it; an unreadable event counts as such."""
    try:
        event: object = msgspec.msgpack.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    forms = frozenset(_forms(text))
    if is_particular(text):
        return any(stands_in(text, field) for field in _fields(event, keys=True))
    return any(field in forms for field in _fields(event, keys=False))


def _fields(value: object, *, keys: bool) -> Iterator[str]:
    """Every string in it; the names of fields only where asked for."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in cast("dict[object, object]", value).items():
            if keys:
                yield from _fields(key, keys=keys)
            yield from _fields(inner, keys=keys)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _fields(inner, keys=keys)


def _forms(text: str) -> list[str]:
    """Possible spellings of it in a field of its own."""
    bare = _bare(text)
    spelt = dict.fromkeys((text, bare, bare[:1].swapcase() + bare[1:]))
    return [*dict.fromkeys(form + after for form in spelt for after in _AFTER)]


def _bare(text: str) -> str:
    """The text without the signs around it."""
    return text.strip().rstrip(_STOPS) or text
