"""Least recently used: a mapping of bounded size; the entry longest out of use leaves first."""

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """Mapping of bounded size. Setting or looking up a key moves it to the end; ``get`` moves nothing."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __getitem__(self, key: K) -> V:
        """The entry, which is in use from now on."""
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        """Keep it, and let go of the entry longest out of use when there are too many."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)
