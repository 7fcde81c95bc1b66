"""Hints: which matches are shown at the end of their line, and as what.

Pure. Few: one a line, a handful in what an editor shows at once, the same memory not
again and again. The choice looks at the whole document and not at the range an editor
asks for, so that scrolling (VS Code asks for the window, Neovim for the whole file)
never changes it.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from lsprotocol import types

from daemon.requests.about import MatchView
from lsp.documents import Place
from lsp.hovers import name
from lsp.positions import Encoding, content, units

WINDOW = 50  # lines: about what an editor shows at once
LABEL = 40  # characters, with the mark
MARK = "· "
STALE = " (stale)"


def chosen(
    places: Iterable[Place], *, min_score: float, most: int, muted: Collection[str]
) -> list[Place]:
    """The places that get a hint, in order of their line.

    The best scores first, then the first lines; at most ``most`` in any ``WINDOW`` lines, each
    memory once in them. What a phrase brings a second time there comes after every first: sixty
    memories about one class leave room for the others.
    """
    wanted = (p for p in places if p.memory.score >= min_score and p.memory.id not in muted)
    best_first = sorted(wanted, key=lambda p: (-p.memory.score, p.line, p.start))
    taken: list[int] = []
    by_memory: defaultdict[str, list[int]] = defaultdict(list)
    by_phrase: defaultdict[str, list[int]] = defaultdict(list)
    result: list[Place] = []
    for again in (False, True):
        for place in best_first:
            memory, phrase = by_memory[place.memory.id], by_phrase[place.memory.phrase]
            is_near = _near(memory, place.line) or (not again and _near(phrase, place.line))
            if is_near or not _has_room(taken, place.line, most):
                continue
            for lines in (taken, memory, phrase):
                insort(lines, place.line)
            result.append(place)
    return sorted(result, key=lambda p: p.line)


def _near(lines: Sequence[int], line: int) -> bool:
    left, right = _around(lines, line)
    return left < right


def _has_room(lines: Sequence[int], line: int, most: int) -> bool:
    left, right = _around(lines, line)
    near = [*lines[left:right]]
    if line in near:
        return False
    insort(near, line)
    return all(near[i + most] - near[i] >= WINDOW for i in range(len(near) - most))


def _around(lines: Sequence[int], line: int) -> tuple[int, int]:
    return bisect_left(lines, line - WINDOW + 1), bisect_right(lines, line + WINDOW - 1)


def label(memory: MatchView) -> str:
    """Name the memory in at most ``LABEL`` characters on one line: the title, else the text.

    What a stale one is about, and what became of it, the hover says.
    """
    after = STALE if memory.stale else ""
    return MARK + name(memory, LABEL - len(MARK) - len(after)) + after


def hint(place: Place, line: str, encoding: Encoding, tooltip: str) -> types.InlayHint:
    """The hint behind the last character of ``line``."""
    return types.InlayHint(
        position=types.Position(place.line, units(content(line), encoding)),
        label=label(place.memory),
        tooltip=tooltip,
        padding_left=True,
    )
