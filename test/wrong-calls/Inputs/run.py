# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.py TABLE FOLDER LEAST [NAME=WORDS...]: runs wrong calls: each row of TABLE has a
# command for bash, in which $NAME is replaced by its words, the exit code, and a text
# that the output must contain. Commands run in FOLDER, which holds new copies of the
# files next to this script. No call may end by a signal, or create or change a file,
# and no two rows may expect the same text. TABLE must have at least LEAST rows.

import csv
import pathlib
import shutil
import subprocess
import sys

import numpy as np

inputs = pathlib.Path(__file__).parent
table, folder, least = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
words = dict(argument.split("=", 1) for argument in sys.argv[4:])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def read_files():
    return {path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*") if path.is_file()}


def copy_inputs():
    for path in inputs.glob("*"):
        if path.is_file() and path.suffix != ".py":
            shutil.copy(path, folder)
    np.save(folder / "x.npy", np.arange(8, dtype="f4"))
    np.save(folder / "y.npy", np.arange(8, dtype="f4"))
    np.save(folder / "double.npy", np.arange(8, dtype="f8"))
    np.save(folder / "matrix.npy", np.zeros((2, 4), "f4"))
    (folder / "damaged.mlirbc").write_bytes(b"ML\xefR\x0dtile\x00\xff\xff")


def get_problem(row):
    command = row["command"]
    for name, value in words.items():
        command = command.replace("$" + name, value)
    try:
        done = subprocess.run(["bash", "-c", command], cwd=folder, timeout=120,
                              stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        return "ran for two minutes"
    said = (done.stderr + done.stdout).decode(errors="replace")
    if done.returncode != int(row["exit"]):
        return "expected exit code %s, found %d:\n%s" % (
            row["exit"], done.returncode, said)
    if row["text"] not in said:
        return "expected '%s', found:\n%s" % (row["text"], said)
    return None


rows = list(csv.DictReader(open(table)))
copy_inputs()
before = read_files()
problems = []
for row in rows:
    problem = get_problem(row)
    if problem:
        problems.append("%s\n  %s" % (row["command"], problem))
    if read_files() != before:
        problems.append("%s\n  left other files than there were" %
                        row["command"])
        copy_inputs()
        before = read_files()
texts = [row["text"] for row in rows]
problems += ["'%s' is expected of two calls" % text
             for text in sorted(set(texts)) if texts.count(text) > 1]
if len(rows) < least:
    problems.append("expected %d rows, found %d" % (least, len(rows)))
for problem in problems:
    print("error:", problem)
print("%d wrong calls, %d not refused as they should be" %
      (len(rows), len(problems)))
sys.exit(bool(problems))
