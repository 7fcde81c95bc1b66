"""Texts that make careless rules slow, and what they cost: for everything that reads a query."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Final

from hypothesis import strategies as st

# What foreign JSON may hold in any place.
FOREIGN: Final[st.SearchStrategy[object]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)

SIZE: Final = 16 * 1024
TIMES: Final = 2.5  # the simplest scan of as much text, measured just before: 1.6 at most here
GOES: Final = 12
FILLERS: Final = (
    "a", " ", "a ", "A", "aB", "a_", "_", "-", "a-", ".", "a.", "/", "a/", "\\", ":", "::", "=", "@",
    '"', '" "', "`", "`a", "“", "(", "a(", ")", "0", "1 ", "12-", "abcdef01-", "'s ", "\n", "\t", "é",
    "日", "\u0130", "AND ", " AND", "a AND b ", '"x" AND ', "the ", "we ", "we were ", "why did we ",
    "how does ", "find the ", "add ", "fix ", "error ", "not ", "is ", "with ", "check ", "clean ",
    "last ", "the last ", "a few ", "before ", "before the ", "after we ", "since ", "since the a ",
    "in March ", "on Monday ", "2 days ", "2 days ago", "19 ", "2024-", "2024-11-2", "between ",
    "from Monday ", "May ", "3rd of ", "did before the ", "we moved a ", "token ", "database ",
    "what is ", "please ", "can you ", "TypeError ", "move a into ", "why is ", "is it ", "can user ",
)  # fmt: skip


def texts(size: int = SIZE) -> Iterator[tuple[str, str]]:
    """Each filler with the text of that size that it fills."""
    for filler in FILLERS:
        yield filler, (filler * (size // len(filler) + 1))[:size]


def too_slow(work: Callable[[str], object], times: float = TIMES) -> list[str]:
    """The fillers on which the work takes more CPU than it may, in the best of several goes."""
    work("what did we decide last week about getUserName and the login error")
    return [repr(filler) for filler, text in texts() if not fast(work, text, times)]


def fast(work: Callable[[str], object], text: str, times: float = TIMES) -> bool:
    """Whether the work takes at most so many times the CPU of the simplest scan.

    Both are measured side by side each time: a busy machine slows both.
    """
    return any(_cpu(work, text) < times * _simplest() for _ in range(GOES))


def _simplest() -> float:
    """CPU of a match for each character of 16 KiB (1 to 2 ms here)."""
    return _cpu(lambda text: sum(1 for _ in re.finditer(".", text)), "ab" * (SIZE // 2))


def _cpu(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start
