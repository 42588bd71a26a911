# names.py - tests kernels and functions whose names are also those of other symbols
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The other symbols are functions of the C library, which host code calls, and those
# that the compiler adds to a program.

from harness import *

rng = np.random.default_rng(46)
KERNELS = ["exp", "log", "tanh", "fmod", "pow", "free", "malloc",
           "aligned_alloc", "memcpy", "memset", "memmove", "abort", "main",
           "_tile_entry_exp", "_tile_program_exp", "_tile_exp",
           "tile_cpu_assert_fail", "tile_emulator_access"]
if "--on=cpu" in MACHINE:
    KERNELS.append("__nv_exp")  # of libdevice, on the GPU path
FUNCTIONS = ["cos", "sqrt", "printf", "__nv_tanh"]

FUNCTION = """func.func @%s(%%t: !tile.tile<256xf64>) -> !tile.tile<256xf64> {
  %%u = arith.addf %%t, %%t : !tile.tile<256xf64>
  return %%u : !tile.tile<256xf64>
}
"""
# Uses at least one operation for each kind of symbol in KERNELS.
KERNEL = """tile.kernel @%s(%%x: memref<256xf64>, %%r: memref<256xf64>) {
  %%zero = arith.constant 0 : index
  %%y = arith.constant dense<0.75> : !tile.tile<256xf64>
  %%t = tile.load %%x[%%zero] : memref<256xf64> -> !tile.tile<256xf64>
  %%a = math.exp %%t : !tile.tile<256xf64>
  %%b = math.log %%a : !tile.tile<256xf64>
  %%c = math.tanh %%b : !tile.tile<256xf64>
  %%d = arith.remf %%c, %%y : !tile.tile<256xf64>
  %%e = math.absf %%d : !tile.tile<256xf64>
  %%f = math.powf %%e, %%y : !tile.tile<256xf64>
  %%g = math.cos %%f : !tile.tile<256xf64>
  %%h = func.call @%s(%%g) : (!tile.tile<256xf64>) -> !tile.tile<256xf64>
  %%is = arith.cmpf ord, %%h, %%h : !tile.tile<256xf64>
  tile.assert %%is, "expected numbers" : !tile.tile<256xi1>
  tile.store %%h, %%r[%%zero] : !tile.tile<256xf64>, memref<256xf64>
  tile.return
}
"""

program = "".join(FUNCTION % name for name in FUNCTIONS)
for index, name in enumerate(KERNELS):
    program += KERNEL % (name, FUNCTIONS[index % len(FUNCTIONS)])
x = rng.standard_normal(256)
expected = 2 * np.cos(np.abs(np.fmod(np.tanh(x), 0.75)) ** 0.75)
for name in ("exp", "free", "main", "tile_cpu_assert_fail"):
    found = run(program, name, x, Out())
    assert np.max(np.abs(found - expected)) < 1e-13, name
