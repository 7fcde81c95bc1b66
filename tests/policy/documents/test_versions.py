"""Versions of documents, by writes, edits and whole reads, and against what is kept of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.documents.items import Item, Topic
from actors.policy.documents.versions import (
    Changes,
    Kept,
    Version,
    is_superseded,
    key_of,
    place_and_words,
    place_in,
    reconciled,
    version_after,
    whole,
)
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


# ---- a new version against what is kept of its document


PLACE = "docs/a.md"


def item(text: str, line: int = 3, heading: str = "Gotchas") -> Item:
    return Item(("A", heading), line, Topic.TRAP, text, 4)


def kept(memory_id: int, one: Item, ended: str | None = None, *, elsewhere: bool = False) -> Kept:
    return Kept(memory_id, key_of(PLACE, one), one.text, ended, elsewhere)


OLD = item("the watcher hangs on macOS because of fsevents")
NEW = item("the watcher hangs on macOS 15 because of fsevents")
OTHER = item("never run reset on staging")


def test_a_key_names_document_line_words_and_headings() -> None:
    key = key_of(PLACE, OLD)

    assert key == f"document:docs/a.md:3:{OLD.digest}#A > Gotchas"
    assert place_in(key) == PLACE
    assert place_in("imported:7") is None
    assert place_and_words(key) == place_and_words(key_of(PLACE, item(OLD.text, 90, "Else")))


def test_what_stays_changes_nothing() -> None:
    assert reconciled(PLACE, [kept(1, OLD)], [OLD], is_whole=True) == Changes((), (), (), ())


def test_what_lies_elsewhere_in_the_document_is_moved() -> None:
    lower = item(OLD.text, 40, "Else")

    assert reconciled(PLACE, [kept(1, OLD)], [lower], is_whole=True).moved == ((1, lower),)


def test_new_words_take_the_place_of_those_they_resemble() -> None:
    found = reconciled(PLACE, [kept(1, OLD), kept(2, OTHER)], [NEW, OTHER], is_whole=True)

    assert found == Changes(((NEW, 1),), (), (), ())


def test_what_is_gone_ends() -> None:
    found = reconciled(PLACE, [kept(1, OLD), kept(2, OTHER)], [OTHER], is_whole=True)

    assert found == Changes((), (1,), (), ())


def test_a_version_known_in_part_ends_nothing() -> None:
    known = [kept(1, OLD), kept(2, OTHER)]

    assert reconciled(PLACE, known, [], is_whole=False).ended == ()


def test_what_comes_back_is_revived_unless_a_person_ended_it() -> None:
    def back(ended: str, *, elsewhere: bool = False) -> Changes:
        known = [kept(1, OLD, ended, elsewhere=elsewhere)]
        return reconciled(PLACE, known, [OLD], is_whole=True)

    assert back("deprecated").revived == (1,)
    assert back("forgotten") == Changes((), (), (), ())
    assert back("refuted") == Changes((), (), (), ())
    assert back("deprecated", elsewhere=True) == Changes((), (), (), ())


TEXTS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)


@given(TEXTS, TEXTS)
def test_after_any_version_exactly_its_items_live(before: list[str], after: list[str]) -> None:
    known = [kept(at, item(f"tool {text} fails")) for at, text in enumerate(before, 1)]
    said = [item(f"tool {text} fails") for text in after]

    found = reconciled(PLACE, known, said, is_whole=True)

    ended = {*found.ended, *(old for _, old in found.fresh if old is not None)}
    living = {one.text for one in known if one.id not in ended} | {
        one.text for one, _ in found.fresh
    }
    assert living == {one.text for one in said}
    assert reconciled(
        PLACE, [kept(at, one) for at, one in enumerate(said)], said, is_whole=True
    ) == (Changes((), (), (), ()))
