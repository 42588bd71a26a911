# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from typing import TYPE_CHECKING

from ..errors import os

if TYPE_CHECKING:
    from .second import second


def first() -> "second":
    return os
