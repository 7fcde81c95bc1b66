"""An editor before a real language server, as its user starts it."""

import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.lsp.editing import EditorClient

ROOT = Path(__file__).resolve().parents[2]
SERVES = "from daemon.commands.local.processes import serve_editor; serve_editor()"
ALONE = (sys.executable, "-c", SERVES)  # the server, which starts no daemon


@contextmanager
def editor(
    environ: Mapping[str, str],
    command: Sequence[str] = ALONE,
    *,
    folder: Path = ROOT,
    errors: IO[bytes] | None = None,
) -> Generator[tuple[EditorClient, subprocess.Popen[bytes]]]:
    """An editor and its server, which is gone when this ends."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environ,
        cwd=folder,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        client = EditorClient(server.stdin, server.stdout, settings={})
        try:
            yield client, server
        finally:
            server.kill()
            client.hang_up()
            client.join()
