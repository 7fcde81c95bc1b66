"""Trigger phrases: boundaries in every script, offsets of the original text, cost per phrase."""

import random
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.phrases import (
    BEYOND,
    LONGEST,
    SLICE,
    WORD,
    Match,
    PhraseIndex,
    phrases_of,
    slices,
)
from tests.costs import ratio


def _hits(text: str, *phrases: str) -> list[str]:
    """What of `text` the `phrases` match, in order."""
    index = PhraseIndex((phrase, owner) for owner, phrase in enumerate(phrases))
    return [text[match.start : match.end] for match in index.matches(text)]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("C++", "Is c++ faster?", "c++"),
        ("node.js", "run Node.js.", "Node.js"),
        ("don't", "so DON’T do it", "DON’T"),
        ("café", "le cafe\u0301 noir", "cafe\u0301"),
        ("cafe\u0301", "le CAFÉ noir", "CAFÉ"),
        ("strasse", "in der Straße 5", "Straße"),
        ("file", "a \ufb01le here", "\ufb01le"),
        ("İstanbul", "in İSTANBUL today", "İSTANBUL"),
        ("rate limit", "the Rate\n  limit", "Rate\n  limit"),
        ("rate limit", "rate-limit", "rate-limit"),
        ("src/auth.py", "in src/auth.py, line 2", "src/auth.py"),
        ("auth.py", "in src/auth.py", "auth.py"),
        (".env", "read .env first", ".env"),
        ("user_name", "the user_name field", "user_name"),
        ("PaymentClient", "PaymentClient.charge()", "PaymentClient"),
        ("retry_policy", "self.retry_policy.limit", "retry_policy"),
        ("база данных", "Какая База  Данных?", "База  Данных"),
        ("记忆", "使用记忆系统", "记忆"),
        ("データベース", "新しいデータベースです", "データベース"),
        ("서버", "서버는 느리다", "서버"),
        ("Python脚本", "运行python脚本吧", "python脚本"),
    ],
)
def test_a_phrase_is_found_at_its_place_in_the_original(
    phrase: str, text: str, expected: str
) -> None:
    assert _hits(text, phrase) == [expected]


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("node", "we use node.js"),
        ("user", "the user_name"),
        ("cat", "concatenate"),
        ("base", "базы database"),
        ("rate limit", "rate of limit"),
        ("env", "the .env"),
        ("caf", "café"),
        ("cafe", "cafe\u0301"),
    ],
)
def test_a_phrase_is_not_found_inside_another_word(phrase: str, text: str) -> None:
    assert _hits(text, phrase) == []


def test_overlapping_phrases_are_all_reported_by_place_then_length() -> None:
    index = PhraseIndex(
        [("unit test", 1), ("test runner", 2), ("unit test runner", 3), ("test", 4)]
    )

    assert index.matches("a unit test runner") == [
        Match(2, 11, 1, "unit test"),
        Match(2, 18, 3, "unit test runner"),
        Match(7, 11, 4, "test"),
        Match(7, 18, 2, "test runner"),
    ]


@pytest.mark.parametrize("phrase", ["", "  ", "ab", "é", "记", "--", "w " * (LONGEST + 1)])
def test_a_phrase_too_short_or_too_long_is_refused(phrase: str) -> None:
    index = PhraseIndex()

    assert index.add(phrase, 1) is False
    assert len(index) == 0


def test_two_characters_are_enough_where_a_character_is_a_word() -> None:
    assert PhraseIndex().add("记忆", 1) is True


def test_the_same_phrase_counts_once_for_an_owner_and_calls_every_owner() -> None:
    index = PhraseIndex([("make lint", 1), ("Make  Lint", 1), ("make lint", 2)])

    assert index.add("make lint", 2) is False
    assert len(index) == 2
    assert [match.owner for match in index.matches("run make lint")] == [1, 2]


def test_a_removed_owner_is_no_longer_called_and_others_are() -> None:
    index = PhraseIndex([("make lint", 1), ("make lint", 2), ("make lint fast", 1)])

    index.remove(1)
    index.remove(1)  # of whom there is nothing more

    assert len(index) == 1
    assert index.matches("make lint fast") == [Match(0, 9, 2, "make lint")]


