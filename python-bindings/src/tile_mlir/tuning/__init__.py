# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that choose among candidates by measuring them: docs/Tuning.md.

`tuned` has the decorator and decides the choice of a call. `questions` has the calls
that are to have a choice, `candidates` the alternatives. `runs` measures them: `search`
finds the fastest, `measuring` compiles and runs the candidates that it requests, here
or in other processes, by a timer of `timing` and the GPU's memory of `driver`, and
`progress` shows how far it is. `tuning_file` keeps the results."""
