# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs in Python, right ones and wrong ones (docs/Testing.md)."""
