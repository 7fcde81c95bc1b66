"""Arguments of the catalogue, checked before anything is asked."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.api.forget import Forget
from daemon.api.recall import Recall
from toolserver.catalogue import CATALOGUE
from toolserver.tool import Call, NotDone, Place
from toolserver.tools import TOOLS

BY_NAME = {tool.name: tool for tool in CATALOGUE}
HERE = Place("/shop/web", "/shop", "s1")


def asked(name: str, **arguments: Any) -> Any:
    return BY_NAME[name].asks(HERE, arguments)


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("memory_list", {"limit": "3"}, "limit: Expected `int`, got `str`"),
        ("memory_list", {"max_tokens": 5}, ">= 100"),
        ("memory_causal_link", {"sourceId": "m1"}, "targetId and relation is missing"),
        ("memory_search", {}, "query is missing"),
        ("memory_delete", {"id": ["m1"]}, "id: Expected `str`, got `array`"),
        ("memory_save", {"filePath": ""}, "filePath is missing"),
        ("explore_connections", {"from": "m1", "limit": 0}, "limit: Expected `int` >= 1"),
    ],
)
def test_a_wrong_argument_is_told_what_to_mend(name: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(NotDone) as refused:
        asked(name, **given)

    assert why in str(refused.value)


def test_an_older_parameter_without_a_field_changes_nothing_and_the_others_fill_the_request() -> (
    None
):
    call = asked("memory_context", input="queue", mode="deep", anchors=["x"], max_tokens=500)

    assert call == Call(Recall(query="queue", project="/shop"), 500)
    assert asked("memory_delete", id="m1").request == Forget(ids=["m1"])
    assert asked("memory_validate", id="m1", wasUseful=False).request.useful is False


def test_no_schema_of_an_argument_refers_to_another_place() -> None:
    """A client that turns words of a command line into values reads the type of each where it is."""
    for tool in (*TOOLS, *CATALOGUE):
        assert "$ref" not in str(tool.takes), tool.name


def test_every_tool_has_a_name_of_its_own_and_words_that_order_nothing() -> None:
    names = [tool.name for tool in (*TOOLS, *CATALOGUE)]

    assert len(set(names)) == len(names)
    for tool in (*TOOLS, *CATALOGUE):
        words = tool.description.lower().split()
        assert not {"always", "must", "every"} & set(words), tool.name
        assert len(tool.description) < 400
        assert (tool.takes["type"], tool.gives["type"]) == ("object", "object")
