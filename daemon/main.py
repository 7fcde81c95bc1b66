"""The daemon's entry: the lock first, everything heavy after it."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from daemon import lock
from daemon.home import Home, current_home
from daemon.lock import AlreadyRunning, SecondDaemon, held_lock
from hooks.ownership import Distrusted

if TYPE_CHECKING:
    import logging


def main() -> int:
    """Serve this home until told to stop; the exit code.

    Raises ``SecondDaemon`` where there is one, ``Distrusted`` for a home others can write to,
    ``OSError`` for one that cannot be made.
    """
    os.umask(0o077)
    home = current_home()
    with ExitStack() as held:
        try:
            home.prepare()
            held.enter_context(held_lock(home))
        except AlreadyRunning as error:
            if home.address.exists():  # it listens: whoever started this one waits for nothing
                home.starting.unlink(missing_ok=True)
            raise SecondDaemon(str(error)) from None
        except Distrusted:
            raise
        except OSError as error:
            with suppress(OSError):
                lock.note_start(home)
                lock.note_failure(home, f"{error.filename}: {error.strerror}")
            raise
        lock.note_start(home)
        return _serve(home)


# Where numpy's linear algebra looks how many threads it may use: on matrices as small as ours the
# others only spin, 50 ms of CPU for a search of 12 (docs/adr/0010).
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

# Containers between two looks for garbage. With 700, Python's own, a prompt brought .7 looks of 1 ms:
# what they walk over has left the processor's cache meanwhile.
YOUNG = 10_000


def _serve(home: Home) -> int:
    for name in THREADS:
        os.environ.setdefault(name, "1")
    # What is imported stays: looking for garbage in it takes a tenth of half a second of imports,
    # for the one process of many that got the lock, and afterwards .09 s of each full collection.
    gc.disable()
    import logging

    import trio

    from actors.core.failures import first_leaf
    from daemon.host import serve, to_file
    from daemon.settings import load

    gc.freeze()
    gc.set_threshold(YOUNG)
    gc.enable()
    log = logging.getLogger(__name__)
    try:
        loaded = load(home, os.environ)
        settings = loaded.settings
        to_file(home.log, settings.daemon.log_level)
        for warning in loaded.warnings:
            log.warning("setting %s", warning)
        trio.run(serve, home, settings, loaded.warnings)
    except Exception as error:
        _note(log, home, first_leaf(error))
        raise
    finally:
        home.starting.unlink(missing_ok=True)
    lock.forget_failed_start(home)
    return 0


def _note(log: logging.Logger, home: Home, error: BaseException) -> None:
    """Keep why the daemon ends: in its log, and for whoever starts the next one."""
    from actors.core.failures import without_contents
    from daemon.commands.terminal.failure import is_foreseen, line_of

    if isinstance(error, OSError) and error.filename is None:
        error.filename = str(home.root)
    line = line_of(error)
    lock.note_failure(home, line)
    if log.hasHandlers():  # a mistake in the settings comes before the log
        trace = None if is_foreseen(error) else without_contents(error)
        log.error("failed why=%s", line, exc_info=trace)
