# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the benchmarks."""

import csv
import datetime
import io


def format_table(header, rows):
    """A Markdown table; all but the first column are right-aligned."""
    lines = ["| " + " | ".join(header) + " |",
             "| --- |" + " ---: |" * (len(header) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def format_facts(*facts):
    """When and where something was measured."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    return ", ".join([str(date), *facts])


def format_csv(header, rows, facts):
    """Comma-separated rows, each with the facts of its measurement in a last
    column, so that rows of several runs may stand in one file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*header, "measured"])
    writer.writerows([*row, facts] for row in rows)
    return text.getvalue()


def format_percent(ratio, digits=1):
    """The number of percent without its sign."""
    return f"{100 * ratio:.{digits}f}"


def replace_section(text, name, content):
    """`text` with what stands between <!-- NAME --> and <!-- /NAME -->
    replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"expected one section '{begin}' ... '{end}'")
    before, rest = text.split(begin)
    if end not in rest:
        raise ValueError(f"'{end}' stands before '{begin}'")
    after = rest.split(end)[1]
    return f"{before}{begin}\n\n{content.strip()}\n\n{end}{after}"
