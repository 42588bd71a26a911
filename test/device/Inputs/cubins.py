# cubins.py - cubins of programs, kept for a machine that compiles slowly
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# With TILE_CUBINS=DIR in the environment the cubin of a program is taken from
# DIR if it is there, else put there. A cubin's name is a hash of what it was
# made from.

import hashlib
import os
import shutil
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


def copy(source, target):
    for extension in EXTENSIONS:
        shutil.copyfile(source + extension, target + extension)
