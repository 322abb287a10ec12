"""The page stage cut in two, to decode word by word: what is computed of the page once, and one step of one value.

A checkpoint's page.onnx answers every key in one forward. To compare that with autoregressive decoding on the same
weights, this builds two graphs of its weights: `page` (words -> every layer's keys and values, which no slot changes)
and `step` (a key's two slots and the words chosen so far, attending to the page and to each other -> the next word, or
END). With no word chosen yet a step computes what the one pass does. Needs the package onnx; extraction never does.
Letters: N words, K keys, T chosen words, G = 2 + T, D width, H heads, P pointer, C cues.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mini.features import MiniInputs
from pipkie_cli.models.mini.stored import stored_weights

Array = npt.NDArray[Any]

WAVELENGTHS = (1.5, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 192.0)  # line heights; train/network.py
FAR = -1e4
EPSILON = 1e-5  # of a LayerNorm
OPSET = 20  # the first that has Gelu
CUES = {"matches": "label", "beside": "beside", "below": "below", "in_row": "row"}  # arrays of a key: their weights


@dataclass(frozen=True, slots=True, eq=False)
class PageState:
    """What a step needs of a page and its keys."""

    arrays: Mapping[str, Array]  # of the step graph: offered (P, N), per layer keys (H, D/H, N), values (H, N, D/H)
    entered: Array  # (N, D): words as the first layer sees them
    slots: Array  # (K, 2, D)
    cues: Array  # (C, K, N): those that the checkpoint has weights for
    begins: Array  # (K, N): added to the scores of a value's first word
    elsewhere: Array  # (K, N): added to the scores of every word: FAR outside of a cell's row


class Stepwise:
    """The two graphs of one checkpoint, on one thread like the one pass. Raises ModelError without the package onnx."""

    def __init__(self, page_onnx: Path) -> None:
        weights = stored_weights(page_onnx)
        self._page, self._step = _session(_page_graph(weights)), _session(_step_graph(weights))
        self._layers, self._cues = _layers(weights), _cues(weights)
        self._begins = weights["begins"]

    def read_page(self, texts: tuple[Array, Array, Array], inputs: MiniInputs, keys: Sequence[int]) -> PageState:
        """texts: words (N, D), prompts, aliases (K, D) of the text stage; keys: those of the window that are asked."""
        words, prompts, aliases = texts
        waves = np.array([2 * np.pi / w for w in WAVELENGTHS], np.float32)
        angles = np.concatenate([inputs.centres[:, :1] * waves, inputs.centres[:, 1:] * waves], 1)  # (N, bands)
        chosen = list(keys)
        in_row = inputs.in_row[chosen]
        is_cell = in_row.max(1, keepdims=True)  # (K, 1)
        entered, slots, offered, *heads = self._page.run(
            None,
            {
                "words": words,
                "places": inputs.places,
                "cos": np.cos(angles),
                "sin": np.sin(angles),
                "prompts": prompts[chosen],
                "aliases": aliases[chosen],
                "types": inputs.types[chosen],
                "is_cell": is_cell[..., None],
            },
        )
        names = (name for layer in range(self._layers) for name in (f"k{layer}", f"v{layer}"))
        return PageState(
            {"offered": offered, **dict(zip(names, heads, strict=True))},
            entered,
            slots,
            np.stack([getattr(inputs, name)[chosen] for name in self._cues]),
            self._begins[0] * inputs.beside[chosen] + self._begins[1] * inputs.below[chosen],
            is_cell * (1 - in_row) * np.float32(FAR),
        )

    def step(self, state: PageState, keys: Sequence[int], values: Sequence[Sequence[int]]) -> tuple[Array, Array]:
        """One forward for these keys of the state: scores of the next word (K, N) and of END (K,).

        values[i]: indices of the words that were chosen for keys[i] so far.
        """
        longest = max(map(len, values))
        chosen = np.zeros((len(keys), longest, state.entered.shape[1]), np.float32)
        unseen = np.zeros((len(keys), 1, 2 + longest), np.float32)
        cues, asked, words = state.cues.shape[0], len(keys), len(state.entered)
        hints = np.zeros((cues, asked, 2 + longest, words), np.float32)
        added = state.elsewhere[list(keys)]  # (K, N)
        for row, (key, value) in enumerate(zip(keys, values, strict=True)):
            chosen[row, : len(value)] = state.entered[list(value)]
            unseen[row, 0, 2 + len(value) :] = FAR
            hints[:, row, :2] = state.cues[:, key, None]
            if not value:
                added[row] += state.begins[key]
        given = np.concatenate([state.slots[list(keys)], chosen], 1)  # (K, G, D)
        following, ended = self._step.run(
            None, {"given": given, "unseen": unseen, "hints": hints.reshape(cues, -1), "added": added, **state.arrays}
        )
        return following, ended

    def next_words(self, state: PageState, keys: Sequence[int], values: Sequence[Sequence[int]]) -> list[int]:
        """The likeliest next word of each, -1 for END."""
        following, ended = self.step(state, keys, values)
        best = following.argmax(1)
        return [int(word) if following[row, word] > ended[row] else -1 for row, word in enumerate(best)]


def _layers(weights: Mapping[str, Array]) -> int:
    return 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))


def _cues(weights: Mapping[str, Array]) -> list[str]:
    """Arrays of a key that add to the attention of its slots; mini 1.0 has `matches` alone."""
    return [array for array, weight in CUES.items() if f"layers.0.{weight}" in weights]


class _Graph:
    """Nodes in order; every `op` returns the name of what it computes."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy = helper, numpy_helper
        self._weights, self._nodes, self._constants = weights, [], {}  # type: ignore[var-annotated]
        self.heads = len(weights["layers.0.label"])
        self.width = len(weights["norm.weight"])
        self.head_width = self.width // self.heads
        self.pointer = len(weights["from_slot.bias"]) // 2

    def op(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        names = [f"t{len(self._nodes)}_{number}" for number in range(outputs)]
        self._nodes.append(self._helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, value: Any) -> str:
        array = np.asarray(value)
        name = f"c{len(self._constants)}"
        self._constants[name] = array
        return name

    def parameter(self, name: str) -> str:
        self._constants.setdefault(name, self._weights[name])
        return name

    def linear(self, x: str, name: str) -> str:
        weight = self.constant(np.ascontiguousarray(self._weights[f"{name}.weight"].T))
        return str(self.op("Add", self.op("MatMul", x, weight), self.parameter(f"{name}.bias")))

    def norm(self, x: str, name: str) -> str:
        scale, shift = self.parameter(f"{name}.weight"), self.parameter(f"{name}.bias")
        return str(self.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=EPSILON))

    def reshape(self, x: str, *shape: int) -> str:
        return str(self.op("Reshape", x, self.constant(np.array(shape, np.int64))))

    def scaled(self, x: str) -> str:
        return str(self.op("Mul", x, self.constant(np.float32(self.head_width**-0.5))))

    def rest(self, x: str, mixed: str, layer: str) -> str:
        """The second half of a layer: x and what attention mixed -> what the next layer sees."""
        x = self.op("Add", x, self.linear(mixed, f"{layer}.out"))
        hidden = self.op("Gelu", self.linear(self.norm(x, f"{layer}.norm_ffn"), f"{layer}.up"))
        return str(self.op("Add", x, self.linear(hidden, f"{layer}.down")))

    def made(self, inputs: Mapping[str, Sequence[str | int]], outputs: Mapping[str, str]) -> bytes:
        """The model's bytes. Shapes of inputs by name; int64 where the name is `types`, else float32."""
        helper = self._helper
        for name, computed in outputs.items():
            self._nodes.append(helper.make_node("Identity", [computed], [name]))
        given = [helper.make_tensor_value_info(n, 7 if n == "types" else 1, list(s)) for n, s in inputs.items()]
        told = [helper.make_tensor_value_info(name, 1, None) for name in outputs]
        stored = [self._numpy.from_array(np.ascontiguousarray(a), name) for name, a in self._constants.items()]
        graph = helper.make_graph(self._nodes, "stepwise", given, told, stored)
        opset = helper.make_opsetid("", OPSET)
        return bytes(helper.make_model(graph, opset_imports=[opset], ir_version=9).SerializeToString())


