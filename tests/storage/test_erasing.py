"""Erasing: afterwards no file of the home holds a byte of the text."""

from __future__ import annotations

import msgpack
import numpy as np
import pytest
import trio

from actors.core.failures import Unwritable
from actors.gate.messages import Audited
from actors.intake.messages import Derived
from actors.memory.particulars import Particulars
from actors.memory.use import Exposed, Injected
from actors.memory.writes import (
    Chunk,
    Ended,
    Erased,
    ErasedEverything,
    ModelChosen,
    Origin,
    ParticularsSet,
    Rewritten,
    Vectored,
)
from actors.passages.shapes import PassagesKept
from actors.policy.decay.capture import Raised
from actors.policy.gate.gate_features import content_hash
from actors.policy.night.intentions import Intention
from actors.policy.passages import Piece
from actors.policy.recall.notes import Considered, Fate
from actors.session.shapes import IntentionMade, SessionSeen
from daemon.home import Home
from daemon.storage import erasing, traces
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.holders import holders
from tests.patience import PATIENCE
from tests.writing import DIMENSIONS, MODEL, event, key_of, new, token_totals, vectors, written

pytestmark = pytest.mark.trio

SECRET = "the vault opens with marzipan"
FORMER = "the vault opens with nougat"


def packed(text: str) -> bytes:
    return bytes(msgpack.packb({"prompt": text}))


async def a_life(store: OpenStore) -> None:
    """A memory that was everywhere, and one that has nothing to do with it."""
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    await written(store, event(1, body=packed(f"remember that {FORMER}")))
    await written(
        store,
        new(
            FORMER, title="marzipan vault", triggers=("marzipan",), origin=Origin("r", "s1", 1, "r")
        ),
        Audited("CREATE", 0, None, None, FORMER, None, content_hash(FORMER), None, 1.0),
        Derived(1),
    )
    await written(
        store, Rewritten(1, SECRET, "marzipan", ("marzipan",), (), content_hash(SECRET), 2.0, "n")
    )
    await written(store, vectors(1, SECRET, 17))
    await written(store, event(2, body=packed(f"you said: {SECRET}!")))
    await written(store, SessionSeen("s1", "claude", None, 3.0, "open", SECRET, "", None))
    weighed = (Considered(1, 0.9, "close in meaning and words", Fate.TOLD),)
    await written(store, Exposed((1,), "s1", "prompt", 3.0))
    await written(store, Injected("s1", None, "prompt", 3.0, 90, "both", weighed, 12.0))
    await written(store, new("the port is 5432"), event(3, body=packed("the port is 5432")))
    await written(store, vectors(2, "the port is 5432", 18))


async def test_a_search_finds_what_was_not_erased(store: OpenStore, home: Home) -> None:
    """The tests below mean something only if the text would be found."""
    await a_life(store)

    assert holders(home.root, "marzipan")
    assert holders(home.root, "nougat")


async def test_an_erased_memory_is_in_no_file(store: OpenStore, home: Home) -> None:
    await a_life(store)
    outcome = await written(store, Erased((1,)))
    await store.writing.scrub()

    assert outcome == [1]
    assert holders(home.root, "marzipan", "nougat", content_hash(SECRET)) == []
    assert await store.reading.memories([1]) == {}


async def test_what_was_not_erased_stays(store: OpenStore) -> None:
    await a_life(store)
    await written(store, Erased((1,)))
    await store.writing.scrub()
    counts = await store.reading.counts()
    rows = await store.reading.read(
        Sql.rows, "SELECT seq, length(body) > 0 FROM journal ORDER BY seq"
    )

    assert [memory.text for memory in await store.reading.living(0, 9)] == ["the port is 5432"]
    assert (counts.memories, counts.chunks) == (1, 1)
    assert rows == [(1, 0), (2, 0), (3, 1)]
    assert await store.reading.read(Sql.rows, "PRAGMA integrity_check") == [("ok",)]


TOKENS = b"token vectors of marzipan"


async def with_tokens(store: OpenStore) -> None:
    """The life above, with tokens of the memory that is erased."""
    await a_life(store)
    piece = Chunk(0, bytes(4 * DIMENSIONS), key_of(17), TOKENS)
    await written(store, Vectored(1, content_hash(SECRET), MODEL, (piece,), 1.0))


