# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of cuTile Python, NVIDIA's package cuda-tile, as kernels of this package.

    add = tile.from_cutile(add)  # a function with @ct.kernel
    add[8](x, y, z, 128)         # as ct.launch(stream, (8,), add, (x, y, z, 128))

cuTile translates the function to bytecode, once for each combination of types and
constants, and this package compiles the bytecode (docs/CudaTile.md). A parameter of the
bytecode is a part of an argument of the call: the memory, an extent or a stride of an
array, or a scalar. A list of arrays is a table of them (cutile_lists.py).
"""

from __future__ import annotations

import importlib
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from .. import elements, library
from ..elements import Element
from ..errors import ArgumentError
from ..ir import ArrayType, Type
from ..launching.arrays import Description
from ..launching.grids import Grid
from ..launching.kernel import Kernel
from ..launching.programs import Call, Definition, Key, Options, Program
from .cutile_lists import ArrayList, ListType, add_items, make_list

# The version of the bytecode: the oldest one that is of no architecture.
_BYTECODE = "13.3"
# The bytes by which rows of an array are aligned, or are taken as not aligned: those of
# the widest access.
_ALIGNMENT = 16
# cuTile's names of element types.
_DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
           "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "bool_": "bool_",
           **{f"{letter}{bits}": f"{kind}{bits}" for bits in (8, 16, 32, 64)
              for letter, kind in (("i", "int"), ("u", "uint"))}}


def from_cutile(kernel: Any, *, grid: Optional[Grid] = None) -> Kernel:
    """Makes a kernel of a function with cuTile's `@ct.kernel`. It is called on a grid, as
    in `add[8](x, y, z, 128)`, or on `grid`, if that is given; with the arguments of
    `ct.launch`, constants included. It runs on arrays of NumPy, PyTorch and CuPy, on
    the host (`tile.emulator`, `tile.cpu`) and on GPUs from sm_80 on, and `tile.check`
    checks it. Needs the package cuda-tile, but no GPU and no compiler of NVIDIA.

    Integers have 32 bits, or 64 with cuTile's annotations for that. Global variables have
    the values of the first call with these types and constants. A list of arrays
    of one type and rank is an argument, too; its arrays must not overlap. A kernel with
    tuples is refused, as are programs that docs/CudaTile.md lists. An error of
    cuTile is raised as it is.

    The kernel has derivatives, as `tile.vjp` gives them, and works with `tile.jax_call`, if
    the program takes all arguments and nothing else: it uses the extents of arrays only
    for tests of bounds."""
    return Kernel(_CuTileDefinition(kernel, grid))


# ----------------------------------------------------------------------------
# Parameters of the bytecode
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """The part of an argument that is a parameter of the bytecode: `kind` is "array",
    "extent", "stride" or "scalar", and `dim` the dimension of an extent or a stride. An
    "item" is the array at index `dim` of a list."""

    argument: str
    kind: str
    dim: int = 0

    @property
    def name(self) -> str:
        """The name of the parameter in messages."""
        words = {"extent": "shape", "stride": "strides"}
        if self.kind == "item":
            return f"{self.argument}[{self.dim}]"
        if self.kind not in words:
            return self.argument
        return f"{self.argument}.{words[self.kind]}[{self.dim}]"


def _list_parts(name: str, type: Any) -> list[_Part]:
    """Lists the parameters of an argument, in the order of cuTile's calling
    convention."""
    if isinstance(type, ListType):
        return [_Part(name, "array"), _Part(name, "extent", 0)]
    if isinstance(type, Element):
        return [_Part(name, "scalar")]
    dims = range(len(type.shape))
    return [_Part(name, "array"), *(_Part(name, "extent", dim) for dim in dims),
            *(_Part(name, "stride", dim) for dim in dims)]


@dataclass(frozen=True)
class _Parameter:
    """A parameter that the program has: a part of an argument, and its type in the
    program."""

    part: _Part
    type: Type

    def take(self, value: Any) -> Any:
        """Returns the part of an argument, which may be a type."""
        if self.part.kind == "scalar" or (
                self.part.kind == "array" and not self.is_flat(value)):
            return value
        if isinstance(value, ArrayType):
            return self.type
        if self.part.kind == "array":
            return _flatten(value)
        sizes = value.shape if self.part.kind == "extent" else value.strides
        return sizes[self.part.dim]

    def is_flat(self, value: Any) -> bool:
        """Whether the program takes offsets from an array's address."""
        assert isinstance(self.type, ArrayType)
        if len(self.type.shape) != len(value.shape):
            return True
        return self.type.strides == (1,) and isinstance(value, Description) and \
            not value.is_dense