def _page_graph(weights: Mapping[str, Array]) -> bytes:
    g = _Graph(weights)
    heads, dim = g.heads, g.head_width
    entered = x = g.op("Add", g.linear("words", "word_in"), g.linear("places", "place_in"))  # (N, D)
    asked = g.op("Add", g.linear("prompts", "prompt_in"), g.linear("aliases", "alias_in"))
    kind = g.reshape(g.op("Gather", g.parameter("type_in.weight"), "types"), -1, 1, g.width)
    slots = g.op("Add", g.op("Add", g.reshape(asked, -1, 2, g.width), g.parameter("mask")), kind)  # (K, 2, D)
    of_cell = weights["cell_in"]
    slots = g.op("Add", slots, g.op("Mul", "is_cell", g.constant(of_cell)))
    cached: dict[str, str] = {}
    zeros = g.constant(np.zeros((heads, 1, 1), np.float32))
    cos, sin = (g.op("Add", name, zeros) for name in ("cos", "sin"))  # (H, N, bands)
    for layer in range(_layers(weights)):
        name = f"layers.{layer}"
        qkv = g.reshape(g.linear(g.norm(x, f"{name}.norm_attention"), f"{name}.qkv"), -1, 3, heads, dim)
        q, k, v = g.op("Split", g.op("Transpose", qkv, perm=[1, 2, 0, 3]), outputs=3, axis=0, num_outputs=3)
        q, k, v = (g.reshape(one, heads, -1, dim) for one in (q, k, v))  # (H, N, dim)
        even, odd = (g.constant(weights[f"{name}.{one}"][:, None]) for one in ("even", "odd"))  # (H, 1, bands)
        k_cos = g.op("Sub", g.op("Mul", even, "cos"), g.op("Mul", odd, "sin"))
        k_sin = g.op("Add", g.op("Mul", even, "sin"), g.op("Mul", odd, "cos"))
        q_words = g.op("Concat", g.scaled(q), cos, sin, axis=-1)
        k_words = g.op("Transpose", g.op("Concat", k, k_cos, k_sin, axis=-1), perm=[0, 2, 1])
        mixed = g.op("MatMul", g.op("Softmax", g.op("MatMul", q_words, k_words), axis=-1), v)  # (H, N, dim)
        x = g.rest(x, g.reshape(g.op("Transpose", mixed, perm=[1, 0, 2]), -1, g.width), name)
        cached |= {f"k{layer}": g.op("Transpose", k, perm=[0, 2, 1]), f"v{layer}": v}
    offered = g.linear(g.norm(x, "norm"), "from_word")  # (N, 2P): the first half is for first words
    offered = g.op("Split", offered, outputs=2, axis=1, num_outputs=2)[0]
    n, k_keys, width = "N", "K", g.width
    return g.made(
        {
            "words": (n, width),
            "places": (n, weights["place_in.weight"].shape[1]),
            "cos": (n, 2 * len(WAVELENGTHS)),
            "sin": (n, 2 * len(WAVELENGTHS)),
            "prompts": (k_keys, width),
            "aliases": (k_keys, width),
            "types": (k_keys,),
            "is_cell": (k_keys, 1, 1),
        },
        {"entered": entered, "slots": slots, "offered": g.op("Transpose", offered, perm=[1, 0]), **cached},
    )


