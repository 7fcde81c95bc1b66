"""Logs: one event, one line, ``key=value``, ids and never contents."""

import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

from daemon.home import FILE_MODE

SIZE = 2_000_000  # bytes before the file is rolled
KEPT = 3  # rolled files kept


class PrivateHandler(logging.handlers.RotatingFileHandler):
    """A rolled log, readable by its owner only; on a full disk it misses lines."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing: the place for complaints is this very file."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        binary = os.fdopen(os.open(self.baseFilename, flags, FILE_MODE), "ab")
        return TextIOWrapper(binary, encoding=self.encoding, line_buffering=True)


def to_file(path: Path, level: str) -> logging.Handler:
    """Send all log lines to this file; close the handler at the end."""
    handler = PrivateHandler(path, maxBytes=SIZE, backupCount=KEPT, encoding="utf-8")
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%S%z")
    )
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level.upper())
    # A statement that a deadline ended is no error of ours (apsw.aio logs it as one).
    logging.getLogger("apsw").setLevel(logging.CRITICAL)
    return handler
