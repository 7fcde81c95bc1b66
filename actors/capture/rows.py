"""Tags as they are stored."""

from dataclasses import dataclass

from actors.policy.capture.capture import Tag


@dataclass(frozen=True, slots=True)
class TagRow:
    """A memory's tag, and the project that decides which events reach it."""

    tag: Tag
    project: str | None
