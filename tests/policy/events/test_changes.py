"""The files of a commit."""

import pytest

from actors.policy.events.edits import PENDING, TOGETHER, Group
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import SessionTrail, followed

TURN_END = Event("claude", EventKind.TURN_END, "s1", "/p")


def edited(*paths: str) -> list[Event]:
    tools = (Tool("Edit", {"file_path": path, "new_string": "x"}) for path in paths)
    return [Event("claude", EventKind.TOOL, "s1", "/p", tool=tool) for tool in tools]


def ran(command: str, output: str = "") -> Event:
    tool = Tool("Bash", {"command": command}, output=output)
    return Event("claude", EventKind.TOOL, "s1", "/p", tool=tool)


def groups(*events: Event) -> list[Group]:
    """The files of each commit among these."""
    trail, found = SessionTrail(), list[Group]()
    for event in events:
        trail = followed(trail, event)
        if trail.changing.group is not None:
            found.append(trail.changing.group)
    return found


def test_a_commit_takes_in_what_was_edited_since_the_last_one() -> None:
    found = groups(
        *edited("/p/a.py"), TURN_END, *edited("/p/b.py"),
        ran("git add -A && git commit -m 'round up'", "[main 1a2b3c4] round up\n 2 files changed"),
        *edited("/p/c.py"), ran("git commit -am 'again'", "[main 5d6e7f8] again"), TURN_END,
    )  # fmt: skip

    assert found == [Group(("/p/a.py", "/p/b.py"), "1a2b3c4"), Group(("/p/c.py",), "5d6e7f8")]


def test_a_commit_of_which_git_says_no_name_is_none() -> None:
    assert groups(*edited("/p/a.py"), ran("git commit -qam x"), TURN_END) == []


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("git add b.py src && git commit -m x", ("/p/src/c.py", "/p/b.py")),
        ("git add src/ docs/made.md; git commit -m x", ("/p/src/c.py", "/p/docs/made.md")),
        ("cd src && git add -A . && git commit -m x", ("/p/src/c.py",)),
        ("cd src && git add -A && git commit -m x", ("/p/a.py", "/p/src/c.py", "/p/b.py")),
        ("git commit -m 'git add b.py'", ("/p/a.py", "/p/src/c.py", "/p/b.py")),
    ],
)
def test_what_is_added_by_name_is_what_is_committed(line: str, paths: tuple[str, ...]) -> None:
    (group,) = groups(*edited("/p/a.py", "/p/src/c.py", "/p/b.py"), ran(line, "[main 1a2b3c4] x"))

    assert group.paths == paths


def test_what_git_counts_fewer_of_was_committed_elsewhere() -> None:
    committed = ran("git commit -am x", "[main 1a2b3c4] x\n 1 file changed, 2 insertions(+)")
    found = groups(*edited("/p/old.py"), TURN_END, *edited("/p/new.py"), committed)

    assert found[-1].paths == ("/p/new.py",)


def test_a_quiet_commit_is_known_by_its_subject_in_a_log() -> None:
    line = "git commit -qm 'round the tax up' && git log --oneline -2"
    (group,) = groups(*edited("/p/a.py"), ran(line, "0a1b2c3 before\n1a2b3c4 round the tax up"))

    assert group.commit == "1a2b3c4"


def test_what_sweeps_over_many_files_says_nothing_of_them() -> None:
    paths = [f"/p/{number}.py" for number in range(TOGETHER + 1)]

    committed = ran("git commit -am x", "[main 1a2b3c4] x")

    assert groups(*edited(*paths), committed) == []
    assert len(groups(*edited(*paths[1:]), committed)) == 1


def test_what_waits_for_a_commit_is_bounded_and_the_end_lets_go_of_it() -> None:
    trail = SessionTrail()
    for event in edited(*(f"/p/{number}.py" for number in range(PENDING + 9))):
        trail = followed(trail, event)
    over = followed(trail, Event("claude", EventKind.SESSION_END, "s1", "/p"))

    assert len(trail.changing.edited) == PENDING
    assert (over.changing.edited, over.changing.turn) == ((), ())


def test_a_file_without_a_whole_path_is_nobodys() -> None:
    assert groups(*edited("a.py"), ran("git commit -am x", "[main 1a2b3c4] x")) == []
