"""``reverie install claude`` and its undoing, on settings that somebody already has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from daemon.home import Home
from daemon.installing.agents import Places, install, uninstall
from daemon.installing.files import OPENING, InstallationError, connected, disconnected
from tests.patience import HOOKS

THEIRS: dict[str, Any] = {
    "model": "opus",
    "hooks": {
        "PostToolUse": [
            {"matcher": "Write", "hooks": [{"type": "command", "command": "black ."}]},
        ],
        "Notification": [{"hooks": [{"type": "command", "command": "say ä"}]}],
    },
    "permissions": {"allow": ["Bash(ls:*)"]},
}


def settings_of(places: Places) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads(places.settings.read_text(encoding="utf-8"))
    return settings


def given(places: Places, settings: object) -> None:
    places.claude.mkdir()
    (places.claude / "settings.json").write_text(json.dumps(settings), encoding="utf-8")


def test_a_hook_before_tasks_edits_and_commands_is_one_of_the_others(places: Places) -> None:
    install("claude", places)

    (group,) = settings_of(places)["hooks"]["PreToolUse"]
    assert group["matcher"] == "Agent|Task|Bash|Edit|Write|MultiEdit|NotebookEdit"


def test_every_event_of_the_plugin_gets_one_entry_with_absolute_paths(places: Places) -> None:
    install("claude", places)

    events = json.loads((HOOKS / "hooks.json").read_text())["hooks"]
    hooks = settings_of(places)["hooks"]
    assert set(hooks) == set(events)
    for (group,) in hooks.values():
        (handler,) = group["hooks"]
        assert handler["command"] == "/bin/sh"
        assert handler["args"][0] == "-c"
        assert handler["args"][2:] == [str(HOOKS / "hook.sh"), "claude", "--reverie"]


@pytest.mark.parametrize("before", [{}, THEIRS, {"permissions": {"allow": "all", "deny": []}}])
def test_the_permission_to_open_a_note_goes_with_the_hooks(
    places: Places, before: dict[str, Any]
) -> None:
    settings = connected(before, {}, opens=True)

    assert connected(settings, {}, opens=True) == settings
    assert disconnected(settings, closes=True) == before
    assert "permissions" not in connected(before, {}) or "permissions" in before


def test_a_permission_that_its_person_gave_before_is_in_the_file_that_is_given_back(
    places: Places,
) -> None:
    theirs = {"model": "opus", "permissions": {"allow": [OPENING, "Bash(ls:*)"]}}
    given(places, theirs)
    install("claude", places)
    uninstall("claude", places)

    assert settings_of(places) == theirs


def test_our_permission_goes_from_settings_that_changed_between_two_installations(
    places: Places, tmp_path: Path
) -> None:
    given(places, THEIRS)
    install("claude", places)
    places.settings.write_text(json.dumps(settings_of(places) | {"model": "haiku"}))
    moved = tmp_path / "moved"
    shutil.copytree(HOOKS, moved)
    install("claude", replace(places, hooks=moved))
    places.settings.write_text(json.dumps(settings_of(places) | {"model": "sonnet"}))
    uninstall("claude", places)

    assert settings_of(places) == THEIRS | {"model": "sonnet"}


def test_a_second_installation_changes_nothing(places: Places) -> None:
    given(places, THEIRS)
    install("claude", places)
    once = places.settings.read_bytes()

    install("claude-code", places)

    assert places.settings.read_bytes() == once
    (backup,) = places.claude.glob("*.before-reverie")
    assert json.loads(backup.read_text()) == THEIRS


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_hook_runs_as_installed_and_an_installation_that_is_gone_disturbs_nothing(
    places: Places, tmp_path: Path, is_gone: bool
) -> None:
    its = tmp_path / "its hooks"
    shutil.copytree(HOOKS, its)
    (its / "hook.sh").write_text('printf "%s %s" "$0" "$*"; exit 7\n')
    install("claude", replace(places, hooks=its))
    if is_gone:
        shutil.rmtree(its)
    ((group,), *_) = settings_of(places)["hooks"].values()
    handler = group["hooks"][0]
    run = subprocess.run(
        [handler["command"], *handler["args"]], capture_output=True, text=True, check=False
    )

    said = "" if is_gone else f"{its / 'hook.sh'} claude --reverie"
    assert (run.returncode, run.stdout, run.stderr) == (0 if is_gone else 7, said, "")


def test_a_handler_that_somebody_added_beside_ours_stays(places: Places) -> None:
    install("claude", places)
    settings = settings_of(places)
    mine = {"type": "command", "command": "true"}
    settings["hooks"]["Stop"][0]["hooks"].append(mine)
    places.settings.write_text(json.dumps(settings))

    uninstall("claude", places)

    assert settings_of(places) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


def test_the_start_command_and_the_client_are_recorded(places: Places) -> None:
    install("claude", places)

    assert places.home.command.read_text() == "/opt/reverie/bin/reverie\n"
    assert places.home.hook_client.read_text() == f"{places.interpreter}\n"
    assert places.home.hook_client.stat().st_mode & 0o777 == 0o600


def test_settings_behind_a_symbolic_link_are_changed_where_they_are(
    places: Places, tmp_path: Path
) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "claude.json").write_text("{}")
    places.claude.mkdir()
    (places.claude / "settings.json").symlink_to(tmp_path / "dotfiles" / "claude.json")

    install("claude", places)

    assert (places.claude / "settings.json").is_symlink()
    assert "hooks" in json.loads((tmp_path / "dotfiles" / "claude.json").read_text())


def test_the_plugin_brings_its_own_hooks_so_none_are_added(places: Places) -> None:
    install("claude", places)
    given_plugin = {**settings_of(places), "enabledPlugins": {"reverie@reverie-local": True}}
    places.settings.write_text(json.dumps(given_plugin))

    done = install("claude", places)

    assert "hooks" not in settings_of(places)
    assert any("plugin is enabled" in line for line in done)


def test_hooks_that_the_settings_switch_off_are_named(places: Places) -> None:
    given(places, {"disableAllHooks": True})

    assert any("disableAllHooks" in line for line in install("claude", places))


@pytest.mark.parametrize(
    "settings", ["[]", "{", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "\x00", "3"]
)
def test_settings_that_make_no_sense_are_left_alone(places: Places, settings: str) -> None:
    places.claude.mkdir()
    places.settings.write_text(settings)

    with pytest.raises(InstallationError, match="mend") as failure:
        install("claude", places)

    assert places.settings.read_text() == settings
    assert "\n" not in str(failure.value)
    assert not places.home.root.exists()


def test_a_home_that_cannot_be_written_is_one_line(places: Places, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(InstallationError, match="cannot connect claude"):
        install("claude", replace(places, home=Home(tmp_path / "file" / "home")))

    assert not places.settings.exists()


def test_a_compiled_client_is_recorded_after_it_has_worked(places: Places) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("NOT TESTED: no C compiler, the native client is not built")

    done = install("claude", replace(places, compiler=compiler))

    assert places.home.hook_client.read_text() == f"{places.native_client}\n"
    assert os.access(places.native_client, os.X_OK)
    assert f"hooks run on {places.native_client}" in done
    assert [path.name for path in places.native_client.parent.iterdir()] == ["reverie-hook"]
    assert list(places.home.spool.iterdir()) == []

    uninstall("claude", replace(places, compiler=compiler))
    assert not places.native_client.exists()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 1", "could not compile"),
        ('while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\\nexit 1\\n" >"$2"; chmod +x "$2"',
         "does not work here"),
    ],
)  # fmt: skip
def test_a_client_that_cannot_be_built_or_does_not_work_is_not_recorded(
    places: Places, tmp_path: Path, script: str, reason: str
) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n{script}\n")
    compiler.chmod(0o700)

    done = install("claude", replace(places, compiler=str(compiler)))

    assert places.home.hook_client.read_text() == f"{places.interpreter}\n"
    assert any(reason in line for line in done)
    assert not places.native_client.exists()
