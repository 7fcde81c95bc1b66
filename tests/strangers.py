"""Other users, for tests of who may do what: only root can be two, so others skip these tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ADA = 12_345  # a user with a group of her own, in no table
MALLORY = 54_321

only_root = pytest.mark.skipif(os.getuid() != 0, reason="NOT TESTED: only root can be two users")


@contextmanager
def open_ground() -> Generator[Path]:
    """A folder that every user may enter and only root may write; short enough for a socket."""
    ground = Path(tempfile.mkdtemp(prefix="rv"))
    ground.chmod(0o755)
    try:
        yield ground
    finally:
        shutil.rmtree(ground)


def folder(path: Path, user: int = 0, mode: int = 0o700, group: int | None = None) -> Path:
    """A folder of this user, whatever the umask is."""
    path.mkdir()
    return given(path, user, mode, group)


def file(path: Path, text: str, user: int = 0, mode: int = 0o600, group: int | None = None) -> Path:
    """A file of this user."""
    path.write_text(text)
    return given(path, user, mode, group)


def link(path: Path, target: Path | str, user: int = 0) -> Path:
    """A symbolic link of this user."""
    path.symlink_to(target)
    os.lchown(path, user, user)
    return path


def given(path: Path, user: int, mode: int, group: int | None = None) -> Path:
    """What lies there, given to this user, with this mode."""
    os.chown(path, user, user if group is None else group)
    path.chmod(mode)
    return path


def run_as(user: int, words: Sequence[str], group: int | None = None) -> str:
    """What a program prints that this user runs; it exits with 0."""
    done = subprocess.run(
        words,
        user=user,
        group=user if group is None else group,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


# Answers whoever sends it anything, and notes how much it was sent.
SERVER = """
import os, socket, sys
os.setgroups([]), os.setgid(int(sys.argv[1])), os.setuid(int(sys.argv[1]))
os.umask(0)
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[2])
server.listen(8)
print("listens", flush=True)
while True:
    peer, _ = server.accept()
    heard = peer.recv(65536)
    if heard:
        print("heard", len(heard), flush=True)
        peer.sendall(bytes.fromhex(sys.argv[3]))
    peer.close()
"""


@contextmanager
def foreign_server(path: Path, user: int, reply: bytes) -> Generator[subprocess.Popen[str]]:
    """Another user listens there and would answer with this."""
    words = [sys.executable, "-I", "-S", "-c", SERVER, str(user), str(path), reply.hex()]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "listens\n"
        try:
            yield server
        finally:
            server.terminate()


def heard(server: subprocess.Popen[str]) -> str:
    """What the other user was sent, once it is gone."""
    server.terminate()
    return server.communicate(timeout=PATIENCE)[0]
