# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The matmuls of cuBLAS with which times are compared, as PyTorch calls them, for each
type.

A peer multiplies the same matrices as the kernel. If cuBLAS does not support the
kernel's operand order, or is slow in it, a peer multiplies copies in the best order. If
it does not support the type, there is no peer.
"""

import contextlib
from dataclasses import dataclass
from typing import Callable

import matrices
import product

# Maximum relative difference, in the norm, of the results of the kernel and the peer.
MAX_DIFFERENCE = {"e4m3": 1e-2, "e5m2": 1e-2, "f16inf16": 1e-2}
DEFAULT_MAX_DIFFERENCE = 2e-3
# Types that torch.mm multiplies without a conversion.
PLAIN = ("f16", "bf16", "f32", "f64", "cf32", "cf64")


@dataclass
class Peer:
    """A peer. `multiply` computes C from A and B, which have the order `order` and the
    type `operand`."""
    name: str
    order: str
    operand: str
    multiply: Callable

    def prepare(self, torch, matmul):
        """Returns a call that multiplies the matrices of `matmul`. Copies them
        first if they are not in the peer's order or type."""
        a = convert(torch, matmul.a.values, self.order[0], self.operand)
        b = convert(torch, matmul.b.values, self.order[1], self.operand)
        return lambda: self.multiply(a, b)


def convert(torch, values, order, operand):
    """Returns the matrix itself if it has this order and type, else a copy."""
    values = values.to(get_dtype(torch, operand))
    if order == "n":
        return values if values.stride(-1) == 1 else values.contiguous()
    return values if values.stride(-2) == 1 else values.mT.contiguous().mT


def get_dtype(torch, name):
    return getattr(torch, matrices.DTYPES[product.get_element(name)])


@contextlib.contextmanager
def setting(torch, name):
    """Enables one of PyTorch's switches for matmuls."""
    switches = torch.backends.cuda.matmul
    before = getattr(switches, name)
    setattr(switches, name, True)
    try:
        yield
    finally:
        setattr(switches, name, before)


def multiply_with(torch, name, multiply):
    """Returns a matmul with a switch enabled."""
    def multiply_so(a, b):
        with setting(torch, name):
            return multiply(a, b)
    return multiply_so


def multiply_to(torch, result):
    """Returns torch.mm with the result type `result`."""
    return lambda a, b: torch.mm(a, b, out_dtype=get_dtype(torch, result))


def multiply_float8(torch, result):
    one = torch.ones((), device=matrices.DEVICE)
    return lambda a, b: torch._scaled_mm(
        a, b, one, one, out_dtype=get_dtype(torch, result),
        use_fast_accum=True)


def find_peers(torch, program):
    """Returns the peers of a program; a peer in the program's own order comes first."""
    order, name = program.order, program.type
    multiply = torch.bmm if program.batched else torch.mm
    if name in PLAIN:
        result = "" if program.result_type == name else f" to {name}"
        return [Peer("cuBLAS" + result, order, name, multiply)]
    if name == "tf32":
        return [Peer("cuBLAS", order, "f32",
                     multiply_with(torch, "allow_tf32", multiply))]
    if name == "f16inf16":
        return [Peer("cuBLAS", order, "f16", multiply_with(
            torch, "allow_fp16_accumulation", multiply))]
    if program.batched:
        return []
    if name == "i8":
        peers = [Peer("cuBLAS", order, name, torch._int_mm)]
        if order != "nt":
            peers.append(Peer("cuBLAS nt", "nt", name, torch._int_mm))
        return peers
    if program.facts.operand in ("e4m3", "e5m2"):
        return [Peer("cuBLAS" if order == "nt" else "cuBLAS nt", "nt",
                     program.facts.operand,
                     multiply_float8(torch, program.result_type))]
    operand = program.facts.operand
    if operand in ("f16", "f32"):
        # The result is f32, since sums of i8 may exceed f16.
        multiply = multiply_to(torch, "f32") if operand == "f16" else torch.mm
        return [Peer(f"cuBLAS of {operand} copies", order, operand, multiply)]
    return []


def get_max_difference(program):
    return MAX_DIFFERENCE.get(program.type.removesuffix("fast"),
                              DEFAULT_MAX_DIFFERENCE)
