"""Failures: of the store as actors see them, and how any error is described without its words."""

import traceback
from pathlib import Path
from typing import cast


class Unwritable(Exception):
    """The store cannot be written: full disk, read-only, or broken. The text says which."""


class Conflicting(Exception):
    """Error: a write no longer fits the store; look again and decide anew."""


class Unreadable(Exception):
    """The store cannot be read."""


# ---- an error's kind and place, without the words of its message


def first_leaf(error: BaseException) -> BaseException:
    """Return the first error inside a group."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def described(error: BaseException) -> str:
    """Describe an error by its type and place: its text may hold a memory, so it is left out."""
    leaf = first_leaf(error)
    frames = traceback.extract_tb(leaf.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(leaf).__name__}{place}"


def without_contents(error: BaseException) -> BaseException:
    """Return the same traceback under an error without text."""
    return RuntimeError(type(error).__name__).with_traceback(error.__traceback__)
