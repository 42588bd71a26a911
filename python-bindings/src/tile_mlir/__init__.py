# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tile programs in Python: kernels that say what one block of threads does with
whole tiles. They run on NumPy's arrays without a GPU, checked.

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

from . import ir
from .complex_numbers import conj, imag, make_complex, real
from .compute import (absolute, acos, add, asin, atan, atan2, cbrt, cdiv, ceil,
                      clip, copysign, cos, cosh, erf, exp, exp2, expm1, floor, fma,
                      isnan, log, log10, log1p, log2, maximum, minimum, multiply,
                      power, relu, round, rsqrt, sigmoid, sin, sinh, sqrt, subtract,
                      tan, tanh, trunc, where)
from .compute import broadcast_to
from .control import Range as range
from .control import static_range
from .elements import (bf16, bool_, complex64, complex128, element, f8e4m3, f8e5m2,
                       f16, f32, f64, i8, i16, i32, i64, index, u8, u16, u32, u64)
from .errors import (ArgumentError, CompileError, DeviceError, Diagnostic,
                     EmulatorError, Finding, LaunchError, TileError)
from .fourier import fft, ifft, irfft, rfft
from .kernel import Kernel, function, kernel
from .linear_algebra import (add_diagonal, cholesky, determinant, diagonal, eigh,
                             inverse, ldlt, least_squares, logdet, lu, matmul, qr,
                             solve, svd, triangular_solve)
from .machines import Machine, cpu, emulator
from .memory import (atomic, atomic_add, atomic_load, atomic_store, fence, gather,
                     load, num_programs, program_id, scatter, store)
from .reductions import (all, any, argmax, argmin, cummax, cummin, cumprod, cumsum,
                         histogram, map, max, mean, min, prod, reduce, scan,
                         softmax, sort, sort_by_key, sum, top_k, var)
from .shapes import (arange, concatenate, expand_dims, eye, full, insert, iota,
                     ones, put, random, reshape, squeeze, stack, swap_axes, take,
                     transpose, view, zeros)
from .values import Array, Scalar, Tile
