"""``eval``: a run against the real daemon, what is kept of it, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.home import Home
from daemon.launch import own_command
from daemon.requests.evaluation import AgentsFigures, Ignored, Week
from lab.evaluation import builtin, records, report
from lab.evaluation.asking import Answer, Channel
from lab.evaluation.figures import WHOLE, Measures, figures
from lab.evaluation.truth import (
    Known,
    Line,
    Memories,
    Question,
    WrongTruth,
    checked,
    complexity_of,
    truth_of,
)
from tests.cli.conftest import Program, Run, document
from tests.patience import PATIENCE

NOW = 1_800_000_000.0
SECRETIVE = "which colour has the zeppelin hangar"


def memories(**tiers: str) -> Memories:
    known = {one: Known(tier, NOW - 3_600, None) for one, tier in tiers.items()}
    return Memories(known, {"key": "m1"})


def question(text: str = "q", right: Sequence[str] = ("m1",), **more: Any) -> Question:
    fields: dict[str, Any] = {
        "digest": text, "query": text, "project": None, "everywhere": True,
        "grades": dict.fromkeys(right, 1.0), "hard_negative": not right,
        "complexity": "simple", "category": "", "intent": "", "source": "",
    }  # fmt: skip
    return Question(**(fields | more))


def answer(*ranked: str, confidence: float = 0.5, injected: bool = True) -> Answer:
    channels = {"words": Channel(ranked, 1.0)}
    return Answer(ranked, (0.5,) * len(ranked), confidence, 10.0, injected, channels, "words")


# ---- the built-in ground truth


def test_the_built_in_questions_have_the_distribution_of_the_row() -> None:
    found = builtin.questions()

    assert len(found) == 110
    assert Counter(one.source for one in found) == {
        "seed": 21, "pattern": 35, "trigger": 14, "manual": 40,
    }  # fmt: skip
    assert Counter(one.complexity for one in found) == {
        "simple": 32, "moderate": 46, "complex": 32,
    }  # fmt: skip
    assert sum(one.hard_negative for one in found) == 14
    assert len({one.intent for one in found}) == 7


def test_every_built_in_question_names_memories_of_its_corpus() -> None:
    keys = {one.key for one in builtin.corpus()}

    assert len(keys) == 120
    assert {key for one in builtin.questions() for key in one.relevant} <= keys


def test_a_trigger_question_is_a_trigger_phrase_of_its_answer() -> None:
    triggers = {one.key: one.triggers for one in builtin.corpus()}

    for one in builtin.questions():
        if one.source == "trigger":
            assert one.query in triggers[one.relevant[0]]


# ---- ground truth


def test_keys_and_ids_mean_the_same_memory() -> None:
    lines = [Line(query="a", relevant=["key"]), Line(query="b", relevant=["m1"])]

    found = truth_of("f", lines, memories(m1="normal"), "/p", everywhere=False)

    assert [dict(one.grades) for one in found.questions] == [{"m1": 1.0}, {"m1": 1.0}]


def test_a_question_whose_memories_are_not_there_is_left_out_by_its_number() -> None:
    lines = [
        Line(query="a", relevant=["m1", "gone"], grade=[3, 1]),
        Line(query="b", relevant=["gone"]),
    ]

    found = truth_of("f", lines, memories(m1="normal"), None, everywhere=False)

    assert [dict(one.grades) for one in found.questions] == [{"m1": 3.0}]
    assert (found.partly, found.unanswerable) == ((1,), (2,))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (Line(query=" ", relevant=["m1"]), "empty"),
        (Line(query="q"), "nothing is relevant"),
        (Line(query="q", relevant=["m1"], hard_negative=True), "hard negative"),
        (Line(query="q", relevant=["m1"], grade=[1, 2]), "2 grades for 1"),
        (Line(query="q", relevant=["m1"], grade=0), "above 0"),
    ],
)
def test_a_question_without_sense_is_refused_by_its_number(line: Line, why: str) -> None:
    with pytest.raises(WrongTruth, match=f"question 2: .*{why}"):
        checked("f", [Line(query="q", relevant=["m1"]), line])


def test_a_query_is_complex_from_nine_informative_words_on() -> None:
    words = "alpha bravo charlie delta echo foxtrot golf hotel india".split()

    assert [complexity_of(" ".join(words[:count])) for count in (3, 4, 8, 9)] == [
        "simple", "moderate", "moderate", "complex",
    ]  # fmt: skip


def test_the_same_questions_in_another_scope_are_another_ground_truth() -> None:
    lines = [Line(query="a", relevant=["m1"])]

    here = truth_of("f", lines, memories(m1="normal"), "/p", everywhere=False)
    all_ = truth_of("f", lines, memories(m1="normal"), "/p", everywhere=True)

    assert here.digest != all_.digest


# ---- figures


def test_what_leads_every_result_by_rule_takes_no_place() -> None:
    """Constitutional memories stand first whatever is asked."""
    known = memories(m1="normal", m2="constitutional")
    asked = [(question(), answer("m2", "m1"))]

    found = figures(asked, known, 10, NOW)

    assert found.groups[WHOLE]["mrr"] == 1.0
    assert found.groups[WHOLE]["constitutional_surfacing"] == 1.0
    assert found.ranks == {"q": 1}


def test_a_constitutional_memory_that_is_right_keeps_its_place() -> None:
    known = memories(m1="constitutional", m2="normal")

    found = figures([(question(), answer("m2", "m1"))], known, 10, NOW)

    assert found.groups[WHOLE]["mrr"] == 0.5


def test_hard_negatives_count_for_abstention_alone() -> None:
    asked = [
        (question("q"), answer("m1", confidence=0.9)),
        (question("n", ()), answer("m1", confidence=0.2, injected=False)),
        (question("o", ()), answer("m1", confidence=0.95)),
    ]

    whole = figures(asked, memories(m1="normal"), 10, NOW).groups[WHOLE]

    assert (whole["mrr"], whole["queries"]) == (1.0, 3.0)
    assert whole["confidence_auc"] == 0.5
    assert whole["injected_on_nothing"] == 0.5


# ---- what is kept


def kept(path: Path, *ranked: str) -> int:
    one = question(SECRETIVE)
    known = memories(m1="normal")
    truth = truth_of("f", [Line(query=SECRETIVE, relevant=["m1"])], known, None, everywhere=True)
    asked = [(truth.questions[0], answer(*ranked))]
    assert one.query == truth.questions[0].query
    with records.open_records(path) as sql:
        run = records.Run(0, NOW, truth.digest, truth.name, 10, 1, 1, "words", "1")
        return records.keep(sql, run, asked, figures(asked, known, 10, NOW))


def test_the_evaluation_database_has_five_tables(tmp_path: Path) -> None:
    with records.open_records(tmp_path / "eval.db") as sql:
        names = sql.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'eval*'"
        )

    assert {name for (name,) in names} == {
        "eval_runs", "eval_queries", "eval_channel_results", "eval_final_results",
        "eval_metric_snapshots",
    }  # fmt: skip


def test_no_word_of_a_query_is_in_the_evaluation_database(tmp_path: Path) -> None:
    path = tmp_path / "eval.db"
    kept(path, "m1")

    content = path.read_bytes()

    assert all(word.encode() not in content for word in ("zeppelin", "hangar"))
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_last_run_of_the_same_questions_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "eval.db"
    kept(path, "m1")
    second = kept(path, "m2", "m1")

    with records.open_records(path) as sql:
        (run, first) = records.runs(sql, 10)
        last = records.last_run(sql, run.truth, 10)
        other = records.last_run(sql, run.truth, 5)
        measures = records.measures_of(sql, second)
        ranks = records.ranks_of(sql, second)

    assert last == run
    assert first.truth == run.truth
    assert other is None
    assert measures["all"]["mrr"] == measures["complexity:simple"]["mrr"] == 0.5
    assert list(ranks.values()) == [2]


def test_runs_beyond_a_hundred_leave_with_all_they_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "KEPT", 2)
    for _ in range(3):
        kept(tmp_path / "eval.db", "m1")

    with records.open_records(tmp_path / "eval.db") as sql:
        runs = [run.id for run in records.runs(sql, 10)]
        results = sql.rows("SELECT DISTINCT run FROM eval_final_results ORDER BY run DESC")

    assert runs == [3, 2]
    assert results == [(3,), (2,)]


def interrupted(path: Path) -> None:
    with records.open_records(path) as sql:
        sql.rows("DELETE FROM eval_runs")
        raise KeyboardInterrupt


def test_a_run_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "eval.db"
    kept(path, "m1")

    with pytest.raises(KeyboardInterrupt):
        interrupted(path)

    with records.open_records(path) as sql:
        assert len(records.runs(sql, 10)) == 1


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "eval.db"
    path.write_bytes(b"nothing of the kind" * 100)

    with pytest.raises(records.RecordsBroken, match="delete it"), records.open_records(path):
        pass


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "eval.db"
    with records.open_records(path) as sql:
        sql.rows("PRAGMA user_version = 9")

    with pytest.raises(records.RecordsBroken, match="newer"), records.open_records(path):
        pass


# ---- how it is told


def test_a_change_says_whether_it_is_for_the_worse() -> None:
    before: Measures = {"mrr": 0.8, "inversion_rate": 0.1, "p95_ms": 10.0, "recall": 0.5}
    now: Measures = {"mrr": 0.7, "inversion_rate": 0.2, "p95_ms": 8.0, "recall": 0.5001}

    told = [report.change(name, now, before) for name in before]

    assert told == ["-0.100 worse", "+0.100 worse", "-2.0 ms better", ""]


def test_questions_that_moved_are_named_the_worst_first() -> None:
    questions = [question(one) for one in ("a", "b", "c", "d")]
    before = {"a": 2, "b": 1, "c": 1, "d": 3}
    now = {"a": 1, "b": 1, "c": None, "d": 4}

    lines = list(report.moved(questions, now, before, 80))

    assert [line.split() for line in lines] == [
        ["worse", "1", "->", "–", "c"],
        ["worse", "3", "->", "4", "d"],
        ["better", "2", "->", "1", "a"],
    ]


def test_weeks_are_told_with_the_share_of_what_was_shown() -> None:
    week = Week(begins=NOW - 604_800, sessions=2, shown=4, cited=1, used=3, ignored=1)
    found = AgentsFigures(
        weeks=[week], ignored=[Ignored(id="m7", title="a\x1b[31m title", sessions=1)]
    )

    lines = list(report.agents(found, NOW, 100))

    assert lines[1].split("  ")[0] == "1 week ago"
    assert lines[1].split()[3:] == ["2", "4", "1", "(25%)", "3", "(75%)", "1", "(25%)"]
    assert "\x1b" not in lines[-1]
    assert "m7  in 1 session" in lines[-1]


# ---- the command, in this process


def test_without_a_file_it_says_what_one_looks_like(run: Run) -> None:
    done = run("eval")

    assert done.exit_code == 2
    assert '"hard_negative": true' in done.output


def test_there_is_no_history_before_the_first_run(run: Run, home: Home) -> None:
    done = run("eval", "--history")

    assert "nothing was measured yet" in done.output
    assert not home.evaluations.exists()


@pytest.mark.parametrize("given", ["mmr=0.5", "mrr", "mrr=high"])
def test_a_limit_that_cannot_be_read_is_refused(run: Run, given: str) -> None:
    assert run("eval", "--builtin", "--fail-under", given).exit_code == 2


def test_two_things_at_once_are_refused(run: Run) -> None:
    assert run("eval", "--history", "--agents").exit_code == 2


def test_a_wrong_line_is_named_by_its_number(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text('{"query": "q", "relevant": ["m1"]}\n{"query": 5}\n')

    done = run("eval", str(file))

    assert done.exit_code == 1
    assert "line 2" in done.output


# ---- the real daemon


def truth_file(folder: Path) -> str:
    file = folder / "truth.jsonl"
    lines = [
        {"query": SECRETIVE, "relevant": ["hangar"], "category": "paint"},
        {"query": "where is the parser", "relevant": ["m2"]},
        {"query": "price of the espresso machine", "hard_negative": True},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(file)


def corpus(command: Program) -> None:
    rows = [
        {"text": "the zeppelin hangar is painted in a colour called moss", "key": "hangar"},
        {"text": "the parser lives in lib/parse.c", "key": "parser"},
    ]
    given = "".join(json.dumps(row) + "\n" for row in rows)
    document(command("import", "-", "--json", stdin=given))


def test_a_file_of_ones_own_is_asked_and_kept_and_compared(
    command: Program, home: Home, tmp_path: Path
) -> None:
    corpus(command)
    file = truth_file(tmp_path)

    first = document(command("eval", file, "--json"))
    command("forget", "m1")
    second = command("eval", file, "--compare", "--fail-drop", "recall=0.1")
    history = document(command("eval", "--history", "--json"))

    assert first["measures"]["all"]["mrr"] == 1.0
    assert first["measures"]["all"]["injected_on_nothing"] == 0.0
    assert first["before"] is None
    # What was forgotten is no longer there to be found: its question is left out.
    assert "left out: 1 question whose memories are not there (number 1)" in second.stderr
    assert second.returncode == 0
    assert [one["queries"] for one in history["runs"]] == [2, 3]
    assert b"zeppelin" not in home.evaluations.read_bytes()


def test_asking_leaves_no_trace_in_the_memories(
    command: Program, home: Home, tmp_path: Path
) -> None:
    corpus(command)

    document(command("eval", truth_file(tmp_path), "--json"))
    shown = document(command("show", "m1", "--json"))

    assert shown["memory"]["exposures"] == 0
    assert shown["memory"]["uses"] == 0


def test_a_measure_under_its_limit_is_exit_code_1_and_one_line(
    command: Program, tmp_path: Path
) -> None:
    corpus(command)

    done = command("eval", truth_file(tmp_path), "--fail-under", "confidence_auc=1.1")

    assert done.returncode == 1
    assert done.stderr == "reverie: confidence_auc is 1.000, under 1.1\n"


def test_a_file_whose_memories_are_all_elsewhere_is_refused(
    command: Program, home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text('{"query": "q", "relevant": ["m99"]}\n')

    done = command("eval", str(file))

    assert done.returncode == 1
    assert "none of the memories" in done.stderr
    assert not home.evaluations.exists()


@pytest.mark.slow
def test_purging_everything_takes_the_evaluations_away(
    program: Program, home: Home, tmp_path: Path
) -> None:
    corpus(program)
    document(program("eval", truth_file(tmp_path), "--json"))

    program("purge", "--everything", "--yes")

    assert not home.evaluations.exists()


def test_agents_figures_come_from_what_is_stored(command: Program) -> None:
    done = command("eval", "--agents")

    assert done.stdout == "no agent was shown a memory in the last eight weeks\n"


@pytest.mark.slow
def test_the_built_in_run_is_the_same_each_time_and_leaves_the_home_alone(
    program: Program, home: Home
) -> None:
    """By words alone, as there is no model here."""
    first = document(program("eval", "--builtin", "--json"))
    second = document(program("eval", "--builtin", "--json"))

    whole = first["measures"]["all"]
    assert (whole["queries"], first["memories"], first["mode"]) == (110, 120, "words")
    assert whole["mrr"] > 0.5
    timed = {"p50_ms", "p95_ms", "quality_proxy"}
    assert {name: one for name, one in whole.items() if name not in timed} == {
        name: one for name, one in second["before"].items() if name not in timed
    }
    assert second["measures"]["all"]["mrr"] == whole["mrr"]
    assert not home.database.exists()


def test_an_interrupted_run_ends_its_daemon_and_keeps_nothing(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="rv-"))
    environ = {**os.environ, "TMPDIR": str(folder), "REVERIE_EMBEDDING_ENABLED": "false"}
    process = subprocess.Popen(
        [*own_command(), "eval", "--builtin"], env=environ, cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + PATIENCE
    while not list(folder.glob("reverie-*/home/address")) and time.monotonic() < deadline:
        time.sleep(0.02)

    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert not list(folder.iterdir())
    assert not home.evaluations.exists()
    folder.rmdir()
