"""Derived phrases: names of a text, never words that every prompt has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.phrases import PhraseIndex, phrases_of


def test_phrases_of_a_memory_are_names_files_commands_and_versions() -> None:
    phrases = phrases_of(
        "Run `make lint` before pushing payment retries",
        "The PaymentClient in src/auth/login.py reads DATABASE_URL, with PostgreSQL 15 and trio==0.35.",
    )

    assert set(phrases) == {
        "make lint",
        "src/auth/login.py",
        "login.py",
        "PaymentClient",
        "DATABASE_URL",
        "PostgreSQL 15",
        "trio 0.35",
        "pushing payment",
        "payment retries",
    }


def test_private_names_and_classes_with_an_acronym_are_names() -> None:
    text = (
        "HTTPTransport, JSONResponse and XMLParser lose _redirect_headers; the URLs and OAuth hold"
    )

    assert set(phrases_of("", text)) == {
        "HTTPTransport", "JSONResponse", "XMLParser", "_redirect_headers",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Fix the failing test", "We fixed it and/or changed the code, e.g. the file."),
        ("", "Nothing here names anything. It is 1/2 done."),
        ("New feature", "please use the right option in every case"),
        ("", 'The `port` and the "status" of a JavaScript server, in `HTTP` and `2024`'),
    ],
)
def test_common_words_make_no_phrases(title: str, text: str) -> None:
    assert phrases_of(title, text) == []


def test_titles_in_other_scripts_make_phrases() -> None:
    assert phrases_of("部署系统密码", "") == ["部署系统密码"]
    assert phrases_of("Настройка сервера", "") == ["Настройка сервера"]


@given(st.text(max_size=60), st.text(max_size=200))
def test_derived_phrases_are_few_and_each_is_admitted(title: str, text: str) -> None:
    phrases = phrases_of(title, text)

    assert len(phrases) <= 12
    assert all(PhraseIndex().add(phrase, 1) for phrase in phrases)
