"""All that is known of a query: one value, of which what the indexes tell is taken over."""

from actors.policy.recall.candidates import QueryFacts, among, taken_over


def test_what_was_taken_over_is_somebody_elses_to_write_into() -> None:
    kept = QueryFacts("ports", ["port"], words={1: 2.0}, literal={1})
    mine = QueryFacts("the ports", given={2})

    taken_over(mine, kept)
    mine.words[2] = 1.0
    mine.literal.clear()

    assert (mine.query, mine.terms, mine.given) == ("the ports", ["port"], {2})
    assert kept == QueryFacts("ports", ["port"], words={1: 2.0}, literal={1})


def test_what_ended_is_dropped_from_all_that_the_channels_found() -> None:
    known = QueryFacts(words={1: 2.0, 2: 1.0}, cosines={2: 0.5}, given={1, 2}, literal={2})

    known.keep({1})

    assert known == QueryFacts(words={1: 2.0}, given={1})


def test_values_of_others_are_left_out() -> None:
    assert among({1: "a", 2: "b"}, {2, 3}) == {2: "b"}
