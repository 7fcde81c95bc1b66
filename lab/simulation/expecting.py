"""Expectations of a script, compared with what is: a script is a test that can fail."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

CLOSE: Final = 1e-3  # two numbers that are so near are the same to a script
_MISSING: Final = object()
_SAID: Final = frozenset({"expect", "failed"})  # by the script and about it: nothing of the life


@dataclass(slots=True)
class Heard:
    """Answer to the last line that could be answered, and what has happened since."""

    since: str = "the beginning"  # which line that was
    text: str = ""  # the notes that were injected, or the texts that a recall found
    found: tuple[str, ...] = ()  # ids of the memories in it
    reply: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""
    happened: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])


@dataclass(frozen=True, slots=True)
class Situation:
    """Situation that an expectation is compared with."""

    heard: Heard
    memories: Mapping[str, Mapping[str, Any]]  # by id, as the table shows them
    of: str | None  # the memory that is meant by fields like "state"
    counts: Mapping[str, int] = field(default_factory=dict[str, int])  # dreams, plans, ...


def failures(expected: Mapping[str, Any], situation: Situation) -> list[str]:
    """Failures: what is not as expected, in words."""
    found: list[str] = []
    for key, wanted in expected.items():
        check = CHECKS.get(key)
        why = (
            check(wanted, situation)
            if check is not None
            else _field_differs(key, wanted, situation)
        )
        if why:
            found.append(why)
    return found


def meets(actual: object, wanted: object) -> bool:
    """Return whether a value is the wanted one, or in the wanted relation to one.

    ``{">=": 0.5, "<": 0.9}`` compares, ``{"contains": "port"}`` looks into texts and lists.
    """
    if isinstance(wanted, Mapping):
        relations = cast("Mapping[str, Any]", wanted)
        return all(
            name in RELATIONS and RELATIONS[name](actual, bound)
            for name, bound in relations.items()
        )
    return _same(actual, wanted)


def _same(actual: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(actual, bool):
        return actual is wanted
    if isinstance(wanted, int | float) and isinstance(actual, int | float):
        return math.isclose(actual, wanted, rel_tol=CLOSE, abs_tol=CLOSE)
    if isinstance(wanted, str) and isinstance(actual, str):
        return actual.casefold() == wanted.casefold()
    return bool(actual == wanted)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def holds(actual: Any, bound: Any) -> bool:
        try:
            return compare(actual, bound)
        except TypeError:
            return False

    return holds


def _contains(actual: Any, part: Any) -> bool:
    if isinstance(actual, str):
        return str(part).casefold() in actual.casefold()
    return isinstance(actual, list | tuple) and part in actual


RELATIONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": _same,
    "!=": lambda actual, bound: not _same(actual, bound),
    "<": _ordered(lambda actual, bound: actual < bound),
    "<=": _ordered(lambda actual, bound: actual <= bound),
    ">": _ordered(lambda actual, bound: actual > bound),
    ">=": _ordered(lambda actual, bound: actual >= bound),
    "contains": _contains,
    "lacks": lambda actual, part: not _contains(actual, part),
    "in": lambda actual, values: any(_same(actual, value) for value in values),
}


def _many(value: object) -> list[Any]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _recalled(wanted: Any, situation: Situation) -> str:
    missing = [one for one in _many(wanted) if one not in situation.heard.found]
    return f"{', '.join(missing)} did not come; {_what_came(situation)}" if missing else ""


def _not_recalled(wanted: Any, situation: Situation) -> str:
    there = [one for one in _many(wanted) if one in situation.heard.found]
    return f"{', '.join(there)} came" if there else ""


def _first(wanted: Any, situation: Situation) -> str:
    found = situation.heard.found
    return "" if found[:1] == (wanted,) else f"{wanted} is not the first; {_what_came(situation)}"


def _what_came(situation: Situation) -> str:
    return f"what came: {', '.join(situation.heard.found) or 'nothing'}"


def _text_contains(wanted: Any, situation: Situation) -> str:
    missing = [one for one in _many(wanted) if not _contains(situation.heard.text, one)]
    return f"the answer has no {', '.join(map(repr, missing))}" if missing else ""


def _text_lacks(wanted: Any, situation: Situation) -> str:
    there = [one for one in _many(wanted) if _contains(situation.heard.text, one)]
    return f"the answer has {', '.join(map(repr, there))}" if there else ""


def _silent(wanted: Any, situation: Situation) -> str:
    is_silent = not situation.heard.found and not situation.heard.text
    if is_silent is bool(wanted):
        return ""
    return f"it was not silent; {_what_came(situation)}" if wanted else "it was silent"


def _action(wanted: Any, situation: Situation) -> str:
    actions = [one["action"] for one in situation.heard.happened if one["what"] == "decided"]
    if any(meets(action, wanted) for action in actions):
        return ""
    return f"no decision is {wanted}: {', '.join(actions) or 'none was made'}"


def _happened(wanted: Any, situation: Situation) -> str:
    heard = situation.heard
    missing = [one for one in _many(wanted) if not _did(one, heard.happened)]
    if not missing:
        return ""
    kinds = sorted({str(one["what"]) for one in heard.happened} - _SAID)
    names, there = ", ".join(map(str, missing)), ", ".join(kinds) or "nothing"
    return f"{names} did not happen since {heard.since}; there was {there}"


def _not_happened(wanted: Any, situation: Situation) -> str:
    there = [one for one in _many(wanted) if _did(one, situation.heard.happened)]
    return f"{', '.join(map(str, there))} happened" if there else ""


def _did(wanted: Any, happened: list[Mapping[str, Any]]) -> bool:
    """Return whether something like this happened: its kind, or an object of its fields."""
    if isinstance(wanted, Mapping):
        fields = cast("Mapping[str, Any]", wanted)
        return any(
            all(meets(one.get(name, _MISSING), value) for name, value in fields.items())
            for one in happened
        )
    return any(one["what"] == wanted for one in happened)


def _memories(wanted: Any, situation: Situation) -> str:
    living = sum(memory["ended"] is None for memory in situation.memories.values())
    return "" if meets(living, wanted) else f"{living} memories live, not {wanted}"


def _counted(name: str) -> Callable[[Any, Situation], str]:
    """Check that there are so many of these."""

    def differs(wanted: Any, situation: Situation) -> str:
        there = situation.counts.get(name, 0)
        return "" if meets(there, wanted) else f"there are {there} {name}, not {wanted}"

    return differs


def _error(wanted: Any, situation: Situation) -> str:
    error = situation.heard.error
    if wanted is False or wanted is None:
        return f"it was refused: {error}" if error else ""
    good = bool(error) if wanted is True else _contains(error, wanted)
    return "" if good else f"the error is {error!r}, not {wanted!r}"


def _reply(wanted: Any, situation: Situation) -> str:
    for path, value in cast("Mapping[str, Any]", wanted).items():
        actual = _at(situation.heard.reply, path)
        if actual is _MISSING or not meets(actual, value):
            shown = "not there" if actual is _MISSING else repr(actual)[:80]
            return f"{path} of the reply is {shown}, not {value!r}"
    return ""


def _at(value: object, path: str) -> object:
    """The value at ``results.0.text``."""
    found = value
    for part in path.split("."):
        if isinstance(found, Mapping):
            found = cast("Mapping[str, object]", found).get(part, _MISSING)
            continue
        rows = cast("list[object]", found) if isinstance(found, list) else []
        found = rows[int(part)] if part.isdecimal() and int(part) < len(rows) else _MISSING
    return found


def _field_differs(name: str, wanted: Any, situation: Situation) -> str:
    if situation.of is None:
        return f'{name} of which memory? Say "of": "@label"'
    memory = situation.memories.get(situation.of)
    if memory is None:
        return f"there is no memory {situation.of}"
    if name not in memory:
        return f"a memory has no {name}: it has {', '.join(sorted(memory))}"
    actual = memory[name]
    return "" if meets(actual, wanted) else f"{name} of {situation.of} is {actual!r}, not {wanted}"


CHECKS: Final[Mapping[str, Callable[[Any, Situation], str]]] = {
    "recalled": _recalled,
    "not_recalled": _not_recalled,
    "first": _first,
    "contains": _text_contains,
    "lacks": _text_lacks,
    "silent": _silent,
    "action": _action,
    "happened": _happened,
    "not_happened": _not_happened,
    "memories": _memories,
    "dreams": _counted("dreams"),
    "insights": _counted("insights"),
    "connections": _counted("connections"),
    "plans": _counted("plans"),
    "error": _error,
    "reply": _reply,
}
