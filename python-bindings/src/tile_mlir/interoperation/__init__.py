# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operations of JAX and PyTorch.

`torch_ops` makes operators of PyTorch, and `torch_gradients` their derivatives.
`jax_calls` matches a kernel's arguments with those of a JAX function, `jax_runs` is the
operation of JAX, with its derivatives, and `jax_library` has the library that XLA
calls."""
