"""The fit without its library, for the process that fits: it imports this module and no test."""

from actors.policy.decay.optimization import Review
from daemon import curve_fit


def by_decay(reviews: list[Review], current: tuple[float, ...]) -> tuple[float, ...]:
    """The weights that are proposed where the library is not installed."""
    curve_fit.LIBRARY = "not_installed_anywhere"
    return curve_fit.proposed(reviews, current)
