"""The user's own patterns of secrets, for a command that needs no other setting.

``daemon.settings`` reads the same key; to import it is to import every actor.
"""

import tomllib

from actors.policy.events.cutting import Redact
from actors.policy.events.redaction import redacted
from actors.policy.events.user_patterns import BadPattern, checked, with_patterns
from daemon.home import Home


class UnreadablePatterns(Exception):
    """The patterns cannot be used: the user's fault; the text names the file and says why."""


def redact_of(home: Home) -> Redact:
    """The rules of redaction with the user's patterns; raises ``UnreadablePatterns``."""
    try:
        found = tomllib.loads(home.config.read_text(encoding="utf-8"))
        patterns = found.get("redaction", {}).get("patterns", [])
        return with_patterns(redacted, checked(patterns))
    except FileNotFoundError:
        return redacted
    except (OSError, ValueError, TypeError, AttributeError) as error:
        wrong = f"redaction.patterns: {error}" if isinstance(error, BadPattern) else error
        raise UnreadablePatterns(f"{home.config}: {wrong}") from error
