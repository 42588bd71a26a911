# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.suites.unsloth.cutile."""

import numpy as np

from calls import call

# For calls with FP8 inputs, whose results are rounded to another type: four units of that
# type, in units of f8e4m3.
FOUR_OF_F16 = 4 * 2.0**-10 / 2.0**-3
FOUR_OF_BF16 = 4 * 2.0**-7 / 2.0**-3


# ----------------------------------------------------------------------------
# Cross entropy
# ----------------------------------------------------------------------------


def draw_labels(draw, rows, classes):
    """Labels, and -100 for a row without one."""
    labels = draw.integers("i64", rows, high=classes)
    labels[rows // 2] = -100
    return labels


def cap(logits, scale, limit):
    """Logits as the kernels scale and cap them."""
    return limit * np.tanh(logits.astype(np.float64) * scale / limit)


def log_sum_exp(logits):
    return np.log(np.exp(logits).sum(-1))


def cross_entropy_forward(draw):
    return call(
        5, logits=draw.normal("f16", 5, 300, scale=3), loss=draw.blank("f32", 5),
        logsumexp_out=draw.blank("f32", 5), labels=draw_labels(draw, 5, 300),
        VOCAB_SIZE=300, BLOCK_SIZE=512, DO_SOFTCAPPING=1, SOFTCAP=30.0,
        DO_LOGIT_SCALING=1, LOGIT_SCALE=1.25)


def chunked_cross_entropy_forward(draw):
    return call(
        5, 4, logits=draw.normal("bf16", 5, 1001, scale=3), loss=draw.blank("f32", 5),
        logsumexp_out=draw.blank("f32", 5, 4), labels=draw_labels(draw, 5, 1001),
        VOCAB_SIZE=1001, N_CHUNKS=4, BLOCK_SIZE=256, DO_SOFTCAPPING=1, SOFTCAP=30.0,
        DO_LOGIT_SCALING=0, LOGIT_SCALE=0.0)


def cross_entropy_backward(draw):
    # Logits that spread, so that some of the probabilities are not small.
    logits = draw.normal("f16", 5, 701, scale=4)
    return call(
        5, 3, logits=logits, grad_logits=draw.blank("f16", 5, 701),
        dloss=draw.normal("f32", 5),
        logsumexp_in=draw.of("f32", log_sum_exp(cap(logits, 0.75, 30.0))),
        labels=draw_labels(draw, 5, 701), VOCAB_SIZE=701, BLOCK_SIZE=256,
        DO_SOFTCAPPING=1, SOFTCAP=30.0, DO_LOGIT_SCALING=1, LOGIT_SCALE=0.75)


# ----------------------------------------------------------------------------
# FP8
# ----------------------------------------------------------------------------


def quantize_activations(draw):
    # One rounding, of at most half a unit, to f8e4m3.
    return call(15, epsilons=0.5, x=draw.normal("f16", 15 * 128, scale=3),
                y=draw.blank("f8e4m3", 15 * 128), s=draw.blank("f32", 15), BLOCK_SIZE=128)


def multiply_fp8(draw):
    # Four rows of tiles in groups of three; two tiles in a group of the scales.
    return call(
        4 * 3, epsilons=FOUR_OF_F16, A=draw.normal("f8e4m3", 53, 150),
        B=draw.normal("f8e4m3", 45, 150), C=draw.blank("f32", 53, 45),
        As=draw.uniform("f32", 53, 3, low=0.5, high=2),
        Bs=draw.uniform("f32", 2, 3, low=0.5, high=2), M=53, N=45, K=150, group_n=32,
        group_k=64, BLOCK_SIZE_M=16, BLOCK_SIZE_N=16, BLOCK_SIZE_K=32, GROUP_SIZE_M=3,
        OUTPUT_DTYPE=0)


def multiply_fp8_tma(draw):
    # The kernel reads beyond a K that BLOCK_SIZE_K does not divide.
    return call(
        3 * 3, epsilons=FOUR_OF_F16, A=draw.normal("f8e4m3", 75, 96),
        B=draw.normal("f8e4m3", 77, 96), C=draw.blank("f16", 75, 77),
        As=draw.uniform("f32", 75, 3, low=0.5, high=2),
        Bs=draw.uniform("f32", 3, 3, low=0.5, high=2), M=75, N=77, K=96, group_n=32,
        group_k=32, BLOCK_SIZE_M=32, BLOCK_SIZE_N=32, BLOCK_SIZE_K=32, GROUP_SIZE_M=8,
        OUTPUT_DTYPE=1, swap_ab=0)


# ----------------------------------------------------------------------------
# Gated activations
# ----------------------------------------------------------------------------


def gate_forward(draw):
    n = 3 * 7 * 111
    return call(3, e=draw.normal("f16", n), g=draw.normal("f16", n),
                h=draw.blank("f16", n), n_elements=n, BLOCK_SIZE=1024, LONG_INDEXING=0)


def gate_backward(draw, long_indexing=0):
    n = 3 * 7 * 111
    return call(3, DW=draw.normal("f16", n), e=draw.normal("f16", n),
                g=draw.normal("f16", n), n_elements=n, BLOCK_SIZE=1024,
                LONG_INDEXING=long_indexing)


# ----------------------------------------------------------------------------
# Grouped matmuls
# ----------------------------------------------------------------------------

# Tokens of each expert, three experts for each of 13 tokens.
SIZES = [11, 0, 21, 7]
TOKENS = sum(SIZES)


def experts(draw):
    return {
        "m_sizes": draw.of("i32", SIZES),
        "gather_indices": draw.of("i32", draw.random.permutation(TOKENS)),
        "TOTAL_TOKENS": TOKENS, "NUM_EXPERTS": len(SIZES), "BLOCK_M": 16, "BLOCK_N": 16,
        "BLOCK_K": 16}


def grouped_forward(draw):
    return call(
        3, X=draw.normal("f16", TOKENS // 3, 45),
        W_flat=draw.normal("f16", len(SIZES) * 37, 45), Y=draw.blank("f16", TOKENS, 37),
        N=37, K=45, NUM_SMS=3, PERMUTE_X=1, PERMUTE_Y=0, TOPK=3, **experts(draw))


def grouped_backward_x(draw):
    return call(
        3, dY=draw.normal("f16", TOKENS, 37),
        W_flat=draw.normal("f16", len(SIZES) * 37, 45), dX=draw.blank("f16", TOKENS, 45),
        N=37, K=45, NUM_SMS=3, PERMUTE_X=0, PERMUTE_Y=1, **experts(draw))


def grouped_backward_w(draw):
    # Where BLOCK_N does not divide N, programs write to the same elements.
    return call(
        3 * 3, X=draw.normal("f16", TOKENS // 3, 45), dY=draw.normal("f16", TOKENS, 48),
        dW=draw.blank("f16", len(SIZES) * 48, 45), N=48, K=45, PERMUTE_X=1, PERMUTE_Y=0,
        TOPK=3, **experts(draw))


# ----------------------------------------------------------------------------
# Norms
# ----------------------------------------------------------------------------


def layernorm_backward(draw):
    x = draw.normal("f16", 5, 300, scale=2, shift=1)
    wide = x.astype(np.float64)
    return call(
        5, dX=draw.blank("f16", 5, 300), dY=draw.normal("f16", 5, 300), X=x,
        W=draw.normal("f16", 300), r=draw.of("f32", (wide.var(-1) + 1e-6) ** -0.5),
        mu=draw.of("f32", wide.mean(-1)), n_cols=300, TILE_N=512)


def rms_layernorm_backward(draw):
    x = draw.normal("f16", 5, 300, scale=2)
    squares = (x.astype(np.float64) ** 2).mean(-1)
    return call(
        5, dX=draw.blank("f16", 5, 300), dY=draw.normal("f16", 5, 300), X=x,
        W=draw.normal("f16", 300), r=draw.of("f32", (squares + 1e-6) ** -0.5), n_cols=300,
        OFFSET=1.0, TILE_N=512)


# ----------------------------------------------------------------------------
# Rotations
# ----------------------------------------------------------------------------


def rotations(draw, dtype, positions, size):
    """Cosines and sines of all positions, the halves of a row alike."""
    frequencies = 10000.0 ** -(np.arange(size // 2) / (size // 2))
    angles = np.tile(np.outer(np.arange(positions), frequencies), 2).ravel()
    return {"cos": draw.of(dtype, np.cos(angles)), "sin": draw.of(dtype, np.sin(angles))}


def rope_qk(draw):
    batch, tokens, heads_q, heads_k, size = 2, 5, 3, 2, 74
    return call(
        batch * tokens, heads_q, Q_in=draw.normal("f16", batch * heads_q * tokens * size),
        Q_out=draw.blank("f16", batch * heads_q * tokens * size),
        K_in=draw.normal("f16", batch * heads_k * tokens * size),
        K_out=draw.blank("f16", batch * heads_k * tokens * size),
        rope_embedding_indices=draw.integers("i32", batch * tokens, high=11),
        seqlen=tokens, head_dim=size, n_heads_Q=heads_q, n_heads_K=heads_k,
        cos_row_stride=size, BACKWARD_PASS=0, HAS_ROPE_INDICES=1, TILE_HD=64,
        NO_PADDING=0, **rotations(draw, "f16", 11, size))


def rope(draw):
    batch, tokens, heads, size = 2, 5, 3, 74
    return call(
        batch * tokens, heads, Q_in=draw.normal("bf16", batch * tokens * heads * size),
        Q_out=draw.blank("bf16", batch * tokens * heads * size), seqlen=tokens,
        n_heads=heads, head_dim=size, cos_row_stride=size, BACKWARD_PASS=1, TILE_HD=64,
        NO_PADDING=0, **rotations(draw, "f32", 7, size))


UNSLOTH = "suites.unsloth.cutile."
CALLS = {
    UNSLOTH + "cross_entropy_loss:_cross_entropy_forward_ct": cross_entropy_forward,
    UNSLOTH + "cross_entropy_loss:_chunked_cross_entropy_forward_ct":
        chunked_cross_entropy_forward,
    UNSLOTH + "cross_entropy_loss:_cross_entropy_backward_ct": cross_entropy_backward,
    UNSLOTH + "fp8:weight_dequant_kernel_ct": lambda draw: call(
        2, 3, epsilons=FOUR_OF_BF16, x=draw.normal("f8e4m3", 45, 75, scale=50),
        s=draw.uniform("f32", 2, 3, low=0.01, high=0.1), y=draw.blank("bf16", 45, 75),
        M=45, N=75, BLOCK_SIZE=32),
    UNSLOTH + "fp8:act_quant_kernel_ct": quantize_activations,
    UNSLOTH + "fp8:w8a8_block_fp8_matmul_kernel_ct": multiply_fp8,
    UNSLOTH + "fp8:w8a8_block_fp8_matmul_kernel_ct_tma": multiply_fp8_tma,
    UNSLOTH + "geglu:_exact_forward_ct": gate_forward,
    UNSLOTH + "geglu:_exact_backward_ct": gate_backward,
    UNSLOTH + "geglu:_approx_forward_ct": gate_forward,
    UNSLOTH + "geglu:_approx_backward_ct": lambda draw: gate_backward(draw, 1),
    UNSLOTH + "grouped_gemm:_grouped_gemm_fwd_kernel_ct": grouped_forward,
    UNSLOTH + "grouped_gemm:_grouped_gemm_dX_kernel_ct": grouped_backward_x,
    UNSLOTH + "grouped_gemm:_grouped_gemm_dW_kernel_ct": grouped_backward_w,
    UNSLOTH + "layernorm:_layernorm_forward_ct_1d": lambda draw: call(
        5, Y=draw.blank("f16", 5, 300), X=draw.normal("f16", 5, 300, scale=2, shift=1),
        W=draw.normal("f16", 300), b=draw.normal("f16", 300), r=draw.blank("f32", 5),
        mu=draw.blank("f32", 5), n_cols=300, eps=1e-6, TILE_N=512),
    UNSLOTH + "layernorm:_layernorm_backward_ct_1d": layernorm_backward,
    UNSLOTH + "rms_layernorm:_rms_layernorm_forward_ct_1d": lambda draw: call(
        5, Y=draw.blank("f16", 5, 300), X=draw.normal("f16", 5, 300, scale=2),
        W=draw.normal("f16", 300), r=draw.blank("f32", 5), n_cols=300, eps=1e-6,
        OFFSET=0.0, TILE_N=512),
    UNSLOTH + "rms_layernorm:_rms_layernorm_backward_ct_1d": rms_layernorm_backward,
    UNSLOTH + "rope_embedding:_rope_embedding_QK_ct": rope_qk,
    UNSLOTH + "rope_embedding:_rope_embedding_ct": rope,
    UNSLOTH + "swiglu:_fg_kernel_ct": gate_forward,
    UNSLOTH + "swiglu:_DWf_DW_dfg_kernel_ct": gate_backward,
}
