"""A new version of a document against what is kept of it."""

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.documents.items import Item, Topic
from actors.policy.documents.versions import (
    Changes,
    Kept,
    key_of,
    place_and_words,
    place_in,
    reconciled,
)

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
