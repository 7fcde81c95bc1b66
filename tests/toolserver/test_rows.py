"""Arguments of the catalogue, checked before anything is asked."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.api.recall import Recall
from toolserver.catalogue import CATALOGUE
from toolserver.tool import NotDone, Place
from toolserver.tools import TOOLS

BY_NAME = {tool.name: tool for tool in CATALOGUE}
HERE = Place("/shop/web", "/shop", "s1")


def asked(name: str, **arguments: Any) -> Any:
    return BY_NAME[name].asks(HERE, arguments)


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("memory_list", {"limitt": 3}, "there is no argument 'limitt': did you mean limit?"),
        ("memory_list", {"limit": "3"}, "limit: Expected `int`, got `str`"),
        ("memory_list", {"max_tokens": 5}, ">= 100"),
        ("memory_causal_link", {"sourceId": "m1"}, "targetId and relation is missing"),
        ("memory_search", {}, "query is missing"),
        ("memory_save", {}, "say filePath"),
        ("intention", {}, "action: one of set, check, update, list"),
        ("intention", {"action": ["set"]}, "action: one of set"),
        ("intention", {"action": "set"}, "description and trigger is missing"),
        ("intention", {"action": "set", "description": "x", "trigger": {}}, "trigger: say one of at"),
        ("intention", {"action": "set", "description": "x", "trigger": {"recurrence": "daily"}}, "unknown field"),
        ("intention", {"action": "set", "description": "x", "trigger": {"at": "soon"}}, "no ISO date"),
        ("task_preflight", {"specFolder": "s", "taskId": "t", "knowledgeScore": 101}, "<= 100"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_told_what_to_mend(name: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(NotDone) as refused:
        asked(name, **given)

    assert why in str(refused.value)


def test_older_parameters_without_effect_are_named_and_the_others_fill_the_request() -> None:
    call = asked("memory_context", input="queue", mode="deep", anchors=["x"], max_tokens=500)

    assert call.told == {"without_effect": ["anchors"]}
    assert call.tokens == 500
    assert call.request == Recall(query="queue", associations=True, project="/shop")


def test_no_schema_of_an_argument_refers_to_another_place() -> None:
    """A client that turns words of a command line into values reads the type of each where it is."""
    for tool in (*TOOLS, *CATALOGUE):
        assert "$ref" not in str(tool.takes), tool.name
    assert BY_NAME["intention"].takes["properties"]["trigger"]["type"] == "object"


def test_every_tool_has_a_name_of_its_own_and_words_that_order_nothing() -> None:
    names = [tool.name for tool in (*TOOLS, *CATALOGUE)]

    assert len(set(names)) == len(names)
    for tool in (*TOOLS, *CATALOGUE):
        words = tool.description.lower().split()
        assert not {"always", "must", "every"} & set(words), tool.name
        assert len(tool.description) < 400
        assert (tool.takes["type"], tool.gives["type"]) == ("object", "object")
