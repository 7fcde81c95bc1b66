"""``optimize``: a person's own forgetting curve, when their reviews tell of a better one."""

import os
from collections.abc import Callable
from functools import partial
from time import monotonic

import anyio
import anyio.to_process
import click

from actors.policy.decay import optimization
from actors.policy.decay.fsrs import FSRS6_WEIGHTS, Grade
from actors.policy.decay.optimization import Measured, Review
from daemon.client import Client
from daemon.commands.local.config import loaded
from daemon.commands.local.config_file import set_value
from daemon.commands.terminal.conversation import conversation
from daemon.commands.terminal.output import counted, print_json
from daemon.commands.terminal.progress import progress_line
from daemon.curve_fit import has_library, proposed
from daemon.home import current_home
from daemon.requests.optimize import Reviews
from daemon.settings import environment_name

SECTION, KEY = "strength", "weights"
PAGE_WITHIN = 60.0  # seconds for a page of the log
NEXT = "taken up when the daemon starts again: reverie down"


@click.command()
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--reset", is_flag=True, help="Go back to the curve that everybody starts with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def optimize(dry_run: bool, reset: bool, as_json: bool) -> None:
    """Fit the forgetting curve to your own reviews.

    From 100 reviews on. Four memories in five are fitted to, the fifth judges: the new curve is
    kept, in config.toml, only when it predicts those better. Ctrl-C stops it; nothing is
    changed then.
    """
    if dry_run and reset:
        raise click.UsageError("--dry-run and --reset exclude each other")
    if reset:
        _reset(as_json)
        return
    current = _current()
    reviews = conversation(_log)
    least = optimization.LEAST_REVIEWS
    if len(reviews) < least:
        raise click.ClickException(
            f"{counted(len(reviews), 'review')} so far: {least} are needed to fit a curve"
        )
    fitting, held = optimization.parted(reviews)
    before = optimization.measured(held, current)
    if not before.outcomes:
        raise click.ClickException(
            f"{counted(len(reviews), 'review')}, but too few of them a day or more after the"
            " last one: nothing to judge a curve by"
        )
    weights = anyio.run(partial(_fitted, fitting, current))
    after, better = optimization.judged(held, weights, before)
    stored = better and not dry_run
    if stored:
        set_value(current_home().config, SECTION, KEY, list(weights))
    if as_json:
        print_json(
            {
                "reviews": len(reviews),
                "judged_on": before.outcomes,
                "optimizer": "fsrs-rs" if has_library() else "decay only",
                "before": {"rmse": before.error, "log_loss": before.loss},
                "after": {"rmse": after.error, "log_loss": after.loss},
                "better": better,
                "stored": stored,
                "weights": list(weights) if better else list(current),
            }
        )
        return
    _print(len(reviews), before, after, better=better, stored=stored)


def _print(count: int, before: Measured, after: Measured, *, better: bool, stored: bool) -> None:
    fit = "all 21 weights" if has_library() else "the decay alone (reverie[optimize] fits all)"
    click.echo(
        f"{counted(count, 'review')}; fitted {fit};"
        f" judged on {counted(before.outcomes, 'review')} that were not fitted to"
    )
    click.echo(f"  error (RMSE)  {before.error:.4f} -> {after.error:.4f}")
    click.echo(f"  log loss      {before.loss:.4f} -> {after.loss:.4f}")
    if stored:
        click.echo(f"better: {SECTION}.{KEY} is in config.toml now, {NEXT}")
    elif better:
        click.echo("better; nothing was changed (--dry-run)")
    else:
        click.echo("no better than the present curve; nothing was changed")


def _reset(as_json: bool) -> None:
    changed = set_value(current_home().config, SECTION, KEY, None)
    if as_json:
        print_json({"reset": changed, "weights": list(FSRS6_WEIGHTS)})
    elif changed:
        click.echo(f"back to the curve that everybody starts with, {NEXT}")
    else:
        click.echo("the curve is the one that everybody starts with already")


def _current() -> tuple[float, ...]:
    """The weights in use."""
    name = environment_name(f"{SECTION}.{KEY}")
    if name in os.environ:
        raise click.ClickException(f"{name} is set and would win over what is fitted: unset it")
    return loaded(current_home()).settings.strength.weights


async def _log(client: Client) -> list[Review]:
    """The whole log of reviews."""
    found: list[Review] = []
    after: int | None = 0
    with progress_line() as show:
        while after is not None:
            page = await client.ask(Reviews(after=after), within=PAGE_WITHIN)
            found += (Review(one.memory, one.at, Grade(one.grade)) for one in page.reviews)
            after = page.after
            show(f"{len(found):,} of {page.total:,} reviews read")
    return found


async def _fitted(reviews: list[Review], current: tuple[float, ...]) -> tuple[float, ...]:
    """What the optimizer proposes, in a process that ends when this is cancelled."""
    found = current
    with progress_line() as show:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_tell_time, show, f"fitting to {counted(len(reviews), 'review')}")
            found = await anyio.to_process.run_sync(proposed, reviews, current, cancellable=True)
            tasks.cancel_scope.cancel()
    return found


async def _tell_time(show: Callable[[str], None], what: str) -> None:
    began = monotonic()
    while True:
        show(f"{what}: {monotonic() - began:.0f} s")
        await anyio.sleep(0.5)
