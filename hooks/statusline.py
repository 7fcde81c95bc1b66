"""The status line of Claude Code: whether this session is recorded, and matters waiting for a person.

Run by ``statusline.sh`` with the client's word on standard input (its folder and session). Looks at files
alone, asks nobody, and prints one line; nothing where reverie was never used. Python 3.8 and later.
"""

import json
import os
import sys
import time
from importlib.machinery import SourceFileLoader

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Any


def sibling(name: str) -> "Any":
    """The module of this name beside this file."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    module = type(sys)("reverie_" + name)
    module.__file__ = path
    SourceFileLoader(module.__name__, path).exec_module(module)
    return module


def line(home: bytes, told: "Any", at: int) -> str:
    """One line for the person, from the client's word; ``at`` is nanoseconds."""
    if not os.path.isdir(home):
        return ""
    if sibling("spool").is_off(home, told, at):
        return "reverie: off here"
    waiting = len([name for name in os.listdir(home + b"/spool") if name.endswith(b".json")])
    if not waiting:
        return "reverie: on"
    return "reverie: on, %d event%s waiting" % (waiting, "" if waiting == 1 else "s")


if __name__ == "__main__":
    try:
        where = sibling("delivery").data_home(os.environb)
        sibling("ownership").check(where)
        print(line(where, json.load(sys.stdin), time.time_ns()))
    except Exception:
        pass  # a line that cannot be made is not worth a word
