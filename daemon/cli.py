"""The entry point of ``reverie``, and the daemon without the command line.

``reverie daemon`` must reach its lock before it loads anything, because forty hooks may start it at once; so it is
recognised here, before click is imported.
"""

import os
import sys
from collections.abc import Callable

OTHERS_WRITE = 0o022  # mode bits that nothing has which a command makes, or what it starts
# What stands in for a stream that was closed: reading or writing it is an error, as it was; what
# is said on standard error is said to nobody.
STREAMS = (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    os.umask(os.umask(0o077) | OTHERS_WRITE)
    _open_standard_streams()
    if sys.argv[1:2] == ["daemon"] and not {"-h", "--help"} & set(sys.argv):
        sys.exit(outcome(_daemon))
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; the value is the exit code."""
    return outcome(lambda: _command(arguments))


def outcome(work: Callable[[], object]) -> int:
    """Run ``work`` and return its exit code; whatever it raises is told in one line.

    The value of ``work`` is the exit code where it is a number.
    """
    try:
        done = work()
        sys.stdout.flush()
    except SystemExit as left:
        done = left.code
    except BaseException as error:
        from daemon.commands.terminal.failure import FAILED, tell_failure

        try:
            done = tell_failure(error)
        except OSError:  # nobody reads standard error
            done = FAILED
    _drop_what_nobody_reads()
    return done if isinstance(done, int) else 0


def _daemon() -> int:
    from daemon.main import main as run_daemon

    return run_daemon()


def _command(arguments: list[str]) -> object:
    from click.exceptions import Exit

    from daemon.commands.group import COMPLETION, PROGRAM, reverie

    if COMPLETION in os.environ:
        reverie.main(arguments, PROGRAM)
    # ``reverie.main`` has an answer of its own to a closed pipe.
    try:
        with reverie.make_context(PROGRAM, arguments) as context:
            return reverie.invoke(context)
    except Exit as left:  # also after --help
        return left.exit_code


def _open_standard_streams() -> None:
    """Put something in the place of a closed standard stream.

    Else the next file or socket would take its number, and be written to.
    """
    for name, way, use in STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, way), use))


def _drop_what_nobody_reads() -> None:
    """Let the interpreter's own last flush succeed where the reader is gone."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
