# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The accuracy that a matmul must have.

Each element satisfies |out - ref| <= c (|A||B|) + u |ref|, where |A||B| is the matmul
of the absolute values. If K is at least 64, the relative error in the Frobenius norm
has a bound, too. Integers must be exact, modulo 2^w for an accumulator of w bits.
"""

from dataclasses import dataclass

# Half the distance from 1 to the next value.
UNIT_ROUNDOFF = {"f64": 2.0 ** -53, "f32": 2.0 ** -24, "f16": 2.0 ** -11,
                 "bf16": 2.0 ** -8, "e4m3": 2.0 ** -4, "e5m2": 2.0 ** -3}
# Half the smallest positive value, the error of a result that rounds to zero.
UNDERFLOW = {"f16": 2.0 ** -25, "e4m3": 2.0 ** -10, "e5m2": 2.0 ** -17}
# Below this K the norm has too few elements to be meaningful.
MIN_NORM_K = 64


@dataclass(frozen=True)
class Bound:
    """The bound of an element's error: `matmul` times |A||B|, plus `reference` times
    |ref|, plus `absolute`. `norm` is the bound of the relative error in the Frobenius
    norm; None if that error has no bound."""
    matmul: float
    reference: float
    absolute: float
    norm: float


def get_rounding(facts, k):
    """Returns c of the bound, and the bound in the norm, for a sum of K terms."""
    if facts.precision == "tf32":
        return 2.0 ** -10 + k * 2.0 ** -23, 4e-4
    if facts.precision == "fast_accumulation":
        return k * 2.0 ** -13, 5e-3
    if facts.acc == "f16":
        return k * 2.0 ** -11, 5e-3
    real = facts.operand.removeprefix("c")
    # A complex multiplication consists of four real ones.
    count = 4 * k if facts.is_complex else k
    if real == "f64":
        return count * 2.0 ** -53, 1e-14
    if real == "f32":
        return count * 2.0 ** -24, 3e-6
    return count * 2.0 ** -23, 2e-5


def get_bound(program, k):
    """Returns the bound for a program and the extent K."""
    if program.facts.is_integer:
        return Bound(0, 0, 0, None)
    result = program.result_type.removeprefix("c")
    rounding, norm = get_rounding(program.facts, k)
    if program.result_type != program.facts.acc:
        norm += UNIT_ROUNDOFF[result]
    return Bound(rounding, UNIT_ROUNDOFF[result], UNDERFLOW.get(result, 0),
                 norm if k >= MIN_NORM_K else None)
