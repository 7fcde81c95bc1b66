"""Schemas of tools' arguments and answers, and arguments checked against them, strictly."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from toolserver.asking import NotDone

A = TypeVar("A", bound=msgspec.Struct)

CUT = {
    "description": "What was left out, for its length: narrow the question or raise max_tokens.",
    "type": "array",
    "items": {"type": "string"},
}


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of a struct, an object at its root, as the protocol wants it."""
    _, shapes = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    root = shapes.pop(kind.__name__)
    return {**root, "$defs": shapes} if shapes else root


def checked(kind: type[A], arguments: Mapping[str, Any]) -> A:
    """The arguments of a call. Raises ``NotDone`` with the mistake in them."""
    try:
        return msgspec.convert(arguments, kind, strict=True)
    except msgspec.ValidationError as error:
        raise NotDone(f"{error}: mend the arguments and call again") from None
