"""Ground truth: questions, and which memories answer them.

A file is JSON Lines. What it names by key or id is looked up among the memories that live;
a question whose answers are not there at all cannot be judged and is left out.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from actors.policy.text.words import query_terms

FEW, MANY = 3, 8  # Up to three terms a query is simple, from nine on complex


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


@dataclass(frozen=True, slots=True)
class Known:
    """Facts of a living memory without its text."""

    tier: str
    created_at: float  # seconds UTC
    project: str | None


@dataclass(frozen=True, slots=True)
class Memories:
    """The memories that live, by id, and which id a key means."""

    known: Mapping[str, Known]
    keys: Mapping[str, str]

    def id_of(self, name: str) -> str | None:
        """The id that this id or key means."""
        found = self.keys.get(name, name)
        return found if found in self.known else None

    def constitutional(self, project: str | None, *, everywhere: bool) -> frozenset[str]:
        """Those that hold always, in this scope."""
        return frozenset(
            identity
            for identity, one in self.known.items()
            if one.tier == "constitutional" and (everywhere or one.project in (None, project))
        )


@dataclass(frozen=True, slots=True)
class Question:
    """One query, where it is asked, and what is right."""

    digest: str  # of the query and its project: the text itself is never stored
    query: str
    project: str | None
    everywhere: bool
    grades: Mapping[str, float]  # by id
    hard_negative: bool
    complexity: str
    category: str
    intent: str
    source: str


@dataclass(frozen=True, slots=True)
class Truth:
    """All questions that can be asked, and the lines that cannot."""

    name: str
    digest: str  # the same for the same questions in the same scope
    questions: tuple[Question, ...]
    unanswerable: tuple[int, ...] = ()  # line numbers: nothing they name is there
    partly: tuple[int, ...] = ()  # some of it is not


def checked(name: str, lines: Iterable[Line]) -> list[Line]:
    """The lines, each of which makes sense by itself.

    Raises ``WrongTruth`` that names the first that does not by its number.
    """
    found = list(lines)
    for number, line in enumerate(found, 1):
        problem = _problem(line)
        if problem:
            raise WrongTruth(f"{name}, question {number}: {problem}")
    if not found:
        raise WrongTruth(f"{name} has no question")
    return found


def _problem(line: Line) -> str:
    if not line.query.strip():
        return "the query is empty"
    if line.hard_negative and line.relevant:
        return "a hard negative has no relevant memory"
    if not line.hard_negative and not line.relevant:
        return 'nothing is relevant: name ids or keys, or say "hard_negative": true'
    if isinstance(line.grade, list) and len(line.grade) != len(line.relevant):
        return f"{len(line.grade)} grades for {len(line.relevant)} relevant memories"
    if min(_grades(line), default=1.0) <= 0:
        return "a grade must be above 0"
    return ""


def _grades(line: Line) -> Sequence[float]:
    return line.grade if isinstance(line.grade, list) else [line.grade] * len(line.relevant)


def truth_of(
    name: str, lines: Sequence[Line], memories: Memories, scope: str | None, *, everywhere: bool
) -> Truth:
    """The questions with ids in place of keys.

    ``scope``: the project of a question that names none; ``everywhere``: all of them are asked
    in every project.
    """
    asked: list[Question] = []
    unanswerable: list[int] = []
    partly: list[int] = []
    for number, line in enumerate(lines, 1):
        grades = {
            identity: grade
            for one, grade in zip(line.relevant, _grades(line), strict=True)
            if (identity := memories.id_of(one)) is not None
        }
        if line.relevant and not grades:
            unanswerable.append(number)
            continue
        if len({*line.relevant}) > len(grades):
            partly.append(number)
        asked.append(_question(line, grades, line.project or scope, everywhere))
    digest = _digest(msgspec.json.encode([lines, scope, everywhere]))
    return Truth(name, digest, tuple(asked), tuple(unanswerable), tuple(partly))


def _question(
    line: Line, grades: Mapping[str, float], project: str | None, everywhere: bool
) -> Question:
    return Question(
        _digest(msgspec.json.encode([line.query, project])),
        line.query,
        project,
        everywhere or project is None,
        grades,
        line.hard_negative,
        line.complexity or complexity_of(line.query),
        line.category,
        line.intent,
        line.source,
    )


def complexity_of(query: str) -> str:
    """Simple, moderate or complex, by the number of words that say something."""
    terms = len(query_terms(query))
    if terms <= FEW:
        return "simple"
    return "complex" if terms > MANY else "moderate"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
