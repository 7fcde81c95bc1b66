"""Texts that are nothing but a secret."""

import pytest

from actors.policy.secrets.secret_words import is_all_secret


@pytest.mark.parametrize(
    "text",
    [
        "[REDACTED]",
        " [REDACTED]\n[REDACTED] ",
        "password=[REDACTED]",
        "DB_PASSWORD: '[REDACTED]'",
        "my password is [REDACTED]",
        "the api key: [REDACTED]",
    ],
)
def test_a_secret_and_what_it_is_called_are_nothing_to_remember(text: str) -> None:
    assert is_all_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the password is in the vault",
        "DB_PASSWORD",
        "staging: [REDACTED]",
        "the database at db.lan takes [REDACTED]",
        "deploys need [REDACTED] in CI",
    ],
)
def test_a_text_that_says_more_is_kept(text: str) -> None:
    assert not is_all_secret(text)
