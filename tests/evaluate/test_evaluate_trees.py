"""Tree edit distance, against distances worked out by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipkie_cli.evaluate.trees import tree_accuracy, tree_distance, tree_of

TRUTH = {"menu": [{"nm": "tea", "price": "10"}], "total": {"total_price": "10"}}
# root, menu, subtree, nm, "tea", price, "10", total, subtree, total_price, "10": 7 inner nodes below the root cost 1
# each, the leaves 3 + 2 + 2 letters
SIZE = 7 + 7


@pytest.mark.parametrize(
    ("answer", "distance"),
    [
        (TRUTH, 0),
        ({}, SIZE),
        ({"total": {"total_price": "10"}, "menu": {"price": 10, "nm": ["tea"]}}, 0),  # order, types, one item by itself
        ({**TRUTH, "total": {"total_price": "19"}}, 1),  # one letter of a leaf
        ({**TRUTH, "total": {"cashprice": "10"}}, 1),  # one key
        ({"menu": TRUTH["menu"]}, 3 + 2),  # total, subtree, total_price and two letters are missing
        ({**TRUTH, "menu": [{"nm": "tea"}]}, 1 + 2),  # price and its two letters
        ({**TRUTH, "menu": [{"nm": "tea", "price": "10"}, {"nm": "x"}]}, 2 + 1),  # an invented item: subtree, nm, x
        ({**TRUTH, "menu": None, "void": ""}, 1 + 1 + 1 + 3 + 1 + 2),  # nothing is nothing
    ],
)
def test_distance_and_accuracy(answer: dict[str, Any], distance: int) -> None:
    """Missing, invented and changed parts cost what they would cost to write."""
    assert tree_distance(tree_of(answer), tree_of(TRUTH)) == distance
    assert tree_accuracy(answer, TRUTH) == pytest.approx(1 - distance / SIZE)


def test_a_leaf_where_the_truth_has_a_branch() -> None:
    """menu as a text "tea": the leaf goes for 3, the item comes for 3 + 5, or the leaf becomes a node for 1 + 3."""
    assert tree_distance(tree_of({"menu": "tea"}), tree_of({"menu": [{"nm": "tea", "price": "10"}]})) == 5
    # cheapest: "tea" stays under menu, and subtree, nm around it, price and its two letters beside it come: 2 + 3


def test_accuracy_is_never_negative() -> None:
    """An answer worse than none is 0; two empty trees are the same."""
    assert tree_accuracy({"total": {"total_price": "a text much longer than all of the truth"}}, {"a": "b"}) == 0.0
    assert tree_accuracy({}, {}) == 1.0
    assert tree_accuracy({"a": "b"}, {}) == 0.0


TREES = st.recursive(
    st.text("ab", min_size=1, max_size=3),
    lambda inner: st.one_of(st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)),
    max_leaves=6,
).filter(lambda tree: isinstance(tree, dict))


@given(TREES, TREES)
def test_distance_is_a_metric(a: dict[str, Any], b: dict[str, Any]) -> None:
    """Nothing to itself, the same both ways, at most everything out and everything in."""
    left, right, nothing = tree_of(a), tree_of(b), tree_of({})
    assert tree_distance(left, left) == 0
    assert tree_distance(left, right) == tree_distance(right, left)
    assert tree_distance(left, right) <= tree_distance(left, nothing) + tree_distance(nothing, right)
