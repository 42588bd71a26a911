# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of the kernels of python-bindings/programs: random arguments, and the
expected gradients by formulas in NumPy's float64. test_program_gradients.py compares
them on the processor with those that tile.vjp derives, program_gradients_gpu.py on a
GPU.

A kernel that reads and writes an array has no derivative. For those of cross_entropy and
rope there are kernels of the same functions with another output."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import tile_mlir as tile
from program_cases import (UNITS, load_program, make_attention, make_cross_entropy,
                           make_gated_mlp, make_geglu, make_grouped, make_norm,
                           make_rope, make_softmax, reference_attention_backward,
                           reference_cross_entropy, reference_geglu,
                           reference_layer_norm, reference_rms_norm,
                           reference_softmax, widen)

BOTH = "float32", "float16"

cross_entropy, rope = map(load_program, ("cross_entropy", "rope"))


@tile.kernel(grid=lambda x: x.shape[0])
def losses_kernel(x, labels, losses, *, n):
    row = tile.program_id(0)
    picked = tile.load(x, (row, tile.load(labels, row, ())), ()).astype(tile.f32)
    top, total = cross_entropy.sum_row(x, row, n)
    tile.store(losses, row, tile.log(total) + top - picked)


@tile.kernel(grid=lambda x, m: (tile.cdiv(x.shape[2], m), x.shape[1], x.shape[0]))
def rotated_kernel(x, cos, sin, out, *, half, m):
    rope.rotate(x, cos, sin, out, half, False, m)


@dataclass(frozen=True)
class Gradients:
    """A kernel, and its gradients.

    `make` makes its arguments, by their names and in order, from a random generator.
    The arguments that `outputs` names are cotangents. Arrays of f64 are cast to the
    tested type. `reference` returns the gradients of the arguments that `wrt` names,
    from the arguments in f64. The allowed error is as in program_cases: relative to the
    largest element, `roundings` of the type plus `sums` roundings of f32. `types` are
    those that are tested on the processor, where tiles of many columns take a while to
    compile."""

    kernel: tile.Kernel
    make: Callable[[np.random.Generator], dict[str, Any]]
    reference: Callable[..., tuple[Any, ...]]
    wrt: tuple[str, ...]
    outputs: tuple[str, ...]
    constants: dict[str, Any] = field(default_factory=dict)
    types: tuple[str, ...] = BOTH
    roundings: float = 2.0
    sums: float = 32.0
    atomics: bool = False

    def derive(self):
        return tile.vjp(self.kernel, wrt=self.wrt, outputs=self.outputs,
                        atomics=self.atomics)

    def check(self, arguments, found, dtype):
        """Returns the greatest error of all gradients, as a share of the allowed one.
        `arguments` have the values of the tested type."""
        expected = self.reference(**{
            key: widen(value) if isinstance(value, np.ndarray) else value
            for key, value in arguments.items()})
        assert len(found) == len(expected) == len(self.wrt)
        allowed = self.roundings * UNITS[dtype] + self.sums * UNITS["float32"]
        shares = []
        for key, gradient, one in zip(self.wrt, found, expected):
            assert gradient.shape == one.shape, (key, gradient.shape, one.shape)
            error = abs(gradient.astype(np.float64) - one).max() / abs(one).max()
            assert error <= allowed, f"{key}: expected {allowed:.2g}, got {error:.2g}"
            shares.append(error / allowed)
        return max(shares)


# ----------------------------------------------------------------------------
# Rows
# ----------------------------------------------------------------------------


def make_rows(rng):
    x = make_softmax(rng, 5, 77)["x"]
    return {"x": x, "y": rng.standard_normal(x.shape)}


def get_softmax_gradient(x, y):
    [shares] = reference_softmax(None, x)
    return shares * (y - (y * shares).sum(axis=1, keepdims=True)),


def make_layer_norm(rng):
    """Makes cotangents of all results: the means and the scales are outputs, too."""
    norm = make_norm(rng, 11, 77)
    means, scales = rng.standard_normal((2, 11)).astype(np.float32)
    return {"x": norm["x"], "w": norm["w"], "b": norm["b"], "y": norm["dy"],
            "means": means, "scales": scales, "eps": 1e-5}


def get_layer_norm_gradients(x, w, b, y, means, scales, eps):
    _, dx, dw, db = reference_layer_norm(None, x, y, w, b)
    rest = x - x.mean(axis=1, keepdims=True)
    scale = ((rest ** 2).mean(axis=1, keepdims=True) + eps) ** -0.5
    dx += (means[:, None] - scales[:, None] * scale ** 3 * rest) / x.shape[1]
    return dx, dw, db


def make_rms_norm(rng):
    """The scales are an output that is not differentiated."""
    norm = make_norm(rng, 11, 77)
    return {"x": norm["x"], "w": norm["w"], "y": norm["dy"],
            "scales": np.zeros(11, np.float32), "eps": 1e-6}


def get_rms_norm_gradients(x, w, y, scales, eps):
    return reference_rms_norm(None, x, y, w, None)[1:]


def make_losses(rng):
    """A row has several tiles, the last one of which is not full."""
    case = make_cross_entropy(rng, 7, 77)
    return {"x": case["x"], "labels": np.maximum(case["labels"], 0),
            "losses": rng.standard_normal(7).astype(np.float32)}


