# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads and launches compiled kernels by their metadata, through ctypes.

`tile-compile --emit=cubin` writes NAME.cubin and NAME.json. This module reads NAME.json
(schema 1, see include/tile/Runtime/KernelMetadata.h) and launches the kernels of
NAME.cubin in the current CUDA context, so that they use the context, the memory and the
stream of the library with which a benchmark compares them. Everything above the class
`Driver` works without a GPU.
"""

import ctypes
import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

SCHEMA = 1
# Bytes of shared memory that a kernel may use without a request to the driver.
DEFAULT_SHARED_BYTES = 48 * 1024
MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "f8E4M3FN": 1, "f8E5M2": 1,
         "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8,
         "complex<f32>": 8, "complex<f64>": 16}


class BenchmarkError(Exception):
    """An error that the user can fix: a missing file, a kernel that does not fit."""


@dataclass
class Array:
    """An array argument: its address, and a size and a stride for each dimension."""
    address: int
    sizes: tuple
    strides: tuple


# ---------------------------------------------------------------------------
# Metadata
# ---------------------------------------------------------------------------

@dataclass
class Kernel:
    """One kernel of a metadata file, the file that holds its code, and the next kernel
    of the metadata file. The label of the first kernel is the file's name."""
    label: str
    metadata: dict
    cubin: Path
    next: Optional["Kernel"] = None

    @property
    def name(self):
        return self.metadata["name"]

    @property
    def arguments(self):
        return self.metadata["arguments"]


def load_kernels(folder):
    """Returns the kernels of all NAME.json in `folder` that have a cubin."""
    kernels = []
    for path in sorted(Path(folder).glob("*.json")):
        cubin = path.with_suffix(".cubin")
        if not cubin.exists():
            continue
        try:
            module = json.loads(path.read_text())
        except ValueError as error:
            raise BenchmarkError(f"{path}: no JSON: {error}") from error
        if module.get("schema") != SCHEMA:
            raise BenchmarkError(f"{path}: expected schema {SCHEMA}, "
                                 f"found {module.get('schema')}")
        found = [Kernel(f"{path.stem}:{metadata['name']}", metadata, cubin)
                 for metadata in module["kernels"]]
        found[0].label = path.stem
        for kernel, behind in zip(found, found[1:]):
            kernel.next = behind
        kernels += found
    if not kernels:
        raise BenchmarkError(f"{folder}: no cubin with its metadata beside it; "
                             "make some with --compile TILE_COMPILE")
    return kernels


def write_programs(folder, programs):
    """Writes NAME.mlir for each program, and returns the paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for program in programs:
        paths.append(folder / (program.name + ".mlir"))
        paths[-1].write_text(program.write())
    return paths


def compile_program(compiler, program, cubin, arch):
    """Compiles a program to a cubin and a report next to it; False if it does
    not compile. Removes the files of an earlier run, so that none remains after a
    failure."""
    report = get_report_path(cubin)
    for old in (cubin, cubin.with_suffix(".json"), report):
        old.unlink(missing_ok=True)
    for output, emit in ((cubin, ["--emit=cubin"]),
                         (report, ["--emit=report", "--json"])):
        result = subprocess.run(
            [compiler, str(program), "-o", str(output), f"--arch={arch}",
             *emit], capture_output=True, text=True)
        if result.returncode != 0:
            print(f"{program}: does not compile:\n{result.stderr}",
                  file=sys.stderr)
            return False
    return True


def compile_programs(compiler, programs, folder, arch):
    """Compiles each program into `folder`, as many at a time as there are processors.
    Prints which programs do not compile, and returns how many."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = pool.map(lambda program: compile_program(
            compiler, program, folder / (program.stem + ".cubin"), arch),
            programs)
        return list(compiled).count(False)


def get_report_path(cubin):
    """Returns the path of the compiler's report for a cubin."""
    return cubin.with_name(cubin.stem + ".report.json")


def evaluate(expression, arguments):
    """Returns the value of a metadata expression for the arguments of a launch."""
    if isinstance(expression, int):
        return expression
    kind, *operands = expression
    if kind == "size":
        return arguments[operands[0]].sizes[operands[1]]
    if kind == "stride":
        return arguments[operands[0]].strides[operands[1]]
    if kind == "arg":
        return arguments[operands[0]]
    a, b = (evaluate(operand, arguments) for operand in operands)
    operations = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
                  "floordiv": lambda: a // b, "ceildiv": lambda: -(-a // b),
                  "mod": lambda: a % b, "min": lambda: min(a, b),
                  "max": lambda: max(a, b)}
    if kind not in operations:
        raise BenchmarkError(f"unknown operation '{kind}' in an expression")
    return operations[kind]()


