"""The sessions of the demonstration, as an agent would send them.

The events lie beside this module, in Claude Code's shapes. The project's folder and two secrets,
made up on the spot so that none stands in the source, are filled in at the time of playing.
"""

import json
import secrets
import string
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

WRITTEN_FOR = "/home/you/shop"  # the project's folder as the files have it
PACKAGE = "daemon.commands.local"
FIRST = "first_session.jsonl"
SECOND = "second_session.jsonl"


@dataclass(frozen=True, slots=True)
class Planted:
    """Secrets in a tool's output; they must not reach the disk."""

    password: str
    key: str

    @property
    def all(self) -> tuple[str, str]:
        """Both."""
        return (self.password, self.key)


def planted() -> Planted:
    """Two fresh secrets of well-known shapes."""
    alphabet = string.ascii_letters + string.digits
    password = "".join(secrets.choice(alphabet) for _ in range(18))
    key = "sk_" + "live_" + "".join(secrets.choice(alphabet) for _ in range(24))
    return Planted(password, key)


def session(name: str, project: Path, secret: Planted) -> list[bytes]:
    """The events of one session, each as the bytes a hook gets on its standard input."""
    text = files(PACKAGE).joinpath(name).read_text(encoding="utf-8")
    return [
        json.dumps(json.loads(line))
        .replace(WRITTEN_FOR, str(project))
        .replace("@@PASSWORD@@", secret.password)
        .replace("@@SECRET@@", secret.key)
        .encode()
        for line in text.splitlines()
    ]


SOURCE = '''"""The shop's settings."""

import os

DATABASE_PORT = 5433
SHOP_CURRENCY = os.environ.get("SHOP_CURRENCY")
'''


def make_project(folder: Path) -> Path:
    """Make a small project with one file, the subject of a lesson; returns the file."""
    git = folder / ".git"  # as little as makes a repository
    for part in ("objects", "refs"):
        (git / part).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    source = folder / "src" / "shop" / "settings.py"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE, encoding="utf-8")
    return source
