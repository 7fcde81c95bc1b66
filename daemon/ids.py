"""Short ids of memories, as people type them."""

from actors.gate.messages import NoSuchMemory

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
PREFIX = "m"


def short_id(memory_id: int) -> str:
    """The id that people type: ``m`` and the number in base 36."""
    digits = ""
    while memory_id:
        memory_id, digit = divmod(memory_id, 36)
        digits = _DIGITS[digit] + digits
    return PREFIX + (digits or "0")


def memory_number(short: str) -> int:
    """The number behind a short id.

    Raises ``NoSuchMemory`` for what is no id at all.
    """
    plain = short.strip().lower()
    try:
        return int(plain.removeprefix(PREFIX), 36)
    except ValueError:
        raise NoSuchMemory from None
