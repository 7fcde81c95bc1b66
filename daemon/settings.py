"""Settings: every key, its default, and where its value came from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pkgutil import get_data
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.decay import archival, capture, curve, states
from actors.policy.decay.states import Rules
from actors.policy.events.cutting import Redact
from actors.policy.gate import gate
from actors.policy.reader import next_session
from actors.policy.recall import ways
from actors.policy.secrets.redaction import BadPattern, redacted, with_patterns
from actors.policy.session import ledger, pressure
from actors.policy.text import wording
from daemon.home import Home

# ---- texts about settings: the meaning of each, and the fate of earlier versions' ones
#
# A removed key or value is one line among the warnings, so an old file still starts; only a name never known
# stops the daemon. Who removes a setting writes its key into ``retired_settings.txt``.


def texts(name: str) -> Mapping[str, str]:
    """Read a file of this folder: lines of keys, a colon, and the text about each of them.

    No TOML: a starting daemon reads it. Raises ``OSError`` without the file.
    """
    text = (get_data(__name__, f"{name}.txt") or b"").decode().replace("\n    ", " ")
    said = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return {key: what for keys, _, what in said for key in keys.split()}


KEYS: Final = texts("retired_settings")
"""By key: why it is not there any more, or what to set instead."""
_SHARE: Final = re.compile(r"\d+\.?\d*|\.\d+")


# ---- settings: every key, its default, and where its value came from
#
# The values live where they are used: each policy has its frozen ``Settings``, and this module only
# puts them under one roof. A key is ``section.key``; the environment calls it
# ``REVERIE_<SECTION>_<KEY>``, the file ``config.toml`` in the home ``[section] key``. The environment
# wins over the file, the file over the default. An unknown key and an impossible value are errors
# with their names: a daemon ignoring a typing mistake would look as if the setting did nothing. A
# setting of an earlier version is a warning (``retired_settings.txt``).

PREFIX = "REVERIE_"
# Where nothing is a meaning: never leave, no wait, no floor. Everything else that is a
# number must be more than nothing.
MAY_BE_ZERO = frozenset(
    {
        "daemon.idle_exit",
        "daemon.settle",
        "backups.weeks",
        "injection.embedding_wait",
        "gate.low",
        "passages.days",
        "states.dormant",
    }
)
PATTERNS = "redaction.patterns"
# Lists that stand in the file alone, where hooks read some as well; and how one is written.
OF_THE_FILE = {
    PATTERNS: "['acme_[a-z]+']",
    "recording.private": "['~/diary', 'clients/*']",
    "reader.command": "['/usr/local/bin/my-reader', '--brief']",
    "reader.private": "['~/clients/acme', 'clients/*']",
}


class SettingsError(Exception):
    """A setting is wrong: the user's fault; the text names the key and the remedy."""


class Daemon(Struct, frozen=True):
    """The process."""

    idle_exit: float = 86_400.0  # seconds without an event, 0: never
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    idle: float = 1_800.0  # seconds without a hook event, an edit or a command: nobody is there
    settle: float = 300.0  # seconds after a start in which no heavy job begins
    load: float = 1.0  # of the machine, a processor, over which heavy jobs wait
    on_battery: bool = False  # whether heavy jobs run on battery as well


class Injection(Struct, frozen=True):
    """Settings of notes given to prompts unasked."""

    enabled: bool = True
    characters: int = wording.DEFAULT
    note: int = 600  # characters of one note
    deadline: float = 0.210  # seconds a prompt waits for everything
    embedding_wait: float = 0.150  # seconds of them for the query's vector, at most
    session_start: bool = True  # the project's page when a session starts
    failures: bool = True  # what ended a command's failure before
    subagents: bool = True  # the notes of its task when a subagent starts


class Embedding(Struct, frozen=True):
    """The embedding model."""

    enabled: bool = True
    model: str = ""  # a known name, or the path of a GGUF file; empty: the default


class Recall(Struct, frozen=True, rename={"with_": "with"}):
    """Ways and stages of recall switched otherwise than shipped, by name."""

    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class Dreaming(Struct, frozen=True):
    """Dreams by themselves; a person can always order one."""

    enabled: bool = True
    every: float = 1_800.0  # seconds between two looks whether one is due
    at_session_start: bool = True  # whether a session's start may begin one, a day after the last


class Passages(Struct, frozen=True):
    """Bounds of the passages kept."""

    days: float = 365.0  # without being written or found, after which a passage leaves; 0: none
    most: int = 100_000  # passages; the longest unused leave first


class Storage(Struct, frozen=True):
    """The store."""

    journal_kept: float = 30 * 86_400.0  # seconds that derived events stay


class Features(Struct, frozen=True):
    """Parts to switch off."""

    extraction: bool = True


class Redaction(Struct, frozen=True):
    """Rules for further secrets, beside the built-in ones."""

    patterns: tuple[str, ...] = ()  # regular expressions; they add, they take nothing away


