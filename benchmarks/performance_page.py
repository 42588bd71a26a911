#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the tables and plots of docs/Performance.md, the times of docs/Linalg.md, and
the comparisons with a GPU in docs/Emulator.md, from docs/performance/*.csv.

  python3 performance_page.py [NAME=FILE ...]
  python3 performance_page.py --check

NAME=FILE first replaces docs/performance/NAME.csv by FILE, the output of a benchmark.
--check changes nothing and exits with 1 if a page or a plot differs from the tables.
docs/performance/summary.csv chooses the rows of the summary. It names a table, a
pattern of program names and a size, and has the limiting factor, which is written by
hand. The row of the summary has the fastest program at that size, and its fastest peer.
"""

import argparse
import csv
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import growth
import tables

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "performance"


def read_table(name):
    """Returns the rows of a table as dictionaries by the names of the columns."""
    with open(FOLDER / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------------------
# The summary
# ---------------------------------------------------------------------------

@dataclass
class Entry:
    """A row of the summary: its choice in summary.csv, and the measured row."""
    choice: dict
    row: dict

    @property
    def label(self):
        workload, size = self.choice["workload"], self.choice["size"]
        if self.choice["group"] == "memory-bound":
            return workload
        kind = "matmul " * (self.choice["group"] == "matmul")
        return f"{kind}{workload}, {size}"

    @property
    def percent(self):
        """The speed in percent of the peer's; the middle if the table has a range; None
        without a peer."""
        percents = [float(word) for word in
                    self.row["percent_of_peer"].split(" to ") if word]
        return sum(percents) / len(percents) if percents else None

    def format_rate(self):
        if self.row.get("gbytes_per_s"):
            return f"{self.row['gbytes_per_s']} GB/s"
        return f"{self.row['tflops']} TFLOP/s" if self.row["tflops"] else ""

    def format(self):
        return [self.label, self.row["us"], self.format_rate(), self.row["peer"],
                self.row["peer_us"], self.row["percent_of_peer"],
                self.choice["limited_by"]]


def get_time(text):
    return float(text) if text else float("inf")


def find_entry(choice, rows):
    """Returns the row of the fastest program that `choice` selects, with its fastest
    peer."""
    found = [row for row in rows
             if re.fullmatch(choice["program"], row["program"]) and
             choice["size"] in (row.get("size"), row.get("extent"))]
    if not found:
        raise ValueError(f"summary.csv: expected a program of {choice['table']} "
                         f"that matches '{choice['program']}' at "
                         f"{choice['size']}")
    fastest = min(found, key=lambda row: get_time(row["us"]))
    return Entry(choice, min(
        (row for row in found if row["program"] == fastest["program"]),
        key=lambda row: get_time(row["peer_us"])))


def find_entries():
    choices = read_table("summary")
    rows = {name: read_table(name)
            for name in {choice["table"] for choice in choices}}
    return [find_entry(choice, rows[choice["table"]]) for choice in choices]


def format_measured(rows):
    """Formats the dates and machines of the measurements, a sentence for each run."""
    return "\n".join(f"{text}." for text in
                     dict.fromkeys(row["measured"] for row in rows)) + "\n"


def format_summary(entries):
    header = ["workload", "us", "rate", "peer", "peer's us", "% of its speed",
              "limited by"]
    text = tables.format_table(header, [entry.format() for entry in entries])
    # Columns of text are left-aligned.
    text = text.replace("| --- |" + " ---: |" * 6,
                        "| --- | ---: | ---: | --- | ---: | ---: | --- |")
    return format_measured(entry.row for entry in entries) + "\n" + text


def format_steps():
    rows = [row for row in read_table("sgemm-steps") if row["size"] == "4096"]
    return format_measured(rows) + "\n" + tables.format_table(
        ["step", "us", "TFLOP/s", "speed of the step before", "% of cuBLAS"],
        [[row["step"], row["us"], row["tflops"], row["speed_of_step_before"],
          row["percent_of_cublas"]] for row in rows])


def group_by(rows, *names):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def find_largest(differences):
    """Returns the text of the difference that is farthest from zero; "-" if none is
    numeric."""
    values = [text for text in differences
              if re.fullmatch(r"[+-]?[\d.]+", text)]
    return max(values, key=lambda text: abs(float(text)), default="-")


def format_wavefronts():
    rows = read_table("wavefronts")
    return format_measured(rows) + "\n" + tables.format_table(
        ["access", "programs", "predicted as counted",
         "largest difference, %"],
        [[access, str(len(found)),
          str(sum(row["predicted"] == row["counted"] for row in found)),
          find_largest(row["difference_percent"] for row in found)]
         for (access,), found in group_by(rows, "access").items()])


def format_compile_times():
    rows = read_table("compile-time")
    lines = []
    for (emit, limit), found in group_by(rows, "emit", "limit_s").items():
        medians = {row["program"]: float(row["median_s"]) for row in found}
        slowest = max(medians, key=medians.get)
        over = [name for name, median in medians.items()
                if median > float(limit)]
        lines.append([f"--emit={emit}", str(len(found)),
                      f"{statistics.median(medians.values()):.3f}",
                      f"{medians[slowest]:.3f} ({slowest})", limit,
                      ", ".join(over) or "none"])
    return format_measured(rows) + "\n" + tables.format_table(
        ["output", "programs", "median, s", "slowest, s", "limit, s",
         "over it"], lines)


def format_growth():
    rows = read_table("growth")
    return tables.format_table(
        ["machine", "programs", "least growth", "greatest", f"over {growth.LIMIT}"],
        [[re.search(r", (.*? processors)", measured)[1], str(len(found)),
          min((row["growth"] for row in found), key=float),
          max((row["growth"] for row in found), key=float),
          ", ".join(f"{row['program']} {row['architecture']}" for row in found
                    if float(row["growth"]) > growth.LIMIT) or "none"]
         for (measured,), found in group_by(rows, "measured").items()])


def format_networks():
    rows = read_table("networks")
    peers = ["by hand", "torch.compile", "PyTorch"]
    lines = []
    for (program, ours), found in group_by(rows, "program", "us").items():
        times = {row["peer"]: row["peer_us"] for row in found}
        lines.append([program, ours, *(times.get(peer, "") for peer in peers)])
    return format_measured(rows) + "\n" + tables.format_table(
        ["network", "ours", *peers], lines)


def format_values():
    rows = read_table("emulator-values")
    differing = [row for row in rows if row["results"] != row["same_bits"]]
    lines = [[f"{row['programs']}, {row['results_of']}", row["results"],
              row["same_bits"], row["numbers_that_differ"],
              row["codes_at_most"]] for row in differing]
    same = [row for row in rows if row not in differing]
    lines.append([f"the other {len(same)} groups",
                  *(str(sum(int(row[name]) for row in same))
                    for name in ("results", "same_bits")), "0", "0"])
    return format_measured(rows) + "\n" + tables.format_table(
        ["programs and results", "results", "the same bits",
         "values that differ", "by codes at most"], lines)


def format_counters():
    rows = read_table("emulator-counters")
    return format_measured(rows) + "\n" + tables.format_table(
        ["launch", "counters", "equal", "largest difference, %"],
        [[launch, str(len(found)),
          str(sum(row["emulator"] == row["ncu"] for row in found)),
          find_largest(row["difference_percent"] for row in found)]
         for (launch,), found in group_by(rows, "launch").items()])


# ---------------------------------------------------------------------------
# The plots
# ---------------------------------------------------------------------------

COLORS = {"matmul": "#3b6ea8", "memory-bound": "#3f8f5b", "chains": "#b5652b"}
# Widths of the columns, and the height of a line, in pixels.
LABELS, BARS, VALUES, LINE = 305, 340, 175, 18


def draw_bars(entries):
    """Draws bars of our speed in percent of the peer's, with a line at 100."""
    entries = [entry for entry in entries if entry.percent is not None]
    scale = BARS / (10 * (max(entry.percent for entry in entries) // 10 + 1))
    height = LINE * len(entries)
    x = LABELS + 100 * scale
    parts = [f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height}" '
             'stroke="#808080" stroke-dasharray="3 3"/>']
    for i, entry in enumerate(entries):
        y, width = LINE * i, entry.percent * scale
        parts += [
            f'<text x="{LABELS - 6}" y="{y + 13}" text-anchor="end">'
            f'{escape(entry.label)}</text>',
            f'<rect x="{LABELS}" y="{y + 3}" width="{width:.1f}" '
            f'height="{LINE - 5}" fill="{COLORS[entry.choice["group"]]}"/>',
            f'<text x="{LABELS + BARS + 6}" y="{y + 13}">'
            f'{entry.percent:.0f} % of {escape(entry.row["peer"])}</text>']
    width = LABELS + BARS + VALUES
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="11">\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


# ---------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------

def make_files():
    """Returns the text of each generated file, by its path."""
    entries = find_entries()
    pages = {"Performance.md": {"summary": format_summary(entries),
                                "sgemm-steps": format_steps(),
                                "wavefronts": format_wavefronts(),
                                "compile-time": format_compile_times(),
                                "growth": format_growth()},
             "Linalg.md": {"networks": format_networks()},
             "Emulator.md": {"values": format_values(),
                             "counters": format_counters()}}
    files = {}
    for page, sections in pages.items():
        text = (DOCS / page).read_text()
        for name, content in sections.items():
            text = tables.replace_section(text, name, content)
        files[DOCS / page] = text
    best = [entry for entry in entries if entry.choice["in_readme"]]
    return {**files, FOLDER / "summary.svg": draw_bars(entries),
            FOLDER / "readme.svg": draw_bars(best)}


def replace_table(text):
    name, separator, path = text.partition("=")
    table = FOLDER / f"{name}.csv"
    if not separator or not table.exists():
        raise ValueError("expected NAME=FILE with the name of a table of "
                         f"docs/performance, found '{text}'")
    table.write_text(Path(path).read_text())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("tables", nargs="*", metavar="NAME=FILE")
    options = parser.parse_args()
    try:
        for text in options.tables:
            replace_table(text)
        stale = {path: text for path, text in make_files().items()
                 if not path.exists() or path.read_text() != text}
        for path, text in stale.items():
            print(path.relative_to(DOCS.parent))
            if not options.check:
                path.write_text(text)
        return int(options.check and bool(stale))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"performance_page.py: error: {error}")


if __name__ == "__main__":
    sys.exit(main())
