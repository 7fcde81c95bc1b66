"""The vectors' state, and waiting for them."""

import trio

from daemon.context import Parts, Progress, table
from daemon.requests.vectors import AwaitEmbedded, Embedded

POLL = 0.2  # seconds between two looks at how many vectors are missing


def vectors_state(parts: Parts, missing: int) -> tuple[str, str]:
    """Whether vectors are ready, being built or off, and in words why."""
    state = parts.embedding.state
    match state.state:
        case "off":
            return "off", state.reason
        case "starting":
            return "building", state.reason or "the embedding worker is starting"
        case "ready":
            if missing:
                return "building", f"{missing} memories wait for their vectors"
            return "ready", state.model


async def await_embedded(parts: Parts, _: AwaitEmbedded, progress: Progress) -> Embedded:
    """Wait until every living memory has vectors, or none will come."""
    last = -1
    while True:
        counts = await parts.reader.counts()
        missing = counts.unvectored - given_up(parts)
        vectors, detail = vectors_state(parts, max(missing, 0))
        embedder = parts.supervisor.children["embedder"]
        if missing <= 0 or vectors == "off" or embedder.state == "off":
            return Embedded(pending=counts.unvectored, state=vectors, detail=detail)  # type: ignore[arg-type]
        if missing != last:
            await progress({"pending": missing})
            last = missing
        await trio.sleep(POLL)


def given_up(parts: Parts) -> int:
    """Memories whose vectors the embedder gave up."""
    return int(parts.supervisor.children["embedder"].statistics().get("given_up", 0))


ANSWERS = table(await_embedded)
