"""Reading from the editor: headers are checked before pygls acts on them.

pygls passes over an unknown length and then waits for ever, and asks for as many bytes as a length
says. Who sends such a length is no editor, or its stream is broken: nothing after it can be read,
so the server leaves.
"""

from functools import partial

from pygls.io_ import StdinAsyncReader

LENGTH = b"content-length"
LARGEST = 64 * 1024 * 1024  # bytes of one message; an editor sends no document of that size
LONGEST_HEADER = 8 * 1024  # bytes


class ImpossibleHeader(Exception):
    """The editor sent something other than a message's header; the text says why, in one line."""


class CheckedReader(StdinAsyncReader):
    """Standard input, by checked lines and whole messages."""

    async def readline(self) -> bytes:
        """The next line of headers, empty at the end. Raises ``ImpossibleHeader``."""
        work = partial(self.stdin.readline, LONGEST_HEADER)
        return checked(await self.loop.run_in_executor(self.executor, work))

    async def readexactly(self, n: int) -> bytes:
        """So many bytes; nothing where the editor left before it had sent them all."""
        found = await super().readexactly(n)
        return found if len(found) == n else b""


def checked(line: bytes) -> bytes:
    """The header as pygls understands it. Raises ``ImpossibleHeader``."""
    if len(line) >= LONGEST_HEADER and not line.endswith(b"\n"):
        raise ImpossibleHeader(f"the editor sent a header of more than {LONGEST_HEADER:,} bytes")
    name, colon, value = line.partition(b":")
    if not colon or name.strip().lower() != LENGTH:
        return line
    number = value.strip()
    if not number.isdigit() or len(number) > 12 or int(number) > LARGEST:
        shown = number[:40].decode("ascii", "replace")
        raise ImpossibleHeader(
            f"the editor sent an impossible Content-Length ({shown!r}): a message has at most"
            f" {LARGEST:,} bytes"
        )
    return b"Content-Length: %d\r\n" % int(number)
