# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs built without tracing, for compilers that are written in Python.

    b = ir.Builder()
    array = ir.ArrayType((None,), tile.f32)
    with b.kernel("copy", [array, array], block=128) as (x, y):
        zero = b.constant(0, tile.index)
        [a] = b.tile("load", source=x, offsets=[zero],
                     results=[ir.TileType((64,), tile.f32)])
        b.tile("store", value=a, dest=y, offsets=[zero])
    text = b.text()

The text is MLIR in its generic form, which needs no MLIR in the process. An invalid
program is found when it is compiled.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Union

from ._operations import OPERATIONS, Operation
from .elements import Element, Number, get_integer, get_kind, get_real
from .errors import ArgumentError


@dataclass(frozen=True)
class TileType:
    """A tile of a static shape. `storage` declares its storage, "shared" or "register";
    if it is None the compiler chooses."""

    shape: tuple[int, ...]
    element: Element
    storage: Optional[str] = None

    @property
    def mlir(self) -> str:
        extents = "".join(f"{n}x" for n in self.shape)
        storage = f", #tile.{self.storage}" if self.storage else ""
        return f"!tile.tile<{extents}{self.element.mlir}{storage}>"

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        return f"tile of {shape} {self.element.spelling}"


@dataclass(frozen=True)
class ArrayType:
    """An array in memory. An extent or a stride that is None is known when the kernel is
    launched. Without strides the array is contiguous in row-major order. In the program
    an array of rank 0 is an array of rank 1 with one element."""

    shape: tuple[Optional[int], ...]
    element: Element
    strides: Optional[tuple[Optional[int], ...]] = None

    @property
    def mlir(self) -> str:
        extents = "".join(f"{_format_extent(n)}x" for n in self.shape or (1,))
        layout = ""
        if self.strides is not None:
            layout = (", strided<["
                      f"{', '.join(map(_format_extent, self.strides))}]>")
        return f"memref<{extents}{self.element.mlir}{layout}>"

    def __repr__(self) -> str:
        shape = "x".join(map(_format_extent, self.shape)) or "scalar"
        return f"array of {shape} {self.element.spelling}"


@dataclass(frozen=True)
class VectorType:
    """One thread's part of a tile of several dimensions."""

    shape: tuple[int, ...]
    element: Element

    @property
    def mlir(self) -> str:
        extents = "".join(f"{n}x" for n in self.shape)
        return f"vector<{extents}{self.element.mlir}>"


def describe(type: Type) -> str:
    """Describes a type in words."""
    return f"scalar of {type.spelling}" if isinstance(type, Element) else repr(type)


def _format_extent(extent: Optional[int]) -> str:
    return "?" if extent is None else str(extent)


# The types that can be computed with: tiles and scalars.
ComputedType = Union[TileType, Element]
Type = Union[ComputedType, ArrayType, VectorType]


@dataclass(frozen=True, eq=False)
class Value:
    """A value of the program: its name in the MLIR text, and its type."""

    name: str
    type: Type
    program: object = None  # the builder of its program


@dataclass(frozen=True)
class Attribute:
    """An attribute as MLIR writes it."""

    text: str


# Operations that may run only if control flow reaches them: they write, print, may not
# terminate, or are undefined for some operands.
_GUARDED = frozenset({
    "tile.assert", "tile.atomic_load", "tile.atomic_rmw", "tile.atomic_store",
    "tile.fence", "tile.per_thread", "tile.pop", "tile.print", "tile.push",
    "tile.scatter", "tile.store", "memref.load", "memref.store", "scf.while",
    *(f"arith.{name}" for name in ("divsi", "divui", "remsi", "remui", "floordivsi",
                                   "ceildivsi", "ceildivui"))})


class Block:
    """A block of operations in a region of another operation. `values` are the block's
    arguments."""

    def __init__(self, values: Sequence[Value]):
        self.values = tuple(values)
        self.is_guarded = False  # whether it has guarded operations
        self.lines: list[str] = []
        self.names = {value.name for value in values}

    def format(self) -> list[str]:
        arguments = ", ".join(f"{v.name}: {v.type.mlir}" for v in self.values)
        return [f"^bb0({arguments}):", *self.lines]


