"""Memories in words: the same in a terminal and in an editor.

Pure. Titles that stand in these lines are as they are stored: who shows them makes them safe.
"""

from typing import Final

# What the gate decided about a text.
DECIDED: Final = {
    "CREATE": "remembered",
    "CREATE_LINKED": "remembered, with a link to what is near",
    "REINFORCE": "known already: strengthened",
    "UPDATE": "updated",
    "SUPERSEDE": "remembered, in place of the old one",
}


def counted(count: int, word: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"
