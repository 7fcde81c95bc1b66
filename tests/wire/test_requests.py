"""Requests are checked strictly at the edge: a wrong type is never bent into a right one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.api.operation import operations, reply_of, subjects
from daemon.dispatch import parsed, requests
from daemon.shapes.replies import BadRequest, Reply, Row

# A value of another type than any field of a request has.
FOREIGN = 3 + 4j


def least(kind: str) -> dict[str, Any]:
    """The least that a request must have."""
    body: dict[str, Any] = sample(requests()[kind])
    return body


def sample(wanted: Any) -> Any:
    """A value of a type; of a struct, its required fields alone."""
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return {
            field.encode_name: sample(field.type)
            for field in msgspec.structs.fields(wanted)
            if field.required
        }
    if get_origin(wanted) is list:
        return [sample(get_args(wanted)[0])]
    if get_origin(wanted) is dict:
        return {}
    if get_origin(wanted) is Annotated:
        kind, *limits = get_args(wanted)
        is_digest = any(getattr(one, "pattern", None) for one in limits)
        return "0" * 32 if is_digest else sample(kind)
    if get_origin(wanted) is Literal:
        return get_args(wanted)[0]
    return {str: "x", bool: True, int: 1, float: 1.0}[wanted]


def refusal(kind: str, /, **changed: Any) -> str:
    """Why the least of a request is refused once these fields are changed; nothing if it is taken."""
    try:
        parsed(kind, least(kind) | changed)
    except BadRequest as error:
        return str(error)
    return ""


def fields() -> Iterator[tuple[str, msgspec.structs.FieldInfo]]:
    """Each field of each request."""
    for kind, request in requests().items():
        yield from ((kind, field) for field in msgspec.structs.fields(request))


def test_the_least_of_each_request_is_taken() -> None:
    assert {kind: type(parsed(kind, least(kind))) for kind in requests()} == requests()


def test_a_request_survives_the_wire() -> None:
    asked = {kind: parsed(kind, least(kind)) for kind in requests()}
    heard = {kind: parsed(kind, msgspec.to_builtins(request)) for kind, request in asked.items()}

    assert heard == asked


def test_each_request_has_a_reply() -> None:
    replies = {kind: reply_of(type(parsed(kind, least(kind)))) for kind in requests()}

    assert [kind for kind, reply in replies.items() if not issubclass(reply, Reply)] == []


def test_a_field_that_does_not_exist_is_refused() -> None:
    assert [kind for kind in requests() if "colour" not in refusal(kind, colour="red")] == []


def test_a_field_that_is_missing_is_refused() -> None:
    for kind in requests():
        for field in least(kind):
            body = {name: value for name, value in least(kind).items() if name != field}
            with pytest.raises(BadRequest, match=field):
                parsed(kind, body)


def test_each_field_refuses_another_type() -> None:
    taken = [
        (kind, field.name)
        for kind, field in fields()
        if field.encode_name not in refusal(kind, **{field.encode_name: FOREIGN})
    ]

    assert taken == []


def test_numbers_written_as_text_and_text_as_numbers_are_refused() -> None:
    wrong: dict[Any, Any] = {str: 7, int: "7", float: "7", bool: "7"}
    taken = [
        (kind, field.name)
        for kind, field in fields()
        if field.type in wrong and not refusal(kind, **{field.encode_name: wrong[field.type]})
    ]

    assert taken == []


def test_a_number_that_no_row_has_is_refused() -> None:
    taken = [
        (kind, field.name)
        for kind, field in fields()
        if field.type is Row
        and field.encode_name not in refusal(kind, **{field.encode_name: 2**63})
    ]

    assert taken == []


@given(st.none() | st.integers() | st.text() | st.binary() | st.lists(st.integers()))
def test_a_body_that_is_no_map_is_refused(body: Any) -> None:
    for kind in requests():
        with pytest.raises(BadRequest):
            parsed(kind, body)


def test_a_request_that_does_not_exist_is_named_and_shortened() -> None:
    with pytest.raises(BadRequest, match=r"no request called 'x{40}'"):
        parsed("x" * 1000, {})


def test_no_two_operations_have_one_name() -> None:
    names = [one.NAME for subject in subjects() for one in operations(subject)]

    assert sorted(names) == sorted(requests())
