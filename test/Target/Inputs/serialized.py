# serialized.py - reports wgmma matmuls that ptxas serializes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 serialized.py TILE-COMPILE FOLDER NAME...
#
# Compiles matmuls of benchmarks/product.py, and chains of them of
# benchmarks/chain_programs.py, for sm_90a and prints the messages (C75xx) of
# ptxas for those whose instructions it does not let overlap; exits with 1 if
# there are any.

import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "benchmarks"))

import chain_programs
import product


def write(name):
    is_chain = name.startswith(("attention_", "mlp_"))
    parse = chain_programs.parse if is_chain else product.parse_name
    return parse(name).write()


def main():
    compiler, folder, *names = sys.argv[1:]
    serialized = 0
    for name in names:
        path = pathlib.Path(folder) / (name + ".mlir")
        path.write_text(write(name))
        done = subprocess.run(
            [compiler, path, "--arch=sm_90a", "-o", path.with_suffix(".cubin")],
            capture_output=True, text=True)
        if done.returncode or "serialized" in done.stderr:
            serialized += 1
            print(name + ":\n" + done.stderr)
    print("%d products, %d serialized or refused" % (len(names), serialized))
    return serialized != 0


sys.exit(main())
