"""Forms of a secret without a name, each a pattern with the secret as its first group.

They are a table, `secret_patterns.txt`. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.secret_tables import sections

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    Shape = tuple[str, str, str]  # the kind, how the value is judged, the pattern


def _shapes(table: dict[str, list[str]]) -> dict[str, tuple[Shape, ...]]:
    """Return the forms by a literal necessary in the lower-cased text."""
    parts = [line.partition(" ") for line in table.pop("parts")]
    shapes: dict[str, tuple[Shape, ...]] = {}
    for literals, lines in table.items():
        rows: list[Shape] = []
        for line in lines:
            kind, judged, pattern = line.split(" ", 2)
            for name, _, part in parts:
                pattern = pattern.replace("@" + name + "@", part)
            rows.append((kind, judged.strip("-"), pattern))
        for literal in literals.split("|"):
            shapes[literal.replace("\\n", "\n")] = tuple(rows)
    return shapes


SHAPES = _shapes(sections("secret_patterns"))
