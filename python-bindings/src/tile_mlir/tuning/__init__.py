# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that choose among candidates by measuring them: docs/Tuning.md.

`tuned` has the decorator and decides the choice of a call. `questions` has calls for
which a candidate must be chosen, `candidates` the alternatives. `runs` measures the
candidates of a call: `search` finds the fastest one, `measuring` compiles and runs
candidates for it, in this process or in others, with a timer of `timing` and memory of
`driver`, and `progress` shows the progress. `tuning_file` keeps the results."""
