# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes and prints .npy files for the tests of tile-run.

  npy.py FILE EXPRESSION    saves the NumPy expression; `np` is numpy
  npy.py FILE               prints dtype, order, shape and elements
"""

import sys

import numpy as np

if len(sys.argv) == 3:
    np.save(sys.argv[1], eval(sys.argv[2]))
else:
    array = np.load(sys.argv[1])
    order = 'F' if np.isfortran(array) else 'C'
    print(array.dtype.str, order, array.shape, array.tolist())
