"""Names of other systems: each is a setting's, or known to do nothing: B05, F15, O03."""

from __future__ import annotations

import pytest

from daemon.aliases import ALIASES, WITHOUT_EFFECT, known_without_effect
from daemon.home import Home
from daemon.settings import DESCRIPTIONS, Entry, Settings, load

# Every name in the environment that the documents of those systems tell of.
TOLD = (
    "ARCHIVED_DAYS", "ARCHIVED_DAYS_THRESHOLD", "COLD_THRESHOLD", "EMBEDDINGS_PROVIDER",
    "ENABLE_TOOL_CACHE", "HOT_THRESHOLD", "MAX_ARCHIVED_MEMORIES", "MAX_COLD_MEMORIES",
    "MAX_DORMANT_MEMORIES", "MAX_HOT_MEMORIES", "MAX_WARM_MEMORIES", "OPENAI_API_KEY",
    "SPECKIT_ARCHIVAL", "SPECKIT_CAUSAL_BOOST", "SPECKIT_CHANNEL_MIN_REP",
    "SPECKIT_CLASSIFICATION_DECAY", "SPECKIT_COACTIVATION", "SPECKIT_COACTIVATION_STRENGTH",
    "SPECKIT_COMPLEXITY_ROUTER", "SPECKIT_CONFIDENCE_TRUNCATION",
    "SPECKIT_DYNAMIC_TOKEN_BUDGET", "SPECKIT_EVAL_LOGGING", "SPECKIT_EXTRACTION",
    "SPECKIT_GRAPH_UNIFIED", "SPECKIT_INTERFERENCE_SCORE", "SPECKIT_LEVEL",
    "SPECKIT_NOVELTY_BOOST", "SPECKIT_PRESSURE_POLICY", "SPECKIT_QUALITY_LOOP",
    "SPECKIT_REDACTION_GATE", "SPECKIT_ROLLOUT_PERCENT", "SPECKIT_RSF_FUSION",
    "SPECKIT_SCORE_NORMALIZATION", "SPECKIT_SESSION_BOOST", "SPECKIT_SIGNAL_VOCAB",
    "SPECKIT_TEMPLATE_SOURCE", "SPECKIT_TOKEN_BUDGET", "SPECKIT_WORKING_MEMORY",
    "VOYAGE_API_KEY", "WARM_THRESHOLD",
)  # fmt: skip
THRESHOLDS = {
    "HOT_THRESHOLD": ("0.9", 0.9),
    "WARM_THRESHOLD": ("0.3", 0.3),
    "COLD_THRESHOLD": ("0.1", 0.1),
    "ARCHIVED_DAYS": ("120", 120.0),
    "ARCHIVED_DAYS_THRESHOLD": ("120", 120.0),
    "MAX_HOT_MEMORIES": ("7", 7),
    "MAX_WARM_MEMORIES": ("0", 0),
    "MAX_COLD_MEMORIES": ("3", 3),
    "MAX_DORMANT_MEMORIES": ("2", 2),
    "SPECKIT_ARCHIVAL": ("0", False),
    "SPECKIT_COACTIVATION": ("false", False),
    "SPECKIT_TOKEN_BUDGET": ("300", 1200),
    "SPECKIT_ROLLOUT_PERCENT": ("25", 25.0),
}
SWITCHES = tuple(name for name in ALIASES if name not in THRESHOLDS)


def entry(home: Home, key: str, **environ: str) -> Entry:
    return next(one for one in load(home, environ).entries if one.key == key)


def test_every_name_that_is_told_of_is_an_alias_or_known_to_do_nothing() -> None:
    assert sorted({*ALIASES, *WITHOUT_EFFECT}) == sorted(TOLD)
    assert not ALIASES.keys() & WITHOUT_EFFECT.keys()
    assert all(WITHOUT_EFFECT.values())


def test_every_alias_is_of_a_setting_that_is_there() -> None:
    assert {alias.key for alias in ALIASES.values()} <= DESCRIPTIONS.keys()


