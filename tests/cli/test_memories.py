"""The commands about memories: what is asked of the daemon, and what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daemon import cli
from daemon.commands.terminal import failure
from daemon.commands.terminal.scope import current_project
from daemon.projects import project_root
from daemon.requests.forget import Forget, Purge, Unforget
from daemon.requests.memories import List, Listed, MemoryView, Show, Shown
from daemon.requests.recall import Channel, Degraded, Missing, Recall, Recalled, Scored
from daemon.requests.remember import Decided, Remember
from daemon.requests.shapes import Done, Problem, Request
from daemon.requests.strength import Feedback, Pin
from daemon.requests.why import ConsideredView
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

CREATED = Decided(id="m1", action="CREATE", reason="nothing near", similarity=None)
VIEW = MemoryView(
    id="m1",
    text="Tests run with make check.\nNever with tox.",
    title="How to test",
    kind="convention",
    tier="important",
    project=None,
    created_at=1_700_000_000.0,
    updated_at=1_700_000_000.0,
    state="HOT",
    retrievability=0.93,
    stability=4.2,
    pinned=True,
    ended=None,
    key=None,
    triggers=["run the tests"],
    origin="remembered by hand",
    session=None,
    versions=1,
)
SCORED = Scored(
    id="m1",
    key="k1",
    score=0.83,
    text=VIEW.text,
    title=VIEW.title,
    kind="convention",
    tier="important",
    origin="remembered by hand",
    project=None,
    created_at=1_700_000_000.0,
    why="words and vectors agree",
    parts={"words": 0.7},
)


LOADING = Degraded(
    failure_mode="vectors unavailable",
    fallback_mode="words and triggers",
    confidence_impact=0.1,
    retry_recommendation="delayed",
    channels=[
        Missing(
            channel="vectors",
            failure_mode="unavailable",
            detail="the model is loading",
            confidence_impact=0.1,
            retry_recommendation="delayed",
        )
    ],
    line="vectors: unavailable (the model is loading). Searched by words and triggers",
)


def recalled(
    *results: Scored,
    degraded: Degraded | None = None,
    considered: list[ConsideredView] | None = None,
) -> Recalled:
    return Recalled(
        considered=considered or [],
        results=list(results),
        confidence=0.9,
        mode="words" if degraded else "both",
        degraded=degraded,
        evidence={"gap": 0.2},
        timings={"words": 1.5},
        prompt="<recalled>\n</recalled>",
    )


def last(daemon: FakeDaemon) -> Any:
    return daemon.asked[-1]


def test_remember_asks_for_exactly_what_was_said(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Remember, CREATED)

    done = run(
        *("remember", "use", "tabs", "--title", "T", "--type", "preference", "--tier", "critical"),
        *("--trigger", "indent", "--trigger", "tabs", "--project", "web"),
    )

    assert done.exit_code == 0, done.output
    assert last(daemon) == Remember(
        text="use tabs",
        title="T",
        type="preference",
        tier="critical",
        triggers=["indent", "tabs"],
        project="web",
    )
    assert done.output == "m1  remembered (nothing near)\n"


def test_remember_is_for_every_project_unless_one_is_named(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Remember, CREATED)

    run("remember", "x")

    assert last(daemon).project is None


def test_a_dot_is_the_current_project(
    daemon: FakeDaemon, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.reply(Remember, CREATED)
    monkeypatch.chdir(tmp_path)

    run("remember", "x", "--project", ".")

    assert last(daemon).project == str(project_root(tmp_path))


def test_remember_prints_one_json_document(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Remember, CREATED)

    done = run("remember", "x", "--json")

    assert json.loads(done.stdout) == {
        "id": "m1",
        "action": "CREATE",
        "reason": "nothing near",
        "similarity": None,
    }


def test_remember_reads_standard_input(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Remember, CREATED)

    run("remember", "-", input="line one\nline two \n")

    assert last(daemon).text == "line one\nline two"


@pytest.mark.parametrize(
    ("option", "intent", "target"),
    [
        (["--new"], "new", None),
        (["--update", "m7"], "update", "m7"),
        (["--supersede", "m7"], "supersede", "m7"),
        ([], "auto", None),
    ],
)
def test_the_intent_is_told(
    daemon: FakeDaemon, run: Run, option: list[str], intent: str, target: str | None
) -> None:
    daemon.reply(Remember, CREATED)

    run("remember", "x", *option)

    assert (last(daemon).intent, last(daemon).target) == (intent, target)


def test_two_intents_are_wrong_usage(daemon: FakeDaemon, run: Run) -> None:
    assert run("remember", "x", "--new", "--update", "m7").exit_code == failure.WRONG_USAGE


def test_an_empty_text_is_wrong_usage(daemon: FakeDaemon, run: Run) -> None:
    assert run("remember", "-", input=" \n").exit_code == failure.WRONG_USAGE


def test_recall_prints_the_document_of_the_design(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Recall, recalled(SCORED))

    document = json.loads(run("recall", "how to test", "--json").stdout)

    assert document["confidence"] == 0.9
    assert document["degraded"] is None
    result = document["results"][0]
    assert (result["id"], result["key"], result["score"]) == ("m1", "k1", 0.83)
    assert {"text", "title", "origin"} <= set(result)
    assert "why" not in result


def test_recall_explains_when_asked(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Recall, recalled(SCORED))

    document = json.loads(run("recall", "x", "--json", "--explain").stdout)

    assert document["results"][0]["why"] == "words and vectors agree"
    assert document["timings"] == {"words": 1.5}
    assert last(daemon).explain


def test_recall_passes_its_options_on(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Recall, recalled())

    run("recall", "a", "b", "-k", "3", "--all", "--no-track")

    request = last(daemon)
    assert (request.query, request.k, request.everywhere, request.track) == ("a b", 3, True, False)


def test_recall_searches_the_current_project(
    daemon: FakeDaemon, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.reply(Recall, recalled())
    monkeypatch.chdir(tmp_path)

    run("recall", "x")

    assert last(daemon).project == str(project_root(tmp_path))
    assert not last(daemon).everywhere


def test_recall_says_when_less_was_searched(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Recall, recalled(SCORED, degraded=LOADING))

    done = run("recall", "x")

    # One plain line, whatever else is printed.
    assert done.stderr.count("\n") == 1
    assert "the model is loading" in done.stderr
    assert "Searched by words and triggers" in done.stderr
    assert "Tests run with make check." in done.stdout


def test_recall_shows_the_block_of_a_prompt(daemon: FakeDaemon, run: Run) -> None:
    weighed = [
        ConsideredView(id=id_, title=title, confidence=sure, reason=reason, fate=fate)
        for id_, title, sure, reason, fate in (
            ("m1", "Tests run", 0.91, "shares telling words", "told"),
            ("m2", "The port", 0.42, "shares telling words", "known in this session"),
        )
    ]
    daemon.reply(Recall, recalled(SCORED, considered=weighed))

    done = run("recall", "x", "--as-prompt")

    assert done.stdout == (
        "<recalled>\n</recalled>\n"
        "    told      m1  0.91  shares telling words   Tests run\n"
        "    not told  m2  0.42  known in this session  The port\n"
    )
    assert last(daemon).as_prompt


def test_a_batch_answers_each_line_in_order(daemon: FakeDaemon, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": "q1", "text": "one", "project": "conv-1"},
        {"id": "q2", "text": "two", "project": None, "rel": {}},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    daemon.reply(Recall, recalled(SCORED), recalled())

    done = run("recall", "--batch", str(file), "--no-track", "-k", "5")

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [
        {
            "id": "q1",
            "confidence": 0.9,
            "degraded": None,
            "evidence": {"gap": 0.2},
            "results": [{"id": "m1", "key": "k1", "score": 0.83}],
        },
        {
            "id": "q2",
            "confidence": 0.9,
            "degraded": None,
            "evidence": {"gap": 0.2},
            "results": [],
        },
    ]
    asked = [request for request in daemon.asked if isinstance(request, Recall)]
    assert [(one.query, one.k, one.track) for one in asked] == [
        ("one", 5, False),
        ("two", 5, False),
    ]
    assert asked[0].project == "conv-1"


def test_a_wrong_line_of_a_batch_is_named_and_nothing_is_asked(
    daemon: FakeDaemon, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": "q1", "text": "x"}\n{"id": "q2"}\n')

    done = run("recall", "--batch", str(file))

    assert done.exit_code == failure.FAILED
    assert "line 2" in done.stderr
    assert not [request for request in daemon.asked if isinstance(request, Recall)]


@pytest.mark.parametrize("arguments", [["x", "--batch", "f"], [], ["x", "--project", "p", "--all"]])
def test_contradicting_options_of_recall_are_wrong_usage(run: Run, arguments: list[str]) -> None:
    assert run("recall", *arguments).exit_code == failure.WRONG_USAGE


def test_a_list_fits_the_terminal(
    daemon: FakeDaemon, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    daemon.reply(List, Listed(memories=[VIEW] * 2, total=9))

    done = run("list", "--type", "convention", "--limit", "2")

    lines = done.output.splitlines()
    assert len(lines) == 3
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].startswith("m1")
    assert lines[-1] == "1-2 of 9 memories"
    assert last(daemon) == List(type="convention", limit=2)


def test_a_list_leaves_room_for_titles_beside_what_is_not_true_now(
    daemon: FakeDaemon, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dates are for `show`; in a list they pushed every title out of its line."""
    monkeypatch.setenv("COLUMNS", "120")
    title = "The freeze of the release branch is on for everybody"
    over = msgspec.structs.replace(
        VIEW, title=title, valid=False, valid_from=1_761_955_200.0, valid_until=1_762_732_800.0
    )
    daemon.reply(List, Listed(memories=[over], total=1))

    (line,) = run("list").output.splitlines()

    assert "not true now" in line
    assert line.endswith(title)


