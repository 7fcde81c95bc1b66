"""Scripts: one JSON object a line, each something that happens in a life.

A line is known by its verb, one of the keys in ``FORMS``. Everything is checked before
anything is played: a wrong line is named with its number and with what was meant.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, cast

from actors.policy.decay.reinforcement import Use
from daemon.dispatch import REQUESTS, parsed
from daemon.requests.shapes import BadRequest
from daemon.settings import DESCRIPTIONS

DAY: Final = 86_400.0  # seconds
UNITS: Final[Mapping[str, float]] = {
    "s": 1.0, "m": 60.0, "min": 60.0, "h": 3_600.0, "d": DAY, "w": 7 * DAY, "y": 365 * DAY,
}  # fmt: skip
LONGEST: Final = 100 * 365 * DAY  # seconds of one sleep
MOST: Final = 100_000  # steps that repeats may make of a script

# The verbs, and what a line of each looks like.
FORMS: Final[Mapping[str, str]] = {
    "prompt": '{"prompt": TEXT, "session": NAME, "project": PATH}',
    "event": '{"event": {"hook_event_name": …, …}}: a hook\'s payload as the agent sends it',
    "tool": '{"tool": "Bash", "input": {"command": …}, "output": TEXT, "failed": true}',
    "edit": '{"edit": PATH, "old": TEXT, "new": TEXT}',
    "answer": '{"answer": TEXT}: the agent\'s last words of a turn',
    "start": '{"start": SESSION, "project": PATH, "source": "startup"}',
    "end": '{"end": SESSION}',
    "compact": '{"compact": SUMMARY}',
    "remember": '{"remember": TEXT, "type": …, "tier": …, "project": …, "as": LABEL}',
    "recall": '{"recall": QUERY, "k": 5, "project": …}',
    "use": '{"use": ID or "@label", "by": "cited"}',
    "useful": '{"useful": ID or "@label"}',
    "useless": '{"useless": ID or "@label"}',
    "pin": '{"pin": ID or "@label"}',
    "unpin": '{"unpin": ID or "@label"}',
    "forget": '{"forget": ID or "@label"}',
    "unforget": '{"unforget": ID or "@label"}',
    "archive": '{"archive": ID or "@label"}',
    "unarchive": '{"unarchive": ID or "@label"}',
    "erase": '{"erase": ID or "@label"}',
    "show": '{"show": ID or "@label"}',
    "ask": '{"ask": REQUEST, "body": {…}}: any request of the daemon',
    "sleep": '{"sleep": "90d"}: seconds, or a number with s, m, h, d, w or y, also "1d12h"',
    "away": '{"away": "2w"}: the machine itself sleeps, nothing runs until it wakes',
    "until": '{"until": "2026-03-01T09:00"} or {"until": "09:00"}',
    "restart": '{"restart": true}: the daemon drains, ends and starts again',
    "kill": '{"kill": true}: the daemon dies at once and starts again',
    "repeat": '{"repeat": 90, "steps": [{…}, …]}',
    "expect": '{"expect": {"recalled": "@label"}} or {"expect": {"state": "WARM"}, "of": "@label"}',
    "settings": '{"settings": {"section.key": VALUE}}: before everything else',
    "say": '{"say": TEXT}: a heading in what is printed',
}
ANYWHERE: Final = frozenset({"at", "as", "hurry"})
OF_A_SESSION: Final = frozenset({"session", "project", "agent"})
KEYS: Final[Mapping[str, frozenset[str]]] = {
    "prompt": OF_A_SESSION,
    "event": frozenset({"agent"}),
    "tool": OF_A_SESSION | {"input", "command", "output", "failed", "ms"},
    "edit": OF_A_SESSION | {"old", "new"},
    "answer": OF_A_SESSION,
    "start": frozenset({"project", "agent", "source", "transcript"}),
    "end": frozenset({"agent", "reason"}),
    "compact": OF_A_SESSION,
    "use": frozenset({"by"}),
    "ask": frozenset({"body"}),
    "repeat": frozenset({"steps"}),
    "expect": frozenset({"of"}),
}
TEXT_KEYS: Final = OF_A_SESSION | {"old", "new", "output", "source", "reason", "command", "of"}
TEXTS: Final = frozenset(
    {"prompt", "edit", "answer", "start", "end", "compact", "say", "tool", "use"}
)
# Verbs that are a request of the daemon: its name, where the value goes, what else it has.
_ONE: Final[Mapping[str, tuple[str, str, Mapping[str, object]]]] = {
    "remember": ("remember", "text", {}),
    "recall": ("recall", "query", {}),
    "useful": ("feedback", "id", {"useful": True}),
    "useless": ("feedback", "id", {"useful": False}),
    "show": ("show", "id", {}),
}
_MANY: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "pin": ("pin", {"pinned": True}),
    "unpin": ("pin", {"pinned": False}),
    "forget": ("forget", {}),
    "unforget": ("unforget", {}),
    "archive": ("archive", {}),
    "unarchive": ("unarchive", {}),
    "erase": ("forget", {"erase": True}),
}
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)(min|[smhdwy])")
_TIME_OF_DAY: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
MEANT: Final = ". Meant is"
_LABEL: Final = re.compile(r"[^\W\d][\w.-]*")


class ScriptError(Exception):
    """The script is wrong: whose fault, where, and what is meant."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the daemon as a script means it; labels stand in it as ``@label``."""

    kind: str
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class When:
    """Time of a line: a moment, so long after the beginning, or a time of day."""

    moment: float | None = None  # seconds since the epoch, UTC
    after: float | None = None  # seconds after the beginning
    of_day: float | None = None  # seconds after midnight UTC

    def seconds(self, begins: float, now: float) -> float:
        """The moment that is meant, in seconds since the epoch."""
        if self.moment is not None:
            return self.moment
        if self.after is not None:
            return begins + self.after
        today = now - now % DAY + (self.of_day or 0.0)
        return today if today >= now - 1e-6 else today + DAY


