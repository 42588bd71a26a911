# reference.py - functions of linalg in float64, by upstream's passes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reference(PROGRAM, FOLDER) compiles the functions of PROGRAM, of tensors or buffers,
# with f64 for all floating-point types, and `run` calls one on arrays of NumPy. It uses
# none of this project's code: mlir-opt bufferizes and lowers, llc and the C compiler
# make a shared object (which can be called with arrays, unlike the programs of
# mlir-runner), and ctypes calls it.
#
# Types and the constants of arith are widened, and conversions between floating-point
# types are removed. Other operations on the bits of a floating-point value have no
# widened form and are refused.

import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PASSES = """builtin.module(
  transform-preload-library{transform-library-paths=%s/reference-transforms.mlir},
  transform-interpreter, func.func(convert-elementwise-to-linalg), canonicalize,
  one-shot-bufferize{bufferize-function-boundaries
      function-boundary-type-conversion=identity-layout-map},
  func.func(llvm-request-c-wrappers,convert-linalg-to-loops),
  expand-strided-metadata, lower-affine, convert-scf-to-cf,
  convert-math-to-llvm, convert-math-to-libm, convert-to-llvm,
  reconcile-unrealized-casts)""" % HERE
# Types of NumPy that hold the element types, by name; f8 has none.
DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "bf16": "f4", "i64": "i8",
          "index": "i8", "i32": "i4", "i16": "i2", "i8": "i1", "i1": "?"}
NARROW = "f32|f16|bf16|f8E4M3FN|f8E5M2"
CONSTANT = re.compile(
    r'("arith\.constant"\(\) <\{value = )(.*?)( : (?:tensor<(?:\d+x)*)?(%s)>?\}>)'
    % NARROW)
TYPE = re.compile(r'(?<![\w%%#@"!])((?:[\d?]+x)*)(?:%s)\b' % NARROW)
CONVERSION = re.compile(
    r'"arith\.(?:extf|truncf)"\((%\w+(?:#\d+)?)\)(?: <\{[^}]*\}>)?'
    r'( : \(([^()]+)\) -> \3)$', re.MULTILINE)
SIGNATURE = re.compile(
    r'function_type = \((.*?)\) -> (.*?), sym_name = "(\w+)"')


