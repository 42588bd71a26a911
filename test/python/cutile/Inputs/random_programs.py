#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs of CUDA Tile, and compares them with NumPy.

  python3 random_programs.py SEED COUNT [FOLDER]
  python3 random_programs.py --store FOLDER COUNT

The programs are written by the package cuda-tile, and evaluated by evaluation.py with
floats as float64. tile-run, which is found by PATH, runs each on the emulator and on the
CPU path. The generator bounds the error of each float: a result may differ by that much,
and an integer not at all. FOLDER gets the programs that differ. With --store it gets COUNT
programs that together have all operations of the generator, for stored_programs.py.
"""

import itertools
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from cuda.tile import _bytecode as ops  # noqa: E402
from cuda.tile._bytecode.debug_info import DebugAttrId  # noqa: E402
from cuda.tile._bytecode.type import SimpleType  # noqa: E402
from cuda.tile._bytecode.type_base import PaddingValue, PtrAttr  # noqa: E402
from cuda.tile._bytecode.version import BytecodeVersion  # noqa: E402
from cuda.tile._bytecode.writer import write_bytecode  # noqa: E402
from program_runs import EPSILONS, STORED, Array, Call, draw, list_faults, report  # noqa: E402
from recorded_programs import DYNAMIC, list_kinds, record, to_json  # noqa: E402

NEAREST = ops.RoundingMode.NEAREST_EVEN
INTEGERS = ("I8", "I16", "I32", "I64")
MOST_ELEMENTS, LARGEST = 2048, 1000.0


@dataclass
class Tile:
    """A value of the program. A float is at most `bound` and has at most the error
    `error`; if that is 0, it is exact."""

    value: object
    element: str
    shape: tuple
    bound: float = 0.0
    error: float = 0.0

    @property
    def is_float(self):
        return self.element in EPSILONS

    @property
    def count(self):
        return int(np.prod(self.shape, dtype=int))


class Writer:
    """Writes one entry with parameters for `arrays`, in cuTile's calling convention."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.grid = (int(self.random.integers(1, 4)), int(self.random.integers(1, 3)), 1)
        self.inputs = [self.make_input() for _ in range(self.random.integers(1, 4))]
        self.outputs = [Array("I32", (1,)) for _ in range(self.random.integers(1, 4))]

    # Choices

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, percent):
        return bool(self.random.integers(100) < percent)

    def make_input(self):
        element = self.pick("F32", "F32", "F16", "F64", "I32", "I32", "I64", "I16", "I8")
        shape = [int(n) for n in self.random.integers(1, 40, self.random.integers(1, 4))]
        return draw(element, shape, int(self.random.integers(1 << 30)))

    def pick_shape(self):
        shape = []
        for _ in range(self.pick(0, 1, 1, 2, 2, 2, 3, 4, 5)):
            extent = self.pick(1, 2, 4, 8, 16, 32)
            while int(np.prod(shape, dtype=int)) * extent > MOST_ELEMENTS:
                extent //= 2
            shape.append(max(extent, 1))
        return tuple(shape)

    def find(self, accept, **wanted):
        """Returns a random tile that is accepted, or None."""
        found = [tile for tile in self.tiles if accept(tile) and all(
            getattr(tile, key) == value for key, value in wanted.items())]
        return found[self.random.integers(len(found))] if found else None

    def find_float(self, bound=LARGEST, **wanted):
        return self.find(lambda t: t.is_float and t.bound <= bound, **wanted)

    def find_integer(self, **wanted):
        return self.find(lambda t: t.element in INTEGERS, **wanted)

    # Types

    def type(self, element, shape=()):
        types = self.writer.type_table
        return types.tile(types.simple(getattr(SimpleType, element)), list(shape))

    def of(self, tile):
        return self.type(tile.element, tile.shape)

    # Tiles

    def add(self, value, element, shape, bound=0.0, error=0.0):
        tile = Tile(value, element, tuple(shape), bound, error)
        self.tiles.append(tile)
        return tile

    def add_float(self, value, like, bound, error):
        """Adds a rounded float."""
        error += EPSILONS[like.element] * bound
        return self.add(value, like.element, like.shape, bound, error)

    def constant(self, element, shape, value):
        dtype = np.int8 if element == "I1" else STORED[element]
        values = np.asarray(value, dtype)
        return ops.encode_ConstantOp(self.code, self.type(element, shape),
                                     values.tobytes())

    def add_constant(self):
        element, shape = self.pick("F32", "F16", "F64", *INTEGERS), self.pick_shape()
        count = int(np.prod(shape, dtype=int)) if self.chance(30) else 1
        if element in EPSILONS:
            values = self.random.integers(-8, 9, count) / 4
            return self.add(self.constant(element, shape, values), element, shape, 2.0)
        values = self.random.integers(-100, 100, count)
        return self.add(self.constant(element, shape, values), element, shape)

    def add_iota(self):
        extent = self.pick(1, 2, 8, 64)
        return self.add(ops.encode_IotaOp(self.code, self.type("I32", (extent,))), "I32",
                        (extent,))

    # Elementwise operations

    def add_unary_float(self):
        x = self.find_float()
        if not x:
            return None
        name = self.pick("NegF", "AbsF", "Sin", "Cos", "Tan", "TanH", "Exp", "Exp2", "Sqrt",
                         "Rsqrt", "SinH", "CosH", "Log", "Log2", "Ceil", "Floor")
        args, bound, error = (), x.bound, x.error
        if name in ("Sin", "Cos", "TanH"):
            bound = 1.0
            error += 2.0 ** -20  # of approximations for f32
        elif name == "Tan":
            if x.bound > 1:
                return None
            bound = 1.6
            error = 4 * x.error + 2.0 ** -18
        elif name in ("Ceil", "Floor"):
            if x.error:
                return None
            value = getattr(ops, f"encode_{name}Op")(self.code, self.of(x), x.value)
            return self.add(value, x.element, x.shape, x.bound + 1)
        elif name in ("Exp", "Exp2", "SinH", "CosH"):
            if x.bound > 8:
                return None
            bound = float(np.exp(x.bound))
            error = bound * (np.expm1(min(x.error, 1.0)) + 2.0 ** -20)
        elif name in ("Sqrt", "Rsqrt", "Log", "Log2"):
            # The operand is |x| + 1.
            absolute = ops.encode_AbsFOp(self.code, self.of(x), x.value)
            one = self.constant(x.element, x.shape, 1)
            value = ops.encode_AddFOp(self.code, self.of(x), absolute, one, NEAREST, False)
            x = Tile(value, x.element, x.shape, x.bound + 1,
                     x.error + EPSILONS[x.element] * (x.bound + 1))
            bound = {"Rsqrt": 1.0, "Sqrt": x.bound}.get(name, 12.0)
            error = 2 * x.error + 2.0 ** -18
        if name == "Exp":
            args = (NEAREST,)
        elif name == "Exp2" or name == "Rsqrt":
            args = (False,)
        elif name == "Sqrt":
            args = (NEAREST, False)
        elif name == "TanH":
            args = (ops.RoundingMode.FULL,)
        value = getattr(ops, f"encode_{name}Op")(self.code, self.of(x), x.value, *args)
        if name in ("NegF", "AbsF"):
            return self.add(value, x.element, x.shape, bound, error)
        return self.add_float(value, x, bound, error)

    def add_bits(self):
        """The bits of exact floats as integers."""
        x = self.find(lambda t: t.is_float and t.error == 0)
        if not x:
            return None
        target = "I" + x.element[1:]
        value = ops.encode_BitcastOp(self.code, self.type(target, x.shape), x.value)
        return self.add(value, target, x.shape)

    def add_narrow(self):
        """Integers of three bits, which all float types hold, by way of a narrow one."""
        x = self.find_integer()
        if not x:
            return None
        few = ops.encode_AndIOp(self.code, self.of(x), x.value,
                                self.constant(x.element, x.shape, 7))
        narrow = self.type(self.pick("BF16", "F8E4M3FN", "F8E5M2"), x.shape)
        value = ops.encode_IToFOp(self.code, narrow, few, ops.Signedness.Signed, NEAREST)
        element = self.pick("F32", "F16")
        value = ops.encode_FToFOp(self.code, self.type(element, x.shape), value, NEAREST)
        return self.add(value, element, x.shape, 7.0)

    # Elements that are kept as their bits

    def convert_packed(self, value, element, shape):
        """Returns a tile, by way of its bytes if it has whole ones."""
        count = int(np.prod(shape, dtype=int))
        if count % 2 or self.chance(50):
            return value
        flat = ops.encode_ReshapeOp(self.code, self.type(element, (count,)), value)
        packed = ops.encode_PackOp(self.code, self.type("I8", (count // 2,)), flat)
        self.add(packed, "I8", (count // 2,))
        unpacked = ops.encode_UnpackOp(self.code, self.type(element, (count,)), packed)
        return ops.encode_ReshapeOp(self.code, self.type(element, shape), unpacked)

    def add_half_bytes(self):
        """Integers of four bits."""
        x = self.find_integer()
        if not x:
            return None
        value = ops.encode_TruncIOp(self.code, self.type("I4", x.shape), x.value,
                                    ops.IntegerOverflow.NONE)
        value = self.convert_packed(value, "I4", x.shape)
        target = self.pick(*INTEGERS)
        value = ops.encode_ExtIOp(self.code, self.type(target, x.shape), value,
                                  self.pick(*ops.Signedness))
        return self.add(value, target, x.shape)

    def add_f4(self):
        """Exact floats as f4E2M1FN."""
        x = self.find(lambda t: t.is_float and t.error == 0)
        if not x:
            return None
        value = ops.encode_FToFOp(self.code, self.type("F4E2M1FN", x.shape), x.value, NEAREST)
        value = self.convert_packed(value, "F4E2M1FN", x.shape)
        target = self.pick("F32", "F16", "F64")
        value = ops.encode_FToFOp(self.code, self.type(target, x.shape), value, NEAREST)
        return self.add(value, target, x.shape, 6.0)

    def add_exponents(self):
        """The exponents of exact floats as integers, or powers of two from integers."""
        if self.chance(50):
            x = self.find(lambda t: t.is_float and t.error == 0)
            if not x:
                return None
            size = ops.encode_AbsFOp(self.code, self.of(x), x.value)
            value = ops.encode_FToFOp(
                self.code, self.type("F8E8M0FNU", x.shape), size,
                self.pick(ops.RoundingMode.ZERO, ops.RoundingMode.POSITIVE_INF))
            value = ops.encode_BitcastOp(self.code, self.type("I8", x.shape), value)
            return self.add(value, "I8", x.shape)
        x = self.find_integer(element="I8")
        if not x:
            return None
        value = self.make_exponents(x.value, x.shape)
        target = self.pick("F32", "F16", "BF16", "F64")
        value = ops.encode_FToFOp(self.code, self.type(target, x.shape), value, NEAREST)
        if target == "BF16":
            target = "F32"
            value = ops.encode_FToFOp(self.code, self.type(target, x.shape), value, NEAREST)
        return self.add(value, target, x.shape, 16.0)

    def make_exponents(self, bytes_, shape):
        """Returns powers of two from 2^-3 to 2^4 as f8E8M0FNU."""
        type_ = self.type("I8", shape)
        few = ops.encode_AndIOp(self.code, type_, bytes_, self.constant("I8", shape, 7))
        code = ops.encode_AddIOp(self.code, type_, few, self.constant("I8", shape, 124),
                                 ops.IntegerOverflow.NONE)
        return ops.encode_BitcastOp(self.code, self.type("F8E8M0FNU", shape), code)

    def add_scaled_product(self):
        """A matmul with scales. Each of its elements is exact in f32."""
        batch = self.pick((), (), (2,))
        m, n, k = self.pick(1, 8, 16), self.pick(2, 8), self.pick(32, 64)
        element = self.pick("F4E2M1FN", "F8E4M3FN", "F8E5M2")
        block = self.pick(16, 32)

        def make(shape):
            values = self.constant("I8", shape, self.random.integers(
                -8, 8, int(np.prod(shape))))
            values = ops.encode_IToFOp(self.code, self.type("F32", shape), values,
                                       ops.Signedness.Signed, NEAREST)
            return ops.encode_FToFOp(self.code, self.type(element, shape), values, NEAREST)

        def make_scales(shape):
            values = self.constant("I8", shape, self.random.integers(
                0, 8, int(np.prod(shape))))
            if element != "F4E2M1FN" or self.e8m0:
                return self.make_exponents(values, shape)
            return ops.encode_IToFOp(self.code, self.type("F8E4M3FN", shape), values,
                                     ops.Signedness.Signed, NEAREST)

        self.e8m0 = self.chance(50)
        shape = (*batch, m, n)
        value = ops.encode_MmaFScaledOp(
            self.code, self.type("F32", shape), make((*batch, m, k)), make((*batch, k, n)),
            self.constant("F32", shape, 1), make_scales((*batch, m, k // block)),
            make_scales((*batch, k // block, n)))
        bound = k * 64 * 256 + 1.0
        return self.add(value, "F32", shape, bound, bound * EPSILONS["F32"])

    def add_power(self):
        """Powers of |x| + 1 up to the third, remainders of quotients, and angles."""
        x = self.find(lambda t: t.is_float and t.element != "F16" and t.error == 0 and
                      t.bound <= 30)
        if not x:
            return None
        type_ = self.of(x)
        one = self.constant(x.element, x.shape, 1)
        base = ops.encode_AddFOp(self.code, type_, ops.encode_AbsFOp(
            self.code, type_, x.value), one, NEAREST, False)
        bound = x.bound + 1
        kind = self.pick("integer", "rest", "float", "angle")
        if kind == "integer":
            three = self.constant("I32", x.shape, self.pick(0, 1, 3))
            value = ops.encode_FPowIOp(self.code, type_, base, three)
            return self.add_float(value, x, bound ** 3, bound ** 3 * 2.0 ** -17)
        if kind == "rest":
            divisor = self.constant(x.element, x.shape, self.pick(0.75, 3))
            value = ops.encode_RemFOp(self.code, type_, x.value, divisor)
            return self.add(value, x.element, x.shape, 3.0)
        if kind == "float":
            two = self.constant(x.element, x.shape, self.pick(0.5, 1.5, 2))
            value = ops.encode_FPowFOp(self.code, type_, base, two)
            return self.add_float(value, x, bound ** 2,
                                  bound ** 2 * 2.0 ** -17)
        value = ops.encode_Atan2Op(self.code, type_, x.value, base)
        return self.add_float(value, x, 1.6, 2.0 ** -18)

    def add_size(self):
        """An extent of an input, a count of its tiles, or one of the grid."""
        index = int(self.random.integers(len(self.inputs)))
        rank, types = len(self.inputs[index].shape), self.writer.type_table
        view, type_ = self.views[index]
        i32 = self.type("I32")
        if self.chance(30):
            sizes = ops.encode_GetNumTileBlocksOp(self.code, i32, i32, i32)
        elif self.chance(50):
            sizes = ops.encode_GetTensorShapeOp(self.code, [i32] * rank, view)
        else:
            tiles = types.partition_view([4] * rank, type_, list(range(rank)),
                                         PaddingValue.Missing)
            sizes = ops.encode_GetIndexSpaceShapeOp(
                self.code, [i32] * rank,
                ops.encode_MakePartitionViewOp(self.code, tiles, view))
        return self.add(self.pick(*sizes), "I32", ())

    def add_binary_float(self):
        x = self.find_float()
        y = x and self.find_float(element=x.element, shape=x.shape)
        if not y:
            return None
        name = self.pick("AddF", "SubF", "MulF", "MaxF", "MinF", "DivF", "Fma")
        encode = getattr(ops, f"encode_{name}Op")
        if name in ("MaxF", "MinF"):
            value = encode(self.code, self.of(x), x.value, y.value, self.chance(50), False)
            return self.add(value, x.element, x.shape, max(x.bound, y.bound),
                            max(x.error, y.error))
        product = x.bound * y.bound
        product_error = x.error * y.bound + y.error * x.bound + x.error * y.error
        if name == "DivF":
            # By |y| + 1.
            absolute = ops.encode_AbsFOp(self.code, self.of(y), y.value)
            one = self.constant(y.element, y.shape, 1)
            divisor = ops.encode_AddFOp(self.code, self.of(y), absolute, one, NEAREST, False)
            rounding = self.pick(NEAREST, ops.RoundingMode.FULL) if x.element == "F32" \
                else NEAREST
            value = encode(self.code, self.of(x), x.value, divisor, rounding, False)
            epsilon = EPSILONS[x.element]
            return self.add_float(value, x, x.bound, x.error + x.bound * (
                y.error + 3 * epsilon * (y.bound + 1)))
        if name == "Fma":
            z = self.find_float(element=x.element, shape=x.shape)
            bound = product + z.bound
            if bound > LARGEST:
                return None
            value = encode(self.code, self.of(x), x.value, y.value, z.value, NEAREST, False)
            return self.add_float(value, x, bound, product_error + z.error)
        bound = product if name == "MulF" else x.bound + y.bound
        if bound > LARGEST:
            return None
        value = encode(self.code, self.of(x), x.value, y.value, NEAREST, False)
        return self.add_float(value, x, bound,
                              product_error if name == "MulF" else x.error + y.error)

    def add_integer(self):
        x = self.find_integer()
        y = x and self.find_integer(element=x.element, shape=x.shape)
        if not y:
            return None
        none = ops.IntegerOverflow.NONE
        sign = self.pick(ops.Signedness.Signed, ops.Signedness.Unsigned)
        type_ = self.of(x)
        name = self.pick("AddI", "SubI", "MulI", "AndI", "OrI", "XOrI", "MaxI", "MinI",
                         "NegI", "AbsI", "MulhiI", "DivI", "RemI", "ShLI", "ShRI")
        encode = getattr(ops, f"encode_{name}Op")
        small = ops.encode_AndIOp(self.code, type_, y.value,
                                  self.constant(x.element, x.shape, 7))
        if name in ("AddI", "SubI", "MulI"):
            value = encode(self.code, type_, x.value, y.value, none)
        elif name in ("AndI", "OrI", "XOrI", "MulhiI"):
            value = encode(self.code, type_, x.value, y.value)
        elif name in ("MaxI", "MinI"):
            value = encode(self.code, type_, x.value, y.value, sign)
        elif name == "NegI":
            value = encode(self.code, type_, x.value, none)
        elif name == "AbsI":
            value = encode(self.code, type_, x.value)
        elif name == "ShLI":
            value = encode(self.code, type_, x.value, small, none)
        elif name == "ShRI":
            value = encode(self.code, type_, x.value, small, sign)
        else:
            divisor = ops.encode_OrIOp(self.code, type_, small,
                                       self.constant(x.element, x.shape, 1))
            if name == "RemI":
                value = encode(self.code, type_, x.value, divisor, sign)
            else:
                rounding = self.pick(ops.RoundingMode.ZERO, ops.RoundingMode.NEGATIVE_INF,
                                     ops.RoundingMode.POSITIVE_INF)
                value = encode(self.code, type_, x.value, divisor, sign, rounding)
        return self.add(value, x.element, x.shape)

    def compare(self):
        """Returns a tile of i1, of exact values only, and its shape."""
        x = self.find(lambda t: t.error == 0)
        y = self.find(lambda t: t.error == 0, element=x.element, shape=x.shape)
        predicate = self.pick(*ops.ComparisonPredicate)
        type_ = self.type("I1", x.shape)
        if x.is_float:
            value = ops.encode_CmpFOp(self.code, type_, x.value, y.value, predicate,
                                      self.pick(*ops.ComparisonOrdering))
        else:
            value = ops.encode_CmpIOp(self.code, type_, x.value, y.value, predicate,
                                      self.pick(*ops.Signedness))
        return value, x.shape

    def add_select(self):
        condition, shape = self.compare()
        x = self.find(lambda t: True, shape=shape)
        y = self.find(lambda t: True, element=x.element, shape=shape)
        value = ops.encode_SelectOp(self.code, self.of(x), condition, x.value, y.value)
        return self.add(value, x.element, shape, max(x.bound, y.bound),
                        max(x.error, y.error))

    def add_cast(self):
        x = self.find(lambda t: True)
        target = self.pick(*EPSILONS, *INTEGERS)
        to = self.type(target, x.shape)
        sign = self.pick(*ops.Signedness)
        if x.is_float and target in EPSILONS:
            if target == x.element or x.bound > LARGEST:
                return None
            value = ops.encode_FToFOp(self.code, to, x.value, NEAREST)
            error = x.error + EPSILONS[target] * x.bound
            return self.add(value, target, x.shape, x.bound, error)
        if x.is_float:
            if x.error or x.bound > 100:
                return None
            value = ops.encode_FToIOp(self.code, to, x.value, ops.Signedness.Signed,
                                      ops.RoundingMode.NEAREST_INT_TO_ZERO, False)
            return self.add(value, target, x.shape)
        if target in EPSILONS:
            # All float types hold integers of 7 bits.
            value = ops.encode_AndIOp(self.code, self.of(x), x.value,
                                      self.constant(x.element, x.shape, 127))
            value = ops.encode_IToFOp(self.code, to, value, sign, NEAREST)
            return self.add(value, target, x.shape, 127.0)
        bits, new = (int(name[1:]) for name in (x.element, target))
        if new > bits:
            value = ops.encode_ExtIOp(self.code, to, x.value, sign)
        elif new < bits:
            value = ops.encode_TruncIOp(self.code, to, x.value, ops.IntegerOverflow.NONE)
        else:
            return None
        return self.add(value, target, x.shape)

    # Shapes

    def add_reshaped(self):
        x = self.find(lambda t: True)
        left, shape = x.count, []
        while left > 1 and len(shape) < 6:
            extent = self.pick(*(2 ** n for n in range(1, left.bit_length())))
            shape.append(extent if len(shape) < 5 else left)
            left //= shape[-1]
        if self.chance(30):
            shape.insert(self.random.integers(len(shape) + 1), 1)
        value = ops.encode_ReshapeOp(self.code, self.type(x.element, shape), x.value)
        return self.add(value, x.element, shape, x.bound, x.error)

    def add_permuted(self):
        x = self.find(lambda t: len(t.shape) > 1)
        if not x:
            return None
        order = [int(dim) for dim in self.random.permutation(len(x.shape))]
        shape = [x.shape[dim] for dim in order]
        value = ops.encode_PermuteOp(self.code, self.type(x.element, shape), x.value, order)
        return self.add(value, x.element, shape, x.bound, x.error)

    def add_broadcast(self):
        x = self.find(lambda t: 1 in t.shape and t.count <= MOST_ELEMENTS // 8)
        if not x:
            return None
        shape = [self.pick(1, 2, 4) if n == 1 else n for n in x.shape]
        if np.prod(shape) > MOST_ELEMENTS:
            return None
        value = ops.encode_BroadcastOp(self.code, self.type(x.element, shape), x.value)
        return self.add(value, x.element, shape, x.bound, x.error)

    def add_joined(self):
        x = self.find(lambda t: t.shape and t.count <= MOST_ELEMENTS // 2)
        y = x and self.find(lambda t: True, element=x.element, shape=x.shape)
        if not y:
            return None
        dim = int(self.random.integers(len(x.shape)))
        shape = [n * (1 + (at == dim)) for at, n in enumerate(x.shape)]
        value = ops.encode_CatOp(self.code, self.type(x.element, shape), x.value, y.value, dim)
        return self.add(value, x.element, shape, max(x.bound, y.bound),
                        max(x.error, y.error))

    def add_part(self):
        x = self.find(lambda t: t.count > 1)
        if not x:
            return None
        shape = [max(1, n // self.pick(1, 2, 4)) for n in x.shape]
        indices = [self.constant("I32", (), int(self.random.integers(n // part)))
                   for n, part in zip(x.shape, shape)]
        value = ops.encode_ExtractOp(self.code, self.type(x.element, shape), x.value, indices)
        return self.add(value, x.element, shape, x.bound, x.error)

    def add_inserted(self):
        x = self.find(lambda t: t.count > 1)
        if not x:
            return None
        shape = [max(1, n // self.pick(1, 2, 4)) for n in x.shape]
        y = self.find(lambda t: True, element=x.element, shape=tuple(shape))
        if not y:
            return None
        indices = [self.constant("I32", (), int(self.random.integers(n // part)))
                   for n, part in zip(x.shape, shape)]
        value = ops.encode_InsertOp(self.code, self.of(x), y.value, x.value, indices)
        return self.add(value, x.element, x.shape, max(x.bound, y.bound),
                        max(x.error, y.error))

    # Reductions, scans and matmuls

    def write_combination(self, block, x, name):
        scalar = self.type(x.element)
        with block.new_block([scalar, scalar]) as (left, right):
            encode = getattr(ops, f"encode_{name}Op")
            extra = {"AddF": (NEAREST, False), "MaxF": (False, False),
                     "MinF": (True, False), "AddI": (ops.IntegerOverflow.NONE,),
                     "MulI": (ops.IntegerOverflow.NONE,), "XOrI": (),
                     "MaxI": (ops.Signedness.Signed,),
                     "MinI": (ops.Signedness.Unsigned,)}[name]
            ops.encode_YieldOp(self.code, [encode(self.code, scalar, left, right, *extra)])
        return block.done()[0]

    def pick_combination(self, x):
        """Returns an operation and its identity."""
        if x.is_float:
            name = self.pick("AddF", "MaxF", "MinF")
            value = {"AddF": 0.0, "MaxF": -np.inf, "MinF": np.inf}[name]
            kind = getattr(SimpleType, x.element)
            return name, ops.Float(value, kind, self.writer.type_table)
        name = self.pick("AddI", "MulI", "XOrI", "MaxI", "MinI")
        bits = int(x.element[1:])
        value = {"AddI": 0, "MulI": 1, "XOrI": 0, "MaxI": 1 << (bits - 1),
                 "MinI": (1 << bits) - 1}[name]
        return name, ops.Integer(self.writer.type_table.simple(
            getattr(SimpleType, x.element)), bits, value)

    def add_combined(self):
        x = self.find(lambda t: t.shape and t.bound * max(t.shape) <= LARGEST)
        if not x:
            return None
        dim = int(self.random.integers(len(x.shape)))
        name, identity = self.pick_combination(x)
        is_scan = self.chance(40)
        if is_scan:
            shape = x.shape
            block = ops.encode_ScanOp(self.code, [self.of(x)], [x.value], dim,
                                      self.chance(50), [identity])
        else:
            shape = x.shape[:dim] + x.shape[dim + 1:]
            block = ops.encode_ReduceOp(self.code, [self.type(x.element, shape)], [x.value],
                                        dim, [identity])
        value = self.write_combination(block, x, name)
        terms = x.shape[dim] if name == "AddF" else 1
        bound, error = terms * x.bound, terms * x.error
        if name == "AddF":
            error += terms * EPSILONS[x.element] * bound
        return self.add(value, x.element, shape, bound, error)

    def add_product(self):
        x = self.find(lambda t: len(t.shape) in (2, 3) and t.element in ("F16", "F32", "I8")
                      and t.bound <= 30)
        if not x:
            return None
        *batch, m, k = x.shape
        n = self.pick(1, 2, 8, 16, 32)
        if int(np.prod(batch, dtype=int)) * max(k * n, m * n) > MOST_ELEMENTS:
            return None
        y = self.find(lambda t: t.bound <= 30, element=x.element, shape=(*batch, k, n))
        if not y:
            values = self.random.integers(-8, 9, int(np.prod(batch, dtype=int)) * k * n)
            shape = (*batch, k, n)
            is_float = x.element != "I8"
            y = self.add(self.constant(x.element, shape, values / 4 if is_float else values),
                         x.element, shape, 2.0 if is_float else 0.0)
        element = "I32" if x.element == "I8" else "F32"
        shape = (*batch, m, n)
        zero = self.constant(element, shape, 0)
        type_ = self.type(element, shape)
        if element == "I32":
            value = ops.encode_MmaIOp(
                self.code, type_, x.value, y.value, zero,
                *(self.pick(ops.Signedness.Signed, ops.Signedness.Unsigned)
                  for _ in range(2)))
            return self.add(value, element, shape)
        bound = k * x.bound * y.bound
        error = k * (x.error * y.bound + y.error * x.bound + x.error * y.error)
        operands = [x.value, y.value]
        if x.element == "F32" and self.chance(50):
            operands = [ops.encode_FToFOp(self.code, self.type("TF32", t.shape), t.value,
                                          NEAREST) for t in (x, y)]
            error += 2.0 ** -9 * bound
        value = ops.encode_MmaFOp(self.code, type_, *operands, zero, False)
        return self.add(value, element, shape, bound, error + k * EPSILONS["F32"] * bound)

    # Memory

    def slice(self, index):
        """Returns a view of a part of an input, and its type."""
        array, base, sizes = self.inputs[index], self.bases[index], list(self.sizes[index])
        types = self.writer.type_table
        i32, rank = self.type("I32"), len(array.shape)
        none = ops.IntegerOverflow.NONE
        pointer = types.tile(types.pointer(types.simple(getattr(
            SimpleType, array.element)), PtrAttr.Missing), [])
        for dim in range(rank):
            if self.chance(40):
                continue
            # From `start` on, without the last elements.
            start = self.constant("I32", (), int(self.random.integers(array.shape[dim])))
            if self.chance(30):
                start = ops.encode_MinIOp(self.code, i32, start, self.blocks[0],
                                          ops.Signedness.Signed)
            left = ops.encode_SubIOp(self.code, i32, sizes[dim], start, none)
            fewer = self.constant("I32", (), int(self.random.integers(1, 41)))
            sizes[dim] = ops.encode_MinIOp(self.code, i32, left, fewer,
                                           ops.Signedness.Signed)
            offset = start if dim == rank - 1 else ops.encode_MulIOp(
                self.code, i32, start, sizes[rank + dim], none)
            if self.chance(50):
                offset = ops.encode_ExtIOp(self.code, self.type("I64"), offset,
                                           ops.Signedness.Signed)
            base = ops.encode_OffsetOp(self.code, pointer, base, offset)
        return self.make_view(array, base, sizes)

    def add_rows(self):
        """Loads through a gather and scatter view, at indices of a tile."""
        index = int(self.random.integers(len(self.inputs)))
        array, view = self.inputs[index], self.views[index]
        places = self.find(lambda t: t.element == "I32" and len(t.shape) == 1)
        if not places:
            return None
        rank, types = len(array.shape), self.writer.type_table
        sparse = int(self.random.integers(rank))
        shape = []
        for dim in range(rank):
            room = MOST_ELEMENTS // places.count // int(np.prod(shape, dtype=int))
            shape.append(min(self.pick(1, 2, 4, 8), max(room, 1)))
        shape[sparse] = places.count
        tiles = types.gather_scatter_view(shape, view[1], sparse, PaddingValue.Zero)
        rows = ops.encode_MakeGatherScatterViewOp(self.code, tiles, view[0])
        indices = [places.value if dim == sparse else
                   self.constant("I32", (), int(self.random.integers(0, 12)))
                   for dim in range(rank)]
        value, _ = ops.encode_LoadViewTkoOp(
            self.code, self.type(array.element, shape), types.Token, rows, indices, None,
            ops.MemoryOrderingSemantics.WEAK, None, None, [])
        is_float = array.element in EPSILONS
        bound = float(np.abs(array.elements).max()) if is_float else 0.0
        return self.add(value, array.element, shape, bound)

    def add_load(self):
        """Loads a tile whose offset depends on the block, inside or outside of the array."""
        index = int(self.random.integers(len(self.inputs)))
        array, view = self.inputs[index], self.views[index]
        if self.chance(30):
            view = self.slice(index)
        shape = []
        for _ in array.shape:
            room = MOST_ELEMENTS // int(np.prod(shape, dtype=int))
            shape.append(min(self.pick(1, 2, 4, 8, 16, 32), room))
        dims = [int(dim) for dim in self.random.permutation(len(shape))]
        if self.chance(60):
            dims.sort()
        types = self.writer.type_table
        is_float = array.element in EPSILONS
        padding = self.pick(PaddingValue.Zero, *([PaddingValue.NegZero] if is_float else []))
        kind = self.pick("partition", "partition", "strided")
        if kind == "strided":
            steps = [self.pick(1, 3, n) for n in shape]
            tiles = types.strided_view(shape, steps, view[1], dims, padding)
            parts = ops.encode_MakeStridedViewOp(self.code, tiles, view[0])
        else:
            tiles = types.partition_view(shape, view[1], dims, padding)
            parts = ops.encode_MakePartitionViewOp(self.code, tiles, view[0])
        indices = [self.pick(*self.blocks, self.constant("I32", (), self.pick(0, 1)))
                   for _ in shape]
        value, _ = ops.encode_LoadViewTkoOp(
            self.code, self.type(array.element, shape), types.Token, parts, indices, None,
            ops.MemoryOrderingSemantics.WEAK, None, None, [])
        bound = float(np.abs(array.elements).max()) if is_float else 0.0
        return self.add(value, array.element, shape, bound)

    def add_gather(self):
        """Loads through pointers at indices of a tile, masked by the array's size."""
        index = int(self.random.integers(len(self.inputs)))
        array, base = self.inputs[index], self.bases[index]
        places = self.find_integer(element="I32")
        if not places or len(places.shape) > 4:
            return None
        types = self.writer.type_table
        integers = self.of(places)
        count = int(np.prod(array.shape))
        low = ops.encode_MaxIOp(self.code, integers, places.value,
                                self.constant("I32", places.shape, 0),
                                ops.Signedness.Signed)
        mask = ops.encode_CmpIOp(self.code, self.type("I1", places.shape), low,
                                 self.constant("I32", places.shape, count),
                                 ops.ComparisonPredicate.LESS_THAN, ops.Signedness.Signed)
        pointer = types.pointer(types.simple(getattr(SimpleType, array.element)),
                                PtrAttr.Missing)
        one = ops.encode_ReshapeOp(self.code, types.tile(pointer, [1] * len(places.shape)),
                                   base)
        all_ = ops.encode_BroadcastOp(self.code, types.tile(pointer, list(places.shape)), one)
        pointers = ops.encode_OffsetOp(self.code, types.tile(pointer, list(places.shape)),
                                       all_, low)
        pointers = self.convert_pointers(pointers, pointer, places.shape)
        pad = self.constant(array.element, places.shape, 2)
        value, _ = ops.encode_LoadPtrTkoOp(
            self.code, self.type(array.element, places.shape), types.Token, pointers, mask,
            pad, None, ops.MemoryOrderingSemantics.WEAK, None, None)
        is_float = array.element in EPSILONS
        bound = max(2.0, float(np.abs(array.elements).max())) if is_float else 0.0
        return self.add(value, array.element, places.shape, bound)

    def convert_pointers(self, pointers, pointer, shape):
        """Returns pointers, at times by way of integers and of pointers to bytes."""
        types = self.writer.type_table
        if self.chance(30):
            integers = ops.encode_PtrToIntOp(self.code, self.type("I64", shape), pointers)
            pointers = ops.encode_IntToPtrOp(self.code, types.tile(pointer, list(shape)),
                                             integers)
        if self.chance(30):
            other = types.pointer(types.simple(getattr(SimpleType, self.pick("I8", "I64"))),
                                  PtrAttr.Missing)
            for one in (other, pointer):
                pointers = ops.encode_PtrToPtrOp(self.code, types.tile(one, list(shape)),
                                                 pointers)
        return pointers

    def add_walk(self):
        """A sum of integers through pointers that a loop moves along an input."""
        inputs = [at for at, array in enumerate(self.inputs) if array.element in INTEGERS]
        if not inputs:
            return None
        index = self.pick(*inputs)
        array, base, types = self.inputs[index], self.bases[index], self.writer.type_table
        size = int(np.prod(array.shape))
        count = self.pick(1, 2, 4, 8)
        steps = size // count
        if not steps:
            return None
        pointer = types.pointer(types.simple(getattr(SimpleType, array.element)),
                                PtrAttr.Missing)
        shape = self.pick((), (count,))
        if shape:
            base = ops.encode_ReshapeOp(self.code, types.tile(pointer, [1]), base)
            base = ops.encode_BroadcastOp(self.code, types.tile(pointer, [count]), base)
            base = ops.encode_OffsetOp(self.code, types.tile(pointer, [count]), base,
                                       ops.encode_IotaOp(self.code, self.type("I32", shape)))
        pointers = types.tile(pointer, list(shape))
        base = self.convert_pointers(base, pointer, shape)
        type_, i32 = self.type(array.element, shape), self.type("I32")
        number = lambda n: self.constant("I32", (), n)
        block = ops.encode_ForOp(self.code, [pointers, type_], number(0),
                                 number(min(steps, 5)), number(1),
                                 [base, self.constant(array.element, shape, 0)], False)
        with block.new_block([i32, pointers, type_]) as (_, at, sum_):
            value, _ = ops.encode_LoadPtrTkoOp(
                self.code, type_, types.Token, at, None, None, None,
                ops.MemoryOrderingSemantics.WEAK, None, None)
            sum_ = ops.encode_AddIOp(self.code, type_, sum_, value, ops.IntegerOverflow.NONE)
            at = ops.encode_OffsetOp(self.code, pointers, at,
                                     self.constant("I32", shape, count))
            ops.encode_ContinueOp(self.code, [at, sum_])
        return self.add(block.done()[1], array.element, shape)

    def store(self, output, view, tile):
        """Stores a tile as the block's part of an output."""
        output.element, output.error = tile.element, tile.error
        shape = tile.shape if len(tile.shape) > 1 else (*tile.shape, 1, 1)[:2]
        value = ops.encode_ReshapeOp(self.code, self.type(tile.element, shape), tile.value)
        output.shape = (self.grid[0] * shape[0], *shape[1:-1], self.grid[1] * shape[-1])
        tensor = view(output)
        types = self.writer.type_table
        tiles = types.partition_view(list(shape), tensor[1], list(range(len(shape))),
                                     PaddingValue.Missing)
        parts = ops.encode_MakePartitionViewOp(self.code, tiles, tensor[0])
        zero = self.constant("I32", (), 0)
        indices = [self.blocks[0], *[zero] * (len(shape) - 2), self.blocks[1]]
        if tile.element in ("I32", "I64") and self.chance(40):
            ops.encode_AtomicRedViewTkoOp(
                self.code, types.Token, parts, indices, value, None,
                ops.MemoryOrderingSemantics.RELAXED, ops.MemoryScope.DEVICE,
                self.pick(ops.AtomicRMWMode.ADD, ops.AtomicRMWMode.XOR,
                          ops.AtomicRMWMode.MAX, ops.AtomicRMWMode.UMIN), [])
            output.is_updated = True
            return
        ops.encode_StoreViewTkoOp(self.code, types.Token, value, parts, indices, None,
                                  ops.MemoryOrderingSemantics.WEAK, None, None, [])

    # Control

    def yield_like(self, x):
        """Returns a tile of the type of `x`, or None."""
        return self.find(lambda t: not t.is_float or t.bound <= LARGEST, element=x.element,
                         shape=x.shape)

    def add_if(self):
        condition, shape = self.compare()
        one = ops.encode_ExtractOp(self.code, self.type("I1", (1,) * len(shape)), condition, [
            self.constant("I32", (), 0) for _ in shape]) if shape else condition
        scalar = ops.encode_ReshapeOp(self.code, self.type("I1"), one)
        x = self.find(lambda t: True)
        block = ops.encode_IfOp(self.code, [self.of(x)], scalar)
        yielded = []
        for _ in range(2):
            with block.new_block([]):
                outer = list(self.tiles)
                self.add_operations(self.random.integers(1, 4))
                yielded.append(self.yield_like(x) or x)
                ops.encode_YieldOp(self.code, [yielded[-1].value])
                self.tiles = outer
        return self.add(block.done()[0], x.element, x.shape, max(y.bound for y in yielded),
                        max(y.error for y in yielded))

    def add_loop(self):
        """A loop that carries an integer tile: floats would need a bound of their growth."""
        x = self.find_integer()
        if not x:
            return None
        number = lambda n: self.constant("I32", (), n)
        if self.chance(60):
            upper = self.pick(number(int(self.random.integers(5))), self.blocks[0])
            block = ops.encode_ForOp(self.code, [self.of(x)], number(0), upper,
                                     number(self.pick(1, 2)), [x.value], False)
            with block.new_block([self.type("I32"), self.of(x)]) as (index, carried):
                outer = list(self.tiles)
                self.add(index, "I32", ())
                self.tiles += [Tile(carried, x.element, x.shape)] * 4
                self.add_operations(self.random.integers(1, 5))
                ops.encode_ContinueOp(self.code, [self.yield_like(x).value])
                self.tiles = outer
            value, = block.done()
        else:
            i32 = self.type("I32")
            most = number(int(self.random.integers(1, 5)))
            block = ops.encode_LoopOp(self.code, [self.of(x), i32], [x.value, number(0)])
            with block.new_block([self.of(x), i32]) as (carried, index):
                stop = ops.encode_CmpIOp(
                    self.code, self.type("I1"), index, most,
                    ops.ComparisonPredicate.GREATER_THAN_OR_EQUAL, ops.Signedness.Signed)
                leave = ops.encode_IfOp(self.code, [], stop)
                with leave.new_block([]):
                    ops.encode_BreakOp(self.code, [carried, index])
                with leave.new_block([]):
                    ops.encode_YieldOp(self.code, [])
                leave.done()
                outer = list(self.tiles)
                self.tiles += [Tile(carried, x.element, x.shape)] * 4
                self.add_operations(self.random.integers(1, 5))
                following = ops.encode_AddIOp(self.code, i32, index, number(1),
                                              ops.IntegerOverflow.NONE)
                ops.encode_ContinueOp(self.code, [self.yield_like(x).value, following])
                self.tiles = outer
            value, _ = block.done()
        return self.add(value, x.element, x.shape)

    def add_operations(self, count):
        made = 0
        for _ in range(4 * count):
            made += self.pick(*self.operations)() is not None
            if made == count:
                return

    # The program

    def write(self):
        """Returns the bytecode, and the program as evaluation.py takes it."""
        leaves = [self.add_constant, self.add_iota, self.add_load, self.add_load,
                  self.add_gather, self.add_rows]
        inner = [self.add_unary_float, self.add_unary_float, self.add_binary_float,
                 self.add_binary_float, self.add_binary_float, self.add_integer,
                 self.add_integer, self.add_integer, self.add_select, self.add_cast,
                 self.add_cast, self.add_reshaped, self.add_reshaped, self.add_permuted,
                 self.add_broadcast, self.add_joined, self.add_part, self.add_inserted,
                 self.add_combined,
                 self.add_combined, self.add_product, self.add_bits, self.add_narrow,
                 self.add_power, self.add_size, self.add_half_bytes, self.add_f4,
                 self.add_exponents, self.add_scaled_product, self.add_walk]
        data = bytearray()
        with record() as programs:
            with write_bytecode(1, data, BytecodeVersion.V_13_4) as self.writer:
                self.write_entry(leaves, inner)
        return bytes(data), programs[0]

    def write_entry(self, leaves, inner):
        types = self.writer.type_table
        i32 = self.type("I32")
        # The rank of an output is not known yet: there are parameters for six dimensions.
        ranks = [len(a.shape) for a in self.inputs] + [6] * len(self.outputs)
        self.output_elements = [self.pick("F32", "I32", "F16", "I64", "F64", "I8", "I16")
                                for _ in self.outputs]
        elements = [a.element for a in self.inputs] + self.output_elements
        parameters = []
        for element, rank in zip(elements, ranks):
            simple = types.simple(getattr(SimpleType, element))
            parameters += [types.tile(types.pointer(simple, PtrAttr.Missing), []),
                           *[i32] * (2 * rank)]
        location = self.writer.debug_attr_table.loc(DebugAttrId(0), "random.py", line=1,
                                                    column=1)
        with self.writer.function("random", parameters, [], True, {}, location) as (
                self.code, values):
            with self.code.debug_attr(location):
                self.write_body(iter(values), leaves, inner)

    def make_view(self, array, base, sizes):
        """Returns the tensor view of an array, and its type."""
        types = self.writer.type_table
        rank = len(array.shape)
        element = types.simple(getattr(SimpleType, array.element))
        type_ = types.tensor_view(element, [DYNAMIC] * rank, [DYNAMIC] * (rank - 1) + [1],
                                  PtrAttr.Missing)
        view = ops.encode_MakeTensorViewOp(self.code, type_, base, sizes[:rank],
                                           sizes[rank:2 * rank - 1])
        return view, type_

    def write_body(self, values, leaves, inner):
        self.tiles, self.bases, self.sizes, self.views = [], [], [], []
        if self.chance(20):
            token = ops.encode_GdcWaitTkoOp(self.code, self.writer.type_table.Token, None)
            token = ops.encode_MemoryFenceAliasTkoOp(
                self.code, self.writer.type_table.Token, token)
            ops.encode_GdcLaunchDependentsTkoOp(self.code, self.writer.type_table.Token, token)
        for array in self.inputs:
            self.bases.append(next(values))
            self.sizes.append(list(itertools.islice(values, 2 * len(array.shape))))
            self.views.append(self.make_view(array, self.bases[-1], self.sizes[-1]))
        outputs = [(next(values), list(itertools.islice(values, 12))) for _ in self.outputs]
        i32 = self.type("I32")
        self.blocks = ops.encode_GetTileBlockIdOp(self.code, i32, i32, i32)[:2]
        for block in self.blocks:
            self.add(block, "I32", ())
        self.operations = leaves
        self.add_operations(4)
        self.operations = leaves + 2 * inner
        self.add_operations(int(self.random.integers(3, 25)))
        self.operations = self.operations + [self.add_if, self.add_if, self.add_loop,
                                             self.add_loop]
        self.add_operations(int(self.random.integers(2, 12)))
        for output, element, (base, sizes) in zip(self.outputs, self.output_elements, outputs):
            # A loose bound of the error would hide faults.
            tile = self.find(lambda t: len(t.shape) <= 5 and t.error <= 0.05 * t.bound,
                             element=element)
            if not tile:
                shape = self.pick_shape()
                tile = self.add(self.constant(element, shape, 1), element, shape, 1.0)
            self.store(output, lambda array: self.make_view(array, base, sizes), tile)
        ops.encode_ReturnOp(self.code, [])


# ----------------------------------------------------------------------------
# Runs
# ----------------------------------------------------------------------------


def make(seed):
    """Returns a call, its bytecode, and its program as evaluation.py takes it."""
    writer = Writer(seed)
    data, program = writer.write()
    return Call(writer.grid, writer.inputs, writer.outputs), data, program


def check(seed, folder, keep):
    """Returns the faults of a program."""
    call, data, program = make(seed)
    faults = list_faults(call, data, program, folder)
    if faults and keep:
        (keep / f"{seed}.tileirbc").write_bytes(data)
    return faults


def describe(array):
    return {"element": array.element, "shape": array.shape, "seed": array.seed,
            "error": array.error, "is_updated": array.is_updated}


def store(folder, count):
    """Writes the programs with most operations, or types of them, that no earlier one has,
    among five times as many."""
    kinds = {seed: list_kinds(make(seed)[2]) for seed in range(1, 5 * count + 1)}
    seen = set()
    for number in range(count):
        seed = max(kinds, key=lambda seed: len(kinds[seed] - seen))
        seen |= kinds.pop(seed)
        call, data, program = make(seed)
        (folder / f"{number:02}.tileirbc").write_bytes(data)
        (folder / f"{number:02}.json").write_text(json.dumps({
            "seed": seed, "grid": call.grid, "inputs": list(map(describe, call.inputs)),
            "outputs": list(map(describe, call.outputs)),
            "program": to_json(program)}, separators=(",", ":")) + "\n")
    print(f"{len(seen)} kinds of operations")


def main():
    if sys.argv[1] == "--store":
        store(Path(sys.argv[2]), int(sys.argv[3]))
        return
    first, count = map(int, sys.argv[1:3])
    keep = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory() as folder:
        report((seed, check(seed, Path(folder), keep))
               for seed in range(first, first + count))


if __name__ == "__main__":
    main()
