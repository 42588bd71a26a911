# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Nsight Compute on one launch and reads its counters."""

import csv
import os
import re
import subprocess

from launcher import BenchmarkError

# The prefix of ncu's counters of the wavefronts of shared memory that instructions
# request.
SASS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
# The counters of each kind of access. The first entry that ncu supports is used; the
# counters of a tuple are added.
WAVEFRONTS = {
    "ldmatrix": [SASS + "ldsm", SASS.replace("smsp", "sm", 1) + "ldsm"],
    "loads": [SASS + "ld", SASS.replace("smsp", "sm", 1) + "ld"],
    "stores": [SASS + "st", SASS.replace("smsp", "sm", 1) + "st",
               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"],
    "cp.async": [SASS + "ldgsts",
                 (SASS.replace("smsp", "sm", 1) + "ldgsts_cache_access",
                  SASS.replace("smsp", "sm", 1) + "ldgsts_cache_bypass"),
                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts"],
}
OPCODES = "sass__inst_executed_per_opcode"


def run(ncu, arguments, command):
    """Returns ncu's table for the first launch of `command` that `arguments` select,
    and the rest of the output."""
    words = [ncu, "--clock-control", "none", "--csv", "--print-units", "base",
             "--launch-count", "1", *arguments, *command]
    try:
        result = subprocess.run(words, capture_output=True, text=True,
                                env=dict(os.environ, LC_ALL="C"))
    except OSError as error:
        raise BenchmarkError(f"cannot run ncu: {error}; name it by --ncu"
                             ) from error
    return result.stdout, result.stderr


def read_rows(text, first):
    """Returns the rows of the table in `text` whose header starts with `first`."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith(first)]
    return list(csv.reader(lines[starts[0]:])) if starts else []


def to_number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def read_metrics(text):
    """Returns the metrics of the first kernel in `ncu --csv --page raw`, without the
    ".sum" of their names."""
    # The table has a row of names, a row of units, then a row per kernel.
    rows = read_rows(text, '"ID"')
    if len(rows) < 3:
        return {}
    values = {name.removesuffix(".sum"): to_number(value)
              for name, value in zip(rows[0], rows[2])
              if "__" in name and not name.startswith(("device__", "launch__"))}
    return {name: value for name, value in values.items() if value is not None}


def read_opcodes(text):
    """Returns how often warps executed each opcode, from OPCODES in `ncu --csv --page
    raw --print-metric-instances values`: "120 (LDG: 100; STG: 20)"."""
    rows = read_rows(text, '"ID"')
    if len(rows) < 3 or OPCODES not in rows[0]:
        return {}
    value = rows[2][rows[0].index(OPCODES)]
    return {opcode: to_number(count) for opcode, count in
            re.findall(r"\b([A-Z][A-Z0-9_]*): ?([\d,]+)", value)}


def measure(values, choices):
    """Returns the sum and the names of the first of `choices` whose counters are all in
    `values`."""
    for choice in choices:
        names = choice if isinstance(choice, tuple) else (choice,)
        if all(name in values for name in names):
            return sum(values[name] for name in names), " + ".join(names)
    return None, "no counter"


def format_count(count):
    return "-" if count is None else f"{count:.0f}"


def format_difference(measured, predicted):
    if measured is None:
        return "-"
    if predicted == 0:
        return "0.00%" if measured == 0 else "not predicted"
    return f"{measured / predicted - 1:+.2%}"
