# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records cuTile programs while the package cuda-tile writes their bytecode, and keeps them
as JSON:

    with record() as programs:
        cuda.tile.compilation.export_kernel(...)
    text = json.dumps(to_json(programs[0]))
"""

import contextlib
import enum
import importlib
import inspect
import re
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

DYNAMIC = -(1 << 63)  # an extent or a stride that is an operand


# ----------------------------------------------------------------------------
# Types
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Element:
    """A type of elements: `values` is the type of its values here, and `stored` that of
    its bits, if NumPy has it."""

    name: str
    bits: int
    values: type
    stored: Any = None

    @property
    def size(self):
        return max(1, self.bits // 8)

    @property
    def undefined(self):
        return self.values(np.nan if self.values is np.float64 else 77)


ELEMENTS = {
    "I1": Element("I1", 1, np.bool_, np.int8),
    **{f"I{n}": Element(f"I{n}", n, getattr(np, f"int{n}"), getattr(np, f"int{n}"))
       for n in (8, 16, 32, 64)},
    "I4": Element("I4", 4, np.int8),
    **{f"F{n}": Element(f"F{n}", n, np.float64, getattr(np, f"float{n}"))
       for n in (16, 32, 64)},
    **{name: Element(name, bits, np.float64) for name, bits in (
        ("BF16", 16), ("TF32", 32), ("F8E4M3FN", 8), ("F8E5M2", 8), ("F8E8M0FNU", 8),
        ("F4E2M1FN", 4))},
}


@dataclass(frozen=True)
class Type:
    """A type of cuTile: `kind` is the name of the method that makes it, and `fields` are
    the arguments of that method."""

    kind: str
    fields: Any


def element_of(type_):
    """Returns the element of a tile, or of a view of an array."""
    while type_.kind != "simple":
        if type_.kind == "pointer":
            return ELEMENTS["I64"]  # addresses
        for name in ("elementType", "tensor_view"):
            if name in type_.fields:
                type_ = type_.fields[name]
                break
    return ELEMENTS[type_.fields["t"].name]


# ----------------------------------------------------------------------------
# Recording
# ----------------------------------------------------------------------------


@dataclass
class Operation:
    name: str
    fields: dict
    results: tuple = ()
    regions: list = field(default_factory=list)  # (ids of the arguments, operations)


@dataclass
class Program:
    name: str
    parameters: tuple
    types: tuple
    body: list


class Recorder:
    def __init__(self, bytecode):
        self.bytecode = bytecode
        self.programs, self.types, self.bodies = [], {}, [[]]

    def resolve(self, value):
        if isinstance(value, self.bytecode.TypeId):
            return self.types[value.type_id]
        if isinstance(value, (list, tuple)):
            return tuple(map(self.resolve, value))
        return value

    def wrap_type(self, kind, method):
        signature = inspect.signature(method)

        def make(table, *arguments, **named):
            bound = signature.bind(table, *arguments, **named)
            result = method(table, *arguments, **named)
            fields = {key: self.resolve(value) for key, value in bound.arguments.items()
                      if key != "self"}
            self.types[result.type_id] = Type(kind, fields)
            return result
        return make

    def wrap_operation(self, name, encode):
        signature = inspect.signature(encode)

        def write(*arguments, **named):
            bound = signature.bind(*arguments, **named)
            operation = Operation(name, {
                key: self.resolve(value) for key, value in bound.arguments.items()
                if key != "code_builder"})
            result = encode(*arguments, **named)
            if isinstance(result, self.bytecode.NestedBlockBuilder):
                result.operation = operation
            else:
                operation.results = () if result is None else \
                    result if isinstance(result, tuple) else (result,)
            self.bodies[-1].append(operation)
            return result
        return write

    def wrap_block(self, new_block):
        @contextlib.contextmanager
        def enter(builder, types_):
            body = []
            with new_block(builder, types_) as values:
                self.bodies.append(body)
                yield values
                self.bodies.pop()
            builder.operation.regions.append((values, body))
        return enter

    def wrap_done(self, done):
        def finish(builder):
            builder.operation.results = done(builder)
            return builder.operation.results
        return finish

    def wrap_function(self, function):
        @contextlib.contextmanager
        def enter(writer_, name, parameter_types, *arguments, **named):
            body = []
            with function(writer_, name, parameter_types, *arguments, **named) as built:
                self.bodies.append(body)
                yield built
                self.bodies.pop()
            self.programs.append(Program(name, built.parameters,
                                         self.resolve(tuple(parameter_types)), body))
        return enter


@contextlib.contextmanager
def record():
    """Yields a list to which each kernel is appended that cuda-tile writes meanwhile."""
    bytecode, code_builder, types, writer = (
        importlib.import_module("cuda.tile._bytecode" + name)
        for name in ("", ".code_builder", ".type", ".writer"))
    recorder = Recorder(SimpleNamespace(TypeId=bytecode.TypeId,
                                        NestedBlockBuilder=code_builder.NestedBlockBuilder))
    replaced = []

    def replace(owner, name, wrap):
        replaced.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, wrap(owner.__dict__[name]))

    for kind in ("simple", "pointer", "tile", "tensor_view", "partition_view",
                 "gather_scatter_view", "strided_view", "function"):
        replace(types.TypeTable, kind, lambda method, kind=kind:
                recorder.wrap_type(kind, method))
    for name in list(vars(bytecode)):
        if name.startswith("encode_") and name.endswith("Op"):
            replace(bytecode, name, lambda encode, name=name:
                    recorder.wrap_operation(name[len("encode_"):-len("Op")], encode))
    replace(code_builder.NestedBlockBuilder, "new_block", recorder.wrap_block)
    replace(code_builder.NestedBlockBuilder, "done", recorder.wrap_done)
    replace(writer.BytecodeWriter, "function", recorder.wrap_function)
    recorder.types[0] = Type("simple", {"t": types.SimpleType.I1})
    recorder.types[1] = Type("simple", {"t": types.SimpleType.I32})
    try:
        yield recorder.programs
    finally:
        for owner, name, value in reversed(replaced):
            setattr(owner, name, value)


# ----------------------------------------------------------------------------
# Stored programs
# ----------------------------------------------------------------------------


def list_kinds(program):
    """Returns the operations of a recorded program, each with its first element type and
    its signs and order."""
    kinds = set()

    def visit(body):
        for operation in body:
            names = re.findall("'t': <SimpleType.([A-Z0-9]+)", str(operation.fields))
            words = [value.name for key, value in sorted(operation.fields.items())
                     if "signedness" in key or key == "memory_ordering_semantics"]
            kinds.add((operation.name, *names[:1], *words))
            for _, nested in operation.regions:
                visit(nested)

    visit(program.body)
    return kinds


# Fields that the evaluation does not use.
UNUSED = {"memory_ordering_semantics", "memory_scope", "optimization_hints", "token",
          "overflow", "flush_to_zero", "inbounds", "ptrAttr"}


def to_json(program):
    """Returns a program as lists and dictionaries. Values become their indices, and types
    those in a table."""
    numbers, types, places = {}, [], {}

    def convert(one):
        if isinstance(one, Type):
            if repr(one) not in places:
                fields = convert(one.fields)
                places[repr(one)] = len(types)
                types.append([one.kind, fields])
            return {"type": places[repr(one)]}
        if isinstance(one, enum.Enum):
            return {"case": one.name}
        if isinstance(one, bytes):
            return {"bytes": one.hex()}
        if isinstance(one, (list, tuple)):
            return list(map(convert, one))
        if isinstance(one, dict):
            return {key: convert(value) for key, value in one.items() if key not in UNUSED}
        if hasattr(one, "value_id"):
            return {"value": numbers.setdefault(id(one), len(numbers))}
        # Hints and assumptions have no effect.
        assert one is None or isinstance(one, (int, float, str)) or \
            type(one).__module__.endswith(".attribute"), type(one)
        return one if isinstance(one, (int, float, str)) else None

    def convert_body(body):
        return [{"name": operation.name, "fields": convert(operation.fields),
                 "results": convert(operation.results),
                 "regions": [[convert(names), convert_body(nested)]
                             for names, nested in operation.regions]} for operation in body]

    return {"name": program.name, "parameters": convert(program.parameters),
            "types": convert(program.types), "body": convert_body(program.body),
            "table": types}


def from_json(data):
    """Returns the program of which `data` is the result of to_json."""
    values, types = {}, []

    def convert(one):
        if isinstance(one, list):
            return tuple(map(convert, one))
        if not isinstance(one, dict):
            return one
        if "type" in one:
            return types[one["type"]]
        if "case" in one:
            return SimpleNamespace(name=one["case"])
        if "bytes" in one:
            return bytes.fromhex(one["bytes"])
        return values.setdefault(one["value"], SimpleNamespace())

    def convert_body(body):
        return [Operation(operation["name"],
                          {key: convert(value) for key, value in operation["fields"].items()},
                          convert(operation["results"]),
                          [(convert(names), convert_body(nested))
                           for names, nested in operation["regions"]]) for operation in body]

    for kind, fields in data["table"]:
        types.append(Type(kind, {key: convert(value) for key, value in fields.items()}))
    return Program(data["name"], convert(data["parameters"]), convert(data["types"]),
                   convert_body(data["body"]))
