# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices of every element type on the GPU, and matmuls of them.

Statements about a matrix also apply to a contiguous batch of matrices. A matrix lies in
a longer piece of memory; its rows are tight, padded or misaligned. The whole memory is
filled with one byte before a run, so that accesses outside of the matrix, and missing
writes inside, are detected. Everything above the class `Matrix` works without PyTorch.
"""

from dataclasses import dataclass

import launcher
import product
from launcher import Array, BenchmarkError

DEVICE = "cuda"
# PyTorch's names of element types.
DTYPES = {"f64": "float64", "f32": "float32", "f16": "float16",
          "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn",
          "f8E5M2": "float8_e5m2", "i8": "int8", "i16": "int16",
          "i32": "int32", "i64": "int64", "complex<f32>": "complex64",
          "complex<f64>": "complex128"}
# The number of guard elements after each matrix.
GUARD = 64
# A byte that, repeated, is NaN in each floating-point type.
NAN_BYTE = 0xff


@dataclass(frozen=True)
class Layout:
    """The memory layout of a matrix: the number of elements before it, and the least
    number of padding elements between its rows or columns."""
    name: str
    offset: int
    pad: int

    def get_leading(self, length):
        """Returns the number of elements from the start of a row to the start of the
        next. With `pad`, it is a multiple of 16 that leaves at least `pad` elements
        between rows."""
        if self.pad == 0:
            return max(length, 1)
        return -(-(length + self.pad) // 16) * 16


TIGHT = Layout("tight", 0, 0)
# With this padding rows are aligned at every size, so that the entry point for aligned
# rows is also tested with extents that are no multiples of a vector.
PADDED = Layout("padded", 0, 8)
OFFSET = Layout("offset", 1, 0)


def get_strides(declared, shape, layout):
    """Returns the strides of an argument. The argument is column-major if its last
    stride but one is declared as 1."""
    *batch, rows, cols = shape
    if declared["strides"][-1] == 1:
        strides, length = (layout.get_leading(cols), 1), rows
    elif declared["strides"][-2] == 1:
        strides, length = (1, layout.get_leading(rows)), cols
    else:
        raise BenchmarkError(f"argument '{declared['name']}': neither "
                             "row-major nor column-major")
    return (max(length, 1) * max(strides),) * len(batch) + strides


def get_span(shape, strides, layout):
    """Returns the number of elements of the memory that contains a matrix: the offset,
    the matrix with its padding, and the guard."""
    inside = max(length * stride for length, stride in zip(shape, strides))
    return layout.offset + max(inside, *strides) + GUARD


def describe(layout, shape, declared, address=0):
    """Returns the argument in the launcher's form."""
    size = launcher.BYTES[declared["type"]]
    return Array(address + layout.offset * size, shape,
                 get_strides(declared, shape, layout))


def get_arrays(kernel, size):
    """Returns the declaration and the shape, for a size, of each of a matmul's arrays
    A, B and C. If K is split, a workspace precedes C, which the first kernel writes and
    the second reads."""
    *batch, m, n, k = size
    shapes = [(*batch, m, k), (*batch, k, n), (*batch, m, n)]
    arrays = list(kernel.arguments)
    if parts := find_program(kernel).parts:
        shapes.insert(2, (parts, m, n))
        arrays += kernel.next.arguments[1:]
    return list(zip(arrays, shapes))


def describe_all(layout, size, kernel, address=0):
    """Returns the arrays of a matmul's first kernel in the launcher's form."""
    return [describe(layout, shape, declared, address)
            for declared, shape in get_arrays(kernel, size)[:3]]


def find_program(kernel):
    """Returns the matmul program that a kernel's label names; None if the kernel is no
    matmul."""
    try:
        return product.parse_name(kernel.label)
    except BenchmarkError:
        return None


class Matrix:
    """A matrix on the GPU, which consists of poison bytes until values are stored."""

    def __init__(self, torch, declared, shape, layout):
        self.torch = torch
        self.layout = layout
        self.element_bytes = launcher.BYTES[declared["type"]]
        self.dtype = getattr(torch, DTYPES[declared["type"]])
        strides = get_strides(declared, shape, layout)
        span = get_span(shape, strides, layout)
        self.memory = torch.empty(span * self.element_bytes, dtype=torch.uint8,
                                  device=DEVICE)
        self.values = self.memory.view(self.dtype).as_strided(
            shape, strides, layout.offset)
        self.argument = describe(layout, shape, declared,
                                 self.memory.data_ptr())
        self.poison()

    def poison(self, byte=NAN_BYTE):
        self.byte = byte
        self.memory.fill_(byte)

    def fill_random(self):
        """Fills the matrix with normally distributed values, or with integers of the
        whole range."""
        shape = self.values.shape
        if self.dtype.is_floating_point or self.dtype.is_complex:
            # f64 and complex values are drawn in their own type, so that all bits are
            # random.
            dtype = (self.dtype if self.element_bytes > 4
                     else self.torch.float32)
            random = self.torch.randn(shape, dtype=dtype, device=DEVICE)
        else:
            random = self.torch.randint(
                256, (shape.numel() * self.element_bytes,),
                dtype=self.torch.uint8, device=DEVICE)
            random = random.view(self.dtype).view(shape)
        self.values.copy_(random)

    def get_bytes(self):
        """Returns a copy of the elements' bytes, with the bytes of an element in a last
        dimension."""
        return self.values.clone(
            memory_format=self.torch.contiguous_format).view(
                self.torch.uint8).view(*self.values.shape, self.element_bytes)

    def is_clean_around(self):
        """Whether nothing was written around the matrix."""
        num_elements = len(self.memory) // self.element_bytes
        outside = self.torch.ones(num_elements, dtype=self.torch.bool,
                                  device=DEVICE)
        outside.as_strided(self.values.shape, self.values.stride(),
                           self.layout.offset).fill_(False)
        elements = self.memory.view(num_elements, self.element_bytes)
        return bool((elements[outside] == self.byte).all())


class Matmul:
    """A matmul C = A B on the GPU, or a batch, ready to be launched and compared."""

    def __init__(self, torch, driver, kernel, size, layout):
        self.torch = torch
        self.program = find_program(kernel)
        # All arrays live as long as this object, including the workspace between the
        # kernels.
        self.arrays = arrays = [
            Matrix(torch, declared, shape, layout)
            for declared, shape in get_arrays(kernel, size)]
        self.a, self.b, self.c = arrays[0], arrays[1], arrays[-1]
        self.a.fill_random()
        self.b.fill_random()
        self.workspaces = []
        arguments = [array.argument for array in arrays]
        self.launch = launcher.Launch(driver, kernel, arguments[:3],
                                      self.allocate)
        self.launches = [self.launch]
        if self.program.parts:
            self.launches.append(launcher.Launch(
                driver, kernel.next, arguments[2:], self.allocate))

    def allocate(self, size):
        """Returns device memory that lives as long as this object; torch aligns it to
        512 bytes."""
        self.workspaces.append(self.torch.empty(
            size, dtype=self.torch.uint8, device=DEVICE))
        return self.workspaces[-1].data_ptr()

    def run(self):
        for launch in self.launches:
            launch(self.torch.cuda.current_stream().cuda_stream)
