"""The daemon's entry: the lock first, everything heavy after it."""

import gc
import os
import sys

from daemon import failed_starts
from daemon.home import Home, current_home
from daemon.lock import AlreadyRunning, held_lock
from hooks.trust import Distrusted


def main() -> int:
    """Serve this home until told to stop; the exit code.

    A second daemon says so and leaves.
    """
    os.umask(0o077)
    try:
        home = current_home()
    except Distrusted as why:
        print(f"reverie: {why}", file=sys.stderr)
        return 1
    try:
        home.prepare()
        with held_lock(home):
            failed_starts.begin(home)
            return _serve()
    except AlreadyRunning as error:
        if home.address.exists():  # it listens: whoever started this one waits for nothing
            home.starting.unlink(missing_ok=True)
        print(f"reverie: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"reverie: {home.root} cannot be used: {error.strerror or error}", file=sys.stderr)
        return 1


# Where numpy's linear algebra looks how many threads it may use: on matrices as small as ours the
# others only spin, 50 ms of CPU for a search of 12 (docs/adr/0010).
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def _serve() -> int:
    for name in THREADS:
        os.environ.setdefault(name, "1")
    # What is imported stays: looking for garbage in it takes a tenth of half a second of imports,
    # for the one process of many that got the lock, and afterwards .09 s of each full collection.
    gc.disable()
    import logging

    import trio

    from daemon.address import NoPlaceForSocket
    from daemon.host import serve
    from daemon.logs import to_file
    from daemon.settings import SettingsError, load
    from daemon.storage.database.schema import StoreTooNew
    from daemon.storage.store import StoreBroken, StoreVanished
    from daemon.supervisor import RestartLimitExceeded, first_leaf

    gc.freeze()
    gc.enable()
    log = logging.getLogger(__name__)
    home = current_home()
    try:
        loaded = load(home, os.environ)
        settings = loaded.settings
        handler = to_file(home.log, settings.daemon.log_level)
    except SettingsError as error:
        return _failed(home, str(error))
    for warning in loaded.warnings:
        log.warning("setting %s", warning)
    try:
        trio.run(serve, home, settings, loaded.warnings)
    except* (
        StoreTooNew, StoreBroken, StoreVanished, RestartLimitExceeded, NoPlaceForSocket, OSError,
    ) as errors:  # fmt: skip
        first = first_leaf(errors)
        line = f"{home.root}: {first.strerror}" if isinstance(first, OSError) else str(first)
        log.error("failed why=%s", line)
        code = _failed(home, line)
    else:
        failed_starts.over(home)
        code = 0
    finally:
        home.starting.unlink(missing_ok=True)
        handler.close()
    return code


def _failed(home: Home, line: str) -> int:
    failed_starts.told(home, line)
    print(f"reverie: {line}", file=sys.stderr)
    return 1
