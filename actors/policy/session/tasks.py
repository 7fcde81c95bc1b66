"""Tasks of a session: what it goes on from, where it stopped, what is open in it, what it delegates."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from actors.policy.events.events import Event, EventKind, Tool, listing, mapping
from actors.policy.patterns import pattern
from actors.policy.text.wording import one_line, shortened
from actors.policy.text.words import EVERYDAY, STOP_WORDS, caseless

# ---- a fork, which begins with the context of another session
#
# No client names that one: it is the project's session answered last at the time that the fork's client tells.


FORK: Final = "fork"  # source of its start


def origin_answered_at(event: Event, at: float) -> float | None:
    """Time at which a fork's origin was answered last, by its start ``at``; None of another event."""
    is_fork = event.kind is EventKind.SESSION_START and event.source == FORK
    return at - event.answered_ago if is_fork and event.answered_ago is not None else None


# ---- where a session stopped: the last request, and the end of the answer


ASKED: Final = 160  # characters
# Characters: the last paragraphs say what is open, and rules are to fit beside them.
ENDING: Final = 300
SHORT: Final = 120  # characters of a prompt that asks for nothing but to go on
WORDS: Final = 3  # of a prompt that says what a session is at
LOOKED_AT: Final = 40  # words of it
ANNOUNCED: Final = 200  # characters of an answer's end in which it announces its next step
MARKUP: Final = "#*_- "  # around a paragraph
MARKS: Final = ".,;:!?()'\"`"
_COMMAND: Final = pattern(r"\A/([\w:-]{1,80})(?:\s+|\Z)")
_NODS: Final = frozenset("yes yeah yep yup ok okay lgtm let's lets do it sure go on".split())
_SAYS_LITTLE: Final = STOP_WORDS | EVERYDAY | _NODS
_ABOUT_THE_CONTEXT: Final = frozenset({"compact", "clear", "resume"})
_AGAIN: Final = (
    r"(?:continue|go on|carry on|keep going|proceed|resume|pick (?:it |this )?up|pick up)"
    r"(?: (?:with )?(?:it|this|that|the (?:work|task|session)|working|from|where|what|our|here|now|please)\b"
    r"[^.?!\n]{0,60})?"
)
_HANDOFF: Final = (
    r"(?:please )?(?:read|see|check|look at|open) (?:your|the|my|our) (?:last |latest )?hand-?off"
    r"[^.?!\n]{0,40}"
)
_WHERE: Final = (
    r"where (?:did (?:we|you|i) (?:stop|leave off|end|get to)|were we|was i)\b[^.?!\n]{0,40}"
    r"|what (?:were we|was i|have we been) (?:doing|working on|at)\b[^.?!\n]{0,40}"
    r"|what did we do (?:last|before|yesterday)\b[^.?!\n]{0,40}"
)
_GOES_ON: Final = caseless(
    rf"\A\W{{0,9}}(?:(?:ok|okay|hi|hello|please|and|so|can we|can you|could you|let's|lets|now)\b[,.! ]{{0,4}}){{0,6}}"
    rf"(?:{_AGAIN}|{_HANDOFF}|{_WHERE})"
    rf"(?:(?:[,.;!]| and| then){{1,3}} ?(?:{_AGAIN}|{_HANDOFF}))?(?:,? please)?\W{{0,9}}\Z"
)
_ANNOUNCES: Final = caseless(
    r"(?:\A|[.!?:] )(?:[^\w\s-]{1,3} )?(?:now,? |next,? |first,? |so,? )?(?:let me|i'll|i will|i'm going to) [^.!?]{1,150}[.!:…]?\Z"
)
# What is left to the user is no step that was cut off: "Let me know", "I'll hold off until you say so".
_LEAVES_IT: Final = caseless(r"\blet me know\b|\b(?:until|once|if|when|whenever|unless)\b")
# A star and a name are in its first line.
_FRAME: Final = pattern(r"\A[` ]{0,4}(?:★[^─]{0,80})?─{5}")
_NEXT: Final = caseless(r"\b(?:next|open|todo|to do|remaining|left|state|status|where)\b")


def task_of(prompt: str) -> str | None:
    """The words for a session's task; None for a bare command or a mere "yes, do it"."""
    text = prompt.strip()
    command = _COMMAND.match(text)
    if command is not None and command[1] in _ABOUT_THE_CONTEXT:
        text = text[command.end() :]
    words = text.split(maxsplit=LOOKED_AT)[:LOOKED_AT]
    telling = {word.strip(MARKS).casefold() for word in words} - _SAYS_LITTLE
    spoken = len(words) >= (WORDS if text.isascii() else 1) or (
        command is not None and len(words) > 1
    )
    return text if spoken and any(word[-1:].isalpha() for word in telling) else None


def goes_on(prompt: str) -> bool:
    """Tell whether a prompt asks for nothing but to go on where an earlier session stopped."""
    text = prompt.strip()
    return len(text) <= SHORT and _GOES_ON.match(text) is not None


