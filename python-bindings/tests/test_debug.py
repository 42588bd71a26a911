# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Output that kernels print."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import tile_mlir as tile


@tile.kernel
def say(x, count):
    tile.print_("begun")
    tile.print_('numbers "x"', tile.load(x, 0, 3))
    tile.print_("count", count + 1)
    tile.print_("half", 0.5)
    tile.print_("flags", tile.load(x, 0, 3) > 0)


@pytest.mark.parametrize("machine", [tile.emulator, tile.cpu])
def test_print(capfd, machine):
    x = np.array([1, -0.5, np.nan], np.float32)
    with machine():
        say[2](x, 6)
    out = capfd.readouterr().out
    block = r"\((\d), 0, 0\): "
    assert sorted(re.findall(r"^begun \((\d), 0, 0\)$", out, re.M)) == ["0", "1"]
    assert len(re.findall(f'^numbers "x" {block}3xf32, \\w+\n 1 -0.5 -?nan$', out,
                          re.M)) == 2
    assert len(re.findall(f"^count {block}.*\\b7$", out, re.M)) == 2
    assert len(re.findall(f"^half {block}.*\\b0.5$", out, re.M)) == 2
    assert len(re.findall(f"^flags {block}3xi1, \\w+\n 1 0 0$", out, re.M)) == 2


def test_prints_come_in_the_order_of_calls(tmp_path):
    """Checks the order also if the output is buffered, as for a pipe."""
    program = tmp_path / "program.py"
    program.write_text("import tile_mlir as tile\n"
                       "@tile.kernel\n"
                       "def say():\n"
                       "    tile.print_('two')\n"
                       "print('one')\n"
                       "say[1]()\n"
                       "print('three')\n")
    environment = {name: value for name, value in os.environ.items()
                   if name != "PYTHONUNBUFFERED"}
    out = subprocess.run([sys.executable, program], env=environment, check=True,
                         capture_output=True, text=True).stdout
    assert out == "one\ntwo (0, 0, 0)\nthree\n"
