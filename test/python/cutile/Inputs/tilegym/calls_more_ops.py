# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.ops.cutile, from mamba2 on, and the experimental ones."""

import math

import numpy as np
from calls import call

# ----------------------------------------------------------------------------
# Mamba 2
# ----------------------------------------------------------------------------


def draw_decay(draw, dt):
    """Returns the falling sums of the logarithms of the decay, within chunks of 16 or 32
    tokens: `dt` is of [batch, heads, chunks, tokens]."""
    rate = -draw.uniform("f32", 1, dt.shape[1], 1, 1, low=0.2)
    return np.cumsum(rate * dt, axis=3) * math.log2(math.e)


def mamba(draw, batch, chunks, chunk, heads, groups, head_size, state_size):
    """Returns the arrays that most of the kernels read."""
    tokens = chunks * chunk
    dt = draw.uniform("f32", batch, heads, chunks, chunk, low=0.1, high=0.5)
    decay = draw_decay(draw, dt)
    states = batch, heads, chunks, head_size, state_size
    return dict(
        x=draw.normal("f16", batch, tokens, heads, head_size),
        b=draw.normal("f16", batch, tokens, groups, state_size),
        c=draw.normal("f16", batch, tokens, groups, state_size),
        d=draw.normal("f32", heads),
        dt=dt.reshape(batch, heads, tokens),
        decay_cumsum=draw.of("f32", decay).reshape(batch, heads, tokens),
        hiddens=draw.normal("f16", *states), dout=draw.normal(
            "f16", batch, tokens, heads, head_size),
        dhiddens=draw.normal("f16", *states))


def pick(arrays, *names):
    return {name: arrays[name] for name in names}


def chunk_cumsum(draw):
    return call(
        4, 2, 2, a=-draw.uniform("f32", 7, low=0.2),
        dt=draw.uniform("f32", 2, 53, 7, low=0.1, high=0.5),
        out_bth=draw.blank("f32", 2, 53, 7), out_bht=draw.blank("f32", 2, 7, 53),
        dt_bht=draw.blank("f32", 2, 7, 53), chunk_size=16, BLOCK_H=4)


def pass_state(draw):
    arrays = mamba(draw, 2, 3, 16, 4, 2, 32, 48)
    return call(
        2, 3, 8, **pick(arrays, "x", "b", "dt", "decay_cumsum"),
        init_state=draw.normal("f32", 2, 4, 32, 48),
        hiddens=draw.blank("f32", 2, 4, 3, 32, 48),
        hid_narrow=draw.blank("f16", 2, 4, 3, 32, 48),
        final_state=draw.blank("f32", 2, 4, 32, 48), chunk_size=16, BLOCK_STATE=16,
        BLOCK_HEAD=16, num_heads_per_group=2, LOAD_LAT=4, STORE_LAT=2, BDD_LAT=2,
        SWAP=True, BHT=True, DUAL=True)


def compute_out(draw):
    arrays = mamba(draw, 2, 3, 16, 4, 2, 32, 48)
    return call(
        3, 2, 8,
        **pick(arrays, "x", "b", "c", "d", "dt", "decay_cumsum", "hiddens"),
        out=draw.blank("f16", 2, 48, 4, 32), chunk_size=16, BLOCK_STATE=16, BLOCK_HEAD=16,
        num_heads_per_group=2, state_size=48, H_LAT=3, persistent=False)


def compute_out_swap(draw):
    arrays = mamba(draw, 1, 3, 32, 4, 2, 32, 48)
    return call(
        5, **pick(arrays, "x", "b", "c", "d", "dt", "decay_cumsum", "hiddens"),
        out=draw.blank("f16", 1, 96, 4, 32), chunk_size=32, BLOCK_STATE=16, BLOCK_HEAD=16,
        num_heads_per_group=2, state_size=48, LATENCY=3, H_LAT=3, persistent=True)


