"""The catalogue: its arguments, checked before anything is asked, and what of the daemon it reaches."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.api.forget import Forget
from daemon.api.learn import Learn
from daemon.api.operation import operations, subjects
from daemon.api.recall import Recall
from daemon.shapes.replies import Done
from toolserver.catalogue import CATALOGUE, Renamed
from toolserver.tool import NotDone, Place, checked, schema_of
from toolserver.tools import TOOLS

BY_NAME = {tool.NAME: tool for tool in CATALOGUE}
HERE = Place("/shop/web", "/shop", "s1")


def called(name: str, /, **arguments: Any) -> Renamed:
    return checked(BY_NAME[name], arguments)


def asked(name: str, /, **arguments: Any) -> Any:
    return called(name, **arguments).asks(HERE)


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("memory_list", {"limit": "3"}, "Expected `int`, got `str` - at `$.limit`"),
        ("memory_list", {"max_tokens": 5}, ">= 100"),
        ("memory_causal_link", {"sourceId": "m1"}, "missing required field `targetId`"),
        ("memory_search", {}, "missing required field `query`"),
        ("memory_delete", {"id": ["m1"]}, "Expected `str`, got `array` - at `$.id`"),
        ("checkpoint_create", {"name": ""}, "length >= 1 - at `$.name`"),
        ("checkpoint_create", {"name": None}, "Expected `str`, got `null` - at `$.name`"),
        ("timeline", {"limit": 0}, "Expected `int` >= 1 - at `$.limit`"),
    ],
)
def test_a_wrong_argument_is_told_what_to_mend(name: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(NotDone) as refused:
        called(name, **given)

    assert why in str(refused.value)


def test_an_older_parameter_without_a_field_changes_nothing_and_the_others_fill_the_request() -> (
    None
):
    call = called("memory_context", input="queue", mode="deep", anchors=["x"], max_tokens=500)

    assert (call.asks(HERE), call.max_tokens) == (Recall(query="queue", project="/shop"), 500)
    assert asked("memory_delete", id="m1") == Forget(ids=["m1"])
    assert asked("memory_validate", id="m1", wasUseful=False).useful is False
    assert asked("memory_index_scan") == Learn(folder="/shop/web", yes=True)
    assert asked("memory_index_scan", dryRun=True).yes is False


def test_what_is_empty_or_of_no_concern_to_a_model_is_left_out_of_an_answer() -> None:
    assert Renamed.tells(Done(count=2)) == {"count": 2}
    assert Renamed.tells({"results": [{"id": "m1", "pid": 7}, {}], "projects": {"/bank": 3}}) == {
        "results": [{"id": "m1"}, {}]
    }


def test_no_schema_of_an_argument_refers_to_another_place() -> None:
    """A client that turns words of a command line into values reads the type of each where it is."""
    for tool in CATALOGUE:
        assert "$ref" not in str(schema_of(tool)), tool.NAME


def test_every_tool_has_a_name_of_its_own_and_words_that_order_nothing() -> None:
    names = [tool.NAME for tool in (*TOOLS, *CATALOGUE)]

    assert len(set(names)) == len(names)
    for tool in CATALOGUE:
        described = " ".join(schema_of(tool)["description"].split())
        assert not {"always", "must", "every"} & set(described.lower().split()), tool.NAME
        assert len(described) < 400


def test_agents_are_allowed_what_tools_ask_and_nothing_else() -> None:
    allowed = {one.NAME for each in subjects() for one in operations(each) if one.FOR_AGENTS}

    assert allowed == {tool.REQUEST.NAME for tool in CATALOGUE} | {"change-intention", "intend"}
    assert allowed == {
        "backup-now", "backups", "brief", "change-intention", "delete-backup", "dream", "edit",
        "explore", "feedback", "forget", "intend", "learn", "link", "list", "match", "recall",
        "remember", "stats", "status", "timeline", "unlink", "why",
    }  # fmt: skip
