"""Settings: every key described, its origin told, every mistake named with a remedy."""

from __future__ import annotations

import os
import re
import tomllib
import typing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.home import Home
from daemon.settings import (
    DESCRIPTIONS,
    OF_THE_FILE,
    Entry,
    Settings,
    SettingsError,
    environment_name,
    load,
)

ROOT = Path(__file__).resolve().parents[2]
EARLIER = Path(__file__).with_name("every_setting.toml")


def entries(home: Home, **environ: str) -> dict[str, Entry]:
    return {entry.key: entry for entry in load(home, environ).entries}


def write(home: Home, text: str) -> None:
    home.config.write_text(text, encoding="utf-8")


def test_every_setting_is_described_and_no_other(home: Home) -> None:
    assert list(entries(home)) == list(DESCRIPTIONS)
    assert all(description for description in DESCRIPTIONS.values())


def test_every_setting_is_read_somewhere(home: Home) -> None:
    """By its name, which others may have too."""
    sources = (path for room in ("actors", "daemon") for path in (ROOT / room).rglob("*.py"))
    reads = re.compile(r"\.(\w+)\b(?! = )")
    found = (reads.findall(path.read_text(encoding="utf-8")) for path in sources)
    read = {name.removesuffix("_") for names in found for name in names}

    assert [key for key in entries(home) if key.rpartition(".")[2] not in read] == []


def shown(default: object) -> str:
    """Write a default as the environment takes it."""
    if isinstance(default, tuple):
        return ",".join(map(str, typing.cast("tuple[object, ...]", default)))
    value = getattr(default, "value", default)
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_file_wins_over_the_default_and_the_environment_over_the_file(home: Home) -> None:
    write(home, "[gate]\nhigh = 0.9\nlow = 0.4\n[injection]\nenabled = false\n")
    found = entries(home, REVERIE_GATE_HIGH="0.8", HOME="/root")

    assert (found["gate.high"].value, found["gate.high"].origin) == (0.8, "REVERIE_GATE_HIGH")
    assert (found["gate.low"].value, found["gate.low"].origin) == (0.4, "config.toml")
    assert found["gate.low"].default == Settings().gate.low
    assert found["injection.enabled"].value is False
    assert found["gate.medium"].origin == "default"


def test_each_name_in_the_environment_is_read(home: Home) -> None:
    for key, entry in entries(home).items():
        if key in OF_THE_FILE:
            continue
        text = shown(entry.default)
        found = entries(home, **{environment_name(key): text})[key]

        assert (found.value, found.origin) == (entry.default, environment_name(key))


def test_patterns_of_ones_own_redact_beside_the_rules(home: Home) -> None:
    write(home, "[redaction]\npatterns = ['acme_[a-z]+', 'a,b']\n")

    redact = load(home, {}).settings.redact()

    assert redact("acme_kiwi and a,b")[0] == "[REDACTED] and [REDACTED]"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("patterns = ['acme(a+)+']", "config.toml: redaction.patterns: .* repeat within a repeat"),
        ("patterns = ['[']", "is no regular expression"),
        ("patterns = 'acme'", "write a list"),
        ("patterns = [1]", "redaction.patterns"),
        ("rules = []", "redaction.rules is not a setting"),
    ],
)
def test_a_pattern_that_cannot_be_used_stops_with_a_line(home: Home, text: str, named: str) -> None:
    write(home, f"[redaction]\n{text}\n")

    with pytest.raises(SettingsError, match=named) as stopped:
        load(home, {})

    assert "\n" not in str(stopped.value)


def test_patterns_in_the_environment_are_refused_since_hooks_read_the_file(home: Home) -> None:
    with pytest.raises(SettingsError, match=r"REVERIE_REDACTION_PATTERNS.*config\.toml"):
        load(home, {"REVERIE_REDACTION_PATTERNS": ""})
    with pytest.raises(SettingsError, match=r"REVERIE_RECORDING_PRIVATE.*config\.toml"):
        load(home, {"REVERIE_RECORDING_PRIVATE": "~/diary"})


