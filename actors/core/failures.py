"""Failures: kind and place of the error in a group, without the words of its message."""

import traceback
from pathlib import Path
from typing import cast


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
