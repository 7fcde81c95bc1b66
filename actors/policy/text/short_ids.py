"""Short ids: numbers of the store as people and agents type them, a letter and base 36."""

from typing import Final

from actors.policy.patterns import pattern

MEMORY: Final = "m"
PASSAGE: Final = "p"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHORT: Final = pattern(r"m(?P<digits>[0-9a-z]{1,10})")


def short_id(memory_id: int) -> str:
    """The id of a memory: ``m`` and the number in base 36."""
    return MEMORY + _base_36(memory_id)


def numbered(reference: str) -> int | None:
    """The number of a memory behind the look of its short id: ``m1k`` is 56."""
    found = _SHORT.fullmatch(reference)
    return int(found["digits"], 36) if found else None


def passage_id(number: int) -> str:
    """The id of a passage: ``p`` and the number in base 36."""
    return PASSAGE + _base_36(number)


def told_id(number: int) -> str:
    """The id told to a prompt: of a memory, or of a passage with its number below zero."""
    return short_id(number) if number > 0 else passage_id(-number)


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
