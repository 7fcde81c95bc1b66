"""Versions of a document, as an agent's tools show them (written, edited, read whole), and what a new one changes.

A long text arrives without its middle (``actors.policy.events.cutting``), and of an edit the file
before it is often unknown: text missing from such a version was not removed.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from msgspec import Struct

from actors.policy.documents.items import Item, digest
from actors.policy.events.events import Event, EventKind, Tool, listing, mapping
from actors.policy.patterns import pattern
from actors.policy.text.words import expressions

_EXPRESSIONS: Final = expressions(__name__)

_GAP: Final = pattern(r"\[… \d+ characters left out …\]")
# Between what is known and a piece whose place is not: its heading is none that is known.
_PIECE: Final = "\n\n#\n\n"
MOST: Final = 128 * 1024  # characters of a version
_STATUS: Final = pattern(_EXPRESSIONS["status"], re.IGNORECASE | re.MULTILINE)
HEAD: Final = 2_000  # characters in which a document says what took its place


class Version(Struct, frozen=True):
    """Text of a document, as far as it is known."""

    text: str
    is_whole: bool


def version_after(event: Event, before: Version | None) -> Version | None:
    """The version shown or left by a tool's call; None when it shows none."""
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL:
        return None
    match tool.name:
        case "Write":
            return _version(tool.input.get("content"))
        case "Edit":
            return _edited([tool.input], tool.response, before)
        case "MultiEdit":
            edits = [mapping(one) for one in listing(tool.input.get("edits"))]
            return _edited(edits, tool.response, before)
        case "Read" if _is_read_whole(tool):
            return _version(mapping(mapping(tool.response).get("file")).get("content"))
        case _:
            return None


def whole(event: Event) -> str:
    """The path of the file shown or written from end to end by a tool's call; "" for none."""
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL:
        return ""
    return tool.path if tool.name == "Write" or _is_read_whole(tool) else ""


def _is_read_whole(tool: Tool) -> bool:
    if tool.name != "Read" or tool.input.get("offset") or tool.input.get("limit"):
        return False
    file = mapping(mapping(tool.response).get("file"))
    return "content" in file and file.get("numLines") == file.get("totalLines")


def is_superseded(text: str) -> bool:
    """Return whether a document says it was superseded by another one."""
    return _STATUS.search(text[:HEAD]) is not None


def _version(text: object, *, is_whole: bool = True) -> Version | None:
    if not isinstance(text, str) or not text.strip():
        return None
    return Version(text[:MOST], is_whole and len(text) <= MOST and _GAP.search(text) is None)


def _edited(
    edits: list[Mapping[str, object]], response: object, before: Version | None
) -> Version | None:
    told = _version(mapping(response).get("originalFile"))
    base = told if told is not None and (told.is_whole or before is None) else before
    text, whole = (base.text, base.is_whole) if base is not None else ("", False)
    for edit in edits:
        old, new = edit.get("old_string"), edit.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str):
            continue
        if old and old in text:
            text = text.replace(old, new, -1 if edit.get("replace_all") is True else 1)
        elif new.strip() and new not in text:
            text, whole = f"{text}{_PIECE}{new}", False
    return _version(text, is_whole=whole)


# ---- changes by a new version of a document: items new, gone, back, moved, or reworded
#
# An item is the same wherever in its document it stands, by its words. A missing one is replaced by a
# new one at the same place, the heading path, sharing most words with it; else it ends. A memory
# forgotten or refuted by a person does not come back because a document still says it. A version
# known in part ends nothing but reworded items.


PREFIX: Final = "document:"
_KEY: Final = pattern(r"\Adocument:(.+?):(\d+):([0-9a-f]{12})#(.*)\Z", re.DOTALL)
ALIKE: Final = 0.25  # of the words of both, for items under one heading. Choice.
ALIKE_ANYWHERE: Final = 0.5  # when headings differ, or are not known
BY_PERSON: Final = frozenset({"forgotten", "refuted", "archived"})  # endings that a person decides
HEADINGS: Final = 300  # characters of a heading path in a key


class Kept(Struct, frozen=True):
    """A memory made of a document."""

    id: int
    key: str
    text: str
    ended: str | None  # how
    is_replaced_elsewhere: bool = False  # it ended because of something outside its document


class Changes(Struct, frozen=True):
    """Work to be done for a version."""

    fresh: tuple[tuple[Item, int | None], ...]  # to be proposed, with what it takes the place of
    ended: tuple[int, ...]
    revived: tuple[int, ...]
    moved: tuple[tuple[int, Item], ...]  # said elsewhere in the document


def key_of(place: str, item: Item) -> str:
    """Name of an item's source: document, line, words, headings."""
    return f"{PREFIX}{place}:{item.line}:{item.digest}#{_headings(item)}"


def _headings(item: Item) -> str:
    return " > ".join(item.headings)[:HEADINGS]


def beginning_of(place: str) -> str:
    """Beginning of the keys of a document's items."""
    return f"{PREFIX}{place}:"


def place_in(key: str) -> str | None:
    """The document named in a key; None when it is no key of a document's item."""
    found = _KEY.match(key)
    return found[1] if found is not None else None


def heading_in(key: str) -> str:
    """The last heading above the item of a key; empty for none."""
    found = _KEY.match(key)
    return found[4].rpartition(" > ")[2] if found is not None else ""


def place_and_words(key: str) -> str:
    """A key without its line and headings: the document, and the digest of the words."""
    found = _KEY.match(key)
    return f"{found[1]}#{found[3]}" if found is not None else key


def reconciled(
    place: str, kept: Sequence[Kept], items: Sequence[Item], *, is_whole: bool
) -> Changes:
    """Compare the kept items of a document with a version of it."""
    living = {_digest(one): one for one in kept if one.ended is None}
    former = {_digest(one): one for one in kept if one.ended is not None}
    moved: list[tuple[int, Item]] = []
    revived: list[int] = []
    new: list[Item] = []
    for item in items:
        if (known := living.get(item.digest)) is not None:
            if known.key != key_of(place, item):
                moved.append((known.id, item))
        elif (earlier := former.get(item.digest)) is None:
            new.append(item)
        elif earlier.ended not in BY_PERSON and not earlier.is_replaced_elsewhere:
            revived.append(earlier.id)
            moved.append((earlier.id, item))
    said = {item.digest for item in items}
    gone = [one for name, one in living.items() if name not in said]
    replaced = _replaced(gone, new, is_whole=is_whole)
    left = {one.id for one in gone if is_whole} - set(replaced.values())
    fresh = tuple((item, replaced.get(item.digest)) for item in new)
    return Changes(fresh, tuple(sorted(left)), tuple(revived), tuple(moved))


def _replaced(gone: Sequence[Kept], new: Sequence[Item], *, is_whole: bool) -> dict[str, int]:
    """Pair each new item with the old one it replaces, the most alike first."""
    pairs: list[tuple[float, str, int]] = []
    for one, item in product(gone, new):
        mine, theirs = (frozenset(text.casefold().split()) for text in (one.text, item.text))
        alike = len(mine & theirs) / max(len(mine | theirs), 1)
        same_heading = one.key.partition("#")[2] == _headings(item)
        if alike >= (ALIKE if same_heading and is_whole else ALIKE_ANYWHERE):
            pairs.append((alike, item.digest, one.id))
    found: dict[str, int] = {}
    for _, name, memory_id in sorted(pairs, reverse=True):
        if name not in found and memory_id not in found.values():
            found[name] = memory_id
    return found


def _digest(one: Kept) -> str:
    found = _KEY.match(one.key)
    return found[3] if found is not None else digest(one.text)
