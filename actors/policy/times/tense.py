"""Tense: texts that tell how something was, and questions that ask for it.

"The API originally used cookies" resembles the question which login the API uses as much as the
text that tells how it is now. A short note that only tells of the past comes a little later,
unless the past is what was asked for. The words and the factor were chosen on the development
half of one set (docs/adr/0006): a fact that was replaced is there above its successor else.
"""

import re
from typing import Final

PAST_FACTOR: Final = 0.8  # what is left of the score of a text about the past
NOTE: Final = 400  # characters: longer texts tell of the past and of the present

_TOLD: Final = re.compile(
    r"""\b(?: originally | initially | formerly | previously | used\ to\ (?!\w+ing\b) | no\ longer
    | at\ first | back\ then | in\ the\ past | legacy | deprecated | obsolete | superseded
    | replaced\ by | was\ (?:later\ )?(?:replaced | dropped | removed | retired) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# What every text has that the pattern is in.
_SIGNS: Final = (
    "originally", "initially", "formerly", "previously", "used to ", "no longer", "at first",
    "back then", "in the past", "legacy", "deprecated", "obsolete", "superseded", "replaced by",
    "was ",
)  # fmt: skip
_ASKED: Final = re.compile(
    r"""\b(?: originally | initially | formerly | previously | used\ to | before | history
    | evolved? | past | old | older | legacy | first | earlier | was | were | did )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def tells_of_past(text: str) -> bool:
    """Whether a short text tells how something was and is no more."""
    if len(text) > NOTE:
        return False
    if text.isascii():  # in others the case of a letter is not as simple
        lowered = text.lower()
        if not any(sign in lowered for sign in _SIGNS):  # a fifth of the time of the pattern
            return False
    return _TOLD.search(text) is not None


def asks_of_past(query: str) -> bool:
    """Whether a question is about how something was, or became what it is."""
    return _ASKED.search(query) is not None
