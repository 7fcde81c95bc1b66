"""Ways of working: rules of a person for every session of a project, whatever its subject.

Who types "keep the padding for the play button" or "use this file for seeding" gives an order for one
feature. "Use the strong types wherever we can" and "never edit the seeds" hold for whoever works there
next, and these alone are told as a session starts (docs/adr/0018).
"""

from typing import Final

from actors.policy.text.forms import forms, pattern_of

LONGEST: Final = 160  # characters: a longer one tells of the work itself

WORK_FORMS: Final = forms(__name__, "ways_of_working")
PRODUCT: Final = pattern_of(WORK_FORMS["product"])
_TRADE: Final = pattern_of(WORK_FORMS["trade"])
_GENERAL: Final = pattern_of(WORK_FORMS["general"])
_FRAGMENT: Final = pattern_of(WORK_FORMS["fragment"])
_AT_HAND: Final = pattern_of(WORK_FORMS["at_hand"])


def is_for_every_session(text: str, *, wish: bool) -> bool:
    """Tell whether a rule of the user is told at the start of any session of its project.

    A ``wish`` was said in passing: it must also claim to hold in general.
    """
    if len(text) > LONGEST or any(one.search(text) for one in (PRODUCT, _FRAGMENT, _AT_HAND)):
        return False
    return _TRADE.search(text) is not None and (not wish or _GENERAL.search(text) is not None)