def where_it_stopped(asked: str, answer: str) -> str:
    """Say the last request and the end of the last answer; "" where there was none.

    An answer ending in an announcement says nothing of its result.
    """
    said = ending(answer)
    if not said:
        return ""
    announced = _ANNOUNCES.search(said[-ANNOUNCED:])
    is_open = announced is not None and _LEAVES_IT.search(announced[0]) is None
    if is_open and not asked:
        return ""
    question = f"The user asked “{one_line(asked, ASKED)}”; the" if asked else "The"
    return f"{question} last answer " + ("was not finished." if is_open else f"ended: {said}")


def handed_over(place: str, pieces: Sequence[tuple[str, str]]) -> str:
    """Say the next step by a handoff document; ``pieces``: its headings and texts, in order."""
    told = [text for title, text in pieces if _NEXT.search(title)] or [text for _, text in pieces]
    said = shortened(one_line(" ".join(told), 2 * ENDING), ENDING)
    return f"The handoff {place} says: {said}" if said else ""


def ending(text: str) -> str:
    """The last paragraphs of a text, at most ``ENDING`` characters, without teaching boxes."""
    kept: list[str] = []
    room = ENDING
    for part in reversed(_without_boxes(text).split("\n\n")):
        line = one_line(part.replace("**", "").strip(MARKUP))
        if not line.strip("`"):
            continue
        if len(line) > room:
            kept += [shortened(line, room)] if not kept else []
            break
        kept.append(line)
        room -= len(line) + 1
    return " ".join(reversed(kept))


def _without_boxes(text: str) -> str:
    """Leave out the boxes of an output style ("★ Insight ────"): they say nothing of the work."""
    kept: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if _FRAME.match(line) is not None:
            is_inside = "★" in line
        elif not is_inside:
            kept.append(line)
    return "\n".join(kept)


# ---- what an agent wrote down for itself and did not finish, from its own calls
#
# Claude Code has two forms: ``TodoWrite`` gives the whole list anew; ``TaskCreate`` adds one and
# ``TaskUpdate`` changes it. Other agents' tools are brought into these names.


TOOLS: Final = ("TodoWrite", "TaskCreate", "TaskUpdate")
NAMED: Final = 3  # of them, the others are counted
TITLE: Final = 80  # characters of one
_OVER: Final = frozenset({"completed", "cancelled", "deleted"})


def unfinished(calls: Iterable[Tool]) -> tuple[str, ...]:
    """Titles of the tasks left open after these calls, oldest first."""
    titles: dict[str, str] = {}
    states: dict[str, str] = {}
    for call in calls:
        if call.name == "TodoWrite" and "todos" in call.input:  # one without it only looks
            todos = [mapping(one) for one in listing(call.input.get("todos"))]
            titles = {str(place): _title(one.get("content")) for place, one in enumerate(todos)}
            states = {str(place): str(one.get("status")) for place, one in enumerate(todos)}
        elif call.name == "TaskCreate":
            made = mapping(mapping(call.response).get("task"))
            titles[str(made.get("id"))] = _title(call.input.get("subject"))
        elif call.name == "TaskUpdate":
            task = str(call.input.get("taskId"))
            titles[task] = _title(call.input.get("subject")) or titles.get(task, "")
            states[task] = str(call.input.get("status") or states.get(task))
    return tuple(title for task, title in titles.items() if title and states.get(task) not in _OVER)


def named(titles: tuple[str, ...]) -> str:
    """Say in one sentence which tasks stand open; "" for none."""
    if not titles:
        return ""
    first = ", ".join(f"“{one}”" for one in titles[:NAMED])
    more = len(titles) - NAMED
    return f"Open in its task list: {first}" + (f" and {more} more." if more > 0 else ".")


def _title(given: object) -> str:
    return one_line(given, TITLE) if isinstance(given, str) else ""


# ---- what is about to be given to subagents
#
# An agent's client reports the call with the task's text, and a moment later the start of a subagent
# by its type alone. Of several tasks for one type the first given is the first started: so it was in
# each of four runs of Claude Code 2.1.330 with three subagents started at once.


USUAL: Final = frozenset({"", "general-purpose", "default"})  # types of one for which none is named
WAITS: Final = 60.0  # seconds from the call to the start; a call that was refused starts none
MOST: Final = 16  # tasks that wait in one session


class Task(Struct, frozen=True):
    """A subagent's task, its type, and the time of its call (seconds)."""

    text: str
    agent_type: str
    at: float


def given(waiting: Sequence[Task], task: Task) -> tuple[Task, ...]:
    """Return the waiting tasks once this one is given: the latest ``MOST``."""
    return (*waiting, task)[-MOST:]


def started(
    waiting: Sequence[Task], agent_type: str, now: float
) -> tuple[Task | None, tuple[Task, ...]]:
    """Return the task of a starting subagent, if it is known, and the tasks still waiting."""
    current = [task for task in waiting if now - task.at <= WAITS]
    first = next((task for task in current if _is_same(task.agent_type, agent_type)), None)
    return first, tuple(task for task in current if task is not first)


def _is_same(one: str, other: str) -> bool:
    """Return whether two names are of one type; a call without a name starts the usual one."""
    return one == other or (one in USUAL and other in USUAL)
