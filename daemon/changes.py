"""Changes for watchers: a number rising with every change of the store."""

import trio


class Changes:
    """The revision, and who waits for the next one."""

    def __init__(self) -> None:
        self.revision = 0
        self._waiting = trio.lowlevel.ParkingLot()

    def announce(self) -> None:
        """Something changed."""
        self.revision += 1
        self._waiting.unpark_all()

    async def after(self, revision: int) -> int:
        """The first revision later than this one."""
        while self.revision <= revision:
            await self._waiting.park()
        return self.revision
