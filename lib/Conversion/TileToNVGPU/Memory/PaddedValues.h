// PaddedValues.h - a thread's values of a layout that is larger than the tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a value lies inside the tile depends on the thread, and on the
// static part of the value's coordinates along the padded dimensions. Values
// with the same static part share one condition, one branch and one address.

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_PADDEDVALUES_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_PADDEDVALUES_H

#include "Addresses.h"

#include <map>

namespace tile {

class PaddedValues {
public:
  /// Values that share the condition that they lie inside the tile.
  struct Group {
    mlir::Value inside; ///< null for always
    llvm::SmallVector<int64_t> values;
  };

  /// Groups accesses of `width` values by their first values. The SSA values
  /// that this object creates must be used in the region where it is created.
  /// @pre no access crosses the edge of `shape`
  PaddedValues(IndexBuilder &index, ThreadCoordinates &coordinates,
               llvm::ArrayRef<int64_t> shape, int64_t width = 1);

  /// Returns the groups that lie inside the tile for some thread.
  llvm::ArrayRef<Group> getGroups() const { return groups; }
  /// Whether a value lies inside the tile; null for always.
  /// @pre the value lies inside for some thread
  mlir::Value isInside(int64_t value) const;
  /// Returns coordinates with which a value is at an element of the tile, even
  /// in threads for which it lies outside; null if it lies outside for all
  /// threads. The first value is inside for some thread.
  ThreadCoordinates *getReadable(int64_t value);

private:
  /// Returns the static part of a value along padded dimensions, and zero along
  /// others.
  std::vector<int64_t> getKey(int64_t value) const;

  ThreadCoordinates &coordinates;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Group> groups;
  std::map<std::vector<int64_t>, size_t> groupOf;
  std::map<std::vector<int64_t>, ThreadCoordinates> readable;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_PADDEDVALUES_H