class FunctionBlock(Block):
    """The body of a function; `results` are the values that it returns."""

    def __init__(self, values: Sequence[Value]):
        super().__init__(values)
        self.results: list[Value] = []


Operands = Union[Value, Sequence[Value], None]


class Builder:
    """Builds a program: appends operations to the current block, the one that was entered
    last.

    `locate` returns the location of the next operation in MLIR's syntax, `"a.py":3:5`, or
    None."""

    def __init__(self, locate: Callable[[], Optional[str]] = lambda: None):
        self._locate = locate
        self._count = 0
        self._symbols = 0
        self._blocks = [Block(())]
        self._deferred: list[Callable[[], object]] = []

    # ------------------------------------------------------------------------
    # Any operation
    # ------------------------------------------------------------------------

    def operation(self, name: str, operands: Iterable[Value] = (),
                  results: Sequence[Type] = (),
                  properties: Optional[dict[str, Attribute]] = None,
                  regions: Sequence[Block] = (),
                  attributes: Optional[dict[str, Attribute]] = None
                  ) -> list[Value]:
        """Builds an operation of any dialect by its full name; `attributes` are the
        discardable attributes, which the operation does not declare."""
        operands = tuple(operands)
        self._check_operands(operands)
        values = [self._make_value(type) for type in results]
        self._blocks[-1].names.update(value.name for value in values)
        lines = [self._format_head(name, operands, values, properties)]
        if regions:
            lines[0] += " ("
            for region in regions:
                lines[-1] += "{"
                lines += ["  " + line for line in region.format()]
                lines.append("}, ")
            lines[-1] = "})"
        if attributes:
            lines[-1] += f" {{{_format_attributes(attributes)}}}"
        lines[-1] += (f" : ({', '.join(v.type.mlir for v in operands)}) -> "
                      f"({', '.join(t.mlir for t in results)})")
        self._blocks[-1].is_guarded |= name in _GUARDED or \
            any(region.is_guarded for region in regions)
        location = self._locate()
        if location is not None:
            lines[-1] += f" loc({location})"
        self._blocks[-1].lines += lines
        return values

    def _check_operands(self, operands: tuple[Value, ...]) -> None:
        for value in operands:
            if value.program is not self:
                self._refuse(f"expected a value of this kernel, got one of another: "
                             f"{describe(value.type)}")
            if not any(value.name in block.names for block in self._blocks):
                if any(isinstance(block, FunctionBlock) for block in self._blocks):
                    self._refuse(f"expected values of a function with a custom derivative "
                                 f"that are its arguments or computed in it, got a "
                                 f"{describe(value.type)} of the kernel")
                self._refuse(
                    f"expected a value of this body of the program or one around "
                    f"it, got a {describe(value.type)} of a loop or a branch that has "
                    "ended; what it assigns to a name goes on, what it puts into "
                    "a list does not")

    def _refuse(self, text: str) -> NoReturn:
        raise ArgumentError(text)

    def _make_value(self, type: Type, name: str = "") -> Value:
        if name.isascii() and name.isidentifier():
            return Value(f"%{name}", type, self)
        self._count += 1
        return Value(f"%{self._count}", type, self)

    @staticmethod
    def _format_head(name: str, operands: tuple[Value, ...],
                     values: list[Value],
                     properties: Optional[dict[str, Attribute]]) -> str:
        head = ", ".join(v.name for v in values)
        head = f"{head} = " if head else ""
        head += f'"{name}"({", ".join(v.name for v in operands)})'
        if properties:
            head += f" <{{{_format_attributes(properties)}}}>"
        return head

    # ------------------------------------------------------------------------
    # Operations of the dialect
    # ------------------------------------------------------------------------

    def tile(self, name: str, /, *, results: Sequence[Type] = (),
             regions: Sequence[Block] = (), **given: Any) -> list[Value]:
        """Builds an operation of the dialect, "load" for tile.load, with its operands and
        attributes by name. An operand is one value, a sequence of values, or None for no
        value, as the operation declares it; an attribute is a bool, an int, a sequence of
        ints, the name of an enumeration's case, a text, or an `Attribute`."""
        known = OPERATIONS.get(name)
        if known is None:
            raise ArgumentError(f"expected the name of an operation, got {name!r}")
        for word in given:
            if word not in known.operands and word not in known.attributes:
                words = ", ".join([*known.operands, *known.attributes])
                raise ArgumentError(
                    f"tile.{name}: expected operands and attributes among "
                    f"{words}, got {word!r}")
        operands, sizes = _collect_operands(name, known, given)
        properties = _collect_attributes(name, known, given)
        if sizes:
            text = ", ".join(map(str, sizes))
            properties["operandSegmentSizes"] = Attribute(f"array<i32: {text}>")
        return self.operation(f"tile.{name}", operands, results, properties,
                              regions)

    def constant(self, number: Number, type: ComputedType) -> Value:
        """Builds a constant: a scalar, or a tile with `number` in all elements."""
        name = "arith.constant"
        if isinstance(type, TileType):
            text = f"dense<{format_number(number, type.element)}> : {type.mlir}"
        else:
            text = format_typed_number(number, type)
            if type.kind == "complex":
                name = "complex.constant"
        [value] = self.operation(name, results=[type],
                                 properties={"value": Attribute(text)})
        return value

    # ------------------------------------------------------------------------
    # Blocks
    # ------------------------------------------------------------------------

    @contextlib.contextmanager
    def block(self, types: Sequence[Type] = (), names: Sequence[str] = ()
              ) -> Iterator[Block]:
        """Builds a block for a region of an operation that is built afterwards.
        Operations that are built within `with` are appended to the block. `names` are
        the preferred names of its arguments; a name that MLIR does not allow is
        replaced."""
        self._end_deferral()
        block = Block([self._make_value(type, name) for type, name in
                       zip(types, names or [""] * len(types))])
        self._blocks.append(block)
        try:
            yield block
        finally:
            self._blocks.pop()
            self._deferred.clear()

    @contextlib.contextmanager
    def reenter(self, block: Block) -> Iterator[None]:
        """Appends the operations that are built within `with` to a block that was
        left."""
        self._blocks.append(block)
        try:
            yield
        finally:
            self._blocks.pop()

    def append(self, block: Block) -> None:
        """Appends the operations of a block that was left to the current block."""
        here = self._blocks[-1]
        here.lines += block.lines
        here.names |= block.names
        here.is_guarded |= block.is_guarded

    def defer(self, build: Callable[[], object]) -> None:
        """Registers `build`, which is called when a block is next entered within the
        current one. It builds the operations of a deferred value, unless they are built
        already: a value that the nested block uses must be defined before that
        block."""
        self._deferred.append(build)

    def _end_deferral(self) -> None:
        deferred, self._deferred = self._deferred, []
        for build in deferred:
            build()

    @contextlib.contextmanager
    def at(self, location: Optional[str]) -> Iterator[None]:
        """Gives this location to the operations that are built within `with`."""
        locate, self._locate = self._locate, lambda: location
        try:
            yield
        finally:
            self._locate = locate

    @contextlib.contextmanager
    def kernel(self, name: str, arguments: Sequence[Type], *,
               names: Sequence[str] = (), block: Optional[int] = None,
               attributes: Optional[dict[str, Attribute]] = None,
               grid: Optional[Attribute] = None,
               argument_attributes: Sequence[dict[str, Attribute]] = ()
               ) -> Iterator[tuple[Value, ...]]:
        """Builds a kernel of `block` threads, or of as many as the compiler chooses, with
        `grid`, a #tile.grid that launchers evaluate. `with` returns its arguments;
        operations that are built within it are the kernel's body. `argument_attributes`,
        if not empty, has the attributes of each argument, such as "tile.alignment".
        `names`, if given, are the names of the arguments."""
        if argument_attributes and len(argument_attributes) != len(arguments):
            raise ArgumentError(f"expected attributes of {len(arguments)} "
                                f"arguments, got {len(argument_attributes)}")
        with self.block(arguments, names) as body:
            yield body.values
            self.tile("return")
        types = ", ".join(t.mlir for t in arguments)
        properties = {"sym_name": Attribute(quote(name)),
                      "function_type": Attribute(f"({types}) -> ()")}
        if block is not None:
            properties["block"] = Attribute(f"{block} : i64")
        if grid is not None:
            properties["grid"] = grid
        if any(argument_attributes):
            each = ", ".join(f"{{{_format_attributes(given)}}}"
                             for given in argument_attributes)
            properties["arg_attrs"] = Attribute(f"[{each}]")
        self.operation("tile.kernel", properties=properties, regions=[body],
                       attributes=attributes)

    @contextlib.contextmanager
    def host_function(self, name: str, arguments: Sequence[Type], *,
                      names: Sequence[str]) -> Iterator[tuple[Value, ...]]:
        """Builds a function of the host, which launches kernels. `with` returns its
        arguments, whose names are `names`; operations that are built within it are its
        body."""
        with self.block(arguments, names) as body:
            yield body.values
            self.operation("func.return")
        types = ", ".join(t.mlir for t in arguments)
        each = ", ".join(f"{{tile.name = {quote(name)}}}" for name in names)
        self.operation("func.func", properties={
            "sym_name": Attribute(quote(name)),
            "function_type": Attribute(f"({types}) -> ()"),
            "arg_attrs": Attribute(f"[{each}]")}, regions=[body])

    def make_symbol(self, name: str) -> str:
        """Returns a name for a function that the program does not have."""
        self._symbols += 1
        return f"{name}__{self._symbols}"

    @contextlib.contextmanager
    def function(self, name: str, arguments: Sequence[Type],
                 attributes: dict[str, Attribute]) -> Iterator[FunctionBlock]:
        """Builds a function on tiles and scalars, also within a kernel, whose values it
        cannot use. Operations that are built within `with` are its body, which must set
        the `results`."""
        self._end_deferral()
        around, self._blocks = self._blocks, self._blocks[:1]
        body = FunctionBlock([self._make_value(type) for type in arguments])
        self._blocks.append(body)
        try:
            yield body
            self.operation("func.return", body.results)
            self._blocks = around[:1]
            takes, gives = (", ".join(value.type.mlir for value in values)
                            for values in (body.values, body.results))
            self.operation("func.func", properties={
                "sym_name": Attribute(quote(name)),
                "function_type": Attribute(f"({takes}) -> ({gives})"),
                "sym_visibility": Attribute(quote("private"))},
                regions=[body], attributes=attributes)
        finally:
            self._blocks = around
            self._deferred.clear()
        self._blocks[-1].is_guarded |= body.is_guarded

    def text(self) -> str:
        """Returns the text of the program so far; no block may be entered."""
        if len(self._blocks) != 1:
            raise ArgumentError("expected the program outside of its kernels and "
                                "blocks, got it within one")
        [program] = self._blocks
        return "\n".join(program.lines) + "\n"


