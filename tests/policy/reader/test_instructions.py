"""Instructions of the reader, and the shape of what it answers."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest

from actors.policy.reader.digest import Who, digest
from actors.policy.reader.exchange import (
    CHARACTERS_A_TOKEN,
    NIGHT_SCHEMA,
    NIGHT_TOKENS,
    SCHEMA,
    SYSTEM,
    LivingNote,
    night_request,
    request,
)
from tests.policy.reader.digests import Session


def objects(schema: object) -> Iterator[Mapping[str, Any]]:
    """Every object within a schema."""
    if isinstance(schema, Mapping):
        fields = cast("Mapping[str, Any]", schema)
        if fields.get("type") == "object":
            yield fields
        for value in fields.values():
            yield from objects(value)


@pytest.mark.parametrize("schema", [SCHEMA, NIGHT_SCHEMA])
def test_an_object_has_exactly_the_fields_that_are_named(schema: Mapping[str, object]) -> None:
    found = list(objects(schema))

    assert found
    assert all(one["additionalProperties"] is False for one in found)
    assert all(one["required"] == list(one["properties"]) for one in found)


def test_every_field_of_a_note_is_explained() -> None:
    notes = cast("Any", SCHEMA)["properties"]["notes"]["items"]["properties"]

    assert [name for name in (*notes, "stopped") if name not in SYSTEM] == []


def test_every_mark_of_a_text_is_explained() -> None:
    assert [who.value for who in Who if f"`{who.value}`" not in SYSTEM] == []


def test_a_request_is_the_digest_and_names_what_is_kept() -> None:
    session = Session()
    session.prompt("Use port 5433.")
    known = (LivingNote("m12", "The port was 5432."),)

    asked = request("s1", "shop", digest(session.heard).text, known)

    assert asked.document() == {
        "version": 1,
        "session": "s1",
        "project": "shop",
        "system": SYSTEM,
        "text": "2026-01-01\n[1] user: Use port 5433.",
        "known": [{"id": "m12", "text": "The port was 5432."}],
        "schema": SCHEMA,
    }


def test_a_later_chunk_says_what_the_one_before_gave() -> None:
    session = Session()
    session.prompt("Use port 5433.")

    text = request("s1", "shop", digest(session.heard).text, before=["The port is 5433"]).text

    assert text.startswith("This is a later part of a long session.")
    assert text.endswith(":\n- The port is 5433\n\n2026-01-01\n[1] user: Use port 5433.")


def test_a_night_holds_the_newest_notes_in_their_order() -> None:
    notes = [LivingNote(f"m{number}", "word " * 100) for number in range(400)]

    text = night_request("shop", notes).text

    assert len(text) <= NIGHT_TOKENS * CHARACTERS_A_TOKEN
    named = [line.partition(":")[0] for line in text.splitlines()]
    assert named == [f"m{number}" for number in range(400 - len(named), 400)]
