# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.suites.liger.cutile, the modules from
modulated_rms_norm on."""

import numpy as np

from calls import call

# Where rows have several blocks, BLOCK is smaller than TileGym's (1024 to 8192), so that
# short rows have several too.

NONE, LLAMA, GEMMA = -1, 0, 1  # casting modes


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def get_rstd(x, power=1):
    return 1 / np.sqrt((x.astype(np.float64) ** (2 * power)).mean(-1) + 1e-6)


def sort_down(x):
    return np.ascontiguousarray(-np.sort(-x.astype(np.float32), axis=-1))


def get_sparsemax(x):
    z = sort_down(x).astype(np.float64)
    over = z.cumsum(-1) - 1
    count = (z > over / np.arange(1, z.shape[-1] + 1)).sum(-1, keepdims=True)
    return np.maximum(x - np.take_along_axis(over, count - 1, -1) / count, 0)


# ----------------------------------------------------------------------------
# modulated_rms_norm
# ----------------------------------------------------------------------------


def modulated_forward(draw, dtype, mode, scale_rows=5, n_cols=300, block=512, affine=True,
                      shift=True, **accuracy):
    scale = draw.normal(dtype, scale_rows, n_cols, scale=0.5)
    return call(
        15, Y=draw.blank(dtype, 15, n_cols), X=draw.normal(dtype, 15, n_cols),
        W=draw.normal(dtype, n_cols if affine else 1), Scale=scale,
        Shift=draw.normal(dtype, scale_rows, n_cols) if shift else scale.copy(),
        RSTD=draw.blank(dtype if mode == NONE else "f32", 15), n_cols=n_cols, eps=1e-6,
        offset=0.25 if affine else 0.0, BLOCK_SIZE=block, casting_mode=mode,
        elementwise_affine=affine, has_shift=shift, rows_per_modulation=15 // scale_rows,
        aligned=block == n_cols, **accuracy)


def modulated_backward(draw, dtype, mode, scale_rows, affine, shift=True, n_cols=300):
    # The last of 4 programs has 3 rows and one after the end.
    x = draw.normal(dtype, 15, n_cols)
    make = draw.blank if scale_rows == 15 else draw.zeros  # zeros for atomic additions
    weighted = dict(W=draw.normal(dtype, n_cols), offset=0.25,
                    dW_partial=draw.blank("f32", 4, n_cols)) if affine else {}
    return call(
        4, dY=draw.normal(dtype, 15, n_cols), dX=draw.blank(dtype, 15, n_cols), X=x,
        Scale=draw.normal(dtype, scale_rows, n_cols, scale=0.5),
        RSTD=draw.of("f32", get_rstd(x)), dScale=make("f32", scale_rows, n_cols),
        dShift=make("f32", scale_rows, n_cols), n_cols=n_cols, rows_per_program=4,
        BLOCK_SIZE=512, casting_mode=mode, has_shift=shift,
        rows_per_modulation=15 // scale_rows, single_mod=scale_rows == 1, **weighted)


# ----------------------------------------------------------------------------
# multi_token_attention
# ----------------------------------------------------------------------------


def mask_zero(draw, source, dtype):
    return call(37, 2, **{source: draw.normal(dtype, 74, 37)},
                output_2d=draw.blank(dtype, 74, 37), L=37, BLOCK=16)


def softmax_mask_backward(draw):
    scores = draw.normal("f32", 2, 37, 37)
    scores[:, np.triu(np.ones((37, 37), bool), 1)] = -1e9
    return call(37, 2, probs_2d=draw.of("f32", softmax(scores).reshape(74, 37)),
                grad_probs_2d=draw.normal("f32", 74, 37),
                output_2d=draw.blank("f32", 74, 37), L=37, BLOCK=16)


# ----------------------------------------------------------------------------
# poly_norm
# ----------------------------------------------------------------------------


def poly_norm_forward(draw, dtype, block):
    return call(
        5, x_input=draw.normal(dtype, 5, 300), y_output=draw.blank(dtype, 5, 300),
        weights=draw.normal(dtype, 3), bias=draw.normal(dtype, 1),
        rstd3=draw.blank("f32", 5), rstd2=draw.blank("f32", 5), rstd1=draw.blank("f32", 5),
        N_COLS=300, eps=1e-6, BLOCK_SIZE=block, ALIGNED=False)


def poly_norm_backward(draw, dtype, n_cols):
    x = draw.normal(dtype, 5, n_cols)
    rstds = {f"rstd{power}": draw.of("f32", get_rstd(x, power)) for power in (1, 2, 3)}
    return call(
        5, dy=draw.normal(dtype, 5, n_cols), dx=draw.blank(dtype, 5, n_cols), x_input=x,
        weights=draw.normal(dtype, 3), dwdb_output=draw.zeros("f32", 4), N_COLS=n_cols,
        BLOCK_SIZE=128, ALIGNED=n_cols % 128 == 0, **rstds)


# ----------------------------------------------------------------------------
# qwen2vl_mrope, rope
# ----------------------------------------------------------------------------


def draw_rotation(draw, dtype, cos, sin, *shape):
    angles = draw.normal("f32", *shape, scale=2)
    return {cos: draw.of(dtype, np.cos(angles)), sin: draw.of(dtype, np.sin(angles))}


def mrope_flat(draw):
    return call(
        2, 7, query=draw.normal("bf16", 2 * 7 * 5 * 40),
        key=draw.normal("bf16", 2 * 7 * 3 * 40),
        **draw_rotation(draw, "f32", "cos", "sin", 3 * 2 * 7 * 40), sl=7, BS_SL=14, N_QH=5,
        N_KH=3, MROPE_SECTION_T=5, MROPE_SECTION_H=7, BACKWARD=True, HEAD_DIM=40,
        HEAD_DIM_HALF=20, TILE_HD=32, TILE_QH=8, TILE_KH=4, HD_POW2=False)


# ----------------------------------------------------------------------------
# rms_norm
# ----------------------------------------------------------------------------


def rms_norm_forward(draw, dtype, mode):
    return call(
        7, Y=draw.blank(dtype, 7, 300), X=draw.normal(dtype, 7, 300),
        W=draw.normal(dtype, 300), RSTD=draw.blank("f32", 7), n_cols=300, eps=1e-6,
        offset=0.25, BLOCK_SIZE=512, casting_mode=mode, elementwise_affine=True)


def rms_norm_backward(draw, dtype, mode, affine):
    # The last of 3 programs has one row and two after the end.
    x = draw.normal(dtype, 7, 300)
    weighted = dict(W=draw.normal(dtype, 300), offset=0.25,
                    dW_partial=draw.blank("f32", 3, 300)) if affine else {}
    return call(
        3, dY=draw.normal(dtype, 7, 300), dX=draw.blank(dtype, 7, 300), X=x,
        RSTD=draw.of("f32", get_rstd(x)), n_cols=300, rows_per_program=3, BLOCK_SIZE=512,
        casting_mode=mode, **weighted)


# ----------------------------------------------------------------------------
# relu_squared, softmax, sparsemax, swiglu
# ----------------------------------------------------------------------------


def softmax_backward(draw, n_cols, block):
    return call(
        5, DX=draw.blank("f16", 5, n_cols), DY=draw.normal("f16", 5, n_cols),
        Y=draw.of("f16", softmax(draw.normal("f32", 5, n_cols))), n_cols=n_cols,
        BLOCK_SIZE=block, ALIGNED=n_cols % block == 0)


def sparsemax_forward(draw):
    x = draw.normal("f16", 5, 300, scale=0.25)
    return call(5, y_output=draw.blank("f16", 5, 300), x_input=x, x_sorted=sort_down(x),
                N_COLS=300, BLOCK_SIZE=512)


def sparsemax_backward(draw):
    x = draw.normal("f16", 5, 300, scale=0.25)
    return call(5, grad_input=draw.blank("f16", 5, 300),
                output=draw.of("f16", get_sparsemax(x)),
                grad_output=draw.normal("f16", 5, 300), N_COLS=300, BLOCK_SIZE=128)


def elementwise(draw, dtype, n_cols, *inputs, output=None, **constants):
    arrays = {name: draw.normal(dtype, 5, n_cols) for name in inputs}
    if output:
        arrays[output] = draw.blank(dtype, 5, n_cols)
    return call(5, **arrays, n_cols=n_cols, BLOCK_SIZE=128, **constants)


# ----------------------------------------------------------------------------
# tvd
# ----------------------------------------------------------------------------


def tv_distance(draw, dtype, n_cols, reduction):
    # TileGym starts a program for each row, but the kernel has a loop over rows.
    labels = draw.integers("i64", 7, high=n_cols)
    labels[[1, 4]] = -100
    scale = {"none": 1.0, "mean": 1 / (5 * n_cols), "batchmean": 1 / 5}[reduction]
    p, q = (draw.of(dtype, softmax(draw.normal("f32", 7, n_cols))) for _ in "pq")
    return call(
        3, P=p, Q=q, LOSS=draw.blank("f32", 7, *[n_cols] * (reduction == "none")),
        GRADS=draw.blank(dtype, 7, n_cols), LABEL=labels, scale=scale, n_rows=7,
        n_cols=n_cols, ignore_index=-100, BLOCK_SIZE=128, HAS_LABEL=1,
        reduction={"none": 0, "mean": 2, "batchmean": 3}[reduction])


CALLS = {
    # Sums in f16 in the mode NONE.
    "modulated_rms_norm:_modulated_rms_norm_fwd_ct": lambda draw: modulated_forward(
        draw, "f16", NONE, epsilons=8),
    "modulated_rms_norm:_modulated_rms_norm_fwd_ct_occ4": lambda draw: modulated_forward(
        draw, "f16", LLAMA, scale_rows=15, n_cols=256, block=256),
    "modulated_rms_norm:_modulated_rms_norm_fwd_ct_occ3": lambda draw: modulated_forward(
        draw, "bf16", GEMMA, scale_rows=1, affine=False, shift=False),
    "modulated_rms_norm:_modulated_rms_norm_bwd_large_ct": lambda draw: modulated_backward(
        draw, "f16", LLAMA, scale_rows=5, affine=False),
    "modulated_rms_norm:_modulated_rms_norm_bwd_w_large_ct":
        lambda draw: modulated_backward(draw, "f16", LLAMA, scale_rows=15, affine=True),
    "modulated_rms_norm:_modulated_rms_norm_bwd_large_ct_nww8":
        lambda draw: modulated_backward(draw, "f32", GEMMA, scale_rows=1, affine=False),
    "modulated_rms_norm:_modulated_rms_norm_bwd_w_large_ct_nww8":
        lambda draw: modulated_backward(draw, "bf16", GEMMA, scale_rows=5, affine=True),

    # The masked scores are -1e9, so that only an exact comparison sees the others.
    "multi_token_attention:_mask_inf_fwd_kernel": lambda draw: call(
        37, 2, scores_2d=draw.normal("f32", 74, 37), output_2d=draw.blank("f32", 74, 37),
        L=37, BLOCK=16, epsilons=0),
    "multi_token_attention:_mask_zero_fwd_kernel": lambda draw: mask_zero(
        draw, "scores_2d", "bf16"),
    "multi_token_attention:_mask_bwd_kernel": lambda draw: mask_zero(
        draw, "grad_2d", "f32"),
    "multi_token_attention:_fused_softmax_zeromask_bwd_kernel": softmax_mask_backward,

    "poly_norm:_poly_norm_fwd_kernel": lambda draw: poly_norm_forward(draw, "f16", 128),
    "poly_norm:_poly_norm_fwd_kernel_sc_large": lambda draw: poly_norm_forward(
        draw, "bf16", 512),
    "poly_norm:_poly_norm_bwd_kernel": lambda draw: poly_norm_backward(draw, "f16", 300),
    "poly_norm:_poly_norm_bwd_kernel_large": lambda draw: poly_norm_backward(
        draw, "bf16", 384),

    "qwen2vl_mrope:_qwen2vl_mrope_4d_ct": lambda draw: call(
        10, Q=draw.normal("f16", 2, 4, 5, 32), K=draw.normal("f16", 2, 2, 5, 32),
        **draw_rotation(draw, "f32", "COS", "SIN", 3, 2, 5, 32), seq_len=5,
        MROPE_SECTION_T=3, MROPE_SECTION_H=5, sin_sign=1.0, TILE_QH=4, TILE_KH=2,
        TILE_HD=16),
    "qwen2vl_mrope:_qwen2vl_mrope_kernel": mrope_flat,

    "relu_squared:_relu_squared_fwd_ct_aligned": lambda draw: elementwise(
        draw, "f16", 384, "X", output="Y"),
    "relu_squared:_relu_squared_fwd_ct": lambda draw: elementwise(
        draw, "f16", 300, "X", output="Y"),
    "relu_squared:_relu_squared_bwd_ct_aligned": lambda draw: elementwise(
        draw, "f16", 384, "DY", "X", output="DX"),
    "relu_squared:_relu_squared_bwd_ct": lambda draw: elementwise(
        draw, "bf16", 300, "DY", "X", output="DX"),

    "rms_norm:_rms_norm_fwd_ct": lambda draw: rms_norm_forward(draw, "f16", LLAMA),
    "rms_norm:_rms_norm_fwd_large_ct": lambda draw: rms_norm_forward(draw, "bf16", GEMMA),
    "rms_norm:_rms_norm_bwd_large_ct": lambda draw: rms_norm_backward(
        draw, "f16", LLAMA, affine=False),
    "rms_norm:_rms_norm_bwd_w_large_ct": lambda draw: rms_norm_backward(
        draw, "f16", LLAMA, affine=True),
    "rms_norm:_rms_norm_bwd_large_ct_nww8": lambda draw: rms_norm_backward(
        draw, "f32", GEMMA, affine=False),
    "rms_norm:_rms_norm_bwd_w_large_ct_nww8": lambda draw: rms_norm_backward(
        draw, "f16", GEMMA, affine=True),

    "rope:_rope_4d_ct": lambda draw: call(
        10, Q=draw.normal("f16", 2, 4, 5, 32), K=draw.normal("f16", 2, 2, 5, 32),
        **draw_rotation(draw, "f32", "COS", "SIN", 1, 5, 32), cos_bs=1, seq_len=5,
        sin_sign=1.0, TILE_QH=4, TILE_KH=2, TILE_HD=16),
    "rope:_rope_5d_ct": lambda draw: call(
        14, Q=draw.normal("f16", 2, 7, 5, 2, 20), K=draw.normal("f16", 2, 7, 3, 2, 20),
        **draw_rotation(draw, "f16", "COS", "SIN", 2, 7, 1, 20), cos_bs=2, seq_len=7,
        sin_sign=-1.0, TILE_QH=8, TILE_KH=4, TILE_HD=32),

    "softmax:_softmax_single_tma": lambda draw: call(
        5, Y=draw.blank("f32", 5, 300), X=draw.normal("f32", 5, 300), n_cols=300,
        BLOCK_SIZE=512),
    "softmax:_softmax_single_gather": lambda draw: call(
        5, Y=draw.blank("f16", 5, 300), X=draw.normal("f16", 5, 300), n_cols=300,
        BLOCK_SIZE=512, ALIGNED=False),
    "softmax:_softmax_fwd_ct": lambda draw: elementwise(draw, "f16", 300, "X", output="Y"),
    "softmax:_softmax_bwd_ct": lambda draw: softmax_backward(draw, 384, 128),
    "softmax:_softmax_bwd_fused": lambda draw: softmax_backward(draw, 300, 512),

    "sparsemax:_sparsemax_fwd_kernel": sparsemax_forward,
    "sparsemax:_sparsemax_bwd_kernel": sparsemax_backward,

    "swiglu:_swiglu_fwd_ct_aligned": lambda draw: elementwise(
        draw, "f16", 384, "A", "B", output="C", gate_multiplier=1.5),
    "swiglu:_swiglu_fwd_ct": lambda draw: elementwise(
        draw, "bf16", 300, "A", "B", output="C", gate_multiplier=0.75),
    "swiglu:_swiglu_bwd_ct_aligned": lambda draw: elementwise(
        draw, "f16", 384, "DC", "A", "B", gate_multiplier=1.5),
    "swiglu:_swiglu_bwd_ct": lambda draw: elementwise(
        draw, "f16", 300, "DC", "A", "B", gate_multiplier=0.75),

    "tvd:_tv_distance_kernel_ct_aligned": lambda draw: tv_distance(
        draw, "f16", 384, "batchmean"),
    "tvd:_tv_distance_kernel_ct": lambda draw: tv_distance(draw, "f32", 300, "none"),
    "tvd:_tv_distance_kernel_ct_gather": lambda draw: tv_distance(
        draw, "bf16", 299, "mean"),
}
CALLS = {f"suites.liger.cutile.{name}": make for name, make in CALLS.items()}
