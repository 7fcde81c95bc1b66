"""One line for a person, or a document for a program, when something was done."""

from daemon.commands.terminal.output import counted, one_line, say
from daemon.requests.shapes import Done


def tell_count(done: Done, verb: str, as_json: bool) -> None:
    """``forgot 2 memories``, and what there is to say of them."""
    note = f" ({one_line(done.note)})" if done.note else ""
    say(done, as_json, f"{verb} {counted(done.count, 'memory', 'memories')}{note}")


def tell(done: Done, sentence: str, as_json: bool) -> None:
    """The sentence, unless nothing changed; and what there is to say of it."""
    note = f" ({one_line(done.note)})" if done.note else ""
    say(done, as_json, (sentence if done.count else "nothing changed") + note)
