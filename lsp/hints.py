"""Hints: matches shown at the end of their line, and their labels.

Pure. Few: one a line, a handful in an editor's window, each memory once in a file. The choice looks
at the whole document and not at the range an editor asks for, so scrolling (VS Code asks for the
window, Neovim for the whole file) never changes it.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Sequence

from lsprotocol import types

from daemon.shapes.memory import MatchView
from lsp.documents import Place
from lsp.hovers import cut, in_turn, one_line
from lsp.positions import Encoding, content, units

WINDOW = 50  # lines: about what an editor shows at once
LABEL = 40  # characters, with the mark
MARK = "· "
STALE = " (stale)"


def chosen(
    places: Iterable[Place], *, min_score: float, most: int, muted: Collection[str]
) -> list[Place]:
    """The places for a hint, in order of their line.

    Each memory once in the file, at its best place, the first of equals. Of several memories the
    best scores first, then the one whose name calls fewer on its line, then the newest; one a line,
    at most ``most`` in any ``WINDOW`` lines.
    """
    wanted = (p for p in places if p.memory.score >= min_score and p.memory.id not in muted)
    taken: list[int] = []
    result: list[Place] = []
    for place in in_turn(wanted):
        if has_room(taken, place.line, most):
            insort(taken, place.line)
            result.append(place)
    return sorted(result, key=lambda p: p.line)


def has_room(lines: Sequence[int], line: int, most: int) -> bool:
    """Return whether a line may have a hint beside the others, at most ``most`` in a window."""
    left = bisect_left(lines, line - WINDOW + 1)
    near = [*lines[left : bisect_right(lines, line + WINDOW - 1)]]
    if line in near:
        return False
    insort(near, line)
    return all(near[i + most] - near[i] >= WINDOW for i in range(len(near) - most))


def label(memory: MatchView) -> str:
    """Name the memory in at most ``LABEL`` characters on one line: the title, else the text.

    The symbol at its beginning is left out: the line itself has it. The hover tells a stale one's
    subject, and its fate.
    """
    after = STALE if memory.stale else ""
    return MARK + cut(_behind_symbol(memory), LABEL - len(MARK) - len(after)) + after


def _behind_symbol(memory: MatchView) -> str:
    words = one_line(memory.title or memory.text)
    if not memory.anchored:
        return words
    behind = words.lstrip("`").removeprefix(memory.phrase)
    ends = behind[:1] in ("`", ":", ",", " ")
    return (ends and behind.lstrip("`:, ")) or words


def hint(place: Place, line: str, encoding: Encoding, tooltip: str) -> types.InlayHint:
    """The hint behind the last character of ``line``; its data is for editors painting it."""
    return types.InlayHint(
        position=types.Position(place.line, units(content(line), encoding)),
        label=label(place.memory),
        tooltip=tooltip,
        padding_left=True,
        data={"id": place.memory.id, "stale": bool(place.memory.stale)},
    )
