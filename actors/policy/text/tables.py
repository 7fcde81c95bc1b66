"""Tables of words: TOML beside a module, read once.

The rules' knowledge of English, of programs and of languages is data: a list of words is a text of
them, a line or more, in the file with the module's name.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Any


def beside(module: str, file: str) -> str:
    """Read a text beside a module (``module`` is its ``__name__``); ``OSError`` without it."""
    return (get_data(module.rpartition(".")[0], file) or b"").decode()


@cache
def table(module: str, name: str = "") -> Mapping[str, Any]:
    """Read the table of a module, which has its name, or ``name``; ``OSError`` without its file."""
    return tomllib.loads(beside(module, f"{name or module.rpartition('.')[2]}.toml"))


def word_list(module: str, name: str) -> frozenset[str]:
    """One list of a module, as a set of its words."""
    text: str = table(module)[name]
    return frozenset(text.split())
