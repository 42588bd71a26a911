# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls, factorisations, and functions that are made of them."""