class Recording(Struct, frozen=True):
    """Folders without recording of their events; ``daemon.recording`` reads them whenever it asks."""

    private: tuple[str, ...] = ()  # patterns: * stands for any part of one name


class Backups(Struct, frozen=True):
    """Backups that are made by themselves."""

    enabled: bool = True  # whether one is made on each day of use
    days: int = 7  # of which the newest is kept
    weeks: int = 4  # before those days, of which the newest is kept
    megabytes: int = 2_000  # of all together; the newest is kept in any case


class Reader(next_session.Settings, frozen=True):
    """The reader of sessions; ``reverie reader use`` writes it, and nothing is read without a consent."""

    engine: Literal["", "claude", "codex", "gemini", "command", "http", "llama"] = ""
    command: tuple[str, ...] = ()  # a program and its arguments; of an agent's engine, its program
    url: str = ""
    model: str = ""  # a name, or the path of a GGUF file
    agents: tuple[str, ...] = ()  # whose sessions it reads beside those of its own agent
    private: tuple[
        str, ...
    ] = ()  # folders that are recorded and not read; patterns as in recording


class Settings(Struct, frozen=True):
    """All of them, by section."""

    daemon: Daemon = field(default_factory=Daemon)
    injection: Injection = field(default_factory=Injection)
    embedding: Embedding = field(default_factory=Embedding)
    redaction: Redaction = field(default_factory=Redaction)
    recording: Recording = field(default_factory=Recording)
    recall: Recall = field(default_factory=Recall)
    gate: gate.Settings = field(default_factory=gate.Settings)
    working_memory: ledger.Settings = field(default_factory=ledger.Settings)
    pressure: pressure.Settings = field(default_factory=pressure.Settings)
    strength: curve.Settings = field(default_factory=curve.Settings)
    tagging: capture.Settings = field(default_factory=capture.Settings)
    archivist: archival.Settings = field(default_factory=archival.Settings)
    dreaming: Dreaming = field(default_factory=Dreaming)
    passages: Passages = field(default_factory=Passages)
    storage: Storage = field(default_factory=Storage)
    backups: Backups = field(default_factory=Backups)
    states: states.Settings = field(default_factory=states.Settings)
    reader: Reader = field(default_factory=Reader)
    features: Features = field(default_factory=Features)

    def redact(self) -> Redact:
        """The rules of redaction with the user's patterns before them."""
        return with_patterns(redacted, self.redaction.patterns)

    @property
    def fading(self) -> Rules:
        """Rules of fading: the borders of the states, and the one curve."""
        return Rules(self.states, self.strength.decay)


class Entry(NamedTuple):
    """One setting as ``reverie config`` shows it."""

    key: str
    value: object
    default: object
    origin: str  # "default", "config.toml" or the name in the environment
    description: str


class Loaded(Struct, frozen=True):
    """The settings, and each of them with its origin."""

    settings: Settings
    entries: tuple[Entry, ...]
    warnings: tuple[str, ...] = ()  # what was set and is not used, and why


DESCRIPTIONS = texts("settings")


def load(home: Home, environ: Mapping[str, str]) -> Loaded:
    """Read the file and the environment.

    Raises ``SettingsError`` for an unknown key, an impossible value and a file that is not TOML.
    """
    warnings: list[str] = []
    chosen = {key: (value, "config.toml") for key, value in _of_file(home).items()}
    chosen |= {key: (environ[name], name) for name, key in sorted(_names(environ).items())}
    for key, (value, origin) in tuple(chosen.items()):
        if why := _gone(key, value):
            del chosen[key]
            warnings.append(f"{origin}: {key} is gone and has no effect: {why}")
    settings = Settings()
    defaults = dict(_keys(settings))
    for key, (value, origin) in chosen.items():
        settings = _with(settings, key, value, origin)
    settings = _in_order(settings, chosen, warnings)
    _check_ways(settings.recall, chosen, warnings)
    entries = tuple(
        Entry(
            key,
            value,
            defaults[key],
            chosen[key][1] if key in chosen else "default",
            DESCRIPTIONS[key],
        )
        for key, value in _keys(settings)
    )
    return Loaded(settings, entries, tuple(warnings))


def _gone(key: str, value: object) -> str:
    """Say why a key, or its value, is not used any more; empty when it is."""
    text = str(value).strip()
    if key == "features.extraction" and _SHARE.fullmatch(text) and text not in "01":
        return f"{value} was a share of installations; it is on or off"
    return KEYS.get(key, "")


def _check_ways(
    recall: Recall, chosen: Mapping[str, tuple[object, str]], warnings: list[str]
) -> None:
    """Check the switched ways: unknown ones are errors, former ones are warned of."""
    for key, names in (("recall.with", recall.with_), ("recall.without", recall.without)):
        for name in names:
            if name in ways.GONE:
                warnings.append(f"{chosen[key][1]}: {key}: {name} is gone and has no effect")
            elif name not in ways.NAMES:
                said = f"{chosen[key][1]}: {key}: {name[:40]!r} is no way or stage of recall"
                raise SettingsError(f"{said}: {_near(name, ways.NAMES, 'recall --stages')}")


