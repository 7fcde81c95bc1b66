"""The tables as commented SQL: one file a subject, and one for a migration's changes of rows."""

from pkgutil import get_data


def statements(name: str) -> str:
    """Read the SQL of a subject; ``OSError`` without its file."""
    return (get_data(__name__, f"{name}.sql") or b"").decode()