def _collect_operands(name: str, known: Operation, given: dict[str, Any]
                      ) -> tuple[list[Value], list[int]]:
    """Collects the operands in order, and the count of values for each operand name if
    these counts do not follow from the total."""
    operands: list[Value] = []
    sizes = []
    for word, mark in known.operands.items():
        values = _list_values(name, word, given.get(word))
        if mark == "" and len(values) != 1:
            raise ArgumentError(f"tile.{name}: expected one value for "
                                f"{word!r}, got {len(values)}")
        operands += values
        sizes.append(len(values))
    marks = sum(mark != "" for mark in known.operands.values())
    return operands, sizes if marks > 1 else []


def _list_values(name: str, word: str, given: Any) -> tuple[Value, ...]:
    values = () if given is None else (given,)
    if isinstance(given, (tuple, list)):
        values = tuple(given)
    for value in values:
        if not isinstance(value, Value):
            raise ArgumentError(f"tile.{name}: expected values of the program for "
                                f"{word!r}, got {value!r}")
    return values


def _collect_attributes(name: str, known: Operation, given: dict[str, Any]
                        ) -> dict[str, Attribute]:
    found = {}
    for word, kind in known.attributes.items():
        value = given.get(word)
        if value is not None and not (kind == "unit" and not value):
            try:
                found[word] = _make_attribute(kind, value)
            except TypeError:
                raise ArgumentError(
                    f"tile.{name}: expected {_WORDS.get(kind, 'a text')} for "
                    f"{word!r}, got {value!r}") from None
    return found


