"""Failures of a question to the daemon: nobody is there, somebody else is, or it was refused."""

# Signs in a refusal that the daemon knows other requests, or other fields of one.
STRANGE = ("contains unknown field", "missing required field", "there is no request called")


class DaemonAway(Exception):
    """No daemon answers at the address, or it went away: start one, or try again."""

    @property
    def line(self) -> str:
        """Line for a person."""
        return f"{self}; see 'reverie log --daemon'"


class NotAsked(DaemonAway):
    """The daemon left before it took the question: the next one can be asked the same."""


class StrangerServes(DaemonAway):
    """Somebody else could be the one who answers; the text says why, in one line."""


class Refused(Exception):
    """The daemon answered with an error; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def line(self) -> str:
        """Line for a person."""
        said = f"refused: {self} [{self.code}]"
        # A person types no fields: commands of another state of the code than the daemon's do.
        if any(sign in str(self) for sign in STRANGE):
            said += "; the daemon is of another version: run 'reverie down' and ask again"
        return said
