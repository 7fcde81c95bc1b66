"""All that is known of a query: one value."""

from actors.policy.recall.candidates import QueryFacts, among


def test_what_ended_is_dropped_from_all_that_the_channels_found() -> None:
    known = QueryFacts(words={1: 2.0, 2: 1.0}, cosines={2: 0.5}, given={1, 2}, literal={2})

    known.keep({1})

    assert known == QueryFacts(words={1: 2.0}, given={1})


def test_values_of_others_are_left_out() -> None:
    assert among({1: "a", 2: "b"}, {2, 3}) == {2: "b"}