def test_a_list_of_a_project_is_of_that_project(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(List, Listed(memories=[], total=0))

    done = run("list", "--project", "web", "--json")

    assert (last(daemon).project, last(daemon).everywhere) == ("web", False)
    assert json.loads(done.stdout) == {"memories": [], "total": 0}


def test_show_prints_the_whole_text_and_its_past(daemon: FakeDaemon, run: Run) -> None:
    past = [{"at": 1_700_000_000.0, "action": "CREATE"}]
    daemon.reply(Show, Shown(memory=VIEW, decisions=past, history=[], context="research"))

    done = run("show", "m1")

    assert "work" in done.output
    assert "research" in done.output
    assert "Tests run with make check.\nNever with tox." in done.output
    assert "93% recallable, stability 4.2 days" in done.output
    assert done.output.endswith(")  CREATE\n")


def test_show_tells_a_decision_with_the_whole_of_its_reason(
    daemon: FakeDaemon, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is what one looks for, so it is never cut."""
    monkeypatch.setenv("COLUMNS", "80")
    reason = "contradicted (changed_value, chance 1.00) (similarity 0.785), of the same subject"
    at = 1_700_000_000.0
    decided = {
        "action": "SUPERSEDE", "memory": "m1", "existing": "m0", "similarity": 0.785394,
        "reason": reason, "contradiction": "changed_value", "at": at,
    }  # fmt: skip
    again = {**decided, "action": "REINFORCE", "existing": "m1", "reason": "says the same"}
    of_another = {**decided, "memory": "m2", "existing": "m1", "reason": ""}
    shown = {"at": at, "what": "shown", "detail": "prompt"}
    daemon.reply(Show, Shown(memory=VIEW, decisions=[decided, again, of_another], history=[shown]))

    done = run("show", "m1")

    words = " ".join(done.output.split())
    assert f"SUPERSEDE of m0: {reason}" in words
    assert "REINFORCE: says the same (similarity 0.785)" in words
    assert "SUPERSEDE by m2 (similarity 0.785)" in words
    assert "shown: prompt" in words
    assert "…" not in done.output
    assert max(map(len, done.output.splitlines())) <= 80


def test_show_says_of_what_never_fades_that_it_does_not(daemon: FakeDaemon, run: Run) -> None:
    lasting = msgspec.structs.replace(VIEW, stability=1e9)
    daemon.reply(Show, Shown(memory=lasting, decisions=[], history=[]))

    done = run("show", "m1")

    assert "93% recallable, does not fade" in done.output


@pytest.mark.parametrize(
    ("arguments", "request_", "sentence"),
    [
        (["forget", "m1", "m2"], Forget(ids=["m1", "m2"]), "forgot 2 memories"),
        (["forget", "m1", "--erase"], Forget(ids=["m1"], erase=True), "erased 2 memories"),
        (["forget", "m1", "--erase", "--yes"], Forget(ids=["m1"], erase=True), "erased 2 memories"),
        (
            ["forget", "m1", "--erase", "--with-events"],
            Forget(ids=["m1"], erase=True, with_events=True),
            "erased 2 memories",
        ),
        (["unforget", "m1"], Unforget(ids=["m1"]), "brought back 2 memories"),
        (["pin", "m1"], Pin(ids=["m1"]), "pinned 2"),
        (["pin", "m1", "--off"], Pin(ids=["m1"], pinned=False), "unpinned 2"),
        (
            ["useful", "m1"],
            Feedback(id="m1", useful=True, project=current_project()),
            "m1 is useful",
        ),
        (
            ["useless", "m1"],
            Feedback(id="m1", useful=False, project=current_project()),
            "m1 is not useful",
        ),
        (["purge", "--yes"], Purge(), "erased 2 memories"),
        (["purge", "--yes", "--everything"], Purge(what="everything"), "erased 2 memories"),
        (
            ["purge", "--yes", "--project", "web"],
            Purge(what="project", project="web"),
            "erased 2 memories",
        ),
    ],
)
def test_an_order_is_passed_on_and_confirmed(
    daemon: FakeDaemon, run: Run, arguments: list[str], request_: Request[Any], sentence: str
) -> None:
    daemon.reply(type(request_), Done(count=2))

    done = run(*arguments)

    assert done.exit_code == 0, done.output
    assert last(daemon) == request_
    assert done.output == f"{sentence}\n"


@pytest.mark.parametrize(
    ("arguments", "answer", "told", "orders"),
    [
        (["--erase"], "n\n", "--with-events takes them too", [False]),
        (["--erase", "--with-events"], "y\n", "with these events", [False, True]),
    ],
)
def test_what_else_mentions_a_text_is_said_before_it_is_erased(
    daemon: FakeDaemon, run: Run, arguments: list[str], answer: str, told: str, orders: list[bool]
) -> None:
    daemon.reply(Forget, Done(count=1, note="3 events, 1 session"))

    done = run("forget", "m1", *arguments, input=answer)

    assert "in another form the text stands in 3 events, 1 session" in done.stderr
    assert told in done.stderr
    assert [one.erase for one in daemon.asked if isinstance(one, Forget)] == orders


def test_purge_asks_first(daemon: FakeDaemon, run: Run) -> None:
    refused = run("purge", input="n\n")

    assert refused.exit_code == failure.FAILED
    assert "nothing was erased" in refused.output
    assert not [request for request in daemon.asked if isinstance(request, Purge)]


def test_purge_does_what_was_confirmed(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Purge, Done(count=3))

    done = run("purge", "--json", input="y\n")

    assert json.loads(done.stdout) == {"count": 3, "note": ""}


def test_a_refusal_is_one_line(daemon: FakeDaemon, capsys: pytest.CaptureFixture[str]) -> None:
    daemon.reply(Show, Problem(code="unknown-memory", message="there is no memory m9"))

    code = cli.run(["show", "m9", "--json"])

    printed = capsys.readouterr()
    assert code == failure.FAILED
    assert printed.out == ""
    assert printed.err == "reverie: refused: there is no memory m9 [unknown-memory]\n"


def test_a_daemon_that_goes_away_in_between_is_one_line(
    daemon: FakeDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    daemon.answers[Show] = lambda _request, _say: None

    code = cli.run(["show", "m9"])

    assert code == failure.FAILED
    assert "closed the connection before it answered" in capsys.readouterr().err


def test_a_constitutional_memory_that_leads_is_not_called_a_further_one(
    daemon: FakeDaemon, run: Run
) -> None:
    law = msgspec.structs.replace(SCORED, tier="constitutional", why="not close enough")
    daemon.reply(Recall, recalled(law, SCORED))

    done = run("recall", "x")

    assert "further ones" not in done.stdout


def test_none_of_what_is_called_further_is_close(daemon: FakeDaemon, run: Run) -> None:
    """An order by variety puts close ones behind others."""
    far = msgspec.structs.replace(SCORED, id="m7", why="not close enough")
    daemon.reply(Recall, recalled(SCORED, far, SCORED, far))

    _, after = run("recall", "x").stdout.split("further ones, none of them close:")

    assert far.id in after
    assert SCORED.id not in after


def test_recall_explains_its_evidence_and_what_each_channel_did(
    daemon: FakeDaemon, run: Run
) -> None:
    found = msgspec.structs.replace(
        recalled(SCORED),
        evidence={"gap": True, "reason": "no score stands out", "z": 1.2, "connected": 4},
        channels=[
            Channel(channel="words", ms=1.5, found=7, failure=None),
            Channel(channel="working_memory", ms=20.0, found=0, failure="late"),
        ],
    )
    daemon.reply(Recall, found)

    done = run("recall", "x", "--explain")

    assert "evidence: no score stands out, z 1.20, 4 memories linked with it" in done.stdout
    assert "channels: words 7 found in 1.5 ms, working memory late in 20.0 ms" in done.stdout
