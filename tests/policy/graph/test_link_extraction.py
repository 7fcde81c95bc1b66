"""The ``causalLinks`` block of a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph.causal import RELATIONS, Declared, Relation, declared

KEYS = tuple(RELATIONS)

NOTE = """\
---
title: Retry with back-off
causalLinks:
  caused_by:
    - "the outage of 3 March"
    - incident-42   # see the report
    - 'it''s the proxy'
  supersedes: ["old rule", 'older, rule', rule-1]  # three

  derived_from: []
  # nothing is blocked
  blocks:
  related_to:
  - notes/retry.md
tags: [net]
---
caused_by:
  - not in the block
"""


def links_of(content: str) -> dict[str, tuple[str, ...]]:
    """The references under each key that has some."""
    found: dict[str, tuple[str, ...]] = {}
    for one in declared(content):
        key = next(k for k, (relation, _) in RELATIONS.items() if relation is one.relation)
        found[key] = (*found.get(key, ()), one.reference)
    return found


def block(*lines: str) -> dict[str, tuple[str, ...]]:
    return links_of("\n".join(["causalLinks:", *lines]))


def test_lists_in_lines_and_in_brackets() -> None:
    found = links_of(NOTE)

    assert found == {
        "caused_by": ("the outage of 3 March", "incident-42", "it's the proxy"),
        "supersedes": ("old rule", "older, rule", "rule-1"),
        "related_to": ("notes/retry.md",),
    }


@pytest.mark.parametrize("key", KEYS)
def test_each_of_the_five_keys_is_read_in_both_forms(key: str) -> None:
    in_lines = block(f"  {key}:", "    - x", "    - y")
    in_brackets = block(f"  {key}: [x, y]")

    assert in_lines == in_brackets
    assert in_lines == {key: ("x", "y")}


def test_a_reference_counts_once() -> None:
    found = block("  blocks: [x, y, 'x']", "  blocks:", '    - "x"', "    - z")

    assert found == {"blocks": ("x", "y", "z")}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no block here",
        "causalLinks: see below",
        "causalLinks:",
        "causalLinks:\n  caused_by: []\n  blocks:\n",
        "mycausalLinks:\n  caused_by: [x]",
        "see causalLinks:\n  caused_by: [x]",
        "causalLinks:\n\tcaused_by: [x]",
    ],
)
def test_documents_without_links(content: str) -> None:
    assert links_of(content) == {}


def test_the_block_ends_where_its_indent_does() -> None:
    found = links_of("  causalLinks: # ours\n    blocks: [x]\n  caused_by: [y]\n")

    assert found == {"blocks": ("x",)}


def test_a_fenced_block_with_a_byte_order_mark_and_windows_lines() -> None:
    fenced = links_of("# Note\r\n\r\n```yaml\r\ncausalLinks:\r\n  blocks:\r\n    - x\r\n```\r\n")

    assert fenced == {"blocks": ("x",)}
    assert links_of("\ufeffcausalLinks:\n  blocks: [x]") == fenced


@pytest.mark.parametrize(
    "line",
    [
        "  caused_by: x",
        "  caused_by: [x",
        "  caused_by: [x] y",
        "  caused_by: [x, [y]]",
        "  caused_by: [x: y]",
        "  caused_by: {x: y}",
        "  caused_by: [*anchor]",
        '  caused_by: ["a\\n"]',
        '  caused_by: [""]',
        "  caused_by: [null]",
        "  caused_by: |",
        "  caused_by:[x]",
        "  causes: [x]",
        "  just words",
        "  - x",
    ],
)
def test_other_shapes_are_left_out(line: str) -> None:
    found = block(line, "  blocks: [z]")

    assert found == {"blocks": ("z",)}


@pytest.mark.parametrize(
    "item",
    [
        "    -",
        "    - ",
        "    - ~",
        "    - null",
        "    - key: value",
        "    - key:",
        "    - 'open",
        '    - "a" b',
        "    - [x]",
        "    - ''",
        "      - deeper",
        " - shallower",
    ],
)
def test_an_item_of_another_shape_is_left_out_and_the_rest_is_read(item: str) -> None:
    found = block("  blocks:", "    - a", item, "    - b", "  related_to: [z]")

    assert found == {"blocks": ("a", "b"), "related_to": ("z",)}


def test_items_below_an_unknown_key_and_keys_out_of_line_are_left_out() -> None:
    found = block("  causes:", "    - x", "  blocks: [y]", "   related_to: [z]")

    assert found == {"blocks": ("y",)}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://example.com/adr#3", "https://example.com/adr#3"),
        ("don't retry", "don't retry"),
        (r'"say \"no\" to C:\\"', 'say "no" to C:\\'),
        ("'#1'", "#1"),
        ("日本語のメモ", "日本語のメモ"),
        ("a b  c", "a b  c"),
        ("./notes.md", "./notes.md"),
    ],
)
def test_strings(written: str, meant: str) -> None:
    assert block("  blocks:", f"    - {written}  # why")["blocks"] == (meant,)
    assert block(f"  blocks: [ {written} , ]")["blocks"] == (meant,)


def test_links_become_relations_of_the_graph() -> None:
    lines = (f"  {key}: [{key[0]}]" for key in KEYS)

    assert declared("\n".join(["causalLinks:", *lines])) == (
        Declared(Relation.CAUSED, "c", incoming=True),
        Declared(Relation.SUPERSEDES, "s", incoming=False),
        Declared(Relation.DERIVED_FROM, "d", incoming=False),
        Declared(Relation.ENABLED, "b", incoming=False),
        Declared(Relation.SUPPORTS, "r", incoming=False),
    )


STRINGS = st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), max_size=5)


@given(STRINGS, st.sampled_from(KEYS))
def test_what_is_quoted_comes_back(values: list[str], key: str) -> None:
    quoted = ['"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' for value in values]

    in_brackets = block(f"  {key}: [{', '.join(quoted)}]")
    in_lines = block(f"  {key}:", *(f"  - {value}" for value in quoted))

    assert in_brackets == in_lines
    assert in_brackets.get(key, ()) == tuple(dict.fromkeys(values))


@given(st.lists(st.text(alphabet=" -:#'\"[],abc_usedby\n\\", max_size=30), max_size=6))
def test_any_block_is_read_without_an_error(lines: list[str]) -> None:
    found = block(*(f"  {line}" for line in lines))

    assert all("\n" not in value for values in found.values() for value in values)


def test_hostile_lines_are_read_in_linear_time() -> None:
    for rest in (" " * 100_000, "a" + " " * 100_000, "'" * 99_999, '"' + "x" * 100_000):
        assert block(f"  blocks: [{rest}") == {}
