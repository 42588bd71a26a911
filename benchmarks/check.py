# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a kernel's result with an exact matmul, on the GPU."""

from dataclasses import dataclass

import accuracy

# C is filled with each of these bytes before one of two runs. An element that differs
# between the runs was not written.
FILL_BYTES = (0xff, 0x5a)
LIMB_BITS = 16


@dataclass
class Check:
    """The result of one comparison. `worst` is the largest error over its bound,
    `norm` the relative error in the Frobenius norm."""
    label: str
    size: tuple
    layout: str
    entry: str = "-"
    worst: float = float("nan")
    norm: float = float("nan")
    problem: str = ""


def run_and_compare(torch, matmul, check):
    """Runs the matmul twice, and fills in `check`."""
    results, is_clean = [], True
    for byte in FILL_BYTES:
        matmul.c.poison(byte)
        matmul.run()
        torch.cuda.synchronize()
        is_clean &= matmul.c.is_clean_around()
        results.append(matmul.c.get_bytes())
    num_different = int((results[0] != results[1]).any(dim=-1).sum())
    del results
    compare(torch, matmul, check)
    if num_different:
        check.problem = (f"{num_different} elements are not written, or differ "
                         "between two runs")
    elif not check.problem and not is_clean:
        check.problem = "memory around C was written"


def compare(torch, matmul, check):
    """Sets the errors of `check`, and its problem if they exceed the bounds."""
    if matmul.program.facts.is_integer:
        compare_integers(torch, matmul, check)
    else:
        compare_floats(torch, matmul, check)


def widen(torch, values):
    """Converts real values to float64, and complex values to complex128."""
    return values.to(torch.complex128 if values.dtype.is_complex
                     else torch.float64)


def compare_floats(torch, matmul, check):
    """Checks the errors against the bounds of accuracy.py, for each element and in the
    norm."""
    a, b, out = (widen(torch, x.values)
                 for x in (matmul.a, matmul.b, matmul.c))
    limits = accuracy.get_bound(matmul.program, a.shape[-1])
    reference = a @ b
    bound = (a.abs() @ b.abs()).mul_(limits.matmul)
    bound.add_(reference.abs(), alpha=limits.reference).add_(limits.absolute)
    error = (out - reference).abs()
    num_wrong = int((~(error <= bound)).sum())
    check.worst = float(torch.where(error == 0, error, error / bound).max())
    norm = float(reference.norm())
    check.norm = float(error.norm()) / norm if norm > 0 else check.worst
    if num_wrong:
        check.problem = f"{num_wrong} elements are beyond the bound"
    elif limits.norm and not check.norm <= limits.norm:
        check.problem = f"the norm is beyond {limits.norm:g}"


def compare_integers(torch, matmul, check):
    """Compares exactly, modulo 2^w for an accumulator of w bits."""
    reference = multiply_exactly(torch, matmul.a.values, matmul.b.values)
    wrong = matmul.c.values != reference.to(matmul.c.dtype)
    num_wrong = int(wrong.sum())
    check.worst = check.norm = float("inf") if num_wrong else 0.0
    if num_wrong:
        check.problem = f"{num_wrong} elements are wrong"


def multiply_exactly(torch, a, b):
    """Multiplies integer matrices exactly, modulo 2^64. It splits elements into limbs
    of 16 bits and multiplies matrices of limbs in float64, which is exact for K of at
    most 2^21: elements of the result stay below 2^53."""
    total = torch.zeros((*a.shape[:-1], b.shape[-1]), dtype=torch.int64,
                        device=a.device)
    for i, a_limb in enumerate(split_limbs(torch, a)):
        for j, b_limb in enumerate(split_limbs(torch, b)):
            shift = LIMB_BITS * (i + j)
            if shift < 64:
                total += (a_limb @ b_limb).to(torch.int64) << shift
    return total


def split_limbs(torch, values):
    """Returns the limbs in float64, the lowest first; the last one has the sign."""
    count = -(-8 * values.element_size() // LIMB_BITS)
    values = values.to(torch.int64)
    limbs = [values >> LIMB_BITS * i & (1 << LIMB_BITS) - 1
             for i in range(count - 1)]
    limbs.append(values >> LIMB_BITS * (count - 1))
    return [limb.to(torch.float64) for limb in limbs]
