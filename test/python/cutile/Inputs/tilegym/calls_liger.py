# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.suites.liger, from cross_entropy to llama4_rope.

Some tiles are smaller than TileGym's, so that a loop over the columns of a row runs more
than once on short rows.
"""

import math

import numpy as np
from calls import call

LLAMA, GEMMA, NONE = 0, 1, -1  # how fused_add_rms_norm casts
GRPO, CISPO, SAPO = 0, 1, 2  # the losses of grpo_loss


def log_softmax(x):
    x = np.asarray(x, np.float64)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def normalize(x, eps=1e-5):
    """Returns the mean of each row and the reciprocal of its standard deviation."""
    x = np.asarray(x, np.float64)
    return x.mean(-1), 1 / np.sqrt(x.var(-1) + eps)


# ----------------------------------------------------------------------------
# cross_entropy, jsd and kl_div
# ----------------------------------------------------------------------------


def cross_entropy(draw):
    rows, columns, ignored = 5, 300, -100
    logits = draw.normal("f16", rows, columns, scale=3)
    weight = draw.uniform("f32", columns, low=0.5, high=1.5)
    target = draw.integers("i64", rows, high=columns)
    target[1] = ignored
    target[3] = logits[3].argmax()  # a right prediction
    used = target[target != ignored]
    return call(
        rows, input=logits, target=target, weight=weight, loss=draw.blank("f16", rows),
        z_loss=draw.blank("f16", rows), token_accuracy=draw.blank("f32", rows),
        predicted_tokens=draw.blank("i64", rows), n_cols=columns,
        inv_n_non_ignore=1 / len(used), sum_non_ignore_weight=float(weight[used].sum()),
        weight_sum=float(weight.sum()), ignore_index=ignored, label_smoothing=0.1,
        lse_square_scale=0.01, softcap=15.0, BLOCK_SIZE=128, HAS_GRADIENTS=1,
        REDUCTION_MEAN=1, HAS_WEIGHT=1, HAS_SOFTCAPPING=1, RETURN_Z_LOSS=1,
        RETURN_TOKEN_ACCURACY=1, RETURN_PREDICTED_TOKENS=1)


def jsd(draw):
    rows, columns, ignored = 5, 300, -100
    label = draw.integers("i64", rows, high=columns)
    label[2] = ignored
    return call(
        rows, x=draw.of("f16", log_softmax(draw.normal("f32", rows, columns))),
        y=draw.of("f16", log_softmax(draw.normal("f32", rows, columns))),
        loss=draw.zeros("f32", rows, columns), dx=draw.blank("f16", rows, columns),
        label=label, beta=0.3, inv_n_non_ignore=1 / (rows - 1), ignore_index=ignored,
        n_cols=columns, BLOCK_SIZE=128, HAS_LABEL=1)


def kl_div(draw, is_log, dtype, *loss, epsilons=4):
    rows, columns = 5, 300
    target = log_softmax(draw.normal("f32", rows, columns))
    return call(
        rows, Y=draw.of(dtype, log_softmax(draw.normal("f32", rows, columns))),
        GT=draw.of(dtype, target if is_log else np.exp(target)),
        LOSS=draw.blank("f32", rows, *loss), n_cols=columns, eps=1e-10, BLOCK_SIZE=128,
        LOG_TARGET=int(is_log), N_FULL_CHUNKS=2, epsilons=epsilons)


def kl_div_backward(draw):
    rows, columns = 5, 300
    return call(
        rows, GT=draw.of("f16", log_softmax(draw.normal("f32", rows, columns))),
        GRADS=draw.blank("f16", rows, columns), n_cols=columns, scale=1 / rows,
        BLOCK_SIZE=128, LOG_TARGET=1, N_FULL_CHUNKS=2)


# ----------------------------------------------------------------------------
# dyt and geglu
# ----------------------------------------------------------------------------


def dyt(draw):
    rows, columns = 5, 300
    return call(
        1, rows, x_input=draw.normal("f16", rows, columns),
        y_output=draw.blank("f16", rows, columns),
        alpha_tensor=draw.uniform("f16", 1, low=0.4, high=0.9),
        gamma_tensor=draw.normal("f16", columns), beta_tensor=draw.normal("f16", columns),
        HAVE_BETA=1, CHECK_BOUNDS=True, BLOCK_N=512)


def dyt_backward(draw, dtype="f16"):
    rows, columns, programs = 7, 1101, 3
    return call(
        2, programs, dy_input=draw.normal(dtype, rows, columns),
        dx_output=draw.blank(dtype, rows, columns),
        da_partial=draw.blank("f32", programs, 2),
        dg_partial=draw.blank("f32", programs, columns),
        db_partial=draw.blank("f32", programs, columns),
        x_input=draw.normal(dtype, rows, columns),
        alpha_tensor=draw.uniform(dtype, 1, low=0.4, high=0.9),
        gamma_tensor=draw.normal(dtype, columns), HAVE_BETA=1, M=rows, BLOCK_N=1024,
        NUM_SMS=programs)


def geglu(draw):
    rows, columns = 3, 4301
    return call(
        rows, a=draw.normal("f16", rows, columns), b=draw.normal("f16", rows, columns),
        c=draw.blank("f16", rows, columns), n_cols=columns, BLOCK_SIZE=4096,
        CHECK_BOUNDS=True)


def geglu_backward(draw):
    rows, columns = 3, 1101
    return call(
        rows, dc=draw.normal("f16", rows, columns), a=draw.normal("f16", rows, columns),
        b=draw.normal("f16", rows, columns), n_cols=columns, BLOCK_SIZE=512,
        CHECK_BOUNDS=True)


# ----------------------------------------------------------------------------
# fused_add_rms_norm, group_norm and layer_norm
# ----------------------------------------------------------------------------


def add_rms_norm(draw, columns, block, mode, dtype="f16", epsilons=4):
    rows = 3
    return call(
        rows, Y=draw.blank(dtype, rows, columns), S=draw.blank(dtype, rows, columns),
        X=draw.normal(dtype, rows, columns), R=draw.normal(dtype, rows, columns),
        W=draw.normal(dtype, columns),
        RSTD=draw.blank(dtype if mode == NONE else "f32", rows),
        n_cols=columns, eps=1e-6, offset=0.25, BLOCK_SIZE=block, casting_mode=mode,
        epsilons=epsilons)


def add_rms_norm_backward(draw, mode, dtype="f16", **block):
    # The last program has one row of three.
    rows, columns, programs = 7, 300, 3
    s = draw.normal(dtype, rows, columns)
    rstd = 1 / np.sqrt((s.astype(np.float64) ** 2).mean(-1) + 1e-6)
    return call(
        programs, dY=draw.normal(dtype, rows, columns),
        dS_out=draw.normal(dtype, rows, columns), dX=draw.blank(dtype, rows, columns), S=s,
        W=draw.normal(dtype, columns), RSTD=draw.of(dtype if mode == NONE else "f32", rstd),
        dW_partial=draw.blank("f32", programs, columns), n_cols=columns, offset=0.25,
        num_iters=3, sm_count=programs, n_rows=rows, casting_mode=mode, **block)


GROUPS = dict(NUM_CHANNELS=9, NUM_GROUPS=3, CHANNELS_PER_GROUP=3, TOTAL_HIDDEN_SIZE=300,
              BLOCK_SIZE=128)


def group_norm(draw):
    return call(
        2, 3, x_input=draw.normal("f16", 18, 300, shift=0.5),
        y_output=draw.blank("f16", 18, 300), weight=draw.normal("f16", 9),
        bias=draw.normal("f16", 9), mean_stats=draw.blank("f32", 6),
        rstd_stats=draw.blank("f32", 6), eps=1e-5, **GROUPS)


def group_norm_backward(draw):
    x = draw.normal("f16", 18, 300, shift=0.5)
    mean, rstd = normalize(x.reshape(6, 900))
    return call(
        2, 3, x_input=x, upstream=draw.normal("f16", 18, 300),
        weight=draw.normal("f16", 9), mean_stats=draw.of("f32", mean),
        rstd_stats=draw.of("f32", rstd), dx_output=draw.blank("f16", 18, 300),
        dw_partial=draw.blank("f16", 2, 9), db_partial=draw.blank("f16", 2, 9), **GROUPS)


def layer_norm(draw):
    rows, columns = 5, 300
    return call(
        rows, x=draw.normal("f16", rows, columns, shift=0.5),
        y=draw.blank("f16", rows, columns), weight=draw.normal("f16", columns),
        bias=draw.normal("f16", columns), mean_out=draw.blank("f16", rows),
        rstd_out=draw.blank("f16", rows), n_cols=columns, eps=1e-5, BLOCK_SIZE=512,
        ALIGNED=False)


def layer_norm_backward(draw, rows, columns, programs, dtype="f16", **constants):
    x = draw.normal(dtype, rows, columns, shift=0.5)
    mean, rstd = normalize(x)
    return call(
        programs, x=x, dy=draw.normal(dtype, rows, columns),
        weight=draw.normal(dtype, columns), mean=draw.of(dtype, mean),
        rstd=draw.of(dtype, rstd), dx=draw.blank(dtype, rows, columns), n_cols=columns,
        BLOCK_SIZE=512, ALIGNED=False, **constants)


def layer_norm_backward_all(draw):
    # The last program has one row of three.
    rows, columns, programs = 7, 300, 3
    return layer_norm_backward(
        draw, rows, columns, programs, dw_partial=draw.blank("f32", programs, columns),
        db_partial=draw.blank("f32", programs, columns), n_rows=rows, num_programs=programs,
        rows_per_program=3)


# ----------------------------------------------------------------------------
# fused_neighborhood_attention
# ----------------------------------------------------------------------------

# The kernels multiply by the elements beyond the end of a sequence, which are undefined, so
# that the tiles divide it.
BATCH, HEADS, LENGTH, WIDTH = 2, 2, 96, 16
WINDOW = dict(qk_scale=1 / math.sqrt(WIDTH), NUM_HEADS=HEADS, SEQ_LEN=LENGTH,
              HEAD_DIM=WIDTH, KERNEL_SIZE=7, DILATION=2, BLOCK_M=32, BLOCK_N=16,
              LSE_STRIDE=LENGTH)


def attend(draw):
    q, k, v = (draw.normal("f16", BATCH, HEADS, LENGTH, WIDTH) for _ in range(3))
    return call(
        BATCH * HEADS, LENGTH // 32, query=q, key=k, value=v,
        output=draw.blank("f16", *q.shape),
        lse_cache=draw.blank("f32", BATCH * HEADS * LENGTH), **WINDOW)


def attend_delta(draw):
    length, padded = 45, 64
    shape = BATCH, HEADS, length, WIDTH
    return call(
        BATCH * HEADS, padded // 32, output=draw.normal("f16", *shape),
        grad_output=draw.normal("f16", *shape),
        delta_cache=draw.blank("f32", BATCH * HEADS * padded), NUM_HEADS=HEADS,
        SEQ_LEN=length, HEAD_DIM=WIDTH, BLOCK_M=32, LSE_STRIDE=padded)


def attend_backward(draw, tiles, *outputs):
    q, k, v, do = (draw.normal("f16", BATCH, HEADS, LENGTH, WIDTH) for _ in range(4))
    wide = [x.astype(np.float64) for x in (q, k, v, do)]
    scores = wide[0] @ wide[1].swapaxes(2, 3) * WINDOW["qk_scale"]
    distance = np.arange(LENGTH)[:, None] - np.arange(LENGTH)
    near = (abs(distance) <= 6) & (distance % 2 == 0)
    weights = np.where(near, np.exp(scores), 0)
    sums = weights.sum(-1, keepdims=True)
    delta = (weights / sums @ wide[2] * wide[3]).sum(-1)
    return call(
        BATCH * HEADS, tiles, query=q, key=k, value=v, grad_output=do,
        lse_cache=draw.of("f32", np.log2(sums).ravel()),
        delta_cache=draw.of("f32", delta.ravel()),
        **{name: draw.blank("f16", *q.shape) for name in outputs}, **WINDOW)


# ----------------------------------------------------------------------------
# grpo_loss
# ----------------------------------------------------------------------------

TOKENS, VOCABULARY = 5, 300


def grpo(draw, batch, dtype, beta=0.04):
    """Returns the arguments that all kernels of grpo_loss have, and the log-probabilities
    and logarithms of sums that belong to the logits."""
    logits = draw.normal(dtype, batch * (TOKENS + 1), VOCABULARY, scale=2)
    ids = draw.integers("i64", batch, TOKENS, high=VOCABULARY)
    scaled = logits.astype(np.float64).reshape(batch, TOKENS + 1, -1)[:, :-1] / 0.9
    lse = np.log(np.exp(scaled).sum(-1))
    logp = np.take_along_axis(scaled, ids[..., None], -1)[..., 0] - lse
    mask = np.ones((batch, TOKENS))
    mask[0, 3:] = 0
    advantages = draw.normal("f32", batch)
    advantages[0], advantages[-1] = -abs(advantages[0]), abs(advantages[-1])
    common = dict(
        logits_input=logits, input_ids=ids, completion_mask=draw.of("i32", mask),
        advantages=advantages,
        ref_logp_input=draw.of("f32", logp + draw.normal("f32", *logp.shape, scale=0.3)),
        B=batch, L=TOKENS, N=VOCABULARY, BLOCK_N=128, temperature=0.9, beta=beta,
        HAS_COMPLETION_MASK=1)
    return common, logp, lse


def grpo_of_tokens(draw, logp, loss_type, with_correction):
    batch = len(logp)
    return dict(
        old_logp_input=draw.of("f32", logp + draw.normal("f32", *logp.shape, scale=0.3)),
        phi_seq_input=draw.uniform("f32", batch, low=0.5, high=1.5),
        # It is an array of one dimension for gather, thus one ratio for a sequence.
        vllm_is_ratio=draw.uniform("f32", batch, low=0.7, high=1.3), vllm_is_ratio_stride=1,
        eps_low=0.2, eps_high=0.2, loss_type=loss_type, sapo_temp_pos=1.0,
        sapo_temp_neg=1.05, delta=1.5 if loss_type == GRPO else 0.0,
        use_bias_correction_kl=with_correction,
        HAS_OLD_LOGP=1, HAS_VLLM_IS_RATIO=1)


def grpo_forward(draw):
    common, logp, _ = grpo(draw, 3, "f16")
    blank = [draw.blank("f32", *logp.shape) for _ in range(4)]
    return call(
        3, TOKENS, **common, **grpo_of_tokens(draw, logp, GRPO, 1), loss_output=blank[0],
        lse_cache=blank[1], kl_output=blank[2], is_clipped_output=blank[3])


def grpo_backward(draw, batch, loss_type, with_correction, dtype="f16"):
    common, logp, lse = grpo(draw, batch, dtype)
    return call(
        batch, TOKENS, **common, **grpo_of_tokens(draw, logp, loss_type, with_correction),
        dloss_input=draw.normal("f32", *logp.shape), lse_cache=draw.of("f32", lse),
        dlogits_output=draw.blank(dtype, *common["logits_input"].shape))


def grpo_of_sequences(draw, batch, dtype, spread):
    """Returns the common arguments, and the importance of each sequence, which is clipped
    for some of them when `spread` is large."""
    common, logp, lse = grpo(draw, batch, dtype)
    mask = common["completion_mask"]
    ratio = draw.normal("f32", *logp.shape, scale=spread)
    coefficient = np.exp((ratio * mask).sum(-1) / mask.sum(-1))
    return common, lse, coefficient


def grpo_sequence_forward(draw):
    common, lse, coefficient = grpo_of_sequences(draw, 3, "f16", 2.5)
    advantages = common["advantages"]
    clipped = np.where(advantages < 0, coefficient < 0.8, coefficient > 1.2)
    blank = [draw.blank("f32", *lse.shape) for _ in range(4)]
    return call(
        3, TOKENS, **common, coef_1=draw.of("f32", np.minimum(coefficient, 1.5)),
        coef_1_raw=draw.of("f32", coefficient),
        coef_2=draw.of("f32", np.clip(coefficient, 0.8, 1.2)),
        is_clipped_seq=draw.of("f32", clipped), loss_output=blank[0], lse_cache=blank[1],
        kl_output=blank[2], is_clipped_output=blank[3],
        vllm_is_ratio=draw.uniform("f32", 3, low=0.7, high=1.3), vllm_is_ratio_stride=1,
        use_bias_correction_kl=1, HAS_VLLM_IS_RATIO=1)


def grpo_sequence_backward(draw, batch, with_correction, delta, spread, dtype="f16"):
    common, lse, coefficient = grpo_of_sequences(draw, batch, dtype, spread)
    dloss = draw.normal("f32", *lse.shape) * common["completion_mask"].astype(np.float32)
    return call(
        batch, TOKENS, **common, dloss_input=dloss, dloss_sum_input=dloss.sum(-1),
        dlogits_output=draw.blank(dtype, *common["logits_input"].shape),
        lse_cache=draw.of("f32", lse), coef_1=draw.of("f32", coefficient),
        seq_len=draw.of("f32", common["completion_mask"].sum(-1)), eps_low=0.2,
        eps_high=0.2, delta=delta, use_bias_correction_kl=with_correction)


# ----------------------------------------------------------------------------
# llama4_rope
# ----------------------------------------------------------------------------


def llama4_rope(draw):
    batch, length, heads, key_heads, half = 2, 5, 3, 1, 37
    angles = draw.uniform("f64", length, half, low=-3, high=3)
    rotations = np.stack([np.cos(angles), np.sin(angles)], -1).reshape(length, 2 * half)
    return call(
        batch, length, heads, query=draw.normal("f16", batch * length * heads, 2 * half),
        key=draw.normal("f16", batch * length * key_heads, 2 * half),
        freqs=draw.of("f32", rotations), seq_len=length, HEAD_DIM_HALF=half,
        N_Q_HEADS=heads, N_K_HEADS=key_heads, imag_sign=-1.0, BLOCK_SIZE=32)


CALLS = {f"suites.liger.cutile.{name}": make for name, make in {
    "cross_entropy:_liger_cross_entropy_kernel": cross_entropy,
    "dyt:_dyt_fwd_kernel": dyt,
    "dyt:_dyt_bwd_kernel": lambda draw: dyt_backward(draw, "bf16"),
    "dyt:_dyt_bwd_kernel_nww8": dyt_backward,
    # Half the tile of the columns, which TileGym takes above 4096 columns.
    "fused_add_rms_norm:_fused_add_rms_norm_fwd_ct": lambda draw: add_rms_norm(
        draw, 300, 256, NONE, epsilons=8),  # a sum in f16
    "fused_add_rms_norm:_fused_add_rms_norm_fwd_large_ct": lambda draw: add_rms_norm(
        draw, 4301, 4096, LLAMA),
    "fused_add_rms_norm:_fused_add_rms_norm_fwd_small_ct": lambda draw: add_rms_norm(
        draw, 300, 512, GEMMA, "bf16"),
    "fused_add_rms_norm:_fused_add_rms_norm_bwd_persistent_ct": lambda draw:
        add_rms_norm_backward(draw, LLAMA, BLOCK_SIZE=512),
    "fused_add_rms_norm:_fused_add_rms_norm_bwd_persistent_2c_ct": lambda draw:
        add_rms_norm_backward(draw, NONE, CHUNK_SIZE=256),
    "fused_add_rms_norm:_fused_add_rms_norm_bwd_persistent_2c_ct_nww8": lambda draw:
        add_rms_norm_backward(draw, GEMMA, "bf16", CHUNK_SIZE=256),
    "fused_neighborhood_attention:_fna_fused_forward_kernel": attend,
    "fused_neighborhood_attention:_fna_bwd_preprocess_kernel": attend_delta,
    "fused_neighborhood_attention:_fna_bwd_dkdv_kernel": lambda draw: attend_backward(
        draw, 6, "grad_key", "grad_value"),
    "fused_neighborhood_attention:_fna_bwd_dq_kernel": lambda draw: attend_backward(
        draw, 3, "grad_query"),
    "geglu:_geglu_fwd_kernel_ct": geglu,
    "geglu:_geglu_bwd_kernel_ct": geglu_backward,
    "group_norm:_group_norm_fwd_kernel": group_norm,
    "group_norm:_group_norm_bwd_kernel": group_norm_backward,
    "grpo_loss:_grpo_loss_fwd_ct": grpo_forward,
    "grpo_loss:_grpo_loss_bwd_ct": lambda draw: grpo_backward(draw, 3, GRPO, 1),
    "grpo_loss:_bwd_occ_small": lambda draw: grpo_backward(draw, 2, SAPO, 0),
    "grpo_loss:_bwd_occ_large": lambda draw: grpo_backward(draw, 3, CISPO, 0, "bf16"),
    "grpo_loss:_grpo_loss_fwd_seq_ct": grpo_sequence_forward,
    "grpo_loss:_grpo_loss_bwd_seq_ct": lambda draw: grpo_sequence_backward(
        draw, 3, 1, 1.5, 0.6),
    "grpo_loss:_bwd_seq_occ_small": lambda draw: grpo_sequence_backward(
        draw, 2, 0, 0.0, 0.3),
    "grpo_loss:_bwd_seq_occ_large": lambda draw: grpo_sequence_backward(
        draw, 3, 0, 1.5, 0.6, "bf16"),
    "jsd:_jsd_kernel": jsd,
    "kl_div:_kldiv_fwd_none_ct": lambda draw: kl_div(draw, False, "f16", 300),
    # A sum of 300 numbers of both signs.
    "kl_div:_kldiv_fwd_reduce_ct": lambda draw: kl_div(draw, True, "f32", epsilons=16),
    "kl_div:_kldiv_bwd_ct": kl_div_backward,
    "layer_norm:_layer_norm_fwd_kernel_ct": layer_norm,
    "layer_norm:_layer_norm_bwd_dx_kernel_ct": lambda draw: layer_norm_backward(
        draw, 5, 300, 5, "bf16"),
    "layer_norm:_layer_norm_bwd_combined_kernel_ct": layer_norm_backward_all,
    "llama4_rope:_llama4_rope_kernel": llama4_rope,
}.items()}