def _in_order(
    settings: Settings, chosen: dict[str, tuple[object, str]], warnings: list[str]
) -> Settings:
    """Settings with the default borders of states where the given ones are out of order."""
    checked = states.validated(settings.states)
    if checked == settings.states:
        return settings
    borders = [key for key in chosen if key.startswith("states.")]
    given = ", ".join(f"{key} ({chosen.pop(key)[1]})" for key in borders)
    warnings.append(
        f"the borders of states are the defaults: with {given} they do not fall in"
        " order (hot over warm over cold over dormant)"
    )
    return replace(settings, states=checked)


def _keys(settings: Settings) -> list[tuple[str, object]]:
    return [
        (f"{section}.{one.encode_name}", getattr(getattr(settings, section), one.name))
        for section in settings.__struct_fields__
        for one in msgspec.structs.fields(getattr(settings, section))
    ]


def _of_file(home: Home) -> dict[str, object]:
    try:
        if home.config.exists() and not home.config.is_file():  # to read a pipe has no end
            raise SettingsError(f"{home.config} is no file: move it away")
        found = tomllib.loads(home.config.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        said = f"{home.config} cannot be read ({error.strerror}): check who owns it and its permissions"
        raise SettingsError(said) from error
    except ValueError as error:  # no TOML, or no text
        raise SettingsError(f"{home.config}: {error}") from error
    flat: dict[str, object] = {}
    for section, values in found.items():
        if not isinstance(values, dict):
            raise SettingsError(f"{home.config}: {section} is not a section: write [{section}]")
        flat |= {f"{section}.{key}": one for key, one in cast("dict[str, object]", values).items()}
    for key in flat:
        if key not in DESCRIPTIONS and key not in KEYS:
            hint = _near(key, DESCRIPTIONS, "config")
            raise SettingsError(f"{home.config}: {key} is not a setting: {hint}")
    return flat


def _names(environ: Mapping[str, str]) -> dict[str, str]:
    """The settings of the environment, by their names there."""
    known = {environment_name(key): key for key in (*DESCRIPTIONS, *KEYS)}
    sections = tuple(f"{PREFIX}{key.split('.')[0].upper()}_" for key in DESCRIPTIONS)
    for name in environ:
        if name.startswith(sections) and name not in known:
            hint = _near(name, known, "config")
            raise SettingsError(f"the environment's {name} is not a setting: {hint}")
    return {name: known[name] for name in environ if name in known}


def environment_name(key: str) -> str:
    """``gate.high`` is ``REVERIE_GATE_HIGH`` in the environment."""
    return PREFIX + key.upper().replace(".", "_")


def _near(name: str, names: Iterable[str], command: str) -> str:
    """The name probably meant, else the command that lists them."""
    import difflib  # only for a mistake

    near = difflib.get_close_matches(name, sorted(names), n=1)
    return f"did you mean {near[0]}?" if near else f"reverie {command} lists them"


def _with(settings: Settings, key: str, value: object, origin: str) -> Settings:
    section, _, name = key.partition(".")
    old: Any = getattr(settings, section)
    (field,) = (one for one in msgspec.structs.fields(old) if one.encode_name == name)
    if key in OF_THE_FILE and origin != "config.toml":
        raise SettingsError(f"{origin}: {key} stands in config.toml alone: write it there")
    # The environment has only text: numbers are read from it, lists by their commas. Some write
    # the file so as well.
    is_text, default = isinstance(value, str), getattr(old, field.name)
    if isinstance(value, str) and key not in OF_THE_FILE:
        value = value.strip()
        if isinstance(default, tuple):
            value = [part.strip() for part in value.split(",") if part.strip()]
        elif isinstance(default, int | float):  # ``.80``, as tables write it, is 0.80
            value = re.sub(r"\A[+]?(-?)(?=\.\d)", r"\g<1>0", value).removeprefix("+")
    try:
        section_type: type[object] = old.__class__
        made: Any = msgspec.convert({name: value}, section_type, strict=not is_text)
        new = getattr(made, field.name)
        if key == PATTERNS:
            with_patterns(redacted, new)  # raises for one that cannot be used
    except (msgspec.ValidationError, BadPattern) as error:
        wrong = str(error).partition(" - at ")[0]
        example = f": write a list, {OF_THE_FILE[key]}" if key in OF_THE_FILE else ""
        raise SettingsError(f"{origin}: {key}: {wrong}{example}") from error
    _check_bounds(key, new, origin)
    changed: Any = replace(old, **{field.name: new})
    return replace(settings, **{section: changed})


def _check_bounds(key: str, value: object, place: str) -> None:
    """Refuse a negative setting, and zero for a divisor or a wait."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    may_be_zero = key in MAY_BE_ZERO
    if not value >= 0 or (value == 0 and not may_be_zero):  # NaN is neither
        least = "0 or more" if may_be_zero else "more than 0"
        raise SettingsError(f"{place}: {key} is {value}: it must be {least}")
