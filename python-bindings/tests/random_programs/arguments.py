# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of a random program: arrays of various types, shapes and strides,
scalars, constants and outputs. Each is a line of Python that makes it."""

from __future__ import annotations

import random
from typing import Any, Optional

import numpy as np

from . import reference
from .element_types import ELEMENTS, Element
from .values import Value

_RNG = "<rng>"
# Element types by their names in NumPy.
DTYPES = {"bool_": "bool_", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
          "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
          "f16": "float16", "f32": "float32", "f64": "float64", "complex64": "complex64",
          "complex128": "complex128"}
_LIKELY = ["f32"] * 4 + ["i32"] * 3 + ["f16", "f64", "i64"] * 2 + list(DTYPES)
_SHAPES = [(5,), (3,), (7,), (4,), (2, 3), (3, 2), (3, 5), (1, 4), (4, 1), (3, 3), (2, 3, 2),
           (1,)]


class Arguments:
    """The parameters of a program, the lines that make its arguments, and the
    statements that read them."""

    def __init__(self, rng: random.Random, seed: int):
        self.rng = rng
        self.seed = seed
        self.parameters: list[str] = []
        self.lines: list[str] = []
        self.loads: list[str] = []
        self.constants: list[tuple[str, str]] = []
        self.boxes: list[str] = []
        self.outputs: list[str] = []
        self.grid = rng.choice([(1,), (1,), (2,), (3,), (2, 2), (1, 1, 2)])
        self._sizes: dict[str, int] = {}
        self._make_block()
        for _ in range(rng.choice([2, 3, 3, 4])):
            self._make_array()
        if rng.random() < 0.15:
            self._make_huge_array()
        self._make_counts()
        for _ in range(rng.choice([0, 1, 2, 2])):
            self._make_scalar()
        for _ in range(rng.choice([0, 0, 1, 2])):
            self._make_constant()

    def _make_block(self) -> None:
        """Adds the statement that computes the index of the block in the grid, in
        row-major order."""
        text = "tile.program_id(0)"
        for axis in range(1, len(self.grid)):
            text = f"({text}) * tile.num_programs({axis}) + tile.program_id({axis})"
        self.loads.append(f"block = {text}")

    # ------------------------------------------------------------------------
    # Inputs
    # ------------------------------------------------------------------------

    def _add(self, name: str, line: str) -> None:
        """Adds an argument. It has its own random generator, so that its values stay
        the same if other arguments are left out."""
        text = line.replace(_RNG, f"rng({len(self.parameters)})")
        self.parameters.append(name)
        self.lines.append(f"{name} = {text}")

    def _make_array(self) -> None:
        name = f"x{len(self.parameters)}"
        element = self.rng.choice(_LIKELY)
        shape = self.rng.choice(_SHAPES)
        self._add(name, self._make_data(element, shape))
        self._load(name, element, shape)
        if self.rng.random() < 0.3:
            size = self.rng.choice([f"shape[{self.rng.randrange(len(shape))}]", "size"])
            self.loads.append(f"v{len(self.loads) + 100} = {name}.{size}")

    def _make_data(self, element: str, shape: tuple[int, ...]) -> str:
        """Makes an array, at times a part of a larger one or with other strides."""
        chance = self.rng.random()
        if chance < 0.6:
            return self._draw(element, shape)
        if chance < 0.7:
            return f"{self._draw(element, tuple(reversed(shape)))}.T"
        if chance < 0.8:
            items = ", ".join(["::-1"] * len(shape))
            return f"{self._draw(element, shape)}[{items}]"
        if chance < 0.9:
            wide = (*shape[:-1], 2 * shape[-1])
            return f"{self._draw(element, wide)}[..., ::2]"
        return f"np.broadcast_to({self._draw(element, (1,) * len(shape))}, {shape})"

    def _draw(self, element: str, shape: tuple[int, ...]) -> str:
        dtype = f"np.{DTYPES[element]}"
        kind = ELEMENTS[element].kind
        if kind == "bool":
            return f"{_RNG}.integers(0, 2, {shape}).astype(bool)"
        if kind == "int":
            return self._draw_integers(ELEMENTS[element], dtype, shape)
        if kind == "complex":
            return (f"({_RNG}.standard_normal({shape}) + 1j * {_RNG}.standard_normal({shape}))"
                    f".astype({dtype})")
        if self.rng.random() < 0.3:
            return f"({_RNG}.integers(-8, 9, {shape}) / 4).astype({dtype})"
        return f"{_RNG}.standard_normal({shape}).astype({dtype})"

    def _draw_integers(self, element: Element, dtype: str, shape: tuple[int, ...]) -> str:
        low, high = element.range
        chance = self.rng.random()
        if chance < 0.3:
            return f"{_RNG}.integers({low}, {high}, {shape}, {dtype}, endpoint=True)"
        if chance < 0.45:
            ends = [low, high, 0, 1, high // 2, low + 1]
            return f"np.resize(np.array({ends}, {dtype}), {shape})"
        return f"{_RNG}.integers({max(low, -9)}, 10, {shape}).astype({dtype})"

    def _load(self, name: str, element: str, shape: tuple[int, ...]) -> None:
        """Adds a load of an array: of the whole, of a part that may reach outside, or
        of one element."""
        if self.rng.random() < 0.2:
            self._read(name, shape)
            return
        variable = f"v{len(self.loads) + 100}"
        extents = list(shape)
        offsets = ["0"] * len(shape)
        at = self.rng.randrange(len(shape))
        chance = self.rng.random()
        rest = ""
        if chance < 0.25:
            offsets[at] = self.rng.choice(["-1", "1", "2", "block", "block * 2 - 1"])
        elif chance < 0.4:
            extents[at] = self.rng.choice([1, 2, shape[at] + 1])
            if element != "bool_" and not element.startswith("complex"):
                rest = self.rng.choice(["", ", pad=1", ", pad=0"])
        elif chance < 0.5:
            extents = extents[1:]
        inner = ", ".join(offsets)
        coordinates = inner if len(shape) == 1 else f"({inner})"
        box = str(tuple(extents)) if len(extents) != 1 else str(extents[0])
        self.loads.append(f"{variable} = tile.load({name}, {coordinates}, {box}{rest})")

    def _read(self, name: str, shape: tuple[int, ...]) -> None:
        """Adds a read of an array by a subscript with slices, integers and the index of
        the block."""
        items = []
        for extent in shape:
            begin = self.rng.randrange(extent)
            items.append(self.rng.choice([
                f"0:{extent}", f"0:{extent}", f"{begin}:{begin + 2}", str(begin),
                str(begin - extent), f"None, 0:{extent}", "block"]))
        self.loads.append(f"v{len(self.loads) + 100} = {name}[{', '.join(items)}]")

    def _make_huge_array(self) -> None:
        """Makes an array of more elements than memory has, by strides of zero."""
        name = f"x{len(self.parameters)}"
        dtype = self.rng.choice(["int8", "uint8", "float32", "int64"])
        size = self.rng.choice(["2 ** 31", "2 ** 31 - 1", "2 ** 32 + 3", "2 ** 33"])
        self._add(name, f"np.lib.stride_tricks.as_strided("
                        f"np.full(1, 3, np.{dtype}), ({size},), (0,))")
        size_name = f"v{len(self.loads) + 100}"
        self.loads.append(f"{size_name} = {name}.shape[0]")
        variable = f"v{len(self.loads) + 100}"
        self.loads.append(f"{variable} = tile.load({name}, {size_name} - 3, 5)")
        flags = f"v{len(self.loads) + 100}"
        compared = self.rng.choice([f"tile.arange(4) < {size_name}",
                                    f"{variable} < {size_name}",
                                    f"tile.arange(4) + 2 >= {size_name}",
                                    f"tile.minimum({variable}, {size_name})"])
        self.loads.append(f"{flags} = {compared}")

    def _make_counts(self) -> None:
        """Makes an array of small integers, for loop bounds and indices."""
        name = f"x{len(self.parameters)}"
        dtype = self.rng.choice(["int32", "int64", "int8", "uint8", "int32"])
        self._add(name, f"{_RNG}.integers(0, 5, 6).astype(np.{dtype})")
        self.loads.append(f"v{len(self.loads) + 100} = tile.load({name}, "
                          f"{self.rng.choice(['2', 'block'])}, ())")

    def _make_scalar(self) -> None:
        """Makes a scalar argument, which the program takes when it runs."""
        name = f"n{len(self.parameters)}"
        value = self.rng.choice([
            "3", "0", "2", "1", "-5", "2 ** 40", "-1", "0.75", "-2.5", "0.1", "True", "False",
            "np.float16(1.5)", "np.int64(-3)", "np.uint8(200)", "np.int8(-128)",
            "np.float64(0.1)", "np.bool_(True)", "np.uint64(2 ** 63)", "np.int32(7)",
            "1.5 - 2j", "np.complex128(0.5j)", "np.array(2.5, np.float32)"])
        self._add(name, value)
        if "np.array" in value:
            name += "[()]"
        self.loads.append(f"v{len(self.loads) + 100} = {name}")

    def _make_constant(self) -> None:
        """Makes a Python value that is known while the kernel is traced."""
        name = f"k{len(self.constants)}"
        value = self.rng.choice(["3", "2", "1.5", "True", "False", "-1"])
        self.constants.append((name, value))
        self.loads.append(f"c{len(self.loads) + 100} = {name}")

    def run(self) -> dict[str, Any]:
        """Runs the lines, and returns the arguments in the reference's form."""
        names: dict[str, Any] = {"np": np}
        exec(make_generator(self.seed), names)  # noqa: S102
        for line in self.lines:
            exec(line, names)  # noqa: S102
        return {name: make_argument(name, names[name]) for name in self.parameters}

    def get_constants(self) -> dict[str, Any]:
        return {name: eval(value) for name, value in self.constants}  # noqa: S307

    # ------------------------------------------------------------------------
    # Outputs
    # ------------------------------------------------------------------------

    def make_store(self, path: str, value: Any) -> Optional[str]:
        """Returns a statement that stores a variable to the output of its type, in the
        row of the block."""
        element, size = get_output(value)
        if element is None:
            return None
        if self.rng.random() < 0.2 and not element.startswith("complex"):
            element = self.rng.choice(list(DTYPES)[:12])  # the value is converted to it
        name = f"out_{element}"
        begin = self._sizes.get(name, self.rng.randrange(3))
        self._sizes[name] = begin + size + self.rng.choice([0, 0, 1])
        text = f"{path}.reshape(-1)" if isinstance(value, Value) and value.ndim > 1 else path
        if self.rng.random() < 0.15 and isinstance(value, Value):
            item = f"{begin}:{begin + size}" if value.ndim else str(begin)
            return f"{name}[block, {item}] = {text}"
        return f"tile.store({name}, (block, {begin}), {text})"

    def make_box_store(self, path: str, value: Value) -> str:
        """Returns a statement that stores to a box which may be partly outside of its
        array, at times with a mask. Each block has its own rows."""
        element, _ = get_output(value)
        name = f"out_box_{len(self.boxes)}"
        rows, columns = (1, *value.shape)[-2:]
        self.boxes.append(f"{name} = np.full(({int(np.prod(self.grid))}, {rows + 1}, "
                          f"{columns + 1}), {_get_filler(element)}, "
                          f"np.{DTYPES[element]})")
        begins = f"{self.rng.choice([-1, 0, 1, 2])}, {self.rng.choice([-1, 0, 1, 2])}"
        mask = ""
        if self.rng.random() < 0.5:
            mask = f", mask=tile.arange({columns}) < {self.rng.randrange(columns + 1)}"
            if value.ndim == 2:
                mask = mask.replace(" < ", f" + tile.zeros(({rows}, {columns}), tile.i32) < ")
        return f"tile.store({name}, (block, {begins}), {path}{mask})"

    def finish(self) -> None:
        """Adds the lines that make the outputs. They are filled with values that the
        program overwrites in some elements and must keep in the others."""
        blocks = int(np.prod(self.grid))
        for name, size in self._sizes.items():
            element = name.removeprefix("out_")
            self._add(name, f"np.full(({blocks}, {size + 2}), {_get_filler(element)}, "
                            f"np.{DTYPES[element]})")
            self.outputs.append(name)
        for line in self.boxes:
            name, _, made = line.partition(" = ")
            self._add(name, made)
            self.outputs.append(name)


def _get_filler(element: str) -> str:
    """Returns the value that fills an output before the run."""
    return {"bool": "True", "int": "77"}.get(ELEMENTS[element].kind, "np.nan")


def get_output(value: Any) -> tuple[Optional[str], int]:
    """Returns the type of the output to which a variable is stored, and the number of
    elements that it needs."""
    if isinstance(value, bool):
        return "bool_", 1
    if isinstance(value, (int, float)):
        return ("i64" if isinstance(value, int) else "f64"), 1
    if not isinstance(value, Value):
        return None, 0
    name = value.element.name
    if name == "index":
        return "i64", 1
    return ("f32" if not value.element.is_native else name), value.size


def make_generator(seed: int) -> str:
    """Returns the line that defines the random generator of an argument."""
    return f"rng = lambda argument: np.random.default_rng([{seed}, argument])"


def make_argument(name: str, value: Any) -> Any:
    """Returns the reference's form of an argument; outputs are known by their names."""
    if isinstance(value, np.ndarray):
        return reference.Array(value, name.startswith("out_"))
    return reference.make_argument(value)
