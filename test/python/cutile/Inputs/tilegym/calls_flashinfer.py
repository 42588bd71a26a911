# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.suites.flashinfer.cutile."""

import numpy as np
from calls import call


def reduce_splits(draw):
    # Splits past the end of a sequence hold 0 and -inf, and so does the padding.
    outputs = draw.normal("f16", 3, 3, 5, 50)
    lse = draw.normal("f32", 3, 5, 4, scale=3)
    lse[:, :, 3:] = -np.inf
    lse[1, :, 1:] = -np.inf
    lse[2, :, 2:] = -np.inf
    outputs[1:, 1] = outputs[2:, 2] = 0
    return call(
        3, 5, attn_splitk_out=outputs, lse_splitk_out=lse,
        attn_out=draw.blank("f16", 3, 5, 50),
        actual_seq_lens=draw.of("i32", [300, 100, 129]), NUM_HEADS=5,
        NUM_KV_LEN_PER_SPLIT=128, NUM_KV_SPLITS=3, NUM_KV_SPLITS_POW2=4, BLOCK_D=64)


def reduce_splits_of_heads(draw):
    # Splits past the end of a sequence are not initialized.
    outputs = draw.normal("f16", 4, 3, 12, 45)
    lse = draw.normal("f32", 3, 12, 4, scale=3)
    for batch, splits in enumerate([3, 1, 2]):
        outputs[splits:, batch] = np.nan
        lse[batch, :, splits:] = np.nan
    return call(
        3, 3, attn_splitk_out=outputs, lse_splitk_out=lse,
        attn_out=draw.blank("f16", 3, 12, 45),
        actual_seq_lens=draw.of("i32", [300, 100, 129]), NUM_KV_LEN_PER_SPLIT=128,
        NUM_KV_SPLITS=4, NUM_KV_SPLITS_POW2=4, BLOCK_H=4, BLOCK_D=64)


def draw_pages(draw, batches, pages_per_sequence, pages):
    return draw.of("i32", draw.random.permutation(pages)[:batches * pages_per_sequence])


def decode(draw):
    # Four pages for each block of keys, two blocks of heads for each head of keys.
    return call(
        2, 6, 2, q=draw.normal("f16", 2, 48, 32), k_cache=draw.normal("f16", 23, 16, 3, 32),
        v_cache=draw.normal("f16", 23, 16, 3, 32),
        actual_seq_lens=draw.of("i32", [150, 77]),
        block_tables=draw_pages(draw, 2, 10, 23), output=draw.zeros("f16", 2, 2, 48, 32),
        lse_out=draw.of("f32", np.full((2, 48, 2), -np.inf)), K_SCALE=32 ** -0.5,
        V_SCALE=0.7, N_KV_HEADS=3, PAGE_SIZE=16, BLOCK_H=8, BLOCK_N=64, BLOCK_D=32,
        QUERY_GROUP_SIZE=16, NUM_KV_SPLITS=2, KV_LEN_PER_SPLIT=128, HAS_LSE_OUT=True,
        stride_block_table=10, NUM_HEAD_BLOCKS=2, TRANS_QK=True, LOAD_BLOCK_N=16,
        NUM_PAGES_PER_BLOCK=4, USE_GATHER_PAGE_LOAD=False)


def decode_latent(draw):
    # Two pages for each block of keys. The latter block of heads is not full. TileGym
    # passes one array for keys and values; two show it if they are confused.
    return call(
        2, 2, 4, q_nope=draw.normal("bf16", 2, 21, 32),
        q_rope=draw.normal("bf16", 2, 21, 16),
        k_cache=draw.normal("bf16", 13, 32, 32), v_cache=draw.normal("bf16", 13, 32, 32),
        k_rope=draw.normal("bf16", 13, 32, 16), actual_seq_lens=draw.of("i32", [150, 77]),
        block_tables=draw_pages(draw, 2, 5, 13), output=draw.blank("bf16", 2, 2, 21, 32),
        lse_out=draw.blank("f32", 2, 21, 2), K_SCALE=48 ** -0.5, V_SCALE=0.7, PAGE_SIZE=32,
        BLOCK_H=16, BLOCK_N=64, BLOCK_D=32, BLOCK_R=16, QUERY_GROUP_SIZE=21,
        NUM_KV_SPLITS=2, KV_LEN_PER_SPLIT=128, HAS_LSE_OUT=True, stride_block_table=5,
        LOAD_BLOCK_N=32, NUM_PAGES_PER_BLOCK=2, TRANS_QK=True, USE_GATHER_PAGE_LOAD=True,
        DV_SPLITS=2)


