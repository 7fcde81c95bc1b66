"""The benchmark of real sessions, on a life of two short ones that is made up here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.benchmarks.sessions import PROJECT, replayed, serves, tables

BEGAN = 1_780_000_000.0
DAY = 86_400.0
COMMIT = "git commit -m 'fix(cache): evict by age' -m 'Eviction by size dropped hot entries.'"


def event(at: float, session: str, name: str, human: bool = False, **more: Any) -> str:
    said = {"session_id": session, "cwd": PROJECT, "hook_event_name": name, **more}
    return json.dumps({"at": BEGAN + at, "e": said, "human": human})


def ran(at: float, command: str, output: str) -> str:
    asked: Mapping[str, Any] = {"command": command}
    answer = {"stdout": output, "stderr": "", "interrupted": False}
    return event(at, "a", "PostToolUse", tool_name="Bash", tool_input=asked, tool_response=answer)


def test_a_life_of_two_sessions_is_asked_at_its_own_time(tmp_path: Path) -> None:
    lines = [
        event(0, "a", "SessionStart", source="startup"),
        event(1, "a", "UserPromptSubmit", human=True, prompt="Please commit the eviction fix"),
        ran(9, COMMIT, "[main 1a2b3c4] fix(cache): evict by age\n 1 file changed"),
        event(20, "a", "SessionEnd", reason="other"),
        event(DAY, "b", "SessionStart", source="startup"),
        event(DAY + 1, "b", "UserPromptSubmit", human=True, prompt="cache eviction by age"),
    ]
    (tmp_path / "tiny.events.jsonl").write_text("\n".join(lines))
    (tmp_path / "facts.jsonl").write_text(
        '{"id": 1, "fact": "Eviction by age, not by size"}\n'
        '{"id": 2, "project": "other", "fact": "Zebras sleep"}'
    )
    (tmp_path / "needs.tiny.jsonl").write_text('{"event": 6, "needs": [1]}')

    result = replayed(tmp_path, "tiny", None)

    first, second = result.asked
    assert (first.line, second.line) == (2, 6)
    assert first.found == []
    assert "evict by age" in second.found[0][1]
    assert serves(second.found, second.needs)
    assert [(made.rule, made.line, made.session) for made in result.made] == [("commit", 3, "a")]
    assert any("facts that a memory says: 1 of 1" in line for line in tables([result]))
    assert [text for _, text in result.passages[:1]] == [f"{first.prompt}\n{first.prompt}"]
    assert any("1 of 1; of other projects, by chance: 0 of 1" in line for line in tables([result]))
    assert any("1 passages; 0 of 1 needs in the best 2" in line for line in tables([result]))
    assert tables([result])[-1] == "2 prompts, 1 needs: 1 found in the best 5 of a search"
