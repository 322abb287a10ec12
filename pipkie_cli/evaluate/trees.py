"""Accuracy of a nested answer by tree edit distance, as CORD is scored since Donut.

Kim et al., "OCR-free Document Understanding Transformer", 2022, section 4.1: max(0, 1 - TED(answer, truth) /
TED(empty, truth)), with the costs of the authors' code: a leaf is inserted or deleted for its length in characters, an
inner node for 1; a leaf becomes a leaf for their edit distance, an inner node another for 1, and leaf and inner node
each other for 1 + the leaf's length. Lists of objects become one `subtree` each, values leaves; keys are sorted by
length, then letter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipkie_cli.evaluate.metrics import edit_distance


@dataclass(frozen=True, slots=True)
class Node:
    label: str
    leaf: bool = False
    children: tuple["Node", ...] = ()


def tree_accuracy(answer: Mapping[str, Any], truth: Mapping[str, Any]) -> float:
    """1 for the same tree, 0 where mending the answer costs as much as writing the truth; 1 for two empty trees."""
    wanted = tree_of(truth)
    size = tree_distance(tree_of({}), wanted)
    distance = tree_distance(tree_of(answer), wanted)
    return max(0.0, 1 - distance / size) if size else float(distance == 0)


def tree_of(data: Mapping[str, Any]) -> Node:
    return _node("root", _normal(data))


def _normal(data: Any) -> Any:
    """Objects with sorted keys and lists as values, lists of texts without empty ones; {} for nothing."""
    if not data:
        return {}
    if isinstance(data, Mapping):
        found = {key: _normal(data[key]) for key in sorted(data, key=lambda key: (len(key), key))}
        return {key: value if isinstance(value, list) else [value] for key, value in found.items() if value}
    if isinstance(data, list | tuple):
        if all(isinstance(one, Mapping) for one in data):
            return [one for one in map(_normal, data) if one]
        return [str(one).strip() for one in data if isinstance(one, str | int | float) and str(one).strip()]
    return [str(data).strip()]


def _node(label: str, data: Any) -> Node:
    if isinstance(data, Mapping):
        return Node(label, children=tuple(_node(key, value) for key, value in data.items()))
    if all(isinstance(one, Mapping) for one in data):
        return Node(label, children=tuple(_node("subtree", one) for one in data))
    return Node(label, children=tuple(Node(one, leaf=True) for one in data))


def _cost(node: Node) -> int:
    return len(node.label) if node.leaf else 1


def _change(a: Node, b: Node) -> int:
    if a.leaf and b.leaf:
        return edit_distance(a.label, b.label)
    if a.leaf or b.leaf:
        return 1 + len(a.label if a.leaf else b.label)
    return int(a.label != b.label)


def tree_distance(a: Node, b: Node) -> int:
    """The cheapest way to make one ordered tree of the other (Zhang and Shasha 1989)."""
    left, right = _Postorder(a), _Postorder(b)
    distances = [[0] * len(right.nodes) for _ in left.nodes]
    for i in left.key_roots:
        for j in right.key_roots:
            _fill(left, right, i, j, distances)
    return distances[-1][-1]


class _Postorder:
    """A tree as lists in postorder: nodes, the first leaf below each, the roots that have a left sibling."""

    def __init__(self, root: Node) -> None:
        self.nodes: list[Node] = []
        self.first: list[int] = []
        self._add(root)
        last_with = {first: index for index, first in enumerate(self.first)}
        self.key_roots: Sequence[int] = sorted(last_with.values())

    def _add(self, node: Node) -> int:
        """Add what is below a node, then the node; returns its first leaf."""
        firsts = [self._add(child) for child in node.children]
        self.nodes.append(node)
        self.first.append(firsts[0] if firsts else len(self.nodes) - 1)
        return self.first[-1]


def _fill(left: _Postorder, right: _Postorder, i: int, j: int, distances: list[list[int]]) -> None:
    """Distances of all pairs of subtrees that start at the first leaves of i and j."""
    start_i, start_j = left.first[i], right.first[j]
    rows, columns = i - start_i + 2, j - start_j + 2
    forest = [[0] * columns for _ in range(rows)]
    for x in range(1, rows):
        forest[x][0] = forest[x - 1][0] + _cost(left.nodes[start_i + x - 1])
    for y in range(1, columns):
        forest[0][y] = forest[0][y - 1] + _cost(right.nodes[start_j + y - 1])
    for x in range(1, rows):
        for y in range(1, columns):
            at_i, at_j = start_i + x - 1, start_j + y - 1
            remove = forest[x - 1][y] + _cost(left.nodes[at_i])
            insert = forest[x][y - 1] + _cost(right.nodes[at_j])
            if left.first[at_i] == start_i and right.first[at_j] == start_j:  # two whole trees
                change = forest[x - 1][y - 1] + _change(left.nodes[at_i], right.nodes[at_j])
                forest[x][y] = distances[at_i][at_j] = min(remove, insert, change)
            else:
                before = forest[left.first[at_i] - start_i][right.first[at_j] - start_j]
                forest[x][y] = min(remove, insert, before + distances[at_i][at_j])
