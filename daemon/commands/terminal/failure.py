"""Failure of a command in one line and an exit code: the only place for either.

Exit codes: 0 success, 1 a failure with its line on standard error, 2 wrong usage, 130 after Ctrl-C,
141 when the reader of a pipe left.

``daemon.cli.outcome`` imports this after an error, so further modules are imported where they are
needed.
"""

import errno
import io
import os
import sys
import traceback

from actors.core.failures import described, first_leaf

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells count
CLOSED_PIPE = 141  # 128 + SIGPIPE
SHOW_TRACEBACK = "REVERIE_TRACEBACK"  # set to anything, to mend reverie itself
REMEDIES = {
    errno.EACCES: "check who owns it and its permissions",
    errno.EPERM: "check who owns it and its permissions",
    errno.EROFS: "make the disk writable, or move REVERIE_HOME",
    errno.ENOSPC: "free some room",
    errno.EDQUOT: "free some room",
    errno.EIO: "check the disk",
}
OURS = frozenset({"actors", "daemon", "hooks", "lab", "lsp", "toolserver"})


def tell_failure(error: BaseException) -> int:
    """Report an error on standard error, in one line; return the exit code.

    A reader gone and Ctrl-C are no failures and get no line.
    """
    if os.environ.get(SHOW_TRACEBACK):
        traceback.print_exception(error)
    leaf = first_leaf(error)
    if isinstance(leaf, BrokenPipeError):
        return CLOSED_PIPE
    if isinstance(leaf, KeyboardInterrupt):
        return INTERRUPTED
    if is_foreseen(leaf):
        return _complained(line_of(leaf), getattr(leaf, "exit_code", FAILED))
    import click  # not before: a daemon that finds another one must leave at once

    from daemon.commands.terminal.words import printable

    match leaf:
        case click.Abort():
            if sys.stdin is not None and sys.stdin.isatty():
                return INTERRUPTED
            return _complained(
                "nobody is there to answer, so nothing was done; --help says how to answer beforehand"
            )
        case click.UsageError():
            said = io.StringIO()
            leaf.show(said)
            sys.stderr.write(printable(said.getvalue()))
            return WRONG_USAGE
        case click.ClickException():
            return _complained(leaf.format_message(), leaf.exit_code)
        case _:
            return _complained(line_of(leaf))


def line_of(error: BaseException) -> str:
    """Word an error in one line; for a group, its first error.

    An error of ours has its own words. For any other unforeseen one the place is told too.
    """
    leaf = first_leaf(error)
    if isinstance(leaf, TimeoutError):
        said = "the daemon did not answer in time; see 'reverie log --daemon'"
    elif _is_ours(leaf):
        said = str(getattr(leaf, "line", leaf)) or type(leaf).__name__
    elif isinstance(leaf, OSError):
        reason = leaf.strerror or str(leaf)
        said = f"{leaf.filename}: {reason}" if leaf.filename else reason
        if remedy := REMEDIES.get(leaf.errno or 0):
            said = f"{said}: {remedy}"
    else:
        said = _unforeseen(leaf)
    return said


def is_foreseen(error: BaseException) -> bool:
    """Return whether a user can do something about the error."""
    leaf = first_leaf(error)
    return _is_ours(leaf) or isinstance(leaf, OSError)


def _is_ours(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in OURS


def _unforeseen(error: BaseException) -> str:
    import msgspec

    if isinstance(error, msgspec.ValidationError):  # what it answers has another shape
        return "the daemon is of another version; run 'reverie down' and ask again"
    if type(error).__module__ == "apsw":
        return f"the database: {error}"
    return f"unforeseen {described(error)}: a fault of reverie ({SHOW_TRACEBACK}=1 shows all of it)"


def _complained(line: str, code: int = FAILED) -> int:
    words = " ".join(line.split())
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in words)
    sys.stderr.write(f"reverie: {shown}\n")
    return code
