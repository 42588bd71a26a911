# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peers of chain_programs.py, to which times are compared: PyTorch's attention by
FlashAttention-2 and by cuDNN, and Triton with all layers in one kernel."""

from dataclasses import dataclass
from typing import Callable

import chain_programs
from chain_programs import INPUTS, OUTPUTS

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

# Choices of rows per program, warps, stages and programs per multiprocessor. The
# fastest choice is the peer.
MLP_CHOICES = [(rows, warps, stages, programs)
               for rows in (64, 128, 256) for warps in (4, 8)
               for stages in (1, 2, 3) for programs in (2, 4)]


@dataclass
class Peer:
    """A peer. `prepare` takes a workload's inputs and returns the call to time."""
    name: str
    prepare: Callable


def get_versions():
    return [f"Triton {triton.__version__}"] if triton else []


if triton:
    @triton.jit
    def mlp_kernel(x, w0, w1, w2, w3, y, count, INPUTS: tl.constexpr,
                   H: tl.constexpr, OUTPUTS: tl.constexpr, ROWS: tl.constexpr,
                   STAGES: tl.constexpr):
        inputs = tl.arange(0, INPUTS)
        hidden = tl.arange(0, H)
        outputs = tl.arange(0, 16)
        a = tl.load(w0 + inputs[:, None] * H + hidden[None, :])
        b = tl.load(w1 + hidden[:, None] * H + hidden[None, :])
        c = tl.load(w2 + hidden[:, None] * H + hidden[None, :])
        d = tl.load(w3 + hidden[:, None] * OUTPUTS + outputs[None, :],
                    mask=outputs[None, :] < OUTPUTS, other=0.0)
        for tile in tl.range(tl.program_id(0), tl.cdiv(count, ROWS),
                             tl.num_programs(0), num_stages=STAGES):
            rows = tile * ROWS + tl.arange(0, ROWS)
            v = tl.load(x + rows[:, None] * INPUTS + inputs[None, :],
                        mask=rows[:, None] < count, other=0.0)
            v = tl.maximum(tl.dot(v, a), 0.0).to(x.dtype.element_ty)
            v = tl.maximum(tl.dot(v, b), 0.0).to(x.dtype.element_ty)
            v = tl.maximum(tl.dot(v, c), 0.0).to(x.dtype.element_ty)
            r = tl.dot(v, d).to(x.dtype.element_ty)
            tl.store(y + rows[:, None] * OUTPUTS + outputs[None, :], r,
                     mask=(rows[:, None] < count) & (outputs[None, :] < OUTPUTS))


def prepare_attention(torch, program, backend):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def prepare(inputs):
        q, k, v = (x.unsqueeze(0) for x in inputs)

        def call():
            with sdpa_kernel(getattr(SDPBackend, backend)):
                return torch.nn.functional.scaled_dot_product_attention(
                    q, k, v, is_causal=program.is_causal)
        return call
    return prepare


def call_mlp(inputs, y, program, multiprocessors, choice):
    rows, warps, stages, programs = choice
    mlp_kernel[(programs * multiprocessors,)](
        *inputs, y, y.shape[0], INPUTS, program.hidden, OUTPUTS, rows, stages,
        num_warps=warps)
    return y


def choose_mlp(inputs, y, program, multiprocessors):
    """Returns the fastest of the choices that fit a multiprocessor."""
    times = {}
    for choice in MLP_CHOICES:
        try:
            times[choice] = triton.testing.do_bench(
                lambda: call_mlp(inputs, y, program, multiprocessors, choice),
                warmup=2, rep=5, return_mode="median")
        except triton.runtime.errors.OutOfResources:
            continue
    best = min(times, key=times.get)
    print("  Triton: rows, warps, stages, programs a multiprocessor", best)
    return best


def prepare_mlp(torch, program):
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    chosen = []

    def prepare(inputs):
        x = inputs[0]
        y = torch.empty(x.shape[0], OUTPUTS, dtype=x.dtype, device=x.device)
        if not chosen:
            chosen.append(choose_mlp(inputs, y, program, multiprocessors))
        return lambda: call_mlp(inputs, y, program, multiprocessors, chosen[0])
    return prepare


def find_peers(torch, program):
    if isinstance(program, chain_programs.Attention):
        return [Peer("FlashAttention-2", prepare_attention(
                    torch, program, "FLASH_ATTENTION")),
                Peer("cuDNN", prepare_attention(
                    torch, program, "CUDNN_ATTENTION"))]
    return [Peer("Triton", prepare_mlp(torch, program))] if triton else []
