"""What a project's documents and configuration say."""

import pytest

from actors.policy.events import documents
from actors.policy.events.documents import Reading

RECORD = """# Use Postgres

## Context
We need JSON.

## Decision
We use Postgres 16 for all services because of JSONB.

## Consequences
None.
"""

COMPOSE = """services:
  db:
    image: x
    ports:
      - "5433:5432"
  web:
    ports:
      - named
"""


def test_a_decision_record_says_its_decision() -> None:
    assert documents.reading("docs/adr/0003-postgres.md", RECORD) == Reading(
        "spec-document",
        "docs/adr/0003-postgres.md “Use Postgres” decides: We use Postgres 16 for all services"
        " because of JSONB.",
        "decision",
    )


def test_a_specification_says_its_beginning() -> None:
    numbered = "     1\t# Import\n     2\t\n     3\tRows are validated before they are stored."

    assert documents.reading("specs/042/spec.md", numbered) == Reading(
        "spec-document",
        "specs/042/spec.md “Import” says: Rows are validated before they are stored.",
        "insight",
    )


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        (
            "web/package.json",
            '{"scripts":{"test":"vitest run","x":"y","build":3},"packageManager":"pnpm@9.1.0+sha"}',
            "`test` runs `vitest run` and the package manager is pnpm@9.1.0",
        ),
        (
            "Makefile",
            "test:\n\t@pytest -q\n\nlint: deps\n\truff check .\n",
            "`make test` runs `pytest -q` and `make lint` runs `ruff check .`",
        ),
        (
            "docker-compose.yml",
            COMPOSE,
            "by host and container port, db listens on 5433:5432",
        ),
        ("pyproject.toml", 'requires-python = ">=3.11"', "the required Python is `>=3.11`"),
        (".nvmrc", "20.11\n", "Node is pinned to 20.11"),
    ],
)
def test_configuration_says_how_things_are_run(path: str, content: str, said: str) -> None:
    assert documents.reading(path, content) == Reading(
        "configuration", f"In {path}, {said}.", "fact"
    )


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("src/app.py", "print('hi')"),
        ("package.json", '{"scripts": {"test'),
        ("package.json", '["list"]'),
        ("package.json", "{}"),
        ("Makefile", "all: x y"),
        ("compose.yaml", "services: {}"),
        ("pyproject.toml", "[project]"),
        (".nvmrc", ""),
        ("spec.md", "no title here"),
        ("spec.md", "# Only a title"),
    ],
)
def test_what_says_nothing_plainly_yields_nothing(path: str, content: str) -> None:
    assert documents.reading(path, content) is None
