// Placement.h - where an operation has its tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PLACEMENT_H
#define TILE_IR_PLACEMENT_H

namespace tile {

/// Where an operation reads a tile, or leaves one.
enum class Placement {
  registers,
  /// In registers, each element in those of every thread that needs it.
  replicated,
  shared,
  /// An operand is read where it is, a result made where its type says.
  anywhere,
  /// Source and result are one tile under two names: where the one is, the
  /// other is.
  alias,
  /// As `alias`, of a box at known places: in shared memory it is there
  /// already, in registers it is some of each thread's values or, where layouts
  /// differ, takes a trip through shared memory.
  part,
  /// Read where it is, which is no reason for the tile to be anywhere.
  observed,
};

} // namespace tile

#endif // TILE_IR_PLACEMENT_H
