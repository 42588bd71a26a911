# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of the language on tiles, scalars and arrays.

`operands` and `extents` describe operands and shapes, `promotion` determines the common
type of operands, and `casts` and `conversions` convert to a type. `elementwise` builds
operations on values of one type. `arithmetic`, `division`, `extremes`, `bits`,
`conditions`, `comparisons`, `functions`, `activations` and `complex_numbers` compute
each element. `creation`, `shapes` and `indexing` make and rearrange tiles, `reductions`,
`scans`, `combinations` and `ordering` combine their elements, and `fourier` transforms
them. `memory`, `atomics` and `subscripts` access arrays, with offsets by `boxes` and
`coordinates`. `blocks` has the grid, `threads` runs code of each thread, and `debug`
prints."""
