# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.ops, those from attention to layer norm."""

import numpy as np
from calls import call

# ----------------------------------------------------------------------------
# Attention
# ----------------------------------------------------------------------------

# Where a kernel loads keys or values beyond their end without padding, their count is
# a multiple of the tile's.


def draw_heads(draw, dtype, queries, keys, width, batch=2, heads=4, kv_heads=2):
    """Returns Q, K and V, batch first, then the head."""
    return dict(Q=draw.normal(dtype, batch, heads, queries, width),
                K=draw.normal(dtype, batch, kv_heads, keys, width),
                V=draw.normal(dtype, batch, kv_heads, keys, width))


def attend(Q, K, V, scale):
    """Returns the result of causal attention, and the log2 of the sum of exponentials."""
    group = Q.shape[1] // K.shape[1]
    Q, K, V = (x.astype(np.float64) for x in (Q, K, V))
    K, V = np.repeat(K, group, 1), np.repeat(V, group, 1)
    scores = Q @ K.swapaxes(2, 3) * (scale / np.log(2))
    scores[..., np.triu(np.ones(scores.shape[2:], bool), 1)] = -np.inf
    logarithm = np.log2(np.exp2(scores).sum(-1))
    return np.exp2(scores - logarithm[..., None]) @ V, logarithm


