# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Self-contained HTML without scripts: fragments for notebooks, and pages of fragments.
Text parameters are escaped, except those that are documented as HTML."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from typing import Any

# The style sheet, which applies only to the contents of a fragment.
_STYLE = """
.tile-mlir { font: 14px/1.4 sans-serif; }
.tile-mlir table { border-collapse: collapse; margin: 0 0 1em 0; font: inherit; }
.tile-mlir th, .tile-mlir td { border: 1px solid #8886; padding: 2px 8px;
  text-align: left; vertical-align: top; }
.tile-mlir th { background: #8882; }
.tile-mlir td.number, .tile-mlir th.number { text-align: right; }
.tile-mlir pre, .tile-mlir code { font: 12px/1.35 monospace; margin: 0; }
.tile-mlir pre { white-space: pre; overflow-x: auto; max-height: 40em; }
.tile-mlir td code { white-space: pre-wrap; }
.tile-mlir .wide { overflow-x: auto; }
.tile-mlir summary { cursor: pointer; margin: 0.3em 0; }
"""


class Code(str):
    """Text of a table cell that is shown in the font of programs."""


def fragment(*parts: str) -> str:
    """Returns a fragment of parts, which are HTML."""
    return f'<div class="tile-mlir"><style>{_STYLE}</style>\n{"".join(parts)}</div>\n'


def page(title: str, content: str) -> str:
    """Returns a page with `content`, which is HTML."""
    return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{html.escape(title)}</title>\n</head>\n<body>\n{content}"
            "</body>\n</html>\n")


def heading(text: str, level: int) -> str:
    return f"<h{level}>{html.escape(text)}</h{level}>\n"


def paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>\n"


def program(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>\n"


def details(summary: str, content: str) -> str:
    """Returns HTML that shows `content`, which is HTML, when its summary is clicked."""
    return (f"<details><summary>{html.escape(summary)}</summary>\n{content}"
            "</details>\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Returns a table of texts and figures; columns of figures are aligned to the
    right. None is shown as an empty cell."""
    kept = [list(row) for row in rows]
    kinds = [' class="number"' if _is_of_numbers([row[n] for row in kept]) else ""
             for n in range(len(columns))]
    lines = [_format_row("th", columns, kinds)]
    lines += [_format_row("td", row, kinds) for row in kept]
    return f'<div class="wide"><table>\n{"".join(lines)}</table></div>\n'


def _is_of_numbers(cells: list[Any]) -> bool:
    given = [cell for cell in cells if cell is not None]
    return bool(given) and all(isinstance(cell, (int, float)) for cell in given)


def _format_row(tag: str, cells: Sequence[Any], kinds: list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}{kind}>{_format_cell(cell)}</{tag}>"
                            for cell, kind in zip(cells, kinds)) + "</tr>\n"


def _format_cell(cell: Any) -> str:
    if isinstance(cell, float):
        cell = f"{cell:.2f}"
    text = html.escape("" if cell is None else str(cell))
    return f"<code>{text}</code>" if isinstance(cell, Code) else text


def picture(svg: str, alternative: str) -> str:
    """Returns HTML with an SVG, whose style applies only to the SVG itself."""
    data = base64.b64encode(svg.encode()).decode()
    return (f'<div class="wide"><img alt="{html.escape(alternative)}" '
            f'src="data:image/svg+xml;base64,{data}"></div>\n')