@pytest.mark.parametrize("text", ["true", "false", "1", "0"])
def test_the_environment_says_yes_and_no_in_more_than_one_way(home: Home, text: str) -> None:
    found = entries(home, REVERIE_EMBEDDING_ENABLED=text)

    assert found["embedding.enabled"].value is (text in ("true", "1"))


def test_a_file_with_every_setting_of_an_earlier_version_starts(home: Home) -> None:
    write(home, EARLIER.read_text(encoding="utf-8"))

    found = load(home, {})

    gone = sorted(set(earlier_keys()) - DESCRIPTIONS.keys())
    told = sorted(
        key for key in earlier_keys() if any(f": {key} " in one for one in found.warnings)
    )
    assert set(gone) <= set(told)
    assert len(found.warnings) == len(told)


def test_a_setting_of_an_earlier_version_in_the_environment_is_one_warning(home: Home) -> None:
    for key in set(earlier_keys()) - DESCRIPTIONS.keys():
        (warning,) = load(home, {environment_name(key): "1"}).warnings

        assert warning.startswith(f"{environment_name(key)}: {key} is gone")


@pytest.mark.parametrize("written", [" .85", "+.85", "0.85 ", "+0.85"])
def test_a_number_is_read_however_it_is_written(home: Home, written: str) -> None:
    write(home, f"[gate]\nlow = '{written}'\n")

    settings = load(home, {"REVERIE_GATE_HIGH": written, "REVERIE_EMBEDDING_ENABLED": " true"})

    assert (settings.settings.gate.low, settings.settings.gate.high) == (0.85, 0.85)
    assert settings.settings.embedding.enabled


@pytest.mark.parametrize("text", ["25", " 3", "2.5", ".5", ""])
def test_a_percentage_of_installations_leaves_the_default_and_is_warned_of(
    home: Home, text: str
) -> None:
    if not text:
        write(home, "[features]\nextraction = 5\n")

    found = load(home, {"REVERIE_FEATURES_EXTRACTION": text} if text else {})

    (warning,) = found.warnings
    assert found.settings == Settings()
    assert "features.extraction" in warning


def test_a_switch_of_recall_that_was_a_setting_is_warned_of_with_where_its_name_goes(
    home: Home,
) -> None:
    write(home, "[stages]\nrerank = true\n[channels]\ngraph = false\n")

    found = load(home, {"REVERIE_STAGES_NOVELTY": "true", "REVERIE_RANKING_FUSION": "ranks"})

    assert len(found.warnings) == 4
    assert all("recall.with" in warning for warning in found.warnings)
    assert found.settings == Settings()


def test_a_way_of_recall_that_is_gone_is_warned_of(home: Home) -> None:
    write(home, "[recall]\nwith = ['captured', 'rerank']\n")

    (warning,) = load(home, {}).warnings
    assert "recall.with: captured is gone" in warning


def test_ways_of_recall_are_switched_by_their_names(home: Home) -> None:
    write(home, "[recall]\nwith = ['rerank', 'ranks']\n")

    found = load(home, {"REVERIE_RECALL_WITHOUT": "past,graph"}).settings.recall

    assert (found.with_, found.without) == (("rerank", "ranks"), ("past", "graph"))


def earlier_keys() -> list[str]:
    """The keys that the file of an earlier version has."""
    document = tomllib.loads(EARLIER.read_text(encoding="utf-8"))
    return [f"{section}.{key}" for section, values in document.items() for key in values]


@pytest.mark.parametrize(
    "environ",
    [
        {"REVERIE_STATES_HOT": "0.2"},
        {"REVERIE_STATES_HOT": "0.2", "REVERIE_STATES_WARM": "0.3"},
    ],
)
def test_borders_out_of_order_are_all_at_their_defaults_and_it_is_said(
    home: Home, environ: dict[str, str]
) -> None:
    found = load(home, environ)

    assert found.settings.states == Settings().states
    assert {one.origin for one in found.entries if one.key.startswith("states.")} == {"default"}
    (warning,) = found.warnings
    assert all(name in warning for name in environ)


