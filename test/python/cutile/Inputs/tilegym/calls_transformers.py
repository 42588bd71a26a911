# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the kernels in tilegym.transformers."""

from calls import call


def dual_rms_norm(draw):
    return call(
        5, q=draw.normal("f16", 5, 300, scale=2), k=draw.normal("f16", 5, 300, scale=3),
        q_weight=draw.normal("f16", 300), k_weight=draw.normal("f16", 300), eps=1e-6,
        D=300, TILE_D=512)


def residual_add_rms_norm(draw, dtype, **more):
    return call(
        5, residual=draw.normal(dtype, 5, 300), x=draw.normal(dtype, 5, 300, scale=2),
        weight=draw.normal(dtype, 300), sum_out=draw.blank(dtype, 5, 300),
        normed_out=draw.blank(dtype, 5, 300), eps=1e-6, D=300, TILE_D=512, **more)


CALLS = {
    "transformers.lfm2_moe.kernels.causal_conv1d_prefill:_causal_conv1d_prefill_kernel":
        lambda draw: call(
            5, 2, x=draw.normal("f16", 5, 333 + 2), weight=draw.normal("f16", 5, 3),
            output=draw.blank("f16", 5, 333), BLOCK_T=256),
    "transformers.lfm2_moe.kernels.causal_conv1d_update:_causal_conv1d_update_kernel":
        lambda draw: call(
            2, x=draw.normal("bf16", 333), conv_state=draw.normal("bf16", 333, 3),
            weight=draw.normal("bf16", 333, 3), output=draw.blank("bf16", 333),
            BLOCK_D=256),
    "transformers.olmo3.kernels.dual_rms_norm:_dual_rms_norm_kernel": dual_rms_norm,
    "transformers.olmo3.kernels.rms_norm_residual_add:_rms_norm_residual_add_kernel":
        lambda draw: call(
            5, x=draw.normal("f16", 5, 300, scale=2), residual=draw.normal("f16", 5, 300),
            weight=draw.normal("f16", 300), out=draw.blank("f16", 5, 300), eps=1e-6,
            D=300, TILE_D=512),
    "transformers.olmoe.kernels.dual_rms_norm:_olmoe_dual_rms_norm_kernel": dual_rms_norm,
    "transformers.olmoe.kernels.residual_add_rms_norm:_olmoe_residual_add_rms_norm_kernel":
        lambda draw: residual_add_rms_norm(draw, "f16"),
    "transformers.qwen3_5.kernels.causal_conv1d_prefill_silu:"
    "_causal_conv1d_prefill_silu_kernel": lambda draw: call(
        5, 2, x=draw.normal("f16", 5, 333 + 3), weight=draw.normal("f16", 5, 4),
        output=draw.blank("f16", 5, 333), T=333, BLOCK_T=256),
    "transformers.qwen3_5.kernels.causal_conv1d_update_silu:"
    "_causal_conv1d_update_silu_kernel": lambda draw: call(
        2, x=draw.normal("f16", 333), conv_state=draw.normal("f16", 333, 4),
        weight=draw.normal("f16", 333, 4), output=draw.blank("f16", 333), BLOCK_D=256),
    "transformers.qwen3_5.kernels.gdr_preprocess:_gdr_preprocess_kernel":
        lambda draw: call(
            37, b_in=draw.normal("f16", 37, 13), a_in=draw.normal("f16", 37, 13),
            A_log=draw.normal("f32", 13), dt_bias=draw.normal("f32", 13),
            beta_out=draw.blank("f16", 37, 13), g_out=draw.blank("f32", 37, 13),
            TILE_H=16),
    "transformers.qwen3_5.kernels.residual_add_rms_norm:_residual_add_rms_norm_kernel":
        lambda draw: residual_add_rms_norm(draw, "bf16", offset=1.0),
    "transformers.qwen3_5.kernels.rms_norm_gated:_rms_norm_gated_silu_kernel":
        lambda draw: call(
            5, hidden_states=draw.normal("f16", 5, 300, scale=2),
            gate=draw.normal("f16", 5, 300), weight=draw.normal("f16", 300),
            output=draw.blank("f16", 5, 300), eps=1e-6, D=300, TILE_D=512),
    "transformers.qwen3_5.kernels.sigmoid_mul:_sigmoid_mul_kernel": lambda draw: call(
        5, x=draw.normal("f16", 5, 300), gate=draw.normal("f16", 5, 300),
        output=draw.blank("f16", 5, 300), TILE_D=512),
    "transformers.qwen3_5.kernels.silu_and_mul_separate:_silu_and_mul_separate_kernel":
        lambda draw: call(
            5, gate=draw.normal("f16", 5, 300), up=draw.normal("f16", 5, 300),
            output=draw.blank("f16", 5, 300), TILE_D=512),
}
