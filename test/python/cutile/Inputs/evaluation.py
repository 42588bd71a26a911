# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates cuTile programs with NumPy, floats as float64.

The programs are those that recorded_programs.py records, so that neither our reader nor our
translator takes part:

    evaluate(program, grid, parameters)

`parameters` are those of the program, in order: an `Array` for a pointer, and an int or a
float else. Programs of a grid run one after the other. An access out of bounds is an
error, and a value that the language leaves undefined is NaN or 77. Promises of bounds are not used.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from recorded_programs import DYNAMIC, ELEMENTS, Type, element_of


# ----------------------------------------------------------------------------
# Memory
# ----------------------------------------------------------------------------


class Array:
    """The memory of an array, all elements from its address on. Its elements are kept as
    float64 or as integers, and an address is a byte in a space of its own."""

    def __init__(self, elements, element):
        self.element = ELEMENTS[element]
        self.elements = np.array(elements).ravel().astype(self.element.values)


class Memory:
    def __init__(self, arrays):
        self.arrays = arrays

    def get_address(self, array):
        return np.int64((next(i for i, a in enumerate(self.arrays) if a is array) + 1) << 40)

    def find(self, addresses, mask):
        """Yields each array that `addresses` point to, where, and at which elements."""
        owners = addresses >> 40
        for owner in np.unique(owners[mask]):
            if not 1 <= owner <= len(self.arrays):
                raise IndexError(f"an address outside all arrays: {owner << 40:#x}")
            array = self.arrays[owner - 1]
            chosen = mask & (owners == owner)
            offsets = addresses[chosen] - (owner << 40)
            if (offsets % array.element.size).any():
                raise IndexError("an address inside an element")
            at = offsets // array.element.size
            if (at >= len(array.elements)).any():
                raise IndexError(f"element {at.max()} of {len(array.elements)}")
            yield array, chosen, at

    def load(self, addresses, mask, otherwise, values):
        result = np.broadcast_to(np.asarray(otherwise, values), addresses.shape).copy()
        for array, chosen, at in self.find(addresses, mask):
            result[chosen] = array.elements[at]
        return result

    def store(self, addresses, mask, value):
        for array, chosen, at in self.find(addresses, mask):
            array.elements[at] = value[chosen]

    def update(self, addresses, mask, change):
        """Replaces each element by `change(index, old)`, one after the other, and returns
        the old ones."""
        old = np.zeros(addresses.shape, object)
        for array, chosen, at in self.find(addresses, mask):
            for index, element in zip(np.argwhere(chosen), at):
                index = tuple(index)
                old[index] = array.elements[element]
                array.elements[element] = change(index, old[index])
        return old


@dataclass
class View:
    """An array in memory, `address` of its first element, and how tiles are cut of it."""

    type: Any
    address: Any
    shape: tuple
    strides: tuple

    def locate(self, index):
        """Returns the addresses of a tile, and which of them are inside the array."""
        fields = self.type.fields
        tile = fields["tile_shape"]
        rank = len(tile)
        if self.type.kind == "gather_scatter_view":
            sparse = fields["sparse_dim"]
            starts = list(index)
            steps = [1] * rank
            dims = range(rank)
        else:
            sparse = None
            steps = fields.get("traversal_strides", tile)
            dims = fields["dim_map"]
            starts = [int(i) * step for i, step in zip(index, steps)]
        addresses = np.full(tile, self.address)
        inside = np.ones(tile, bool)
        for axis, dim in enumerate(dims):
            if axis == sparse:
                places = np.asarray(starts[axis], np.int64)
            else:
                places = int(starts[axis]) + np.arange(tile[axis], dtype=np.int64)
            shape = [1] * rank
            shape[axis] = tile[axis]
            places = places.reshape(shape)
            inside &= (places >= 0) & (places < self.shape[dim])
            addresses = addresses + places * self.strides[dim] * element_of(self.type).size
        return addresses, inside

    @property
    def otherwise(self):
        """The value outside the array."""
        return {"Missing": element_of(self.type).undefined, "Zero": 0, "NegZero": -0.0,
                "Nan": np.nan, "PosInf": np.inf,
                "NegInf": -np.inf}[self.type.fields["padding_value"].name]


# ----------------------------------------------------------------------------
# Elementwise operations
# ----------------------------------------------------------------------------


def unsigned(x):
    x = np.asarray(x)
    return x if x.dtype == np.bool_ else x.view(f"u{x.dtype.itemsize}")


