# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels."""
