# packed.py - checks that the pack for a GPU has all tests that run on one
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   packed.py NAMES
#
# NAMES is a file with the names that `.ci/gpu tests` prints. Each test that runs
# something on a GPU has to be among them, and so does one for everything that the
# emulator runs: the programs of test/device, the examples, and the tests of the Python
# package for a GPU.

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
TEST = ROOT / "test"
# Matches command lines that run on a GPU, also through a script. Not included are the
# tests of tile-run, whose driver is a substitute for CUDA's, and device/emulator, whose
# command lines for a GPU are rejected before they need one.
ON_GPU = re.compile(r"--on=cuda|%cuda_arch|%compute_sanitizer|%\{tests\}/\w*gpu\.py(?! --on emulator)")
WITHOUT_GPU = ["tools/tile-run", "device/emulator"]


def read_commands(path):
    return "\n".join(line for line in path.read_text().splitlines()
                     if re.match(r"(#|//) (RUN|DEFINE|REDEFINE):", line))


def find_commands():
    """Returns the command lines of each test by its name."""
    return {str(path.relative_to(TEST)): read_commands(path)
            for suffix in ("test", "mlir") for path in TEST.rglob("*." + suffix)
            if "Inputs" not in path.parts}


def expect_all(needed, found, what):
    missing = sorted(set(needed) - set(found))
    if missing:
        sys.exit("expected %s, got none for %s" % (what, ", ".join(missing)))
    print("%d %s" % (len(set(needed)), what))


def find_programs(commands, machine):
    """Returns the programs of test/device that some command lines run on a machine."""
    found = re.findall(r"/Inputs/(\w+)\.py --on=" + machine, commands)
    return [name for name in found if name in IN_DEVICE]


IN_DEVICE = {path.stem for path in (TEST / "device/Inputs").glob("*.py")}


def main():
    with open(sys.argv[1]) as file:
        packed = file.read().split()
    commands = find_commands()
    on_gpu = [name for name, lines in commands.items() if ON_GPU.search(lines)
              and not any(name.startswith(folder) for folder in WITHOUT_GPU)]
    expect_all(on_gpu, packed, "tests that .ci/gpu packs")
    everywhere = "\n".join(commands.values())
    on_packed = "\n".join(commands[name] for name in packed)
    expect_all(find_programs(everywhere, "emulator"), find_programs(on_packed, "cuda"),
               "programs that a GPU runs too")
    expect_all([path.name for path in (ROOT / "examples").glob("[0-9]*")],
               re.findall(r"%source_dir/examples/(\w+)/check\.py --on=cuda", on_packed),
               "examples that a GPU runs too")
    expect_all([path.name for path in
                (ROOT / "python-bindings/tests").glob("*gpu.py")],
               re.findall(r"%\{tests\}/(\w+\.py)", on_packed),
               "scripts of the Python package")


if __name__ == "__main__":
    main()
