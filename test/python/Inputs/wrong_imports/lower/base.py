# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ..errors import os
from ..higher.first import first


def call():
    import json

    from .. import errors
    return errors, first, json, os
