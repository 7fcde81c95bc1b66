"""``config --fit-curve``: a person's own forgetting curve, kept only when it is better."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path

import pytest

from actors.policy.decay.curve import FSRS6_WEIGHTS, Grade, Strength, graded, retrievability
from daemon.api.opinions import Graded, ReviewPage, Reviews
from daemon.home import Home
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

DAY = 86_400.0
# Somebody who forgets sooner than most.
OTHER = tuple(w / 4 for w in FSRS6_WEIGHTS[:4]) + FSRS6_WEIGHTS[4:-1] + (0.6,)


def life(weights: tuple[float, ...], memories: int, seed: int = 1) -> list[Graded]:
    """Reviews whose outcomes follow these weights."""
    chance = random.Random(seed)
    found: list[Graded] = []
    for memory in range(memories):
        strength, at = Strength(), 1_700_000_000.0
        for _ in range(8):
            grade = Grade.GOOD
            if strength.last_review is not None:
                days = (at - strength.last_review) / DAY
                expected = retrievability(strength.stability, days, weights[-1])
                grade = Grade.GOOD if chance.random() < expected else Grade.AGAIN
            strength = graded(strength, grade, at, weights)
            found.append(Graded(memory=f"m{memory}", at=at, grade=int(grade)))
            at += chance.choice((1, 2, 4, 8, 16, 30)) * DAY
    return found


def page(reviews: list[Graded], after: int | None = None) -> ReviewPage:
    return ReviewPage(reviews=reviews, total=len(reviews), after=after)


def test_a_better_curve_is_kept_and_the_errors_are_said(
    daemon: FakeDaemon, run: Run, home: Home
) -> None:
    daemon.reply(Reviews, page(life(OTHER, 200)))
    done = run("config", "--fit-curve", "--json")
    said = json.loads(done.stdout)

    assert done.exit_code == 0, done.output
    assert (said["reviews"], said["optimizer"], said["stored"]) == (1600, "decay only", True)
    assert said["after"]["rmse"] < said["before"]["rmse"]
    weights = tomllib.loads(home.config.read_text())["strength"]["weights"]
    assert weights == said["weights"]
    assert len(weights) == 21
    assert home.config.stat().st_mode & 0o777 == 0o600


def test_a_dry_run_changes_nothing(daemon: FakeDaemon, run: Run, home: Home) -> None:
    daemon.reply(Reviews, page(life(OTHER, 200)))
    done = run("config", "--fit-curve", "--dry-run")

    assert done.exit_code == 0, done.output
    assert ": nothing was changed" in done.output
    assert not home.config.exists()


def test_what_is_no_better_is_not_kept(daemon: FakeDaemon, run: Run, home: Home) -> None:
    """The weights that were fitted to these reviews before are as good as it gets."""
    reviews = life(OTHER, 200)
    daemon.reply(Reviews, page(reviews))
    run("config", "--fit-curve")
    kept = home.config.read_text()
    done = run("config", "--fit-curve")

    assert "no better than the present curve; nothing was changed" in done.output
    assert home.config.read_text() == kept


def test_under_a_hundred_reviews_it_refuses_in_one_line(
    daemon: FakeDaemon, run: Run, home: Home
) -> None:
    daemon.reply(Reviews, page(life(OTHER, 13)[:99]))
    done = run("config", "--fit-curve")

    assert done.exit_code == 1
    assert "99 reviews so far: 100 are needed to fit a curve" in done.output
    assert not home.config.exists()


def test_reviews_of_one_day_are_nothing_to_judge_by(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Reviews, page([Graded(memory=f"m{n}", at=1e9, grade=3) for n in range(200)]))
    done = run("config", "--fit-curve")

    assert done.exit_code == 1
    assert "nothing to judge a curve by" in done.output


def test_the_whole_log_is_read_page_by_page(daemon: FakeDaemon, run: Run) -> None:
    reviews = life(OTHER, 200)
    daemon.reply(Reviews, page(reviews[:500], after=500), page(reviews[500:]))
    done = run("config", "--fit-curve", "--dry-run", "--json")

    assert json.loads(done.stdout)["reviews"] == 1600
    assert [asked.after for asked in daemon.asked if isinstance(asked, Reviews)] == [0, 500]


def test_reset_goes_back_and_leaves_the_rest_of_the_file(run: Run, home: Home) -> None:
    home.config.write_text("# mine\n[strength]\nweights = [1.0]\n[gate]\nhigh = 0.9\n")
    first, second = run("config", "--reset-curve"), run("config", "--reset-curve")

    assert home.config.read_text() == "# mine\n[strength]\n[gate]\nhigh = 0.9\n"
    assert "everybody starts with again" in first.output
    assert "already" in second.output


def test_weights_in_the_environment_would_win_and_are_named(
    daemon: FakeDaemon, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_STRENGTH_WEIGHTS", ",".join(map(str, FSRS6_WEIGHTS)))
    done = run("config", "--fit-curve")

    assert done.exit_code == 1
    assert "REVERIE_STRENGTH_WEIGHTS" in done.output


def test_a_list_by_hand_over_several_lines_is_left_to_the_hand(run: Run, home: Home) -> None:
    text = "[strength]\nweights = [\n  1.0,\n]\n"
    Path(home.config).write_text(text)
    done = run("config", "--reset-curve")

    assert done.exit_code == 1
    assert "by hand" in done.output
    assert home.config.read_text() == text
