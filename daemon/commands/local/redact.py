"""``redact``: the redaction of secrets as a filter. Needs no daemon and stores nothing."""

import sys
import tomllib

import click
import msgspec

from actors.policy.events.cutting import Redact
from actors.policy.secrets.redaction import BadPattern, checked, redacted, with_patterns
from daemon.commands.terminal.files import STDIN, read_lines, write_line
from daemon.home import Home, current_home


class TextLine(msgspec.Struct, frozen=True):
    """One line of ``--jsonl``."""

    id: str
    text: str


@click.command()
@click.option("--jsonl", is_flag=True, help='Lines of {"id", "text"} in, with "found" added out.')
def redact(jsonl: bool) -> None:
    """Take the secrets out of a text.

    Reads standard input and writes it as it would be stored.
    """
    redact_text = _redact_of(current_home())
    if not jsonl:
        text, _found = redact_text(sys.stdin.buffer.read().decode("utf-8", "replace"))
        click.echo(text, nl=False)
        return
    for line in read_lines(STDIN, TextLine):
        text, found = redact_text(line.text)
        write_line({"id": line.id, "text": text, "found": found})


def _redact_of(home: Home) -> Redact:
    """The rules of redaction with the user's patterns.

    ``daemon.settings`` reads the same key; to import it is to import every actor.
    """
    try:
        found = tomllib.loads(home.config.read_text(encoding="utf-8"))
        patterns = found.get("redaction", {}).get("patterns", [])
        return with_patterns(redacted, checked(patterns))
    except FileNotFoundError:
        return redacted
    except (OSError, ValueError, TypeError, AttributeError) as error:
        wrong = f"redaction.patterns: {error}" if isinstance(error, BadPattern) else error
        raise click.ClickException(f"{home.config}: {wrong}") from error
