# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs in Python, against NumPy (docs/Testing.md).

  run_random.py right --seed=1 --count=500                 on the machines in turn
  run_random.py right --seed=17 --on=cpu --keep=failed     one, kept if it fails
  run_random.py wrong --seed=1 --count=100                 wrong ones, each refused

The last line is "N programs: ...". With --verbose refusals are listed with their
messages. Programs run one after the other, in separate processes."""

import argparse
import collections
import sys
import tempfile
from pathlib import Path

from random_programs import workers

LIMITS = {"right": 60.0, "wrong": 10.0}


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("right", "wrong"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--on", default="sm_80,sm_90a,cpu,sm_80",
                        help="machines, which seeds take in turn")
    parser.add_argument("--keep", type=Path, help="a folder for programs that fail")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--serve", type=int, nargs="+", help=argparse.SUPPRESS)
    return parser.parse_args()


def choose_machine(options, seed):
    machines = options.on.split(",")
    return machines[seed % len(machines)]


def run_one(options, seed, folder):
    """Runs one case in a process of its own."""
    from random_programs import cases
    return cases.run(options.kind, seed, choose_machine(options, seed), folder)


def serve(options):
    descriptor, *seeds = options.serve
    with tempfile.TemporaryDirectory() as folder:
        workers.serve(descriptor, seeds,
                      lambda seed: run_one(options, seed, Path(folder)))


def run_all(options, command):
    """Runs all seeds, and prints failures. Returns the count of each outcome, the count
    of each refusal by its message, and one seed for each of these messages."""
    kinds, refusals, examples = collections.Counter(), collections.Counter(), {}
    seeds = range(options.seed, options.seed + options.count)
    for seed, answer in workers.run_cases(command, seeds, LIMITS[options.kind]):
        kinds[answer["kind"]] += 1
        kinds["elements"] += answer.get("compared", 0)
        detail = answer.get("detail", "")
        if answer["kind"] in ("refused", "unknown"):
            refusals[detail] += 1
            examples.setdefault(detail, seed)
        if answer["kind"] == "wrong":
            machine = choose_machine(options, seed)
            print(f"error: seed {seed} on {machine}: {detail}", flush=True)
            if options.keep:
                keep(options, command, seed, detail)
    return kinds, [(count, examples[text], text) for text, count in refusals.most_common()]


def keep(options, command, seed, detail):
    from random_programs import cases
    options.keep.mkdir(parents=True, exist_ok=True)
    cases.keep(options.kind, seed, choose_machine(options, seed), detail,
               options.keep / f"{options.kind}_{seed}.py")


def main():
    options = parse()
    if options.serve:
        return serve(options)
    command = [sys.executable, *sys.argv]
    kinds, refusals = run_all(options, command)
    if options.verbose:
        for count, seed, text in refusals:
            print(f"{count:6} {text} (seed {seed})")
    print(f"{options.count} programs: {kinds['right']} right, {kinds['refused']} refused, "
          f"{kinds['unknown']} unknown, {kinds['wrong']} wrong; {kinds['elements']} "
          "elements compared")
    return sys.exit(bool(kinds["wrong"]))


if __name__ == "__main__":
    main()
