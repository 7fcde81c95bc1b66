"""Claims in words: how sure a memory is and when it is true."""

from daemon.spans import DAY, Claimed, span


def claim_marks(claimed: Claimed, ended: str | None) -> list[str]:
    """Marks for a reader to see at once: a guess, over, or replaced since."""
    found: list[str] = []
    if claimed.status == "hypothesis":
        found.append("unconfirmed")
    if ended == "deprecated":
        found.append(f"replaced since, true {span(claimed)}".removesuffix(", true "))
    elif ended is None and not claimed.valid:
        found.append(f"true only {span(claimed)}")
    if claimed.stale:
        found.append(f"({claimed.stale})")
    return found


def short_marks(claimed: Claimed) -> list[str]:
    """The same of a living one, where there is no room for dates."""
    found = ["unconfirmed"] if claimed.status == "hypothesis" else []
    found += [] if claimed.valid else ["not true now"]
    return [*found, f"({claimed.stale})"] if claimed.stale else found


def truth_interval(claimed: Claimed, now: float) -> str:
    """The span, and its part of importance now."""
    said = span(claimed)
    if not said:
        return ""
    if claimed.valid_until is not None and claimed.valid_until <= now:
        return f"{said}: over"
    if claimed.valid_from is not None and claimed.valid_from > now:
        return f"{said}: not yet"
    if claimed.valid_until is None:
        return said
    days = (claimed.valid_until - now) / DAY
    return f"{said}: {days:.0f} days left" if days >= 2 else f"{said}: {days * 24:.0f} hours left"