def _step_graph(weights: Mapping[str, Array]) -> bytes:
    g = _Graph(weights)
    heads, dim, x = g.heads, g.head_width, "given"  # (K, G, D)
    layers, cues = _layers(weights), _cues(weights)
    n_words = g.op("Shape", "k0", start=2, end=3)
    zero, end = g.constant(np.array([0], np.int64)), g.constant(np.array([2**62], np.int64))
    last_axis = g.constant(np.array([3], np.int64))
    for layer in range(layers):
        name = f"layers.{layer}"
        qkv = g.reshape(g.linear(g.norm(x, f"{name}.norm_attention"), f"{name}.qkv"), 0, 0, 3 * heads, dim)
        q, k, v = g.op("Split", g.op("Transpose", qkv, perm=[2, 0, 1, 3]), outputs=3, axis=0, num_outputs=3)
        q = g.scaled(q)  # (H, K, G, dim)
        grouped = g.op("Shape", q, start=0, end=3)
        to_words = g.op("MatMul", g.reshape(q, heads, -1, dim), f"k{layer}")  # (H, KG, N)
        of_cues = g.constant(np.stack([weights[f"{name}.{CUES[cue]}"] for cue in cues], 1))  # (H, C)
        whole = g.op("Concat", grouped, n_words, axis=0)
        to_words = g.op("Reshape", to_words, whole)  # (H, K, G, N)
        to_words = g.op("Add", to_words, g.op("Reshape", g.op("MatMul", of_cues, "hints"), whole))
        to_group = g.op("Add", g.op("MatMul", q, g.op("Transpose", k, perm=[0, 1, 3, 2])), "unseen")  # (H, K, G, G)
        shares = g.op("Softmax", g.op("Concat", to_words, to_group, axis=-1), axis=-1)
        of_words = g.op("Slice", shares, zero, n_words, last_axis)
        of_group = g.op("Slice", shares, n_words, end, last_axis)
        flat = g.op("Reshape", of_words, g.op("Concat", g.constant(np.array([heads, -1], np.int64)), n_words, axis=0))
        from_words = g.op("Reshape", g.op("MatMul", flat, f"v{layer}"), g.op("Shape", q))
        mixed = g.op("Add", from_words, g.op("MatMul", of_group, v))  # (H, K, G, dim)
        x = g.rest(x, g.reshape(g.op("Transpose", mixed, perm=[1, 2, 0, 3]), 0, 0, g.width), name)
    slots = g.op("Slice", x, zero, g.constant(np.array([2], np.int64)), g.constant(np.array([1], np.int64)))
    slots = g.norm(slots, "norm")  # (K, 2, D)
    one = g.constant(np.array([1], np.int64))
    first = g.reshape(g.op("Slice", slots, zero, one, one), -1, g.width)
    pointing = g.constant(np.ascontiguousarray(weights["from_slot.weight"][: g.pointer].T * g.pointer**-0.5))
    shift = g.constant(weights["from_slot.bias"][: g.pointer] * np.float32(g.pointer**-0.5))
    following = g.op("MatMul", g.op("Add", g.op("MatMul", first, pointing), shift), "offered")  # (K, N)
    following = g.op("Add", following, "added")
    ended = g.reshape(g.linear(g.reshape(slots, -1, 2 * g.width), "absent"), -1)  # (K,)
    cached: dict[str, tuple[str | int, ...]] = {}
    for layer in range(layers):
        cached |= {f"k{layer}": (heads, dim, "N"), f"v{layer}": (heads, "N", dim)}
    return g.made(
        {
            "given": ("K", "G", g.width),
            "unseen": ("K", 1, "G"),
            "hints": (len(cues), "KGN"),
            "added": ("K", "N"),
            "offered": (g.pointer, "N"),
            **cached,
        },
        {"following": following, "ended": ended},
    )


def _session(model: bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