def as_signedness(fields, *values, name="signedness"):
    is_signed = fields[name].name == "Signed"
    return [np.asarray(v) if is_signed else unsigned(v) for v in values]


def divide(fields, x, y):
    x, y = as_signedness(fields, x, y)
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    floor = x // safe
    exact = floor * safe == x
    rounding = fields["rounding"].name
    if rounding == "POSITIVE_INF":
        return (floor + ~exact).astype(x.dtype)
    if rounding == "NEGATIVE_INF" or x.dtype.kind == "u":
        return floor
    return np.where(~exact & ((x < 0) != (safe < 0)), floor + 1, floor).astype(x.dtype)


def remainder(fields, x, y):
    x, y = as_signedness(fields, x, y)
    safe = np.where(y == 0, 1, y).astype(y.dtype)
    return np.fmod(x, safe)


def compare_integers(fields, x, y):
    return compare(fields, *as_signedness(fields, x, y))


def compare(fields, x, y):
    name = fields["comparison_predicate"].name
    result = {"EQUAL": np.equal, "NOT_EQUAL": np.not_equal, "LESS_THAN": np.less,
              "LESS_THAN_OR_EQUAL": np.less_equal, "GREATER_THAN": np.greater,
              "GREATER_THAN_OR_EQUAL": np.greater_equal}[name](x, y)
    if "comparison_ordering" in fields:
        unordered = np.isnan(x) | np.isnan(y)
        is_ordered = fields["comparison_ordering"].name == "ORDERED"
        result = result & ~unordered if is_ordered else result | unordered
    return result


def shift_right(fields, x, y):
    x, = as_signedness(fields, x)
    bits = 8 * x.dtype.itemsize
    return x >> np.clip(unsigned(y), 0, bits - 1).astype(x.dtype)


def multiply_high(fields, x, y):
    x, y = unsigned(x), unsigned(y)
    product = x.astype(object) * y.astype(object)
    return np.asarray(product >> (8 * x.dtype.itemsize)).astype(x.dtype)


def extreme(choose, choose_number):
    return lambda fields, x, y: \
        (choose if fields["propagate_nan"] else choose_number)(x, y)


def extend(fields, x, source):
    x, = as_signedness(fields, x)
    if source is ELEMENTS["I4"] and x.dtype.kind == "u":
        x = x & 15
    target = element_of(fields["to_type"]).values
    if x.dtype == np.bool_:
        return np.where(x, -1 if fields["signedness"].name == "Signed" else 1, 0).astype(target)
    return x.astype(target)


def float_to_integer(fields, x):
    target = element_of(fields["to_type"]).values
    if fields["signedness"].name != "Signed":
        target = np.dtype(f"u{np.dtype(target).itemsize}").type
    with np.errstate(invalid="ignore"):
        if target is np.bool_:
            return x != 0
        info = np.iinfo(target)
        exact = np.trunc(np.nan_to_num(x, nan=0.0))
        result = np.clip(exact, float(info.min), float(info.max))
        return np.where(result >= float(info.max), info.max, result).astype(target) \
            if info.bits == 64 else result.astype(target)


def truncate(fields, x):
    target = element_of(fields["to_type"])
    x = np.asarray(x)
    if target.name == "I1":
        return (x & 1).astype(np.bool_)
    return extend_half_bytes(x) if target.name == "I4" else x


def extend_half_bytes(x):
    """Returns the signed integers of the lowest four bits."""
    return np.asarray(((np.asarray(x) & 15) ^ 8) - 8, np.int8)


def convert_float(fields, x):
    """Floats keep their values in float64, but those of f4E2M1FN and f8E8M0FNU."""
    target = element_of(fields["to_type"]).name
    if target == "F4E2M1FN":
        values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
        size = np.abs(np.asarray(x))
        between = (values[1:] + values[:-1]) / 2
        code = sum((size > m) | ((size == m) & (i % 2 == 1)) for i, m in enumerate(between))
        code = np.where(np.isnan(x), 7, code)
        return np.where(np.signbit(x) & ~np.isnan(x), -values[code], values[code])
    if target == "F8E8M0FNU":
        fraction, exponent = np.frexp(x)  # x = fraction * 2^exponent, from 0.5 on
        is_up = fields["rounding_mode"].name == "POSITIVE_INF"
        exponent = exponent - 1 + (is_up & (fraction != 0.5))
        exponent = np.where(np.asarray(x) == 0, -127, np.where(np.isinf(x), 127, exponent))
        value = np.exp2(np.clip(exponent, -127, 127).astype(np.float64))
        return np.where((np.asarray(x) < 0) | np.isnan(x), np.nan, value)
    return x


