"""Versions of documents: by writes, edits and whole reads; what they supersede."""

from typing import Any

import pytest

from actors.policy.documents.versions import Version, is_superseded, version_after, whole
from actors.policy.events.events import Event, EventKind, Tool

GAP = "head\n[… 900 characters left out …]\ntail"


def after(
    name: str, before: Version | None = None, response: Any = None, **call: Any
) -> Version | None:
    event = Event("claude", EventKind.TOOL, tool=Tool(name, call, response))
    return version_after(event, before)


def test_what_is_written_is_the_whole_document_unless_its_middle_is_missing() -> None:
    assert after("Write", content="# A\ntext") == Version("# A\ntext", is_whole=True)
    assert after("Write", content=GAP) == Version(GAP, is_whole=False)


def test_an_edit_changes_the_version_before_it() -> None:
    before = Version("one two one", is_whole=True)

    assert after("Edit", before, old_string="one", new_string="three") == Version(
        "three two one", is_whole=True
    )
    assert after("Edit", before, old_string="one", new_string="3", replace_all=True) == Version(
        "3 two 3", is_whole=True
    )


def test_several_edits_change_it_in_their_order() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": "c"}]

    assert after("MultiEdit", Version("a", is_whole=True), edits=edits) == Version(
        "c", is_whole=True
    )


def test_the_file_before_the_edit_is_taken_from_the_answer() -> None:
    found = after("Edit", None, {"originalFile": "x y"}, old_string="x", new_string="z")

    assert found == Version("z y", is_whole=True)


def test_an_edit_of_an_unknown_document_tells_its_new_text_alone() -> None:
    found = after("Edit", None, old_string="x", new_string="- new")

    assert found is not None
    assert not found.is_whole
    assert found.text.endswith("- new")


def test_only_a_whole_read_tells_a_document() -> None:
    file = {"content": "text", "numLines": 3, "totalLines": 3}

    assert after("Read", None, {"file": file}) == Version("text", is_whole=True)
    assert after("Read", None, {"file": file}, offset=2) is None
    assert after("Read", None, {"file": {**file, "totalLines": 9}}) is None


@pytest.mark.parametrize(
    ("name", "response", "call", "path"),
    [
        ("Write", None, {"content": "x"}, "/p/a.md"),
        ("Read", {"file": {"content": "x", "numLines": 3, "totalLines": 3}}, {}, "/p/a.md"),
        ("Read", {"file": {"content": "x", "numLines": 3, "totalLines": 9}}, {}, ""),
        ("Read", {"file": {"content": "x", "numLines": 3, "totalLines": 3}}, {"limit": 3}, ""),
        ("Read", {"type": "image"}, {}, ""),
        ("Edit", None, {"old_string": "x", "new_string": "y"}, ""),
    ],
)
def test_a_file_that_is_written_or_read_to_its_end_is_whole(
    name: str, response: Any, call: Any, path: str
) -> None:
    tool = Tool(name, {"file_path": "/p/a.md", **call}, response)

    assert whole(Event("claude", EventKind.TOOL, tool=tool)) == path
    assert whole(Event("claude", EventKind.TOOL_ERROR, tool=tool)) == ""


def test_other_tools_and_failures_tell_none() -> None:
    failed = Event("claude", EventKind.TOOL_ERROR, tool=Tool("Write", {"content": "x"}))

    assert after("Bash", command="cat a.md") is None
    assert version_after(failed, None) is None
    assert after("Write", content=7) is None


@pytest.mark.parametrize(
    "text",
    [
        "# ADR 3\n\nStatus: superseded by ADR 7\n",
        "**Status**: Deprecated\n",
        "> Superseded by [7](7.md)\n",
    ],
)
def test_a_document_says_that_another_took_its_place(text: str) -> None:
    assert is_superseded(text)
    assert not is_superseded("# A\n\nThe cache was superseded by nothing.\n\nStatus: accepted\n")
