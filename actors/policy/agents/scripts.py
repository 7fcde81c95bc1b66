"""Programs that run an agent's client where no person does.

Claude Code names it in the environment of its hooks. Measured with 2.1.330: ``cli`` at a terminal, ``sdk-cli``
with ``-p``, unless an editor or a kit had set its own. A person types ``claude -p`` too, so that name alone tells
of no script: it takes sessions that begin with the same words.
"""

from typing import Final

_SCRIPTS: Final = frozenset({"sdk-ts", "sdk-py", "mcp", "claude-code-github-action"})
HEADLESS: Final = "sdk-cli"


def is_script(entrypoint: str) -> bool:
    """Tell whether a program, and no person, runs the client."""
    return entrypoint in _SCRIPTS
