"""The host process: composition root, supervisor, socket, storage, embedding worker."""

__version__ = "0.1.0"


def own_version() -> str:
    """The version of this process: an upgrade on the disk changes nothing in it."""
    return __version__


def release(version: str) -> tuple[int, ...]:
    """The numbers a version begins with, for comparing: ``1.2.0rc1`` is ``(1, 2, 0)``."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
