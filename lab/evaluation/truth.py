"""Ground truth: questions, and the memories answering them.

A file is JSON Lines. Its keys and ids are looked up among the living memories; a question without
any of its answers there cannot be judged and is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from actors.policy.text.words import query_terms
from daemon.shapes.memory import MemoryView

FEW, MANY = 3, 8  # up to three terms a query is simple, from nine on complex


class WrongTruth(Exception):
    """A question in the file makes no sense: the text says which, and why."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a file of ground truth; more fields than these are ignored."""

    query: str
    relevant: list[str] = []  # ids or keys
    grade: float | list[float] = 1.0  # of all, or of each: larger is better
    hard_negative: bool = False  # the right answer is nothing
    project: str | None = None
    complexity: str = ""
    category: str = ""
    intent: str = ""
    source: str = ""

    @property
    def grades(self) -> Sequence[float]:
        """Grade of each relevant memory."""
        return self.grade if isinstance(self.grade, list) else [self.grade] * len(self.relevant)


@dataclass(frozen=True, slots=True)
class Memories:
    """The living memories, by id, and the id of each key."""

    by_id: Mapping[str, MemoryView]
    keys: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Question:
    """One query, its project, and the right answers."""

    line: Line
    project: str | None
    everywhere: bool
    right: Mapping[str, MemoryView]  # by id
    grades: Mapping[str, float]  # of these
    # Constitutional memories of its scope: they stand before all others, whatever is asked.
    leading: frozenset[str] = frozenset()

    @property
    def complexity(self) -> str:
        """As the line says, else by the words of the query."""
        return self.line.complexity or complexity_of(self.line.query)


@dataclass(frozen=True, slots=True)
class Truth:
    """All answerable questions, and the other lines."""

    name: str
    questions: Sequence[Question]
    unanswerable: Sequence[int] = ()  # line numbers: nothing they name is there
    partly: Sequence[int] = ()  # some of it is not


def checked(name: str, lines: Iterable[Line]) -> list[Line]:
    """The lines, each of which makes sense by itself.

    Raises ``WrongTruth`` with the number of the first other one.
    """
    kept = list(lines)
    for number, line in enumerate(kept, 1):
        problem = _problem(line)
        if problem:
            raise WrongTruth(f"{name}, question {number}: {problem}")
    if not kept:
        raise WrongTruth(f"{name} has no question")
    return kept


def _problem(line: Line) -> str:
    if not line.query.strip():
        return "the query is empty"
    if line.hard_negative and line.relevant:
        return "a hard negative has no relevant memory"
    if not line.hard_negative and not line.relevant:
        return 'nothing is relevant: name ids or keys, or say "hard_negative": true'
    if len(line.grades) != len(line.relevant):
        return f"{len(line.grades)} grades for {len(line.relevant)} relevant memories"
    if min(line.grades, default=1.0) <= 0:
        return "a grade must be above 0"
    return ""


def truth_of(
    name: str, lines: Sequence[Line], memories: Memories, scope: str | None, *, everywhere: bool
) -> Truth:
    """The questions with ids in place of keys.

    ``scope``: the project of a question without one; ``everywhere``: all of them are asked in every
    project.
    """
    questions: list[Question] = []
    unanswerable: list[int] = []
    partly: list[int] = []
    first = [one for one in memories.by_id.values() if one.tier == "constitutional"]
    for number, line in enumerate(lines, 1):
        named = (memories.keys.get(one, one) for one in line.relevant)
        grades = {
            id_: grade
            for id_, grade in zip(named, line.grades, strict=True)
            if id_ in memories.by_id
        }
        if line.relevant and not grades:
            unanswerable.append(number)
            continue
        if len({*line.relevant}) > len(grades):
            partly.append(number)
        project = line.project or scope
        wide = everywhere or project is None
        leading = frozenset(one.id for one in first if wide or one.project in (None, project))
        right = {id_: memories.by_id[id_] for id_ in grades}
        questions.append(Question(line, project, wide, right, grades, leading))
    return Truth(name, questions, unanswerable, partly)


def complexity_of(query: str) -> str:
    """Simple, moderate or complex, by the number of telling words."""
    terms = len(query_terms(query))
    if terms <= FEW:
        return "simple"
    return "complex" if terms > MANY else "moderate"
