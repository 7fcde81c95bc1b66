"""About a file: what is counted, where the quiet line stands, and what the page tells."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from daemon.api.about import Bearing, SourceView
from daemon.shapes.results import Recalled, Scored
from lsp.documents import Document, Place
from lsp.pages import Tied, file_address, file_at, file_page, quiet_hint, quiet_line, tied
from tests.lsp.test_documents import document, memory, replaced
from tests.shapes import scored

CODE = "import a\n\ndef charge():\n    pass\n"


def recalled(*titles: str) -> Recalled:
    results = [
        scored(id=f"m{n}", text="text", title=title, origin="", project="/src/shop" if n else None)
        for n, title in enumerate(titles)
    ]
    return Recalled(results=results, confidence=1, mode="both", degraded=None, evidence={})


def known(*ids: str) -> list[Scored]:
    one = recalled("Charge *once*").results[0]
    return [msgspec.structs.replace(one, id=id_, text="Charge *once*, said Ann.") for id_ in ids]


def anchored(line: int, id_: str = "m1", stale: str = "") -> Place:
    about = msgspec.structs.replace(memory(id_=id_), anchored=True, lines=2, stale=stale)
    return Place(line, 4, line, 10, about)


def opened(*places: Place) -> Document:
    one = document(CODE)
    one.anchored(places)
    return one


def lines(those: list[Tied]) -> list[tuple[str, int | None, bool]]:
    return [(one.memory.id, one.line, bool(one.over)) for one in those]


def test_a_memory_counts_once_and_the_buffer_says_more_of_it_than_the_daemon() -> None:
    stale = msgspec.structs.replace(known("m1")[0], stale="gone")
    past = msgspec.structs.replace(known("m2")[0], valid=False)

    those = tied(opened(anchored(2)), [past, stale, *known("m3")], muted={"m3"})

    assert lines(those) == [("m1", 2, False), ("m2", None, True)]


def test_a_mention_alone_is_not_about_the_file() -> None:
    assert tied(document(CODE, Place(0, 0, 0, 1, memory())), [], muted=()) == []


def test_what_is_about_an_edited_line_is_no_longer_true_until_it_is_looked_at_again() -> None:
    one = opened(anchored(2))
    one.apply(replaced(2, 4, 2, 10, "refund"), "utf-16", now=0.0)
    edited = lines(tied(one, known("m1"), muted=()))
    one.anchored([anchored(2)])

    assert edited == [("m1", None, True)]
    assert lines(tied(one, known("m1"), muted=())) == [("m1", 2, False)]


def test_the_quiet_line_is_the_first_one_or_a_definition_without_a_hint() -> None:
    those = tied(opened(anchored(2)), known("m2"), muted=())

    def at(hinted: list[int], lines: int) -> int | None:
        one = quiet_line(those, hinted, lines, most=3)
        return one.line if one is not None else None

    assert at([], 4) == 0
    assert at([0], 200) == 2
    assert at([0, 2], 300) is None


def test_with_the_quiet_line_a_file_has_at_most_a_hint_in_a_hundred_lines_and_at_least_one() -> (
    None
):
    those = tied(None, known("m1"), muted=())

    assert quiet_line(those, [], 1, most=3) is not None
    assert quiet_line(those, [90], 199, most=3) is None
    assert quiet_line(those, [90], 200, most=3) is not None
    assert quiet_line(those, [20, 30, 40], 900, most=3) is None
    assert quiet_line(those, [], 900, most=0) is None
    assert quiet_line([], [], 900, most=3) is None


def test_the_quiet_line_names_the_first_memories_and_links_to_the_page_where_it_can() -> None:
    found = quiet_line(tied(None, known(*map(str, range(7))), muted=()), [], 4, most=3)
    assert found is not None

    linked = quiet_hint(found, "import 😀\n", "utf-16", links=True)
    plain = quiet_hint(found, "import 😀\n", "utf-16", links=False)

    assert linked.position.character == 9
    assert linked.data == {"stale": False}
    assert isinstance(linked.tooltip, str)
    assert linked.tooltip.count("- Charge \\*once\\*\n") == 5
    assert linked.tooltip.endswith("and 2 more\n\n[About this file](command:reverie.aboutFile)")
    assert isinstance(plain.tooltip, str)
    assert plain.tooltip.splitlines() == ["Charge *once*"] * 5 + ["and 2 more"]


def test_the_page_says_who_when_where_and_what_came_of_it() -> None:
    sources = {
        "m1": SourceView(session="s1", commit=""),
        "m2": SourceView(session="s2", commit="1a2b3c4", author="Ada"),
    }
    bearing = Bearing(project="/p", found=recalled(), ended=[], sources=sources)
    those = tied(opened(anchored(2, stale="charge is gone")), known("m2"), muted=())

    text = file_page("/p/pay.py", "file:///p/pay.py", those, bearing, 60.0, links=True)
    plain = file_page("/p/pay.py", "file:///p/pay.py", those, bearing, 60.0, links=False)

    assert text.startswith(
        "# About pay.py\n\n2 decisions about this file · 1 no longer true.\n\n## t\n\n"
    )
    assert "**No longer true?** charge is gone\n" in text
    assert "[pay.py:3](command:reverie.goToLine?%5B%7B%22uri%22%3A" in text
    assert " · remembered by hand · 1 minute ago · session s1\n" in text
    assert "1 minute ago\n" in text  # its origin names the commit
    assert "session s2" not in text
    assert "Charge \\*once\\*, said Ann." in text
    assert text.count("(command:reverie.forget?") == 2
    assert "pay.py:3 · remembered by hand" in plain
    assert "command:" not in plain


# An absolute path begins with one slash.
@given(st.text(min_size=1).filter(lambda text: text.isprintable() and text[0] != "/"))
def test_an_address_leads_back_to_its_file(name: str) -> None:
    path = f"/{name}"

    assert file_at(file_address(path)) == path
    assert file_at(path) is None
    assert file_at(file_address("/")) is None
