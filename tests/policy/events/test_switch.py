"""The switch: which prompts switch notes off and on, and where nothing is recorded."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.switch import (
    MARK,
    MOST,
    Off,
    Pause,
    Switches,
    matched,
    off_at,
    pauses_of,
    places,
    places_of_text,
    switched,
)


@pytest.mark.parametrize(
    "prompt",
    ["/memory off", "  /memory off\n", "/Memory OFF", ".memory off", "/memory \toff",
     ".nomemory", "fix the port\n.nomemory", "\t.nomemory \nfix the port", ".NOMEMORY\r\nfix it"],
)  # fmt: skip
def test_a_prompt_of_the_switch_alone_or_no_memory_on_a_line_switches_off(prompt: str) -> None:
    assert switched(prompt) is True


@pytest.mark.parametrize("prompt", ["/memory on", "\n.memory on ", "/MEMORY on"])
def test_a_prompt_that_is_only_the_switch_switches_on(prompt: str) -> None:
    assert switched(prompt) is False


@pytest.mark.parametrize(
    "prompt",
    ["", "/memory", "/memory offline", "what does /memory off do?", "/memory off please",
     "memory off", "/memory\noff", "add .nomemory to the docs", ".nomemory off", "x.nomemory"],
)  # fmt: skip
def test_a_prompt_that_only_speaks_of_it_switches_nothing(prompt: str) -> None:
    assert switched(prompt) is None


@given(st.text())
def test_any_text_has_an_answer_and_space_around_it_changes_nothing(text: str) -> None:
    assert switched(f" {text} ") == switched(text)


@given(st.text(), st.text())
def test_a_line_of_its_own_switches_off_wherever_it_stands(before: str, after: str) -> None:
    assert switched(f"{before}\n.nomemory\n{after}") is True


# ---- places


def disk(*marked: str) -> Callable[[str], bool]:
    """A disk on which these folders hold the mark, and everything else is there."""
    return lambda path: not path.endswith(f"/{MARK}") or path.rpartition("/")[0] in marked


def real(path: str) -> str:
    """Home is Ada's; one folder is a link."""
    path = path.replace("~", "/home/ada", 1)
    return path.replace("/home/ada/link", "/private/diary", 1)


def off(event: dict[str, Any], *marked: str) -> str:
    return off_at(places({"cwd": "/home/ada/shop", **event}), disk(*marked), real)


def test_a_mark_holds_for_its_folder_and_all_below() -> None:
    assert off({}, "/home/ada/shop") == "/home/ada/shop"
    assert off({}, "/home/ada") == "/home/ada"
    assert off({}, "") == "/"
    assert off({}, "/home/ada/shop/src", "/home/ada/sho", "/home/ada/shop2") == ""


DIARY = "/home/ada/shop/diary"
THERE: list[dict[str, Any]] = [
    {"tool_input": {"file_path": f"{DIARY}/today.md"}},
    {"tool_input": {"file_path": "diary/today.md"}},
    {"tool_input": {"notebook_path": "./src/../diary/n.ipynb"}},
    {"tool_input": {"path": DIARY, "pattern": "x"}},
    {"tool_input": {"workdir": "diary", "command": ["ls"]}},
    {"tool_input": {"paths": ["src/a.py", "diary/b.md"]}},
    {"tool_input": {"command": "cat diary/today.md | head"}},
    {"tool_input": {"command": "cd diary && ls"}},
    {"tool_input": {"command": "ls 'diary/of ada' "}},
    {"tool_input": {"command": 'ls "diary"/x'}},
    {"tool_input": {"command": "grep -r x --include=*.md --file=diary/x ."}},
    {"tool_input": {"command": "cat ~/shop/diary/today.md >out.txt"}},
    {"tool_input": {"command": "cat $HOME/shop/diary/x ${HOME}/y"}},
    {"tool_input": {"command": "echo x >diary/new.md"}},
    {"tool_input": {"command": ["bash", "-lc", "cat diary/today.md"]}},
    {"tool_input": {"input": "*** Begin Patch\n*** Update File: diary/today.md\n+x"}},
    {"tool_input": {"pattern": "x"}, "tool_response": {"filenames": ["src/a.py", "diary/b.md"]}},
    {"tool_input": {}, "tool_response": {"file": {"filePath": f"{DIARY}/b.md", "content": "x"}}},
]


@pytest.mark.parametrize("event", THERE)
def test_a_tool_that_was_given_a_path_there_works_there(event: dict[str, Any]) -> None:
    assert off(event, DIARY) == DIARY
    assert off(event, "/home/ada/shop/other") == ""


ELSEWHERE: list[dict[str, Any]] = [
    {"prompt": "what stands in diary/today.md?"},
    {"tool_input": {"file_path": "src/diary.md"}},
    {"tool_input": {"command": "cat diary.md diaryx/y 'a diary'"}},
    {"tool_input": {"file_path": "src/a.py", "content": "see diary/today.md"}},
    {"tool_response": {"originalFile": "see\n/home/ada/shop/diary/today.md\n"}},
    {"tool_input": {"command": None, "path": 7, "paths": [None, {}], "file": {"a": 1}}},
    {"tool_input": "diary", "tool_response": ["diary"]},
]


@pytest.mark.parametrize("event", ELSEWHERE)
def test_what_only_speaks_of_it_works_elsewhere(event: dict[str, Any]) -> None:
    assert off(event, DIARY) == ""