def pass_state_back(draw):
    # A head tile of 64 is one that the kernel regroups.
    arrays = mamba(draw, 1, 3, 16, 4, 2, 64, 48)
    decay = arrays["decay_cumsum"].transpose(0, 2, 1).copy()
    return call(
        1, 3, 4, c=arrays["c"], decay_cumsum=decay, dout=arrays["dout"],
        dfinal_state=draw.normal("f32", 1, 4, 64, 48),
        dhiddens=draw.blank("f16", 1, 4, 3, 64, 48),
        hiddens=draw.normal("f32", 1, 4, 3, 64, 48),
        dd_last_partials=draw.blank("f32", 1, 4, 3, 1, 3, 128),
        dinit_state=draw.blank("f32", 1, 4, 64, 48), chunk_size=16, BLOCK_STATE=16,
        BLOCK_HEAD=64, num_heads_per_group=2, LOAD_LAT=4, STORE_LAT=1, CD_LAT=3,
        HID_LAT=3, WITH_PARTIALS=True)


def compute_dx(draw):
    arrays = mamba(draw, 2, 3, 16, 4, 2, 32, 48)
    return call(
        5, **pick(arrays, "x", "b", "c", "d", "dt", "decay_cumsum", "dout", "dhiddens"),
        dx=draw.blank("f16", 2, 48, 4, 32), ddt=draw.blank("f32", 2, 48, 4),
        dd=draw.blank("f32", 2, 4, 3), ddecay_cumsum=draw.blank("f32", 2, 48, 4),
        dcb=draw.blank("f16", 2, 48, 4, 16), chunk_size=16, BLOCK_STATE=16, BLOCK_HEAD=16,
        num_heads_per_group=2, state_size=48, head_size=32, LOAD_LAT=3, STORE_LAT=1,
        DOUT_LAT=5, DHID_LAT=5, persistent=True)


def compute_db(draw):
    arrays = mamba(draw, 2, 3, 16, 4, 2, 32, 32)
    return call(
        4, 3, 2, **pick(arrays, "x", "b", "c", "dt", "decay_cumsum", "hiddens", "dout",
                        "dhiddens"),
        a=-draw.uniform("f32", 4, low=0.2), dcb=draw.normal("f16", 2, 48, 4, 16),
        ddecay_cumsum=draw.normal("f32", 2, 48, 4),
        dd_last_partials=draw.normal("f32", 2, 4, 3, 256),
        da=draw.blank("f32", 2, 4, 3), db=draw.zeros("f32", 2, 48, 2, 32),
        dc=draw.zeros("f32", 2, 48, 2, 32), ddt_partial=draw.normal("f32", 2, 48, 4),
        ddt=draw.blank("f32", 2, 48, 4), chunk_size=16, BLOCK_STATE=16, BLOCK_HEAD=16,
        num_heads_per_group=2, state_size=32, head_size=32, ND_LEN=256, LOAD_LAT=3,
        STORE_LAT=1, persistent=False, REDUCE_HEADS=True)


# ----------------------------------------------------------------------------
# Mixtures of experts
# ----------------------------------------------------------------------------


