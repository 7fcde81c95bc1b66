"""Texts erased for good, out of every file: memories, and the secrets that stand in the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api.operation import YES, Argument, InProject, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import counted, counted_memories
from daemon.shapes.replies import Done, Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.storage.secrets import Page


UNFINISHED: Final = "secrets were taken out before, and then it was stopped: free pages of the database and backups may hold them"
FINISHING: Final = (
    "The files are rewritten, and every backup goes, those with a name too. Finish it?"
)
NO_WAY_BACK: Final = "Taking them out cannot be undone: each is replaced by [REDACTED], and every backup goes, those with a name too."
TAKEN_OUT: Final = "taken out of the repository, whose git keeps the text: {}"


class Erasing(Operation[Done], frozen=True, kw_only=True):
    """An erasure; the note of one that a person has to agree to first is what they are asked."""

    REFUSED = "nothing was erased"
    WITHIN = 620.0  # seconds: every file is rewritten; the daemon gives up before

    def question(self, done: Done) -> str:
        return "" if getattr(self, YES) or done.count else done.note

    def has_failed(self, done: Done) -> bool:
        return bool(self.question(done))

    def lines(self, done: Done) -> list[Line]:
        return [] if self.question(done) else [counted_memories(done, "erased")]


class Erase(Erasing, frozen=True, kw_only=True):
    """Erase these, out of every file.

    Where something else says one in another form, or backups with a name would go too, a person agrees first:
    the note is what they are asked, and nothing is done.
    """

    NAME = "erase"
    ids: Annotated[list[str], Argument("ID...")]
    with_events: Annotated[
        bool, Option("--with-events", "With --erase: and what else mentions the text.")
    ] = False
    yes: Annotated[bool, Option("--yes", "With --erase: do not ask.")] = False

    VERBS = (Verb("forget", flag=Option("--erase", "Out of every file, for good.")),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import Erased
        from daemon.answers.forget import erase, mentions_in_words
        from daemon.share.leaving import taken_out
        from daemon.storage import erasing, traces

        named = tuple(memory.id for memory in await parts.known_memories(self.ids))
        if not self.yes and (asks := await self._asks(parts, named)):
            return Done(count=0, note=asks)
        texts = await parts.reader.read(erasing.texts_of, named)
        files = await taken_out(parts, await parts.reader.read(erasing.with_copies, named))
        count, left = await erase(
            parts, (Erased(named, mentions=self.with_events, at=parts.clock.now()),)
        )
        gone = f"the text is gone from every file{f' but {left}' if left else ''}"
        if files:
            gone += f"; {TAKEN_OUT.format(', '.join(files))}"
        others = mentions_in_words(await parts.reader.read(traces.mentions, texts))
        return Done(
            count=count, note=f"{gone}; in another form it stands in {others}" if others else gone
        )

    async def _asks(self, parts: Parts, named: Sequence[int]) -> str:
        """Ask where there is more than a person named; empty where there is not."""
        from daemon.answers.forget import backups_named, mentions_in_words
        from daemon.storage import erasing

        copies = await backups_named(parts)
        others = mentions_in_words(await parts.reader.read(erasing.remaining, named))
        if not others:
            return f"Erase it{copies} for good?" if copies else ""
        question = (
            f"Erase it with these events, passages and sessions{copies} for good?"
            if self.with_events
            else f"Erase it{copies} for good and leave these as they are? (--with-events takes them"
            " too)"
        )
        return f"in another form the text stands in {others}\n{question}"


class Purge(Erasing, frozen=True, kw_only=True):
    """Erase memories for good.

    Those that were forgotten, unless a project or everything is named. Asks first.
    """

    NAME = "purge"
    project: Annotated[
        str | None, InProject("--project", "Everything of this project ('.': the current one).")
    ] = None
    everything: Annotated[bool, Option("--everything", "Every memory there is.")] = False
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False

    VERBS = (Verb("purge"),)

    def prepared(self, _: Terminal, /) -> Self:
        if self.project and self.everything:
            raise ValueError("Give one of --project and --everything.")
        return self

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import ErasedEverything
        from daemon.answers.forget import backups_named, erase
        from daemon.share.leaving import taken_out
        from daemon.storage import erasing
        from daemon.storage import shared_notes as stored

        project = None if self.everything else parts.project_meant(self.project)
        if not self.yes:
            what = "forgotten memory" if project is None else f"memory of {project}"
            named = "memory there is" if self.everything else what
            copies = await backups_named(parts)
            return Done(count=0, note=f"Erase every {named}{copies} for good?")
        if project is None and not self.everything:
            going = await parts.reader.read(erasing.forgotten)
        else:
            going = await parts.reader.read(stored.shared_from, project)
        files = await taken_out(parts, going)
        order = ErasedEverything(project=project, whole_store=self.everything, at=parts.clock.now())
        count, left = await erase(parts, (order,))
        if self.everything:
            parts.home.evaluations.unlink(missing_ok=True)  # its figures are of what is gone
        notes = [f"all but {left}"] * bool(left)
        notes += [TAKEN_OUT.format(", ".join(files))] * bool(files)
        return Done(count=count, note="; ".join(notes))


# ---- secrets in the store, under the rules of today


class SecretsAt(msgspec.Struct, frozen=True, kw_only=True):
    """Number of secrets at a place; never what they are."""

    place: str  # table.column
    secrets: int


class SecretsFound(Reply, frozen=True, kw_only=True):
    """Places where secrets stand, or stood."""

    places: list[SecretsAt]
    rows: int  # looked at
    forgotten: int = 0  # memories that were nothing but a secret
    left: str = ""  # files that hooks were writing
    # it found that an earlier time was stopped before the files were rewritten
    unfinished: bool = False

    @property
    def total(self) -> int:
        """Number of secrets in all places."""
        return sum(at.secrets for at in self.places)


class Secrets(Operation[SecretsFound], frozen=True, kw_only=True):
    """Look through every table with today's rules; once a person agrees, nothing is left of what is found.

    It is taken out in small transactions and cannot be brought back. Whoever asked may go away: what
    is done by then stays done, and nothing more is. Events of the spool are redacted as they are taken in, and
    every backup goes, as with any erasure.
    """

    NAME = "secrets"
    SLOW = True
    STOPPED = "stopped: what was taken out so far stays out; run it again, since the files are rewritten at its end"
    yes: bool = False

    async def answer(self, parts: Parts, progress: Progress) -> SecretsFound:
        from actors.memory.writes import Erased
        from daemon.answers.forget import erase
        from daemon.storage import secrets

        counts: Counter[str] = Counter()
        done = forgotten = 0
        pending = await parts.reader.read(secrets.are_pending)
        places = await parts.reader.read(secrets.places)
        rows = await parts.reader.read(secrets.count_rows, places)
        for place in places:
            after = None
            while True:
                page = await parts.reader.read(secrets.page, place, after, parts.redact)
                done += page.rows
                counts.update({f"{place.table}.{name}": n for name, n in page.secrets.items()})
                if self.yes and page.writes:
                    forgotten += await _written(parts, page)
                await progress({"done": done, "rows": max(rows, done)})
                after = page.last
                if after is None:
                    break
        # The files are rewritten, with no byte of the secrets left in a free page.
        due = self.yes and (counts or pending)
        _, left = await erase(parts, (Erased(()),)) if due else (0, "")
        found = [SecretsAt(place=name, secrets=count) for name, count in sorted(counts.items())]
        return SecretsFound(
            places=found, rows=done, forgotten=forgotten, left=left, unfinished=pending
        )

    def question(self, found: SecretsFound) -> str:
        if self.yes or not (found.places or found.unfinished):
            return ""
        return f"{NO_WAY_BACK} Take them out?" if found.places else FINISHING

    def lines(self, found: SecretsFound) -> Iterator[Line]:
        if not (found.places or found.unfinished):
            yield f"no secrets in {counted(found.rows, 'row')}; no backup was looked through"
            return
        if not self.yes:
            yield from ([at.place, str(at.secrets)] for at in found.places)
            if found.unfinished:
                yield UNFINISHED
            return
        done = f"{counted(found.total, 'secret')} taken out" if found.places else "files rewritten"
        yield f"{done}, and every backup deleted"
        if found.forgotten:
            forgotten = counted(found.forgotten, "memory", "memories")
            yield f"{forgotten} said nothing else and {'was' if found.forgotten == 1 else 'were'} forgotten"
        if found.left:
            yield f"left: {found.left}"

    def step(self, frame: Mapping[str, Any]) -> str:
        return f"{frame['done']:,} of {frame['rows']:,} rows"


async def _written(parts: Parts, page: Page) -> int:
    """Write a page; of a memory of nothing but a secret only its end is left to tell."""
    from actors.memory.writes import Ended
    from actors.policy.secrets.secret_words import is_all_secret

    at = parts.clock.now()
    ended = [
        Ended(int(str(cell.key[0])), "forgotten", at)
        for write in page.writes
        for cell in write.cells
        if (write.table, cell.column) == ("memory", "text") and is_all_secret(str(cell.after))
    ]
    await parts.commit((*page.writes, *ended))
    return len(ended)