WRONG_FILES = {
    "a typing mistake": ("[gate]\nhihg = 0.9", "did you mean gate.high"),
    "nothing like it": ("[colour]\nof_the_whale = 1", "reverie config lists them"),
    "no section": ("high = 0.9", r"write \[high\]"),
    "a number as text": ('[daemon]\nidle_exit = "soon"', "daemon.idle_exit"),
    "text as a number": ("[embedding]\nmodel = 7", "embedding.model"),
    "yes for a number": ("[gate]\nhigh = true", "gate.high"),
    "a negative": ("[daemon]\nidle_exit = -1", "daemon.idle_exit"),
    "an infinite wait": ("[daemon]\nidle = 0", "daemon.idle"),
    "not a number": ("[injection]\ndeadline = nan", "injection.deadline"),
    "a level that is none": ('[daemon]\nlog_level = "loud"', "daemon.log_level"),
    "a way of recall that is none": (
        "[recall]\nwith = ['renk']",
        "recall.with: 'renk'.*did you mean rerank",
    ),
    "a name that is no list": ("[recall]\nwith = 7", "recall.with"),
    "no TOML": ("[gate", "config.toml"),
    "no text": ("\x00", "config.toml"),
}


@pytest.mark.parametrize(
    ("text", "named"), WRONG_FILES.values(), ids=[name.replace(" ", "-") for name in WRONG_FILES]
)
def test_a_mistake_in_the_file_is_named(home: Home, text: str, named: str) -> None:
    write(home, text)
    with pytest.raises(SettingsError, match=named):
        load(home, {})


def test_what_is_no_file_in_its_place_is_refused_and_not_waited_for(home: Home) -> None:
    os.mkfifo(home.config)

    with pytest.raises(SettingsError, match=r"config\.toml is no file: move it away"):
        load(home, {})


@pytest.mark.parametrize("content", [None, b"\xff\xfe"], ids=["a folder", "no UTF-8"])
def test_what_cannot_be_read_in_the_place_of_the_file_is_named(
    home: Home, content: bytes | None
) -> None:
    if content is None:
        home.config.mkdir()
    else:
        home.config.write_bytes(content)

    with pytest.raises(SettingsError, match=r"config\.toml"):
        load(home, {})


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("REVERIE_GATE_HIHG", "0.9", "did you mean REVERIE_GATE_HIGH"),
        ("REVERIE_GATE_HIGH", "high", "gate.high"),
        ("REVERIE_GATE_HIGH", "", "gate.high"),
        ("REVERIE_GATE_HIGH", "nan", "gate.high"),
        ("REVERIE_DAEMON_IDLE_EXIT", "-5", "daemon.idle_exit"),
        ("REVERIE_DAEMON_LOG_LEVEL", "loud", "daemon.log_level"),
        ("REVERIE_STRENGTH_WEIGHTS", "1,2,x", "strength.weights"),
        ("REVERIE_RECALL_WITH", "bogus", r"recall\.with: 'bogus' is no way or stage of recall"),
    ],
)
def test_a_mistake_in_the_environment_is_named(
    home: Home, name: str, value: str, named: str
) -> None:
    with pytest.raises(SettingsError, match=named):
        load(home, {name: value})


def test_names_that_are_no_settings_are_left_alone(home: Home) -> None:
    load(home, {"REVERIE_HOME": "/x", "REVERIE_NVIM": "nvim", "PATH": "/bin"})


@given(
    name=st.sampled_from(sorted(map(environment_name, DESCRIPTIONS))),
    value=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
)
def test_any_value_is_taken_or_refused(name: str, value: str) -> None:
    refused = ""
    try:
        load(Home(Path("/nonexistent")), {name: value})
    except SettingsError as error:
        refused = str(error)

    assert not refused or name in refused
