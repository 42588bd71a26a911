# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case for each program of python-bindings/programs: random arrays, and the expected
results by NumPy in float64. test_programs.py runs the cases on the host,
programs_gpu.py on a GPU."""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"

# The error of one rounding to nearest, relative to the value.
UNITS = {"float16": 2.0 ** -11, "bfloat16": 2.0 ** -8, "float32": 2.0 ** -24,
         "float64": 2.0 ** -53}
HALVES = ("float16", "bfloat16", "float32")


@dataclass(frozen=True)
class Case:
    """A program, its arguments and its expected results.

    `make` makes arrays, by their names, from a random generator and sizes; arrays of
    f64 are then cast to the tested type. `call` runs the program's module on them, and
    returns a tuple of outputs. `reference` returns the expected outputs in f64, from
    the original arrays in f64 and from the outputs. `small` are sizes for the host,
    `large` are sizes for a GPU.

    The allowed error, relative to the largest expected element, is `roundings`
    roundings of the output's type plus `sums` roundings of f32, the type in which sums
    are computed. The errors of a sum of n terms have random signs, so that the error of
    the sum grows as the square root of n."""

    make: Callable[..., dict[str, Any]]
    call: Callable[..., tuple[Any, ...]]
    reference: Callable[..., tuple[Any, ...]]
    small: tuple[dict[str, Any], ...]
    large: tuple[dict[str, Any], ...]
    roundings: float = 1.0
    sums: float = 16.0
    types: tuple[str, ...] = HALVES


CASES: dict[str, Case] = {}


def load_program(name):
    """Imports a program's module by its name."""
    if str(PROGRAMS) not in sys.path:
        sys.path.insert(0, str(PROGRAMS))
    return importlib.import_module(name)


def widen(value):
    """Converts a floating-point array to f64; returns an array of integers or bools as
    it is."""
    value = np.asarray(value)
    return value if value.dtype.kind in "iub" else value.astype(np.float64)


def check(case, arrays, outputs, dtypes):
    """Returns the greatest error of all outputs, as a share of the allowed error.
    `arrays` have the values from before the call. `dtypes` are the types in which the
    program computed the outputs; the arrays in `outputs` may be wider."""
    expected = case.reference(outputs, **{name: widen(a) if isinstance(
        a, np.ndarray) else a for name, a in arrays.items()})
    assert len(expected) == len(outputs)
    return max(compare(case, *three) for three in zip(outputs, expected, dtypes))


def compare(case, found, expected, dtype):
    """Returns the greatest error of one output, as a share of the allowed error."""
    expected = np.asarray(expected)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    if found.dtype.kind in "iub":
        np.testing.assert_array_equal(found, expected)
        return 0.0
    unit = UNITS[dtype]
    allowed = case.roundings * unit + case.sums * min(UNITS["float32"], unit)
    error = np.abs(found.astype(np.float64) - expected).max()
    share = float(error / np.abs(expected).max() / allowed)
    assert share <= 1, f"expected an error within the bound, got {share:.3g} of it"
    return share


# ----------------------------------------------------------------------------
# Random numbers
# ----------------------------------------------------------------------------


