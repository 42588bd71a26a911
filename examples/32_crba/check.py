# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

UNIT = 2.0 ** -24
# Bodies and degrees of freedom of each program. A program has the name of its kernel;
# --file selects one.
PROGRAMS = {"crba": (13, 18), "crba_loop": (13, 18), "humanoid": (24, 32)}


def check(example, kernel, bodies, dofs):
    robots, = example.size
    j = example.normal(robots, 6 * bodies, dofs)
    # Inertias are symmetric and positive definite.
    x = example.normal(robots, bodies, 6, 6).astype(np.float64)
    m = (x @ x.transpose(0, 1, 3, 2) / 6 + np.eye(6)).astype(np.float32)
    r = np.abs(example.normal(robots, dofs))
    given = m if kernel == "crba" else m.reshape(robots, 6 * bodies, 6)
    h, l = example.run_all(kernel, [j, given, r], [(robots, dofs, dofs)] * 2)

    rows = j.astype(np.float64).reshape(robots, bodies, 6, dofs)
    m = m.astype(np.float64)
    expected = np.einsum("rbik,rbij,rbjl->rkl", rows, m, rows)
    expected += np.eye(dofs) * r[:, None, :]
    size = np.einsum("rbik,rbij,rbjl->rkl", abs(rows), abs(m), abs(rows))
    what = "%s of %d robots" % (kernel, robots)
    check_near(h, expected, 20 * UNIT * size, what + ", H")
    # The factor is tested with the kernel's H, as LAPACK does (TESTING/LIN/dpot01.f).
    factor = np.tril(l.astype(np.float64))
    rest = np.abs(h - factor @ factor.transpose(0, 2, 1)).sum(-2).max(-1)
    ratio = rest / (dofs * np.abs(h).sum(-2).max(-1) * UNIT)
    assert (np.triu(l, 1) == 0).all() and (ratio <= 1.5).all(), ratio
    print("%s, L: residual %.2f n u" % (what, ratio.max()))


def main():
    example = Example("crba.mlir", size=(3,))
    given = pathlib.Path(example.options.file)
    here = pathlib.Path(__file__).resolve().parent
    names = PROGRAMS if given == here / "crba.mlir" else [given.stem]
    for name in names:
        if name not in PROGRAMS:
            sys.exit("expected a file named after one of %s, got %s"
                     % (", ".join(PROGRAMS), given))
        if len(names) > 1:
            example.options.file = here / (name + ".mlir")
        check(example, name, *PROGRAMS[name])


if __name__ == "__main__":
    main()
