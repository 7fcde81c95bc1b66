"""The request as a model is asked it, and the schema and the text that come of it."""

import pytest
from msgspec.structs import replace

from actors.policy.reader.exchange import SCHEMA, Reason, Request
from daemon.engines.documents import (
    LONGEST,
    MOST_OBJECTS,
    MOST_TEXTS,
    bounded,
    failed,
    loaded,
    prompt,
    shown,
)


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


# ---- complaints of a client, as a reason and one line without the session


@pytest.mark.parametrize(
    ("complaint", "reason"),
    [
        ("You've hit your usage limit. Try again at 3:14 PM.", Reason.LIMIT),
        ("stream error: exceeded retry limit, last status: 429 Too Many Requests", Reason.LIMIT),
        ('{"status":"RESOURCE_EXHAUSTED"}', Reason.LIMIT),
        ("Credit balance is too low", Reason.LIMIT),
        ("unexpected status 401 Unauthorized: Missing bearer", Reason.LOGGED_OUT),
        ("Please set an Auth method in your settings.json", Reason.LOGGED_OUT),
        ("OAuth token has expired", Reason.LOGGED_OUT),
        ("error: unexpected argument '--ephemeral' found", Reason.TOO_OLD),
        ("Unknown arguments: skip-trust", Reason.TOO_OLD),
        ("getaddrinfo ENOTFOUND api.example.com", Reason.OFFLINE),
        ("stream disconnected before completion: error sending request", Reason.OFFLINE),
        ("Segmentation fault", Reason.DIED),
        ("", Reason.DIED),
    ],
)
def test_the_reason_is_what_a_person_can_act_on(
    complaint: str, reason: Reason, request_of_session: Request
) -> None:
    assert failed(Reason.DIED, complaint, request_of_session).reason == reason


def test_a_line_is_one_and_short(request_of_session: Request) -> None:
    line = shown("\x1b[31merror\x1b[0m:\tno\nway " + "x" * 500, request_of_session)

    assert line.startswith("error : no way xxx")
    assert len(line) == LONGEST


@pytest.mark.parametrize(
    "line", ["bad input: WHICH PORT  does the", "note m12 (The shop deploys on Fridays.) is bad"]
)
def test_a_line_that_quotes_session_or_note_is_left_out(
    line: str, request_of_session: Request
) -> None:
    assert shown(line, request_of_session) == ""


def test_a_line_that_shares_a_word_with_the_session_is_shown(request_of_session: Request) -> None:
    about = replace(request_of_session, text="[1] user: the API said 429")

    assert shown("API Error: 429", about) == "API Error: 429"
