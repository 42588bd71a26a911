# mutate_gradients.py - makes mistakes in the derivatives of operations
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 test/mutations/mutate_gradients.py --check
#   python3 test/mutations/mutate_gradients.py [--build=build] [--filter REGEX] [--update]
#
# Each row of MUTATIONS replaces a text of lib/Gradient or its folder Rules. Both texts are
# compiled into one build, and the environment variable TILE_GRADIENT_MUTATION
# chooses the row, so that the libraries are built once. A mutation is caught if
# tile-fuzz --derivatives fails, or else gradients.py or loop_gradients.py; if none
# does, the exit status is 1.
#
# --check only checks that each text occurs once. Without it the sources are
# changed in place while the tools are built; they must equal those of the last
# commit, and are restored at the end. --update writes docs/mutations/gradients.csv.

import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GRADIENT = SOURCE / "lib/Gradient"
RULES = GRADIENT / "Rules"
TABLE = SOURCE / "docs/mutations/gradients.csv"
# Seeds of one run of tile-fuzz; after a run with failures no other one follows.
CHUNK = 80
VARIABLE = "TILE_GRADIENT_MUTATION"
DECLARATION = f"""
#include <cstdlib>
namespace tile {{
/// Whether the environment chooses a mutation.
inline bool isMutated(int mutation) {{
  const char *chosen = std::getenv("{VARIABLE}");
  return chosen && std::atoi(chosen) == mutation;
}}
}} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_RULES_H
"""
# The file, the mistake, the text, the text with the mistake, and words that
# programs have in which the mistake shows.
MUTATIONS = [
    ("ArithRules", "sign of a difference", "b.sub(tangents[0], tangents[1])",
     "b.add(tangents[0], tangents[1])", "arith.subf"),
    ("ArithRules", "sign of a difference's transpose",
     "b.isTangent(op.getRhs()) ? b.neg(cotangents[0]) : Value()",
     "b.isTangent(op.getRhs()) ? cotangents[0] : Value()", "arith.subf"),
    ("ArithRules", "a factor of the other operand",
     "b.mul(tangents[1], op.getLhs())", "b.mul(tangents[1], op.getRhs())",
     "arith.mulf"),
    ("ArithRules", "a term of a quotient is dropped",
     "b.div(b.sub(tangents[0], ofDivisor), op.getRhs())",
     "b.div(tangents[0] ? tangents[0] : b.neg(ofDivisor), op.getRhs())",
     "arith.divf"),
    ("ArithRules", "sign of a negation's transpose",
     "return values({b.neg(cotangents[0])});", "return values({cotangents[0]});",
     "arith.negf"),
    ("ArithRules", "weight of a tie",
     "b.select(isNaN, result, Value());\n"
     "    Value ifNotChosen = b.select(isEqual, b.real(type, 0.5), ifUnequal)",
     "b.select(isNaN, result, Value());\n"
     "    Value ifNotChosen = b.select(\n"
     "        isEqual, b.real(type, isMutated({index}) ? 1 : 0.5), ifUnequal)",
     "arith.maximumf,arith.minimumf"),
    ("MathRules", "sign of a cosine",
     "b.neg(b.apply<math::SinOp>(op.getOperand()))",
     "b.apply<math::SinOp>(op.getOperand())", "math.cos "),
    ("MathRules", "factor of an error function",
     "b.scale(b.apply<math::ExpOp>(b.neg(b.mul(x, x))), kFactor)",
     "b.scale(b.apply<math::ExpOp>(b.neg(b.mul(x, x))), kFactor / 2)", "math.erf"),
    ("MathRules", "derivative of the logarithm of 1 + x",
     "b.add(op.getOperand(), one(b, op.getOperand()))", "op.getOperand()",
     "math.log1p"),
    ("MathRules", "factor of a reciprocal root",
     "b.scale(b.mul(b.mul(y, y), y), -0.5)",
     "b.scale(b.mul(b.mul(y, y), y), 0.5)", "math.rsqrt"),
    ("MathRules", "a term of a fused multiplication is dropped",
     "b.add(ofProduct, tangents[2])", "ofProduct", "math.fma"),
    ("MathRules", "sign of an angle", "b.mul(tangents[1], b.div(y, square))",
     "b.mul(tangents[1], b.div(b.neg(y), square))", "math.atan2"),
    ("ComplexRules", "missing conjugate of a factor",
     "b.mul(g, b.conj(y))", "b.mul(g, y)", "tile.complex mul"),
    ("ComplexRules", "missing conjugate of a divisor", "b.div(g, b.conj(y))",
     "b.div(g, y)", "tile.complex div"),
    ("ComplexRules", "missing conjugate of an absolute value", "b.mul(dx, b.conj(x))",
     "b.mul(dx, x)", "tile.complex abs"),
    ("ComplexRules", "real instead of imaginary part",
     "b.createComplex(ComplexKind::im, type, g)",
     "b.createComplex(ComplexKind::re, type, g)", "tile.complex create"),
    ("ComputeRules", "values of a selection are exchanged",
     "b.select(op.getCondition(), Value(), cotangents[0])",
     "b.select(op.getCondition(), cotangents[0], Value())", "tile.select"),
    ("CombiningRules", "ties are not divided",
     "b.div(sumAs(b, op, b.mul(tangent, weights), y.getType()), count)",
     "sumAs(b, op, b.mul(tangent, weights), y.getType())", "tile.reduce max,tile.reduce min"),
    ("CombiningRules", "factors on one side only",
     "b.mul(multiplyOthers(false), multiplyOthers(true))", "multiplyOthers(false)",
     "tile.reduce mul"),
    ("CombiningRules", "direction of a scan's transpose",
     "scanAdd(b, op, cotangents[0], !op.getReverse())",
     "scanAdd(b, op, cotangents[0], op.getReverse())", "tile.scan add"),
    ("FourierRules", "transform in the same direction",
     "return values({FftOp::create(b, op.getType(), cotangents[0], op.getNorm(),\n"
     "                               op.getPlanAttr())});",
     "return values({IfftOp::create(b, op.getType(), cotangents[0], op.getNorm(),\n"
     "                               op.getPlanAttr())});", "tile.ifft"),
    ("FourierRules", "norm of a transform",
     "IrfftOp::create(b, type, bins, op.getNorm())",
     "IrfftOp::create(b, type, bins, FftNorm::by_n)", "tile.rfft"),
    ("FourierRules", "bins that stand for two count once",
     "scaleDoubleBins(b, cotangents[0], length, 0.5)", "cotangents[0]", "tile.rfft"),
    ("FourierRules", "the middle bin counts twice", "length % 2 == 0", "false",
     "tile.rfft,tile.irfft"),
    ("IndexedRules", "no values of a put", "ofOperands[0] = takeBack(b, op, g);",
     ";", "tile.put"),
    ("IndexedRules", "elements that are overwritten keep their cotangent",
     "op.getKind()\n            ? g", "true ? g", "tile.put"),
    ("MatrixTiles", "diagonal of a Cholesky factor's derivative is not halved",
     "b.scale(triangle, 0.5)", "triangle", "tile.cholesky_derivative"),
    ("LinearAlgebraRules", "missing transpose of a Cholesky factor's derivative",
     "!wasTransposed", "wasTransposed", "tile.cholesky"),
    ("LinearAlgebraRules", "terms of a derivative by the factor are dropped",
     "b.sub(divide(change), turned)", "divide(change)", "tile.cholesky_derivative"),
    ("LinearAlgebraRules", "sign of a term of a derivative by the factor",
     "takeHermitianHalf(b, multiplyMatrices(b, ratio, both))",
     "b.neg(takeHermitianHalf(b, multiplyMatrices(b, ratio, both)))",
     "tile.cholesky_derivative"),
    ("LinearAlgebraRules", "missing transpose of a triangular system",
     "!op.getTransposed()", "op.getTransposed()", "tile.triangular_solve"),
    ("LinearAlgebraRules", "missing conjugate of a triangle",
     "b.conj(op.getTriangle())", "op.getTriangle()", "tile.triangular_solve"),
    ("LinearAlgebraRules", "change of a transposed triangle is not transposed",
     "if (op.getTransposed())\n      change = transposeLast(b, change);",
     ";", "tile.triangular_solve"),
    ("LinearAlgebraRules", "diagonal of a unit triangle has a derivative",
     "change = b.select(isOutside, change, Value());", ";", "tile.triangular_solve"),
    ("LinearAlgebraRules", "missing transpose of a system",
     "op.getSpd() ? op.getMatrix() : transposeConjugate(b, op.getMatrix())",
     "op.getMatrix()", "tile.solve"),
    ("LinearAlgebraRules", "sign of an inverse",
     "b.neg(multiplyMatrices(b, multiplyMatrices(b, y, tangents[0]), y))",
     "multiplyMatrices(b, multiplyMatrices(b, y, tangents[0]), y)", "tile.inverse"),
    ("LinearAlgebraRules", "a determinant without its factor",
     "b.mul(trace, op.getResult())", "trace", "tile.determinant"),
    ("LinearAlgebraRules", "missing transpose of an inverse in a trace",
     "b.mul(change, transposeLast(b, y))", "b.mul(change, y)",
     "tile.determinant,tile.logdet"),
    ("MapRules", "cotangents of a map's results are exchanged with zero",
     "inner.orZero(inner.takeCotangent(seed), seed.getType())",
     "inner.zero(seed.getType())", "tile.map"),
    ("MatmulRules", "missing conjugate of a factor",
     "b.conj(b.cast(operand, factor))", "b.cast(operand, factor)",
     "complex<f64>> -> !tile.tile<"),
    ("MatmulRules", "cotangent of the accumulator is dropped",
     "values({ofLhs, ofRhs, cotangents[0]})", "values({ofLhs, ofRhs, Value()})",
     "tile.matmul"),
    ("MatmulRules", "the tangent of the right operand is dropped",
     "add(op.getLhs(), tangents[1]);", ";", "tile.matmul"),
    ("ShapeRules", "part of an insertion keeps its cotangent in the rest",
     "InsertOp::create(b, op.getType(), b.zero(part), cotangents[0],\n"
     "                                  op.getOffsets())", "cotangents[0]",
     "tile.insert"),
    ("MemoryRules", "overlapping loads overwrite each other",
     "storeBox(b, op, b.add(loadBox(b, op, gradient), cotangent), gradient);",
     "storeBox(b, op, cotangent, gradient);", "tile.load"),
    ("ControlRules", "loop in the same order",
     "return arith::SubIOp::create(b, last, reversed);", "return reversed;", "scf.for"),
    ("ControlRules", "missing accumulation of what a loop uses",
     "b.addCotangent(value, b.cast(transposed.getResult(linear.size() + position),\n"
     "                                 getElementType(value.getType())));", ";",
     "scf.for"),
    ("ControlRules", "cotangents of one branch only",
     "inside = *found;", "inside.assign(captured.size(), Value());", "scf.if"),
    ("ControlRules", "tangents of a loop start at zero",
     "all.push_back(b.orZero(tangents[index], inits[index].getType()));",
     "all.push_back(b.zero(inits[index].getType()));", "scf.while"),
    ("CountedLoops", "a counted loop forgets what comes before its condition",
     "check(op.getInits())", "SmallVector<Value>(op.getInits())", "scf.while"),
    ("SegmentedLoops", "each segment starts at the first iteration",
     "outer.getInductionVar()", "Value(zero)", "scf.for"),
]