def holds(predicate, arguments):
    """Whether an assumption of an entry point holds for the arguments."""
    argument = arguments[predicate["argument"]]
    values = {"pointer": lambda: argument.address,
              "size": lambda: argument.sizes[predicate["dim"]],
              "stride": lambda: argument.strides[predicate["dim"]],
              "scalar": lambda: argument}
    what = predicate["what"]
    if what not in values:
        raise BenchmarkError(f"unknown predicate '{what}'")
    return values[what]() % predicate["multipleOf"] == 0


def choose_entry(kernel, arguments):
    """Returns the first entry point whose predicates all hold."""
    for entry in kernel.metadata["entries"]:
        if all(holds(predicate, arguments) for predicate in entry["requires"]):
            return entry
    raise BenchmarkError(f"kernel '{kernel.name}': no entry point for these "
                         "arguments")


def check_arguments(kernel, arguments):
    """Raises an error if arrays do not match the kernel's declarations."""
    declared = kernel.arguments
    if len(declared) != len(arguments):
        raise BenchmarkError(f"kernel '{kernel.name}': expected {len(declared)}"
                             f" arguments, found {len(arguments)}")
    for position, (wanted, given) in enumerate(zip(declared, arguments)):
        if wanted["kind"] != "array":
            continue
        for what, values in (("shape", given.sizes),
                             ("strides", given.strides)):
            if len(wanted[what]) != len(values) or any(
                    w is not None and w != n
                    for w, n in zip(wanted[what], values)):
                raise BenchmarkError(
                    f"kernel '{kernel.name}': argument {position}: expected "
                    f"{what} {wanted[what]}, found {list(values)}")


def get_parameters(kernel, arguments, hidden=()):
    """Returns the kernel's parameters in order, as ctypes values.

    The parameters of an array are its pointer and those sizes and strides that are
    known only at run time. Pointers to workspaces come last.
    """
    check_arguments(kernel, arguments)
    scalars = {"f64": ctypes.c_double, "f32": ctypes.c_float,
               "i8": ctypes.c_int8, "i16": ctypes.c_int16,
               "i32": ctypes.c_int32, "i64": ctypes.c_int64,
               "index": ctypes.c_int64}
    parameters = []
    for declared, given in zip(kernel.arguments, arguments):
        if declared["kind"] == "scalar":
            if declared["type"] not in scalars:
                raise BenchmarkError("scalars of type "
                                     f"{declared['type']} are not supported")
            parameters.append(scalars[declared["type"]](given))
            continue
        parameters.append(ctypes.c_uint64(given.address))
        for wanted, value in [*zip(declared["shape"], given.sizes),
                              *zip(declared["strides"], given.strides)]:
            if wanted is None:
                parameters.append(ctypes.c_int64(value))
    return parameters + [ctypes.c_uint64(address) for address in hidden]


def get_grid(kernel, arguments):
    """Returns the counts of blocks of the launch along x, y and z."""
    if kernel.metadata["grid"] is None:
        raise BenchmarkError(f"kernel '{kernel.name}' states no grid")
    return [evaluate(e, arguments) for e in kernel.metadata["grid"]]


# ---------------------------------------------------------------------------
# Launches
# ---------------------------------------------------------------------------