def forward(draw, dtype="f16", queries=37, keys=48):
    heads = draw_heads(draw, dtype, queries, keys, 32)
    return call(
        -(-queries // 16), 8, **heads, Out=draw.blank(dtype, *heads["Q"].shape),
        qk_scale=32 ** -0.5, input_pos=keys - queries, TILE_D=32, H=4, TILE_M=16, TILE_N=16,
        QUERY_GROUP_SIZE=2, CAUSAL=True, EVEN_K=False)


def forward_with_lse(draw):
    # Rows beyond the end of Q would give an undefined LSE.
    made = forward(draw, queries=48, keys=48)
    made.arguments.update(B=2, SEQ_LEN=48, LSE=draw.blank("f32", 2 * 4 * 48))
    return made


def backward(draw, grid, outputs, **constants):
    """The gradients of an attention over 37 positions, which LSE and Delta pad to 48."""
    heads = draw_heads(draw, "f16", 37, 37, 21)
    scale = 21 ** -0.5
    result, logarithm = attend(**heads, scale=scale)
    gradient = draw.normal("f16", *result.shape)
    sums = (result * gradient).sum(-1)
    pad = [(0, 0), (0, 0), (0, 11)]
    return call(
        *grid, **heads, dO=gradient,
        **{name: draw.blank("f16", *heads[name[1:]].shape) for name in outputs},
        LSE=draw.of("f32", np.pad(logarithm, pad, constant_values=np.inf).ravel()),
        Delta=draw.of("f32", np.pad(sums, pad).ravel()), qk_scale=scale, TILE_D=32,
        SEQ_LEN=48, QUERY_GROUP_SIZE=2, CAUSAL=True, **constants)


def sink(draw):
    heads = draw_heads(draw, "bf16", 37, 48, 32)
    return call(
        3, 8, **heads, Sinks=draw.normal("bf16", 4), Out=draw.blank("bf16", 2, 4, 37, 32),
        Start_q=draw.of("i32", [11]), qk_scale=0.125, TILE_D=32, H=4, N_KV_CTX=48,
        TILE_M=16, TILE_N=16, QUERY_GROUP_SIZE=2, BANDWIDTH=19)


def variant(draw, layout, keys, width, out_width, bias, **options):
    """Attention in which each batch has lengths of its own."""
    made = {"Q": (2, 4, 37, width), "K": (2, 2, keys, width), "V": (2, 2, keys, out_width),
            "Out": (2, 4, 37, out_width)}
    made = {name: [shape["bnsd".index(c)] for c in layout] for name, shape in made.items()}
    arrays = {name: draw.normal("f16", *shape) for name, shape in made.items()}
    arrays["Out"] = draw.blank("f16", *made["Out"])
    return call(
        3, 8, **arrays, Bias=bias, Q_lens=draw.of("i32", [37, 21]), qk_scale=width ** -0.5,
        S_qo=37, S_kv=keys, TILE_D=width, OUT_TILE_D=32, H=4, TILE_M=16, TILE_N=16,
        QUERY_GROUP_SIZE=2, EVEN_M=False, EVEN_N=True, USE_Q_LENS=True, USE_KV_LENS=True,
        **options)


def variant_bnsd(draw):
    return variant(
        draw, "bnsd", 48, 32, 21, draw.normal("f16", 2, 4, 37, 48),
        KV_lens=draw.of("i32", [48, 33]), CAUSAL=True, WINDOW_SIZE=13, BIAS_TYPE=2,
        USE_RANDOM_MASK=True,
        Random_mask=draw.of("i8", draw.random.random((2, 4, 37, 48)) < 0.25))


def variant_nsbd(draw):
    # The kernel takes places of K for its columns, so that the lengths of the keys must
    # not exceed the width, nor the width the number of keys.
    return variant(
        draw, "nsbd", 80, 64, 21, draw.uniform("f16", 4), KV_lens=draw.of("i32", [61, 45]),
        CAUSAL=False, WINDOW_SIZE=0, BIAS_TYPE=3, USE_RANDOM_MASK=False,
        Random_mask=draw.zeros("i8", 0))


def varlen(draw):
    heads = draw_heads(draw, "f16", 37, 48, 32)
    return call(
        3, 8, **heads, Q_lens=draw.of("i32", [37, 21]), KV_lens=draw.of("i32", [48, 33]),
        Out=draw.blank("f16", 2, 4, 37, 32), qk_scale=32 ** -0.5, TILE_D=32, H=4, S_QO=37,
        S_KV=48, TILE_M=16, TILE_N=16, QUERY_GROUP_SIZE=2, CAUSAL=True, Q_LEN_MASK=True,
        KV_LEN_MASK=True)


def gemma(draw):
    heads = draw_heads(draw, "bf16", 85, 96, 32, batch=1)
    return call(
        3, 4, **heads, Out=draw.blank("bf16", 1, 4, 85, 32), sm_scale=32 ** -0.5, B=1, H=4,
        S_QO=85, S_KV=96, BLOCK_D=32, BLOCK_M=32, BLOCK_N=16, QUERY_GROUP_SIZE=2, STAGE=3,
        WINDOW_SIZE=21, SOFT_CAP=5.0, HAS_SOFT_CAP=True, EVEN_K=True)


def decode(draw, group, keys, tile, split, width=32):
    """One query for each of `group` heads of a head of K, in splits of 32 keys."""
    splits = -(-keys // 32)
    return dict(
        Q=draw.normal("f16", 2, 2, group, width), K=draw.normal("f16", 2, 2, keys, width),
        V=draw.normal("f16", 2, 2, keys, width), softmax_scale=width ** -0.5,
        Att_Out=draw.blank("f16", 2, 2, group, splits, width),
        LSE_Out=draw.blank("f32", 2, 2, group, splits), KV_LEN_PER_SPLIT=32, HEAD_DIM=32,
        NUM_Q_HEAD_PER_KV=group, NUM_KV_SPLITS=splits, B=2,
        **{tile: 16, split: 8})


def decode_strided(draw, group, tile, split):
    made = decode(draw, group, 77, tile, split)
    return dict(made, H_qo=2 * group, H_kv=2, S_kv=77, stride_mid_ob=2 * group * 3 * 32,
                stride_mid_oh=3 * 32, stride_mid_os=32, stride_mid_lseb=2 * group * 3,
                stride_mid_lsem=3)


# ----------------------------------------------------------------------------
# Others
# ----------------------------------------------------------------------------


def gated_delta_rule(draw):
    # Keys of this size take the fast way of the solver in some chunks, the slow in others.
    return call(
        4, 3, Q=draw.normal("bf16", 2, 37, 2, 21),
        K=draw.normal("bf16", 2, 37, 2, 21, scale=0.23),
        V=draw.normal("bf16", 2, 37, 2, 37), Beta=draw.uniform("bf16", 2, 37, 2),
        G=draw.uniform("f32", 2, 37, 2, low=-0.3, high=0.0), seq_len=37, K_dim=21, V_dim=37,
        Q_out=draw.blank("bf16", 2, 2, 3, 16, 21),
        K_out=draw.blank("bf16", 2, 2, 3, 16, 21),
        V_corr=draw.blank("bf16", 2, 2, 3, 16, 37),
        K_cumdecay=draw.blank("bf16", 2, 2, 3, 16, 21),
        G_cum_out=draw.blank("f32", 2, 2, 3, 16), scale=21 ** -0.5, NUM_HEADS=2,
        USE_QK_L2NORM=False, CHUNK_SIZE=16, BLOCK_K=32, SOLVE_STEPS=4, INTER_BF16=True)


def delta_rule_recurrence(draw):
    decays = draw.uniform("f32", 2, 2, 3, 16, low=-0.3, high=0.0)
    # The results are float32, from TF32 matmuls.
    return call(
        4, 2, epsilons=1, Q_ch=draw.normal("bf16", 2, 2, 3, 16, 21, scale=0.2),
        K_ch=draw.normal("bf16", 2, 2, 3, 16, 21, scale=0.2),
        V_corr=draw.normal("bf16", 2, 2, 3, 16, 37),
        K_cumdecay=draw.normal("bf16", 2, 2, 3, 16, 21, scale=0.2),
        G_cum_in=draw.of("f32", np.cumsum(decays, -1)),
        Output=draw.blank("f32", 2, 2, 3, 16, 37),
        InitState=draw.normal("f32", 2, 2, 21, 37),
        FinalState=draw.blank("f32", 2, 2, 21, 37), num_chunks=3, K_dim=21, V_dim=37,
        NUM_HEADS=2, HAS_INITIAL_STATE=True, OUTPUT_FINAL_STATE=True, CHUNK_SIZE=16,
        BLOCK_K=32, BLOCK_V=32)


def fp8_matmul(draw):
    # An error is measured in units of FP8, but the result is float16.
    return call(
        9, epsilons=4 / 128, A=draw.normal("f8e4m3", 37, 53),
        B=draw.normal("f8e4m3", 45, 53),
        C=draw.blank("f16", 37, 45), As=draw.uniform("f32", 37, 2),
        Bs=draw.uniform("f32", 3, 2), M=37, N=45, K=53, GROUP_N=16, GROUP_K=32,
        STRIDE_AM=53, STRIDE_AK=1, STRIDE_BK=1, STRIDE_BN=53, STRIDE_CM=45, STRIDE_CN=1,
        STRIDE__AS_M=2, STRIDE__AS_K=1, STRIDE__BS_K=1, STRIDE__BS_N=2, BLOCK_SIZE_M=16,
        BLOCK_SIZE_N=16, BLOCK_SIZE_K=32, GROUP_SIZE_M=2, OUTPUT_DTYPE=1, SWAP_AB=1,
        USE_TMA=0)


def layer_norm(draw, *shape, width):
    """Over the axis of 37 of N x 37 x W, whose arrays may be flat."""
    return dict(
        x=draw.normal("f16", *shape, shift=1.0), y=draw.blank("f16", *shape),
        w=draw.normal("f16", 37), b=draw.normal("f16", 37), C=37, W=width, EPS=1e-5,
        WEIGHT_SHIFT=1.0, BLOCK_SIZE_C=16)


CALLS = {
    "ops.cutile.attention:_fmha_fwd_kernel_with_lse": forward_with_lse,
    "ops.cutile.attention:_fmha_bwd_preprocess_kernel": lambda draw: call(
        3, 8, O=draw.normal("f16", 2, 4, 37, 21), dO=draw.normal("f16", 2, 4, 37, 21),
        Delta=draw.blank("f32", 2 * 4 * 48), TILE_M=16, TILE_D=32, H=4, SEQ_LEN=48),
    "ops.cutile.attention:_fmha_bwd_dkdv_kernel": lambda draw: backward(
        draw, (2, 4), ["dK", "dV"], H_Q=4, H_KV=2, TILE_M=16, TILE_N=32),
    "ops.cutile.attention:_fmha_bwd_dq_kernel": lambda draw: backward(
        draw, (3, 8), ["dQ"], H=4, TILE_M=16, TILE_N=16),
    "ops.cutile.attention:_fmha_kernel": forward,
    "ops.cutile.attention_sink:_attention_sink_kernel": sink,
    "ops.cutile.attention_sink_decode:_attention_sink_decode_kernel": lambda draw: call(
        2, 2, 3, **decode_strided(draw, 3, "BLOCK_N", "QUERY_GROUP_BLOCK_SIZE"),
        Sinks=draw.normal("f16", 6), Start_q=draw.of("i64", [70]), BANDWIDTH=45,
        HAS_SINKS=True),
    "ops.cutile.attention_variant:_fmha_variant_kernel_bnsd": variant_bnsd,
    "ops.cutile.attention_variant:_fmha_variant_kernel_nsbd": variant_nsbd,
    "ops.cutile.attention_varlen:_fmha_varlen_kernel": varlen,
    "ops.cutile.bmm:_bmm_kernel": lambda draw: call(
        3, 3, 3, A=draw.normal("f16", 3, 37, 53), B=draw.normal("f16", 3, 53, 45),
        C=draw.blank("f16", 3, 37, 45), TM=16, TN=16, TK=32),
    "ops.cutile.bmm:_static_persistent_bmm_kernel": lambda draw: call(
        5, A=draw.normal("bf16", 3, 53, 37), B=draw.normal("bf16", 3, 45, 53),
        C=draw.blank("bf16", 3, 37, 45), Batch=3, M=37, N=45, K=53, TILE_M=16, TILE_N=16,
        TILE_K=32, GROUP_SIZE_M=2, LATENCY=3, TRANSPOSE_A=True, TRANSPOSE_B=True),
    "ops.cutile.chunk_gated_delta_rule:_intra_chunk_prepare_kernel": gated_delta_rule,
    "ops.cutile.chunk_gated_delta_rule:_chunk_inter_recurrence_kernel":
        delta_rule_recurrence,
    # The seed is the one that TileGym mixes of 11.
    "ops.cutile.dropout:_dropout_kernel": lambda draw: call(
        3, x=draw.normal("f16", 2331), output=draw.blank("f16", 2331), P=0.3,
        SEED=-865977701, TILE_SIZE=1024, TRAINING=True),
    "ops.cutile.flash_decode:_attention_decode_kernel_grouped": lambda draw: call(
        2, 2, 3, **decode_strided(draw, 8, "TILE_N", "QUERY_GROUP_TILE_SIZE")),
    "ops.cutile.fp8_quantization_matmul:_w8a8_block_fp8_matmul_kernel": fp8_matmul,
    "ops.cutile.gemma_attention:_gemma_fmha_kernel": gemma,
    "ops.cutile.gemma_attention_decode:_gemma_attention_decode_kernel_grouped":
        lambda draw: call(
            2, 2, 3, **decode(draw, 5, 96, "BLOCK_N", "QUERY_GROUP_BLOCK_SIZE"), H_QO=10,
            H_KV=2, S_KV=96, WINDOW_SIZE=80, SOFT_CAP=5.0, HAS_SOFT_CAP=True),
    "ops.cutile.layer_norm:_layer_norm_fwd_kernel": lambda draw: call(
        3, 2, **layer_norm(draw, 3, 37, 21, width=21), mean=draw.blank("f32", 3, 21),
        rstd=draw.blank("f32", 3, 21), BLOCK_SIZE_W=16),
    "ops.cutile.layer_norm:_layer_norm_fwd_kernel_gather": lambda draw: call(
        3, 1, **layer_norm(draw, 3 * 37 * 5, width=5), mean=draw.blank("f32", 3 * 5),
        rstd=draw.blank("f32", 3 * 5), BLOCK_SIZE_W=8, STRIDE_N=37 * 5, STRIDE_C=5,
        STRIDE_W=1, N_ELEMENTS=3 * 37 * 5, STAT_N_ELEMENTS=3 * 5),
    "ops.cutile.layer_norm_legacy:_layer_norm_fwd_kernel": lambda draw: call(
        5, X=draw.normal("f16", 5, 300, shift=1.0), Y=draw.blank("f16", 5, 300),
        W=draw.normal("f16", 300), B=draw.normal("f16", 300), Mean=draw.blank("f32", 5),
        Rstd=draw.blank("f32", 5), N=300, EPS=1e-5, WEIGHT_SHIFT=1.0, BLOCK_SIZE=256),
    "ops.cutile.layer_norm_legacy:_persistent_layer_norm_fwd_kernel": lambda draw: call(
        3, X=draw.normal("bf16", 37, 300), Y=draw.blank("bf16", 37, 300),
        W=draw.normal("bf16", 300), B=draw.normal("bf16", 300), Mean=draw.blank("f32", 37),
        Rstd=draw.blank("f32", 37), N=37, D=300, EPS=1e-5, STRIDE_X=300, STRIDE_Y=300,
        IS_SWISH=0, TRAINING=1, BLOCK_N=8, BLOCK_D=512, COMPUTE_MEAN_AND_RSTD=1, NUM_SMS=3),
    "ops.cutile.linear_gluact_linear:_linear_gluact_fwd_kernel": lambda draw: call(
        9, Input=draw.normal("f16", 37, 48),
        Weight_act=draw.normal("f16", 45, 48, scale=0.2),
        Weight_noact=draw.normal("f16", 45, 48, scale=0.2),
        Act_out=draw.blank("f16", 37, 45),
        Noact_out=draw.blank("f16", 37, 45), Mul_out=draw.blank("f16", 37, 45), M=37, N1=45,
        K=48, BLOCK_M=16, BLOCK_N=16, BLOCK_K=16, GROUP_M=2, ACT_TYPE=0),
    "ops.cutile.activation.geglu:_geglu_fwd_kernel": lambda draw: call(
        4, y=draw.blank("f16", 37 * 21), x=draw.normal("f16", 37 * 42), N=21, M_STRIDE=42,
        MY_STRIDE=21, BLOCK_SIZE=256, APPROXIMATE=0),
    # It subtracts a square near 1 from 1 in float32.
    "ops.cutile.activation.geglu:_geglu_bwd_kernel": lambda draw: call(
        4, epsilons=16, dx=draw.blank("f32", 37 * 42), dy=draw.normal("f32", 37 * 21),
        x=draw.normal("f32", 37 * 42), N=21, M_STRIDE=42, MY_STRIDE=21, BLOCK_SIZE=256,
        APPROXIMATE=1),
    "ops.cutile.activation.gelu:_gelu_kernel": lambda draw: call(
        3, y=draw.blank("f16", 2331), x=draw.normal("f16", 2331), N_ELEMENTS=2331,
        BLOCK_SIZE=1024, APPROXIMATE=1),
    "ops.cutile.activation.gelu:_gelu_kernel_backward": lambda draw: call(
        3, dx=draw.blank("f16", 2331), dy=draw.normal("f16", 2331),
        x=draw.normal("f16", 2331), N_ELEMENTS=2331, BLOCK_SIZE=1024, APPROXIMATE=0),
    "ops.cutile.activation.relu:_relu_fwd_kernel": lambda draw: call(
        3, x=draw.normal("bf16", 2331), y=draw.blank("bf16", 2331), N_ELEMENTS=2331,
        BLOCK_SIZE=1024),
}
