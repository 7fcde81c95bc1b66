"""What full-text search stores and asks; every claim is checked against a real FTS5 table."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.words import (
    STOP_WORDS,
    TERMS,
    TOKENIZER,
    coverage,
    index_text,
    informative,
    match_expression,
    query_terms,
    stem,
    stems,
)
from tests.costs import ratio


def _found(query: str, *texts: str) -> list[int]:
    """Places of the `texts` that FTS5 finds for `query`, best first."""
    expression = match_expression(query_terms(query))
    if not expression:
        return []
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"create virtual table t using fts5(x, tokenize='{TOKENIZER}')")
        rows = [(place, index_text(text)) for place, text in enumerate(texts)]
        connection.executemany("insert into t(rowid, x) values (?, ?)", rows)
        found = connection.execute(
            "select rowid from t where t match ? order by rank", [expression]
        )
        return [int(row[0]) for row in found]


@pytest.mark.parametrize("asked", ["getUserName", "get_user_name", "user name", "getusername"])
@pytest.mark.parametrize("stored", ["getUserName()", "get_user_name", "get-user-name"])
def test_an_identifier_is_found_however_it_is_written(asked: str, stored: str) -> None:
    assert _found(asked, "something else", stored) == [1]


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("node.js", "we run Node.js 20"),
        ("C++", "the core is C++"),
        ("C#", "a C# client"),
        ("login.py", "see src/auth/login.py"),
        ("email", "an e-mail goes out"),
        ("sha-256", "hashed with sha256"),
        ("python", "needs python3"),
        ("caches", "the cache is warm"),
        ("cafe", "le café"),
        ("cafe\u0301", "le café"),
        ("Caroline's", "Caroline paints"),
        ("сервер", "Сервер упал"),
        ("记忆", "使用记忆系统"),
        ("系统", "使用记忆系统"),
        ("统", "使用记忆系统"),
        ("データ", "データベースの接続"),
        ("서버", "서버는 느리다"),
    ],
)
def test_a_question_finds_the_text_that_has_its_word(asked: str, stored: str) -> None:
    assert _found(asked, "nothing of it", stored) == [1]


def test_a_run_of_cjk_becomes_overlapping_pairs_and_its_last_character() -> None:
    assert index_text("用记忆系统").split() == ["用记", "记忆", "忆系", "系统", "统"]


def test_prose_is_stored_unchanged() -> None:
    text = "The cache is warm, said Maria."

    assert index_text(text) == text


def test_phrases_stay_in_order_because_other_forms_follow_the_text() -> None:
    assert index_text("call getUserName now").startswith("call getUserName now ")


def test_stop_words_are_dropped_and_the_order_asked_is_kept() -> None:
    assert query_terms("What is the primary database for the Acme API?") == [
        "primary",
        "database",
        "acme",
        "api",
    ]


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert query_terms("what is it") == ["what", "is", "it"]
    assert informative("what is it") == []


def test_words_of_conditions_stay_because_code_is_asked_with_them() -> None:
    assert query_terms("check if not empty")[0] == "check"
    assert {"not", "all", "each", "after", "before"}.isdisjoint(STOP_WORDS)


def test_a_hyphenated_name_is_asked_by_its_parts_alone() -> None:
    assert query_terms("ecommerce-api framework") == ["ecommerce", "api", "framework"]


def test_small_numbers_and_single_letters_are_not_informative() -> None:
    assert informative("3 x postgres 15 2024") == ["postgres", "2024"]


def test_no_terms_make_an_empty_expression() -> None:
    assert match_expression([]) == ""
    assert match_expression([" "]) == ""


def test_every_term_is_quoted() -> None:
    assert match_expression(["a", 'b"c']) == '"a" OR "b""c"'


def test_a_single_cjk_character_is_asked_as_a_prefix() -> None:
    assert match_expression(["记"]) == '"记" *'


@given(st.text(max_size=60))
def test_no_text_is_fts5_syntax(text: str) -> None:
    expression = match_expression([text]) or '""'

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create virtual table t using fts5(x)")
        connection.execute("select * from t where t match ?", [expression]).fetchall()


@given(st.text(max_size=200))
def test_terms_are_distinct_bounded_and_never_blank(text: str) -> None:
    terms = query_terms(text)

    assert len(terms) == len(set(terms)) <= TERMS
    assert all(term.strip() for term in terms)


@given(st.text(alphabet="abcdeXYZ_-. 记忆系统Привет", max_size=40))
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    if informative(text):
        assert _found(text, text) == [0]


def test_of_a_long_prompt_the_most_telling_terms_stay() -> None:
    filler = " ".join(f"word{'abcdefghij'[i % 10]}{'klmnopqrst'[i // 10 % 10]}" for i in range(100))

    prompt = f"{filler} retry_policy in PaymentClient {filler}"

    for terms in (query_terms(prompt), informative(prompt)):
        assert len(terms) == TERMS
        assert {"retrypolicy", "paymentclient"} <= set(terms)


def test_a_prompt_of_a_hundred_thousand_words_costs_no_more_than_its_ends() -> None:
    words = [f"w{i % 977}x" for i in range(100_000)]
    short, long = " ".join(words[:1_500]), " ".join(words)

    assert ratio(lambda: query_terms(long), lambda: query_terms(short), 5) < 5


@pytest.mark.parametrize(
    "family",
    [
        "cache caches cached caching",
        "migrate migrates migrating migration migrations",
        "policy policies",
        "run runs running",
        "deploy deploys deployed deploying deployment",
        "use uses used using",
        "configure configured configuration",
        "class classes",
    ],
)
def test_the_common_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


def test_different_words_keep_different_stems() -> None:
    words = ["state", "status", "bus", "us", "king", "ring", "test", "text", "rate", "ration"]

    assert len({stem(word) for word in words}) == len(words)


def test_coverage_is_the_weight_of_what_was_found() -> None:
    asked = {stem("postgres"): 3.0, stem("caching"): 1.0}

    assert coverage(asked, stems("We cache in Redis")) == 0.25
    assert coverage(asked, stems("Postgres caches pages")) == 1.0
    assert coverage({}, stems("anything")) == 0.0


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_a_text_of_ascii_has_the_stems_that_it_has_in_any_other(text: str) -> None:
    """It is read in another way, in less time."""
    assert stems(text) == stems(f"{text} \u2014")


@given(st.lists(st.sampled_from(["db-pool:size", "c++", "f#", "it's", "a/b.py", "x_y", "@me"])))
def test_joined_words_of_ascii_too(words: list[str]) -> None:
    text = " ".join(words)

    assert stems(text) == stems(f"{text} \u2014")
