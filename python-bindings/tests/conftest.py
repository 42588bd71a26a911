# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

import tile_mlir as tile


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture(params=["emulator", "cpu"])
def machine(request):
    """Runs a test once for each machine of the host, on which its kernels run."""
    with getattr(tile, request.param)():
        yield
