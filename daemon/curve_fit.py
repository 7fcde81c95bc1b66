"""Fitting FSRS to a person's reviews, in a process of its own.

The fitting is the library's when it is installed (``pip install 'reverie[optimize]'``): all 21
weights. Without it only the curve's decay is fitted, by golden section. Either way the answer
is a proposal: ``optimization.judged`` decides. It runs in a process of its own, so that it can
be stopped in the middle and that whatever it does on the way hurts nobody.
"""

from collections.abc import Sequence
from importlib.util import find_spec

from actors.policy.decay.fsrs import Grade
from actors.policy.decay.optimization import Review, fitted_decay, histories, replayed, with_decay

LIBRARY = "fsrs_rs_python"

Step = tuple[Grade, int]  # a grade, and the days before it


def has_library() -> bool:
    """Return whether the optimizer of all weights is installed."""
    return find_spec(LIBRARY) is not None


def proposed(reviews: Sequence[Review], current: tuple[float, ...]) -> tuple[float, ...]:
    """The weights that fit these reviews best; ``current`` when there is too little in them."""
    if has_library():
        return _by_library(histories(reviews)) or current
    return with_decay(current, fitted_decay(replayed(reviews, current), current[-1]))


def _by_library(logs: Sequence[Sequence[Step]]) -> tuple[float, ...]:
    """All 21 weights by fsrs-rs; none when there is nothing to train on."""
    import fsrs_rs_python as library

    items: list[library.FSRSItem] = []
    cards: list[int] = []
    for card, log in enumerate(logs):
        for end in range(1, len(log)):
            if not log[end][1]:
                continue  # on the same day: the library trains on what a day tells
            steps = [library.FSRSReview(int(grade), days) for grade, days in log[: end + 1]]
            items.append(library.FSRSItem(steps))
            cards.append(card)
    if not items:
        return ()
    found = library.FSRS([]).compute_parameters(items, card_ids=cards)
    # It reckons in 32 bits: a bound of .8 comes back a little over it.
    return tuple(round(float(weight), 6) for weight in found)
