"""Salience backfill: a failure looks back over the names it shares with what was said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import capture
from actors.policy.decay.capture import DAY, Cause, Earlier

NOW = 1_800_000_000.0
CRASH = "Deploy failed: REDIS_URL is empty in config/prod.yaml"


def earlier(memory_id: int, text: str, days: float = 1.0) -> Earlier:
    return Earlier(memory_id, text, NOW - days * DAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set DATABASE_URL and HTTP2_MAX.", {"DATABASE_URL", "HTTP2_MAX"}),
        ("see src/auth/session.ts, please", {"src/auth/session.ts"}),
        (
            "./run.sh reads ~/.config/app and /etc/hosts.",
            {"./run.sh", "~/.config/app", "/etc/hosts"},
        ),
        ("app.settings.cache was None", {"app.settings.cache"}),
        ("edit pyproject.toml", {"pyproject.toml"}),
        ("a client/server split, and/or 24/7 support, e.g. this", set[str]()),
        ("https://example.com/a/b is down, it costs 3.50", set[str]()),
        ("Done. Next we ship. OK", set[str]()),
        ("", set[str]()),
    ],
)
def test_names_that_look_like_identifiers(text: str, expected: set[str]) -> None:
    assert capture.entities(text) == expected


def test_a_config_variable_set_a_week_ago_explains_todays_crash() -> None:
    week = earlier(1, "We moved REDIS_URL into the vault", days=7)
    both = earlier(2, "config/prod.yaml reads REDIS_URL", days=20)
    other = earlier(3, "The login page uses OAUTH_ID")

    found = capture.causes(CRASH, NOW, [week, both, other])

    assert found == (
        Cause(2, ("REDIS_URL", "config/prod.yaml")),
        Cause(1, ("REDIS_URL",)),
    )


def test_at_most_three_causes_and_the_latest_of_equals() -> None:
    many = [earlier(days, "REDIS_URL", days) for days in (9, 3, 1, 5, 2)]

    assert [cause.memory_id for cause in capture.causes(CRASH, NOW, many)] == [1, 2, 3]


def test_reaches_back_thirty_days_and_never_ahead() -> None:
    def ids(*memories: Earlier) -> list[int]:
        return [cause.memory_id for cause in capture.causes(CRASH, NOW, memories)]

    assert ids(earlier(1, "REDIS_URL", 30)) == [1]
    assert ids(earlier(2, "REDIS_URL", 30.01)) == []
    assert ids(earlier(3, "REDIS_URL", -0.01)) == []


@given(st.text(alphabet="aAZ_/.~-@ 1:", max_size=60))
def test_an_identifier_comes_from_the_text_and_has_a_letter(text: str) -> None:
    for name in capture.entities(text):
        assert name in text
        assert any(character.isalpha() for character in name)
