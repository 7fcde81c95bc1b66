"""A shared note as a file: the same bytes for the same note, both forms of lists, and what is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.events.fence import INVISIBLE
from daemon.share.note import (
    ITEM,
    KINDS,
    LARGE,
    Note,
    Refused,
    digest,
    file_name,
    plain,
    read,
    shared_id,
    written,
)

NOTE = Note(
    id="638d0fddb0be", kind="decision", title="Ports above 9000", by="Ada",
    text="Tests listen above 9000, because CI blocks the others.\n\n---\n\nSee the wiki.",
    when=1_795_990_574.0, cues=("new port",), about=("src/server.py",),
)  # fmt: skip
FILE = written(NOTE).decode()


def visible(limit: int) -> st.SearchStrategy[str]:
    """Text of one line as a note may hold it."""
    characters = st.characters(exclude_categories=("C", "Z"), include_characters=" \"'[],:#-")
    return (
        st.text(characters, min_size=1, max_size=limit)
        .map(lambda said: " ".join(plain(said).split()))
        .filter(bool)
    )


notes = st.builds(
    Note,
    id=st.from_regex(r"\A[a-z0-9][a-z0-9-]{5,39}\Z"),
    kind=st.sampled_from(sorted(KINDS)),
    title=visible(80),
    text=st.lists(visible(40), min_size=1, max_size=5).map("\n".join).map(str.strip),
    by=visible(30),
    when=st.integers(0, 2**33).map(float),
    cues=st.lists(visible(40), max_size=4).map(tuple),
    about=st.lists(st.from_regex(r"\A[a-z]{1,9}(/[a-z.]{1,9}z){0,3}\Z"), max_size=3).map(tuple),
    why=st.just("") | visible(60),
)


@given(notes)
def test_a_note_comes_back_from_its_file_and_is_the_same_bytes_again(note: Note) -> None:
    assert read(written(note)) == note
    assert written(read(written(note))) == written(note)


def test_lists_are_read_in_both_forms_and_say_the_same() -> None:
    flow = FILE.replace('cues:\n  - "new port"', "cues: [new port]")
    flow = flow.replace('about:\n  - "src/server.py"', "about: ['src/server.py']")

    assert read(flow.encode()) == NOTE
    assert digest(read(flow.encode())) == digest(NOTE)


def test_what_git_and_editors_do_to_a_file_changes_nothing_of_the_note() -> None:
    as_on_windows = FILE.replace("\n", "\r\n").encode()
    with_a_mark = b"\xef\xbb\xbf" + FILE.encode()
    with_more = FILE.replace("kind:", "# reviewed\nreviewer: Bob\nkind:").encode()

    assert read(as_on_windows) == read(with_a_mark) == read(with_more) == NOTE


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("id: 638d0fddb0be", "id: ../../etc/passwd", "its id is none"),
        ("id: 638d0fddb0be", "id: 638d0fddb0be\nid: other-id", "gives id a second time"),
        ("kind: decision", "kind: constitutional", "its kind is none of"),
        ('by: "Ada"', "", "it has no name of who shares it"),
        ('by: "Ada"', 'by: "Ada', "does not end its quotes"),
        ("src/server.py", "../../.ssh/id_rsa", "leads out of the repository"),
        ("src/server.py", "/etc/passwd", "leads out of the repository"),
        ("2026-11-29T", "soon", "its time is none"),
        ("Ports above", "Ports \u202eabove", "nobody sees (U+202E)"),
        ("Ports above", "Ports \x1b[31mabove", "nobody sees (U+001B)"),
        ("See the wiki.", "<<<<<<< ours\nSee it.\n=======\nSee the wiki.\n>>>>>>> theirs", "a merge"),
        ("---\n\nTests", "\nTests", "is neither a key"),
        ("cues:", "!!python/object:os.system", "is neither a key"),
        ("new port", "x" * (ITEM + 1), "too long"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_with_one_line(
    before: str, after: str, reason: str
) -> None:
    assert before in FILE
    with pytest.raises(Refused) as refused:
        read(FILE.replace(before, after, 1).encode())

    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("length", range(1, len(FILE) - 1, 7))
def test_a_half_written_file_is_refused_or_ends_with_a_whole_line(length: int) -> None:
    half = FILE[:length].encode()
    try:
        said = read(half)
    except Refused:
        return

    assert half.endswith(b"\n")
    assert NOTE.text.startswith(said.text)


@given(st.data())
def test_whatever_a_file_holds_it_is_a_note_within_its_bounds_or_refused(
    data: st.DataObject,
) -> None:
    whole = FILE.encode()
    at = data.draw(st.integers(0, len(whole)))
    upto = data.draw(st.integers(at, len(whole)))
    broken = whole[:at] + data.draw(st.binary(max_size=40)) + whole[upto:]
    for file in (broken, data.draw(st.binary(max_size=200))):
        with suppress(Refused):
            said = read(file)
            assert read(written(said)) == said
            assert "/" not in file_name(said)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[" * LARGE, b"x" * (LARGE + 1)])
def test_what_is_no_text_or_too_large_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        read(data)


def test_a_list_that_nests_without_end_is_refused() -> None:
    with pytest.raises(Refused):
        read(FILE.replace('cues:\n  - "new port"', f"cues: {'[' * 30_000}]").encode())


@pytest.mark.parametrize("title", ["../../etc/passwd", "Ports: 9000/tcp", "Überall\n", "…"])
def test_a_file_has_a_name_without_a_path_whatever_the_title(title: str) -> None:
    name = file_name(replace(NOTE, title=title))

    assert "/" not in name
    assert name.endswith("638d0fddb0be.md")
    assert not name.startswith(".")


def test_two_homes_have_different_ids_for_the_same_number() -> None:
    ids = {shared_id("store-a", 1), shared_id("store-b", 1), shared_id("store-a", 2)}

    assert len(ids) == 3


def test_a_text_loses_what_nobody_sees_before_it_leaves() -> None:
    assert plain("one\r\ntwo\u202e\x1b[31m ") == "one\ntwo[31m"
    assert INVISIBLE.search(plain("\u202d\ufeff")) is None
