# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operations of JAX and PyTorch."""
