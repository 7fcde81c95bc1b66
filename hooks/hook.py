"""The hook: run by an agent as ``python -I -S hook.py AGENT``, once an event.

A hook never disturbs the agent: every path exits 0 and prints the daemon's answer or nothing. This
file is the edge with this promise. The work lies in ``delivery.py``, loaded from its bytecode: to
compile it each time would cost a tenth of the process.

Runs on Python 3.8 and later, with the standard library alone.

``hook.py AGENT ID NS STATE [SIZE]`` is how the native client (``hook.c``) hands over an undelivered
event; STATE is ``away``, ``silent`` or ``untried``, SIZE the one of an event too large to be passed
on.
"""

import posix
import sys

# Where importlib.machinery has it from: that package costs a twentieth of the process.
from _frozen_importlib_external import SourceFileLoader

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Any


def sibling(name: str) -> "Any":
    """The module of this name beside this file."""
    path = __file__[: -len("hook.py")] + name + ".py"
    module = type(sys)("reverie_" + name)
    module.__file__ = path
    SourceFileLoader(module.__name__, path).exec_module(module)
    return module


if __name__ == "__main__":
    try:
        sibling("delivery").run(sys.argv[1:], sibling)
    except BaseException:
        pass  # whatever went wrong is not the agent's business
    finally:
        posix._exit(0)  # pyright: ignore[reportPrivateUsage] - os is not loaded here
