"""The entry point of ``reverie``: exit codes, and the daemon without the command line.

``reverie daemon`` must reach its lock before it loads anything, because forty hooks may
start it at once; so it is recognised here, before click is imported. Everything else is
in ``daemon/commands``.

Exit codes: 0 success, 1 a failure that one line on standard error explains, 2 wrong
usage, 130 after Ctrl-C.
"""

import os
import sys

FAILED = 1
WRONG_USAGE = 2
OTHERS_WRITE = 0o022  # mode bits that nothing has which a command makes, or what it starts
INTERRUPTED = 130  # 128 + SIGINT, as shells count


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    os.umask(os.umask(0o077) | OTHERS_WRITE)
    if sys.argv[1:2] == ["daemon"] and not {"-h", "--help"} & set(sys.argv):
        from daemon.main import main as run_daemon

        sys.exit(run_daemon())
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while modules were imported
        code = INTERRUPTED
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command; the value is the exit code."""
    import click

    from daemon.commands.group import reverie

    try:
        code: object = reverie.main(arguments, prog_name="reverie", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return WRONG_USAGE
    except click.ClickException as error:
        return _explained(error.format_message())
    except click.Abort:
        return INTERRUPTED
    except OSError as error:
        reason = error.strerror or str(error)
        return _explained(f"{error.filename}: {reason}" if error.filename else reason)
    return code if isinstance(code, int) else 0


def _explained(message: str) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"reverie: {line}\n")
    return FAILED
