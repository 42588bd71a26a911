// RegisterLayoutBuilder.h - register layouts, digit by digit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LAYOUT_REGISTERLAYOUTBUILDER_H
#define TILE_LAYOUT_REGISTERLAYOUTBUILDER_H

#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// Makes a layout of digits, in each level and in each dimension fastest first.
class RegisterLayoutBuilder {
public:
  using Level = RegisterLayout::Level;

  explicit RegisterLayoutBuilder(int64_t rank) : box(rank, 1) {}

  /// Adds the next digit of a level and of a dimension.
  void add(Level level, int64_t dim, int64_t extent);

  /// Adds a digit of a level whose steps repeat the same elements.
  void repeat(Level level, int64_t extent);

  /// Adds values for the part of a dimension's extent that has no digits.
  void fill(int64_t dim, int64_t extent);

  /// Lanes and warps along dimensions, as many as the first has use for, then
  /// the next; those that are left repeat. Values for the rest. Lanes along a
  /// dimension are a power of two, warps a divisor of those that are left.
  /// @pre numLanes is a power of two.
  void spread(const std::vector<int64_t> &dims,
              const std::vector<int64_t> &shape, int64_t numLanes,
              int64_t numWarps);

  /// @pre the digits are of 32 lanes.
  RegisterLayout build() const;

private:
  /// Returns the elements of a dimension that have no digit yet, in units of
  /// those that have one.
  int64_t countLeft(int64_t dim, int64_t extent) const;

  std::array<RegisterLayout::Modes, 3> modes;
  std::vector<int64_t> box;
};

} // namespace tile

#endif // TILE_LAYOUT_REGISTERLAYOUTBUILDER_H