def _flatten(array: Description) -> Description:
    """Returns the memory of an array as an array of one dimension."""
    last = sum((extent - 1) * stride for extent, stride in
               zip(array.shape, array.strides))
    length = 0 if 0 in array.shape else last + 1
    return replace(array, shape=(length,), strides=(1,))


def _is_aligned(argument: Any) -> bool:
    """Whether an argument is an array whose rows are aligned to _ALIGNMENT bytes.
    A program is compiled for such arrays, and another one for others, as cuTile does. An
    array whose address is not known yet, as in calls from JAX, is one of the others."""
    if not isinstance(argument, Description) or argument.data == 0 or \
            argument.strides[-1:] not in ((), (1,)):
        return False
    return all(offset % _ALIGNMENT == 0 for offset in (argument.data, *(
        stride * argument.item_bytes for stride in argument.strides[:-1])))


def _promise(parameter: _Parameter) -> str:
    """Returns the attributes of the kernel's argument for an aligned array."""
    text = f", tile.alignment = {_ALIGNMENT} : i64"
    assert isinstance(parameter.type, ArrayType)
    if None in (parameter.type.strides or ()):
        text += f", tile.stride_alignment = {_ALIGNMENT} : i64"
    return text


# ----------------------------------------------------------------------------
# Calls and programs
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _CuTileCall(Call):
    """A call, bound to the parameters of the program. `given` are the arguments of
    the call by their names, and `positions` the positions of parameters of the function;
    `is_plain` states that the program takes the arguments of the call."""

    given: Mapping[str, Any]
    is_plain: bool
    taken: Sequence[_Parameter]
    positions: Mapping[str, int]
    lists: Sequence[Any]

    is_own = False

    @property
    def kept(self) -> Sequence[Any]:
        return self.lists

    def find_slots(self, given: Sequence[Any]) -> Optional[Sequence[Optional[int]]]:
        slots = [self.positions[parameter.part.argument] if parameter.part.kind == "array"
                 else None for parameter in self.taken]
        has_others = any(
            isinstance(part, Description) and
            (slot is None or slot >= len(given) or isinstance(given[slot], list))
            for part, slot in zip(self.described, slots))
        return None if has_others else slots

    @property
    def by_name(self) -> dict[str, Any]:
        return dict(self.given)


@dataclass(frozen=True, eq=False)
class _CuTileProgram(Program):
    """A program that cuTile translated. `taken` are the parameters of its kernel, in
    order."""

    taken: Sequence[_Parameter] = ()


