"""Effects of writes, declared beside the function carrying each out."""

from collections.abc import Callable
from enum import Enum, auto
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeVar, get_type_hints

from actors.memory.commit import StoreWrite
from daemon.storage.database.sql import Sql

F = TypeVar("F", bound=Callable[..., int])


class Effect(Enum):
    """Effect of a write on the indexes."""

    # No text, vector, phrase or scope of a memory. Rows that such a write may change (strength,
    # importance, confidence, opinions) are read when a question comes.
    NOTHING = auto()
    ARCHIVE = auto()  # the indexes of passages alone
    INDEXES = auto()  # recall may find something else after it


class Carrier(NamedTuple):
    """Function for carrying out a kind of write, with a number of its own as result, and its changes."""

    carry_out: Callable[[Sql, Any], int]
    changes: Effect


EFFECTS: Final[dict[Callable[..., int], Effect]] = {}


def writes(changes: Effect) -> Callable[[F], F]:
    """Mark a function as the carrier of writes of its second parameter's type."""

    def marked(function: F) -> F:
        EFFECTS[function] = changes
        return function

    return marked


def carriers(*modules: ModuleType) -> dict[type[StoreWrite], Carrier]:
    """Functions of these modules for carrying out a write, by its kind."""
    return {
        list(get_type_hints(one).values())[1]: Carrier(one, EFFECTS[one])
        for module in modules
        for one in vars(module).values()
        if isinstance(one, FunctionType) and one in EFFECTS
    }