@pytest.mark.parametrize(("name", "text", "value"), [(n, *v) for n, v in THRESHOLDS.items()])
def test_b05_an_alias_changes_its_setting_and_is_named_as_its_origin(
    home: Home, name: str, text: str, value: object
) -> None:
    found = entry(home, ALIASES[name].key, **{name: text})

    assert (found.value, found.origin) == (value, name)
    assert found.value != found.default


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("FALSE", False), ("off", False), ("on", True), ("50", 50.0), ("50%", 50.0)],
)
def test_f15_a_switch_takes_true_false_and_a_percentage(
    home: Home, name: str, text: str, value: object
) -> None:
    found = entry(home, ALIASES[name].key, **{name: text})

    assert (found.value, found.origin) == (value, name)


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.parametrize(("text", "value"), [("1", True), ("0", False), ("1%", 1.0)])
def test_f15_a_bare_one_is_on_and_not_one_per_cent(
    home: Home, name: str, text: str, value: object
) -> None:
    found = entry(home, ALIASES[name].key, **{name: text})

    assert type(found.value) is type(value)
    assert found.value == value


@pytest.mark.parametrize(("text", "percent"), [("1", 1.0), ("0", 0.0), ("25%", 25.0)])
def test_f15_the_percentage_itself_is_a_number(home: Home, text: str, percent: float) -> None:
    found = entry(home, "features.percent", SPECKIT_ROLLOUT_PERCENT=text)

    assert found.value == percent


@pytest.mark.parametrize("name", ["HOT_THRESHOLD", "REVERIE_STATES_HOT"])
@pytest.mark.parametrize("text", [".90", " 0.9 ", "+.9", "9e-1"])
def test_b05_a_number_may_be_written_without_its_zero(home: Home, name: str, text: str) -> None:
    assert entry(home, "states.hot", **{name: text}).value == 0.9


@pytest.mark.parametrize(("text", "value"), [("off", False), ("0", False), ("no", False)])
def test_e03_the_switch_of_co_activation_is_read_like_the_others(
    home: Home, text: str, value: object
) -> None:
    assert entry(home, "activation.enabled", SPECKIT_COACTIVATION=text).value is value


def test_our_own_name_wins_over_an_alias_and_an_alias_over_the_file(home: Home) -> None:
    home.config.write_text("[states]\nhot = 0.7\n", encoding="utf-8")
    by_alias = entry(home, "states.hot", HOT_THRESHOLD="0.9")
    by_us = entry(home, "states.hot", HOT_THRESHOLD="0.9", REVERIE_STATES_HOT="0.85")

    assert (by_alias.value, by_us.value) == (0.9, 0.85)
    assert by_us.origin == "REVERIE_STATES_HOT"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HOT_THRESHOLD", "warm"),
        ("MAX_HOT_MEMORIES", "-1"),
        ("SPECKIT_TOKEN_BUDGET", "plenty"),
        ("SPECKIT_NOVELTY_BOOST", "perhaps"),
    ],
)
def test_a_strangers_value_is_ignored_with_a_warning(home: Home, name: str, text: str) -> None:
    found = load(home, {name: text})

    assert found.settings == Settings()
    (warning,) = found.warnings
    assert name in warning
    assert text in warning
    assert "`" not in warning


@pytest.mark.parametrize(
    "environ",
    [
        {"HOT_THRESHOLD": "0.2"},
        {"WARM_THRESHOLD": "0.9"},
        {"COLD_THRESHOLD": "0.01"},
        {"HOT_THRESHOLD": "1.5"},
        {"ARCHIVED_DAYS": "30"},
        {"REVERIE_STATES_HOT": "0.2", "WARM_THRESHOLD": "0.3"},
    ],
)
def test_b05_borders_out_of_order_are_all_at_their_defaults_and_it_is_said(
    home: Home, environ: dict[str, str]
) -> None:
    found = load(home, environ)

    assert found.settings.states == Settings().states
    assert {one.origin for one in found.entries if one.key.startswith("states.")} == {"default"}
    (warning,) = found.warnings
    assert all(name in warning for name in environ)


def test_a_name_without_effect_is_told_with_its_reason_and_a_key_is_not() -> None:
    environ = {"ENABLE_TOOL_CACHE": "true", "OPENAI_API_KEY": "x", "PATH": "/bin"}

    assert known_without_effect(environ) == {"ENABLE_TOOL_CACHE": "no result of a tool is cached"}
