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

  /// Spreads lanes, and then warps, over dimensions: the first dimension gets
  /// as many as it has elements for, then the next. Lanes and warps that are
  /// left replicate. Values cover the rest of each dimension. The number of
  /// lanes along a dimension is a power of two, and the number of warps divides
  /// the number of warps that are left.
  ///
  /// @pre numLanes is a power of two.
  void spread(const std::vector<int64_t> &dims,
              const std::vector<int64_t> &shape, int64_t numLanes,
              int64_t numWarps);

  /// Builds the layout. @pre the digits of lanes have 32 lanes together.
  RegisterLayout build() const;

private:
  /// Returns the extent that the digits of a dimension do not cover yet, in
  /// units of the extent that they cover, rounded up.
  int64_t countLeft(int64_t dim, int64_t extent) const;

  std::array<RegisterLayout::Modes, 3> modes;
  std::vector<int64_t> box;
};

} // namespace tile

#endif // TILE_LAYOUT_REGISTERLAYOUTBUILDER_H
