// Placement.h - storage in which an operation has its tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PLACEMENT_H
#define TILE_IR_PLACEMENT_H

namespace tile {

/// Storage in which an operation reads a tile, or leaves one.
enum class Placement {
  registers,
  /// Registers, where every thread that needs an element holds it.
  replicated,
  shared,
  /// Any storage: an operand is read in its own storage, and a result is made
  /// in the storage that its type specifies.
  anywhere,
  /// Source and result are the same tile under two names, in the same storage.
  alias,
  /// Like `alias`, but the result is a box of the source at known offsets. In
  /// shared memory it is a view. In registers it is some values of each thread
  /// or, if layouts differ, passes through shared memory.
  part,
  /// The tile is read in its own storage, and the reader does not influence the
  /// choice of that storage.
  observed,
};

} // namespace tile

#endif // TILE_IR_PLACEMENT_H
