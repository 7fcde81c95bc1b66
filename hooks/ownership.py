"""Ownership: whether a path may be used, by who could have written there.

The policy, which ``ownership.h`` (the native client) and ``ownership.sh`` (``hook.sh``) share:

- A path is trusted when it, every folder above it and every symbolic link on the way belong to
  this user or to root, and nobody else may write them.
- Others may write what the world may write, or a group other than the user's own private one: the
  user's primary group, called like the user or numbered alike (or root's), with nobody else in it.
  On a Mac the group ``admin`` counts as root, which its members may become.
- A folder above with the sticky bit, as ``/tmp``, is fine: nobody there replaces what is ours. The
  last part of a path has no such excuse, nor has the folder of a program.
- In a sandbox without root (a user namespace that does not map it) root's folders seem to be
  nobody's; there, and only there, a folder above may be nobody's.
- What is not there yet is trusted when the folders above it are.
- Whoever serves a socket is this user or root.

What is not trusted is neither used nor executed, and one line says why. Loaded by ``hook.py``
beside ``delivery.py``, and imported by the daemon, the command line and the language server, so it
runs on Python 3.8 with builtin modules alone.
"""

import posix
import sys

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Any, List, Tuple

MOST_LINKS = 40  # symbolic links on one path, as Linux follows them
KIND, LINK = 0o170000, 0o120000  # of st_mode
STICKY, BY_GROUP, BY_ALL = 0o1000, 0o020, 0o002
PROGRAM = 2  # parts of a program's path that sticky bits do not excuse: its folder and itself
ROOT = 0
NOBODY = 65534  # as whom Linux shows users that a sandbox does not map
ADMIN = 80  # group of a Mac's administrators

# Credentials of the peer: (level, option, bytes of the answer, where the user's four bytes begin).
PEERS = {
    "linux": (1, 17, 12, 4),  # SOL_SOCKET, SO_PEERCRED: struct ucred
    "darwin": (0, 1, 76, 4),  # SOL_LOCAL, LOCAL_PEERCRED: struct xucred
}


class Distrusted(OSError):
    """Somebody else could have written there, or serves it; the text says who."""


def check(path: bytes, strict: int = 1) -> None:
    """Raise ``Distrusted`` unless this absolute path is trusted; see ``reason_against``."""
    reason = reason_against(path, strict)
    if reason:
        raise Distrusted(reason)


def check_file(path: bytes, descriptor: int) -> None:
    """Raise ``Distrusted`` unless an open file of a trusted folder is trusted itself."""
    status = posix.fstat(descriptor)
    reason = reason_against_owner(path, status) or reason_against_mode(path, status)
    if reason:
        raise Distrusted(reason)


def check_peer(connection: "Any") -> None:
    """Raise ``Distrusted`` when another user is at the other end of a Unix socket."""
    if sys.platform not in PEERS:
        return  # the system does not say who it is
    level, option, size, start = PEERS[sys.platform]
    try:
        credentials = connection.getsockopt(level, option, size)
    except OSError:
        raise Distrusted("the socket does not say who serves it") from None
    # At the side that connected, this is who began to listen.
    user = int.from_bytes(credentials[start : start + 4], sys.byteorder)
    if not is_ours(user):
        raise Distrusted("user %d is at the other end of the socket" % user)


def is_ours(user: int) -> bool:
    """Return whether files of this user id are trusted."""
    return user in (ROOT, posix.geteuid())


def reason_against(path: bytes, strict: int = 1) -> str:
    """Say why this absolute path is not trusted; empty when it is.

    ``strict`` parts at its end must not be writable by others even with the sticky bit.
    """
    left = _parts(path)
    at = b""
    links = 0
    while left:
        name = left.pop()
        if name == b"..":
            at = at.rpartition(b"/")[0]
            continue
        there = at + b"/" + name
        try:
            status = posix.lstat(there)
            target = posix.readlink(there) if status.st_mode & KIND == LINK else None
        except FileNotFoundError:
            return ""
        except OSError as error:
            return "%s cannot be looked at: %s" % (shown(there), error.strerror)
        above = target is None and len(left) >= strict
        sandboxed = above and status.st_uid == NOBODY and not _has_root()
        reason = "" if sandboxed else reason_against_owner(there, status)
        if not reason and target is not None:
            links += 1
            at = b"" if target.startswith(b"/") else at
            left += _parts(target)
            reason = "%s leads in a circle" % shown(there) if links > MOST_LINKS else ""
        elif not reason:
            excused = above and status.st_mode & STICKY
            reason = "" if excused else reason_against_mode(there, status)
            at = there
        if reason:
            return reason
    return ""


def reason_against_owner(path: bytes, status: "Any") -> str:
    """Say whose it is when it is neither this user's nor root's."""
    if is_ours(status.st_uid):
        return ""
    return "%s belongs to user %d" % (shown(path), status.st_uid)


def reason_against_mode(path: bytes, status: "Any") -> str:
    """Say who else may write it; a folder's sticky bit is the caller's matter."""
    if status.st_mode & BY_ALL:
        return "everybody may write %s" % shown(path)
    if status.st_mode & BY_GROUP and not _is_private(status.st_gid):
        return "group %d may write %s" % (status.st_gid, shown(path))
    return ""


def say(line: str) -> None:
    """Write one line to standard error, which an agent does not read when the hook exits 0."""
    try:
        posix.write(2, b"reverie: %b\n" % line.encode("utf-8", "backslashreplace"))
    except OSError:
        pass  # nobody listens


def _parts(path: bytes) -> "List[bytes]":
    """Split a path into its parts, the last one first."""
    return [part for part in path.split(b"/") if part not in (b"", b".")][::-1]


def shown(path: bytes) -> str:
    """Show a path on one line, whatever its bytes are."""
    text = path.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else "?" for c in text)


def _has_root() -> bool:
    """Return whether root is a user of this user namespace."""
    try:
        with open("/proc/self/uid_map", "rb") as file:
            return any(line.split()[:1] == [b"0"] for line in file)
    except OSError:
        return True  # no Linux


def _is_private(group: int) -> bool:
    """Return whether nobody but this user (and root) is in the group."""
    if sys.platform == "darwin" and group == ADMIN:
        return True
    me, name, primary = posix.geteuid(), b"", posix.getegid()
    alone = True
    for login, _, user, first, *_ in _table(b"/etc/passwd", (2, 3)):
        if int(user) == me:
            name, primary = login, int(first)
        elif int(first) == group != ROOT and int(user) != ROOT:
            alone = False
    called = b""
    for title, _, number, members, *_ in _table(b"/etc/group", (2,)):
        if int(number) == group:
            called = title
            alone = alone and set(members.split(b",")) <= {b"", b"root", name}
    own = group in (ROOT, me) or (name and called == name)
    return group == primary and bool(own) and alone


def _table(path: bytes, numbers: "Tuple[int, ...]") -> "List[List[bytes]]":
    """Read a table of users or groups; a line without numbers in these columns is left out."""
    try:
        with open(path, "rb") as file:
            rows = [line.rstrip(b"\n").split(b":") for line in file]
    except OSError:
        return []
    return [row for row in rows if len(row) > 3 and all(row[at].isdigit() for at in numbers)]
