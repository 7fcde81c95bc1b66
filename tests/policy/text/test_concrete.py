"""Queries that name one thing.

What is asked of FTS5 is tried on a real table.
"""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.concrete import (
    Literal,
    concrete,
    expression,
    is_command,
    parts,
)
from actors.policy.text.words import TOKENIZER, index_text
from tests.policy.adversarial import too_slow

UUID = "550e8400-e29b-41d4-a716-446655440000"


def _found(asked: str, *texts: str) -> list[int]:
    """Places of the texts that FTS5 finds for an expression."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"create virtual table t using fts5(x, tokenize='{TOKENIZER}')")
        rows = [(place, index_text(text)) for place, text in enumerate(texts)]
        connection.executemany("insert into t(rowid, x) values (?, ?)", rows)
        found = connection.execute("select rowid from t where t match ? order by rowid", [asked])
        return [int(row[0]) for row in found]


def _literal(query: str) -> Literal:
    found = concrete(query)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("prompt", "alone"),
    [
        ("/ide", True),
        ("/exit ", True),
        ("/opsx:archive", False),
        ("/src/a.py", False),
        ("ide", False),
    ],
)
def test_a_command_of_one_word_is_told_from_paths_and_named_commands(
    prompt: str, alone: bool
) -> None:
    assert is_command(prompt) is alone


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ('"connection reset by peer"', "connection reset by peer"),
        ("`make demo`", "make demo"),
        ("“no such table”", "no such table"),
        (UUID, UUID),
        (UUID.upper(), UUID.upper()),
        ("src/auth/login.py", "src/auth/login.py"),
        ("login.py", "login.py"),
        ("./scripts/", "./scripts/"),
        ("/etc/hosts", "/etc/hosts"),
        ("C:\\work\\notes.txt", "C:\\work\\notes.txt"),
        ("work\\notes", "work\\notes"),
        ("getUserName", "getUserName"),
        ("UserAccount", "UserAccount"),
        ("get_user_name()", "get_user_name"),
        ("MAX_RETRIES", "MAX_RETRIES"),
        ("__init__", "__init__"),
        ("std::vector", "std::vector"),
        ("Client#connect", "Client#connect"),
        ("(parse_frame),", "parse_frame"),
        ("E1043", "E1043"),
        ("ORA-00942", "ORA-00942"),
        ("TS2322.", "TS2322"),
        ("rate-limit", "rate-limit"),
        ("user@host", "user@host"),
        ("LEVEL=debug", "LEVEL=debug"),
        ("localhost:8080", "localhost:8080"),
        ("v1.2.3", "v1.2.3"),
        ("3.11", "3.11"),
        (".gitignore", ".gitignore"),
        ("--verbose", "--verbose"),
        ("client/server", "client/server"),
    ],
)
def test_a_query_that_names_one_thing_is_concrete(query: str, text: str) -> None:
    found = _literal(query)

    assert found.text == text


@pytest.mark.parametrize(
    "query",
    [
        "", "   ", "redis", "what is redis", "e.g.", "and/or", "2024", "a", "C++", "PostgreSQL", "TODO:",
        '"one" "two"', "parse_frame fails", '""', "...", "日本語", "x" * 400, '"..."', "1,000", "-",
    ],
)  # fmt: skip
def test_a_query_that_says_more_or_less_is_not(query: str) -> None:
    assert concrete(query) is None


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("getUserName", ("get", "user", "name")),
        ("get_user_name", ("get", "user", "name")),
        ("HTTPServer", ("http", "server")),
        ("os.path.join", ("os", "path", "join")),
        ("src/auth/login.py", ("src", "auth", "login", "py")),
        ("sha256Sum", ("sha256", "sum")),
        ("", ()),
    ],
)
def test_a_symbol_has_parts(name: str, pieces: tuple[str, ...]) -> None:
    assert parts(name) == pieces


@pytest.mark.parametrize(
    "asked", ["getUserName", "get_user_name", "GetUserName()", "get-user-name"]
)
def test_a_symbol_is_found_by_its_parts_however_it_is_written(asked: str) -> None:
    texts = ("calls getUserName()", "see get_user_name", "the get-user-name flag", "user name")

    assert _found(expression([_literal(asked)]), *texts) == [0, 1, 2]


def test_the_end_of_a_path_finds_it_and_another_file_of_that_folder_does_not() -> None:
    texts = ("bug in src/auth/login.py", "src/auth/logout.py is fine", "login in auth, py")

    assert _found(expression([_literal("auth/login.py")]), *texts) == [0]


def test_a_quotation_and_a_uuid_are_found_word_for_word() -> None:
    texts = ("connection reset by peer", "peer by reset connection", f"job {UUID} failed")

    assert _found(expression([_literal('"reset by peer"')]), *texts) == [0]
    assert _found(expression([_literal(UUID)]), *texts) == [2]
    assert expression([]) == ""


@given(st.text(alphabet='ab AND"()*-', max_size=60))
def test_no_query_breaks_the_syntax_of_fts5(query: str) -> None:
    literal = concrete(query)
    if literal:
        assert _found(expression((literal,)), "nothing of it") in ([], [0])


def test_no_text_takes_long() -> None:
    assert too_slow(concrete) == []
    assert too_slow(parts) == []