class Driver:
    """The CUDA driver, on the context that is current when it is called."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise BenchmarkError(f"no CUDA driver: {error}") from error
        self.library.cuLaunchKernel.argtypes = (
            [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3)
        self.library.cuMemsetD8Async.argtypes = [
            ctypes.c_uint64, ctypes.c_ubyte, ctypes.c_size_t, ctypes.c_void_p]
        self.modules = {}

    def call(self, function, *arguments):
        """Calls a function of the driver; its failure is an error."""
        status = getattr(self.library, function)(*arguments)
        if status == 0:
            return
        text = ctypes.c_char_p()
        self.library.cuGetErrorName(status, ctypes.byref(text))
        name = text.value.decode() if text.value else str(status)
        raise BenchmarkError(f"{function} failed: {name}")

    def get_function(self, kernel, entry):
        """Returns the CUDA function of an entry point. Each cubin is loaded only
        once."""
        if kernel.cubin not in self.modules:
            module = ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module),
                      kernel.cubin.read_bytes())
            self.modules[kernel.cubin] = module
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function),
                  self.modules[kernel.cubin], entry["symbol"].encode())
        shared = get_shared_bytes(kernel, entry)
        if shared > DEFAULT_SHARED_BYTES:
            self.call("cuFuncSetAttribute", function,
                      MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
        return function


def get_shared_bytes(kernel, entry):
    """Returns the bytes of shared memory of a block that runs an entry point."""
    return entry.get("sharedBytes", kernel.metadata["sharedBytes"])


class Launch:
    """A kernel with its arguments, ready to be launched on any stream."""

    def __init__(self, driver, kernel, arguments, allocate):
        """`allocate(bytes)` returns the address of device memory, 256-aligned,
        that lives as long as the launch."""
        metadata = kernel.metadata
        if metadata["cluster"] != [1, 1, 1]:
            raise BenchmarkError(f"kernel '{kernel.name}': clusters are not "
                                 "supported")
        if metadata.get("tmaDescriptors"):
            raise BenchmarkError(f"kernel '{kernel.name}': TMA descriptors "
                                 "are not supported")
        self.driver = driver
        self.entry = choose_entry(kernel, arguments)
        self.grid = get_grid(kernel, arguments)
        self.block = metadata["block"]
        self.shared_bytes = get_shared_bytes(kernel, self.entry)
        hidden = []
        self.cleared = []
        for argument in metadata["hiddenArguments"]:
            size = evaluate(argument["bytes"], arguments)
            hidden.append(allocate(max(size, 1)))
            if argument["zero"] and size > 0:
                self.cleared.append((hidden[-1], size))
        self.parameters = get_parameters(kernel, arguments, hidden)
        self.pointers = (ctypes.c_void_p * len(self.parameters))(
            *(ctypes.addressof(p) for p in self.parameters))
        self.function = driver.get_function(kernel, self.entry)

    def __call__(self, stream):
        """Launches on `stream`; a grid without blocks launches nothing."""
        if 0 in self.grid:
            return
        for address, size in self.cleared:
            self.driver.call("cuMemsetD8Async", address, 0, size, stream)
        self.driver.call("cuLaunchKernel", self.function, *self.grid,
                         *self.block, self.shared_bytes, stream, self.pointers,
                         None)


class HostFunction:
    """The kernels that a host function launches, one after the other, on arrays and on
    its own temporaries."""

    def __init__(self, driver, kernel, name, arrays, allocate):
        """`kernel` is the first kernel of the function's file; `allocate` is the same
        as for Launch."""
        module = json.loads(kernel.cubin.with_suffix(".json").read_text())
        function = next((function for function in module.get("functions", [])
                         if function["name"] == name), None)
        if function is None:
            raise BenchmarkError(f"{kernel.cubin}: no function '{name}'")
        self.arrays = arrays
        self.types = {"argument": [argument["type"] for argument in
                                   function["arguments"]],
                      "temporary": [temporary["type"] for temporary in
                                    function["temporaries"]]}
        temporaries = [
            allocate(BYTES[temporary["type"]] * math.prod(
                self.evaluate_all(temporary["shape"])))
            for temporary in function["temporaries"]]
        self.addresses = {"argument": [array.address for array in arrays],
                          "temporary": temporaries}
        kernels = {}
        while kernel:
            kernels[kernel.name] = kernel
            kernel = kernel.next
        self.launches = [
            Launch(driver, kernels[launch["kernel"]],
                   [self.find(array) for array in launch["arguments"]],
                   allocate)
            for launch in function["launches"]]

    def evaluate_all(self, expressions):
        return tuple(evaluate(each, self.arrays) for each in expressions)

    def find(self, array):
        """Resolves an array of a launch to an address, shape and strides."""
        kind, index = array["array"], array["index"]
        offset = evaluate(array["offset"], self.arrays)
        return Array(
            self.addresses[kind][index] + offset * BYTES[self.types[kind][index]],
            self.evaluate_all(array["shape"]),
            self.evaluate_all(array["strides"]))

    def __call__(self, stream):
        for launch in self.launches:
            launch(stream)
