# instructions.py - instructions of matmuls of every type, one line for each kernel
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   instructions.py write ARCH [MxNxK] [TYPE...]    the programs, in each operand
#                                           order, of that tile or 16x16x32
#   instructions.py list < LLVM_DIALECT     the instructions of each kernel
#
# A line has a kernel and its loads from shared memory, conversions and matrix
# instructions, in the order of their first occurrence:
#
#   gemm_f16: ldmatrix, ldmatrix.trans, mma.sync m16n8k16 f16x2 f16x2 f32

import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "benchmarks"))

import product

TYPES = ["f16", "f16inf16", "bf16", "tf32", "i8", "e4m3", "e5m2", "f64", "f32",
         "i16", "i32", "i64", "cf32", "cf64"]


def write(arch, *words):
    """Prints a module with a kernel for each type and operand order."""
    tile, *types = words if words and "x" in words[0] else ("16x16x32", *words)
    tile = tuple(map(int, tile.split("x")))
    texts = [product.Program(name, order, tile).write()
             for name in types or TYPES for order in product.ORDERS]
    grid = texts[0][texts[0].index("#grid"):texts[0].index("\ntile.kernel")]
    print(grid)
    print('module attributes {tile.target = "%s"} {' % arch)
    for text in texts:
        print(text[text.index("tile.kernel"):])
    print("}")


def parse_attribute(line, name):
    """Returns "m16n8k16" for `shape = #nvvm.shape<m = 16, n = 8, k = 16>`."""
    found = re.search(name + r" = #nvvm\.\w+<([^>]*)>", line)
    return re.sub("[ =,]", "", found[1]) if found else None


def parse_shape(line):
    """Returns "m64n8k16" for `<m = 64, n = 8, k = 16>`."""
    return re.sub("[ =,]", "", re.search(r"<(m = [^>]*)>", line)[1])


def shorten(type):
    """Returns "f16x2" for `vector<2xf16>`."""
    return re.sub(r"vector<(\d+)x(\w+)>", r"\2x\1", type)


def describe(line):
    """Returns the instruction of a line, or None for lines without one."""
    if "nvvm.ldmatrix" in line:
        is_transposed = "mma_layout<col>" in line
        return "ldmatrix.trans" if is_transposed else "ldmatrix"
    if "nvvm.mma.sync" in line:
        types = re.search(r": \((.*)\) -> (.*)", line)
        names = [parse_attribute(line, "multiplicand%sPtxType" % x) for x in "AB"]
        operands = [name or shorten(element)
                    for name, element in zip(names, types[1].split(", "))]
        result = shorten(re.search(r"struct<\(([^,)]*)", types[2])[1])
        return "mma.sync %s %s %s" % (parse_attribute(line, "shape"),
                                      " ".join(operands), result)
    if "nvvm.wgmma.mma_async" in line:
        a, b = (re.search(side + r" ?\[<(\w+)>, [^,]*, <(\w+)>\]", line)
                for side in "AB")
        return "wgmma %s %s %s, %s %s" % (
            parse_shape(line), a[1], a[2], b[1], b[2])
    found = re.search(r'"llvm\.nvvm\.(mma[^"]*)"', line)
    if found:
        return found[1]
    found = re.search(r"nvvm\.(prmt|convert[\w.]*)", line)
    if found:
        rounding = parse_attribute(line, "rnd")
        return found[1] + ("." + rounding if rounding else "")
    found = re.search(r"llvm\.load .*!llvm\.ptr<3> -> (.*)", line)
    if found:
        return "ld.shared " + shorten(found[1])
    found = re.search(r"llvm\.intr\.fma\(.*-> (.*)", line)
    if found:
        return "fma " + found[1]
    return None


def list_instructions(lines):
    kernel, found = None, []
    for line in lines:
        start = re.search(r"llvm\.func @(\w+)\(", line)
        if start:
            flush(kernel, found)
            kernel, found = start[1], []
        instruction = describe(line)
        if instruction and instruction not in found:
            found.append(instruction)
    flush(kernel, found)


def flush(kernel, found):
    """Prints a kernel; its generic variant has the same matrix instructions."""
    if kernel and kernel.startswith("gemm") and not kernel.endswith("__general"):
        print("%s: %s" % (kernel, ", ".join(found)))


if sys.argv[1] == "write":
    write(sys.argv[2], *sys.argv[3:])
else:
    list_instructions(sys.stdin)
