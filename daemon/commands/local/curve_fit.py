"""``config --fit-curve``: a person's own forgetting curve, when their reviews tell of a better one."""

import os
from typing import TYPE_CHECKING

import click

from daemon.commands.local.config_file import set_value
from daemon.commands.terminal.output import say
from daemon.commands.terminal.words import counted
from daemon.home import Home

if TYPE_CHECKING:
    from actors.policy.decay.curve import Review
    from daemon.client import Client

SECTION, KEY = "strength", "weights"
PAGE_WITHIN = 60.0  # seconds for a page of the log
NEXT = "taken up when the daemon starts again: reverie down"


def fit(home: Home, *, dry_run: bool, as_json: bool) -> None:
    """Fit to four memories in five; keep the curve when it predicts the fifth better.

    Raises ``click.ClickException`` when there is too little to fit to or to judge by.
    """
    # Not before: numpy, and every actor with the settings.
    from actors.policy.decay import curve
    from actors.policy.decay.curve import LEAST_REVIEWS
    from daemon.commands.terminal.question import conversation
    from daemon.settings import environment_name, load

    name = environment_name(f"{SECTION}.{KEY}")
    if name in os.environ:
        raise click.ClickException(f"{name} is set and would win over what is fitted: unset it")
    current = load(home, os.environ).settings.strength.weights
    reviews = conversation(_log)
    much = counted(len(reviews), "review")
    if len(reviews) < LEAST_REVIEWS:
        raise click.ClickException(f"{much} so far: {LEAST_REVIEWS} are needed to fit a curve")
    fitting, held = curve.parted(reviews)
    judges = curve.replayed(held, current)
    if not judges:
        raise click.ClickException(
            f"{much}, but too few of them a day or more after the last one: nothing to judge a curve by"
        )
    weights = curve.fitted(curve.replayed(fitting, current), current)
    before, after = (curve.curve_error(judges, one[-1]) for one in (current, weights))
    better = after < before
    if better and not dry_run:
        set_value(home.config, SECTION, KEY, list(weights))
    document = {
        "reviews": len(reviews),
        "judged_on": len(judges),
        "optimizer": "decay only",
        "before": {"rmse": before},
        "after": {"rmse": after},
        "better": better,
        "stored": better and not dry_run,
        "weights": list(weights if better else current),
    }
    if better:
        end = "nothing was changed" if dry_run else f"{SECTION}.{KEY} is in config.toml now, {NEXT}"
    else:
        end = "no better than the present curve; nothing was changed"
    said = f"{much}; error on {len(judges):,} others {before:.4f} -> {after:.4f}: {end}"
    say(document, as_json, said)


def reset(home: Home, *, as_json: bool) -> None:
    """Go back to everybody's first curve."""
    from actors.policy.decay.curve import FSRS6_WEIGHTS

    changed = set_value(home.config, SECTION, KEY, None)
    now = f"again, {NEXT}" if changed else "already"
    said = f"the curve is the one that everybody starts with {now}"
    say({"reset": changed, "weights": list(FSRS6_WEIGHTS)}, as_json, said)


async def _log(client: "Client") -> "list[Review]":
    """The whole log of reviews."""
    from actors.policy.decay.curve import Grade, Review
    from daemon.api.opinions import Reviews

    reviews: list[Review] = []
    after: int | None = 0
    while after is not None:
        page = await client.ask(Reviews(after=after), within=PAGE_WITHIN)
        reviews += (Review(one.memory, one.at, Grade(one.grade)) for one in page.reviews)
        after = page.after
    return reviews
