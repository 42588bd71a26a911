# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-operations.py SOURCE_DIR [PAGE...]: each operation of docs/reference/dialect, and
# of docs/reference/DialectTileGpu.md,
#
#   - is in test/IR/OPERATION.mlir, and refused in test/IR/OPERATION-invalid.mlir;
#   - has examples, which tile-opt accepts as the body of a function, or names an
#     existing file;
#
# and tile-opt accepts the blocks of ```mlir of each page.
#
# Values that an example uses and does not define are arguments of the function. Their
# types are those that tile-opt's errors expect.

import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
pages = [*sorted((source / "docs/reference/dialect").iterdir()),
         source / "docs/reference/DialectTileGpu.md"]
reference = "".join(page.read_text() for page in pages)
problems = []

# Kernels that the examples of launches use.
KERNELS = {"tile.launch": """
tile.kernel @scale(%factor: f32, %x: memref<?xf32>, %out: memref<?xf32>)
    attributes {grid = #tile.grid<affine_map<() -> (1)> of []>} {
  tile.return
}
"""}

# Operations that may only be at the end of another operation's region.
ENDS = "tile.yield", "tile.return"


def operations():
    """Yields the name of each operation, and its description."""
    for part in re.split(r"^##+ `(?=tile(?:_gpu)?\.)", reference, flags=re.M)[1:]:
        name = part.split("`")[0]
        yield name, re.split(r"\n(?:Traits:|Interfaces:|###+ Attributes)", part)[0]


def check_tests(name):
    for suffix in "", "-invalid":
        stem = name.split(".")[1].replace("_", "-")
        test = source / "test/IR" / (stem + suffix + ".mlir")
        if not test.exists() or name not in test.read_text():
            problems.append("%s: expected it in %s" % (name, test))


def shown_in(text):
    """Returns the operations of blocks of ```mlir, each as an example."""
    return [example
            for block in re.findall(r"```mlir\n(.*?)\n```", text, flags=re.S)
            for example in re.split(r"\n(?=[%a-z])", block)]


def examples_of(name, description):
    examples = re.findall(r"\bExample[^`]*: `([^`]*)`", description)
    examples += shown_in(description)
    files = re.findall(r"\bExample: see (\S*)\.", description)
    if not examples and not files:
        problems.append("%s: expected an example" % name)
    for file in files:
        if not (source / file).exists():
            problems.append("%s: expected the file %s" % (name, file))
    return examples


class Program:
    """Returns a function of an example; its arguments are the undefined values."""

    def __init__(self, name, example, title):
        self.name, self.example, self.title = name, example, title
        results = re.findall(r"^ *(%[^=\n]*) = ", example, flags=re.M)
        arguments = re.findall(r"%\w+(?=: )", example)
        defined = re.findall(r"%\w+", " ".join(results + arguments))
        used = re.findall(r"%[A-Za-z]\w*", example)
        self.types = {word: "none" for word in used if word not in defined}

    def text(self):
        if self.name == "tile.kernel":
            return self.example + "\n"
        arguments = ", ".join("%s: %s" % each for each in self.types.items())
        return KERNELS.get(self.name, "") + (
            "func.func @%s(%s) {\n%s\nreturn\n}\n" % (
                self.name, arguments, self.example))


def errors_of(programs):
    """Returns the first error of each program that has one."""
    text, lines = "", []
    for program in programs:
        text += program.text() + "// -----\n"
        lines += [program] * (text.count("\n") - len(lines))
    run = subprocess.run(["tile-opt", "-split-input-file", "-o", "/dev/null"],
                         input=text, capture_output=True, text=True)
    errors = {}
    for line, message in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$",
                                    run.stderr, flags=re.M):
        errors.setdefault(lines[int(line) - 1], message)
    return errors


def check(programs):
    while True:
        errors = errors_of(programs)
        asked = False
        for program, message in errors.items():
            match = re.fullmatch(r"use of value '(%\w+)' expects different type "
                                 r"than prior uses: '(.*)' vs 'none'", message)
            if match:
                program.types[match[1]] = match[2]
                asked = True
        if not asked:
            break
    for program, message in errors.items():
        problems.append("%s: %s\n%s" % (program.title, message,
                                        program.example))


programs = []
for name, description in operations():
    check_tests(name)
    programs += [Program(name, example, name)
                 for example in examples_of(name, description)
                 if name not in ENDS]
if len(programs) < 40:
    problems.append("expected 40 examples or more, found %d" % len(programs))
for page in map(pathlib.Path, sys.argv[2:]):
    examples = shown_in(page.read_text())
    if not examples:
        problems.append("%s: expected a block of ```mlir" % page)
    programs += [Program("example", example, page.name) for example in examples]
check(programs)
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
