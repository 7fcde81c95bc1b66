"""Memories that bear on a file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.references.places import Bond, bearing, cued, words_of
from actors.policy.references.references import Reference

TEXT = "from shop.cart import Cart\n\ndef total(cart: Cart) -> int:\n    return discount(cart)\n"
WORDS = words_of(TEXT)
PLACE = "shop/till.py"
TOTAL = Reference(PLACE, "total")
CART = Reference("shop/cart/__init__.py", "Cart")


def bonds(**known: Reference) -> list[tuple[int, Bond]]:
    """What bears on the till, of memories m1, m2, …"""
    about = {int(name[1:]): (reference,) for name, reference in known.items()}
    return [(one.memory_id, one.bond) for one in bearing(PLACE, WORDS, about, {})]


def test_what_it_defines_comes_before_the_file_itself_and_what_it_uses() -> None:
    assert bonds(m1=CART, m2=Reference(PLACE), m3=TOTAL, m4=TOTAL) == [
        (4, Bond.DEFINED), (3, Bond.DEFINED), (2, Bond.NAMED), (1, Bond.USED),
    ]  # fmt: skip


def test_a_cue_without_a_file_needs_a_name_that_is_no_word_and_its_own_module() -> None:
    text = "class Cart:\n    def add_item(self): ...\n\n\ndef total(): ...\n"
    names = ["Cart", "total", "Cart.add_item", "tax.total", "basket.Cart", "remove_item"]

    anywhere = cued("shop/cart.py", text, [(1, name, False) for name in names])
    here = cued("shop/cart.py", text, [(1, "total", True), (2, "", True)])

    assert [one.symbol for one in anywhere[1]] == ["Cart.add_item"]
    assert [one.symbol for one in here[1]] == ["total"]
    assert here[2] == (Reference("shop/cart.py"),)


def test_what_a_neighbour_defines_needs_no_import_where_a_package_is_a_folder() -> None:
    known = {1: (Reference("shop/discounts.go", "discount"),)}

    assert bonds(m1=Reference("shop/discounts.py", "discount")) == []
    assert [one.bond for one in bearing("shop/till.go", WORDS, known, {})] == [Bond.USED]


def test_a_name_that_this_file_does_not_have_or_that_lies_elsewhere_is_nothing() -> None:
    assert bonds(m1=Reference("shop/cart.py", "Basket")) == []
    assert bonds(m1=Reference("tax/rates.py", "discount")) == []


def test_a_module_is_named_by_its_folder_where_its_file_is_not() -> None:
    text = words_of("import { Cart } from './cart'")
    known = {1: (Reference("web/cart/index.ts", "Cart"),)}

    assert [one.why for one in bearing("web/page.ts", text, known, {})] == [
        "about Cart of web/cart/index.ts, which it uses"
    ]


def test_a_member_is_used_where_its_class_is_named_too() -> None:
    assert bonds(m1=Reference("shop/cart.py", "Cart.discount")) == [(1, Bond.USED)]
    assert bonds(m1=Reference("shop/cart.py", "Basket.discount")) == []


def test_a_memory_is_about_the_rarer_of_the_symbols_that_it_names() -> None:
    both = {1: (CART, TOTAL)}
    crowd = {(CART.path, CART.symbol): 9}

    assert bearing(PLACE, WORDS, both, {})[0].bond is Bond.NAMED
    assert bearing(PLACE, WORDS, both, crowd)[0].bond is Bond.DEFINED


places = st.sampled_from(["a.py", "x/a.py", "x/b.py", "x/__init__.py", ""])
references = st.builds(Reference, places, st.sampled_from(["", "Cart", "A.b", "total"]))


@given(st.dictionaries(st.integers(1, 9), st.lists(references, max_size=3)), st.text(max_size=30))
def test_each_memory_bears_on_it_once_and_the_closest_comes_first(
    known: dict[int, list[Reference]], text: str
) -> None:
    found = bearing("x/a.py", words_of(text), known, {})

    assert len({one.memory_id for one in found}) == len(found) <= len(known)
    assert [one.bond for one in found] == sorted(one.bond for one in found)
