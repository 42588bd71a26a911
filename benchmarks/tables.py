# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables of all benchmarks share."""

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


def format_heading(*facts):
    """The line above a table."""
    return format_facts(*facts) + ".\n"


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
