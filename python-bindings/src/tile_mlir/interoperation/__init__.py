# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels within programs of JAX and PyTorch."""
