# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# These tests replace the tests of a real pack.
import lit.formats

config.name = "tile"
config.test_format = lit.formats.ShTest()
config.suffixes = [".test"]
if "gpu" in lit_config.params:
    config.available_features.add("gpu")
