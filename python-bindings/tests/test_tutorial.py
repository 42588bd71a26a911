# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every cell of the tutorial runs, and that its file has no outputs."""

import copy
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/tutorial/tutorial.ipynb"
SECONDS_OF_A_CELL = 120
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture
def notebook():
    return nbformat.read(PAGE, as_version=nbformat.NO_CONVERT)


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """Redirects the files of Jupyter and IPython to a temporary folder."""
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR",
                 "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path))


def list_code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def run(notebook):
    NotebookClient(notebook, timeout=SECONDS_OF_A_CELL, kernel_name="python3",
                   resources={"metadata": {"path": str(PAGE.parent)}}).execute()
    return notebook


# ----------------------------------------------------------------------------
# Its form
# ----------------------------------------------------------------------------


def test_format(notebook):
    nbformat.validate(notebook)
    assert notebook.nbformat == 4
    identifiers = [cell.id for cell in notebook.cells]
    assert len(set(identifiers)) == len(identifiers)


def test_nothing_is_stored(notebook):
    for cell in list_code(notebook):
        assert cell.outputs == [], cell.id
        assert cell.execution_count is None, cell.id


def test_file_is_as_jupyter_writes_it(notebook):
    """The file is stored as Jupyter writes it, so that a diff shows only changed
    cells."""
    assert PAGE.read_text() == nbformat.writes(notebook) + "\n"


def test_solutions_are_folded(notebook):
    solutions = [cell for cell in list_code(notebook)
                 if "solution" in cell.metadata.get("tags", [])]
    assert len(solutions) == sum("**Exercise.**" in cell.source
                                 for cell in notebook.cells)
    for cell in solutions:
        assert cell.metadata["jupyter"]["source_hidden"], cell.id


def list_headings(text):
    return [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]


def test_links(notebook):
    """Checks the notebook's links. A link to a file must name an existing file and, after
    `#`, one of its headings in GitHub's form (lower case, hyphens for spaces). A link
    within the notebook must name a heading in Jupyter's form (case kept, hyphens)."""
    text = "\n".join(cell.source for cell in notebook.cells
                     if cell.cell_type == "markdown")
    own = {heading.replace(" ", "-") for heading in list_headings(text)}
    links = [link for link in LINK.findall(text) if "://" not in link]
    assert links
    for link in links:
        name, _, heading = link.partition("#")
        if not name:
            assert heading in own, link
            continue
        assert (PAGE.parent / name).exists(), link
        if heading:
            headings = list_headings((PAGE.parent / name).read_text())
            assert heading in {h.lower().replace(" ", "-") for h in headings}, link


# ----------------------------------------------------------------------------
# Its cells
# ----------------------------------------------------------------------------


def test_cells_run(notebook):
    for cell in list_code(run(notebook)):
        assert cell.execution_count is not None, cell.id


def test_wrong_result_is_found(notebook):
    """Checks that a run fails if the first kernel subtracts instead of adding."""
    wrong = copy.deepcopy(notebook)
    [cell] = [cell for cell in wrong.cells if cell.id == "vector-add-kernel"]
    assert cell.source.count("a + b") == 1
    cell.source = cell.source.replace("a + b", "a - b")
    with pytest.raises(CellExecutionError, match="Arrays are not equal"):
        run(wrong)
