# sweep.py - runs the compiler on many small inputs, each in its own process
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   sweep.py passes|text --count=N [--seed=S] [--jobs=J] [--keep=DIR]
#            [--random=FILE]
#
# `passes` runs ten of the project's passes and pipelines on each program, each
# on the IR of every level. `text` compiles programs with changed words, lines,
# bytes and attributes to PTX and report for sm_80 and sm_90a. A case must end
# in a result or in a diagnostic, within 10 seconds of processor time and 2 GB.
#
# The programs are the examples, the tests' files, cut at their `// -----`, and
# random ones. The seed determines which of them are used, and their order. Cases that
# fail are kept in DIR, with the command that reproduces the failure in the first line.
# Prints the content of a row of logs/testing.csv.
#
# tile-sweep and tile-fuzz are those on PATH. A machine without LLVM's libraries needs
# no tile-fuzz: --random=FILE reads programs that `tile-fuzz --print` wrote before.

import argparse
import collections
import concurrent.futures
import glob
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

FUZZ = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TESTS = os.path.dirname(FUZZ)
sys.path.insert(0, os.path.join(TESTS, "Pipelines", "Inputs"))
from phases import PHASES  # noqa: E402

ARCHITECTURES = ["sm_80", "sm_90a"]
# Options of passes that are tried in addition to none.
OPTIONS = {
    "tile-warp-tiling": ["warps=2,2", "warps=1,3 stages=4", "operands=global",
                         "atom=fma thread=4,4", "atom=mma.sync.m16n8k16.f16",
                         "sub=2,2 vector=2", "warps=0,-1"],
    "tile-verify-level": ["level=decomposed", "level=distributed",
                          "level=buffered"],
    "tile-verify-target": ["ptx=70"],
}
CHANGED_COPIES = 10  # of a program
# Passes on kernels that are not part of the phases.
OF_KERNELS = ["tile-check-bounds", "tile-find-padded-reductions",
              "tile-verify-level", "tile-verify-synchronization"]
TRIED = 10           # passes on each level of a program


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read_random(rng, path):
    """Returns (name, text) of random programs: those in the file, or new ones."""
    if path:
        with open(path) as file:
            printed = file.read()
    else:
        printed = run("tile-fuzz", "--print", "--count=300",
                      "--seed=%d" % rng.randrange(1 << 30))
    return [("random-" + text.split(None, 1)[0], "// " + text)
            for text in printed.split("// seed ")[1:]]


def read_programs(rng, random_path):
    """Returns (name, text) of all programs, in random order."""
    programs = []
    paths = glob.glob(os.path.join(TESTS, "..", "examples", "*", "*.mlir"))
    paths += glob.glob(os.path.join(TESTS, "**", "*.mlir"), recursive=True)
    for path in sorted(paths):
        with open(path) as file:
            parts = re.split(r"^// -----.*\n", file.read(), flags=re.M)
        stem = os.path.splitext(os.path.relpath(path, TESTS))[0]
        stem = re.sub(r"\W+", "-", stem).strip("-")
        programs += [("%s-%d" % (stem, index), part)
                     for index, part in enumerate(parts)
                     if "tile." in re.sub(r"^\s*//.*$", "", part, flags=re.M)]
    programs += read_random(rng, random_path)
    rng.shuffle(programs)
    return programs


def get_steps():
    """Returns the passes of the phases, one by one."""
    steps = []
    for nested, step in re.findall(r"tile\.kernel\((.*?)\)|([^,]+)",
                                   ",".join(PHASES)):
        steps += ["tile.kernel(%s)" % name for name in nested.split(",") if name]
        steps += [step] if step else []
    return steps


def get_passes():
    """Returns the project's passes and pipelines, without and with options."""
    names = re.findall(r"^ +--((?:tile|convert-tile|convert-nvvm)-[\w-]+) .* - ",
                       run("tile-sweep", "--help"), flags=re.M)
    of_kernels = [step for step in get_steps() if step.startswith("tile.kernel(")]
    of_kernels += ["tile.kernel(%s)" % name for name in OF_KERNELS]
    passes = [name + options for name in sorted(set(names))
              for options in [""] + ["{%s}" % text for text in OPTIONS.get(name, [])]]
    return ["tile.kernel(%s)" % name
            if "tile.kernel(%s)" % name.split("{")[0] in of_kernels else name
            for name in passes]


def sweep_program(kind, directory, keep, task):
    """Returns tile-sweep's output for a program, `task` = (name, text, words)."""
    name, text, words = task
    path = os.path.join(directory, name + ".mlir")
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run(["tile-sweep", kind, path, "--keep=" + keep] + words,
                          capture_output=True, text=True, errors="replace")
    if "ended:" not in done.stdout:
        return "failed: tile-sweep itself: %s %s\n" % (name, done.stderr[-2000:])
    return done.stdout


def make_tasks(kind, rng, random_path):
    """Yields tasks without end."""
    archs = ["--arch=" + arch for arch in ARCHITECTURES]
    steps, passes = get_steps(), get_passes()
    for cycle in itertools.count():
        for name, text in read_programs(rng, random_path):
            if kind == "passes":
                words = [rng.choice(archs)] + ["--step=" + step for step in steps]
                words += ["--pass=" + name for name in rng.sample(passes, TRIED)]
            else:
                words = archs + ["--seed=%d" % rng.randrange(1 << 30),
                                 "--count=%d" % CHANGED_COPIES]
            yield "%s-%d" % (name, cycle), text, words


def sweep(options, keep, directory):
    """Runs a sweep; returns how many cases ended how, and the count of programs."""
    tasks = make_tasks(options.kind, random.Random(options.seed), options.random)
    endings, programs = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = set()
        while sum(endings.values()) < options.count or running:
            while (len(running) < options.jobs
                   and sum(endings.values()) < options.count):
                running.add(pool.submit(sweep_program, options.kind, directory,
                                        keep, next(tasks)))
                programs += 1
            done, running = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED)
            for task in done:
                for line in task.result().splitlines():
                    if line.startswith("failed:"):
                        print(line, flush=True)
                    endings.update({ending: int(count) for count, ending in
                                    re.findall(r"(\d+) ([a-z ]+),", line)
                                    if line.startswith("ended:")})
                endings["tile-sweep itself"] += "tile-sweep itself" in task.result()
    return +endings, programs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["passes", "text"])
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("--random")
    options = parser.parse_args()
    keep = options.keep or tempfile.mkdtemp()
    os.makedirs(keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        endings, programs = sweep(options, keep, directory)
    failures = sum(count for ending, count in endings.items()
                   if ending not in ("result", "diagnostic"))
    print("%s: seed %d, %d programs, %d cases: %s; %d failures" % (
        options.kind, options.seed, programs, sum(endings.values()),
        ", ".join("%d %s" % (count, ending)
                  for ending, count in sorted(endings.items())), failures))
    sys.exit(failures != 0)


main()
