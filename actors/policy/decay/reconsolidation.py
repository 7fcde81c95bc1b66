"""Reconsolidation: a memory that was just recalled can be changed for a while (Q07).

After Nader (2000): recall makes a memory labile for five minutes. All edits meanwhile are one
version, and when the window closes the memory is stable again and counts as reviewed once. The
window is not prolonged by another recall: a memory that is recalled every minute would never
settle.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """Times in seconds (Q07)."""

    labile: float = 300.0
    most: int = 10  # edits in one window
    history: float = 30 * 86_400.0  # for which a window that closed is kept


DEFAULT: Final = Settings()
