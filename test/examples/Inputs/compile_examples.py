# compile_examples.py - compiles all examples to cubins and checks these
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   compile_examples.py EXAMPLES ARCH FOLDER
#
# Compiles each program of the folder EXAMPLES for ARCH into FOLDER, with the
# tile-compile on PATH. A cubin must be an ELF file for a CUDA device that has the
# code of each entry point of its metadata. Prints the number of programs and of entry
# points.

import concurrent.futures
import json
import os
import pathlib
import struct
import subprocess
import sys

# e_machine of a cubin (CUDA Binary Utilities; LLVM, ELF.h, EM_CUDA).
MACHINE = 190


def read_sections(data):
    """Returns the names and sizes of the sections of a 64-bit ELF file."""
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size)
               for i in range(count)]
    start = headers[names][4]
    return {data[start + name:data.index(b"\0", start + name)].decode(): length
            for name, _, _, _, _, length in headers}


def check_cubin(path):
    """Returns the number of entry points; fails if one has no code."""
    data = path.read_bytes()
    machine, = struct.unpack_from("<H", data, 0x12)
    if data[:4] != b"\x7fELF" or machine != MACHINE:
        raise SystemExit("%s: expected an ELF file for machine %d, got %d"
                         % (path, MACHINE, machine))
    sections = read_sections(data)
    metadata = json.loads(path.with_suffix(".json").read_text())
    entries = [entry["symbol"] for kernel in metadata["kernels"]
               for entry in kernel["entries"]]
    for entry in entries:
        if sections.get(".text." + entry, 0) == 0:
            raise SystemExit("%s: expected code of %s, got sections %s"
                             % (path, entry, sorted(sections)))
    return len(entries)


def compile_program(program, arch, folder):
    cubin = folder / (program.stem + ".cubin")
    done = subprocess.run(["tile-compile", program, "--arch=" + arch, "-o", cubin],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (program, done.stderr))
    return check_cubin(cubin)


def main():
    examples, arch, folder = sys.argv[1:]
    programs = sorted(pathlib.Path(examples).glob("[0-9]*/*.mlir"))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        entries = sum(pool.map(lambda program: compile_program(program, arch, folder),
                               programs))
    print("%d programs, %d entry points" % (len(programs), entries))


main()
