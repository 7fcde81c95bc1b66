"""Tables of functions by what each of them takes."""

from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

F = TypeVar("F", bound=Callable[..., Any])


def by_kind(*functions: F) -> dict[Any, F]:
    """These functions by the type of their second parameter."""
    return {list(get_type_hints(function).values())[1]: function for function in functions}