@dataclass(frozen=True, slots=True)
class Step:
    """One line: its verb, the verb's value, and everything else that stands there."""

    line: int
    verb: str
    value: Any
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    at: When | None = None
    label: str | None = None
    hurry: bool = False  # what follows does not wait until everything is made of this
    asked: Asked | None = None
    steps: tuple[Step, ...] = ()

    def text(self, name: str, otherwise: str = "") -> str:
        """A field that is a text."""
        return str(self.fields.get(name, otherwise))


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script, checked."""

    name: str
    steps: tuple[Step, ...]
    settings: Mapping[str, object] = field(default_factory=dict[str, object])

    def wrong(self, line: int, what: str) -> ScriptError:
        """An error that names the place."""
        return ScriptError(f"{self.name}:{line}: {what}")


def read(name: str, text: str) -> Script:
    """The script in this text.

    Raises ``ScriptError`` for the first line that is wrong.
    """
    script = Script(name, ())
    settings: dict[str, object] = {}
    steps: list[Step] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        plain = line.strip()
        if not plain or plain.startswith(("#", "//")):
            continue
        try:
            step = _step(number, _object(plain), inside=False)
        except BadRequest as error:
            raise script.wrong(number, str(error)) from None
        if step.verb != "settings":
            steps.append(step)
        elif steps:
            raise script.wrong(number, "settings come before everything that happens")
        else:
            settings |= step.value
    script = replace(script, steps=tuple(steps), settings=settings)
    _check_labels(script)
    if _count(steps) > MOST:
        raise script.wrong(steps[-1].line, f"more than {MOST:,} steps come of the repeats")
    return script


def unrolled(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps with every repeat written out; ``{n}`` in its texts is the turn, from 1."""
    for step in steps:
        if step.verb != "repeat":
            yield step
            continue
        for turn in range(1, step.value + 1):
            yield from unrolled([_filled(inner, turn) for inner in step.steps])


