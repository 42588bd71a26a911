# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# host-functions.py make|check FOLDER MACHINE...: writes the arrays of
# host-functions.mlir, or compares the results of its functions with float64.

import sys

import numpy as np

mode, folder, *machines = sys.argv[1:]
if mode == "make":
    rng = np.random.default_rng(7)
    np.save(folder + "/x.npy", rng.standard_normal((37, 83), dtype=np.float32))
    np.save(folder + "/empty.npy", np.zeros((0, 83), np.float32))
    sys.exit()
x = np.load(folder + "/x.npy").astype(np.float64)
for name, factor, first in [("main", -1.75, 0), ("last", 0.5, 5)]:
    terms = factor * (x[first:] - 1)
    bound = x.shape[1] * 2.0**-23 * np.abs(terms).sum(1)
    for machine in machines:
        found = np.load("%s/%s-%s.npy" % (folder, name, machine))
        wrong = np.abs(found - terms.sum(1)) > bound
        if found.shape != wrong.shape or wrong.any():
            sys.exit("%s on %s: %d of %d sums are wrong"
                     % (name, machine, wrong.sum(), wrong.size))
        print("%s on %s: %d sums are right" % (name, machine, found.size))
