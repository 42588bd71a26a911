// Placement.h - storage in which an operation has its tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PLACEMENT_H
#define TILE_IR_PLACEMENT_H

namespace tile {

/// Storage in which an operation reads a tile, or leaves one.
enum class Placement {
  registers,
  /// Registers; each element is in those of every thread that needs it.
  replicated,
  shared,
  /// An operand is read where it is; a result is made where its type specifies.
  anywhere,
  /// Source and result are one tile under two names: where the one is, the
  /// other is.
  alias,
  /// An `alias` of a box at known offsets: in shared memory it is there
  /// already, in registers it is some of each thread's values or, where layouts
  /// differ, takes a trip through shared memory.
  part,
  /// The tile is read where it is, which is no reason for it to be anywhere.
  observed,
};

} // namespace tile

#endif // TILE_IR_PLACEMENT_H