def get_losses_gradient(x, labels, losses):
    return reference_cross_entropy(None, x, labels, "none")[1] * losses[:, None],


def make_rotated(rng):
    case = make_rope(rng, 2, 3, 1, 35, 26, angles=2)
    return {"x": case["q"], "cos": case["cos"], "sin": case["sin"],
            "out": rng.standard_normal(case["q"].shape)}


def get_rotated_gradient(x, cos, sin, out):
    left, right = np.split(out, 2, axis=3)
    back = np.concatenate([right, -left], axis=3)
    return out * cos[:, None] + back * sin[:, None],


def make_flat_geglu(rng):
    case = make_geglu(rng, (1237,))
    return {"a": case["a"], "b": case["b"], "c": case["dc"]}


# ----------------------------------------------------------------------------
# Matmuls
# ----------------------------------------------------------------------------


def make_mlp(rng):
    case = make_gated_mlp(rng, 37, 23, 29)
    return {**case, "y": rng.standard_normal((37, 23))}


def get_mlp_gradients(x, gate, up, y):
    left, right = x @ gate.T, x @ up.T
    sigmoid = 1 / (1 + np.exp(-left))
    dleft = y * right * sigmoid * (1 + left * (1 - sigmoid))
    dright = y * left * sigmoid
    return dleft @ gate + dright @ up, dleft.T @ x, dright.T @ x


def make_groups(rng):
    """The first group is empty, the others end in the middle of a tile."""
    case = make_grouped(rng, (0, 7, 23, 7), 23, 29)
    return {**case, "y": rng.standard_normal((37, 23))}


def get_group_gradients(x, w, starts, y):
    groups = [slice(*pair) for pair in zip(starts, starts[1:])]
    return (np.concatenate([y[rows] @ one for rows, one in zip(groups, w)]),
            np.stack([y[rows].T @ x[rows] for rows in groups]))


# ----------------------------------------------------------------------------
# Attention
# ----------------------------------------------------------------------------


def make_queries(*sizes, **options):
    def make(rng):
        case = make_attention(rng, *sizes, **options)
        q = case["q"]
        return {"q": q, "k": case["k"], "v": case["v"], "o": case["do"],
                "lse": np.zeros(q.shape[:3], np.float32), "scale": q.shape[3] ** -0.5}
    return make


def get_attention_gradients(causal):
    def get(q, k, v, o, lse, scale):
        return reference_attention_backward(None, q, k, v, o, causal)
    return get


TILES = {"m": 16, "n": 16}
ATTENTION = Gradients(
    load_program("flash_attention").attention_kernel, make_queries(1, 2, 37, 24),
    get_attention_gradients(False), ("q", "k", "v"), ("o",),
    {**TILES, "d": 24, "causal": False}, ("float32",), sums=64)
GROUPED_ATTENTION = replace(
    ATTENTION, make=make_queries(1, 4, 37, 24, shared=2, dv=16),
    reference=get_attention_gradients(True),
    constants={**TILES, "d": 24, "dv": 16, "group": 2, "causal": True})

MATMULS = {**TILES, "k": 16}
GROUPS = Gradients(
    load_program("grouped_gemm").grouped_gemm_kernel, make_groups,
    lambda **arrays: get_group_gradients(**arrays)[1:], ("w",), ("y",),
    {**MATMULS, "workers": 2}, ("float32",))

CASES = {
    "softmax": Gradients(load_program("softmax").softmax_kernel, make_rows,
                         get_softmax_gradient, ("x",), ("y",), {"n": 77}),
    "layer_norm": Gradients(
        load_program("layer_norm").forward_kernel, make_layer_norm,
        get_layer_norm_gradients, ("x", "w", "b"), ("y", "means", "scales"), {"n": 77}),
    "rms_norm": Gradients(load_program("rms_norm").forward_kernel, make_rms_norm,
                          get_rms_norm_gradients, ("x", "w"), ("y",), {"n": 77}),
    "cross_entropy": Gradients(losses_kernel, make_losses, get_losses_gradient, ("x",),
                               ("losses",), {"n": 32}, sums=64),
    "rope": Gradients(rotated_kernel, make_rotated, get_rotated_gradient, ("x",),
                      ("out",), {"half": 13, "m": 16}),
    "geglu": Gradients(
        load_program("geglu").forward_kernel, make_flat_geglu,
        lambda a, b, c: reference_geglu(None, c, a, b)[1:], ("a", "b"), ("c",)),
    "gated_mlp": Gradients(load_program("gated_mlp").gated_mlp_kernel, make_mlp,
                           get_mlp_gradients, ("x", "gate", "up"), ("y",), MATMULS,
                           ("float32",)),
    "grouped_gemm": GROUPS,
    "grouped_gemm by atomics": replace(GROUPS, reference=get_group_gradients,
                                       wrt=("x", "w"), atomics=True),
    "attention": ATTENTION,
    "causal attention of groups": GROUPED_ATTENTION,
    "causal attention, d 192/128": replace(
        GROUPED_ATTENTION, make=make_queries(1, 2, 37, 192, dv=128),
        constants={**TILES, "d": 192, "dv": 128, "causal": True}, types=()),
}