# The expected value of an attribute of each kind.
_WORDS = {"unit": "a bool", "i64": "an int", "i64s": "a sequence of ints"}


def _make_attribute(kind: str, value: Any) -> Attribute:
    """Makes an attribute; raises a TypeError for a value that the kind does not
    take."""
    if isinstance(value, Attribute):
        return value
    if kind == "unit":
        if value not in (True, False):
            raise TypeError
        return Attribute("unit")
    if kind == "i64":
        return Attribute(f"{operator.index(value)} : i64")
    if kind == "i64s":
        numbers = ", ".join(str(operator.index(n)) for n in value)
        return Attribute(f"array<i64: {numbers}>" if numbers else "array<i64>")
    if not isinstance(value, str):
        raise TypeError
    if kind == "string":
        return Attribute(quote(value))
    if kind == "symbol":
        return Attribute(f"@{quote(value)}")
    if kind.startswith("enum:"):
        return Attribute(f"#tile<{kind.removeprefix('enum:')} {value}>")
    return Attribute(value)


def _format_attributes(attributes: dict[str, Attribute]) -> str:
    return ", ".join(f"{name} = {attribute.text}"
                     for name, attribute in attributes.items())


@functools.lru_cache(maxsize=1024)
def quote(text: str) -> str:
    """Returns a string of MLIR. Surrogate escapes, which Python uses for bytes of file
    names that are not UTF-8, become these bytes again."""
    def escape(byte: int) -> str:
        char = chr(byte)
        if 32 <= byte < 127 and char not in '"\\':
            return char
        return f"\\{byte:02X}"

    return '"' + "".join(map(escape, text.encode(errors="surrogateescape"))) + '"'


