// Algebra.h - the operations of CuTe's layout algebra
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each header has one operation or concept. Each operation is exact, or refuses
// and returns the reason:
//
//   Coalesce.h      the shortest layout of a function
//   Compose.h       A after B, whole or mode by mode
//   Complement.h    the values that a layout leaves out
//   Divide.h        a layout cut into tiles: logical, zipped, tiled, flat
//   Product.h       a tile laid out again and again: logical, zipped, tiled,
//                   flat, blocked, raked
//   Inverse.h       from values back to coordinates, left and right
//   Tiler.h         the right operand of operations that work mode by mode
//   ComposedLayout.h   a swizzle or a layout after an offset after a layout
//
// Operations read right to left, as functions do: compose(A, B) is A after B.
// Divide and product are built from complement and compose, and refuse where
// those refuse. docs/Layout.md is the essay that goes with these headers.
//
// The definitions are those of CuTe's documents (NVIDIA/cutlass,
// media/docs/cpp/cute/02_layout_algebra.md) and of include/cute/layout.hpp.
// Where these definitions are loose, the headers state the definition that is
// used here.

#ifndef TILE_LAYOUT_ALGEBRA_H
#define TILE_LAYOUT_ALGEBRA_H

#include "tile/Layout/Coalesce.h"
#include "tile/Layout/Complement.h"
#include "tile/Layout/Compose.h"
#include "tile/Layout/ComposedLayout.h"
#include "tile/Layout/Divide.h"
#include "tile/Layout/Inverse.h"
#include "tile/Layout/Product.h"
#include "tile/Layout/Tiler.h"

#endif // TILE_LAYOUT_ALGEBRA_H
