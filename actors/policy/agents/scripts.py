"""Programs for running an agent's client without a person.

Claude Code names the program in the environment of its hooks. Measured with 2.1.330: ``cli`` at a
terminal, ``sdk-cli`` with ``-p``, unless an editor or a kit had set its own. A person types
``claude -p`` too, so this name alone is no sign of a script: sessions with the same first words
are.
"""

from typing import Final

_SCRIPTS: Final = frozenset({"sdk-ts", "sdk-py", "mcp", "claude-code-github-action"})
HEADLESS: Final = "sdk-cli"


def is_script(entrypoint: str) -> bool:
    """Tell whether a program, and no person, runs the client."""
    return entrypoint in _SCRIPTS
