# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit runs each case of each GoogleTest executable as one test.

import os

import lit.formats

config.name = "tile-unit"
config.test_source_root = config.tile_unit_dir
config.test_exec_root = config.tile_unit_dir
config.test_format = lit.formats.GoogleTest(".", "Test")
config.test_format.test_suffixes = {"Test", "Tests"}

os.makedirs(config.tile_unit_dir, exist_ok=True)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TMPDIR", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
