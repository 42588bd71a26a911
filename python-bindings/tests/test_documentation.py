# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the Python code blocks of each page, from the top, as one file. Blocks for
PyTorch or JAX are left out if that library is not installed."""

import importlib.util
import re
from pathlib import Path

import pytest

from tile_mlir.interoperation import jax_library

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ["docs/Python.md", "docs/Tuning.md", "docs/LinearAlgebra.md",
         "python-bindings/README.md", "README.md", "docs/GettingStarted.md"]


def read_blocks(page):
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(),
                        re.MULTILINE | re.DOTALL)
    return [block for block in blocks if is_runnable(block)]


def is_runnable(block):
    if block.startswith("import torch\n"):
        return importlib.util.find_spec("torch") is not None
    if block.startswith("import jax\n"):
        return importlib.util.find_spec("jax") is not None and \
            jax_library.FILE.exists()
    return True


def run(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path):
    blocks = read_blocks(ROOT / page)
    assert blocks
    path = tmp_path / "page.py"
    path.write_text("\n".join(blocks))
    run(path)


def test_results_of_the_guide(tmp_path):
    import numpy as np
    path = tmp_path / "guide.py"
    path.write_text("\n".join(read_blocks(ROOT / PAGES[0])))
    guide = run(path)
    x = guide.x.astype(np.float64)
    d = x - x.mean(1, keepdims=True)
    expected = d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(guide.y, expected, atol=2e-3)
    t, total = x[:4] * 0.5, 0.0
    for _ in range(3):
        total, t = total + np.abs(t).max(), t * t
    np.testing.assert_allclose(guide.out[0], total, rtol=2e-3)
    if hasattr(guide, "part"):  # of PyTorch
        np.testing.assert_array_equal(guide.part.numpy(), np.maximum(guide.y, 0))
    if hasattr(guide, "rest"):  # of JAX
        np.testing.assert_array_equal(guide.rest, np.maximum(-guide.y, 0))


def test_output_of_the_first_page(tmp_path, capfd):
    """Checks that all blocks of the page, run as one file, print the output that the
    page shows."""
    page = ROOT / "docs/GettingStarted.md"
    path = tmp_path / "start.py"
    path.write_text("\n".join(read_blocks(page)))
    run(path)
    [shown] = re.findall(r"^```text\n(.*?)^```$", page.read_text(),
                         re.MULTILINE | re.DOTALL)
    assert capfd.readouterr().out.replace(f"{tmp_path}/", "") == shown

    mended = path.read_text().replace("(4, 64))", '(4, 64), pad=float("-inf"))')
    mended = mended.replace("grid=10 // 4", "grid=tile.cdiv(10, 4)")
    path = tmp_path / "mended.py"
    path.write_text(mended.replace("== 2", "== 0"))
    run(path)


def test_wrong_page(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text("import tile_mlir as tile\ntile.lod")
    with pytest.raises(AttributeError):
        run(path)