def test_a_link_leads_to_where_it_leads() -> None:
    assert off({"tool_input": {"file_path": "~/link/x"}}, "/private") == "/private"
    assert off({"cwd": "/home/ada/link"}, "/private/diary") == "/private/diary"


def test_without_a_folder_a_relative_path_is_nowhere() -> None:
    assert places({"tool_input": {"path": "diary"}}) == ()
    assert places({"cwd": 7, "tool_input": {"path": "/a\0b"}}) == ()


def test_a_broken_event_still_says_where_its_session_works() -> None:
    broken = '{"session_id": "s", "cwd" : "/home/ada/shop/diary", "prompt": "bro'

    assert off_at(places_of_text(broken), disk(DIARY), real) == DIARY
    assert places_of_text("cwd /home/ada") == ()


def test_a_path_is_looked_at_once_and_no_event_asks_for_thousands() -> None:
    asked: list[str] = []
    words = " ".join(f"d{n}/x" for n in range(5_000))

    def is_there(path: str) -> bool:
        asked.append(path)
        return False

    off_at(places({"cwd": "/a", "tool_input": {"command": words}}), is_there, real)

    marks = [path for path in asked if path.endswith(MARK)]
    assert len(marks) == len(set(marks))
    assert len(asked) <= 4 * MOST


# ---- Pauses and private folders


SHOP, AWAY = "/home/ada/shop", "/home/ada/away"


def by(
    *pauses: Pause,
    private: tuple[str, ...] = (),
    where: tuple[str, ...] = (SHOP,),
    session: str = "s1",
    at: float = 100.0,
    begin: float | None = None,
) -> Off | None:
    """Cause that switches recording off for an event at ``at``."""
    switches = Switches(lambda _: False, real, private, pauses)
    return switches.off(where, session, at if begin is None else begin, at)


def test_a_pause_holds_from_its_beginning_until_its_end_and_no_longer() -> None:
    pause = Pause(100.0, 200.0)

    held = [at for at in (99.9, 100.0, 199.9, 200.0) if by(pause, at=at)]

    assert held == [100.0, 199.9]
    assert by(Pause(100.0, None), at=1e12)


def test_what_tells_of_the_time_before_is_off_when_some_of_it_was_paused() -> None:
    assert by(Pause(100.0, 200.0), begin=150.0, at=900.0)
    assert by(Pause(100.0, 200.0), begin=200.0, at=900.0) is None
    assert by(Pause(100.0, 200.0), begin=0.0, at=99.0) is None


def test_a_pause_of_a_session_concerns_no_other_and_one_of_a_folder_what_lies_there() -> None:
    session, folder = Pause(0.0, None, session="s1"), Pause(0.0, None, (SHOP,))

    assert by(session)
    assert by(session, session="s2") is None
    assert by(folder, where=(f"{SHOP}/src",))
    assert by(folder, where=(AWAY, f"{SHOP}/src/main.py"))  # a tool sent there from elsewhere
    assert by(folder, where=(f"{SHOP}ping",)) is None


def test_what_does_not_say_where_or_in_which_session_it_happens_counts_as_paused() -> None:
    assert by(Pause(0.0, None, (SHOP,)), where=())
    assert by(Pause(0.0, None, session="s1"), session="")


def test_a_path_that_leads_into_a_paused_folder_is_there() -> None:
    switches = Switches(
        lambda path: not path.endswith(MARK),
        lambda path: path.replace("link", "shop"),
        pauses=[Pause(0.0, None, (SHOP,))],
    )

    assert switches.off(("/home/ada/link/x",), "s1", 1.0, 1.0)


@pytest.mark.parametrize(
    ("pattern", "path", "named"),
    [
        ("/home/ada/shop", f"{SHOP}/src/x.py", SHOP),
        ("/home/*/shop", SHOP, SHOP),
        ("~/shop/**", f"{SHOP}/src", SHOP),
        ("shop", f"{SHOP}/src", SHOP),
        ("**/ada/s*p", f"{SHOP}/src", SHOP),
        ("*-private", "/projects/a-private/b", "/projects/a-private"),
        ("a*b*c", "/x/a-b-b-c", "/x/a-b-b-c"),
        ("a*b*c", "/x/a-c-b", ""),
        ("ab*ba", "/aba", ""),
        ("/shop", SHOP, ""),
        ("", SHOP, ""),
        ("/", SHOP, ""),
    ],
)
def test_a_pattern_names_folders_and_what_is_below(pattern: str, path: str, named: str) -> None:
    off = by(private=(pattern,), where=(path,))

    assert (off.folder if off else "") == named


@given(
    pattern=st.text("ab*", max_size=8),
    name=st.text("ab", min_size=1, max_size=12),
)
def test_a_star_stands_for_any_part_of_a_name(pattern: str, name: str) -> None:
    as_shell = fnmatchcase(name, pattern) and pattern not in ("", "**")

    assert bool(matched("/" + pattern, "/" + name)) is as_shell


@pytest.mark.parametrize(
    "found",
    [None, {}, [1], [{"since": 1.0}],
     [{"since": "1", "until": None, "folders": [], "session": ""}]],
)  # fmt: skip
def test_a_file_of_pauses_that_makes_no_sense_pauses_everything(found: Any) -> None:
    (pause,) = pauses_of(found)

    assert (pause.since, pause.until, pause.folders, pause.session) == (0.0, None, (), "")
