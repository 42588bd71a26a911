# random_linalg.py - random functions of linalg and tensor, with bounds of their errors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# write_program(SEED) makes a function of the operations that -convert-linalg-to-tile
# supports: generics with arbitrary maps, reductions, matmuls, windows, softmax,
# transposes, pads, slices, insertions, concatenations, reshapes and gathers, on tensors
# with static and dynamic extents.
#
# Results of integers must be exact. For floating-point values the function has a second
# form, the sizes: the same operations on the arguments' absolute values, with + for -,
# and the largest operand for a maximum or minimum. A size bounds the absolute value of
# the result, and TERMS * u times the size bounds its error, u being the roundoff of the
# narrowest type (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002,
# chapter 3: the relative errors of the operands of + and * add up). No operation makes
# a choice that depends on a rounded value.

import math
import random
from dataclasses import dataclass, field

EXTENTS = (1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 32, 33, 40, 64, 70, 130)
MOST_ELEMENTS = 20000
# The narrow and the wide element type of a program of integers or floats.
TYPES = (("f32", "f32"), ("f32", "f64"), ("f16", "f32"), ("bf16", "f32"),
         ("i32", "i32"), ("i8", "i32"), ("i32", "i64"))


@dataclass(eq=False)
class Extent:
    """Extent of a dimension; a dynamic extent has a name in the function."""
    size: int
    name: str = ""

    def __str__(self):
        return "?" if self.name else str(self.size)


@dataclass
class Value:
    name: str
    element: str
    dims: list
    # Number of terms of the value's error; zero for an argument.
    terms: int = 0

    @property
    def type(self):
        return "tensor<%s%s>" % ("".join("%sx" % dim for dim in self.dims),
                                 self.element)


@dataclass
class Program:
    """A function, and its arguments."""
    text: str
    sizes: str
    # The narrowest element type of the function's values.
    narrow: str
    terms: list
    # Shapes of array arguments and values of size arguments; `limits` has the
    # exclusive upper bounds of arrays of indices, else None.
    shapes: list
    limits: list


def count(dims):
    return math.prod(dim.size for dim in dims)


def is_indexable(value):
    """Returns whether each dimension of a value is indexed by one loop."""
    return len(set(value.dims)) == len(value.dims)


def group(rank, at):
    """Returns the reassociation between tensors of `rank` and `rank` + 1 dimensions:
    dimensions `at` and `at` + 1 of the latter are one of the former."""
    first = [[i] for i in range(at)]
    last = [[i + 1] for i in range(at + 1, rank)]
    return first + [[at, at + 1]] + last


@dataclass(eq=False)
class Window:
    """Extent of a dimension over which windows of `inner` elements move."""
    outer: Extent
    inner: Extent
    stride: int
    dilation: int
    name: str = ""

    @property
    def size(self):
        return (self.outer.size - 1) * self.stride + \
            (self.inner.size - 1) * self.dilation + 1

    def __str__(self):
        return str(self.size)


def make_map(loops, dims):
    names = ["d%d" % i for i in range(len(loops))]

    def index(dim):
        if isinstance(dim, Window):
            return "%s * %d + %s * %d" % (index(dim.outer), dim.stride,
                                          index(dim.inner), dim.dilation)
        return names[loops.index(dim)]
    return "affine_map<(%s) -> (%s)>" % (", ".join(names),
                                         ", ".join(map(index, dims)))


