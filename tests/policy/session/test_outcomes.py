"""What a person makes of an agent's edit: kept, undone, or neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.reinforcement import Use
from actors.policy.events.events import Tool
from actors.policy.session import outcomes
from actors.policy.session.outcomes import Edit

AT = 1_800_000_000.0
OLD = "engine = connect(port=5432)\n"
NEW = "engine = connect(port=5433)\nengine.timeout = 30\n"
TEXT = "import db\n\n{}\nengine.run()\n"
PATH = "/p/db.py"


def edit(old: str = OLD, new: str = NEW, path: str = PATH) -> Edit:
    made = outcomes.edit_of(replacing(old, new, path), "/p", AT)
    assert made is not None
    return made


def replacing(old: str = OLD, new: str = NEW, path: str = PATH) -> Tool:
    return Tool("Edit", {"file_path": path, "old_string": old, "new_string": new})


def shell(command: str) -> Tool:
    return Tool("Bash", {"command": command})


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (NEW, Use.KEPT),
        (OLD, Use.UNDONE),
        ("    engine = connect(port=5433)\n    engine.timeout = 30\n", Use.KEPT),  # a formatter
        ("engine = connect(port=5433)\n", None),  # half of it went
        (OLD + "engine.timeout = 30\n", None),  # half of it stayed
        ("engine = connect(port=5555)\n", None),  # a third thing
        ("", None),
    ],
)
def test_an_edit_is_kept_whole_or_undone_whole(now: str, expected: Use | None) -> None:
    assert outcomes.became(edit(), TEXT.format(now)) is expected


def test_a_line_that_was_put_in_is_undone_when_it_alone_is_gone() -> None:
    put_in = edit("engine.run_once()\n", "engine.run_once()\nengine.vacuum(full=True)\n")

    assert outcomes.became(put_in, "engine.run_once()\n") is Use.UNDONE
    assert outcomes.became(put_in, "engine.close_all()\n") is None


def test_several_edits_of_one_call_are_one() -> None:
    several = [
        {"old_string": "first = one()", "new_string": "first = two()"},
        {"old_string": "second = one()", "new_string": "second = two()"},
    ]
    made = outcomes.edit_of(Tool("MultiEdit", {"file_path": "db.py", "edits": several}), "/p", AT)

    assert made is not None
    assert made.path == PATH
    assert outcomes.became(made, "first = two()\nsecond = one()\n") is None
    assert outcomes.became(made, "first = one()\nsecond = one()\n") is Use.UNDONE


@pytest.mark.parametrize(
    "tool",
    [
        replacing(NEW, ""),  # nothing is added
        replacing("}\n", "};\n"),  # too short to be told from another
        replacing("", NEW),
        Tool("Write", {"file_path": PATH, "content": NEW}),
        Tool("Edit", {"file_path": PATH, "old_string": 1, "new_string": [NEW]}),
        Tool("Edit", {"old_string": OLD, "new_string": NEW}),
        shell("make test"),
    ],
)
def test_what_cannot_be_undone_line_by_line_is_no_edit(tool: Tool) -> None:
    assert outcomes.edit_of(tool, "/p", AT) is None


@pytest.mark.parametrize(
    "command",
    [
        "git checkout -- db.py",
        "cd /p && git stash",
        "make test; git merge origin/main --no-edit",
        "jj undo",
        "sed -i s/5433/5432/ db.py",
    ],
)
def test_what_the_agent_may_have_taken_back_nobody_undoes(command: str) -> None:
    """Of 435 edits that were seen again the seven that were undone were so by such commands."""
    assert outcomes.unsettled([edit()], shell(command), "/p") == ()


@pytest.mark.parametrize(
    "tool",
    [
        shell("git status && git log --oneline"),
        shell("git commit -am 'use another port'"),
        shell("sed -i s/5433/5432/ other.py"),
        replacing("import db", "import db, os"),
        replacing(path="/p/other.py", old=NEW, new=OLD),
    ],
)
def test_what_leaves_its_lines_alone_leaves_an_edit_open(tool: Tool) -> None:
    assert outcomes.unsettled([edit()], tool, "/p") == (edit(),)


def test_an_agent_that_edits_its_own_lines_again_ends_the_first_edit() -> None:
    assert (
        outcomes.unsettled([edit()], replacing("engine.timeout = 30", "pass  # none"), "/p") == ()
    )


LINES = st.lists(st.sampled_from([f"statement_{n}()" for n in range(9)]), max_size=6)


@given(LINES, LINES, LINES)
def test_no_text_is_both_and_an_edit_is_undone_by_what_was_there(
    old: list[str], new: list[str], around: list[str]
) -> None:
    before, after = "\n".join(old), "\n".join(new)
    made = outcomes.edit_of(replacing(before, after), "/p", AT)
    if made is None:
        assert not old or set(new) <= set(old)
        return

    rest = "\n".join(line for line in around if line not in made.added)
    assert outcomes.became(made, f"{rest}\n{after}") is Use.KEPT
    assert outcomes.became(made, f"{rest}\n{before}") is Use.UNDONE
    assert outcomes.became(made, rest) is (Use.UNDONE if made.before <= {*around} else None)