def test_an_emptied_index_holds_nothing() -> None:
    index = PhraseIndex([("a b c", 1), ("a b d", 2), ("PaymentClient", 2)])

    index.remove(1)
    index.remove(2)

    assert len(index) == 0
    assert not any(vars(index).values())


def test_what_was_removed_is_gone_when_others_come() -> None:
    index = PhraseIndex((f"phrase{owner} of zanzibar", owner) for owner in range(100))
    for owner in range(10, 100):
        index.remove(owner)
    for owner in range(100, 120):
        index.add(f"phrase{owner} of zanzibar", owner)

    text = " ".join(f"phrase{owner} of zanzibar" for owner in range(120))
    assert [m.owner for m in index.matches(text)] == [*range(10), *range(100, 120)]


_WORDS = st.sampled_from(["ab", "cde", "Cde", "é", "e\u0301", "straße", "STRASSE", "x_y", "9"])
_PHRASES = st.lists(st.lists(_WORDS, min_size=1, max_size=4).map(" ".join), max_size=8)


@given(_PHRASES, st.lists(_WORDS, max_size=25))
def test_the_index_finds_what_a_naive_search_finds(phrases: list[str], words: list[str]) -> None:
    index = PhraseIndex()
    kept = [(phrase, owner) for owner, phrase in enumerate(phrases) if index.add(phrase, owner)]
    folded = [_folded(word) for word in words]

    expected = sorted(
        (at, len(wanted), owner)
        for phrase, owner in kept
        for wanted in (_folded(phrase).split(),)
        for at in range(len(words))
        if folded[at : at + len(wanted)] == wanted
    )
    starts = _starts(words)

    found = index.matches(" ".join(words))
    assert sorted((starts[m.start], len(m.phrase.split()), m.owner) for m in found) == expected


@given(_PHRASES, st.lists(_WORDS, max_size=25), st.randoms(use_true_random=False))
def test_removing_is_the_opposite_of_adding(
    phrases: list[str], words: list[str], rng: random.Random
) -> None:
    text = " ".join(words)
    index = PhraseIndex((phrase, owner) for owner, phrase in enumerate(phrases))
    gone = {owner for owner in range(len(phrases)) if rng.random() < 0.5}

    for owner in gone:
        index.remove(owner)

    fresh = PhraseIndex((p, owner) for owner, p in enumerate(phrases) if owner not in gone)
    assert index.matches(text) == fresh.matches(text)
    assert len(index) == len(fresh)


@given(st.text(max_size=40), st.text(max_size=80))
def test_what_is_matched_folds_to_the_phrase(phrase: str, around: str) -> None:
    index = PhraseIndex([(phrase, 1)])
    text = f"{around} {phrase} {around}"

    for match in index.matches(text):
        surface = PhraseIndex([(text[match.start : match.end], 1)])
        assert {one.phrase for one in surface.matches(match.phrase)} >= {match.phrase}


def test_adding_a_phrase_does_not_grow_with_the_index() -> None:
    rng = random.Random(5)
    small, large = (
        PhraseIndex(),
        PhraseIndex(zip(_synthetic(30_000, rng), range(30_000), strict=True)),
    )
    more = _synthetic(2_000, rng)

    def added(index: PhraseIndex) -> Callable[[], None]:
        def work() -> None:
            for owner, phrase in enumerate(more):
                index.add(phrase, 100_000 + owner)
            for owner in range(len(more)):
                index.remove(100_000 + owner)

        return work

    assert ratio(added(large), added(small), 5) < 5


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _starts(words: list[str]) -> dict[int, int]:
    places: dict[int, int] = {}
    start = 0
    for at, word in enumerate(words):
        places[start] = at
        start += len(word) + 1
    return places


def _synthetic(count: int, rng: random.Random) -> list[str]:
    return [
        " ".join(f"w{rng.randrange(20_000)}" for _ in range(rng.randint(1, 4)))
        for _ in range(count)
    ]