def format_number(number: Number, element: Element) -> str:
    """Formats `number` as a value of type `element` in MLIR's syntax. Finite floats are
    decimal; infinities and NaN, which have no decimal form in MLIR, are written as
    bits."""
    get_kind(number)
    if element.kind == "bool":
        return "true" if number else "false"
    if element.kind in ("int", "index"):
        return str(get_integer(number))
    if element.kind == "float":
        return _format_float(float(get_real(number)), element)
    real, imaginary = complex(number).real, complex(number).imag
    return (f"({_format_float(real, element.part)}, "
            f"{_format_float(imaginary, element.part)})")


def format_typed_number(number: Number, element: Element) -> str:
    """Formats a value together with its type, as an attribute; a complex one as its two
    parts."""
    if element.kind == "complex":
        parts = (complex(number).real, complex(number).imag)
        return f"[{', '.join(format_typed_number(part, element.part) for part in parts)}]"
    text = format_number(number, element)
    return text if element.kind == "bool" else f"{text} : {element.mlir}"


def _format_float(number: float, element: Element) -> str:
    import struct
    if number == number and abs(number) != float("inf"):
        # Decimal digits of an f64, which MLIR rounds to the type once.
        text = repr(number)
        if "." not in text.split("e")[0]:
            text = text.replace("e", ".0e") if "e" in text else text + ".0"
        return text
    if element.name == "f64":
        return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
    bits = struct.unpack("<I", struct.pack("<f", number))[0]
    if element.name == "f32":
        return f"0x{bits:08X}"
    if element.name == "bf16":
        return f"0x{bits >> 16:04X}"
    if element.name == "f16":
        return f"0x{struct.unpack('<H', struct.pack('<e', number))[0]:04X}"
    if element.name == "f8E5M2":
        half = struct.unpack("<H", struct.pack("<e", number))[0]
        return f"0x{half >> 8:02X}"
    if number != number:
        return "0x7F"
    raise ArgumentError(f"expected a number that {element!r} has, got {number}")
