"""Tables of words: TOML beside the module that asks, read once.

What rules know of English, of programs and of languages is data: a list of words is a text of them, a line or
more, in the file that has the module's name.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Any


@cache
def table(module: str) -> Mapping[str, Any]:
    """Read the table beside a module (``module`` is its ``__name__``); ``OSError`` without its file."""
    package, _, name = module.rpartition(".")
    return tomllib.loads((get_data(package, f"{name}.toml") or b"").decode())


def word_list(module: str, name: str) -> frozenset[str]:
    """One list of a module, as a set of its words."""
    text: str = table(module)[name]
    return frozenset(text.split())
