# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the lines of the programs in this folder and of their counterparts in Triton.

  count_lines.py                  recounts the programs here, and compares with
  lines.csv count_lines.py FOLDER           also the counterparts,
  FOLDER/OWNER/NAME/COMMIT/PATH count_lines.py [FOLDER] --write writes lines.csv and
  README.md's table

FOLDER has the files of `git -C CLONE archive COMMIT PATH | tar -x -C
FOLDER/OWNER/NAME/COMMIT`. For each program, lines.csv lists its counterpart, as
functions of a file at a commit of a repository, and how many of their lines are left
out, since the program here does nothing equivalent. Both are formatted by black, with
88 columns and without regard to trailing commas, so that neither gains by its style. A
line counts if there is code on it: blank lines, comments, docstrings and imports do not
count. For a program here the whole file counts, for a counterpart the listed functions
with their decorators, except decorators that hold tables for tuning. The exit code is 1
if a count differs from lines.csv, or if a program has more than LIMIT times the lines
of its counterpart."""

import argparse
import ast
import csv
import io
import sys
import tokenize
from pathlib import Path

import black

HERE = Path(__file__).resolve().parent
TABLE = HERE / "lines.csv"
SUMMARY = HERE / "README.md"
LIMIT = 1.2
MODE = black.Mode(line_length=88, magic_trailing_comma=False)
TUNING = {"autotune", "heuristics"}
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


# ----------------------------------------------------------------------------
# Counting
# ----------------------------------------------------------------------------


def find_code(text):
    """Returns the numbers of the lines of formatted Python that have code."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)) or is_docstring(node):
            lines.difference_update(list_lines(node))
    return lines


def is_docstring(node):
    """Returns whether a node is a statement that consists of a string."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def list_lines(node):
    return range(node.lineno, node.end_lineno + 1)


def find_functions(tree):
    """Returns functions and classes by their names; methods are "Class.method"."""
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            found.update(
                {
                    f"{node.name}.{name}": part
                    for name, part in find_functions(node).items()
                }
            )
    return found


def is_tuning(decorator):
    """Returns whether a decorator holds a table for tuning."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(called, "attr", getattr(called, "id", None)) in TUNING


def count_functions(text, names):
    """Counts the lines of some functions of a file."""
    text = black.format_str(text, mode=MODE)
    functions = find_functions(ast.parse(text))
    chosen = set()
    for name in names:
        node = functions[name]
        chosen.update(list_lines(node))
        for decorator in node.decorator_list:
            if not is_tuning(decorator):
                chosen.update(list_lines(decorator))
    return len(chosen & find_code(text))


def count_file(path):
    """Counts the lines of a program of this folder."""
    return len(find_code(black.format_str(path.read_text(), mode=MODE)))


# ----------------------------------------------------------------------------
# The table
# ----------------------------------------------------------------------------


def read_table():
    with open(TABLE, newline="") as file:
        return list(csv.DictReader(file))


def recount(row, folder):
    """Returns a row with its counts recomputed. The count of the counterpart stays as
    it is if there is no folder, or if the program has no counterpart."""
    new = dict(row, our_lines=str(count_file(HERE / f"{row['program']}.py")))
    if not row["path"]:
        return new
    if folder:
        path = Path(folder, row["repository"], row["commit"], row["path"])
        count = count_functions(path.read_text(), row["functions"].split())
        new["their_lines"] = str(count - int(row["left_out"]))
    new["ratio"] = f"{int(new['our_lines']) / int(new['their_lines']):.2f}"
    return new


def write_table(rows):
    with open(TABLE, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def make_summary(rows):
    """Returns the table of README.md."""
    lines = ["| program | lines | in Triton | of |", "| --- | ---: | ---: | --- |"]
    for row in rows:
        name, source = row["program"], row["repository"] or row["remark"]
        link = f"[{name}]({name}.py)"
        theirs = row["their_lines"] or "-"
        lines.append(f"| {link} | {row['our_lines']} | {theirs} | {source} |")
    return "\n".join(lines)


def write_summary(rows):
    """Replaces the first table of README.md."""
    old = SUMMARY.read_text().splitlines()
    is_row = [line.startswith("|") for line in old] + [False]
    first = is_row.index(True)
    old[first : is_row.index(False, first)] = [make_summary(rows)]
    SUMMARY.write_text("\n".join(old) + "\n")


def find_faults(rows, new):
    """Yields messages about programs whose counts differ from the table, or that have
    too many lines."""
    programs = {row["program"] for row in rows}
    for path in sorted(HERE.glob("*.py")):
        if "\n@tile.kernel" in path.read_text() and path.stem not in programs:
            yield f"{path.stem}: expected a row of lines.csv, got none"
    for before, now in zip(rows, new):
        for key in ("our_lines", "their_lines", "ratio"):
            if before[key] != now[key]:
                yield (
                    f"{now['program']}: expected {key} of {before[key] or 'none'}, as "
                    f"lines.csv has it, got {now[key]}"
                )
        if now["ratio"] and float(now["ratio"]) > LIMIT:
            yield f"{now['program']}: expected a ratio of {LIMIT}, got {now['ratio']}"
    if make_summary(new) not in SUMMARY.read_text():
        yield "README.md: expected the table that --write makes, got another one"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", metavar="FOLDER")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = read_table()
    new = [recount(row, options.folder) for row in rows]
    if options.write:
        write_table(new)
        write_summary(new)
        rows = new
    faults = list(find_faults(rows, new))
    if faults:
        sys.exit("\n".join(faults))
    ratios = [float(row["ratio"]) for row in new if row["ratio"]]
    print(
        f"{len(new)} programs, {len(ratios)} of them in Triton as well: at most "
        f"{max(ratios):.2f} of its lines, {sorted(ratios)[len(ratios) // 2]:.2f} in "
        "the middle"
    )


if __name__ == "__main__":
    main()
