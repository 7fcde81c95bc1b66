"""The log of reviews, page by page."""

from daemon.context import PAGE, Parts, table
from daemon.requests.optimize import Graded, ReviewPage, Reviews
from daemon.storage import strength
from daemon.views import short_id


async def reviews(parts: Parts, request: Reviews) -> ReviewPage:
    """A page of the log."""
    limit = max(1, min(request.limit, PAGE))
    total, rows = await parts.reader.read(strength.reviews, request.after, limit)
    return ReviewPage(
        reviews=[
            Graded(memory=short_id(memory_id), at=at, grade=grade)
            for _, memory_id, at, grade in rows
        ],
        total=total,
        after=rows[-1][0] if len(rows) == limit else None,
    )


ANSWERS = table(reviews)
