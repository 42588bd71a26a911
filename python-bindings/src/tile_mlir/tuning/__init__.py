# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that choose among candidates by measuring them: docs/Tuning.md.

`tuned` has the decorator and decides what a call takes. `questions` has the calls
that are to have a choice, `candidates` what there is to choose from. `runs` measures
them: `search` finds the fastest, `measuring` compiles and runs what it asks for, here or
in other processes, and `progress` shows how far it is. `tuning_file` keeps what was
found."""
