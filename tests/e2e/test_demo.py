"""The demonstration that a new user runs first: it ends well, by words alone and with the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Reverie

TOLD = "- The staging database listens on port 5433. (m2: the user, today)"


def shows_all(reverie: Reverie) -> bool:
    """Run it: whether each of its promises is shown."""
    done = reverie.run("demo")
    assert (done.returncode, done.stderr) == (0, "")
    return TOLD in done.stdout and "nothing is missing" in done.stdout


def test_the_demonstration_shows_what_it_promises_by_words_alone(reverie: Reverie) -> None:
    assert shows_all(reverie)


@pytest.mark.slow
@pytest.mark.real_model
def test_the_demonstration_shows_what_it_promises_with_the_model(
    models: Path, reverie: Reverie
) -> None:
    reverie.home.models.rmdir()
    reverie.home.models.symlink_to(models)
    del reverie.environ["REVERIE_EMBEDDING_ENABLED"]

    assert shows_all(reverie)
