"""A shared note as a file: one note one file, the same bytes for the same note, and read strictly.

The file is Markdown with front matter in a small part of YAML, which people edit by hand and review: one key
a line, lists as ``- item`` below the key or as ``[a, b]`` beside it. Anything not understood is refused with
one line of reason, never guessed: the file comes from others.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from actors.memory.particulars import LIMIT
from actors.policy.events.fence import INVISIBLE

FOLDER: Final = ".reverie/notes"  # in the repository
ENDING: Final = ".md"
LARGE: Final = 64 * 1024  # bytes of a file
TEXT: Final = 16_000  # characters
TITLE: Final = 200  # characters
NAME: Final = 80  # characters of who shares it
ITEM: Final = 300  # characters of one of a list
ITEMS: Final = 16
SLUG: Final = 48  # characters of a title in a file's name
FENCE: Final = "---"
KEY: Final = "shared:"  # before the id, in the key of the memory that a note of others is
NAMED: Final = "somebody"  # who shares it, where nobody is named
# Word of a note, and the kind of memory that it is.
KINDS: Final = {
    "decision": "decision",
    "rule": "convention",
    "trap": "discovery",
    "fact": "fact",
    "fix": "bugfix",
    "feature": "feature",
}
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{5,39}")
_KEY: Final = re.compile(r"([a-z_]{1,20}):(?: (.*))?")
_ITEM: Final = re.compile(r" {0,4}- (.*)")
_CONFLICT: Final = re.compile(r"^(?:<<<<<<< |>>>>>>> )", re.MULTILINE)
_LISTS: Final = ("cues", "about")
_KEYS: Final = ("id", "kind", "title", "why", "by", "when", *_LISTS)


class Refused(ValueError):
    """A file other than a note; the text is one line of reason, without the file's words."""


class Note(Struct, frozen=True):
    """Content of a file."""

    id: str
    kind: str  # a word of ``KINDS``
    title: str
    text: str
    by: str  # the name of who shares it
    when: float  # whole seconds UTC: when it was said
    cues: tuple[str, ...] = ()
    about: tuple[str, ...] = ()  # paths in the repository
    why: str = ""  # it is so, on one line


def shared_id(store_id: str, memory_id: int) -> str:
    """The id of a home's memory in repositories, which says nothing of either."""
    return blake2b(f"{store_id}/{memory_id}".encode(), digest_size=6).hexdigest()


def file_name(note: Note) -> str:
    """The name of a note's file; its id makes it one of its own."""
    words = re.findall(r"[a-z0-9]+", note.title.lower())
    slug = "-".join(words)[:SLUG].strip("-")
    return f"{slug}-{note.id}{ENDING}" if slug else f"{note.id}{ENDING}"


def plain(text: str) -> str:
    """The text as a file holds it: without invisible characters, and with one kind of line end."""
    return INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def digest(note: Note) -> bytes:
    """Digest of a note's content, however its file is formatted."""
    return blake2b(written(note), digest_size=16).digest()


# ---- writing


def written(note: Note) -> bytes:
    """The file of a note."""
    lines = [FENCE, *_head(note), FENCE, "", note.text]
    return ("\n".join(lines) + "\n").encode()