def align(ids, experts, block):
    """Returns the tokens sorted by expert and padded to blocks, the expert of each block,
    and the number of tokens with the padding."""
    room = len(ids) + experts * (block - 1)
    tokens = np.full(room, len(ids))
    owners = np.full(-(-room // block), 77)
    at = 0
    for expert in range(experts):
        mine = np.flatnonzero(ids == expert)
        end = at + -(-len(mine) // block) * block
        tokens[at:at + len(mine)] = mine
        owners[at // block:end // block] = expert
        at = end
    return tokens, owners, at


def fused_moe(draw):
    # The extent K divides: the kernel loads what lies past its end without padding.
    top_k, tokens, experts, N, K = 2, 19, 5, 75, 48
    ids = np.concatenate([draw.random.permutation(experts)[:top_k] for _ in range(tokens)])
    sorted_ids, expert_ids, padded = align(ids, experts, 16)
    blocks = -(-len(sorted_ids) // 16) * 3
    return call(
        blocks, a_ptr=draw.normal("f16", tokens * K),
        b_ptr=draw.normal("f16", experts, N, K),
        c_ptr=draw.blank("f16", tokens * top_k, N), a_scale_ptr=draw.zeros("f16", 0),
        b_scale_ptr=draw.zeros("f16", 0), topk_weights_ptr=draw.uniform("f32", len(ids)),
        sorted_token_ids_ptr=draw.of("i32", sorted_ids),
        expert_ids_ptr=draw.of("i32", expert_ids),
        num_tokens_post_padded_ptr=draw.of("i32", [padded]), N=N, K=K, EM=len(sorted_ids),
        num_valid_tokens=len(ids), GROUP_N=0, GROUP_K=0, TILE_SIZE_M=16, TILE_SIZE_N=32,
        TILE_SIZE_K=16, GROUP_SIZE_M=4, MUL_ROUTED_WEIGHT=1, TOP_K=top_k, USE_FP8_W8A8=0,
        USE_INT8_W8A16=0, EVEN_KS=1, A_STRIDE_1=K)


def moe_back(draw):
    # The second of the three experts has no token; the activation is GEGLU.
    total, tokens, width, hidden = 30, 17, 77, 43
    return call(
        2, 2, 3, dout_ptr=draw.normal("f16", tokens, hidden),
        x_gather_idx_ptr=draw.integers("i32", total, high=tokens),
        w2_trans_ptr=draw.normal("f16", 3, width, hidden, scale=0.3),
        z_ptr=draw.normal("f16", total, 2 * width),
        topk_scores_ptr=draw.uniform("f32", total),
        s_scatter_idx_ptr=draw.of("i32", draw.random.permutation(total)),
        expert_offset_ptr=draw.of("i32", [0, 21, 21, total]),
        dz_ptr=draw.blank("f16", total, 2 * width), y1s_ptr=draw.blank("f16", total, width),
        ds_ptr=draw.normal("f32", total), hidden_dim=hidden, intermediate_dim=width,
        BLOCK_M=16, BLOCK_N=64, BLOCK_K=16, ACTIVATION_TYPE=1, IS_GLU=1, EPI_NSUB=2)


EXPERTS, PROGRAMS, TOKENS, PER_PROGRAM = 7, 8, 1005, 126


def count_tokens(ids, running):
    """Returns how many tokens of each expert are in the range of each program, after a row
    of zeros, and from the first program on if `running`."""
    counts = np.zeros((PROGRAMS + 1, EXPERTS), np.int32)
    np.add.at(counts, (np.arange(TOKENS) // PER_PROGRAM + 1, ids), 1)
    return (np.cumsum(counts, axis=0) if running else counts).ravel()


def draw_experts(draw):
    return draw.integers("i32", TOKENS, high=EXPERTS)


def align_stage1(draw):
    return call(
        PROGRAMS, topk_ids=draw_experts(draw),
        tokens_cnts=draw.zeros("i32", (PROGRAMS + 1) * EXPERTS), NUM_EXPERTS=EXPERTS,
        NUMEL=TOKENS, TOKENS_PER_THREAD=PER_PROGRAM, SUB_CHUNK=32, NUM_EXPERTS_POW2=8)


def align_stage2(draw):
    return call(
        EXPERTS, tokens_cnts=draw.of("i32", count_tokens(draw_experts(draw), False)),
        NUM_EXPERTS=EXPERTS, NUM_EXPERTS_POW2=8)


def align_stage3(draw):
    return call(
        1, total_tokens_post_pad=draw.blank("i32", 1), max_expert_cnt=draw.blank("i32", 1),
        tokens_cnts=draw.of("i32", count_tokens(draw_experts(draw), True)),
        cumsum=draw.zeros("i32", EXPERTS + 1), NUM_EXPERTS=EXPERTS, BLOCK_SIZE=16,
        NUM_PROGRAMS=PROGRAMS)


def align_stage4(draw):
    ids = draw_experts(draw)
    counts = count_tokens(ids, True)
    padded = -(-counts[-EXPERTS:] // 16) * 16
    room = TOKENS + EXPERTS * 15
    return call(
        PROGRAMS, topk_ids=ids, sorted_token_ids=draw.of("i32", np.full(room, TOKENS)),
        expert_ids=draw.blank("i32", -(-room // 16)), tokens_cnts=draw.of("i32", counts),
        cumsum=draw.of("i32", np.append(0, np.cumsum(padded))), NUM_EXPERTS=EXPERTS,
        BLOCK_SIZE=16, NUMEL=TOKENS, TOKENS_PER_THREAD=PER_PROGRAM, SUB_CHUNK=32,
        NUM_EXPERTS_POW2=8)


# ----------------------------------------------------------------------------
# Attention
# ----------------------------------------------------------------------------


def prefill_mla(draw):
    # The tiles divide the sequence: the kernel loads keys and values without padding.
    B, H, S = 2, 3, 48
    return call(
        3, B * H, Q=draw.normal("f16", B, H, S, 32), QPE=draw.normal("f16", B, H, S, 16),
        K=draw.normal("f16", B, 1, S, 32), KPE=draw.normal("f16", B, 1, S, 16),
        V=draw.normal("f16", B, 1, S, 32), Out=draw.blank("f16", B, H, S, 32),
        qk_scale=1 / math.sqrt(48), TILE_D=32, TILE_KPE=16, H=H, TILE_M=16, TILE_N=16,
        QUERY_GROUP_SIZE=3)


def decode_mla(draw):
    # The tiles divide the sequence: the kernel loads the values without padding.
    return call(
        2, 2, Q=draw.normal("f16", 2, 21, 32), QPE=draw.normal("f16", 2, 21, 16),
        K=draw.normal("f16", 2, 48, 32), V=draw.normal("f16", 2, 48, 32),
        KPE=draw.normal("f16", 2, 48, 16), Out=draw.blank("f16", 2, 21, 32),
        L=draw.blank("f32", 2, 21), sm_scale=1 / math.sqrt(48), TILE_D=32, TILE_H=16,
        TILE_N=16, TILE_KPE=16, S_KV=48, EVEN_N=True)


def decode_mla_split(draw):
    return call(
        2, 2, 3, Q=draw.normal("bf16", 2, 21, 32), QPE=draw.normal("bf16", 2, 21, 16),
        K=draw.normal("bf16", 2, 83, 32), V=draw.normal("bf16", 2, 83, 32),
        KPE=draw.normal("bf16", 2, 83, 16), Att_Out=draw.blank("bf16", 2, 21, 3, 32),
        LSE_Out=draw.blank("f32", 2, 21, 3), sm_scale=1 / math.sqrt(48), B=2,
        NUM_HEADS=21, S_kv=83, NUM_KV_SPLITS=3, KV_LEN_PER_SPLIT=32, TILE_D=32, TILE_H=16,
        TILE_N=16, TILE_KPE=16, EVEN_N=False)


def sparse_mla(draw):
    B, heads, groups, S, keys, top = 2, 24, 3, 11, 37, 32
    indices = np.zeros((B, S, groups, top))
    for at in np.ndindex(B, S, groups):
        # Key 0 is among them, so that each query sees a key.
        rest = 1 + draw.random.permutation(keys - 1)[:top - 1]
        indices[at] = draw.random.permutation(np.append(rest, 0))
    return call(
        S, B * 3, Q=draw.normal("f16", B, heads, S, 32),
        K=draw.normal("f16", B, groups, keys, 32),
        V=draw.normal("f16", B, groups, keys, 32), Indices=draw.of("i32", indices),
        QPE=draw.normal("f16", B, heads, S, 16), KPE=draw.normal("f16", B, 1, keys, 16),
        Out=draw.blank("f16", B, heads, S, 32), qk_scale=1 / math.sqrt(48), TILE_D=32,
        TILE_KPE=16, H=heads, TILE_N=16, NI=2, QUERY_GROUP_SIZE=8, TILE_H=8,
        NUM_H_BLOCKS=3)


def draw_padded(draw, heads, rows, padded):
    """Returns the rows of all heads, each head followed by rows of zeros."""
    array = draw.zeros("f16", heads, padded, 32)
    array[:, :rows] = draw.normal("f16", heads, rows, 32)
    return array.reshape(-1, 32)


def sliding_window(draw):
    return call(
        4, 3, Q=draw_padded(draw, 3, 53, 64), K=draw_padded(draw, 3, 53, 64),
        V=draw_padded(draw, 3, 53, 64), Out=draw.blank("f16", 3 * 64, 32),
        qk_scale=1 / math.sqrt(32), seq_k=53, window_size=13, stride_q=4, stride_kv=2,
        TILE_M=16, TILE_N=32, TILE_D=32, CAUSAL=True)


def gated_delta_rule(draw, *grid, V, T=1, **constants):
    if T > 1:
        constants["T"] = T
    return call(
        *grid, Query=draw.normal("f16", 2, T, 1, 37), Key=draw.normal("f16", 2, T, 1, 37),
        Value=draw.normal("f16", 2, T, 3, V), Gate=-draw.uniform("f32", 2, T, 3),
        Beta=draw.uniform("f16", 2, T, 3), Output=draw.blank("f16", 2, T, 3, V),
        StateIn=draw.normal("f32", 2, 3, 37, V), StateOut=draw.blank("f32", 2, 3, 37, V),
        scale=1 / math.sqrt(37), HAS_INITIAL_STATE=True, OUTPUT_FINAL_STATE=True,
        USE_QK_L2NORM=True, BLOCK_K=64, LARGE_TILE_USE_TMA=True, **constants)


# ----------------------------------------------------------------------------
# Norms, activations and losses
# ----------------------------------------------------------------------------


def rms_back(draw):
    x = draw.normal("f16", 37, 300)
    squares = np.mean(np.square(x.astype(np.float64)), axis=1)
    return call(
        3, dx=draw.blank("f16", 37, 300), dy=draw.normal("f16", 37, 300), x=x,
        weight=draw.normal("f16", 300), Rstd=draw.of("f32", 1 / np.sqrt(squares + 1e-6)),
        dw_partial=draw.blank("f32", 3, 512), TILE_M=4, TILE_N=512)


def rope(draw):
    angle = draw.uniform("f32", 2, 13, 16, high=2 * math.pi)
    angle = np.concatenate([angle, angle], axis=2)
    return call(
        26, q=draw.normal("f16", 2, 5, 13, 75), k=draw.normal("f16", 2, 3, 13, 75),
        cos=draw.of("f16", np.cos(angle)), sin=draw.of("f16", np.sin(angle)), COS_BS=2,
        SEQ_LEN=13, TILE_QH=8, TILE_KH=4, TILE_RD=16)


def cross_entropy(draw):
    logits = draw.normal("f16", 13, 700)
    targets = logits[np.arange(13), draw.random.integers(0, 700, 13)]
    return call(
        5, logits=logits, loss_out=draw.blank("f32", 13),
        target_logits=draw.of("f32", targets), N_ROWS=13, VOCAB_SIZE=700, TILE_V=256)


CALLS = {
    "ops.cutile.mamba2:chunk_cumsum_kernel": chunk_cumsum,
    "ops.cutile.mamba2:fwd_pass_state_kernel": pass_state,
    "ops.cutile.mamba2:compute_out_kernel": compute_out,
    "ops.cutile.mamba2:compute_out_swap_kernel": compute_out_swap,
    "ops.cutile.mamba2:bwd_pass_state_kernel": pass_state_back,
    "ops.cutile.mamba2:compute_dd_dcb_dx_kernel": compute_dx,
    "ops.cutile.mamba2:compute_da_db_dc_ddt_kernel": compute_db,
    # More tiles than one group of 8 along M.
    "ops.cutile.matmul:_matmul_kernel": lambda draw: call(
        30, A=draw.normal("f16", 150, 45), B=draw.normal("f16", 45, 70),
        C=draw.blank("f16", 150, 70), TILE_SIZE_M=16, TILE_SIZE_N=32, TILE_SIZE_K=16),
    "ops.cutile.matmul:_static_persistent_matmul_kernel": lambda draw: call(
        7, A=draw.normal("bf16", 45, 150), B=draw.normal("bf16", 70, 45),
        C=draw.blank("bf16", 150, 70), M=150, N=70, K=45, TILE_SIZE_M=16, TILE_SIZE_N=32,
        TILE_SIZE_K=16, TRANSPOSE_A=True, TRANSPOSE_B=True, GROUP_SIZE_M=8,
        LOAD_LATENCY=4),
    "ops.cutile.mla:_prefill_mla_kernel": prefill_mla,
    "ops.cutile.mla_decoding:_naive_absorb_mla_transpose_kernel": decode_mla,
    "ops.cutile.mla_decoding_split_kv:_naive_absorb_mla_transpose_kernel":
        decode_mla_split,
    "ops.cutile.moe:_fused_moe_kernel": fused_moe,
    "ops.cutile.moe_actgrad_bwd:_moe_actgrad_bwd_kernel": moe_back,
    "ops.cutile.moe_align_block:_moe_align_block_size_stage1_kernel": align_stage1,
    "ops.cutile.moe_align_block:_moe_align_block_size_stage2_kernel": align_stage2,
    "ops.cutile.moe_align_block:_moe_align_block_size_stage3_kernel": align_stage3,
    "ops.cutile.moe_align_block:_moe_align_block_size_stage4b_scatter_kernel":
        align_stage4,
    "ops.cutile.recurrent_gated_delta_rule:_recurrent_gated_delta_rule_fwd_kernel":
        lambda draw: gated_delta_rule(
            draw, 6, 3, T=5, V=45, BLOCK_V=16, SMALL_TILE_USE_TMA=True),
    "ops.cutile.recurrent_gated_delta_rule:"
    "_recurrent_gated_delta_rule_fwd_kernel_persistent":
        lambda draw: gated_delta_rule(
            draw, 5, T=5, V=45, BLOCK_V=16, SMALL_TILE_USE_TMA=False),
    "ops.cutile.recurrent_gated_delta_rule:"
    "_recurrent_gated_delta_rule_fwd_kernel_decode_vstream":
        lambda draw: gated_delta_rule(
            draw, 6, 3, V=77, BLOCK_V=32, SMALL_TILE_USE_TMA=True, STREAM_V_TILE=16),
    "ops.cutile.rms_norm:_rms_norm_kernel_multi_wave_cached": lambda draw: call(
        7, x=draw.normal("f16", 7, 300), w=draw.normal("f16", 300),
        out=draw.blank("f16", 7, 300), Rstd=draw.blank("f32", 7), N=300, eps=1e-6,
        offset=1.0, TILE_SIZE=512),
    "ops.cutile.rms_norm:_rms_norm_kernel_gather": lambda draw: call(
        7, x=draw.normal("f32", 7, 300), w=draw.normal("f32", 300),
        out=draw.blank("f32", 7, 300), Rstd=draw.blank("f32", 7), N=300, EPS=1e-6,
        OFFSET=0.0, TILE_SIZE=128),
    "ops.cutile.rms_norm:_rms_norm_kernel_static_persistent": lambda draw: call(
        3, X=draw.normal("bf16", 77, 300), Y=draw.blank("bf16", 77, 300),
        W=draw.normal("bf16", 300), Rstd=draw.blank("f32", 77), TILE_SIZE_M=16,
        TILE_SIZE_N=512, EPS=1e-6, OFFSET=1.0),
    "ops.cutile.rms_norm:_rms_bwd_kernel": rms_back,
    "ops.cutile.rope:_rope_kernel": rope,
    "ops.cutile.silu_and_mul:_silu_and_mul_kernel_row_wise": lambda draw: call(
        7, input=draw.normal("f16", 7, 600), output=draw.blank("f16", 7, 300),
        TILE_SIZE=512, TOTAL_HIDDEN_SIZE=300),
    "ops.cutile.silu_and_mul:_silu_and_mul_backward_kernel_row_wise": lambda draw: call(
        7, grad_output=draw.normal("f16", 7, 300), input=draw.normal("f16", 7, 600),
        grad_a=draw.blank("f16", 7, 300), grad_b=draw.blank("f16", 7, 300),
        TILE_SIZE=512, TOTAL_HIDDEN_SIZE=300),
    "ops.cutile.softmax:_softmax_kernel": lambda draw: call(
        3, output=draw.blank("f16", 37, 300), input=draw.normal("f16", 37, 300),
        N_ROWS=37, TILE_SIZE=512, DIM_COLS=300),
    "ops.cutile.softmax:_softmax_kernel_multi_wave_full_row_reg_cached_ldg":
        lambda draw: call(
            7, output=draw.blank("f32", 7, 300), input=draw.normal("f32", 7, 300), N=300,
            TILE_SIZE=512),
    "ops.cutile.softmax:_softmax_kernel_tma": lambda draw: call(
        5, output=draw.blank("f16", 37, 300), input=draw.normal("f16", 37, 300),
        N_ROWS=37, N_COLS=300, TILE_SIZE=512),
    "ops.cutile.softmax:_softmax_kernel_chunked": lambda draw: call(
        5, output=draw.blank("bf16", 37, 300), input=draw.normal("bf16", 37, 300),
        N_ROWS=37, N_COLS=300, TILE_SIZE=128),
    "ops.cutile.splitk_reduce:_splitk_reduce_kernel": lambda draw: call(
        2, 3, 2, attn_splitk_out=draw.normal("f16", 2, 3, 13, 200),
        lse_splitk_out=draw.normal("f32", 2, 3, 13), attn_out=draw.blank("f16", 2, 3, 200),
        B=2, S_KV=1600, NUM_HEADS=3, HEAD_DIM=200, NUM_KV_SPLITS=13, NUM_KV_SPLITS_POW2=16,
        TILE_D=128, USE_DOT=True),
    "ops.cutile.swiglu:_swiglu_forward_kernel": lambda draw: call(
        7, a=draw.normal("f16", 7, 300), b=draw.normal("f16", 7, 300),
        c=draw.blank("f16", 7, 300), TILE_SIZE=512, check_bounds=True),
    "ops.cutile.swiglu:_swiglu_backward_kernel": lambda draw: call(
        7, 3, dc=draw.normal("bf16", 7, 300), a=draw.normal("bf16", 7, 300),
        b=draw.normal("bf16", 7, 300), da=draw.blank("bf16", 7, 300),
        db=draw.blank("bf16", 7, 300), TILE_SIZE=128),
    "ops.cutile.transpose:_transpose_kernel": lambda draw: call(
        2, 3, input=draw.normal("bf16", 101, 150), output=draw.blank("bf16", 150, 101),
        M=101, N=150, BLOCK_M=64, BLOCK_N=64),
    "ops.cutile.experimental.fused_linear_cross_entropy:_ce_online_kernel": cross_entropy,
    # The tile divides M: each part along K starts at a whole tile.
    "ops.cutile.experimental.mhc:_mhc_split_gemm_rms_kernel": lambda draw: call(
        6, 2, X=draw.normal("f16", 48, 75), W=draw.normal("f16", 75, 35),
        Y_acc=draw.blank("f32", 96, 35), R_acc=draw.blank("f32", 96, 2), M=48, N=35, K=75,
        TILE_SIZE_M=16, TILE_SIZE_N=32, TILE_SIZE_K=16, SPLIT_K=2, GROUP_SIZE_M=8),
    "ops.cutile.experimental.mhc:_mhc_finalize_scale_bias_sigmoid_kernel":
        lambda draw: call(
            3, 2, Y_acc=draw.normal("f32", 96, 35, scale=5.0),
            R_acc=draw.uniform("f32", 96, 2, low=20.0, high=50.0),
            Y=draw.blank("f16", 48, 35), R=draw.blank("f32", 48, 1), n=5, alpha_pre=0.7,
            alpha_post=1.3, alpha_res=0.9, Bias=draw.normal("f16", 35), M=48, N=35, K=75,
            TILE_SIZE_M=16, TILE_SIZE_N=32, SPLIT_K=2),
    "ops.cutile.experimental.mhc:_mhc_apply_residual_kernel": lambda draw: call(
        5, 3, X=draw.normal("f16", 5, 4, 384), F_out=draw.normal("f16", 5, 384),
        Y_post=draw.normal("f32", 5, 4), Y_res=draw.normal("f32", 5, 4, 4),
        Out=draw.blank("f16", 5, 4, 384), C=384, N=4, TILE_SIZE_C=128),
    "ops.cutile.experimental.mhc:_mhc_sinkhorn_kernel": lambda draw: call(
        37, Y=draw.normal("f32", 37, 16), N=4),
    "ops.cutile.experimental.sparse_mla:_sparse_mla_fwd_kernel": sparse_mla,
    "ops.cutile.experimental.swa_attention:_swa_fwd_kernel": sliding_window,
}
