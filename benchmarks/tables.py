# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the benchmarks."""

import csv
import datetime
import io


def format_table(header, rows):
    """Formats a Markdown table. All columns but the first are right-aligned."""
    lines = ["| " + " | ".join(header) + " |",
             "| --- |" + " ---: |" * (len(header) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def format_facts(*facts):
    """Formats the facts of a measurement: today's date, then `facts`."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    return ", ".join([str(date), *facts])


def format_csv(header, rows, facts):
    """Formats comma-separated rows. The last column, "measured", has `facts`, so that
    one file may contain rows of several runs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*header, "measured"])
    writer.writerows([*row, facts] for row in rows)
    return text.getvalue()


def format_percent(ratio, digits=1):
    """Formats a ratio in percent, without "%"."""
    return f"{100 * ratio:.{digits}f}"


def replace_section(text, name, content):
    """Replaces the text between <!-- NAME --> and <!-- /NAME -->, and returns the whole
    text."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"expected one section '{begin}' ... '{end}'")
    before, rest = text.split(begin)
    if end not in rest:
        raise ValueError(f"'{end}' stands before '{begin}'")
    after = rest.split(end)[1]
    return f"{before}{begin}\n\n{content.strip()}\n\n{end}{after}"
