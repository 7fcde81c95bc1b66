"""Notes to keep in the summary of a compaction: a person's standing wishes, and the session's decisions."""

from dataclasses import dataclass

from actors.core.equipment import Clock
from actors.memory.rows import Memory
from actors.policy.recall import notes, page
from actors.recall.messages import Bring
from actors.recall.ordering import Settings
from actors.recall.scripts import is_scripted
from actors.recall.standing import SHARE, always, decided, in_time, true_and_wanted, wanted
from daemon.storage.reader import ReadingSide


@dataclass(frozen=True, slots=True)
class Compacting:
    """Gathers them and words them as instructions for the summary."""

    settings: Settings
    reader: ReadingSide
    clock: Clock

    async def kept(self, question: Bring) -> str:
        """Lines for the instructions; "" where there is nothing, or it is late."""
        event, now = question.event, self.clock.now()
        wishes, own = list[Memory](), list[Memory]()
        with in_time(question.within * SHARE):
            want = await wanted(self.reader, question.project, now)
            own = await decided(self.reader, event.session, question.project, want.rules)
            own = await true_and_wanted(self.reader, own, question.project, now)
            if not await is_scripted(self.reader, question):
                here = {one.id for one in own}
                wishes = [one for one in always(self.settings, want, now) if one.id not in here]
        return notes.to_survive(
            page.fitting((one.text for one in wishes), page.WISHES + page.SECTION),
            page.fitting((one.text for one in own), page.WISHES + page.SECTION),
        )