def call(*words, text=None):
    """Returns the output of a command; exits with its errors if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, input=text)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(words), done.stderr))
    return done.stdout


class Type:
    """Type of an argument or result: the extents of a tensor or buffer (None for
    dynamic ones), or None for a scalar, and the name of the element type."""

    def __init__(self, text):
        sizes, self.element = re.fullmatch(
            r"(?:\w+<)?((?:[\d?]+x)*)(\w+)>?", text).groups()
        self.isBuffer = text.startswith("memref")
        self.shape = None
        if "<" in text:
            self.shape = tuple(None if size == "?" else int(size)
                               for size in sizes.split("x")[:-1])

    def get_dtype(self):
        return np.dtype(DTYPES[self.element])

    def get_roundoff(self):
        if self.element == "bf16":
            return 2.0**-8
        dtype = self.get_dtype()
        return np.finfo(dtype).eps / 2 if dtype.kind == "f" else 0

    def round(self, array):
        """Returns values rounded to this type."""
        if self.element != "bf16":
            return array.astype(self.get_dtype())
        return from_bf16(to_bf16(array))

    def get_wide_dtype(self):
        isFloat = re.fullmatch(NARROW, self.element)
        return np.dtype("f8") if isFloat else self.get_dtype()


def to_bf16(array):
    """Returns the bits of values rounded to bf16, to nearest with ties to even."""
    bits = np.atleast_1d(array).astype("f4").view("u4").astype("u8")
    bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16
    return bits.astype("u2").reshape(np.shape(array))


def from_bf16(bits):
    wide = np.atleast_1d(bits).astype("u4") << 16
    return wide.view("f4").reshape(bits.shape)


def read_bits(digits, element):
    """Returns the value whose bits are hexadecimal digits."""
    bits = int(digits, 16)
    if element == "bf16":
        bits, element = bits << 16, "f32"
    size, code = {"f32": ("I", "f"), "f16": ("H", "e")}[element]
    return struct.unpack(code, struct.pack(size, bits))[0]


def round_value(value, element):
    """Returns a printed value rounded to its type. Values of f8 are printed with
    all their digits."""
    if element == "bf16":
        return float(from_bf16(to_bf16(np.array([value])))[0])
    if element in DTYPES:
        return float(np.dtype(DTYPES[element]).type(value))
    return value


def widen_value(text, element):
    """Returns a value, rounded to its type, as the bits of f64."""
    if text.startswith("0x"):
        value = read_bits(text[2:], element)
    else:
        value = round_value(float(text), element)
    return "0x%016X" % struct.unpack("Q", struct.pack("d", value))


def widen_blob(digits, element):
    isBits = element == "bf16"
    values = np.frombuffer(bytes.fromhex(digits),
                           "u2" if isBits else DTYPES[element])
    values = from_bf16(values) if isBits else values
    return '"0x%s"' % values.astype("f8").tobytes().hex().upper()


def widen_constant(match):
    before, value, behind, element = match.groups()
    blob = re.fullmatch(r'dense<"0x([0-9A-F]+)">', value)
    if blob:
        value = "dense<%s>" % widen_blob(blob[1], element)
    else:
        value = re.sub(r"-?\d+\.\d+(?:[eE][-+]?\d+)?|0x[0-9A-F]+",
                       lambda found: widen_value(found[0], element), value)
    return before + value + behind


def widen(program):
    """Returns a program in generic form with f64 for all floating-point types."""
    if '"arith.bitcast"' in program:
        sys.exit("expected no arith.bitcast, which has no form in f64")
    program = TYPE.sub(r"\1f64", CONSTANT.sub(widen_constant, program))
    return CONVERSION.sub(r'"builtin.unrealized_conversion_cast"(\1)\2',
                          program)


def read_generic(path):
    """Returns the functions of all programs in a file, in generic form, without
    aliases."""
    programs = call("mlir-opt", path, "-split-input-file",
                    "--mlir-print-op-generic", "--mlir-print-local-scope")
    return "".join(
        re.fullmatch(r'\s*"builtin\.module"\(\) (?:<.*?> )?\(\{\n(.*)\}\) : '
                     r'\(\) -> \(\)\s*', program, re.DOTALL)[1]
        for program in programs.split("// -----"))


def read_signatures(program):
    def read_types(text):
        return [Type(part) for part in re.findall(r"[\w<>?]+", text)]
    return {name: (read_types(arguments), read_types(results))
            for arguments, results, name in SIGNATURE.findall(program)}


def build(program, stem):
    """Builds a shared object with the functions of a program; returns its path."""
    lowered = call("mlir-opt", "--pass-pipeline=" + PASSES, text=program)
    llvm = call("mlir-translate", "--mlir-to-llvmir", text=lowered)
    call("llc", "-O2", "-relocation-model=pic", "-filetype=obj", "-o",
         stem + ".o", text=llvm)
    # A copy of an array that is a view of another one calls a function of this library.
    libraries = os.path.join(os.path.dirname(os.path.realpath(
        shutil.which("mlir-opt"))), "../lib")
    call("cc", "-shared", "-o", stem + ".so", stem + ".o", "-L" + libraries,
         "-Wl,-rpath," + libraries, "-lmlir_c_runner_utils", "-lm")
    return stem + ".so"


def make_descriptor(rank):
    class Descriptor(ctypes.Structure):
        """A memref as upstream passes it."""
        _fields_ = [("allocated", ctypes.c_void_p),
                    ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64),
                    ("sizes", ctypes.c_int64 * rank),
                    ("strides", ctypes.c_int64 * rank)]
    return Descriptor


def describe(array):
    strides = [stride // array.itemsize for stride in array.strides]
    vector = ctypes.c_int64 * array.ndim
    return make_descriptor(array.ndim)(
        array.ctypes.data, array.ctypes.data, 0, vector(*array.shape),
        vector(*strides))


def read_array(descriptor, dtype):
    """Returns a copy of the array of a descriptor."""
    start = descriptor.aligned + descriptor.offset * dtype.itemsize
    reach = 1 + sum((size - 1) * stride for size, stride in
                    zip(descriptor.sizes, descriptor.strides))
    memory = (ctypes.c_char * (reach * dtype.itemsize)).from_address(start)
    strides = [stride * dtype.itemsize for stride in descriptor.strides]
    return np.ndarray(tuple(descriptor.sizes), dtype, memory,
                      strides=strides).copy()


def pass_argument(type, value):
    """Returns an argument for ctypes, and an object that must outlive the call."""
    if type.shape is None:
        isFloat = type.get_wide_dtype().kind == "f"
        return (ctypes.c_double if isFloat else ctypes.c_int64)(value), None
    # A copy, since a bufferized function may write to its arguments.
    array = np.array(value, type.get_wide_dtype(), order="C")
    return ctypes.byref(describe(array)), array


class Reference:
    def __init__(self, path, folder):
        program = read_generic(path)
        self.signatures = read_signatures(program)
        stem = "%s/%s.reference" % (folder, path.rsplit("/", 1)[-1])
        self.library = ctypes.CDLL(build(widen(program), stem))

    def get_result_types(self, name):
        types, results = self.signatures[name]
        return [type for type in types if type.isBuffer] + results

    def run(self, name, arguments):
        """Returns the contents of the buffer arguments after a call, followed by the
        results, with f64 for floating-point types."""
        types, results = self.signatures[name]
        passed = [pass_argument(*pair) for pair in zip(types, arguments)]

        class Results(ctypes.Structure):
            _fields_ = [("result%d" % index, make_descriptor(len(type.shape)))
                        for index, type in enumerate(results)]
        made = Results()
        function = getattr(self.library, "_mlir_ciface_" + name)
        function.restype = None
        values = [value for value, _ in passed]
        function(*([ctypes.byref(made)] if results else []), *values)
        buffers = [array for type, (_, array) in zip(types, passed)
                   if type.isBuffer]
        return buffers + [read_array(getattr(made, "result%d" % index),
                           type.get_wide_dtype())
                for index, type in enumerate(results)]