def find(file):
    path = RULES / f"{file}.cpp"
    return path if path.exists() else GRADIENT / f"{file}.cpp"


def read(file):
    return find(file).read_text()


def check():
    """Returns the mutations whose text is missing."""
    problems = []
    for file, what, old, _, _ in MUTATIONS:
        if old is None or read(file).count(old) != 1:
            problems.append(f"{file}: {what}: expected one occurrence of its text, got "
                            f"{0 if old is None else read(file).count(old)}: {old}")
    return problems


def combine(index, old, new):
    """Returns code that is `new` if the environment chooses the mutation, else `old`."""
    if "isMutated" in new:
        return new.replace("{index}", str(index))
    if old.endswith(";"):
        return f"if (isMutated({index})) {{ {new} }} else {{ {old} }}"
    if old.endswith(" ? g"):
        return f"(op.getKind() || isMutated({index})) ? g"
    return f"(isMutated({index}) ? ({new}) : ({old}))"


def apply():
    """Writes the mutations into the sources."""
    header = RULES / "Rules.h"
    end = "\n#endif // TILE_LIB_GRADIENT_RULES_RULES_H\n"
    header.write_text(header.read_text().replace(end, DECLARATION))
    for index, (file, _, old, new, _) in enumerate(MUTATIONS, 1):
        path = find(file)
        text = path.read_text().replace(old, combine(index, old, new))
        if '"Rules.h"' not in text and "Rules/Rules.h" not in text:
            folder = "" if path.parent == RULES else "Rules/"
            text = f'#include "{folder}Rules.h"\n' + text
        path.write_text(text)


