"""Notes by use over weeks: what nobody opens leaves the page and is put away; what is opened stays."""

from __future__ import annotations

from typing import Any, Final

from daemon.home import Home
from daemon.settings import Settings
from tests.lives.life import DAY, HOUR, Life, life_of
from tests.lives.test_reading import Model, agree, answer, look, note

PORT: Final = "The staging database listens on port 5433"
POOL: Final = "The pool of connections hangs after a fork"
WISH: Final = "never push to main before the smoke test is green"
STARTS: Final = 30


def remark(said: str) -> dict[str, Any]:
    """A note of what the agent said."""
    return note(said, kind="fact", title=said, text=f"{said}.", said_by="agent")


async def read(life: Life) -> None:
    """A session is read: a wish of its user, and two remarks of its agent."""
    model = Model(lambda _: answer(note(WISH), remark(PORT), remark(POOL)))
    await agree(life, model.engine())
    await life.report("SessionStart", "first", source="startup")
    await life.report("UserPromptSubmit", "first", prompt=WISH)
    await life.report("Stop", "first", last_assistant_message=f"{PORT}. {POOL}.")
    await life.report("SessionEnd", "first", reason="exit")
    await look(life)
    await agree(life, None)


async def start(life: Life, name: str) -> str:
    """A session of a person starts and does something; what it is told first."""
    told = await life.report("SessionStart", name, source="startup")
    await life.report("UserPromptSubmit", name, prompt="rename the button")
    await life.report("Stop", name, last_assistant_message="It is renamed.")
    return told


def test_of_thirty_starts_the_line_that_was_opened_stays_and_the_other_is_put_away(
    home: Home,
) -> None:
    async def live(life: Life) -> None:
        await read(life)
        ids = {one["text"]: one["id"] for one in (await life.ask("list"))["memories"]}
        port, pool = ids[f"{PORT}."], ids[f"{POOL}."]
        for number in range(STARTS):
            await life.reach((1 + number * 0.4) * DAY, rhythm=DAY)
            assert f"- {pool} " in await start(life, f"s{number}")
        await life.report(
            "PostToolUse", "s29", tool_name="mcp__reverie__open", tool_input={"id": port}
        )
        why = (await life.ask("why", id=pool))["sentences"]
        page = (await life.ask("injections", session="s29"))["prompts"][0]
        await life.reach(23 * DAY, rhythm=HOUR)
        after = await start(life, "after")

        became = {one["id"]: one["became"] for one in page["considered"]}
        assert (became[port], became[pool]) == ("opened", "nothing yet")
        assert "It was a line of a session's start 30 times, last today." in why
        assert not [one for one in why if "not told" in one]
        assert PORT in after
        assert WISH in after
        assert f"- {pool} " not in after

        entries = (await life.ask("log", since=0.0))["entries"]
        (away,) = [one for one in entries if one["what"] == "archived"]
        assert away["memory"] == pool
        assert away["detail"].startswith("a line at 30 starts over 12 days")
        assert (await life.ask("status"))["actors"]["archivist"]["put_away_in_30_days"] == 1
        await life.ask("unforget", ids=[pool])
        await life.reach(30 * DAY, rhythm=HOUR)
        assert (await life.memory(pool))["ended"] is None
        entries = (await life.ask("log", since=away["at"]))["entries"]
        assert [one["what"] for one in entries if one["memory"] == pool] == ["archived", "returned"]

    life_of(home, live, Settings())
