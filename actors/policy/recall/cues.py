"""Likeness of a prompt to a note of the reader: by its text, and by its cues.

A cue is a text as its person might type it when the note is needed, and has a vector of its own.
The nearness of a prompt to a note is the mean of its cosines with cue and text, or the text's alone
where it is more: a cue helps a note and never hinders it. Everything in a project is near to a
question about it, so an answering note stands out from the others. The verdicts of a reader who saw
neither score nor rule, by the bar and by other ways of reckoning, are in docs/adr/0021.
"""

from collections.abc import Collection, Mapping
from typing import Final

LIKENESS: Final = 0.6  # from which a note is told; one number for all projects
CUED: Final = 0.3  # cosine with a cue below which the text would have to be at .9
WORDS: Final = 2  # telling words of a prompt, from which its vector says what it is about
APART: Final = 0.1  # cosine by which what answers a question is ahead of the other notes
CUES: Final = 600  # cues of a project that are looked at, 4 ms: three each of the 200 newest notes


def likeness(cue: float | None, text: float | None) -> float | None:
    """Cosine with the text, or the mean with the nearest cue's where it is more, -1..1.

    None where one is not known.
    """
    return None if cue is None or text is None else max(text, (cue + text) / 2)


def stands_out(one: int, cosines: Mapping[int, float], notes: Collection[int]) -> bool:
    """Return whether the text of one note is ahead of the others' by ``APART``."""
    others = [cosines[other] for other in notes if other != one and other in cosines]
    return one in cosines and cosines[one] - max(others, default=-1.0) >= APART
