# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# wrong_sizes.py FOLDER: calls functions with sizes that are known only at run
# time. A call whose sizes do not fit is refused before anything runs, and the
# error names the argument; a call whose sizes fit runs.

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])

ADD = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.addf %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
MATMUL = """\
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
SOFTMAX = """\
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  return
}
"""
COPY = """\
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
"""
CONCAT = """\
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
CAST = """\
func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %s = math.absf %r : tensor<4xf32>
  return %s : tensor<4xf32>
}
"""
SLICE = """\
func.func @f(%a: tensor<?xf32>, %i: index) -> tensor<4xf32> {
  %r = tensor.extract_slice %a[%i] [4] [2] : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
INSERTION = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<9xf32>, %i: index, %n: index) -> tensor<9xf32> {
  %r = tensor.insert_slice %a into %b[%i] [%n] [1] : tensor<?xf32> into tensor<9xf32>
  return %r : tensor<9xf32>
}
"""
EXPANSION = """\
func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?x3xf32> {
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into tensor<?x3xf32>
  %s = math.absf %r : tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
"""
WINDOWS = """\
func.func @f(%a: tensor<?xf32>, %w: tensor<3xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%a, %w : tensor<?xf32>, tensor<3xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
ASSERTION = """\
func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %rest = arith.remui %m, %c4 : index
  %isWhole = arith.cmpi eq, %rest, %c0 : index
  %isLess = arith.cmpi slt, %n, %m : index
  %isFine = arith.andi %isWhole, %isLess : i1
  cf.assert %isFine, "whole vectors"
  %r = math.absf %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