@pytest.mark.parametrize("count", [40, 5_000])  # in dictionaries, and in arrays
def test_of_the_owners_of_a_phrase_the_newest_that_are_let_in_are_called(count: int) -> None:
    index = PhraseIndex(("PaymentClient", owner) for owner in range(count))

    found = index.matches("new PaymentClient", lambda owner: owner % 2 == 0, 3)

    assert {match.owner for match in found} == {count - 2, count - 4, count - 6}


def test_a_phrase_that_thousands_share_costs_little_more_than_one_of_sixteen() -> None:
    text = "PaymentClient is here " * 300
    few = PhraseIndex(("PaymentClient", owner) for owner in range(16))
    many = PhraseIndex(("PaymentClient", owner) for owner in range(2_000))

    def asked(index: PhraseIndex) -> list[int]:
        seen: list[int] = []

        def admits(owner: int) -> bool:
            seen.append(owner)
            return True

        index.matches(text, admits, 16)
        return seen

    assert len(few.matches(text, None, 16)) == len(many.matches(text, None, 16)) == 16 * 300
    assert len(asked(many)) <= 16 * 16


# ---- slices of a text: together they are the text, and a phrase over a cut is in the first of them


@given(st.text(alphabet="ab .\n", max_size=3 * SLICE))
def test_slices_own_every_character_once(text: str) -> None:
    cut = list(slices(text))

    assert "".join(one.text[: one.own] for one in cut) == text
    assert all(text.startswith(one.text, one.start) for one in cut)


def test_a_text_without_spaces_is_cut_all_the_same() -> None:
    assert max(len(one.text) for one in slices("x" * 10_000)) <= SLICE + BEYOND + 2 * WORD


@given(st.integers(SLICE - 60, SLICE + 20))
def test_a_phrase_that_lies_across_a_cut_is_found_once(before: int) -> None:
    index = PhraseIndex([("the blue whale swims", 1)])
    text = "x " * (before // 2) + "the blue whale swims" + " y" * SLICE
    begun = [
        one.start + match.start
        for one in slices(text)
        for match in index.matches(one.text)
        if match.start < one.own
    ]

    assert begun == [text.index("the blue")]


# ---- derived phrases: names of a text, never words that every prompt has


def test_phrases_of_a_memory_are_names_files_commands_and_versions() -> None:
    phrases = phrases_of(
        "Run `make lint` before pushing payment retries",
        "The PaymentClient in src/auth/login.py reads DATABASE_URL, with PostgreSQL 15 and trio==0.35.",
    )

    assert set(phrases) == {
        "make lint",
        "src/auth/login.py",
        "login.py",
        "PaymentClient",
        "DATABASE_URL",
        "PostgreSQL 15",
        "trio 0.35",
        "pushing payment",
        "payment retries",
    }


def test_private_names_and_classes_with_an_acronym_are_names() -> None:
    text = (
        "HTTPTransport, JSONResponse and XMLParser lose _redirect_headers; the URLs and OAuth hold"
    )

    assert set(phrases_of("", text)) == {
        "HTTPTransport", "JSONResponse", "XMLParser", "_redirect_headers",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Fix the failing test", "We fixed it and/or changed the code, e.g. the file."),
        ("", "Nothing here names anything. It is 1/2 done."),
        ("New feature", "please use the right option in every case"),
        ("", 'The `port` and the "status" of a JavaScript server, in `HTTP` and `2024`'),
    ],
)
def test_common_words_make_no_phrases(title: str, text: str) -> None:
    assert phrases_of(title, text) == []


def test_titles_in_other_scripts_make_phrases() -> None:
    assert phrases_of("部署系统密码", "") == ["部署系统密码"]
    assert phrases_of("Настройка сервера", "") == ["Настройка сервера"]


@given(st.text(max_size=60), st.text(max_size=200))
def test_derived_phrases_are_few_and_each_is_admitted(title: str, text: str) -> None:
    phrases = phrases_of(title, text)

    assert len(phrases) <= 12
    assert all(PhraseIndex().add(phrase, 1) for phrase in phrases)
