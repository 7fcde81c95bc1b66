"""Events that an agent's hook would send for a line of a script, shaped as by Claude Code."""

from collections.abc import Mapping
from typing import Any, cast

from lab.simulation.script import Step

FAILED = "Exit code 1\n"


def payloads(step: Step, session: str, project: str, number: int) -> list[dict[str, Any]]:
    """The events of this step; none when its verb is no event."""
    common = {"session_id": session, "cwd": project, "permission_mode": "default"}
    match step.verb:
        case "event":
            return [{"session_id": session, "cwd": project, **step.value}]
        case "prompt":
            return [_named("UserPromptSubmit", common, prompt=step.value)]
        case "answer":
            return [
                _named("Stop", common, stop_hook_active=False, last_assistant_message=step.value)
            ]
        case "start":
            source = step.text("source", "startup")
            started = _named("SessionStart", common, source=source)
            if step.text("transcript"):
                started["transcript_path"] = step.text("transcript")
            return [started]
        case "end":
            return [_named("SessionEnd", common, reason=step.text("reason", "prompt_input_exit"))]
        case "compact":
            return [
                _named("PreCompact", common, trigger="auto", custom_instructions=""),
                _named("PostCompact", common, trigger="auto", compact_summary=step.value),
                _named("SessionStart", common, source="compact"),
            ]
        case "tool":
            return [_tool(step, common, number)]
        case "edit":
            return [_edit(step, common, number)]
        case _:
            return []


def _named(name: str, common: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    return {**common, "hook_event_name": name, **fields}


def _tool(step: Step, common: Mapping[str, Any], number: int) -> dict[str, Any]:
    given = step.fields.get("input", {})
    if isinstance(given, str):
        given = {"command": given}
    if "command" in step.fields:
        given = {**given, "command": step.fields["command"]}
    output = step.text("output")
    called: dict[str, Any] = {
        "tool_name": step.value,
        "tool_input": cast("dict[str, Any]", given),
        "tool_use_id": f"toolu_{number:04}",
        "duration_ms": step.fields.get("ms", 100),
    }
    if step.fields.get("failed") is True:
        error = output if output.startswith("Exit code") else FAILED + output
        return _named("PostToolUseFailure", common, **called, error=error, is_interrupt=False)
    response: object = output
    if step.value == "Bash":
        response = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    return _named("PostToolUse", common, **called, tool_response=response)


def _edit(step: Step, common: Mapping[str, Any], number: int) -> dict[str, Any]:
    old, new = step.text("old"), step.text("new")
    return _named(
        "PostToolUse",
        common,
        tool_name="Edit",
        tool_input={
            "file_path": step.value,
            "old_string": old,
            "new_string": new,
            "replace_all": False,
        },
        tool_response={
            "filePath": step.value,
            "oldString": old,
            "newString": new,
            "originalFile": old,
            "structuredPatch": [],
            "userModified": False,
            "replaceAll": False,
        },
        tool_use_id=f"toolu_{number:04}",
        duration_ms=20,
    )
