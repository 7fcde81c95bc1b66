"""How the CPU of a piece of work grows with its text: hostile texts, and a measure by ratio.

A text is one seed repeated. It is four times as long at each step, from 64 characters on, and the
work is given up at the first step whose cost grows as a square would: a cubic pattern shows itself
before it costs a second. Costs are CPU of this thread and are compared with each other alone, so
neither a slow machine nor a busy one turns a linear piece of work red.
"""

import gc
import time
from collections.abc import Callable
from typing import Final, NamedTuple

FIRST: Final = 64  # characters
STEP: Final = 4  # times as long is the next text
OVER_TWO: Final = 64.0  # times as dear as two steps before: linear work is 16, a square 256
OVER_ONE: Final = 10.0  # times as dear as one step before, where a step already costs
DEAR: Final = 0.03  # seconds of CPU: here one step tells, before the next one takes minutes
LEAST: Final = 0.006  # seconds of CPU below which a cost says nothing of its growth
GOES: Final = 24  # times a suspicion is measured again: a busy neighbour slows a whole second
EVEN: Final = 4.4  # times as dear as one step before: the next is no ten times as dear

SEEDS: Final = (
    "a", "A", "aA", "Aa ", "é", "日", "e\u0301", "\u200d", "1", "1.1.", "1,111", "10:00 ", "2024-",
    "_", "a_", "a-", "-", "--", "--x ", "- ", ".", ". ", "a.", "a.b.c ", "....a", "/", "/a", "/a/a ",
    "~/", "../", "\\", "\\n", "@", "a@", "a@b.", "://", "a://", "#", "*", "> ", "|", "$", "${", "%",
    "=", "a=", "a==1", ":", "a: ", ";", ",", "a, ", "&lt;", "<", "<a ", "(", "[", "[](", "{", "`",
    "`a", '"', '" ', '"""', "'", "“", "\n", "\r\n", "\n- ", "\n\n", "a\n", "\t", " ", " \n", "a  ",
    "a b ", "the ", "not ", "no ", "we will do it ", "the word is not a thing ", "error: ", "git ",
    "import a, ", "def f(", "?! ", "on Monday ", "2 days ", "before the ", "and ", "\x00", "<< ",
)  # fmt: skip
"""What fills a text: marks, runs, halves of forms, words of the frames that rules look for."""

FEW: Final = (
    "a",
    "-",
    " ",
    "1.1.",
    "/a",
    '" ',
    "a b ",
    "\n",
    "a_",
    ".",
    "the word is not a thing ",
    "and ",
)
"""Those that show most of what is wrong, for every run."""

ENDS: Final = ("", "\x01!", ' "see notes.md" a_b aB 1/2 `x` @')
"""What a text ends in: where a run fits to the end, where it does not, and what lets a rule look."""


class Growth(NamedTuple):
    """Work that grew too fast: with which text, up to how long, and the CPU of each step."""

    text: str
    length: int  # characters
    costs: tuple[float, ...]  # seconds


def too_fast(
    work: Callable[[str], object],
    seeds: tuple[str, ...],
    longest: int,
    ends: tuple[str, ...] = ENDS,
) -> list[Growth]:
    """The seeds with which the work grows faster than its text, up to `longest` characters."""
    grown = (_grown(work, seed, end, longest) for seed in seeds for end in ends)
    return [one for one in grown if one is not None]


def _grown(work: Callable[[str], object], seed: str, end: str, longest: int) -> Growth | None:
    costs: list[float] = []
    length = FIRST
    while length <= longest:
        # What is so cheap that even as a cube it would stay below what tells is not read once more. Nor
        # is what grew evenly: where a tenth of a cost is cubic it grew 4.41 times, half of it square 6.4.
        if length * STEP > longest and costs and costs[-1] * STEP**3 < LEAST:
            break
        if length * STEP > longest and len(costs) > 1 and costs[-1] <= EVEN * costs[-2]:
            costs[-2] = min(costs[-2], cpu(work, _text(seed, end, length // STEP**2)))
            if costs[-1] <= EVEN * costs[-2]:
                break
        costs.append(cpu(work, _text(seed, end, length)))
        if len(costs) > 1 and costs[-1] > DEAR:  # the step before may have been dear by chance
            costs[-2] = min(costs[-2], cpu(work, _text(seed, end, length // STEP)))
        for _ in range(GOES):
            if not _is_over(costs):
                break
            for back in range(1, min(3, len(costs)) + 1):
                text = _text(seed, end, length // STEP ** (back - 1))
                costs[-back] = _least(work, text, costs[-back])
        if _is_over(costs):
            return Growth(seed + end, length, tuple(costs))
        length *= STEP
    return None


def _is_over(costs: list[float]) -> bool:
    last = costs[-1]
    two = len(costs) > 2 and last > OVER_TWO * max(costs[-3], LEAST / OVER_TWO)
    one = len(costs) > 1 and last > DEAR and last > OVER_ONE * costs[-2]
    return two or one


def _least(work: Callable[[str], object], text: str, cost: float) -> float:
    """The lesser of the cost and another go; what costs a second is as dear as it was."""
    return min(cost, cpu(work, text)) if cost < 0.5 else cost


def _text(seed: str, end: str, length: int) -> str:
    return (seed * (length // len(seed) + 1))[:length] + end


def cpu(work: Callable[[str], object], text: str) -> float:
    """Seconds of CPU that this thread takes for the work, and not for the garbage of other tests."""
    gc.disable()
    try:
        began = time.thread_time()
        work(text)
        return time.thread_time() - began
    finally:
        gc.enable()
