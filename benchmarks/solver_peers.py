# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuSOLVER's batched decompositions, called directly.

The routines synchronise with the host or write to their input. So each call is timed by
events directly before and after it, not in a CUDA graph.
"""

import ctypes
import glob
import os
import statistics

from launcher import BenchmarkError

VECTORS, LOWER = 1, 0
TYPES = {"f32": ("S", 0), "f64": ("D", 1)}  # letter, cudaDataType
CALLS = 5


def load(torch):
    """Loads cuSOLVER from the libraries of PyTorch, or from CUDA's folder."""
    packages = os.path.dirname(os.path.dirname(torch.__file__))
    paths = (glob.glob(packages + "/nvidia/*/lib/libcusolver.so.*") +
             glob.glob("/usr/local/cuda/lib64/libcusolver.so.*"))
    for path in sorted(paths, key=len):
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    raise BenchmarkError("expected cuSOLVER beside PyTorch or in CUDA's folder")


class Solver:
    """A batch of square matrices, decomposed by one routine."""

    def __init__(self, torch, element, matrices):
        self.torch, self.element = torch, element
        self.library = load(torch)
        self.matrices = matrices
        self.batch, self.order = matrices.shape[:2]
        self.copy = torch.empty_like(matrices)
        self.values = torch.empty_like(matrices[..., 0])
        self.info = torch.empty(self.batch, dtype=torch.int32, device="cuda")
        self.handle, self.params = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cusolverDnCreate", ctypes.byref(self.handle))

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise BenchmarkError(f"{name}: status {status}")

    def get_address(self, tensor):
        return ctypes.c_void_p(tensor.data_ptr())

    def allocate(self, size):
        return self.torch.empty(max(1, size), dtype=self.torch.uint8,
                                device="cuda")

    def time(self, run):
        """Returns the median time of `run` in microseconds."""
        times = []
        for _ in range(CALLS + 1):
            self.copy.copy_(self.matrices)
            start, end = (self.torch.cuda.Event(enable_timing=True)
                          for _ in range(2))
            self.torch.cuda.synchronize()
            start.record()
            run()
            end.record()
            self.torch.cuda.synchronize()
            times.append(start.elapsed_time(end) * 1000)
        if self.info.abs().max().item() != 0:
            raise BenchmarkError("cuSOLVER did not converge")
        return statistics.median(times[1:])

    def time_jacobi(self, routine, arguments):
        """Times a routine that uses Jacobi rotations and takes a structure of
        parameters."""
        self.call(f"cusolverDnCreate{routine.capitalize()}Info",
                  ctypes.byref(self.params))
        size = ctypes.c_int()
        name = f"cusolverDn{TYPES[self.element][0]}{routine}Batched"
        self.call(name + "_bufferSize", self.handle, *arguments,
                  ctypes.byref(size), self.params, self.batch)
        work = self.allocate(size.value * self.matrices.element_size())
        return self.time(lambda: self.call(
            name, self.handle, *arguments, self.get_address(work), size,
            self.get_address(self.info), self.params, self.batch))

    def time_syevj(self):
        return self.time_jacobi("syevj", [
            VECTORS, LOWER, self.order, self.get_address(self.copy), self.order,
            self.get_address(self.values)])

    def time_syev(self):
        kind = TYPES[self.element][1]
        self.call("cusolverDnCreateParams", ctypes.byref(self.params))
        on_device, on_host = ctypes.c_size_t(), ctypes.c_size_t()
        n, batch = ctypes.c_int64(self.order), ctypes.c_int64(self.batch)
        shared = [self.handle, self.params, VECTORS, LOWER, n, kind,
                  self.get_address(self.copy), n, kind,
                  self.get_address(self.values), kind]
        self.call("cusolverDnXsyevBatched_bufferSize", *shared,
                  ctypes.byref(on_device), ctypes.byref(on_host), batch)
        work = self.allocate(on_device.value)
        host = ctypes.create_string_buffer(max(1, on_host.value))
        return self.time(lambda: self.call(
            "cusolverDnXsyevBatched", *shared, self.get_address(work), on_device,
            host, on_host, self.get_address(self.info), batch))

    def time_gesvdj(self):
        n = self.order
        u, v = (self.torch.empty_like(self.matrices) for _ in range(2))
        return self.time_jacobi("gesvdj", [
            VECTORS, n, n, self.get_address(self.copy), n,
            self.get_address(self.values), self.get_address(u), n,
            self.get_address(v), n])


ROUTINES = {"eigh": ["syevj", "syev"], "svd": ["gesvdj"]}


def time_fastest(torch, kind, element, matrices):
    """Returns the name of the fastest routine for the matrices, and its time."""
    times = []
    for routine in ROUTINES[kind]:
        try:
            solver = Solver(torch, element, matrices)
            took = getattr(solver, "time_" + routine)()
            times.append((took, f"cuSOLVER {routine}Batched"))
        except (BenchmarkError, AttributeError) as error:
            print(f"  {routine}: {error}")
    for took, name in times:
        print(f"  {name}: {took:.1f} us", flush=True)
    return min(times, default=(float("nan"), ""))
