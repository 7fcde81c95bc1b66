"""The request as a model is asked it, and the schema and the text that come of it."""

from msgspec.structs import replace

from actors.policy.reader.exchange import SCHEMA, Request
from daemon.engines.documents import MOST_OBJECTS, MOST_TEXTS, bounded, loaded, prompt


def test_a_model_is_given_the_notes_that_it_may_name_and_the_session(
    request_of_session: Request,
) -> None:
    text = prompt(request_of_session)

    assert "m12: The shop deploys on Fridays.\n" in text
    assert text.endswith(f"The session:\n{request_of_session.text}\n")


def test_a_night_is_no_session(request_of_session: Request) -> None:
    night = replace(request_of_session, session="", known=(), text="m1: one note")

    assert prompt(night) == "m1: one note\n"


def test_every_list_of_a_bounded_schema_ends_and_the_schema_itself_stays() -> None:
    before = repr(SCHEMA)

    schema = bounded(SCHEMA, characters=320)

    notes = schema["properties"]["notes"]
    note = notes["items"]["properties"]
    assert notes["maxItems"] == MOST_OBJECTS
    assert note["cue_files"]["maxItems"] == MOST_TEXTS
    assert note["text"]["maxLength"] == 320
    assert "maxLength" not in note["kind"]
    assert repr(SCHEMA) == before


def test_a_line_break_in_a_string_is_let_pass() -> None:
    assert loaded('{"stopped": "one\ntwo"}') == {"stopped": "one\ntwo"}


def test_what_is_no_json_is_nothing() -> None:
    assert loaded("[" * 200_000) is None
    assert loaded(b"\xff\xfe") is None
