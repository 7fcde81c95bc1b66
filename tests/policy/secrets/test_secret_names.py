"""Literals of names, and texts that are nothing but a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.secrets.secret_words import Literals, is_all_secret


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


LITERALS = ("pass", "password", "asswd", "sword", "key", "keys", "ss")


@given(st.lists(st.sampled_from((*LITERALS, "pas", " ", "s", "ke", "é"))).map("".join))
def test_a_text_is_read_alike_with_the_literals_compiled_and_without(text: str) -> None:
    fresh, compiled = Literals(LITERALS), Literals(LITERALS)
    compiled.hits("." * 20_000)  # so much read that they are compiled

    assert fresh.hits(text) == compiled.hits(text)