def integer_to_float(fields, x):
    return as_signedness(fields, x)[0].astype(np.float64)


BINARY = {
    "AddF": np.add, "SubF": np.subtract, "MulF": np.multiply, "DivF": np.divide,
    "AddI": np.add, "SubI": np.subtract, "MulI": np.multiply, "RemF": np.fmod,
    "AndI": np.bitwise_and, "OrI": np.bitwise_or, "XOrI": np.bitwise_xor,
    "Atan2": np.arctan2, "FPowF": np.power, "FPowI": lambda x, y: np.power(x, y * 1.0),
    "ShLI": lambda x, y: np.left_shift(x, y),
}
UNARY = {
    "AbsF": np.abs, "AbsI": np.abs, "NegF": np.negative, "NegI": np.negative,
    "Ceil": np.ceil, "Floor": np.floor, "Cos": np.cos, "CosH": np.cosh, "Sin": np.sin,
    "SinH": np.sinh, "Tan": np.tan, "TanH": np.tanh, "Exp": np.exp, "Exp2": np.exp2,
    "Log": np.log, "Log2": np.log2, "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x),
}
BY_FIELDS = {
    "DivI": (divide, "lhs", "rhs"), "RemI": (remainder, "lhs", "rhs"),
    "CmpI": (compare_integers, "lhs", "rhs"), "CmpF": (compare, "lhs", "rhs"),
    "ShRI": (shift_right, "lhs", "rhs"),
    "MaxF": (extreme(np.maximum, np.fmax), "lhs", "rhs"),
    "MinF": (extreme(np.minimum, np.fmin), "lhs", "rhs"),
    "MaxI": (lambda f, x, y: np.maximum(*as_signedness(f, x, y)), "lhs", "rhs"),
    "MinI": (lambda f, x, y: np.minimum(*as_signedness(f, x, y)), "lhs", "rhs"),
    "ExtI": (extend, "from_"), "FToI": (float_to_integer, "from_"),
    "IToF": (integer_to_float, "from_"),
    "TruncI": (truncate, "from_"),
    "FToF": (convert_float, "from_"),
    "MulhiI": (multiply_high, "x", "y"),
    "Select": (lambda f, c, x, y: np.where(c, x, y), "cond", "val_if_true",
               "val_if_false"),
    "Fma": (lambda f, x, y, z: x * y + z, "lhs", "rhs", "acc"),
}


def combine(mode, old, new):
    """Returns what an atomic operation leaves in memory."""
    if mode == "XCHG":
        return new
    if mode in ("ADD", "ADDF"):
        return old + new
    if mode in ("AND", "OR", "XOR"):
        return {"AND": np.bitwise_and, "OR": np.bitwise_or,
                "XOR": np.bitwise_xor}[mode](old, new)
    if mode in ("UMAX", "UMIN"):
        pick = max if mode == "UMAX" else min
        return pick(old, new, key=lambda x: int(unsigned(x)))
    return {"MAX": max, "MIN": min}[mode](old, new)


# ----------------------------------------------------------------------------
# Bits
# ----------------------------------------------------------------------------

# Exponent bits, fraction bits, and bias.
FORMATS = {"BF16": (8, 7, 127), "F8E4M3FN": (4, 3, 7), "F8E5M2": (5, 2, 15),
           "F4E2M1FN": (2, 1, 1), "TF32": (8, 10, 127)}


def read_bits(element, bits):
    """Returns the values of elements that are given as unsigned integers."""
    if element.name == "I4":
        return extend_half_bytes(bits.astype(np.int8))
    if element.stored is not None:
        unsigned_ = bits.astype(f"u{element.size}")
        return unsigned_.view(element.stored).astype(element.values)
    if element.name == "F8E8M0FNU":
        return np.where(bits == 255, np.nan, np.exp2(bits.astype(np.float64) - 127))
    exponents, fractions, bias = FORMATS[element.name]
    bits = bits.astype(np.int64)
    fraction = bits & ((1 << fractions) - 1)
    exponent = (bits >> fractions) & ((1 << exponents) - 1)
    sign = np.where(bits >> (fractions + exponents) & 1, -1.0, 1.0)
    value = np.where(exponent == 0, np.ldexp(fraction * 1.0, 1 - bias - fractions),
                     np.ldexp(1 + fraction / (1 << fractions), exponent - bias))
    top = exponent == (1 << exponents) - 1
    if element.name in ("BF16", "F8E5M2", "TF32"):
        value = np.where(top, np.where(fraction == 0, np.inf, np.nan), value)
    if element.name == "F8E4M3FN":
        value = np.where(top & (fraction == 7), np.nan, value)
    return sign * value


