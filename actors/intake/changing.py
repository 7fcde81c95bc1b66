"""Writes of the two indexes: files changed together, and failures with their fixes.

Pure but for ``place``, which looks where a file's checkout begins.
"""

from collections.abc import Iterator, Sequence

from actors.intake.messages import Happened, Place
from actors.intake.writes import FailureEnded, FilesChanged
from actors.policy.events.edits import Group
from actors.policy.events.trail import Fix
from actors.policy.secrets.secret_words import is_all_secret


def changes(
    happened: Happened, fixes: Sequence[Fix], group: Group | None, place: Place
) -> Iterator[FilesChanged | FailureEnded]:
    """Yield the writes after one event: failures ended, and files changed together."""
    project, session = happened.project, happened.event.session
    if project is None or not session:
        return

    def placed(paths: tuple[str, ...]) -> tuple[str, ...]:
        found = (place(project, path) for path in paths)
        return tuple(dict.fromkeys(path for path in found if path is not None))

    for fix in fixes:
        paths = placed(fix.paths)
        if (paths or fix.repairs) and not is_all_secret(fix.signature):
            yield FailureEnded(
                project, fix.signature, fix.family, paths, fix.repairs,
                session, happened.seq, happened.at,
            )  # fmt: skip
    paths = placed(group.paths) if group is not None else ()
    if group is not None and paths:
        yield FilesChanged(
            project, session, happened.seq, happened.at, paths, group.committed, group.commit
        )
