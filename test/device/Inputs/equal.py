# equal.py - compares .npy files with a NumPy expression of other files
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   equal.py EXPRESSION [NAME=FILE...] -- FILE...
#
# EXPRESSION is the expected content of each FILE after "--", in terms of np and the
# arrays called NAME; shapes and values must agree.

import sys

import numpy as np

expression, *words = sys.argv[1:]
split = words.index("--")
names = {"np": np}
for word in words[:split]:
    name, file = word.split("=", 1)
    names[name] = np.load(file)
expected = eval(expression, names)
for file in words[split + 1:]:
    result = np.load(file)
    if result.shape != expected.shape or not (result == expected).all():
        sys.exit("%s: expected %s =\n%s\ngot\n%s" % (file, expression, expected,
                                                     result))
