"""The version of this installation."""


def own_version() -> str:
    """The installed distribution's version; ``0`` when it runs from a plain folder."""
    from importlib.metadata import PackageNotFoundError, version  # 10 ms, rarely needed

    try:
        return version("reverie")
    except PackageNotFoundError:
        return "0"


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