async def test_the_tokens_of_an_erased_memory_are_in_no_file(store: OpenStore, home: Home) -> None:
    await with_tokens(store)
    before = await token_totals(store)
    await store.writing.checkpoint(truncate=True)
    found = holders(home.root, TOKENS)
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert (before.bytes, found) == (len(TOKENS), ["reverie.db"])
    assert holders(home.root, TOKENS) == []
    assert (await token_totals(store)).bytes == 0


@pytest.mark.parametrize("whole", [True, False])
async def test_nor_are_those_of_a_purged_store_or_project(
    store: OpenStore, home: Home, whole: bool
) -> None:
    await with_tokens(store)
    await written(store, Ended(1, "forgotten", 9.0))
    await written(store, ErasedEverything(whole_store=whole))
    await store.writing.scrub()

    assert holders(home.root, TOKENS) == []


async def test_the_vectors_of_an_erased_memory_go_from_the_cache(store: OpenStore) -> None:
    await a_life(store)
    await written(store, Erased((1,)))
    cached = await store.reading.cached_vectors(MODEL, [key_of(17), key_of(18)])

    assert list(cached) == [key_of(18)]


async def test_the_vectors_of_a_memory_that_was_forgotten_first_go_as_well(
    store: OpenStore,
) -> None:
    await a_life(store)
    await written(store, Ended(1, "forgotten", 4.0))
    await written(store, ErasedEverything())
    cached = await store.reading.cached_vectors(MODEL, [key_of(17), key_of(18)])

    assert list(cached) == [key_of(18)]


async def test_an_erased_sentence_is_also_gone_where_it_was_said_with_a_small_letter(
    store: OpenStore, home: Home
) -> None:
    said = "remember that the marzipan vault is open"
    await written(store, new("The marzipan vault is open.", origin=Origin("r", "s1", 9, "r")))
    await written(store, event(1, body=packed(f"I noted: {said}")), event(2, body=packed("port")))
    await written(store, SessionSeen("s1", "claude", None, 3.0, "open", said, "", None))
    await written(store, Erased((1,)))
    await store.writing.scrub()
    rows = await store.reading.read(Sql.rows, "SELECT length(body) > 0 FROM journal ORDER BY seq")

    assert holders(home.root, "marzipan") == []
    assert rows == [(0,), (1,)]


async def test_an_erased_vector_is_in_no_file(store: OpenStore, home: Home) -> None:
    vector = np.random.default_rng(1).standard_normal(DIMENSIONS).astype(np.float32).tobytes()
    made = Vectored(1, content_hash("a"), MODEL, (Chunk(0, vector, b"key"),), 1.0)
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"), made)
    await written(store, new("its neighbour"), vectors(2, "its neighbour", 3))
    before = holders(home.root, vector)
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert before
    assert holders(home.root, vector) == []


async def test_a_short_text_takes_no_intention_with_it_that_only_holds_it_by_chance(
    store: OpenStore,
) -> None:
    def intended(text: str) -> IntentionMade:
        return IntentionMade(Intention("", text, {"at": 5.0}, 1.0))

    (memory,) = await written(store, new("ok"))
    await written(store, intended("look at the tokens"))
    await written(store, intended("call it ok"))
    await written(store, Erased((memory,)))

    assert [one.text for one in await store.reading.intentions()] == ["look at the tokens"]


async def test_erasing_what_is_not_there_counts_nothing(store: OpenStore) -> None:
    assert await written(store, Erased((5, 6))) == [0]


async def test_purging_takes_only_what_was_forgotten(store: OpenStore) -> None:
    await written(store, new("a"), new("b"), new("c"), Ended(2, "forgotten", 1.0))
    await written(store, Ended(3, "archived", 1.0))
    outcome = await written(store, ErasedEverything())

    assert outcome == [1]
    assert sorted(await store.reading.memories([1, 2, 3])) == [1, 3]


async def test_purging_a_project_leaves_the_others(store: OpenStore, home: Home) -> None:
    await written(store, new(SECRET, project="/a"), new("port", project="/b"), new("mine"))
    await written(store, event(1, project="/a", body=packed(SECRET)), event(2, project="/b"))
    outcome = await written(store, ErasedEverything(project="/a"))
    await store.writing.scrub()
    rows = await store.reading.read(Sql.rows, "SELECT project FROM journal")

    assert outcome == [1]
    assert [memory.text for memory in await store.reading.living(0, 9)] == ["port", "mine"]
    assert rows == [("/b",)]
    assert holders(home.root, "marzipan") == []


