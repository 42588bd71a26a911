// Product.h - copies of a tile at the positions of a grid
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of A and B is a copy of A at each position of B; positions are
// counted in copies that do not overlap:
//
//   A x B = (A, complement(A, size(A) * cosize(B)) o B)
//
// Mode 0 runs inside a copy, mode 1 over the copies. With a list of tilers each
// mode is multiplied on its own, in the four orders of Divide.h. The strides of
// each tiler must then skip the elements of the other modes of A. The products
// that most programs need take a tile and a grid of equal rank, multiply them
// whole, and put like modes together:
//
//   blockedProduct   ((A0,B0),(A1,B1))   each copy of A stays together
//   rakedProduct     ((B0,A0),(B1,A1))   the copies interlock, as cards do
//
// A 2x3 tile, rows together, in a 4x5 grid, columns together:
//
//   (2,3):(3,1) blocked by (4,5):(1,4)  is  ((2,4),(3,5)):((3,6),(1,24))

#ifndef TILE_LAYOUT_PRODUCT_H
#define TILE_LAYOUT_PRODUCT_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Tiler.h"

namespace tile {

/// (tile, complement(tile, tile.size() * grid.cosize()) o grid): a copy of
/// `tile` at each position of `grid`; positions are counted in copies of the
/// tile that do not overlap.
/// @post rank() == 2, mode(0) == tile, grid.shape() is compatible with
/// mode(1).shape(), and no two copies share a value if grid is injective.
/// Example: (2,2):(4,1) x 6:1 is ((2,2),(2,3)):((4,1),(2,8)).
Result<Layout> logicalProduct(const Layout &tile, const Layout &grid);

/// Multiplies mode by mode; modes without a tiler stay. Refused if the list has
/// no tilers or more tilers than `tile` has modes, or where the product of a
/// mode refuses. Modes are independent of each other: their copies may overlap.
/// @post for a list: rank() == tile.rank(); mode(i) is (mode i, its copies).
/// Example: (2,5):(5,1) x <3:5,4:6> is ((2,3),(5,4)):((5,10),(1,30)).
Result<Layout> logicalProduct(const Layout &tile, const Tiler &tiler);

/// @post rank() == 2; mode(0) has the modes of `tile` that have a tiler.
/// Example: (2,5):(5,1) by <3:5,4:6> is ((2,5),(3,4)):((5,1),(10,30)).
Result<Layout> zippedProduct(const Layout &tile, const Tiler &tiler);

/// zippedProduct with mode 1 flattened: mode 0, followed by the modes of
/// mode 1.
/// Example: (2,5):(5,1) by <3:5,4:6> is ((2,5),3,4):((5,1),10,30).
Result<Layout> tiledProduct(const Layout &tile, const Tiler &tiler);

/// zippedProduct with both modes flattened: the modes of mode 0, followed by
/// those of mode 1.
/// Example: (2,5):(5,1) by <3:5,4:6> is (2,5,3,4):(5,1,10,30).
Result<Layout> flatProduct(const Layout &tile, const Tiler &tiler);

/// Mode i is (mode i of the tile, mode i of its copies). Refused where the
/// ranks differ, or where logicalProduct refuses.
/// @post rank() == tile.rank(); at ((a0,b0),(a1,b1),...) the value is that of
/// logicalProduct at ((a0,a1,...),(b0,b1,...)).
/// Example: (2,5):(5,1) and (3,4):(1,3) give ((2,3),(5,4)):((5,10),(1,30)).
Result<Layout> blockedProduct(const Layout &tile, const Layout &grid);

/// Mode i is (mode i of the copies, mode i of the tile). Refused as
/// blockedProduct.
/// @post rank() == tile.rank(); at ((b0,a0),(b1,a1),...) the value is that of
/// logicalProduct at ((a0,a1,...),(b0,b1,...)).
/// Example: (2,5):(5,1) and (3,4):(1,3) give ((3,2),(4,5)):((10,5),(30,1)).
Result<Layout> rakedProduct(const Layout &tile, const Layout &grid);

} // namespace tile

#endif // TILE_LAYOUT_PRODUCT_H
