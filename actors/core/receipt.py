"""Receipts: word about an answer taken, after it is out.

A hook gives up when its time is over, and then nobody reads the answer on its way. The effects of
an answer (the ledger, exposure, reminders) count once it was taken.
"""

from collections.abc import Callable

import trio

GIVES_UP = 1.0  # seconds: the longest that a hook waits, and a fifth; who is still there has read

Call = Callable[[], object]


class Receipt:
    """Word of whether one answer was taken; ``taken``: known from the start."""

    __slots__ = ("_calls", "_known", "_taken")

    def __init__(self, *, taken: bool = False) -> None:
        self._known = trio.Event()
        self._taken = True
        self._calls: list[tuple[bool, Call]] = []
        if taken:
            self._known.set()

    def __call__(self, *, taken: bool) -> None:
        """Record whether it was taken; later calls are ignored."""
        if self.is_known:
            return
        self._taken = taken
        self._known.set()
        for wanted, call in self._calls:
            if wanted is taken:
                call()

    @property
    def is_known(self) -> bool:
        """Presence of word, either way."""
        return self._known.is_set()

    def if_taken(self, call: Call) -> None:
        """Call this once the answer is known to be taken; at once when it is."""
        self._when(call, taken=True)

    def if_lost(self, call: Call) -> None:
        """Call this once nobody is known to have taken the answer; at once when so."""
        self._when(call, taken=False)

    def _when(self, call: Call, *, taken: bool) -> None:
        if not self.is_known:
            self._calls.append((taken, call))
        elif self._taken is taken:
            call()

    async def wait(self) -> bool:
        """Return whether it was taken; it was, where nothing is heard of somebody who gave up."""
        with trio.move_on_after(GIVES_UP):
            await self._known.wait()
        return self._taken