def span(value: object) -> float:
    """Seconds of a number or of a text like ``90d``, ``1d12h``, ``10 min``.

    Raises ``BadRequest`` for what is neither.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = float(value)
    else:
        plain = re.sub(r"\s", "", str(value).lower())
        if re.fullmatch(r"\d+(\.\d+)?", plain):
            plain += "s"
        if not plain or _SPAN.sub("", plain):
            raise BadRequest(f'{value!r} is no length of time: write "90d", "3h" or seconds')
        seconds = sum(float(number) * UNITS[unit] for number, unit in _SPAN.findall(plain))
    if not 0 <= seconds <= LONGEST:  # NaN is neither
        raise BadRequest(f"{value!r} is no length of time that can be slept")
    return seconds


def when(value: object) -> When:
    """The moment that ``at`` or ``until`` names.

    Raises ``BadRequest`` for what names none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return When(moment=float(value))
    if not isinstance(value, str):
        raise BadRequest(f"{value!r} is no moment")
    if value.startswith("+"):
        return When(after=span(value[1:]))
    if found := _TIME_OF_DAY.fullmatch(value.strip()):
        hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return When(of_day=3_600.0 * hours + 60.0 * minutes + seconds)
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        raise BadRequest(
            f'{value!r} is no moment: write "2026-03-01T09:00", "09:00" or "+3h" after the beginning'
        ) from None
    return When(moment=(moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise BadRequest(f"this is no JSON ({reason}): a line is {FORMS['prompt']}") from None
    if not isinstance(found, dict):
        raise BadRequest(f"a line is one JSON object, as {FORMS['prompt']}")
    return cast("dict[str, Any]", found)


def _step(line: int, found: Mapping[str, Any], *, inside: bool) -> Step:
    verb = _verb(found)
    try:
        return _built(line, verb, found, inside=inside)
    except BadRequest as error:
        said = str(error)  # a step of a repeat has said what is meant by it
        raise BadRequest(said if MEANT in said else f"{said}{MEANT} {FORMS[verb]}") from None


def _verb(found: Mapping[str, Any]) -> str:
    verbs = [key for key in found if key in FORMS]
    # What is said of a request may have the name of a verb: the first one counts then.
    if verbs and (len(verbs) == 1 or verbs[0] in ("remember", "recall")):
        return verbs[0]
    if verbs:
        raise BadRequest(f"{' and '.join(verbs)} on one line: write two lines")
    for key in found:
        if near := difflib.get_close_matches(key, FORMS, n=1):
            raise BadRequest(f"{key!r} is nothing that happens: did you mean {FORMS[near[0]]}?")
    raise BadRequest(f"nothing happens on this line: it needs one of {', '.join(FORMS)}")


def _built(line: int, verb: str, found: Mapping[str, Any], *, inside: bool) -> Step:
    value = found[verb]
    fields = {key: found[key] for key in found if key != verb and key not in ANYWHERE}
    moment = _moment("at", found["at"], inside=inside) if "at" in found else None
    step = Step(
        line, verb, _checked(verb, value, inside=inside), fields, moment,
        _label(found.get("as")), found.get("hurry") is True,
    )  # fmt: skip
    if verb in _ONE or verb in _MANY or verb == "ask":
        return replace(step, asked=_asked(verb, value, fields))
    _check_keys(verb, fields)
    if verb == "repeat":
        inner = fields.get("steps")
        if not isinstance(inner, list) or not inner:
            raise BadRequest('a repeat needs its "steps"')
        steps = cast("list[object]", inner)
        if not all(isinstance(one, dict) for one in steps):
            raise BadRequest("every step of a repeat is an object")
        objects = cast("list[dict[str, Any]]", steps)
        return replace(step, steps=tuple(_step(line, one, inside=True) for one in objects))
    return step


def _checked(verb: str, given: object, *, inside: bool) -> object:
    value: Any = given
    match verb:
        case "sleep" | "away":
            return span(value)
        case "until":
            return _moment("until", value, inside=inside)
        case "repeat":
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise BadRequest(f"{value!r} is no number of turns")
        case "settings":
            if inside:
                raise BadRequest("settings come before everything that happens")
            return _settings(value)
        case "event" | "expect":
            if not isinstance(value, dict):
                raise BadRequest(f"the value of {verb} is an object")
        case _ if verb in TEXTS:
            _check_text(verb, value)
        case _:
            pass
    return given


def _moment(name: str, value: object, *, inside: bool) -> When:
    moment = when(value)
    if inside and moment.of_day is None:
        raise BadRequest(f'inside a repeat "{name}" is a time of day, as "09:00"')
    return moment


def _check_text(verb: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise BadRequest(f"the value of {verb} is a text, not {json.dumps(value)[:40]}")


def _hint(given: object, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(given), list(known), n=1)
    return f": did you mean {near[0]!r}?" if near else ""


def _check_keys(verb: str, fields: Mapping[str, Any]) -> None:
    known = KEYS.get(verb, frozenset())
    for key, value in fields.items():
        if key not in known:
            hint = _hint(key, known | ANYWHERE)
            raise BadRequest(f"{key!r} is nothing that {verb} has{hint}")
        if key in TEXT_KEYS and not isinstance(value, str):
            raise BadRequest(f"{key} is a text, not {json.dumps(value)[:40]}")
    if verb == "use" and fields.get("by", "cited") not in {use.value for use in Use}:
        kinds = ", ".join(use.value for use in Use)
        raise BadRequest(f"{fields['by']!r} is no use of a memory: it is one of {kinds}")


def _label(value: object) -> str | None:
    if value is None:
        return None
    plain = str(value).removeprefix("@")
    if not isinstance(value, str) or not _LABEL.fullmatch(plain):
        raise BadRequest(f'{value!r} is no label: a word, as in "as": "port"')
    return plain


def _asked(verb: str, value: Any, fields: Mapping[str, Any]) -> Asked:
    body: dict[str, object]
    if verb == "ask":
        _check_text(verb, value)
        if value not in REQUESTS:
            raise BadRequest(f"the daemon answers no request {value!r}{_hint(value, REQUESTS)}")
        _check_keys(verb, fields)
        kind, body = value, fields.get("body", {})
    elif verb in _ONE:
        kind, place, rest = _ONE[verb]
        body = {**rest, **fields, place: value}
        if verb == "recall" and "project" not in fields:
            body.setdefault("everywhere", True)
    else:
        kind, rest = _MANY[verb]
        body = {**rest, **fields, "ids": value if isinstance(value, list) else [value]}
    parsed(kind, body)  # raises BadRequest
    return Asked(kind, body)


def _settings(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise BadRequest("settings are an object")
    flat: dict[str, object] = {}
    for key, one in cast("dict[str, object]", value).items():
        inner = cast("dict[str, object]", one) if isinstance(one, dict) else None
        flat |= {key: one} if inner is None else {f"{key}.{n}": v for n, v in inner.items()}
    for key in flat:
        if key not in DESCRIPTIONS:
            near = difflib.get_close_matches(key, DESCRIPTIONS, n=1)
            hint = f"did you mean {near[0]}?" if near else "reverie config lists the settings"
            raise BadRequest(f"{key} is not a setting: {hint}")
    return flat


def labels(value: object) -> set[str]:
    """The labels that stand in a value of a script: texts that are ``@label`` and no more."""
    found: set[str] = set()

    def look(text: str) -> str:
        plain = text.removeprefix("@")
        if plain != text and _LABEL.fullmatch(plain):
            found.add(plain)
        return text

    mapped(value, look)
    return found


def _check_labels(script: Script) -> None:
    known: set[str] = set()
    for step in every(script.steps):
        if step.asked is not None:
            used = labels(step.asked.body)
        elif step.verb in ("use", "expect"):
            used = labels(step.value) | labels(step.fields.get("of"))
        else:
            used = set[str]()
        for label in sorted(used - known):
            near = difflib.get_close_matches(label, known, n=1)
            hint = f": did you mean @{near[0]}?" if near else ""
            raise script.wrong(step.line, f'no line before has "as": "{label}"{hint}')
        if step.label is not None:
            known.add(step.label)


def every(steps: Sequence[Step]) -> Iterator[Step]:
    """Every step, those inside repeats once."""
    for step in steps:
        yield step
        yield from every(step.steps)


def _count(steps: Sequence[Step]) -> int:
    return sum(step.value * _count(step.steps) if step.steps else 1 for step in steps)


def _filled(step: Step, turn: int) -> Step:
    def told(value: object) -> Any:
        return mapped(value, lambda text: text.replace("{n}", str(turn)))

    return replace(
        step,
        value=told(step.value),
        fields=told(step.fields),
        asked=Asked(step.asked.kind, told(step.asked.body)) if step.asked else None,
        steps=tuple(_filled(inner, turn) for inner in step.steps),
    )


def mapped(value: object, text: Callable[[str], object]) -> object:
    """A JSON value with something else in the place of each text in it; keys stay."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {key: mapped(one, text) for key, one in fields.items()}
    if isinstance(value, list | tuple):
        return [mapped(one, text) for one in cast("Sequence[object]", value)]
    return value