async def test_what_was_weighed_for_a_prompt_goes_with_its_memory_and_all_of_it_with_the_store(
    store: OpenStore,
) -> None:
    await a_life(store)
    await written(store, Erased((1,)))
    answers = "SELECT count(*) FROM injection"
    weighed = await store.reading.read(Sql.number, "SELECT count(*) FROM considered")
    kept = await store.reading.read(Sql.number, answers)
    await written(store, ErasedEverything(whole_store=True))

    assert (weighed, kept) == (0, 1)
    assert await store.reading.read(Sql.number, answers) == 0


async def test_purging_everything_leaves_nothing(store: OpenStore, home: Home) -> None:
    await a_life(store)
    outcome = await written(store, ErasedEverything(whole_store=True))
    await store.writing.scrub()
    counts = await store.reading.counts()

    assert outcome == [2]
    assert (counts.memories, counts.ended, counts.undone, counts.chunks) == (0, 0, 0, 0)
    assert holders(home.root, "marzipan", "nougat", "5432", content_hash(SECRET)) == []


async def test_ids_of_erased_memories_are_not_given_again(store: OpenStore) -> None:
    await written(store, new("a"), new("b"))
    await written(store, Erased((1, 2)))

    assert await written(store, new("c")) == [3]


async def test_a_scrub_that_a_reader_hinders_says_so(
    store: OpenStore, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old pages stay in the log while somebody reads them: that is not erased."""
    await a_life(store)
    writing = store.writing._connection  # pyright: ignore[reportPrivateUsage]
    await writing.run(lambda sql: sql.rows("PRAGMA busy_timeout = 1"))
    (reader, _) = store.reading._connections  # pyright: ignore[reportPrivateUsage]
    await reader.run(lambda sql: sql.rows("BEGIN; SELECT count(*) FROM memory"))
    await written(store, Erased((1,)))
    with pytest.raises(Unwritable, match="held by another program"):
        await store.writing.scrub()
    await reader.run(lambda sql: sql.rows("COMMIT"))
    with trio.fail_after(PATIENCE):
        await store.writing.scrub()

    assert holders(home.root, "marzipan", "nougat") == []


async def test_an_event_that_the_text_quotes_goes_with_it(store: OpenStore, home: Home) -> None:
    failed = "Cannot find module 'marzipan-parser'"
    text = (
        f"`npm run build` failed with “{failed}”. It worked after running `npm i marzipan-parser`."
    )
    for number, body in enumerate((failed, "npm i marzipan-parser", "built"), start=1):
        await written(store, event(number, body=packed(body)))
    await written(store, event(4, session="another", body=packed("npm run build")))
    (memory,) = await written(store, new(text, origin=Origin("fix", "s1", 3, "fix")))
    await written(store, Erased((memory,)))
    await store.writing.scrub()
    left = await store.reading.read(
        Sql.rows, "SELECT seq FROM journal WHERE length(body) ORDER BY seq"
    )

    assert holders(home.root, "marzipan-parser") == []
    assert left == [(4,)]


# ---- short texts stand in other texts by chance


async def left(store: OpenStore) -> list[int]:
    """The numbers of the journaled events that were not emptied."""
    rows = await store.reading.read(
        Sql.rows, "SELECT seq FROM journal WHERE length(body) ORDER BY seq"
    )
    return [int(seq) for (seq,) in rows]


async def column(store: OpenStore, query: str) -> list[str]:
    return [str(value) for (value,) in await store.reading.read(Sql.rows, query)]


async def events(store: OpenStore, *bodies: object) -> None:
    """Journaled events with these bodies, from number 1 on."""
    for number, body in enumerate(bodies, start=1):
        raw = body if isinstance(body, bytes) else bytes(msgpack.packb(body))
        await written(store, event(number, body=raw))


async def test_a_text_of_a_few_letters_empties_only_where_it_came_from_and_where_it_is_all(
    store: OpenStore,
) -> None:
    await events(
        store,
        {"prompt": "remember: ok"},
        {"prompt": "look at the tokens"},
        {"prompt": "is it ok now?"},
        {"prompt": "ok"},
        {"tool_response": {"ok": True, "stdout": "3 passed"}},
        {"tool_response": {"stdout": ["Ok.\n", "done"]}},
        {"tool_response": {"stdout": "ok\n"}},
    )
    (memory,) = await written(store, new("ok", origin=Origin("remember", "s1", 1, "r")))
    await written(store, Erased((memory,)))

    assert await left(store) == [2, 3, 5, 6]


async def test_nor_do_reasons_decisions_or_what_another_session_was_at_go_by_chance(
    store: OpenStore,
) -> None:
    (memory,) = await written(store, new("ok", origin=Origin("remember", "s1", None, "r")))
    await written(
        store,
        new("the build is green"),
        Raised("e1", "failure", 0.9, 1.0, "s1", "/p", "the tokens ran out", None),
        Raised("e2", "failure", 0.9, 1.0, "s1", "/p", "ok", None),
        Audited("SUPERSEDE", 2, None, None, "it looks wrong", None, b"h2", None, 1.0),
        Audited("CREATE", 2, None, None, "ok", None, b"h3", None, 1.0),
        SessionSeen("s1", "claude", None, 3.0, "open", "remember: ok", "", None),
        SessionSeen("s2", "claude", None, 3.0, "open", "look at the tokens", "", None),
        SessionSeen("s3", "claude", None, 3.0, "open", "is it ok?", "", None),
        SessionSeen("s4", "claude", None, 3.0, "open", "Ok.", "", None),
    )
    await written(store, Erased((memory,)))
    reasons = await column(store, "SELECT reason FROM importance_event ORDER BY id")
    decisions = await column(store, "SELECT reason FROM decision ORDER BY id")
    tasks = await column(store, "SELECT task FROM session ORDER BY session")

    assert reasons == ["the tokens ran out", ""]
    assert decisions == ["it looks wrong", "erased"]
    assert tasks == ["", "look at the tokens", "is it ok?", ""]


@pytest.mark.parametrize(
    ("text", "said", "by_chance"),
    [
        ("pin 4711", "the Pin 4711, as ever", "build 147110 has a spin 4711x"),
        ("4711", "I told you: 4711!", "1471100"),
        ("Max Muster", "ask max muster about it", "maximum mustering"),
        ("hunter two", "the passphrase is Hunter two, as ever", "ghunter twofold"),
    ],
)
async def test_a_short_code_or_name_leaves_every_event_that_says_it(
    store: OpenStore, text: str, said: str, by_chance: str
) -> None:
    await events(store, {"prompt": by_chance}, {"tool_input": {"command": said}}, {said: 1})
    memory, *_ = await written(
        store,
        new(text),
        Raised("e1", "failure", 0.9, 1.0, "s2", "/p", said, None),
        SessionSeen("s2", "claude", None, 3.0, "open", by_chance, said, None),
        SessionSeen("s3", "claude", None, 3.0, "open", by_chance, "", None),
    )
    await written(store, Erased((memory,)))
    reasons = await column(store, "SELECT reason FROM importance_event")
    tasks = await column(store, "SELECT task FROM session ORDER BY session")

    assert await left(store) == [1]
    assert reasons == [""]
    assert tasks == ["", by_chance]


async def test_a_sentence_in_a_script_without_spaces_is_no_short_text(store: OpenStore) -> None:
    text = "密码是蓝色的鹦鹉"
    await events(store, {"prompt": f"顺便说一下{text}别忘了"}, {"prompt": "蓝色的鹦鹉"})
    (memory,) = await written(store, new(text))
    await written(store, Erased((memory,)))

    assert await left(store) == [2]


async def test_an_event_that_cannot_be_read_and_may_say_a_short_text_is_emptied(
    store: OpenStore,
) -> None:
    await events(store, b"\xc1\xa2ok", b"\xc1 nothing of it")
    (memory,) = await written(store, new("ok"))
    await written(store, Erased((memory,)))

    assert await left(store) == [2]


async def test_a_long_text_takes_no_task_with_it_that_is_a_few_of_its_letters(
    store: OpenStore,
) -> None:
    (memory,) = await written(store, new(SECRET))
    for session, task in (("s1", "arzi"), ("s2", "the vault"), ("s3", "vault opens with")):
        await written(store, SessionSeen(session, "claude", None, 3.0, "open", task, "", None))
    await written(store, Erased((memory,)))

    assert await column(store, "SELECT task FROM session ORDER BY session") == ["arzi", "", ""]


async def test_a_long_text_is_gone_even_from_within_a_word(store: OpenStore, home: Home) -> None:
    await events(store, {"prompt": f"x{SECRET}x"}, {f"{SECRET}s": ["port"]})
    (memory,) = await written(store, new(SECRET))
    await written(store, Erased((memory,)))
    await store.writing.scrub()

    assert holders(home.root, "marzipan") == []
    assert await left(store) == []


OTHER = b"The VAULT opens --\n> with *marzipan*"


async def mentioning(store: OpenStore) -> None:
    """A memory, and what says it in other letters, lines and signs; one of each says less."""
    await written(store, new(SECRET, title="vault"))
    await written(store, new(f"He said: {OTHER.decode()}.", title="said"))
    await written(store, event(1, body=packed(f"so: {OTHER.decode()}!")))
    await written(store, event(2, body=packed("the vault opens at nine, with marzipan")))
    await written(store, event(3, body=b"\xc1 unreadable " + OTHER))
    pieces = (Piece("Notes", OTHER.decode()), Piece("Notes", "The vault opens at nine."))
    await written(store, PassagesKept("document", None, "/notes.md", pieces, None, 9, 9, 1.0))
    await written(store, SessionSeen("s1", "claude", None, 3.0, "open", OTHER.decode(), "", None))


async def test_what_mentions_an_erased_text_in_another_form_is_found(store: OpenStore) -> None:
    await mentioning(store)
    await store.writing.commit([(Erased((1,)),)])

    found = await store.reading.read(traces.mentions, [SECRET])

    assert (len(found.events), len(found.passages), found.sessions) == (2, 1, ("s1",))
    assert found.memories == (2,)


async def test_what_will_still_mention_a_text_is_known_before_it_is_erased(
    store: OpenStore,
) -> None:
    await mentioning(store)
    await written(store, event(4, body=packed(f"word for word: {SECRET}")))
    await written(store, SessionSeen("s2", "claude", None, 3.0, "open", SECRET, "", None))
    verbatim = (Piece("Notes", SECRET),)
    await written(store, PassagesKept("document", None, "/other.md", verbatim, None, 9, 9, 1.0))

    before = await store.reading.read(erasing.remaining, [1])
    await store.writing.commit([(Erased((1,)),)])

    assert before == await store.reading.read(traces.mentions, [SECRET])


async def test_what_mentions_an_erased_text_goes_with_it_when_that_is_wanted(
    store: OpenStore, home: Home
) -> None:
    await mentioning(store)
    await store.writing.commit([(Erased((1,), mentions=True),)])
    await store.writing.scrub()

    found = await store.reading.read(traces.mentions, [SECRET])

    assert found == traces.Mentions((), (), (), (2,))  # another memory goes by its own number
    assert holders(home.root, "opens at nine, with marzipan")


async def test_why_an_erased_memory_was_so_leaves_the_events_that_say_it(
    store: OpenStore, home: Home
) -> None:
    reason = "because the caterer bakes with walnuts"
    await a_life(store)
    await written(store, ParticularsSet(1, Particulars(why=reason), 4.0))
    await written(store, event(4, body=packed(f"reverie edit m1 --why '{reason}'")))
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert holders(home.root, "walnuts") == []


async def test_a_reason_of_another_memory_that_quotes_an_erased_one_is_emptied(
    store: OpenStore, home: Home
) -> None:
    await a_life(store)
    await written(store, ParticularsSet(2, Particulars(why=f"as {SECRET}, it listens there"), 4.0))
    await written(store, Erased((1,)))
    await store.writing.scrub()
    memories = await store.reading.memories([2])

    assert holders(home.root, "marzipan") == []
    assert memories[2].text == "the port is 5432"


async def test_a_reason_that_mentions_an_erased_text_in_another_form_is_found(
    store: OpenStore,
) -> None:
    await a_life(store)
    await written(store, ParticularsSet(2, Particulars(why="The VAULT opens, with marzipan"), 4.0))

    found = await store.reading.read(erasing.remaining, [1])

    assert found.memories == (2,)