def _head(note: Note) -> Iterator[str]:
    when = datetime.fromtimestamp(note.when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield f"id: {note.id}"
    yield f"kind: {note.kind}"
    yield f"title: {_quoted(note.title)}"
    if note.why:
        yield f"why: {_quoted(note.why)}"
    yield f"by: {_quoted(note.by)}"
    yield f"when: {when}"
    for key, items in zip(_LISTS, (note.cues, note.about), strict=True):
        if items:
            yield f"{key}:"
            yield from (f"  - {_quoted(one)}" for one in items)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# ---- reading


def read(data: bytes) -> Note:
    """Content of a file. Raises ``Refused`` with the reason."""
    if len(data) > LARGE:
        raise Refused(f"it is larger than {LARGE // 1024} KB")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8") from None
    if _CONFLICT.search(text):
        raise Refused("a merge is not finished in it: git shows both sides")
    if not text.startswith(f"{FENCE}\n") or not text.endswith("\n"):
        raise Refused("it is not whole: a note begins with --- and ends with a line")
    hidden = INVISIBLE.search(text)
    if hidden is not None:
        raise Refused(f"it has a character that nobody sees (U+{ord(hidden[0]):04X})")
    head, closed, body = text[len(FENCE) + 1 :].partition(f"\n{FENCE}\n")
    if not closed:
        raise Refused("it is not whole: --- does not end what stands above the text")
    return _note(_fields(head.split("\n")), body.strip())


def _note(said: dict[str, list[str]], text: str) -> Note:
    one = {key: said[key][0] if said.get(key) else "" for key in _KEYS if key not in _LISTS}
    if not _ID.fullmatch(one["id"]):
        raise Refused("its id is none: letters a to z, digits and -, 6 to 40 of them")
    if one["kind"] not in KINDS:
        raise Refused(f"its kind is none of {', '.join(KINDS)}")
    _check_length(text, TEXT, "text")
    _check_length(one["title"], TITLE, "title")
    _check_length(one["by"], NAME, "name of who shares it")
    if len(one["why"]) > LIMIT:
        raise Refused(f"its why is longer than {LIMIT} characters")
    about = tuple(said.get("about", ()))
    if not all(map(_is_inside, about)):
        raise Refused("it is about a path that leads out of the repository")
    return Note(
        id=one["id"], kind=one["kind"], title=one["title"], text=text, by=one["by"],
        when=_time(one["when"]), cues=tuple(said.get("cues", ())), about=about,
        why=one["why"],
    )  # fmt: skip


def _check_length(text: str, most: int, what: str) -> None:
    if not text:
        raise Refused(f"it has no {what}")
    if len(text) > most:
        raise Refused(f"its {what} is longer than {most} characters")


def _fields(lines: Sequence[str]) -> dict[str, list[str]]:
    """Values by their keys; further keys than a note has are left out."""
    said: dict[str, list[str]] = {}
    key = ""
    for number, line in enumerate(lines, 2):
        if not line.strip() or line.startswith("#"):
            continue
        if (item := _ITEM.fullmatch(line)) is not None and key:
            said[key].append(_value(item[1], number))
            continue
        named = _KEY.fullmatch(line.rstrip())
        if named is None:
            raise Refused(f"line {number} is neither a key with a value nor an item of a list")
        key = named[1]
        if key in said:
            raise Refused(f"line {number} gives {key} a second time")
        said[key] = _values(key, (named[2] or "").strip(), number)
    for listed in _LISTS:
        items = said.get(listed, [])
        if len(items) > ITEMS or any(not one or len(one) > ITEM for one in items):
            raise Refused(f"{listed} has more than {ITEMS} items, or one that is empty or too long")
    return said


def _values(key: str, text: str, number: int) -> list[str]:
    """Items of a list beside its key, or the one value there."""
    if not text:
        return []
    if key not in _LISTS or not text.startswith("["):
        return [_value(text, number)]
    if not text.endswith("]"):
        raise Refused(f"line {number} begins a list and does not end it")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = [_value(one.strip(), number) for one in text[1:-1].split(",") if one.strip()]
    if not all(isinstance(one, str) for one in found):
        raise Refused(f"line {number} has a list of what is no text")
    return list(found)


def _value(text: str, number: int) -> str:
    """A value in quotes of either kind, or as it stands."""
    text = text.strip()
    try:
        found = json.loads(text) if text.startswith('"') else text
    except ValueError:
        raise Refused(f"line {number} does not end its quotes") from None
    if text.startswith("'"):
        if len(text) < 2 or not text.endswith("'"):
            raise Refused(f"line {number} does not end its quotes")
        found = text[1:-1].replace("''", "'")
    if not isinstance(found, str) or "\n" in found or INVISIBLE.search(found):
        raise Refused(f"line {number} has a value that is no line of text")
    whole = found.encode("utf-8", "replace").decode()  # an escape may name half of a character
    return " ".join(whole.split())


def _is_inside(path: str) -> bool:
    steps = path.split("/")
    return not (path.startswith("/") or "\\" in path or ".." in steps or ".git" in steps)


def _time(text: str) -> float:
    try:
        stamp = datetime.fromisoformat(text)
        when = (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise Refused("its time is none: 2026-01-31T12:00:00Z") from None
    if not 0 <= when < 2**35:
        raise Refused("its time is none: 2026-01-31T12:00:00Z")
    return float(int(when))
