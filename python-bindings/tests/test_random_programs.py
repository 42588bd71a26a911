# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that random programs cover the language, and that they find faults."""

import os
import random
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import tile_mlir as tile
from random_programs import (generator, merging, mutations, running, shrinking, ways,
                             workers)
from random_programs.cases import run_alone
from random_programs.program import print_module

PROGRAMS = [generator.make_program(seed) for seed in range(1, 351)]
TEXTS = [print_module(program) for program in PROGRAMS]
TEXT = "\n".join(TEXTS)

FEATURES = [
    r"\bfor \w+ in range\(", r"\bfor \w+ in tile\.range\(", r"tile\.static_range\(",
    r"\bwhile ", r"\bif ", r"\belif ", r"\belse:", r" if .* else ", r" and ", r" or ",
    r"not \(", r"\bassert ", r"@tile\.function", r"\bnonlocal ", r"lambda ",
    r"@dataclass", r"State\(", r"\.append\(", r"\.bump\(", r"\.update\(", r"\+= ", r"\*= ",
    r"(\w+), (\w+) = \2, \1", r"helper_\d\(\w+, by=3\)", r"is_odd=True", r", -\d\):",
    r"\.shape\[", r"\.size", r"2 \*\* 33", r"2 \*\* 31", r"num_programs", r"block \+ tile",
    r"np\.uint8\(200\)", r"n\d+ = 2 \*\* 40", r"\*, k0=", r"\.T\b", r"\[::-1\]", r"::2",
    r"as_strided", r"broadcast_to", r"tile\.where", r"tile\.clip", r"tile\.maximum",
    r"\.sum\(", r"axis=\(", r"keepdims=True", r"tile\.cumsum", r"tile\.sort",
    r"tile\.argsort", r" @ ", r"\.astype\(tile\.f8", r"\.astype\(tile\.bf16", r"<<", r">>",
    r" // ", r" % ", r" \*\* ", r"tile\.sign", r"tile\.round", r"tile\.fma", r"tile\.take",
    r"tile\.map", r"tile\.arange", r"mask=", r"pad=", r"complex", r"> 9223372036854775807",
    r"reshape", r"tile\.insert", r"for \w+ in \w+:"]


@pytest.mark.parametrize("feature", FEATURES)
def test_programs_have(feature):
    assert re.search(feature, TEXT)