def read_constant(element, data):
    if element.name == "I1":
        return np.frombuffer(data, np.uint8) != 0
    if element.stored is not None:
        return np.frombuffer(data, element.stored).astype(element.values)
    width = 4 if element.name == "TF32" else element.size
    return read_bits(element, np.frombuffer(data, f"u{width}"))


def write_bits(element, values):
    """Returns the bits of values as unsigned integers, rounded to nearest even."""
    if element.stored is not None:
        with np.errstate(over="ignore"):
            return np.asarray(values).astype(element.stored).view(f"u{element.size}")
    if element.name == "BF16":
        wide = np.asarray(values, np.float32).view(np.uint32)
        return ((wide + 0x7FFF + ((wide >> 16) & 1)) >> 16).astype(np.uint16)
    if element.name == "I4":
        return np.asarray(values).astype(np.uint8) & 15
    if element.name == "F8E8M0FNU":
        _, exponents = np.frexp(values)  # of 1 it is 1
        return np.where(np.isnan(values), 255, exponents + 126).astype(np.uint8)
    # Other floats here have the values of their type.
    codes = np.arange(1 << element.bits, dtype=np.uint8)
    table = read_bits(element, codes)
    values = np.asarray(values)
    same = (table == values[..., None]) & (np.signbit(table) == np.signbit(values)[..., None])
    return np.argmax(same, -1).astype(np.uint8)


# ----------------------------------------------------------------------------
# Control
# ----------------------------------------------------------------------------


class Leave(Exception):
    """The end of a region: `how` is Continue, Break or Return."""

    def __init__(self, how, values):
        self.how, self.values = how, values


