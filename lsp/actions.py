"""Actions: on a shown memory, and on a selection.

Pure. The order is always the same, each action is a command the server carries out (a command of
the client's own does nothing in Neovim), and nothing is offered to an editor asking for another
kind, so saving a file never waits for us.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from daemon.shapes.memory import MatchView
from lsp.hovers import name

MEMORY = "reverie.memory"
REMEMBER = "reverie.remember"
USEFUL = "reverie.useful"
NOT_USEFUL = "reverie.notUseful"
MUTE = "reverie.mute"
PIN = "reverie.pin"
FORGET = "reverie.forget"
UNFORGET = "reverie.unforget"
TOGGLE_HINTS = "reverie.toggleHints"
WHY = "reverie.why"
DREAM = "reverie.dream"
SHOW_DREAM = "reverie.showDream"
SHOW_PLANS = "reverie.showPlans"
APPLY_PLAN = "reverie.applyPlan"
UNDO_PLAN = "reverie.undoPlan"
DISMISS_PLAN = "reverie.dismissPlan"
FIND = "reverie.find"
ABOUT = "reverie.about"
PAUSE = "reverie.pause"
RESUME = "reverie.resume"

MOST = 2  # memories that get actions in one place
TITLE = 32  # characters of a memory in an action's title

CHOICES = {
    "Useful": USEFUL,
    "Not useful here": NOT_USEFUL,
    "Mute here": MUTE,
    "Pin": PIN,
    "Unpin": PIN,
    "Forget": FORGET,
    "Why?": WHY,
}
"""Choices of a memory's one action, by the words of its buttons; one of those about pins."""


@dataclass(frozen=True, slots=True)
class Named:
    """A memory, and how it is called where there is little room."""

    id: str
    name: str
    uri: str | None = None  # of the file that shows it


def offered(
    memories: Sequence[MatchView],
    *,
    selection: types.Range | None,
    document: types.VersionedTextDocumentIdentifier,
    forgotten: Named | None,
    only: Collection[str] | None,
) -> list[types.CodeAction]:
    """The actions at one place; ``selection`` is ``None`` when nothing is selected."""
    actions: list[types.CodeAction] = []
    if _wanted(types.CodeActionKind.QuickFix, only):
        for memory in memories[:MOST]:
            title = f"Memory: “{name(memory, TITLE)}”…"
            argument = {"id": memory.id, "uri": document.uri}
            actions.append(_quick_fix(title, MEMORY, argument))
        if forgotten is not None:
            undo = f"Undo forget: “{forgotten.name}”"
            actions.append(_quick_fix(undo, UNFORGET, {"id": forgotten.id}))
    if selection is not None and _wanted(types.CodeActionKind.Refactor, only):
        actions.append(_remember(selection, document))
    return actions


def about_file(uri: str, summary: str, only: Collection[str] | None) -> list[types.CodeAction]:
    """The action on the quiet line of a file."""
    if not _wanted(types.CodeActionKind.QuickFix, only):
        return []
    return [_quick_fix(f"Show {summary}", ABOUT, {"uri": uri})]


def _wanted(kind: str, only: Collection[str] | None) -> bool:
    return only is None or any(kind == asked or asked == "" for asked in only)


def _quick_fix(title: str, command: str, argument: dict[str, Any]) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        command=types.Command(title=title, command=command, arguments=[argument]),
    )


def _remember(
    selection: types.Range, document: types.VersionedTextDocumentIdentifier
) -> types.CodeAction:
    title = "Remember selection"
    # The place and not the text: an editor asks for actions at every move of a selection.
    argument = {
        "uri": document.uri,
        "version": document.version,
        "start": [selection.start.line, selection.start.character],
        "end": [selection.end.line, selection.end.character],
    }
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.Refactor,
        command=types.Command(title=title, command=REMEMBER, arguments=[argument]),
    )
