# cubins.py - cubins of programs, kept for a machine that compiles slowly
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# With TILE_CUBINS=DIR in the environment the cubin of a program is taken from
# DIR if it is there, else put there. A cubin's name is a hash of what it was
# made from.

import hashlib
import mmap
import os
import shutil
import struct
import subprocess

EXTENSIONS = [".cubin", ".json"]  # the code, and its metadata


def compile_cubin(path, cubin, options):
    """Compiles the program at `path` to `cubin`; returns what came of it."""
    command = ["tile-compile", *options, path, "-o", cubin]
    kept = find_kept(path, options)
    if kept and os.path.exists(kept + ".json"):
        copy(kept, get_stem(cubin))
        return subprocess.CompletedProcess(command, 0, "", "")
    done = subprocess.run(command, capture_output=True, text=True)
    if kept and done.returncode == 0:
        copy(get_stem(cubin), kept)
        blank_text(kept + ".cubin")
    return done


def find_kept(path, options):
    """The path without extension under which the program's cubin is kept, None
    if it is not."""
    folder = os.environ.get("TILE_CUBINS")
    if not folder:
        return None
    with open(path) as file:
        made_from = "\n".join([*options, file.read()])
    return os.path.join(folder, hashlib.sha256(made_from.encode()).hexdigest()[:32])


def get_stem(path):
    return os.path.splitext(path)[0]


def blank_text(cubin):
    """Writes zeros over the PTX that ptxas has put in for debuggers: two thirds of
    the bytes."""
    with open(cubin, "r+b") as file:
        image = mmap.mmap(file.fileno(), 0)
        for name, offset, size in list_sections(image):
            if name == b".nv_debug_ptx_txt":
                image[offset:offset + size] = bytes(size)
        image.close()


def list_sections(image):
    """Name, offset and size of each section of a 64-bit ELF file (its headers: ELF-64
    Object File Format, figures 2 and 4)."""
    [table] = struct.unpack_from("<Q", image, 40)
    entry, count, names = struct.unpack_from("<3H", image, 58)
    headers = [struct.unpack_from("<II4Q", image, table + i * entry)
               for i in range(count)]
    first = headers[names][4]
    for name, _, _, _, offset, size in headers:
        end = image.find(b"\0", first + name)
        yield image[first + name:end], offset, size


def copy(source, target):
    for extension in EXTENSIONS:
        shutil.copyfile(source + extension, target + extension)
