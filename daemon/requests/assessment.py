"""Assessments: how an agent scores itself before a task and after, and what it learnt by that."""

from typing import Annotated

import msgspec
from msgspec import Meta

from daemon.requests.shapes import Reply, Request

Score = Annotated[float, Meta(ge=0, le=100)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Gaps = Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=20)]


class AssessmentView(msgspec.Struct, frozen=True, kw_only=True):
    """A task, as the agent that did it scored itself."""

    folder: str
    task: str
    session: str
    at: float  # seconds UTC, of the scores before it
    before: dict[str, float]  # knowledge, uncertainty, context: 0 to 100
    gaps: list[str]  # in what was known
    ended_at: float | None = None  # None: it is under way
    after: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    closed: list[str] = msgspec.field(default_factory=list[str])
    found: list[str] = msgspec.field(default_factory=list[str])  # new gaps
    index: float | None = None  # learning index, -100 to 100
    band: str = ""  # significant, moderate, incremental, execution, regression


class Assessed(Reply, frozen=True, kw_only=True):
    """The assessment of a task as it is now."""

    assessment: AssessmentView


class Preflight(Request[Assessed], frozen=True, kw_only=True):
    """Note the scores before a task; while it is under way, in place of those noted before."""

    NAME = "preflight"
    folder: Name
    task: Name
    knowledge: Score
    uncertainty: Score
    context: Score
    gaps: Gaps = msgspec.field(default_factory=list[str])
    session: str = ""
    project: str | None = None


class Postflight(Request[Assessed], frozen=True, kw_only=True):
    """Note the scores after a task whose scores before it are known."""

    NAME = "postflight"
    folder: Name
    task: Name
    knowledge: Score
    uncertainty: Score
    context: Score
    closed: Gaps = msgspec.field(default_factory=list[str])
    found: Gaps = msgspec.field(default_factory=list[str])
    project: str | None = None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Finished tasks on the average."""

    tasks: int
    index: float
    bands: dict[str, int]
    trend: str  # rising, falling, steady; empty for fewer than four tasks


class Assessments(Reply, frozen=True, kw_only=True):
    """Tasks that were assessed, newest first."""

    assessments: list[AssessmentView]
    total: int
    summary: Summary | None


class LearningHistory(Request[Assessments], frozen=True, kw_only=True):
    """Request for the tasks that were assessed in a project. They are known for a year."""

    NAME = "learning-history"
    folder: str | None = None
    session: str | None = None
    complete: bool = False  # those that are finished alone
    summary: bool = True
    limit: int = 10
    project: str | None = None