SCALED = """\
func.func @f(%a: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %t = arith.addf %s, %one : f32
  %u = math.sqrt %t : f32
  %e = tensor.splat %u : tensor<9xf32>
  %b = tensor.cast %e : tensor<9xf32> to tensor<?xf32>
  %r = arith.mulf %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
BRANCH = """\
func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %isMore = arith.cmpi ult, %n, %m : index
  %least = arith.select %isMore, %n, %m : index
  %r = tensor.extract_slice %a[0] [%least] [1] : tensor<?xf32> to tensor<?xf32>
  %s = math.absf %r : tensor<?xf32>
  return %s : tensor<?xf32>
}
"""

# A program, its arguments (shapes or scalars), the shape of the result, and the
# error; an argument that is written has its shape as text.
CALLS = [
    (ADD, [(9,), (9,)], (9,), None),
    (ADD, [(9,), (5,)], (9,),
     "argument 1 ('arg1'): expected size 9 along dimension 0 (size 0 of argument 0), found 5 (sizes that the operation at {file}:2:8 expects)"),
    (ADD, [(5,), (9,)], (9,),
     "argument 1 ('arg1'): expected size 5 along dimension 0 (size 0 of argument 0), found 9 (sizes that the operation at {file}:2:8 expects)"),
    (ADD, [(9,), (9,)], (8,),
     "argument 2 ('arg2'): expected size 9 along dimension 0 (size 0 of argument 0), found 8 (sizes that the operation at {file}:3:3 expects)"),
    (ADD, [(9,), (9,)], (3, 3),
     "argument 2 ('arg2'): expected rank 1, found 2 (shape 3x3)"),
    (MATMUL, [(4, 5), (6, 7), (4, 7)], (4, 7),
     "argument 1 ('arg1'): expected size 5 along dimension 0 (size 1 of argument 0), found 6"),
    (MATMUL, [(4, 5), (5, 7), (4, 8)], (4, 8),
     "argument 2 ('arg2'): expected size 7 along dimension 1 (size 1 of argument 1), found 8"),
    (MATMUL, [(4, 5), (5, 7), (4, 7)], (5, 7),
     "argument 3 ('arg3'): expected size 4 along dimension 0"),
    (SOFTMAX, [(4, 5), "4x5"], None, None),
    (SOFTMAX, [(4, 5), "4x6"], None,
     "argument 1 ('arg1'): expected size 5 along dimension 1 (size 1 of argument 0), found 6"),
    (COPY, [(4,), "4"], None, None),
    (COPY, [(4,), "3"], None,
     "argument 1 ('arg1'): expected size 4 along dimension 0 (size 0 of argument 0), found 3"),
    (CONCAT, [(4, 5), (4, 2)], (4, 7), None),
    (CONCAT, [(4, 5), (3, 2)], (4, 7),
     "argument 1 ('arg1'): expected size 4 along dimension 0 (size 0 of argument 0), found 3"),
    (CONCAT, [(4, 5), (4, 2)], (4, 6),
     "argument 2 ('arg2'): expected size 7 along dimension 1 ((size 1 of argument 0 + size 1 of argument 1)), found 6"),
    (CAST, [(4,)], (4,), None),
    (CAST, [(5,)], (4,),
     "argument 0 ('arg0'): expected size 4 along dimension 0, found 5"),
    (SLICE, [(9,), 2], (4,), None),
    (SLICE, [(9,), 3], (4,),
     "argument 0 ('arg0'): expected size of at least 10 along dimension 0 ("),
    (SLICE, [(9,), -1], (4,), "expected 0 to be at most argument 1, found 0 and -1"),
    (INSERTION, [(4,), (9,), 5, 4], (9,), None),
    (INSERTION, [(4,), (9,), 6, 4], (9,), " to be at most 9, found 10 and 9"),
    (INSERTION, [(3,), (9,), 0, 4], (9,),
     "argument 0 ('arg0'): expected size 4 along dimension 0 (argument 3), found 3"),
    (EXPANSION, [(12,), 4], (4, 3), None),
    (EXPANSION, [(13,), 4], (4, 3),
     "argument 0 ('arg0'): expected size 12 along dimension 0 ((argument 1 * 3)), found 13"),
    (WINDOWS, [(9,), (3,), (7,)], (7,), None),
    (WINDOWS, [(8,), (3,), (7,)], (7,),
     "argument 0 ('arg0'): expected size of at least 9 along dimension 0"),
    (ASSERTION, [(8,), 7], (8,), None),
    (ASSERTION, [(8,), 8], (8,),
     "expected argument 1 to be less than size 0 of argument 0, found 8 and 8 (whole vectors)"),
    (ASSERTION, [(9,), 7], (9,),
     "expected (size 0 of argument 0 mod 4) to be 0, found 1 and 0 (whole vectors)"),
    (SCALED, [(9,), 3], (9,), None),
    (SCALED, [(8,), 3], (8,),
     "argument 0 ('arg0'): expected size 9 along dimension 0, found 8"),
    (BRANCH, [(9,), 5], (5,), None),
    (BRANCH, [(4,), 5], (4,), None),
    (BRANCH, [(9,), 5], (9,), "argument 2 ('arg2'): expected size 5 along dimension 0"),
]


def convert(program):
    source, kernels = folder / "f.mlir", folder / "kernels.mlir"
    if not source.exists() or source.read_text() != program:
        source.write_text(program)
        subprocess.run(["tile-opt", source, "-convert-linalg-to-tile",
                        "-mlir-print-debuginfo", "-o", kernels], check=True)
    return source, kernels


def write_argument(argument, index):
    if isinstance(argument, tuple):
        path = folder / ("%d.npy" % index)
        np.save(path, np.full(argument, 2, "f4"))
        return str(path)
    if isinstance(argument, str):
        return "out=%s:%s" % (folder / "out.npy", argument)
    return str(argument)


def call(program, arguments, result):
    source, kernels = convert(program)
    words = [write_argument(argument, index)
             for index, argument in enumerate(arguments)]
    if result:
        words.append(write_argument("x".join(map(str, result)), 0))
    done = subprocess.run(["tile-run", kernels, "f", *words, "--on=cpu",
                           "--quiet"], capture_output=True, text=True)
    return source, done


surprises = 0
for program, arguments, result, error in CALLS:
    source, done = call(program, arguments, result)
    expected = (error or "").replace("{file}", str(source))
    isRight = (expected in done.stderr and done.returncode != 0 if error
               else done.returncode == 0)
    if not isRight:
        surprises += 1
        print("%s of %s to %s: expected '%s', found %d: %s" %
              (program, arguments, result, expected, done.returncode,
               done.stderr))
print("%d calls, %d surprises" % (len(CALLS), surprises))
