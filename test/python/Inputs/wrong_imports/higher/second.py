# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import wrong_imports.errors

from .first import first


def second():
    return first, wrong_imports.errors
