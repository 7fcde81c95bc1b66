"""Import, export, the gate's verdicts and redaction: JSON Lines in and out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daemon.api.status import AwaitEmbedded, Embedded
from daemon.api.transfer import Export, Exported, Import, Imported, Judge, Judged, PairVerdict
from daemon.commands.terminal import failure
from daemon.commands.terminal.files import BATCH_BYTES, batches
from daemon.home import Home
from daemon.shapes.replies import Problem
from daemon.shapes.rows import Decided
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon, Say


def decided(request: Import, _say: Say) -> Imported:
    return Imported(
        outcomes=[
            Decided(id=f"m{n}", action="CREATE", reason="", similarity=None)
            for n in range(len(request.rows))
        ]
    )


def lines(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def imports(daemon: FakeDaemon) -> list[Import]:
    return [request for request in daemon.asked if isinstance(request, Import)]


@pytest.fixture
def taking(daemon: FakeDaemon) -> FakeDaemon:
    daemon.answers[Import] = decided
    daemon.reply(AwaitEmbedded, Embedded(pending=0, state="ready", detail="all-MiniLM-L6-v2"))
    return daemon


def test_rows_without_a_time_get_increasing_ones(
    taking: FakeDaemon, run: Run, tmp_path: Path
) -> None:
    file = lines(tmp_path / "rows.jsonl", *({"text": str(n)} for n in range(1_200)))

    run("import", file)

    times = [row.created_at for request in imports(taking) for row in request.rows]
    assert [len(request.rows) for request in imports(taking)] == [500, 500, 200]
    assert all(isinstance(at, float) for at in times)
    assert len(set(times)) == 1_200
    assert times == sorted(times)  # type: ignore[type-var]


def test_no_embed_does_not_wait(taking: FakeDaemon, run: Run, tmp_path: Path) -> None:
    done = run("import", lines(tmp_path / "rows.jsonl", {"text": "a"}), "--no-embed", "--no-gate")

    assert not any(isinstance(request, AwaitEmbedded) for request in taking.asked)
    assert not imports(taking)[0].gate
    assert done.exit_code == 0


# Other reasons stand in ``transcripts/rows.txt``.
REFUSED = [
    ('{"key": "x"}', "Object missing required field `text`"),
    ('"x"', "Expected `object`, got `str`"),
    ('{"text": "' + "x" * 100_001 + '"}', "the text has 100001 characters, the limit is 100000"),
    ('{"text": "a", "created_at": 1e300}', "created_at 1e+300 is no time that a calendar has"),
    ('{"text": "a", "triggers": ' + "[" * 100_000, "Expected `str`"),
]


@pytest.mark.parametrize(("wrong", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_a_row_that_would_not_be_taken_is_named_by_its_line_before_anything_is_sent(
    taking: FakeDaemon, run: Run, tmp_path: Path, wrong: str, reason: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text": "a secret thought"}\n\n' + '{"text": "fine"}\n' * 598 + wrong + "\n")

    done = run("import", str(file))

    assert done.exit_code == failure.FAILED
    assert done.stderr.startswith(f"reverie: {file}, line 601: {reason}")
    assert done.stderr.count("\n") == 1
    assert "secret thought" not in done.output
    assert not imports(taking)


def test_a_batch_stays_below_the_size_of_a_frame() -> None:
    half = "x" * (BATCH_BYTES // 2)

    sizes = [len(batch) for batch in batches([half, half, half, "y"], 500)]

    assert sizes == [1, 1, 2]


def test_an_export_is_every_page_in_order(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(
        Export,
        Exported(rows=[{"text": "a"}, {"text": "ü"}], after=2),
        Exported(rows=[{"text": "c"}], after=None),
    )

    done = run("export", "--project", "web")

    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"text": "a"},
        {"text": "ü"},
        {"text": "c"},
    ]
    asked = [request for request in daemon.asked if isinstance(request, Export)]
    assert [(request.after, request.project) for request in asked] == [(0, "web"), (2, "web")]


def test_an_exported_file_is_private(daemon: FakeDaemon, run: Run, tmp_path: Path) -> None:
    daemon.reply(Export, Exported(rows=[{"text": "a"}], after=None))

    done = run("export", str(tmp_path / "out.jsonl"))

    assert (tmp_path / "out.jsonl").read_text() == '{"text":"a"}\n'
    assert (tmp_path / "out.jsonl").stat().st_mode & 0o777 == 0o600
    assert done.stdout == ""
    assert "wrote 1 memory" in done.stderr


def test_an_export_that_fails_leaves_the_old_file(
    daemon: FakeDaemon, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "out.jsonl").write_text("old\n")
    daemon.reply(Export, Problem(code="busy", message="later"))

    done = run("export", str(tmp_path / "out.jsonl"))

    assert done.exit_code == failure.FAILED
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert (tmp_path / "out.jsonl").read_text() == "old\n"


def test_the_gate_judges_every_pair(daemon: FakeDaemon, run: Run, tmp_path: Path) -> None:
    def judge(request: Judge, _say: Say) -> Judged:
        return Judged(
            verdicts=[
                PairVerdict(id=pair.id, action="CREATE", similarity=0.1, contradiction=None)
                for pair in request.pairs
            ]
        )

    daemon.answers[Judge] = judge
    rows = [{"id": str(n), "existing": "a", "incoming": "b", "label": "x"} for n in range(150)]

    done = run("gate", "--pairs", lines(tmp_path / "pairs.jsonl", *rows))

    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict["id"] for verdict in verdicts] == [str(n) for n in range(150)]
    assert set(verdicts[0]) == {"id", "action", "similarity", "contradiction"}


def test_redact_takes_out_what_the_user_calls_a_secret_too(run: Run, home: Home) -> None:
    home.root.mkdir(exist_ok=True)
    home.config.write_text("[redaction]\npatterns = ['acme_[a-z]+']\n")

    assert run("redact", input="acme_kiwi").stdout == "[REDACTED]"


def test_a_pattern_that_cannot_be_used_is_one_line(run: Run, home: Home) -> None:
    home.root.mkdir(exist_ok=True)
    home.config.write_text("[redaction]\npatterns = ['acme(a+)+']\n")

    done = run("redact", input="acme_kiwi")

    assert done.exit_code == 1
    assert "redaction.patterns: the pattern 'acme(a+)+' has a repeat within a repeat" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