@dataclass
class Body:
    """Operations of the body of a generic, and of the body of its sizes."""
    element: str
    lines: list = field(default_factory=list)
    sizes: list = field(default_factory=list)

    def add(self, text, size=None):
        """Adds an operation to both forms; if `size` is None, both have the same text."""
        name = "%%v%d" % len(self.lines)
        self.lines.append("%s = %s" % (name, text))
        self.sizes.append("%s = %s" % (name, size or text))
        return name


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.narrow, self.wide = self.random.choice(TYPES)
        self.isFloat = "f" in self.narrow
        self.isDynamic = self.chance(0.4)
        self.arguments, self.shapes, self.limits = [], [], []
        self.lines, self.sizes = [], []
        self.values = []
        self.names = 0
        self.extents = [self.make_extent() for _ in range(5)]

    def chance(self, share):
        return self.random.random() < share

    def make_name(self):
        self.names += 1
        return "%%t%d" % self.names

    def emit(self, text, sizes=None):
        self.lines.append(text)
        self.sizes.append(text if sizes is None else sizes)

    #===------------------------------------------------------------------===//
    # Sizes and arguments
    #===------------------------------------------------------------------===//

    def make_extent(self):
        size = self.random.choice(EXTENTS)
        if not self.isDynamic or self.chance(0.5):
            return Extent(size)
        name = "%%n%d" % len(self.arguments)
        self.add_argument(name, "index", size, None)
        return Extent(size, name)

    def add_argument(self, name, type, shape, limit):
        self.arguments.append("%s: %s" % (name, type))
        self.shapes.append(shape)
        self.limits.append(limit)

    def make_argument(self, dims, element, limit=None):
        value = Value("%%a%d" % len(self.arguments), element, list(dims))
        self.add_argument(value.name, value.type,
                          tuple(dim.size for dim in dims), limit)
        return value

    def get_size(self, extent):
        """Returns an extent as an operand of type index."""
        if extent.name:
            return extent.name
        name = self.make_name()
        self.emit("%s = arith.constant %d : index" % (name, extent.size))
        return name

    def combine(self, operation, size, *extents):
        """Returns the extent `size`; emits `operation` on `extents` if one is dynamic."""
        if not any(extent.name for extent in extents):
            return Extent(size)
        first = self.get_size(extents[0])
        for extent in extents[1:]:
            second = self.get_size(extent)
            name = self.make_name()
            self.emit("%s = arith.%s %s, %s : index" % (
                name, operation, first, second))
            first = name
        return Extent(size, first)

    def choose_dims(self):
        rank = self.random.choice((1, 2, 2, 2, 3, 3, 4))
        dims = self.random.sample(self.extents, rank)
        while count(dims) > MOST_ELEMENTS:
            dims.pop()
        return dims

    def choose_operand(self, dims):
        """Returns a random value all of whose dimensions are among `dims`."""
        found = [value for value in self.values
                 if set(value.dims) <= set(dims) and is_indexable(value)]
        if found and self.chance(0.75):
            return self.random.choice(found[-6:])
        used = self.random.sample(dims, self.random.randint(
            max(len(dims) - 1, 0), len(dims)))
        return self.make_argument(
            used, self.random.choice((self.narrow, self.wide)))

    def find_values(self, dims, element):
        return [value for value in self.values
                if value.dims == dims and value.element == element]

    def choose_value(self):
        """Returns a value of some rank, most often one of the latest values."""
        found = [value for value in self.values if value.dims]
        if found and self.chance(0.85):
            return self.random.choice(found[-3:])
        return self.make_argument(self.choose_dims(), self.narrow)

    def keep(self, name, element, dims, terms):
        self.values.append(Value(name, element, list(dims), terms))

    def make_empty(self, dims, element):
        name = self.make_name()
        value = Value(name, element, list(dims))
        self.emit("%s = tensor.empty(%s) : %s" % (
            name, ", ".join(dim.name for dim in dims if dim.name), value.type))
        return value

    def make_filled(self, dims, element):
        value = self.random.choice(("0", "0", "1", "-2", "3"))
        name, filled = self.make_name(), self.make_name()
        self.emit(*("%s = arith.constant %s : %s" % (
            name, text + ".0" if self.isFloat else text, element)
            for text in (value, value.lstrip("-"))))
        empty = self.make_empty(dims, element)
        self.emit("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (
            filled, name, element, empty.name, empty.type, empty.type))
        return Value(filled, element, list(dims))

    #===------------------------------------------------------------------===//
    # Bodies
    #===------------------------------------------------------------------===//

    def convert(self, body, name, element):
        """Converts `name`, a value of type `element`, to the type of the body."""
        if element == body.element:
            return name
        isWider = element == self.narrow
        operation = (("extf" if isWider else "truncf") if self.isFloat
                     else ("extsi" if isWider else "trunci"))
        return body.add("arith.%s %s : %s to %s" % (
            operation, name, element, body.element))

    def get_index(self, body, loops):
        """Returns a loop index as a value of the body's type, and as an index."""
        index = body.add("linalg.index %d : index" % self.random.randrange(loops))
        value = body.add("arith.index_cast %s : index to i32" % index)
        if self.isFloat:
            value = body.add("arith.sitofp %s : i32 to %s" % (
                value, body.element))
        elif body.element != "i32":
            value = body.add("arith.%s %s : i32 to %s" % (
                "trunci" if body.element == "i8" else "extsi", value,
                body.element))
        return value, index

    def apply(self, body, left, right):
        """Applies a random operation to two values."""
        suffix, type = "f" if self.isFloat else "i", body.element
        kinds = (("add", "add"), ("sub", "add"), ("mul", "mul"),
                 ("max", "max"), ("min", "max"))
        names = {"max": "maximumf", "min": "minimumf"} if self.isFloat \
            else {"max": "maxsi", "min": "minsi"}
        pair = self.random.choice(kinds)
        texts = ["arith.%s %s, %s : %s" % (
            names.get(kind, kind + suffix), left, right, type) for kind in pair]
        return body.add(*texts), pair[0] == "mul"

    def apply_alone(self, body, operand):
        """Applies a random operation that increases no absolute value."""
        if not self.isFloat:
            return operand
        kind = self.random.choice(("arith.negf", "math.absf", "math.tanh"))
        zero = body.add("arith.constant 0.0 : " + body.element)
        return body.add("%s %s : %s" % (kind, operand, body.element),
                        "arith.addf %s, %s : %s" % (operand, zero, body.element))

    def choose(self, body, left, right, index):
        """Selects one of two values, by a comparison of `index` with a constant."""
        border = body.add("arith.constant %d : index" %
                          self.random.choice((0, 1, 2, 5, 30)))
        test = body.add("arith.cmpi %s, %s, %s : index" % (
            self.random.choice(("slt", "sge", "eq")), index, border))
        choice = "arith.select %s, %s, %s : %s" % (test, left, right,
                                                   body.element)
        return body.add(choice)

    def write_body(self, body, operands, loops):
        """Adds a random expression of `operands` to the body, tuples of name, type and
        terms of the error; returns the expression's name and terms."""
        pool = [(self.convert(body, name, type), terms + 1)
                for name, type, terms in operands]
        index = None
        if self.chance(0.25) and loops:
            value, index = self.get_index(body, loops)
            pool.append((value, 0))
        left, terms = pool[0]
        for right, other in pool[1:]:
            if index and self.chance(0.3):
                left = self.choose(body, left, right, index)
                terms = max(terms, other)
                continue
            left, isProduct = self.apply(body, left, right)
            terms = (terms + other if isProduct else max(terms, other)) + 1
        if self.chance(0.4):
            left = self.apply_alone(body, left)
            terms += 4
        return left, terms

    def emit_generic(self, loops, kinds, inputs, out, body, result):
        """Emits a generic in both forms; `result` is the value that its body yields."""
        name = self.make_name()
        for lines, text in (self.lines, body.lines), (self.sizes, body.sizes):
            lines.append("%s = linalg.generic {indexing_maps = [%s], "
                         "iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {" % (
                             name, ", ".join(make_map(loops, value.dims)
                                             for value in inputs + [out]),
                             ", ".join('"%s"' % kind for kind in kinds),
                             ", ".join(value.name for value in inputs),
                             ", ".join(value.type for value in inputs),
                             out.name, out.type))
            lines.append("^bb0(%s, %%o: %s):" % (
                ", ".join("%%x%d: %s" % (i, value.element)
                          for i, value in enumerate(inputs)), out.element))
            lines.extend("  " + line for line in text)
            lines.append("  linalg.yield %s : %s" % (result, out.element))
            lines.append("} -> " + out.type)
        return name

    #===------------------------------------------------------------------===//
    # Operations
    #===------------------------------------------------------------------===//

    def shuffle(self, dims):
        return self.random.sample(dims, len(dims))

    def add_elements(self):
        """Emits a generic without reductions."""
        last = self.choose_value()
        if not is_indexable(last):
            return
        dims = list(last.dims)
        extra = self.random.choice(self.extents)
        if len(dims) < 4 and extra not in dims and self.chance(0.25) and \
                count(dims) * extra.size <= MOST_ELEMENTS:
            dims.append(extra)
        inputs = [last] + [self.choose_operand(dims)
                           for _ in range(self.random.randint(0, 2))]
        element = self.random.choice((self.narrow, self.wide))
        body = Body(element)
        operands = [("%%x%d" % i, value.element, value.terms)
                    for i, value in enumerate(inputs)]
        out = self.make_empty(self.shuffle(dims), element)
        if self.chance(0.2):
            out = self.make_argument(out.dims, element)
            operands.append(("%o", element, 0))
        loops = self.shuffle(dims)
        result, terms = self.write_body(body, operands, len(loops))
        name = self.emit_generic(loops, ["parallel"] * len(loops), inputs, out,
                                 body, result)
        self.keep(name, element, out.dims, terms)

    def make_sum(self, dims, element):
        """Returns the initial value of a reduction."""
        return self.make_argument(dims, element) if self.chance(0.3) else \
            self.make_filled(dims, element)

    def add_reduction(self):
        last = self.choose_value()
        if not is_indexable(last):
            return
        dims = list(last.dims)
        reduced = self.random.sample(dims, self.random.randint(1, len(dims)))
        kept = self.shuffle([dim for dim in dims if dim not in reduced])
        inputs = [last]
        if self.chance(0.3):
            inputs.append(self.choose_operand(dims))
        element = self.wide
        body = Body(element)
        term, terms = self.write_body(
            body, [("%%x%d" % i, value.element, value.terms)
                   for i, value in enumerate(inputs)], 0)
        kind = self.random.choice(
            ("addf", "addf", "maximumf", "minimumf") if self.isFloat
            else ("addi", "addi", "maxsi", "minsi", "xori"))
        size = {"minimumf": "maximumf"}.get(kind, kind)
        result = body.add(*("arith.%s %s, %%o : %s" % (one, term, element)
                            for one in (kind, size)))
        loops = self.shuffle(dims)
        name = self.emit_generic(
            loops, ["reduction" if dim in reduced else "parallel" for dim in loops],
            inputs, self.make_sum(kept, element), body, result)
        self.keep(name, element, kept, terms + count(reduced) + 1)

    def add_matmul(self):
        rank = self.random.choice((3, 3, 4))
        loops = self.random.sample(self.extents, rank)
        if count(loops) > 20 * MOST_ELEMENTS:
            return
        m, n, k = loops[:3]
        batch = loops[3:]
        left = self.choose_matmul_operand([m, k], batch)
        right = self.choose_matmul_operand([k, n], batch)
        body = Body(self.wide)
        factors = [self.convert(body, "%%x%d" % i, value.element)
                   for i, value in enumerate((left, right))]
        suffix = "f" if self.isFloat else "i"
        product = body.add("arith.mul%s %s, %s : %s" % (suffix, *factors,
                                                        self.wide))
        result = body.add("arith.add%s %%o, %s : %s" % (suffix, product,
                                                        self.wide))
        out = self.make_sum(self.shuffle([m, n] + batch), self.wide)
        order = self.shuffle(loops)
        name = self.emit_generic(
            order, ["reduction" if dim is k else "parallel" for dim in order],
            [left, right], out, body, result)
        self.keep(name, self.wide, out.dims,
                  left.terms + right.terms + k.size + 2)

    def make_window(self):
        return Window(Extent(self.random.choice((1, 2, 5, 8, 13, 20))),
                      Extent(self.random.choice((1, 2, 3, 4))),
                      self.random.choice((1, 1, 2, 3)),
                      self.random.choice((1, 1, 2)))

    def add_windows(self):
        """Adds a pooling, or a convolution with or without a sum over channels."""
        windows = [self.make_window() for _ in range(self.random.choice((1, 2)))]
        images, channels, filters = self.random.sample(self.extents, 3)
        isPooling = self.chance(0.3)
        isByChannel = isPooling or self.chance(0.3)
        outer = [window.outer for window in windows]
        inner = [window.inner for window in windows]
        kept = [images, channels if isByChannel else filters] + outer
        reduced = inner if isByChannel else [channels] + inner
        if count([images, channels] + windows) > MOST_ELEMENTS or \
                count(kept + reduced) > 20 * MOST_ELEMENTS:
            return
        dims = self.shuffle([images, channels]) + windows
        inputs = [self.make_argument(
            self.shuffle(dims) if self.chance(0.5) else dims, self.narrow)]
        body = Body(self.wide)
        term = self.convert(body, "%x0", self.narrow)
        suffix, kind = ("f" if self.isFloat else "i"), "add"
        if isPooling:
            inputs.append(self.make_empty(inner, self.wide))
            kind = self.random.choice(("add", "max"))
        else:
            inputs.append(self.make_argument(self.shuffle(
                inner + [channels] + ([] if isByChannel else [filters])),
                self.narrow))
            factor = self.convert(body, "%x1", self.narrow)
            term = body.add("arith.mul%s %s, %s : %s" % (suffix, term, factor,
                                                         self.wide))
        name = "arith.%s" % ({"f": "maximumf", "i": "maxsi"}[suffix]
                             if kind == "max" else kind + suffix)
        result = body.add("%s %%o, %s : %s" % (name, term, self.wide))
        loops = self.shuffle(kept) + self.shuffle(reduced)
        out = self.make_sum(self.shuffle(kept), self.wide)
        name = self.emit_generic(
            loops, ["parallel" if dim in kept else "reduction" for dim in loops],
            inputs, out, body, result)
        self.keep(name, self.wide, out.dims, count(reduced) + 4)

    def add_softmax(self):
        """Adds the softmax of an argument. The sizes of its weights are at most one."""
        if not self.isFloat:
            return
        value = self.make_argument(self.choose_dims(), self.wide)
        out = self.make_empty(value.dims, value.element)
        axis = self.random.randrange(len(value.dims))
        name, one = self.make_name(), self.make_name()
        self.lines.append("%s = linalg.softmax dimension(%d) ins(%s : %s) "
                          "outs(%s : %s) -> %s" % (
                              name, axis, value.name, value.type, out.name,
                              out.type, out.type))
        self.sizes.append("%s = arith.constant 1.0 : %s" % (one, value.element))
        self.sizes.append("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (
            name, one, value.element, out.name, out.type, out.type))
        self.keep(name, value.element, value.dims, value.dims[axis].size + 16)

    def choose_matmul_operand(self, dims, batch):
        dims = dims + [dim for dim in batch if self.chance(0.7)]
        found = [value for value in self.values
                 if set(value.dims) == set(dims) and is_indexable(value)]
        if found and self.chance(0.8):
            return self.random.choice(found)
        element = self.random.choice((self.narrow, self.narrow, self.wide))
        return self.make_argument(self.shuffle(dims), element)

    def add_transpose(self):
        value = self.choose_value()
        order = self.shuffle(list(range(len(value.dims))))
        out = self.make_empty([value.dims[i] for i in order], value.element)
        name = self.make_name()
        self.emit("%s = linalg.transpose ins(%s : %s) outs(%s : %s) "
                  "permutation = %s" % (name, value.name, value.type, out.name,
                                        out.type, order))
        self.keep(name, value.element, out.dims, value.terms)

    def add_constant(self, extent, value):
        return self.combine("addi", extent.size + value, extent, Extent(value))

    def add_pad(self):
        value = self.choose_value()
        low, high = ([self.random.choice((0, 0, 1, 3)) for _ in value.dims]
                     for _ in range(2))
        dims = [self.add_constant(dim, first + last) if first + last else dim
                for dim, first, last in zip(value.dims, low, high)]
        if count(dims) > MOST_ELEMENTS:
            return
        padding, name = self.make_name(), self.make_name()
        self.emit(*("%s = arith.constant %s : %s" % (
            padding, text + (".5" if self.isFloat else ""), value.element)
            for text in ("-2", "2")))
        result = Value(name, value.element, dims, value.terms)
        self.emit("%s = tensor.pad %s low%s high%s {\n  ^bb0(%s):\n"
                  "    tensor.yield %s : %s\n  } : %s to %s" % (
                      name, value.name, low, high,
                      ", ".join("%%i%d: index" % i for i in range(len(dims))),
                      padding, value.element, value.type, result.type))
        self.values.append(result)

    def choose_part(self, dims):
        """Returns offsets, sizes and steps of a random part of a value with `dims`."""
        offsets, sizes, steps = [], [], []
        for dim in dims:
            if dim.name:
                first = self.random.randint(0, dim.size - 1)
                step, size = 1, self.random.randint(1, dim.size - first)
            else:
                step = self.random.choice((1, 1, 1, 2, 3))
                first = self.random.randint(0, dim.size - 1)
                size = self.random.randint(1, (dim.size - 1 - first) // step + 1)
            if self.chance(0.4):
                first, step, size = 0, 1, dim
            offsets.append(first)
            sizes.append(size if isinstance(size, Extent) else Extent(size))
            steps.append(step)
        return offsets, sizes, steps

    def describe_part(self, part):
        offsets, sizes, steps = part
        return "[%s] [%s] [%s]" % tuple(
            ", ".join(map(str, texts)) for texts in
            (offsets, [size.name or size.size for size in sizes], steps))

    def add_slice(self):
        value = self.choose_value()
        part = self.choose_part(value.dims)
        dims = [size for size in part[1]
                if size.name or size.size != 1 or self.chance(0.5)]
        result = Value(self.make_name(), value.element, dims, value.terms)
        self.emit("%s = tensor.extract_slice %s%s : %s to %s" % (
            result.name, value.name, self.describe_part(part), value.type,
            result.type))
        self.values.append(result)

    def add_insertion(self):
        value = self.choose_value()
        part = self.choose_part(value.dims)
        found = self.find_values(part[1], value.element)
        source = found[-1] if found else \
            self.make_argument(part[1], value.element)
        name = self.make_name()
        self.emit("%s = tensor.insert_slice %s into %s%s : %s into %s" % (
            name, source.name, value.name, self.describe_part(part),
            source.type, value.type))
        self.keep(name, value.element, value.dims,
                  max(value.terms, source.terms))

    def add_concatenation(self):
        value = self.choose_value()
        at = self.random.randrange(len(value.dims))
        own = value.dims[at]
        other = self.random.choice(self.extents)
        dims = value.dims[:at] + [other] + value.dims[at + 1:]
        joined = self.combine("addi", own.size + other.size, own, other)
        result = value.dims[:at] + [joined] + value.dims[at + 1:]
        if count(result) > MOST_ELEMENTS:
            return
        found = self.find_values(dims, value.element)
        behind = found[-1] if found else self.make_argument(dims, value.element)
        pair = self.shuffle([value, behind])
        out = Value(self.make_name(), value.element, result,
                    max(value.terms, behind.terms))
        self.emit("%s = tensor.concat dim(%d) %s : (%s) -> %s" % (
            out.name, at, ", ".join(one.name for one in pair),
            ", ".join(one.type for one in pair), out.type))
        self.values.append(out)

    def add_collapse(self):
        value = self.choose_value()
        if len(value.dims) < 2:
            return
        at = self.random.randrange(len(value.dims) - 1)
        pair = value.dims[at:at + 2]
        joined = self.combine("muli", count(pair), *pair)
        result = Value(self.make_name(), value.element,
                       value.dims[:at] + [joined] + value.dims[at + 2:],
                       value.terms)
        self.emit("%s = tensor.collapse_shape %s %s : %s into %s" % (
            result.name, value.name, group(len(result.dims), at), value.type,
            result.type))
        self.values.append(result)

    def add_expansion(self):
        value = self.choose_value()
        axes = [i for i, dim in enumerate(value.dims) if not dim.name]
        if not axes or len(value.dims) > 4:
            return
        at = self.random.choice(axes)
        size = value.dims[at].size
        first = self.random.choice(
            [part for part in range(1, size + 1) if size % part == 0])
        dims = value.dims[:at] + [Extent(first), Extent(size // first)] + \
            value.dims[at + 1:]
        result = Value(self.make_name(), value.element, dims, value.terms)
        self.emit("%s = tensor.expand_shape %s %s output_shape [%s] : %s into %s" % (
            result.name, value.name, group(len(value.dims), at),
            ", ".join(str(dim.name or dim.size) for dim in dims), value.type,
            result.type))
        self.values.append(result)

    def add_gather(self):
        """Adds a gather of rows of a value at indices of an argument."""
        value = self.choose_value()
        if len(value.dims) > 3 or not is_indexable(value):
            return
        rest = value.dims[1:]
        rows = self.random.choice(self.extents)
        if rows in rest or rows.size * count(rest) > MOST_ELEMENTS:
            return
        indices = self.make_argument([rows], "i32", value.dims[0].size)
        loops = [rows] + rest
        body = Body(value.element)
        row = body.add("arith.index_cast %x0 : i32 to index")
        coordinates = [row] + [body.add("linalg.index %d : index" % (i + 1))
                               for i in range(len(rest))]
        result = body.add("tensor.extract %s[%s] : %s" % (
            value.name, ", ".join(coordinates), value.type))
        name = self.emit_generic(loops, ["parallel"] * len(loops), [indices],
                                 self.make_empty(loops, value.element), body,
                                 result)
        self.keep(name, value.element, loops, value.terms)

    def write(self):
        operations = ((self.add_elements, 8), (self.add_reduction, 5),
                      (self.add_matmul, 4), (self.add_windows, 2),
                      (self.add_softmax, 1), (self.add_transpose, 2),
                      (self.add_pad, 2), (self.add_slice, 2),
                      (self.add_insertion, 2), (self.add_concatenation, 2),
                      (self.add_collapse, 2), (self.add_expansion, 2),
                      (self.add_gather, 2))
        choices, weights = zip(*operations)
        for _ in range(self.random.randint(1, 7)):
            self.random.choices(choices, weights)[0]()
        if not self.values:
            self.add_elements()
        results = [self.values[-1]] + [value for value in self.values[:-1]
                                       if self.chance(0.15)]
        texts = ["func.func @f(%s) -> (%s) {\n  %s\n  return %s : %s\n}\n" % (
            ", ".join(self.arguments),
            ", ".join(value.type for value in results), "\n  ".join(lines),
            ", ".join(value.name for value in results),
            ", ".join(value.type for value in results))
            for lines in (self.lines, self.sizes)]
        return Program(*texts, self.narrow, [value.terms for value in results],
                       self.shapes, self.limits)


def write_program(seed):
    return Writer(seed).write()