class Evaluator:
    """Evaluates one program of the grid. Values are found by the identity of the objects
    that cuda-tile made for them, since it reuses their indices."""

    def __init__(self, memory, place, grid):
        self.memory, self.place, self.grid = memory, place, grid
        self.values = {}

    def __getitem__(self, value):
        if isinstance(value, (tuple, list)):
            return [self[v] for v in value]
        return None if value is None else self.values[id(value)]

    def bind(self, names, values):
        for name, value in zip(names, values):
            self.values[id(name)] = value

    def run(self, body):
        """Runs operations, and returns what the region yields."""
        for operation in body:
            if operation.name == "Yield":
                return self[operation.fields["operands"]]
            if operation.name in ("Continue", "Break", "Return"):
                raise Leave(operation.name, self[operation.fields["operands"]])
            self.bind(operation.results, self.evaluate(operation))
        return []

    def run_region(self, region, values):
        names, body = region
        self.bind(names, values)
        return self.run(body)

    def evaluate(self, operation):
        """Returns the results of an operation."""
        name, fields = operation.name, operation.fields
        if name in BINARY:
            lhs, rhs = [fields[key] for key in fields
                        if key in ("lhs", "rhs", "x", "y", "source", "exponent")]
            return [BINARY[name](self[lhs], self[rhs])]
        if name in UNARY:
            return [UNARY[name](self[fields["source"]])]
        if name in BY_FIELDS:
            function, *operands = BY_FIELDS[name]
            values = [self[fields[key]] for key in operands]
            if name == "ExtI":
                # Induction variables have no recorded type, and are never of I4.
                values.append(self.types.get(id(fields["from_"])))
            result = function(fields, *values)
            type_ = fields.get("result_type") or fields.get("to_type")
            if name.startswith("Cmp"):
                return [result]
            values = element_of(type_).values
            result = np.asarray(result)
            if values is not np.float64 and result.dtype.kind == "u":
                result = result.view(f"i{result.dtype.itemsize}")
            return [result.astype(values) if result.dtype != values else result]
        return getattr(self, "run_" + name)(operation, fields)

    # Control flow

    def run_If(self, operation, fields):
        return self.run_region(operation.regions[0 if self[fields["condition"]] else 1], [])

    def run_For(self, operation, fields):
        lower, upper, step = (self[fields[key]] for key in
                              ("lowerBound", "upperBound", "step"))
        if fields["unsignedCmp"]:
            lower, upper, step = map(unsigned, (lower, upper, step))
        values = self[fields["initValues"]]
        dtype = np.asarray(self[fields["lowerBound"]]).dtype
        for index in range(int(lower), int(upper), int(step)):
            try:
                values = self.run_region(operation.regions[0],
                                         [np.array(index).astype(dtype), *values])
            except Leave as leave:
                if leave.how == "Return":
                    raise
                values = leave.values
                if leave.how == "Break":
                    break
        return values

    def run_Loop(self, operation, fields):
        values = self[fields["initValues"]]
        for _ in range(1_000_000):
            try:
                values = self.run_region(operation.regions[0], values)
            except Leave as leave:
                if leave.how == "Return":
                    raise
                values = leave.values
                if leave.how == "Break":
                    return values
        raise RuntimeError("a loop that does not end")

    # Constants, block indices and shapes

    def run_Constant(self, operation, fields):
        type_ = fields["result_type"]
        values = read_constant(element_of(type_), fields["value"])
        shape = type_.fields["concreteShapeCache"]
        return [values.reshape(shape) if values.size == np.prod(shape, dtype=int) else
                np.full(shape, values[0])]

    def run_Iota(self, operation, fields):
        type_ = fields["result_type"]
        return [np.arange(type_.fields["concreteShapeCache"][0],
                          dtype=element_of(type_).values)]

    def run_GetTileBlockId(self, operation, fields):
        return [np.array(i, np.int32) for i in self.place]

    def run_GetNumTileBlocks(self, operation, fields):
        return [np.array(i, np.int32) for i in self.grid]

    def run_Assume(self, operation, fields):
        value, predicate = self[fields["value"]], fields["predicate"]
        if hasattr(predicate, "lb") and isinstance(value, np.ndarray):
            assert predicate.lb is None or (value >= predicate.lb).all(), "assumed bound"
            assert predicate.ub is None or (value <= predicate.ub).all(), "assumed bound"
        return [value]

    def run_Reshape(self, operation, fields):
        return [np.reshape(self[fields["source"]],
                           fields["result_type"].fields["concreteShapeCache"])]

    def run_Broadcast(self, operation, fields):
        return [np.broadcast_to(self[fields["source"]],
                                fields["result_type"].fields["concreteShapeCache"]).copy()]

    def run_Permute(self, operation, fields):
        return [np.transpose(self[fields["source"]], fields["permutation"])]

    def run_Cat(self, operation, fields):
        return [np.concatenate([self[fields["lhs"]], self[fields["rhs"]]], fields["dim"])]

    def get_box(self, indices, shape):
        return tuple(slice(int(i) * n, (int(i) + 1) * n)
                     for i, n in zip(self[indices], shape))

    def run_Extract(self, operation, fields):
        shape = fields["result_type"].fields["concreteShapeCache"]
        return [self[fields["source"]][self.get_box(fields["indices"], shape)]]

    def run_Insert(self, operation, fields):
        source, result = self[fields["source"]], self[fields["destination"]].copy()
        result[self.get_box(fields["indices"], source.shape)] = source
        return [result]

    def run_Bitcast(self, operation, fields):
        type_ = fields["result_type"]
        source = self[fields["source"]]
        target = element_of(type_)
        origin = self.types[id(fields["source"])]
        bits = write_bits(origin, source)
        return [read_bits(target, bits).reshape(np.shape(source))]

    def run_Pack(self, operation, fields):
        element = self.types[id(fields["source"])]
        bits = write_bits(element, self[fields["source"]])
        if element.bits == 4:
            bits = bits[::2] | bits[1::2] << 4
        return [np.ascontiguousarray(bits).view(np.int8)]

    def run_Unpack(self, operation, fields):
        element = element_of(fields["result_type"])
        bits = np.asarray(self[fields["source"]]).view(np.uint8)
        if element.bits == 4:
            bits = np.stack([bits & 15, bits >> 4], -1).reshape(-1)
        else:
            bits = bits.view(f"u{element.size}")
        return [read_bits(element, bits)]

    # Reductions, scans and matmuls

    def fold(self, region, left, right, shape):
        """Combines tiles with a region whose values are elements."""
        pairs = [value for pair in zip(left, right) for value in pair]
        return [np.broadcast_to(v, shape) for v in self.run_region(region, pairs)]

    def run_Reduce(self, operation, fields):
        dim = fields["dim"]
        values = [np.moveaxis(v, dim, 0) for v in self[fields["operands"]]]
        while len(values[0]) > 1:
            half = len(values[0]) // 2
            parts = self.fold(operation.regions[0], [v[:half] for v in values],
                              [v[half:2 * half] for v in values], values[0][:half].shape)
            values = [np.concatenate([p, v[2 * half:]]) for p, v in zip(parts, values)]
        return [v[0] for v in values]

    def run_Scan(self, operation, fields):
        dim, is_reverse = fields["dim"], fields["reverse"]
        values = [np.moveaxis(v, dim, 0) for v in self[fields["operands"]]]
        if is_reverse:
            values = [v[::-1] for v in values]
        rows = [[v[0] for v in values]]
        for at in range(1, len(values[0])):
            rows.append(self.fold(operation.regions[0], [v[at] for v in values], rows[-1],
                                  rows[0][0].shape))
        results = [np.stack(column) for column in zip(*rows)]
        if is_reverse:
            results = [v[::-1] for v in results]
        return [np.moveaxis(v, 0, dim) for v in results]

    def run_MmaF(self, operation, fields):
        return [self[fields["lhs"]] @ self[fields["rhs"]] + self[fields["acc"]]]

    def run_MmaI(self, operation, fields):
        lhs, = as_signedness(fields, self[fields["lhs"]], name="signedness_lhs")
        rhs, = as_signedness(fields, self[fields["rhs"]], name="signedness_rhs")
        return [lhs.astype(np.int32) @ rhs.astype(np.int32) + self[fields["acc"]]]

    def run_MmaFScaled(self, operation, fields):
        lhs, rhs = self[fields["lhs"]], self[fields["rhs"]]
        lhs_scale, rhs_scale = self[fields["lhs_scale"]], self[fields["rhs_scale"]]
        lhs = lhs * np.repeat(lhs_scale, lhs.shape[-1] // lhs_scale.shape[-1], -1)
        rhs = rhs * np.repeat(rhs_scale, rhs.shape[-2] // rhs_scale.shape[-2], -2)
        return [lhs @ rhs + self[fields["acc"]]]

    # Views

    def run_MakeTensorView(self, operation, fields):
        type_ = fields["result_type"]
        dynamic = {key: iter(self[fields[name]]) for key, name in
                   (("shape", "dynamicShape"), ("strides", "dynamicStrides"))}
        sizes = {key: tuple(int(next(given)) if n == DYNAMIC else n
                            for n in type_.fields[key])
                 for key, given in dynamic.items()}
        return [View(type_, self[fields["base"]], **sizes)]

    def make_view(self, operation, fields):
        base = self[fields["tensor_view"]]
        return [View(fields["result_type"], base.address, base.shape, base.strides)]

    run_MakePartitionView = run_MakeStridedView = run_MakeGatherScatterView = make_view

    def run_GetTensorShape(self, operation, fields):
        values = element_of(fields["result_types"][0]).values
        return [np.array(n, values) for n in self[fields["src"]].shape]

    def run_GetIndexSpaceShape(self, operation, fields):
        view = self[fields["src"]]
        values = element_of(fields["result_types"][0]).values
        tile = view.type.fields["tile_shape"]
        steps = view.type.fields.get("traversal_strides", tile)
        dims = view.type.fields["dim_map"]
        return [np.array(-(-view.shape[dim] // step), values)
                for dim, step in zip(dims, steps)]

    def run_LoadViewTko(self, operation, fields):
        view = self[fields["view"]]
        addresses, inside = view.locate(self[fields["index"]])
        values = element_of(fields["tile_type"]).values
        return [self.memory.load(addresses, inside, view.otherwise, values), None]

    def run_StoreViewTko(self, operation, fields):
        addresses, inside = self[fields["view"]].locate(self[fields["index"]])
        self.memory.store(addresses, inside, self[fields["tile"]])
        return [None]

    def run_AtomicRedViewTko(self, operation, fields):
        addresses, inside = self[fields["view"]].locate(self[fields["index"]])
        value = self[fields["value"]]
        self.memory.update(addresses, inside, lambda index, old: combine(
            fields["mode"].name, old, value[index]))
        return [None]

    # Pointers

    def run_Offset(self, operation, fields):
        size = self.pointees[id(fields["ptr"])].size
        return [self[fields["ptr"]] + self[fields["offset"]].astype(np.int64) * size]

    def get_mask(self, fields, shape):
        mask = fields.get("mask")
        return np.ones(shape, bool) if mask is None else self[mask]

    def run_LoadPtrTko(self, operation, fields):
        addresses = np.asarray(self[fields["source"]])
        element = element_of(fields["result_type"])
        otherwise = fields["paddingValue"]
        otherwise = element.undefined if otherwise is None else self[otherwise]
        return [self.memory.load(addresses, self.get_mask(fields, addresses.shape), otherwise,
                                 element.values), None]

    def run_StorePtrTko(self, operation, fields):
        addresses = np.asarray(self[fields["destination"]])
        self.memory.store(addresses, self.get_mask(fields, addresses.shape),
                          np.asarray(self[fields["value"]]))
        return [None]

    def run_AtomicRMWTko(self, operation, fields):
        addresses, value = map(np.asarray, self[[fields["pointers"], fields["arg"]]])
        old = self.memory.update(
            addresses, self.get_mask(fields, addresses.shape),
            lambda index, old: combine(fields["mode"].name, old, value[index]))
        return [old.astype(element_of(fields["result_type"]).values), None]

    def run_AtomicCASTko(self, operation, fields):
        addresses, expected, value = map(np.asarray, self[
            [fields["pointers"], fields["cmp"], fields["val"]]])
        old = self.memory.update(
            addresses, self.get_mask(fields, addresses.shape),
            lambda index, old: value[index] if old == expected[index] else old)
        return [old.astype(element_of(fields["result_type"]).values), None]

    def run_IntToPtr(self, operation, fields):
        return [np.asarray(self[fields["source"]], np.int64)]

    run_PtrToInt = run_PtrToPtr = run_IntToPtr

    # Order and output

    def ignore(self, operation, fields):
        return [None] * len(operation.results)

    run_MakeToken = run_JoinTokens = run_PrintTko = ignore
    run_GdcWaitTko = run_GdcLaunchDependentsTko = run_MemoryFenceAliasTko = ignore

    def run_Assert(self, operation, fields):
        assert np.all(self[fields["condition"]]), fields["message"]
        return []


def list_types(program):
    """Returns the element, or the element pointed to, of each value of a program."""
    elements, pointees = {}, {}

    def note(value, type_):
        base = type_
        while base.kind == "tile":
            base = base.fields["elementType"]
        if base.kind == "pointer":
            pointees[id(value)] = ELEMENTS[base.fields["pointeeType"].fields["t"].name]
        elif base.kind == "simple" and base.fields["t"].name in ELEMENTS:
            elements[id(value)] = element_of(base)

    def visit(body):
        for operation in body:
            results = [type_ for key, type_ in operation.fields.items()
                       if isinstance(type_, Type) and key.endswith("type")]
            results += operation.fields.get("result_types", ())
            for value, type_ in zip(operation.results, results):
                note(value, type_)
            for names, nested in operation.regions:
                # A loop's last arguments have the types of its initial values.
                initial = operation.fields.get("initValues", ())
                for name, value in zip(names[len(names) - len(initial):], initial):
                    for table in (elements, pointees):
                        if id(value) in table:
                            table[id(name)] = table[id(value)]
                visit(nested)

    for value, type_ in zip(program.parameters, program.types):
        note(value, type_)
    visit(program.body)
    return elements, pointees


def evaluate(program, grid, parameters):
    """Runs `program` on a grid of three extents. Arrays among the parameters change."""
    memory = Memory([p for p in parameters if isinstance(p, Array)])
    values = [memory.get_address(p) if isinstance(p, Array) else
              np.array(p, element_of(type_).values)
              for p, type_ in zip(parameters, program.types)]
    elements, pointees = list_types(program)
    with np.errstate(all="ignore"):
        for z in range(grid[2]):
            for y in range(grid[1]):
                for x in range(grid[0]):
                    evaluator = Evaluator(memory, (x, y, z), grid)
                    evaluator.types, evaluator.pointees = elements, pointees
                    evaluator.bind(program.parameters, values)
                    try:
                        evaluator.run(program.body)
                    except Leave as leave:
                        assert leave.how == "Return"