def run(index, command):
    environment = dict(os.environ, **{VARIABLE: str(index)})
    return subprocess.run(command, env=environment, capture_output=True,
                          text=True, cwd=SOURCE)


def try_fuzz(index, words, arguments):
    """Returns how many programs run until some fail, and how many fail."""
    programs, failed, end = 0, 0, time.monotonic() + arguments.seconds
    for first in range(1, arguments.count, CHUNK):
        done = run(index, ["tile-fuzz", "--derivatives", "--on=evaluator",
                           f"--seed={first}", f"--count={CHUNK}", "--jobs=1",
                           f"--with={words}"])
        found = re.search(r"(\d+) programs from seed \d+, (\d+) failed", done.stdout)
        programs += int(found.group(1))
        failed += int(found.group(2))
        if failed or time.monotonic() > end:
            break
    return programs, failed


def try_script(index, name):
    """Whether a script of tests fails."""
    script = SOURCE / "test/device/Inputs" / name
    return run(index, [sys.executable, str(script), "--on=cpu"]).returncode != 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build", default="build")
    parser.add_argument("--filter", default="")
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seconds", type=int, default=40)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    problems = check()
    if problems or arguments.check:
        print("\n".join(problems))
        print(f"{len(MUTATIONS)} mutations, {len(problems)} without a text")
        return bool(problems)
    git = ["git", "-C", str(SOURCE)]
    commit = subprocess.run([*git, "rev-parse", "--short=8", "HEAD"],
                            capture_output=True, text=True, check=True).stdout.strip()
    if subprocess.run([*git, "diff", "--quiet", "--", str(GRADIENT)]).returncode:
        raise SystemExit("expected rules without changes, as they are overwritten")
    apply()
    rows, missed = [], 0
    try:
        subprocess.run(["ninja", "-C", arguments.build, "tile-fuzz", "tile-opt"],
                       check=True, stdout=subprocess.DEVNULL)
        for index, (file, what, _, _, words) in enumerate(MUTATIONS, 1):
            if not re.search(arguments.filter, f"{file} {what}"):
                continue
            programs, failed = try_fuzz(index, words, arguments)
            by = "tile-fuzz" if failed else next(
                (name for name in ("gradients.py", "loop_gradients.py")
                 if try_script(index, name)), "nobody")
            missed += by == "nobody"
            rows.append([file, what, programs, failed, by, commit])
            print(*rows[-1], sep=", ", flush=True)
    finally:
        subprocess.run([*git, "checkout", "--", str(GRADIENT)], check=True)
    if arguments.update:
        with TABLE.open("w") as table:
            writer = csv.writer(table, lineterminator="\n")
            writer.writerow(["rules", "mistake", "programs", "failed", "caught by",
                             "commit"])
            writer.writerows(rows)
    print(f"{len(rows)} mutations, {missed} not caught")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
