# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tile programs in Python: kernels that describe the work of one block of threads on
whole tiles. Kernels that are called with NumPy arrays need no GPU: they run on an
emulator that checks their accesses.

    import numpy as np
    import tile_mlir as tile

    @tile.kernel(grid=lambda x, n: tile.cdiv(x.size, n))
    def add(x, y, out, *, n=1024):
        first = tile.program_id(0) * n
        a = tile.load(x, first, n) + tile.load(y, first, n)
        tile.store(out, first, a)

    x = np.random.default_rng(1).standard_normal(9999, np.float32)
    out = np.empty_like(x)
    add(x, x, out)
"""

from . import ir, timing
from .checking.checks import Checked, check
from .control_flow.bounds import max_trips
from .control_flow.function import function
from .control_flow.ranges import Range as range
from .control_flow.ranges import static_range
from .differentiation.custom import custom_adjoint, custom_tangent
from .differentiation.derivatives import Derivative, grad, jvp, value_and_grad, vjp
from .differentiation.gradcheck import GradientCheck, gradcheck
from .elements import (bf16, bool_, complex64, complex128, element, f8e4m3, f8e5m2,
                       f16, f32, f64, i8, i16, i32, i64, index, u8, u16, u32, u64)
from .errors import (ArgumentError, CompileError, DeviceError, Diagnostic,
                     EmulatorError, Finding, GradientError, LaunchError, TileError,
                     TuningError, UnknownPhaseError)
from .inspection.layouts import Layout, layout
from .inspection.profiling import Profile, profile
from .inspection.report import Report
from .inspection.specialization import Phases, Specialization
from .interoperation.cutile import from_cutile
from .interoperation.jax_calls import jax_call
from .interoperation.jax_library import register_with_jax
from .interoperation.torch_ops import torch_op
from .language import subscripts as _subscripts  # defines `x[...]` of arrays
from .language.activations import gelu, relu, sigmoid, silu, softplus
from .language.arithmetic import absolute as abs
from .language.arithmetic import (absolute, add, divide, fma, multiply, negative,
                                  power, subtract)
from .language.atomics import atomic, atomic_add, atomic_load, atomic_store, fence
from .language.bits import (bitwise_and, bitwise_or, bitwise_xor, invert, left_shift,
                            right_shift)
from .language.blocks import num_programs, program_id
from .language.casts import bitcast
from .language.combinations import map, reduce, scan
from .language.comparisons import (equal, greater, greater_equal, less, less_equal,
                                   not_equal)
from .language.complex_numbers import conj, imag, make_complex, real
from .language.conditions import where
from .language.conversions import broadcast_to, unpack
from .language.creation import (arange, full, full_like, iota, ones, ones_like,
                                random, zeros, zeros_like)
from .language.debug import print_
from .language.division import cdiv, floor_divide, remainder
from .language.extremes import clip, maximum, minimum
from .language.fourier import fft, fft2, ifft, ifft2, irfft, irfft2, rfft, rfft2
from .language.functions import (acos, asin, atan, atan2, cbrt, ceil, copysign, cos,
                                 cosh, erf, exp, exp2, expm1, floor, isfinite, isinf,
                                 isnan, log, log10, log1p, log2, round, rsqrt, sign,
                                 sin, sinh, sqrt, tan, tanh, trunc)
from .language.indexing import flip, insert, pad, put, roll, take, view
from .language.addresses import array_at
from .language.memory import gather, load, scatter, store
from .language.ordering import argsort, histogram, sort, sort_by_key, top_k
from .language.reductions import (all, any, argmax, argmin, find_max, find_min,
                                  log_softmax, logsumexp, max, mean, min, prod,
                                  softmax, std, sum, var)
from .language.scans import cummax, cummin, cumprod, cumsum
from .language.shapes import (concatenate, expand_dims, reshape, squeeze, stack,
                              swap_axes, transpose)
from .language.threads import load_element, per_thread, pop, push, store_element
from .launching.arrays import empty_like
from .launching.extents import auto
from .launching.kernel import Kernel, kernel
from .launching.machines import Machine, cpu, emulator
from .launching.streams import stream
from .linear_algebra.diagonals import add_diagonal, diagonal, eye, tril, triu
from .linear_algebra.factorizations import (apply_householder, cholesky,
                                            cholesky_derivative, determinant, eigh,
                                            householder, inverse, ldlt, logdet, lu,
                                            one_sided_jacobi, qr, svd)
from .linear_algebra.matmuls import matmul
from .linear_algebra.matrix_functions import expm, pinv
from .linear_algebra.systems import (cholesky_solve, least_squares, solve,
                                     triangular_solve)
from .tracing.values import Array, Scalar, Tile
from .tuning.tuned import Tuned, Tuning, autotune

__all__ = [
    "ArgumentError", "Array", "Checked", "CompileError", "Derivative",
    "DeviceError", "Diagnostic", "EmulatorError", "Finding", "GradientCheck",
    "GradientError", "Kernel", "LaunchError", "Layout", "Machine", "Phases",
    "Profile", "Report", "Scalar", "Specialization", "Tile", "TileError",
    "Tuned", "Tuning", "TuningError", "UnknownPhaseError", "abs", "absolute",
    "acos", "add", "add_diagonal", "all", "any", "apply_householder", "arange",
    "argmax", "argmin", "argsort", "array_at", "asin", "atan", "atan2", "atomic",
    "atomic_add", "atomic_load", "atomic_store", "auto", "autotune", "bf16", "bitcast",
    "bitwise_and", "bitwise_or", "bitwise_xor", "bool_", "broadcast_to",
    "cbrt", "cdiv", "ceil", "check", "cholesky", "cholesky_derivative",
    "cholesky_solve", "clip",
    "complex128", "complex64", "concatenate", "conj", "copysign", "cos",
    "cosh", "cpu", "cummax", "cummin", "cumprod", "cumsum",
    "custom_adjoint", "custom_tangent", "determinant", "diagonal", "divide", "eigh", "element", "empty_like", "emulator", "equal",
    "erf", "exp", "exp2", "expand_dims", "expm", "expm1", "eye", "f16", "f32",
    "f64", "f8e4m3", "f8e5m2", "fence", "fft", "fft2", "find_max", "find_min",
    "flip", "floor", "floor_divide", "fma", "from_cutile", "full", "full_like", "function",
    "gather", "gelu", "grad", "gradcheck", "greater", "greater_equal",
    "histogram", "householder", "i16", "i32", "i64", "i8", "ifft", "ifft2",
    "imag", "index", "insert", "inverse", "invert", "iota", "ir", "irfft",
    "irfft2", "isfinite", "isinf", "isnan", "jax_call", "jvp", "kernel",
    "layout", "ldlt", "least_squares", "left_shift", "less", "less_equal",
    "load", "load_element", "log", "log10", "log1p", "log2", "log_softmax",
    "logdet", "logsumexp", "lu", "make_complex", "map", "matmul", "max",
    "max_trips", "maximum", "mean", "min", "minimum", "multiply", "negative",
    "not_equal", "num_programs", "one_sided_jacobi", "ones", "ones_like",
    "pad", "per_thread", "pinv", "pop", "power", "print_", "prod", "profile",
    "program_id", "push", "put", "qr", "random", "range", "real", "reduce",
    "register_with_jax", "relu", "remainder", "reshape", "rfft", "rfft2",
    "right_shift", "roll", "round", "rsqrt", "scan", "scatter", "sigmoid",
    "sign", "silu", "sin", "sinh", "softmax", "softplus", "solve", "sort",
    "sort_by_key", "sqrt", "squeeze", "stack", "static_range", "std", "store",
    "store_element", "stream", "subtract", "sum", "svd", "swap_axes", "take",
    "tan", "tanh", "top_k", "torch_op", "transpose", "triangular_solve",
    "tril", "triu", "trunc", "u16", "u32", "u64", "u8", "unpack",
    "value_and_grad", "var", "view", "vjp", "where", "zeros", "zeros_like",
]
