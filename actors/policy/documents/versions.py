"""Versions of a document, as an agent's tools show them: written, edited, or read whole.

A long text arrives without its middle (``actors.policy.events.cutting``), and of an edit the file
before it is often unknown: text missing from such a version was not removed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.events.edits import below
from actors.policy.events.events import Event, EventKind, Tool, listing, mapping
from actors.policy.patterns import pattern
from actors.policy.text.words import caseless

_GAP: Final = pattern(r"\[… \d+ characters left out …\]")
# Between what is known and a piece whose place is not: its heading is none that is known.
_PIECE: Final = "\n\n#\n\n"
MOST: Final = 128 * 1024  # characters of a version
_STATUS: Final = pattern(
    r"^\W{0,6}(?:status\W{1,6})?(?:superseded|replaced|obsoleted) by\b|^\W{0,6}status\W{1,6}(?:superseded|deprecated|obsolete)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SUPERSEDES: Final = caseless(
    r"\b(?:supersedes|replaces|obsoletes)\W{1,6}(?:\[[^\]\n]{1,120}\]\(([^()\s]{1,200})\)|(?:adr|rfc)?[ #-]{0,2}(\d{1,5})\b"
    r"|`?([\w./-]{1,200}\.mdx?)\b)"
)
HEAD: Final = 2_000  # characters in which a document says what it takes the place of


@dataclass(frozen=True, slots=True)
class Version:
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


def supersedes(text: str, place: str) -> tuple[str, ...]:
    """Beginnings of the places of documents superseded by this one, by its own word."""
    folder = place.rpartition("/")[0]
    within = f"{folder}/" if folder else ""
    found = (
        f"{within}{int(number):04d}" if number else _resolved(link or name, folder)
        for link, number, name in _SUPERSEDES.findall(text[:HEAD])
    )
    return tuple(dict.fromkeys(one for one in found if one and one != place))


def _resolved(link: str, folder: str) -> str:
    """A link as a place in the project; "" for one leading out of it."""
    if "://" in link or link.startswith("/"):
        return ""
    place = below(folder, link.partition("#")[0])
    return "" if place.startswith("..") else place


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