def prefill(draw, grid, lengths, heads, heads_kv, page=None, **more):
    """A causal call with 32 values a head and 16 more for positions. `page` is the count
    of tokens in a page, or None if keys and values lie in memory like the queries."""
    tokens, batches = sum(lengths), len(lengths)
    keys = (tokens, heads_kv)
    if page:
        per_sequence = -(-max(lengths) // page)
        keys = (batches * per_sequence + 3, page, heads_kv)
        more.update(
            block_tables=draw_pages(draw, batches, per_sequence, keys[0]),
            stride_block_table=per_sequence, PAGE_SIZE=page, LOAD_BLOCK_N=min(16, page))
    return call(
        *grid, query=draw.normal("f16", tokens, heads, 48),
        key_cache=draw.normal("f16", *keys, 48), value_cache=draw.normal("f16", *keys, 32),
        actual_seq_lens_q=draw.of("i32", lengths),
        actual_seq_lens_kv=draw.of("i32", lengths),
        batch_offsets=draw.of("i32", np.cumsum([0, *lengths])),
        output=draw.blank("f16", tokens, heads, 32),
        lse_output=draw.zeros("f32", tokens, heads),
        K_SCALE=48 ** -0.5, V_SCALE=0.7, N_KV_HEADS=heads_kv, BLOCK_M=32, BLOCK_N=16,
        BLOCK_D=32, BLOCK_R=16, QUERY_GROUP_SIZE=heads // heads_kv, IS_CAUSAL=True, **more)


def prefill_longest_first(draw, **more):
    # 3 heads of 3 sequences in groups of 4: 2 groups and 1 more.
    return prefill(draw, (18,), [50, 21, 9], 3, 1, NUM_HEADS=3, NUM_BATCH=3, MAX_SEQ_LEN=50,
                   SWIZZLE=4, NUM_HB_QUOTIENT=2, NUM_HB_REMAINDER=1, **more)


def multiply_segments(draw, dtype, a, b, **more):
    # The second segment is empty.
    return call(
        7, a=draw.normal(dtype, *a), b=draw.normal(dtype, *b), c=draw.blank(dtype, 61, 37),
        m_indptr=draw.of("i32", [0, 19, 19, 56, 61]), q=4, max_m=37,
        max_m_device=draw.of("i32", [37]), n=37, BLOCK_M=16, BLOCK_N=32, BLOCK_K=16,
        GROUP_SIZE_M=2, **more)


def multiply_scaled_segments(draw):
    # The factors are of 8-bit types, but the result has 16 bits.
    return call(
        5, a=draw.normal("f8e4m3", 61, 96), b=draw.normal("f8e4m3", 4, 37, 96),
        a_scale=draw.uniform("f32", 61, 3, low=0.5, high=1.5),
        b_scale=draw.uniform("f32", 4, 2, 3, low=0.5, high=1.5),
        c=draw.blank("bf16", 61, 37), m_indptr=draw.of("i32", [0, 19, 19, 56, 61]), q=4,
        max_m=37, max_m_device=draw.of("i32", [37]), n=37, HAS_A_SCALE=1, BLOCK_M=16,
        BLOCK_N=32, BLOCK_K=32, GROUP_SIZE_M=2, epsilons=0.1)


# Numbers of 8 bits are right to half a unit; the default of `epsilons` would pass anything.
CALLS = {
    "suites.flashinfer.cutile.fmha_decode_bsr:_splitk_reduce_kernel": reduce_splits,
    "suites.flashinfer.cutile.fmha_decode_bsr:_splitk_reduce_kernel_htile":
        reduce_splits_of_heads,
    "suites.flashinfer.cutile.fmha_decode_bsr:_decode_attention_kv_paged_kernel": decode,
    "suites.flashinfer.cutile.fmha_decode_bsr:_decode_mla_kv_paged_kernel": decode_latent,
    "suites.flashinfer.cutile.fmha_prefill_bsr:_prefill_attention_paged_kernel":
        lambda draw: prefill(draw, (2, 4, 2), [50, 21], 4, 2, page=8),
    "suites.flashinfer.cutile.fmha_prefill_bsr:_prefill_attention_paged_lpt_kernel":
        lambda draw: prefill_longest_first(draw, page=32),
    "suites.flashinfer.cutile.fmha_prefill_bsr:_prefill_attention_ragged_kernel":
        lambda draw: prefill(draw, (2, 2, 4), [50, 21], 4, 2, USE_TWO_LOOP=True),
    "suites.flashinfer.cutile.fmha_prefill_bsr:_prefill_attention_ragged_lpt_kernel":
        lambda draw: prefill_longest_first(draw, USE_TWO_LOOP=False),
    "suites.flashinfer.cutile.per_token_group_quant_8bit:"
    "_per_token_group_quant_8bit_kernel":
        lambda draw: call(
            15, y_input=draw.normal("f16", 1500), y_quantized=draw.blank("f8e4m3", 1500),
            y_scale=draw.blank("f32", 15), y_stride=100, n=100, eps=1e-10, bit8_min=-448.0,
            bit8_max=448.0, BLOCK=128, y_array_size=1500, y_q_array_size=1500,
            y_s_array_size=15, epsilons=0.35),
    "suites.flashinfer.cutile.per_token_group_quant_8bit:"
    "_per_token_group_quant_8bit_colmajor_kernel":
        # A row of scales is padded from 13 to 16.
        lambda draw: call(
            39, y_input=draw.normal("f16", 3900), y_quantized=draw.blank("f8e4m3", 3900),
            y_scale=draw.blank("f32", 48), group_size=100, y_num_columns=300,
            y_row_stride=300, y_s_col_stride=16, eps=1e-10, bit8_min=-448.0, bit8_max=448.0,
            scale_ue8m0=1, BLOCK=128, y_array_size=3900, y_q_array_size=3900,
            y_s_array_size=48, epsilons=0.35),
    "suites.flashinfer.cutile.rope_quantize_fp8:_rope_quantize_fp8_kernel":
        lambda draw: call(
            4, 12, q_rope=draw.normal("f16", 13, 3, 32), k_rope=draw.normal("f16", 13, 32),
            q_nope=draw.normal("f16", 13, 3, 200), k_nope=draw.normal("f16", 13, 200),
            cos_sin_cache=draw.uniform("f32", 37, 32, low=-1),
            pos_ids=draw.integers("i32", 13, high=37),
            q_rope_out=draw.blank("f8e4m3", 13, 3, 32),
            k_rope_out=draw.blank("f8e4m3", 13, 32),
            q_nope_out=draw.blank("f8e4m3", 13, 3, 200),
            k_nope_out=draw.blank("f8e4m3", 13, 200), quant_scale_q=0.7, quant_scale_kv=1.3,
            NUM_TOKENS=13, NUM_QO_HEADS=3, NUM_KV_HEADS=1, ROPE_DIM=32, NO_ROPE_DIM=200,
            TOKENS_PER_BLOCK=4, NOPE_BLOCK=128, epsilons=0.55),
    "suites.flashinfer.cutile.gemm.gemm_alpha_beta:_gemm_alpha_beta_kernel":
        lambda draw: call(
            4, a=draw.normal("f16", 77, 45), b=draw.normal("f16", 69, 45),
            c=draw.normal("f16", 77, 69), alpha=0.7, beta=-1.3, TRANSPOSE_A=0,
            TRANSPOSE_B=1, BLOCK_M=32, BLOCK_N=32, BLOCK_K=16, GROUP_SIZE_M=2,
            EPILOGUE_SUBTILE=1),
    "suites.flashinfer.cutile.gemm.masked_bmm:_masked_bmm_kernel":
        lambda draw: call(
            5, a=draw.normal("f16", 3, 45, 50), b=draw.normal("f16", 3, 50, 37),
            c=draw.blank("f16", 3, 45, 37), masked_m=draw.of("i32", [45, 0, 20]),
            TRANSPOSE_A=0, TRANSPOSE_B=0, BLOCK_M=32, BLOCK_N=32, BLOCK_K=16,
            GROUP_SIZE_M=8),
    "suites.flashinfer.cutile.gemm.ragged_bmm:_ragged_bmm_kernel":
        lambda draw: multiply_segments(draw, "f16", (61, 45), (4, 37, 45), TRANSPOSE_A=0,
                                       TRANSPOSE_B=1),
    "suites.flashinfer.cutile.gemm.ragged_bmm:_ragged_bmm_swap_ab_kernel":
        lambda draw: multiply_segments(draw, "bf16", (45, 61), (4, 45, 37), TRANSPOSE_A=1,
                                       TRANSPOSE_B=0),
    "suites.flashinfer.cutile.gemm.ragged_block_scaled_bmm:_ragged_block_scaled_bmm_kernel":
        multiply_scaled_segments,
    "suites.flashinfer.cutile.gemm.ragged_block_scaled_bmm:"
    "_ragged_block_scaled_bmm_uniform_kernel": multiply_scaled_segments,
    "suites.flashinfer.cutile.gemm.ragged_block_scaled_bmm:"
    "_ragged_block_scaled_bmm_swap_ab_kernel": multiply_scaled_segments,
}
