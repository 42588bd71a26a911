# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_arguments.py COUNT: prints a kernel of COUNT arrays, which writes the sum
of the first two to the last one. Each array has a size known at run time."""
import sys

count = int(sys.argv[1])
print("tile.kernel @k(%s) {" % ", ".join("%%a%d: memref<?xf32>" % i
                                         for i in range(count)))
print("""\
  %%zero = arith.constant 0 : index
  %%x = tile.load %%a0[%%zero] : memref<?xf32> -> !tile.tile<4xf32>
  %%y = tile.load %%a1[%%zero] : memref<?xf32> -> !tile.tile<4xf32>
  %%z = arith.addf %%x, %%y : !tile.tile<4xf32>
  tile.store %%z, %%a%d[%%zero] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}""" % (count - 1))