@pytest.mark.parametrize("dtype", [
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128"])
def test_arrays_have(dtype):
    assert re.search(rf"x\d+ = .*np\.{dtype}\b|x\d+ = .*astype\({dtype.rstrip('_')}\)", TEXT)


def test_the_reference_has_what_programs_call():
    folder = Path(generator.__file__).parent
    texts = [(folder / f"{name}.py").read_text() for name in (
        "arguments", "expressions", "simple", "structures", "flow")]
    names = set(re.findall(r"\btile\.(\w+)", "".join(texts)))
    assert len(names) > 50
    for name in sorted(names):
        assert hasattr(tile, name) or name == "become", name
        assert hasattr(running.reference, name), name


def test_programs_of_a_seed_are_the_same():
    assert print_module(generator.make_program(7)) == TEXTS[6]


def test_most_elements_are_exact():
    """Counts the elements of outputs that the reference knows, and knows exactly."""
    known = exact = whole = 0
    for program in PROGRAMS[:40]:
        try:
            outputs = running.compute_expected(program).outputs
        except running.Undecided:
            continue
        for array in outputs.values():
            errors = array.error[array.is_written]
            whole += errors.size
            known += np.isfinite(errors).sum()
            exact += (errors == 0).sum()
    assert known > 0.95 * whole and exact > 0.7 * whole


def test_a_fault_is_found_and_its_program_is_small(monkeypatch, tmp_path):
    """The fault is in the package: `maximum` is `minimum`."""
    monkeypatch.setattr(tile, "maximum", tile.minimum)
    found = [program for program in PROGRAMS if "tile.maximum" in print_module(program)
             and fails(program, tmp_path)]
    assert found
    small = shrinking.shrink(found[0], lambda each: fails(each, tmp_path), most=60)
    assert len(small.body) <= 8
    path = tmp_path / "kept.py"
    shrinking.keep(small, "sm_80", path)
    done = subprocess.run([sys.executable, "-W", "ignore", str(path)], capture_output=True,
                          text=True, check=True)
    assert done.stdout == ""  # the package of that process has no fault


def fails(program, folder):
    """Returns whether a run of the program gives a wrong element; false for an invalid
    program."""
    try:
        running.compute_expected(program)
    except Exception:
        return False
    outcome = running.run_program(program, folder / "program.py", "sm_80")
    return outcome.kind == "wrong" and outcome.detail.startswith("out_")


def test_a_store_that_is_not_expected_is_found():
    array = running.reference.Array(np.full(3, np.nan), True)
    array.data[0], array.is_written[0] = 1.0, True
    assert running.find_problem(np.array([1.0, np.nan, np.nan]), array) == ""
    assert "expected 1.0" in running.find_problem(np.array([1.5, np.nan, np.nan]), array)
    assert "no store" in running.find_problem(np.array([1.0, 2.0, np.nan]), array)
    array.error[0] = 1.0
    assert running.find_problem(np.array([1.5, np.nan, np.nan]), array) == ""
    assert running.find_problem(np.array([2.5, np.nan, np.nan]), array)
    assert running.find_problem(np.array([np.nan, np.nan, np.nan]), array)


def test_signs_of_zeros_are_compared():
    array = running.reference.Array(np.zeros(1, np.float32), True)
    array.is_written[:] = True
    assert running.find_problem(np.array([-0.0], np.float32), array)


def test_wrong_programs_are_of_all_kinds():
    found = [mutations.mutate(program, random.Random(n)) for n, program in
             enumerate(PROGRAMS)]
    assert any(wrong.definition for wrong in found)
    assert any(wrong.call for wrong in found)
    changed = [wrong for wrong, program in zip(found, PROGRAMS)
               if wrong.program.body != program.body]
    assert len(changed) > 50


def run_body(text, x):
    """Runs a kernel body by the reference on an input and an output. Returns whether
    the types of its variables depend on the path that is taken."""
    head = "from random_programs import reference as tile\n\n\ndef kernel(x, out):\n"
    lines = head + textwrap.indent(text, "    ")

    def run():
        names = {}
        exec(compile(lines, ways.REFERENCE, "exec"), names)
        out = running.reference.Array(np.zeros(8, np.float32), True)
        running.reference.run_blocks(
            names["kernel"], (1,), [running.reference.Array(x), out], {})

    run()
    return merging.depends_on_ways(lines, run)


@pytest.mark.parametrize("text, depends", [
    ("v = tile.load(x, 0, 4) if x.shape[0] > 90 else True", True),
    ("v = True if x.shape[0] > 90 else False", False),
    ("v = 1\nif x.shape[0] > 90:\n    v = tile.load(x, 0, 4)\nw = v", True),
    ("v = tile.zeros(2)\nfor i in tile.range(0):\n    v = v[:1]\nw = v", True),
    ("v = tile.zeros(2)\nfor i in tile.range(3):\n    v = v + 1\nw = v", False),
    ("v = 0\nwhile x.shape[0] < v:\n    v = tile.program_id(0)\nw = v", True),
    ("c = x.shape[0] > 90\nd = x.shape[0] < 90\nif c:\n    d = c\n"
     "v = tile.zeros(4) if d else 1", True),
    ("s = [1, 2]\nif x.shape[0] > 90:\n    s[0] = tile.zeros(4)\nt = s", True),
    ("assert x.shape[0] < 90\nv = 1", False)])
def test_types_that_depend_on_the_way(text, depends):
    assert run_body(text, np.zeros(8, np.float32)) == depends


@pytest.mark.parametrize("text", [
    "tile.load(x, 0, 2 ** 31)", "tile.zeros((2 ** 16, 2 ** 15))",
    "tile.arange(2 ** 31)", "tile.eye(2 ** 16)", "tile.iota((3, 2 ** 31), 0)",
    "tile.zeros((4096, 1, 1)) + tile.zeros((4096, 1)) + tile.zeros(4096)",
    "tile.broadcast_to(tile.zeros(1), (2 ** 40,))", "tile.store(x, 0, 1)", "x[0] = 1",
    "x[0:2] = tile.zeros(2)"])
def test_what_the_reference_does_not_decide(text):
    """Checks tiles too large for NumPy, and stores that other blocks may read."""
    begin = time.process_time()
    with pytest.raises(running.Undecided):
        run_body(text, np.zeros(8, np.float32))
    assert time.process_time() - begin < 1


WORKER = """
import os, sys, time
sys.path.insert(0, {path!r})
from random_programs import workers

def run(case):
    if case == 2:
        os.kill(os.getpid(), 11)
    if case == 4:
        while True:
            pass
    return {{"kind": "right"}}

workers.serve(int(sys.argv[2]), [int(case) for case in sys.argv[3:]], run)
"""


def test_ends_and_hangs_of_processes_are_found(tmp_path):
    script = tmp_path / "worker.py"
    script.write_text(WORKER.format(path=sys.path[0]))
    answers = dict(workers.run_cases([sys.executable, str(script)], [1, 2, 3, 4, 5], 1.0))
    assert [answers[case]["kind"] for case in (1, 3, 5)] == ["right"] * 3
    assert answers[2]["detail"].startswith("ends the process with -11")
    assert answers[4]["detail"].startswith("hangs for more than")


def test_a_case_alone_may_end_its_process():
    assert run_alone(lambda: "right") == "right"
    assert run_alone(lambda: os.kill(os.getpid(), 9)) == "ends"