class _CuTileDefinition(Definition):
    """A kernel whose programs cuTile makes. Its constants are positional, too."""

    declaration = "tile.from_cutile(..., grid=...)"

    def __init__(self, kernel: Any, grid: Optional[Grid]):
        module = sys.modules.get("cuda.tile")
        if module is None or not isinstance(kernel, module.kernel):
            raise ArgumentError(f"expected a function with cuTile's @ct.kernel, got "
                                f"{type(kernel).__name__}")
        self._kernel, self._cutile = kernel, module
        annotated = kernel._annotated_function
        self._annotations = dict(zip(annotated.pysig.parameters,
                                     annotated.parameter_annotations))
        super().__init__(annotated.pyfunc, grid, Options())

    def _sort_parameters(self) -> tuple[list[str], list[str]]:
        for name, annotation in self._annotations.items():
            if annotation.KIND != "leaf":
                raise ArgumentError(f"expected arrays, lists of arrays, scalars and "
                                    f"constants as parameters of {self.name!r}, got a tuple "
                                    f"for {name!r}")
        constants = [name for name, annotation in self._annotations.items()
                     if annotation.constant]
        return [name for name in self._annotations if name not in constants], constants

    def _make_tables(self, given: Sequence[Any], constants: Mapping[str, Any]
                     ) -> tuple[list[Any], dict[str, Any], dict[str, ArrayList]]:
        """Replaces lists among the arguments by their tables."""
        lists: dict[str, ArrayList] = {}

        def replace_list(name: str, value: Any) -> Any:
            if not isinstance(value, list) or name not in self.names:
                return value
            lists[name] = make_list(name, value)
            for index, item in enumerate(lists[name].items):
                self._check_integers(f"{name}[{index}]", item, self._get_item_integer(name))
            return lists[name].table

        names = [*self._annotations, *[""] * len(given)]
        return ([replace_list(name, value) for name, value in zip(names, given)],
                {name: replace_list(name, value) for name, value in constants.items()}, lists)

    def bind(self, given: Sequence[Any], constants: Mapping[str, Any],
             arch: Optional[str] = None) -> Call:
        given, constants, lists = self._make_tables(given, constants)
        call = super().bind(given, constants, arch)
        types = tuple(lists[name].type if name in lists else
                      self._narrow(name, value, type) for name, value, type in
                      zip(self.names, call.described, call.key.types))
        key = replace(call.key, types=types,
                      compared=(call.key.compared, tuple(map(_is_aligned, call.described))))
        program = self._find_program(key)
        described, values = [], []
        is_plain = list(program.arguments) == self.names
        for parameter in program.taken:
            if parameter.part.kind == "item":
                items = lists[parameter.part.argument]
                described.append(items.items[parameter.part.dim])
                values.append(items.values[parameter.part.dim])
                continue
            index = self.names.index(parameter.part.argument)
            part = parameter.take(call.described[index])
            is_plain &= part is call.described[index]
            described.append(part)
            values.append(call.values[index] if isinstance(part, Description) else part)
        return _CuTileCall(
            list(program.arguments), values, described,
            Key(tuple(program.arguments.values()), key.constants, (key.types, key.compared)),
            call.by_name, is_plain, program.taken,
            {name: index for index, name in enumerate(self._annotations)},
            [one.values for one in lists.values()])

    def get_program(self, key: Key) -> Program:
        types, compared = key.compared
        return self._find_program(Key(types, key.constants, compared))

    def _find_program(self, key: Key) -> _CuTileProgram:
        """Returns the program for types of the arguments of a call, and constants."""
        program = super().get_program(key)
        assert isinstance(program, _CuTileProgram)
        return program

    def check_parameters(self, call: Call, what: str) -> None:
        if isinstance(call, _CuTileCall) and not call.is_plain:
            raise ArgumentError(
                f"expected a program with the parameters of {self.name!r} for {what}, "
                f"{', '.join(self.names)}, got one of cuTile with "
                f"{', '.join(call.names) or 'none'}, or with addresses of arrays")

    def set_custom(self, is_forward: bool, derivative: Definition) -> None:
        raise ArgumentError(f"expected a kernel with @tile.kernel, to which a derivative "
                            f"can be given, got the kernel {self.name!r} of cuTile")

    def with_options(self, **options: Any) -> Definition:
        raise ArgumentError(f"expected a kernel with @tile.kernel, whose options can be "
                            f"chosen, got the kernel {self.name!r} of cuTile")

    def _narrow(self, name: str, value: Any, type: Optional[Type]) -> Type:
        """Returns the type of an argument as cuTile chooses it. Raises an error for what
        does not fit it."""
        if type is None:
            raise ArgumentError(f"expected an array or a number for {name!r}, got None")
        integer = self._get_integer_type(name)
        if isinstance(value, Description) or type == elements.index:
            self._check_integers(name, value, integer)
        if type != elements.index:
            return type
        return elements.i64 if integer == self._cutile.int64 else elements.i32

    def _check_integers(self, name: str, value: Any, integer: Any) -> None:
        """Verifies that the extents and strides of an array, or an integer, fit cuTile's
        type of integers."""
        bits = 64 if integer == self._cutile.int64 else 32
        limit = 1 << (bits - 1)
        integers: Sequence[int] = ()
        if isinstance(value, Description):
            if min(value.strides, default=0) < 0:
                raise ArgumentError(f"expected no negative strides of {name!r}, which "
                                    f"cuTile does not support, got {value.strides}")
            integers = (*value.shape, *value.strides)
        elif isinstance(value, int):
            integers = (value,)
        for found in integers:
            if not -limit <= found < limit:
                what = "ct.IndexedWithInt64" if isinstance(value, Description) else \
                    "ct.ScalarInt64"
                raise ArgumentError(f"expected an integer of {bits} bits for "
                                    f"{name!r}, got {found}; the annotation {what} makes "
                                    "it one of 64")

    # ------------------------------------------------------------------------
    # Translation
    # ------------------------------------------------------------------------

    def _trace(self, key: Key) -> _CuTileProgram:
        return self._make(key, library.read_program(self._export(key), f"<{self.name}>"))

    def _export(self, key: Key) -> bytes:
        """Returns the kernel as bytecode."""
        compilation = importlib.import_module("cuda.tile.compilation")
        types = dict(zip(self.names, key.types))
        constants = dict(key.constants)
        constraints = [
            compilation.ConstantConstraint(constants[name]) if name in constants else
            self._constrain(compilation, name, types[name]) for name in self._annotations]
        signature = compilation.KernelSignature(
            constraints, compilation.CallingConvention.cutile_python_v1(),
            symbol=self.name)
        file = io.BytesIO()
        compilation.export_kernel(self._kernel, [signature], file, gpu_code=None,
                                  output_format="tileir_bytecode",
                                  bytecode_version=_BYTECODE)
        return file.getvalue()

    def _constrain(self, compilation: Any, name: str, type: Optional[Type]) -> Any:
        """Returns cuTile's description of an argument. It assumes neither alignments nor
        sizes, which the launcher tests."""
        if isinstance(type, ListType):
            return compilation.ListConstraint(
                self._constrain_array(compilation, name, type.item,
                                      self._get_item_integer(name)),
                alias_groups=[], elements_may_alias=False)
        if isinstance(type, ArrayType):
            return self._constrain_array(compilation, name, type,
                                         self._get_integer_type(name))
        return compilation.ScalarConstraint(self._get_dtype(name, type))

    def _get_dtype(self, name: str, element: Any) -> Any:
        """Returns cuTile's type of elements."""
        assert isinstance(element, Element)
        if element.spelling not in _DTYPES:
            raise ArgumentError(f"expected elements of a type of cuTile for {name!r}, got "
                                f"{element!r}")
        return getattr(self._cutile, _DTYPES[element.spelling])

    def _constrain_array(self, compilation: Any, name: str, type: ArrayType, integer: Any
                         ) -> Any:
        rank = len(type.shape)
        last = 1 if type.strides is None else type.strides[-1]
        return compilation.ArrayConstraint(
            self._get_dtype(name, type.element), rank, index_dtype=integer,
            stride_lower_bound_incl=0, alias_groups=[], may_alias_internally=False,
            stride_constant=[None] * (rank - 1) + [last] if rank else [])

    def _get_integer_type(self, name: str) -> Any:
        """Returns cuTile's type of a Python int, or of the extents and strides of an
        array."""
        annotation = self._annotations[name]
        if annotation.scalar is not None:
            return annotation.scalar.dtype
        return self._cutile.int32 if annotation.array is None else \
            annotation.array.index_dtype

    def _get_item_integer(self, name: str) -> Any:
        """Returns cuTile's type of the extents and strides of arrays of a list."""
        annotation = self._annotations[name].list
        element = None if annotation is None else annotation.element
        for found in (element, *getattr(element, "__metadata__", ())):
            if hasattr(found, "index_dtype"):
                return found.index_dtype
        return self._cutile.int32

    def _make(self, key: Key, result: library.Result) -> _CuTileProgram:
        """Returns the program in `result`, with parameters named by arguments."""
        parts = [part for name, type in zip(self.names, key.types) if type is not None
                 for part in _list_parts(name, type)]
        types: dict[str, Any] = dict(zip(self.names, key.types))
        aligned = dict(zip(self.names, key.compared[1]))
        [kernel] = json.loads(result.get("metadata"))["kernels"]
        parameters: list[_Parameter] = []
        names, promises = {}, {}
        for argument in kernel["arguments"]:
            # A second argument of a parameter has another form of its array.
            found = re.fullmatch(r"arg(\d+)(_\d+)?", argument["name"])
            if found is None:
                raise ArgumentError(f"expected a program of {self.name!r} without globals "
                                    f"and allocations, got {argument['name']!r}")
            part = parts[int(found[1])]
            names[argument["name"]] = part.name + (found[2] or "")
            parameters.append(_Parameter(part, _make_type(argument, types[part.argument])))
            promises[argument["name"]] = _promise(parameters[-1]) if \
                aligned[part.argument] and part.kind == "array" else ""
        text = re.sub(r'tile\.name = "(\w+)"', lambda match:
                      f'tile.name = "{names[match[1]]}"{promises[match[1]]}',
                      result.get("ir").decode())
        lists = {name: type for name, type in types.items() if isinstance(type, ListType)}
        described = kernel["arguments"]
        if any(type.count for type in lists.values()):
            text = add_items(text, self.name, lists)
            parameters += [_Parameter(_Part(name, "item", index), type.item)
                           for name, type in lists.items() for index in range(type.count or 0)]
            described = json.loads(library.read_program(
                text.encode(), f"<{self.name}>").get("metadata"))["kernels"][0]["arguments"]
        items = [parameter.part.name for parameter in parameters[len(names):]]
        arguments = {name: parameter.type for name, parameter in
                     zip([*names.values(), *items], parameters)}
        written = frozenset(index for index, argument in enumerate(described)
                            if argument["access"] != "read")
        code = self.function.__code__
        return _CuTileProgram(
            self.name, text, None, arguments, dict(key.constants), written, (),
            code.co_filename, code.co_firstlineno, (), self.name,
            frozenset(arguments), taken=parameters)


def _make_type(argument: Mapping[str, Any], given: Any) -> Type:
    """Returns the type of a parameter, which the metadata describe, of an argument of
    the type `given`: the metadata's integers have no signs."""
    element = given.element if isinstance(given, ArrayType) else given
    if isinstance(given, ListType):
        element = elements.i64
    assert isinstance(element, Element)
    if argument["kind"] == "array":
        return ArrayType(tuple(argument["shape"]), element, tuple(argument["strides"]))
    if isinstance(given, Element):
        return given
    return {"i32": elements.i32, "i64": elements.i64}[argument["type"]]
