# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every cell of the notebooks of docs/tutorial runs, and that their files
have no outputs."""

import copy
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "docs/tutorial"
# For each notebook a cell, a part of it and a wrong one, and the error of a run with it.
WRONG = {
    "tutorial": ("vector-add-kernel", "a + b", "a - b", "Arrays are not equal"),
    "derivatives": ("gradient-swish", "t * tile.sigmoid(t)", "t * tile.sigmoid(2 * t)",
                    "Not equal to tolerance"),
}
SECONDS_OF_A_CELL = 120
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(params=WRONG)
def page(request):
    return PAGES / f"{request.param}.ipynb"


@pytest.fixture
def notebook(page):
    return nbformat.read(page, as_version=nbformat.NO_CONVERT)


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
                   resources={"metadata": {"path": str(PAGES)}}).execute()
    return notebook


# ----------------------------------------------------------------------------
# Its form
# ----------------------------------------------------------------------------


def test_each_notebook_is_named():
    assert {page.stem for page in PAGES.glob("*.ipynb")} == set(WRONG)


def test_format(notebook):
    nbformat.validate(notebook)
    assert notebook.nbformat == 4
    identifiers = [cell.id for cell in notebook.cells]
    assert len(set(identifiers)) == len(identifiers)


def test_nothing_is_stored(notebook):
    for cell in list_code(notebook):
        assert cell.outputs == [], cell.id
        assert cell.execution_count is None, cell.id


def test_file_is_as_jupyter_writes_it(notebook, page):
    """The file is stored as Jupyter writes it, so that a diff shows only changed
    cells."""
    assert page.read_text() == nbformat.writes(notebook) + "\n"


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
        assert (PAGES / name).exists(), link
        if heading:
            headings = list_headings((PAGES / name).read_text())
            assert heading in {h.lower().replace(" ", "-") for h in headings}, link


# ----------------------------------------------------------------------------
# Its cells
# ----------------------------------------------------------------------------


def test_cells_run(notebook):
    for cell in list_code(run(notebook)):
        assert cell.execution_count is not None, cell.id


def test_wrong_result_is_found(notebook, page):
    """Checks that a run fails if a kernel computes another function."""
    wrong = copy.deepcopy(notebook)
    name, right, other, error = WRONG[page.stem]
    [cell] = [cell for cell in wrong.cells if cell.id == name]
    assert cell.source.count(right) == 1
    cell.source = cell.source.replace(right, other)
    with pytest.raises(CellExecutionError, match=error):
        run(wrong)
