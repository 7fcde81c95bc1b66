"""Recognising documents: prose of people and agents for later readers.

By the name and the folders of a path. Code, generated and vendored files, data of tests, licences,
templates and roles for a model (skills, commands, agents) are none; nor are notes shared by others,
read once a person trusts them (``daemon/share``).
"""

from enum import Enum
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.references.naming import GENERATED
from actors.policy.text.words import caseless


class Purpose(Enum):
    """Purpose for which a document was written."""

    INSTRUCTIONS = "instructions"  # a client loads them into each session
    NOTE = "note"  # the agent's own: memories, handoffs, plans, lessons
    DESIGN = "design"  # decisions, designs, research
    GUIDE = "guide"  # anything else for readers
    RECORD = "record"  # deeds, tasks or requirements: an agent reads it anyway


# Of these something is learnt; the others can be searched alone (``actors.policy.passages``).
LEARNT: Final = frozenset({Purpose.NOTE, Purpose.DESIGN, Purpose.GUIDE})


_SUFFIXES: Final = (".md", ".mdx", ".markdown")
_INSTRUCTIONS: Final = frozenset(
    "claude.md claude.local.md agents.md agents.override.md gemini.md copilot-instructions.md".split()
)
_NO_DOCUMENTS: Final = frozenset(
    "vendor third_party third-party external fixtures testdata snapshots __snapshots__ templates"
    " prompts examples skills commands agents .specstory .reverie site-packages .git .venv bower_components".split()
)
# By the stem of a name: of these every sentence is another's, or a form.
_NO_NAMES: Final = pattern(
    r"\A(?:licen[cs]e|copying|notice|code.of.conduct|security|authors|contributors|users|skill|memory)\Z"
    r"|template|transcript"
)
# A list of what was done, or a requirement (docs/remembering.md).
_RECORDS: Final = caseless(r"(?:spec|requirements|tasks?|todo|changelog|changes|history|releases?)")
_NOTE_FOLDERS: Final = frozenset("memory memories handoff handoffs .handoffs notes plans".split())
_DESIGN_FOLDERS: Final = frozenset(
    "adr adrs decisions design designs rfc rfcs research specs changes proposals".split()
)
_NOTES: Final = pattern(
    r"handoff|hand-off|lessons|learnings|gotchas|postmortem|notes?\b|findings|(?:\A|[-_])plan"
)
_DESIGNS: Final = pattern(
    r"design|research|decision|proposal|architecture|(?<![a-z])(?:rfc|adr)|\A\d{4}-"
)
# Where Claude Code keeps an agent's own memories and plans, outside of any project.
_OF_THE_AGENT: Final = pattern(r"/\.claude/(?:projects/[^/]+/memory|plans)/(.+)\Z")


def own_note(path: str) -> str:
    """Return the place of an agent's own note, which lies outside of any project; "" for another."""
    own = _OF_THE_AGENT.search(path)
    return f"memory/{own[1]}" if own is not None else ""


def purpose(place: str) -> Purpose | None:
    """Purpose of a document, by its place in the project; None for another file."""
    *folders, name = place.casefold().split("/")
    stem, dot, suffix = name.rpartition(".")
    if f"{dot}{suffix}" not in _SUFFIXES:
        return None
    if not (_NO_DOCUMENTS | GENERATED).isdisjoint(folders):
        return None
    if name in _INSTRUCTIONS:
        return Purpose.INSTRUCTIONS
    if _NO_NAMES.search(stem):
        return None
    if _RECORDS.fullmatch(stem):
        return Purpose.RECORD
    if _NOTES.search(stem) or not _NOTE_FOLDERS.isdisjoint(folders):
        return Purpose.NOTE
    if _DESIGNS.search(stem) or not _DESIGN_FOLDERS.isdisjoint(folders):
        return Purpose.DESIGN
    return Purpose.GUIDE
