# mutate_products.py - wgmma matmuls, each with one mistake in their order
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 test/mutations/mutate_products.py TILE-OPT [PROGRAM...]
#
# The lowering after the phases that mutate.py covers emits some parts of a warpgroup
# MMA: the fence, the commit, and the descriptors, which are equal in all warps. Takes
# the lowered kernels of each PROGRAM (by default those of Inputs/products), makes one
# mistake at a time in the text, and runs each kernel on the emulator
# (-test-tile-emulate). The unchanged kernels must have no finding; each mistake must
# have the finding that MUTATIONS lists, except for those in HARMLESS. Prints the
# mistakes that were not found, and exits with 1 if there are any.

import pathlib
import re
import subprocess
import sys

PROGRAMS = sorted((pathlib.Path(__file__).parent / "Inputs/products").glob(
    "*.mlir"))
WAIT = r"nvvm\.wgmma\.wait\.group"
COMMIT = r"nvvm\.wgmma\.commit\.group"


def delete(lines, at):
    return lines[:at] + lines[at + 1:]


def wait_for_less(lines, at):
    count = int(lines[at].split()[-1])
    return lines[:at] + [lines[at].replace(" %d" % count, " %d" % (count + 1))
                         ] + lines[at + 1:]


def move_behind(pattern):
    """Returns a function that moves a line after the next line that matches."""
    def move(lines, at):
        other = next(i for i in range(at, len(lines))
                     if re.search(pattern, lines[i]))
        return lines[:at] + lines[at + 1:other + 1] + [lines[at]] + lines[
            other + 1:]
    return move


def move_before(pattern):
    """Returns a function that moves a line before the last earlier line that
    matches."""
    def move(lines, at):
        other = next(i for i in reversed(range(at))
                     if re.search(pattern, lines[i]))
        return lines[:other] + [lines[at]] + lines[other:at] + lines[at + 1:]
    return move


def name_another(operand):
    """Returns a function that gives the second warp the descriptor of the other
    operand."""
    def name(lines, at):
        a, b = re.search(r"mma_async (%\d+), (%\d+),", lines[at]).groups()
        own, other = (a, b) if operand == 0 else (b, a)
        made = """%%mutant_thread = gpu.thread_id x
%%mutant_32 = arith.constant 32 : index
%%mutant_1 = arith.constant 1 : index
%%mutant_warp = arith.divui %%mutant_thread, %%mutant_32 : index
%%mutant_is = arith.cmpi eq, %%mutant_warp, %%mutant_1 : index
%%mutant = arith.select %%mutant_is, %s, %s : i64""" % (other, own)
        return lines[:at] + made.split("\n") + [
            lines[at].replace(own + ",", "%mutant,", 1)] + lines[at + 1:]
    return name


def write_operand(lines, at):
    """Makes thread 0 write to an operand, between barriers, after the commit."""
    pointer = next(re.search(r"ptrtoint (%\d+) : !llvm.ptr<3> to i32",
                             lines[i]).group(1)
                   for i in reversed(range(at)) if "to i32" in lines[i]
                   and "ptrtoint" in lines[i])
    made = """gpu.barrier
%%mutant_thread = gpu.thread_id x
%%mutant_0 = arith.constant 0 : index
%%mutant_none = arith.constant 0 : i16
%%mutant_is = arith.cmpi eq, %%mutant_thread, %%mutant_0 : index
scf.if %%mutant_is {
llvm.store %%mutant_none, %s : i16, !llvm.ptr<3>
}
gpu.barrier""" % pointer
    return lines[:at + 1] + made.split("\n") + lines[at + 1:]


# Findings of an MMA in flight: its accumulators are used, or its operands are
# overwritten.
IN_FLIGHT = ("unordered product: expected wgmma.wait_group between|"
             "race: no wait for the product and barrier after it")


# Name, pattern of the lines, function that changes one, and the expected finding.
MUTATIONS = [
    ("delete the proxy fence", r"nvvm\.fence\.proxy", delete,
     "missing proxy fence: expected fence.proxy.async"),
    ("proxy fence before the wait for the copies", r"nvvm\.fence\.proxy",
     move_before(r"cp\.async\.wait\.group"),
     "missing proxy fence: expected fence.proxy.async"),
    ("delete the fence", r"nvvm\.wgmma\.fence", delete,
     "unordered product: expected wgmma.fence"),
    ("delete the commit", COMMIT, delete,
     "unordered product: expected wgmma.wait_group between"),
    ("delete the wait", WAIT, delete, IN_FLIGHT),
    ("wait for one group less", WAIT, wait_for_less, IN_FLIGHT),
    ("wait behind the first use of the accumulators", WAIT,
     move_behind(r"// waited for"), IN_FLIGHT),
    ("write to an operand before the wait", COMMIT, write_operand,
     "race: no wait for the product and barrier after it"),
    ("another descriptor of A in a warp", r"wgmma\.mma_async", name_another(0),
     "divergent product: expected the same product"),
    ("another descriptor of B in a warp", r"wgmma\.mma_async", name_another(1),
     "divergent product: expected the same product"),
]


# Reasons why a mutation of a kernel is harmless, so that it must have no finding.
HARMLESS = {
    ("proxy fence before the wait for the copies", "pipelined__general"):
        "the threads write the elements themselves, and each fences what it "
        "wrote before the barrier",
}


def get_kernel(lines, at):
    """Returns the kernel that a line is in."""
    return next(re.search(r"tile\.kernel @(\w+)", lines[i]).group(1)
                for i in reversed(range(at)) if "tile.kernel @" in lines[i])


def find(opt, lines):
    """Returns the emulator's findings in the kernels."""
    return subprocess.run(
        [opt, "-", "-test-tile-emulate=schedules=3", "-o", "/dev/null"],
        input="\n".join(lines), capture_output=True, text=True).stderr


def mutate_all(opt, lines):
    """Returns how many mutations were made, and how many were not found."""
    made = missed = 0
    for name, pattern, apply, expected in MUTATIONS:
        indices = [at for at, line in enumerate(lines)
                   if re.search(pattern, line)]
        assert indices, name
        for at in indices:
            findings = find(opt, apply(lines, at))
            made += 1
            is_harmless = (name, get_kernel(lines, at)) in HARMLESS
            is_told = any(text in findings for text in expected.split("|"))
            if is_told and not is_harmless:
                continue
            if is_harmless and not findings:
                continue
            missed += 1
            print("line %d: %s: expected '%s', got:\n%s"
                  % (at + 1, name, "" if is_harmless else expected,
                     findings[:1000]))
    return made, missed


def mutate_program(opt, program):
    lines = subprocess.run(
        [opt, program, "-tile-phases", "-convert-tile-to-nvgpu"],
        capture_output=True, text=True, check=True).stdout.split("\n")
    findings = find(opt, lines)
    if findings:
        sys.exit("expected clean kernels, got:\n" + findings)
    return mutate_all(opt, lines)


def main():
    opt = sys.argv[1]
    made, missed = map(sum, zip(*(mutate_program(opt, program)
                                  for program in sys.argv[2:] or PROGRAMS)))
    print("%d mutations, %d missed" % (made, missed))
    return missed != 0


sys.exit(main())