def draw_uniform(seed, counters):
    """Returns the values of tile.random("uniform") for `counters`: 24 bits of the first
    word of Philox4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3",
    2011)."""
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    counters = np.asarray(counters, np.uint64)
    words = [counters & low, counters >> half, *np.zeros((2, counters.size), np.uint64)]
    keys = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        first = np.uint64(0xD2511F53) * words[0]
        second = np.uint64(0xCD9E8D57) * words[2]
        words = [(second >> half) ^ words[1] ^ np.uint64(keys[0]), second & low,
                 (first >> half) ^ words[3] ^ np.uint64(keys[1]), first & low]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF,
                (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return (words[0] >> np.uint64(8)).astype(np.float64) / 2 ** 24


# ----------------------------------------------------------------------------
# Attention
# ----------------------------------------------------------------------------


def make_attention(rng, batch, heads, length, d, causal=False, keys=None, shared=None,
                   dv=None):
    """Makes Q with `heads` heads of `length` rows of d elements, K and V with `shared`
    heads of `keys` rows, and rows of dv elements for V."""
    keys, shared, dv = keys or length, shared or heads, dv or d
    q, k, v, do = (rng.standard_normal((batch, *shape)) for shape in (
        (heads, length, d), (shared, keys, d), (shared, keys, dv), (heads, length, dv)))
    return {"q": q, "k": k, "v": v, "do": do, "causal": causal}


def repeat_heads(array, q):
    """Repeats each head of K or V for its group of Q's heads."""
    return array.repeat(q.shape[1] // array.shape[1], axis=1)


def add_groups(gradient, array):
    """Adds the gradients of the heads of each group."""
    batch, shared, *rest = array.shape
    return gradient.reshape(batch, shared, -1, *rest).sum(axis=2)


def get_powers(q, k, causal):
    """Returns the attention weights, and, for each query, the base-2 logarithm of the
    sum of exp of its scores."""
    k = repeat_heads(k, q)
    scores = q @ k.swapaxes(2, 3) * q.shape[3] ** -0.5
    if causal:
        scores[..., ~np.tri(scores.shape[2], dtype=bool)] = -np.inf
    top = scores.max(axis=3, keepdims=True)
    powers = np.exp(scores - top)
    total = powers.sum(axis=3, keepdims=True)
    return powers / total, (top + np.log(total))[..., 0] / np.log(2)


def reference_attention(_, q, k, v, do, causal):
    shares, lse = get_powers(q, k, causal)
    return shares @ repeat_heads(v, q), lse


# The exponentials of scores are rounded once, and so is the result.
CASES["flash_attention"] = Case(
    make_attention,
    lambda program, q, k, v, do, causal: program.attention(q, k, v, causal),
    reference_attention, roundings=3, sums=64,
    small=({"batch": 1, "heads": 2, "length": 157, "d": 24},
           {"batch": 2, "heads": 1, "length": 135, "d": 16, "causal": True},
           {"batch": 1, "heads": 1, "length": 5, "d": 16, "keys": 70},
           {"batch": 1, "heads": 4, "length": 37, "d": 24, "shared": 2, "dv": 16}),
    large=({"batch": 2, "heads": 4, "length": 1999, "d": 64},
           {"batch": 1, "heads": 3, "length": 1500, "d": 128, "causal": True}))


def call_attention_backward(program, q, k, v, do, causal):
    o, lse = load_program("flash_attention").attention(q, k, v, causal)
    return program.attention_backward(q, k, v, o, lse, do, causal)


def reference_attention_backward(_, q, k, v, do, causal):
    shares, _ = get_powers(q, k, causal)
    dshares = do @ repeat_heads(v, q).swapaxes(2, 3)
    less = (shares * dshares).sum(axis=3, keepdims=True)
    dscores = shares * (dshares - less) * q.shape[3] ** -0.5
    return (dscores @ repeat_heads(k, q), add_groups(dscores.swapaxes(2, 3) @ q, k),
            add_groups(shares.swapaxes(2, 3) @ do, v))


# The gradient is computed from the rounded output.
CASES["flash_attention_backward"] = Case(
    make_attention, call_attention_backward, reference_attention_backward,
    roundings=6, sums=64,
    small=({"batch": 1, "heads": 2, "length": 77, "d": 24},
           {"batch": 2, "heads": 1, "length": 135, "d": 16, "causal": True}),
    large=({"batch": 2, "heads": 4, "length": 1999, "d": 64},
           {"batch": 1, "heads": 3, "length": 1500, "d": 128, "causal": True}))


def make_paged_attention(rng, lengths, heads, shared, d, page):
    counts = [-(-n // page) for n in lengths]
    table = np.full((len(lengths), max(counts) + 1), -7, np.int32)
    pages = rng.permutation(sum(counts) + 3)
    for row, count in zip(table, counts):
        row[:count], pages = pages[:count], pages[count:]
    shape = (sum(counts) + 3, shared, page, d)
    keys, values = rng.standard_normal((2, *shape))
    for row, n in zip(table, lengths):
        if n % page:  # elements after the last token must not be used
            for cache in (keys, values):
                cache[row[n // page], :, n % page:] = np.nan
    return {"q": rng.standard_normal((len(lengths), heads, d)), "keys": keys,
            "values": values, "table": table,
            "lengths": np.array(lengths, np.int32)}


def reference_paged_attention(_, q, keys, values, table, lengths):
    o = np.empty_like(q)
    for row, pages, n, out in zip(q, table, lengths, o):
        pages = pages[:-(-n // keys.shape[2])]
        k, v = (cache[pages].swapaxes(0, 1).reshape(cache.shape[1], -1, q.shape[2])
                [:, :n] for cache in (keys, values))
        of_group = row.reshape(1, k.shape[0], -1, q.shape[2])
        shares, _ = get_powers(of_group, k[None], False)
        out[:] = (shares @ v).reshape(row.shape)
    return (o,)


CASES["paged_attention"] = Case(
    make_paged_attention, lambda program, **a: (program.paged_attention(**a),),
    reference_paged_attention, roundings=3,
    small=({"lengths": (70, 1, 33), "heads": 6, "shared": 2, "d": 24, "page": 16},),
    large=({"lengths": (2000, 1, 333, 4097), "heads": 32, "shared": 8, "d": 128,
            "page": 16},))


# ----------------------------------------------------------------------------
# Matmuls
# ----------------------------------------------------------------------------


def make_matmul(rng, m, n, k):
    return {"a": rng.standard_normal((m, k)), "b": rng.standard_normal((k, n))}


def make_gated_mlp(rng, m, n, k):
    gate, up = rng.standard_normal((2, n, k)) / k ** 0.5
    return {"x": rng.standard_normal((m, k)), "gate": gate, "up": up}


def reference_gated_mlp(_, x, gate, up):
    left = x @ gate.T
    return (left / (1 + np.exp(-left)) * (x @ up.T),)


CASES["gated_mlp"] = Case(
    make_gated_mlp, lambda program, **a: (program.gated_mlp(**a),),
    reference_gated_mlp, sums=64, small=({"m": 133, "n": 70, "k": 77},),
    large=({"m": 1999, "n": 2816, "k": 1024},))


def make_grouped(rng, counts, n, k):
    starts = np.cumsum([0, *counts]).astype(np.int32)
    return {"x": rng.standard_normal((starts[-1], k)),
            "w": rng.standard_normal((len(counts), n, k)), "starts": starts}


def reference_grouped_gemm(_, x, w, starts):
    return (np.concatenate([x[i:j] @ one.T for one, i, j in
                            zip(w, starts, starts[1:])]),)


CASES["grouped_gemm"] = Case(
    make_grouped, lambda program, **a: (program.grouped_gemm(**a),),
    reference_grouped_gemm, sums=64, small=({"counts": (3, 0, 150, 65), "n": 133, "k": 77},),
    large=({"counts": (300, 0, 1500, 65, 129, 7, 511, 64), "n": 1408, "k": 1024},))


def make_conv2d(rng, batch, channels, height, width, outputs, window, groups=1,
                **options):
    shape = (outputs, channels // groups, *window)
    return {"x": rng.standard_normal((batch, channels, height, width)),
            "w": rng.standard_normal(shape), "bias": rng.standard_normal(outputs),
            "groups": groups, **options}


def reference_conv2d(_, x, w, bias, stride=(1, 1), padding=(0, 0), dilation=(1, 1),
                     groups=1):
    x = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in padding)))
    spans = [d * (n - 1) + 1 for d, n in zip(dilation, w.shape[2:])]
    windows = np.lib.stride_tricks.sliding_window_view(x, spans, axis=(2, 3))
    windows = windows[:, :, ::stride[0], ::stride[1], ::dilation[0], ::dilation[1]]
    batch, channels, *rest = windows.shape
    windows = windows.reshape(batch, groups, channels // groups, *rest)
    filters = w.reshape(groups, -1, *w.shape[1:])
    y = np.einsum("bgchwrs,gocrs->bgohw", windows, filters, optimize=True)
    return (y.reshape(batch, -1, *y.shape[3:]) + bias[:, None, None],)


CASES["conv2d"] = Case(
    make_conv2d, lambda program, **a: (program.conv2d(**a),), reference_conv2d,
    sums=64, small=(
        {"batch": 2, "channels": 5, "height": 11, "width": 9, "outputs": 7,
         "window": (3, 3), "padding": (1, 2)},
        {"batch": 1, "channels": 6, "height": 13, "width": 17, "outputs": 10,
         "window": (3, 2), "stride": (2, 3), "dilation": (2, 1), "groups": 2}),
    large=(
        {"batch": 8, "channels": 64, "height": 57, "width": 55, "outputs": 128,
         "window": (3, 3), "padding": (1, 1)},
        {"batch": 4, "channels": 96, "height": 61, "width": 63, "outputs": 64,
         "window": (5, 3), "stride": (2, 1), "dilation": (1, 2), "groups": 2}))


def make_int4_gemm(rng, m, n, k, group):
    return {"a": rng.standard_normal((m, k)),
            "b": rng.integers(-128, 128, (-(-k // 2), n), np.int8),
            "scales": rng.uniform(0.5, 1.5, (-(-k // group), n)) / 8, "group": group}


def reference_int4_gemm(_, a, b, scales, group):
    low, high = (b & 15 ^ 8) - 8, b >> 4
    weights = np.stack([low, high], axis=1).reshape(-1, b.shape[1])[:a.shape[1]]
    return (a @ (weights * scales.repeat(group, 0)[:a.shape[1]]),)


# A weight is rounded once when it is scaled.
CASES["int4_gemm"] = Case(
    make_int4_gemm, lambda program, **a: (program.int4_gemm(**a),),
    reference_int4_gemm, roundings=2, sums=64,
    small=({"m": 35, "n": 133, "k": 300, "group": 128},
           {"m": 5, "n": 77, "k": 37, "group": 6}),
    large=({"m": 67, "n": 4096, "k": 4096, "group": 128},))

CASES["split_k_gemm"] = Case(
    make_matmul, lambda program, a, b: (program.split_k_gemm(a, b),),
    lambda _, a, b: (a @ b,), sums=64,
    small=({"m": 65, "n": 70, "k": 515},), large=({"m": 131, "n": 190, "k": 16001},))

CASES["persistent_gemm"] = Case(
    make_matmul, lambda program, a, b: (program.persistent_gemm(a, b, blocks=5),),
    lambda _, a, b: (a @ b,), sums=64,
    small=({"m": 133, "n": 270, "k": 77},), large=({"m": 2111, "n": 1999, "k": 1024},))


# ----------------------------------------------------------------------------
# Rows
# ----------------------------------------------------------------------------


def make_norm(rng, rows, n):
    x, dy = rng.standard_normal((2, rows, n))
    w, b = rng.standard_normal((2, n))
    return {"x": 1 + 2 * x, "dy": dy, "w": w, "b": b}


def call_layer_norm(program, x, dy, w, b):
    y, means, scales = program.layer_norm(x, w, b)
    return y, *program.layer_norm_backward(dy, x, w, means, scales, blocks=3)


def reference_layer_norm(_, x, dy, w, b):
    rest = x - x.mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt((rest ** 2).mean(axis=1, keepdims=True) + 1e-5)
    normal, slope = rest * scale, dy * w
    dx = slope - slope.mean(axis=1, keepdims=True)
    dx -= normal * (slope * normal).mean(axis=1, keepdims=True)
    return normal * w + b, dx * scale, (dy * normal).sum(axis=0), dy.sum(axis=0)


# The long rows of f16 are read again from shared memory (-tile-reread-tiles).
CASES["layer_norm"] = Case(
    make_norm, call_layer_norm, reference_layer_norm,
    small=({"rows": 11, "n": 77}, {"rows": 2, "n": 16381}),
    large=({"rows": 1999, "n": 4096}, {"rows": 65, "n": 16381}), sums=32)


def call_rms_norm(program, x, dy, w, b):
    y, scales = program.rms_norm(x, w)
    return y, *program.rms_norm_backward(dy, x, w, scales, blocks=3)


def reference_rms_norm(_, x, dy, w, b):
    scale = 1 / np.sqrt((x ** 2).mean(axis=1, keepdims=True) + 1e-6)
    normal, slope = x * scale, dy * w
    dx = (slope - normal * (slope * normal).mean(axis=1, keepdims=True)) * scale
    return normal * w, dx, (dy * normal).sum(axis=0)


# The long rows of f16 are read again from shared memory (-tile-reread-tiles).
CASES["rms_norm"] = Case(
    make_norm, call_rms_norm, reference_rms_norm,
    small=({"rows": 11, "n": 77}, {"rows": 2, "n": 16381}),
    large=({"rows": 1999, "n": 4096}, {"rows": 65, "n": 16381}), sums=32)


def make_rope(rng, batch, heads, shared, length, d, angles=1):
    phase = rng.uniform(0, 6.28, (angles, length, d // 2)).repeat(2, 0)
    phase = np.concatenate([phase[:angles]] * 2, axis=2)
    return {"q": rng.standard_normal((batch, heads, length, d)),
            "k": rng.standard_normal((batch, shared, length, d)),
            "cos": np.cos(phase), "sin": np.sin(phase)}


def call_rope(program, q, k, cos, sin):
    """Returns the rotated q and k, and q after it is rotated back."""
    turned = q + 0  # a copy
    program.rope(turned, k, cos, sin)
    again, other = turned + 0, k + 0
    program.rope(again, other, cos, sin, back=True)
    return turned, k, again


def reference_rope(outputs, q, k, cos, sin):
    def turn(x, sin):
        left, right = np.split(x, 2, axis=3)
        return x * cos[:, None] + np.concatenate([-right, left], 3) * sin[:, None]

    return turn(q, sin), turn(k, sin), turn(widen(outputs[0]), -sin)


CASES["rope"] = Case(
    make_rope, call_rope, reference_rope, roundings=2,
    small=({"batch": 2, "heads": 3, "shared": 1, "length": 35, "d": 26, "angles": 2},
           {"batch": 2, "heads": 1, "shared": 1, "length": 5, "d": 8}),
    large=({"batch": 2, "heads": 32, "shared": 8, "length": 1999, "d": 128},))


def make_cross_entropy(rng, rows, n, reduction="mean"):
    labels = rng.integers(0, n, rows)
    labels[rows // 2] = -100
    return {"x": 3 * rng.standard_normal((rows, n)), "labels": labels,
            "reduction": reduction}


def call_cross_entropy(program, x, labels, reduction):
    loss = program.cross_entropy(x, labels, reduction=reduction)
    return loss.reshape(-1), x


def reference_cross_entropy(_, x, labels, reduction):
    counts = labels != -100
    factor = counts / counts.sum() if reduction == "mean" else counts * 1.0
    rest = x - x.max(axis=1, keepdims=True)
    powers = np.exp(rest)
    total = powers.sum(axis=1)
    one = np.arange(x.shape[1]) == labels[:, None]
    loss = factor * (np.log(total) - (rest * one).sum(axis=1))
    slope = (powers / total[:, None] - one) * factor[:, None]
    return loss if reduction == "none" else loss.sum(keepdims=True), slope


CASES["cross_entropy"] = Case(
    make_cross_entropy, call_cross_entropy, reference_cross_entropy, sums=64,
    small=({"rows": 7, "n": 4999}, {"rows": 3, "n": 77, "reduction": "none"}),
    large=({"rows": 1001, "n": 50257},))


def make_softmax(rng, rows, n):
    return {"x": 3 * rng.standard_normal((rows, n))}


def reference_softmax(_, x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return (powers / powers.sum(axis=1, keepdims=True),)


CASES["softmax"] = Case(
    make_softmax, lambda program, x: (program.softmax(x),), reference_softmax, sums=64,
    small=({"rows": 7, "n": 781},), large=({"rows": 1823, "n": 4099},))


def make_sampling(rng, rows, n, k, p):
    return {"logits": 2 * rng.standard_normal((rows, n)), "seed": 1 << 40 | 5, "k": k,
            "p": p, "temperature": 0.75}


def reference_sampling(outputs, logits, seed, k, p, temperature):
    """Returns the chosen tokens, after a check that each is right up to rounding."""
    indices = np.argsort(-logits, axis=1, kind="stable")[:, :k]
    powers = np.exp(np.take_along_axis(logits, indices, 1) / temperature)
    shares = powers / powers.sum(axis=1, keepdims=True)
    before = shares.cumsum(axis=1) - shares
    shares = np.where(before < p, shares, 0)
    values = draw_uniform(seed, range(len(logits)))
    limit = values * shares.sum(axis=1)
    [found] = outputs
    chosen = indices == found[:, None]
    assert chosen.sum() == len(found), "expected tokens of the k greatest"
    start, share = (before * chosen).sum(axis=1), (shares * chosen).sum(axis=1)
    assert (share > 0).all(), "expected tokens of the share p"
    assert (start - 1e-5 <= limit).all() and (limit <= start + share + 1e-5).all()
    return (found,)


CASES["sampling"] = Case(
    make_sampling, lambda program, **a: (program.sample(**a),), reference_sampling,
    small=({"rows": 9, "n": 2077, "k": 7, "p": 0.8},),
    large=({"rows": 501, "n": 50257, "k": 50, "p": 0.9},))


# ----------------------------------------------------------------------------
# Elementwise programs
# ----------------------------------------------------------------------------


def make_adamw(rng, shape):
    p, g = rng.standard_normal((2, *shape))
    m, v = rng.standard_normal((2, *shape), np.float32)
    return {"p": p, "g": g, "m": m, "v": v * v, "step": 3}


def call_adamw(program, p, g, m, v, step):
    program.adamw(p, g, m, v, step, rate=0.1)
    return p, m, v


def reference_adamw(_, p, g, m, v, step):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g ** 2
    change = m / (1 - 0.9 ** step) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
    return p * (1 - 0.1 * 0.01) - 0.1 * change, m, v


CASES["adamw"] = Case(
    make_adamw, call_adamw, reference_adamw,
    small=({"shape": (7, 199)},), large=({"shape": (1999, 4099)},))


def make_dropout(rng, shape):
    return {"x": rng.standard_normal(shape), "p": 0.25, "seed": 1 << 33 | 77}


def reference_dropout(_, x, p, seed):
    keep = draw_uniform(seed, range(x.size)).reshape(x.shape) >= p
    return (np.where(keep, x / (1 - p), 0),)


CASES["dropout"] = Case(
    make_dropout, lambda program, x, p, seed: (program.dropout(x, p, seed),),
    reference_dropout, small=({"shape": (7, 199)},), large=({"shape": (1999, 517)},))


def make_geglu(rng, shape):
    dc, a, b = rng.standard_normal((3, *shape))
    return {"dc": dc, "a": a, "b": b}


def call_geglu(program, dc, a, b):
    c = program.geglu(a, b)
    program.geglu_backward(dc, a, b)
    return c, a, b


def reference_geglu(_, dc, a, b):
    root = np.sqrt(2 / np.pi)
    t = np.tanh(root * (a + 0.044715 * a ** 3))
    slope = 0.5 * a * (1 - t * t) * root * (1 + 3 * 0.044715 * a * a)
    gelu, dgelu = 0.5 * a * (1 + t), 0.5 * (1 + t) + slope
    return gelu * b, dc * b * dgelu, dc * gelu


CASES["geglu"] = Case(
    make_geglu, call_geglu, reference_geglu,
    small=({"shape": (7, 199)},), large=({"shape": (1999, 5632)},))


# ----------------------------------------------------------------------------
# Other programs
# ----------------------------------------------------------------------------


def make_fft_filter(rng, rows, n):
    return {"signals": rng.standard_normal((rows, n)),
            "response": rng.uniform(0, 1, n // 2 + 1)}


def reference_fft_filter(_, signals, response):
    spectrum = np.fft.rfft(signals) * response
    return (np.fft.irfft(spectrum, signals.shape[1]),)


CASES["fft_filter"] = Case(
    make_fft_filter, lambda program, **a: (program.fft_filter(**a),),
    reference_fft_filter, types=("float32",),
    small=({"rows": 5, "n": 128}, {"rows": 3, "n": 105}),
    large=({"rows": 1001, "n": 1024},))


def make_systems(rng, batch, n, columns):
    x = rng.standard_normal((batch, n, 2 * n))
    a = x @ x.swapaxes(1, 2) / (2 * n) + 0.5 * np.eye(n)
    return {"a": a, "b": rng.standard_normal((batch, n, columns))}


def reference_cholesky_solve(_, a, b):
    return np.linalg.solve(a, b), np.zeros(len(a), np.int32)


# The condition number of the matrices is below ten.
CASES["cholesky_solve"] = Case(
    make_systems, lambda program, a, b: program.cholesky_solve(a, b),
    reference_cholesky_solve, roundings=100, types=("float32", "float64"),
    small=({"batch": 3, "n": 13, "columns": 3},),
    large=({"batch": 1001, "n": 64, "columns": 7},))


def make_selective_scan(rng, batch, length, channels, states):
    u, dt = rng.standard_normal((2, batch, length, channels))
    b, c = rng.standard_normal((2, batch, length, states))
    return {"u": u, "dt": dt - 2, "b": b, "c": c, "d": rng.standard_normal(channels),
            "a": -rng.uniform(0.5, 4, (channels, states))}


def reference_selective_scan(_, u, dt, a, b, c, d):
    step = np.log1p(np.exp(dt))
    state, y = np.zeros((len(u), *a.shape)), np.empty_like(u)
    for t in range(u.shape[1]):
        state *= np.exp(step[:, t, :, None] * a)
        state += (step * u)[:, t, :, None] * b[:, t, None]
        y[:, t] = (state * c[:, t, None]).sum(axis=2) + d * u[:, t]
    return (y,)


CASES["selective_scan"] = Case(
    make_selective_scan, lambda program, **a: (program.selective_scan(**a),),
    reference_selective_scan, sums=64,
    small=({"batch": 2, "length": 37, "channels": 19, "states": 5},),
    large=({"batch": 2, "length": 999, "channels": 386, "states": 16},))


def make_k_means(rng, points, centres, d):
    return {"x": rng.standard_normal((points, d)),
            "centres": rng.standard_normal((centres, d))}


def call_k_means(program, x, centres):
    return program.k_means_step(x, centres), centres


def reference_k_means(outputs, x, centres):
    """Returns the chosen labels, after a check that they are right up to rounding, and
    the means of the points with each label."""
    labels = outputs[0]
    distance = (centres ** 2).sum(axis=1) - 2 * x @ centres.T
    chosen = np.take_along_axis(distance, labels[:, None].astype(np.int64), 1)[:, 0]
    assert (chosen <= distance.min(axis=1) + 1e-4).all()
    means = centres.copy()
    for label in np.unique(labels):
        means[label] = x[labels == label].mean(axis=0)
    return labels, means


CASES["k_means"] = Case(
    make_k_means, call_k_means, reference_k_means,
    small=({"points": 211, "centres": 67, "d": 19},),
    large=({"points": 50021, "centres": 251, "d": 64},))


def make_jagged_sum(rng, counts, columns):
    starts = np.cumsum([0, *counts])
    return {"values": rng.standard_normal((starts[-1], columns)), "starts": starts}


def reference_jagged_sum(_, values, starts):
    return (np.stack([values[i:j].sum(axis=0) for i, j in zip(starts, starts[1:])]),)


CASES["jagged_sum"] = Case(
    make_jagged_sum, lambda program, **a: (program.jagged_sum(**a),),
    reference_jagged_sum, small=({"counts": (3, 0, 50, 33, 0), "columns": 77},),
    large=({"counts": tuple(range(0, 500, 3)), "columns": 257},))


def make_csr_matmul(rng, rows, inner, columns, share):
    """Makes a sparse matrix whose first row is empty, and whose last row is full."""
    shares = np.r_[0, np.full(rows - 2, share), 1]
    mask = rng.random((rows, inner)) < shares[:, None]
    starts = np.cumsum([0, *mask.sum(axis=1)]).astype(np.int32)
    return {"starts": starts, "columns": mask.nonzero()[1].astype(np.int32),
            "values": rng.standard_normal(starts[-1]),
            "b": rng.standard_normal((inner, columns))}


def reference_csr_matmul(_, starts, columns, values, b):
    whole = np.zeros((len(starts) - 1, len(b)))
    whole[np.repeat(np.arange(len(whole)), np.diff(starts)), columns] = values
    return (whole @ b,)


CASES["csr_matmul"] = Case(
    make_csr_matmul, lambda program, **a: (program.csr_matmul(**a),),
    reference_csr_matmul, types=(*HALVES, "float64"),
    small=({"rows": 23, "inner": 41, "columns": 77, "share": 0.2},),
    large=({"rows": 3001, "inner": 1999, "columns": 257, "share": 0.02},))


def make_edit_distance(rng, pairs, a_length, b_length):
    """Makes pairs of texts that consist of four different characters. In pair 0 `a` is
    empty, in pair 1 both texts are."""
    arrays = {}
    for name, length in (("a", a_length), ("b", b_length)):
        arrays[name] = rng.integers(0, 4, (pairs, length)).astype(np.uint8)
        lengths = rng.integers(0, length + 1, pairs)
        arrays[f"{name}_lengths"] = np.r_[0, 0, length, lengths[3:]].astype(np.int32)
    arrays["b_lengths"][0] = b_length
    return arrays


def reference_edit_distance(_, a, a_lengths, b, b_lengths):
    return (np.array([measure_distance(x[:m], y[:n]) for x, m, y, n in
                      zip(a, a_lengths, b, b_lengths)]),)


def measure_distance(x, y):
    """Computes the edit distance of two texts, by rows of a table. A row is first
    computed without insertions; then each insertion adds one to the least value before
    it."""
    positions = np.arange(len(y) + 1)
    row = positions
    for count, character in enumerate(x, 1):
        replaced = np.minimum(row[1:] + 1, row[:-1] + (y != character))
        row = np.minimum.accumulate(np.r_[count, replaced] - positions) + positions
    return row[-1]


CASES["edit_distance"] = Case(
    make_edit_distance, lambda program, **a: (program.edit_distance(**a),),
    reference_edit_distance, types=("float32",),
    small=({"pairs": 7, "a_length": 21, "b_length": 17},
           {"pairs": 3, "a_length": 64, "b_length": 75}),
    large=({"pairs": 300, "a_length": 500, "b_length": 611},))
