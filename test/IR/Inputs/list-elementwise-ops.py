# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints each operation of the arith and math dialects as accepted or refused on
# tiles: whether any choice of element types verifies. The names come from the
# installed .td files, so that an operation that is new upstream shows up.
#
#   list-elementwise-ops.py INCLUDE_DIR

import itertools
import json
import re
import subprocess
import sys

INCLUDE_DIR = sys.argv[1]
# Enough types that each kind of conversion finds its source and its result.
ELEMENTS = ["f32", "i32", "i1", "f16", "i64", "index"]
SECTION = "// -----\n"


def read_operations(file):
    """Returns (name, operands, results) of each operation of a dialect."""
    text = subprocess.run(
        ["llvm-tblgen", "--dump-json", "-I", INCLUDE_DIR,
         INCLUDE_DIR + "/" + file],
        check=True, capture_output=True, text=True).stdout
    records = json.loads(text)
    for name in records["!instanceof"]["Op"]:
        record = records[name]
        dialect = records[record["opDialect"]["def"]]["name"]
        operands = [a for a, _ in record["arguments"]["args"]
                    if is_type(records, a)]
        yield (dialect + "." + record["opName"], len(operands),
               len(record["results"]["args"]))


def is_type(records, argument):
    """Returns whether an argument is an operand, not an attribute."""
    name = argument["def"]
    return any(name in records["!instanceof"].get(kind, [])
               for kind in ("TypeConstraint",))


def tile(element):
    return "!tile.tile<4x%s>" % element


def choose_types(numOperands, numResults):
    """Returns the operand and result types that are tried."""
    pairs = list(itertools.product(ELEMENTS, repeat=2))
    for a, b in pairs:
        # All types are equal, or the last operand or result has another type.
        for operands in ([a] * numOperands, [a] * (numOperands - 1) + [b],
                         [b] + [a] * (numOperands - 1)):
            for results in ([a] * numResults, [b] * numResults,
                            [a] * (numResults - 1) + [b]):
                if len(operands) == numOperands and len(results) == numResults:
                    yield operands, results


ATTRIBUTES = {
    "arith.cmpi": "<{predicate = 0 : i64}> ",
    "arith.cmpf": "<{predicate = 1 : i64}> ",
}


def write_case(function, operation, operands, results):
    arguments = ", ".join("%%a%d: %s" % pair for pair in enumerate(operands))
    return "func.func @%s(%s) {\n  %s\"%s\"(%s) %s: (%s) -> (%s)\n  return\n}\n" % (
        function, arguments,
        "%%r:%d = " % len(results) if results else "",
        operation, ", ".join("%%a%d" % i for i in range(len(operands))),
        ATTRIBUTES.get(operation, ""), ", ".join(operands), ", ".join(results))


def find_accepted(cases):
    """Returns the names of the functions that verify; `cases` maps names to text."""
    answer = subprocess.run(
        ["tile-opt", "-split-input-file", "-allow-unregistered-dialect=false"],
        input=SECTION.join(cases), capture_output=True, text=True)
    return set(re.findall(r"func\.func @([\w.]+)", answer.stdout))


def main():
    operations = sorted(
        set(read_operations("mlir/Dialect/Arith/IR/ArithOps.td"))
        | set(read_operations("mlir/Dialect/Math/IR/MathOps.td")))
    cases, names = [], []
    for name, numOperands, numResults in operations:
        if name in ("arith.constant", "arith.select"):
            continue
        names.append(name)
        tried = {(tuple(map(tile, o)), tuple(map(tile, r)))
                 for o, r in choose_types(numOperands, numResults)}
        cases += [write_case(name, name, o, r) for o, r in sorted(tried)]
    # Whether these two operations verify depends on more than their types.
    names += ["arith.constant", "arith.select", "arith.select_by_tile"]
    cases += [
        "func.func @arith.constant() {\n  %c = arith.constant dense<1.0> :"
        " !tile.tile<4xf32>\n  return\n}\n",
        write_case("arith.select", "arith.select",
                   ["i1", tile("f32"), tile("f32")], [tile("f32")]),
        write_case("arith.select_by_tile", "arith.select",
                   [tile("i1"), tile("f32"), tile("f32")], [tile("f32")]),
    ]
    accepted = find_accepted(cases)
    for name in sorted(names):
        print(name, "accepted" if name in accepted else "refused")


main()
