"""Chunks for the embedding model, and prompts condensed to queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.chunking import chunks, condensed, estimated_tokens

texts = st.one_of(
    st.text(max_size=600),
    st.lists(
        st.sampled_from(
            [
                "deploy",
                "a",
                "The cache.",
                "\n",
                "\n\n",
                "x" * 90,
                "字体",
                "한국어",
                "é",
                "👍",
                "\t",
                ";",
            ]
        ),
        max_size=150,
    ).map(" ".join),
)


def without_space(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 2),
        ("cache", 4),  # ceil(5 / 4) and the two special ones
        ("the cache", 5),
        ("get_user", 6 - 1),  # get, _, user
        ("缓存", 4),
        ("é", 4),  # two after decomposition
    ],
)
def test_four_letters_count_as_one_token_and_every_sign_as_one(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_a_short_text_is_one_chunk() -> None:
    assert chunks("  Deploy with make ship.\n") == ["Deploy with make ship."]


def test_a_blank_text_has_no_chunks() -> None:
    assert chunks(" \n\t ") == []


def test_a_cut_falls_between_paragraphs_rather_than_between_sentences() -> None:
    text = "One two three. Four five.\n\nSix seven. Eight nine ten eleven."

    found = chunks(text, limit=14)

    assert found[0] == "One two three. Four five."


def test_a_cut_falls_between_sentences_rather_than_between_words() -> None:
    found = chunks("Alpha beta gamma. Delta one two three four five six.", limit=14)

    assert found == ["Alpha beta gamma.", "Delta one two three four five six."]


def test_a_full_stop_inside_a_number_or_a_name_ends_no_sentence() -> None:
    found = chunks("uses 3.11 and redis.asyncio for all of it here", limit=12)

    assert "3.11" in " ".join(found).split()
    assert "redis.asyncio" in " ".join(found).split()


def test_a_word_too_long_for_a_chunk_is_cut_and_nothing_of_it_lost() -> None:
    found = chunks("x" * 5_000)

    assert "".join(found) == "x" * 5_000
    assert all(len(chunk) <= 510 for chunk in found)


def test_a_megabyte_is_cut_in_one_pass() -> None:
    text = "The reader waits for the writer. " * 30_000

    found = chunks(text)

    assert without_space("".join(found)) == without_space(text)


def test_chinese_without_spaces_is_cut_after_a_full_stop() -> None:
    found = chunks("缓存在部署后失效。" * 4, limit=24)

    assert found == ["缓存在部署后失效。缓存在部署后失效。"] * 2


def test_a_limit_that_holds_no_text_is_refused() -> None:
    with pytest.raises(ValueError, match="holds no text"):
        chunks("text", limit=7)


@given(text=texts, limit=st.integers(8, 160))
def test_chunks_hold_the_whole_text_in_order_and_fit(text: str, limit: int) -> None:
    found = chunks(text, limit=limit)

    assert without_space("".join(found)) == without_space(text)
    assert all(estimated_tokens(chunk) <= limit for chunk in found)


@given(text=texts)
def test_a_chunk_never_has_more_characters_than_the_model_has_room_for_tokens(text: str) -> None:
    ascii_only = text.encode("ascii", "ignore").decode()

    for chunk in chunks(ascii_only):
        assert len(without_space(chunk)) + 2 <= 512


@given(words=st.lists(st.text("abcdefg", min_size=1, max_size=12), min_size=1, max_size=200))
def test_no_word_that_fits_is_cut(words: list[str]) -> None:
    found = chunks(" ".join(words), limit=16)

    assert [word for chunk in found for word in chunk.split()] == words


def test_a_short_prompt_is_its_own_query() -> None:
    assert condensed("How do  we\nrelease?") == "How do we release?"


def test_a_long_prompt_keeps_what_it_is_about() -> None:
    prompt = (
        "Hi there, could you please have a look at why the TokenBucket in rate_limiter.py lets "
        "through more requests than it should when two workers are running at the same time? "
        + "I was thinking that it is maybe one of those things where it just happens. " * 5
        + "Fix the Redis script."
    )

    query = condensed(prompt).split()

    assert {"TokenBucket", "rate_limiter.py", "Redis", "script"} <= set(query)
    assert not {"the", "could", "you"} & set(query)


def test_pasted_output_does_not_crowd_out_the_request_at_the_end() -> None:
    noise = "\n".join(f"at frame{n} module{n} offset{n}" for n in range(200))

    assert "migration" in condensed(f"{noise}\nWhy does the migration deadlock?")


@given(text=texts, limit=st.integers(8, 64))
def test_a_condensed_prompt_fits_and_invents_nothing(text: str, limit: int) -> None:
    query = condensed(text, limit=limit)

    assert estimated_tokens(query) <= limit
    assert without_space(query) == "" or all(word in text for word in query.split())


@given(text=texts)
def test_condensing_again_changes_nothing(text: str) -> None:
    assert condensed(condensed(text)) == condensed(text)
