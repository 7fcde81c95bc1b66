"""What runs an agent's client where no person does.

Claude Code names it in the environment of its hooks. Measured with 2.1.330: ``cli`` at a terminal, ``sdk-cli``
with ``-p``, whatever was set before; the kits set their own, and so do editors, which a person works in.
"""

from typing import Final

_SCRIPTS: Final = frozenset({"sdk-cli", "sdk-ts", "sdk-py", "mcp", "claude-code-github-action"})


def is_script(entrypoint: str) -> bool:
    """Tell whether a program, and no person, runs the client."""
    return entrypoint in _SCRIPTS
