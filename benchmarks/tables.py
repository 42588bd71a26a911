# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables of all benchmarks share."""

import datetime


def format_table(header, rows):
    """A Markdown table; all but the first column are right-aligned."""
    lines = ["| " + " | ".join(header) + " |",
             "| --- |" + " ---: |" * (len(header) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def format_heading(*facts):
    """Where and when: the line above every table."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    return ", ".join([str(date), *facts]) + ".\n"
