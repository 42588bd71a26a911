# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of the language on tiles, scalars and arrays.

`operands` and `extents` describe operands and shapes, `promotion` their common type,
`casts` and `conversions` convert to it, and `elementwise` has the operations of the
program on values of one type. `arithmetic`, `division`, `extremes`, `bits`,
`conditions`, `comparisons`, `functions`, `activations` and `complex_numbers` compute
each element. `creation`, `shapes` and `indexing` make and rearrange tiles, `reductions`,
`scans`, `combinations` and `ordering` combine their elements, and `fourier` transforms
them. `memory`, `atomics` and `subscripts` access arrays, by `boxes` and `coordinates`;
`blocks` has the grid, `threads` the code of each thread, and `debug` the output."""
