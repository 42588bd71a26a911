// RegisterLayout.h - a tile spread over the threads of a block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register layout specifies which thread holds which element of a tile, and
// in which of its values. It is a CuTe layout with three modes,
//
//   (lane, warp, value) -> row-major linear index of a box,
//
// where the box is a shape that contains the tile's. The direction is that of
// the program: a thread knows its lane, warp and value and computes the
// element. A mode of stride zero replicates. Elements of the box outside the
// tile are padding: every extent is spread over 32 lanes, not only powers of
// two.
//
// Example, the accumulator of mma.m16n8k16 in a 16x8 box:
//
//   ((4,8),1,(2,2)) : ((2,8),0,(1,64))
//
// lane 5 = (1,1) holds row 1, columns 2 and 3, and row 9, columns 2 and 3.
// Each mode must step inside one dimension of the box, and the modes of one
// dimension must be mixed radix digits that cover exactly its extent. So a
// coordinate is, dimension by dimension, a sum of digits, and run time needs no
// division by the box's strides.

#ifndef TILE_LAYOUT_REGISTERLAYOUT_H
#define TILE_LAYOUT_REGISTERLAYOUT_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile {

constexpr int64_t kWarpSize = 32;

/// Digit of a lane, warp or value index: `extent` steps of `step` elements
/// along dimension `dim` of the box. dim < 0 replicates.
struct RegisterMode {
  int64_t extent;
  int64_t dim;
  int64_t step;
  bool operator==(const RegisterMode &o) const {
    return extent == o.extent && dim == o.dim && step == o.step;
  }
};

class RegisterLayout {
public:
  enum Level { kLane = 0, kWarp = 1, kValue = 2 };
  using Modes = std::vector<RegisterMode>;

  /// Checks the conditions of the file's head.
  /// @post indices agree: get(l, b)->getLayout() == l.
  static Result<RegisterLayout> get(const Layout &layout,
                                    std::vector<int64_t> box);

  /// Makes a layout from digits, fastest first in each level. Digits of extent
  /// one are dropped. @pre the conditions of the file's head hold.
  static RegisterLayout fromModes(Modes lane, Modes warp, Modes value,
                                  std::vector<int64_t> box);

  /// Makes a layout of rows along the last dimension: first `vector` adjacent
  /// elements of the last dimension for each thread, then lanes, then warps,
  /// then repetitions, each filled from the last dimension to the first (or in
  /// `order`, fastest first). The box is the shape rounded up to the extents
  /// that the threads cover.
  /// @pre vector >= 1 and numWarps >= 1.
  static RegisterLayout blocked(const std::vector<int64_t> &shape,
                                int64_t vector, int64_t numWarps,
                                std::vector<int64_t> order = {});

  /// Makes a layout of elements in order along `dim` (isOrdered). Each row is
  /// spread over as many threads as the block has for each row, but no more
  /// than it has elements for.
  /// @pre numWarps >= 1.
  static RegisterLayout ordered(const std::vector<int64_t> &shape, int64_t dim,
                                int64_t numWarps);

  const Layout &getLayout() const { return layout; }
  const std::vector<int64_t> &getBox() const { return box; }
  int64_t getRank() const { return box.size(); }
  int64_t getNumWarps() const;
  /// Values a thread holds, padding included.
  int64_t getNumValues() const;
  const Modes &getModes(Level level) const { return modes[level]; }

  /// The coordinate in the box of a thread's value.
  std::vector<int64_t> coordinate(int64_t lane, int64_t warp,
                                  int64_t value) const;
  /// The value's share of the coordinate: coordinate(0, 0, value).
  std::vector<int64_t> valueOffset(int64_t value) const {
    return coordinate(0, 0, value);
  }
  /// How many adjacent elements along `dim`, from value 0 on, are consecutive
  /// values of one thread: the widest vector access along `dim`.
  int64_t getContiguity(int64_t dim) const;
  /// The number of lanes (kLane) or warps (kWarp) along a dimension.
  int64_t getExtent(Level level, int64_t dim) const;
  /// Whether the elements along a dimension are those of one thread's values,
  /// one after the other, then those of the next lane, then of the next warp;
  /// lanes and warps along it are one mode each.
  bool isOrdered(int64_t dim) const;
  /// How often a level replicates an element: the product of its zero-stride
  /// modes.
  int64_t getReplication(Level level) const;

  /// The layout of the same elements in the transposed tile, whose dimension i
  /// is dimension permutation[i] of this one.
  RegisterLayout transpose(const std::vector<int64_t> &permutation) const;
  /// Returns the layout without dimension `dim`: lanes and warps along it
  /// replicate, values along it are dropped.
  RegisterLayout dropDimension(int64_t dim) const;
  /// Returns the layout with a new dimension of extent one before `dim`.
  RegisterLayout insertDimension(int64_t dim) const;
  /// Returns the layout in which dimension `dim` repeats one element: lanes and
  /// warps along it replicate, values along it are dropped, the extent is one.
  RegisterLayout squeezeDimension(int64_t dim) const;

  /// Returns the number of elements along a dimension after which lanes and
  /// warps repeat: elements whose coordinates differ by a multiple of it are
  /// values of one thread, and every thread has all or none of them.
  int64_t getPeriod(int64_t dim) const;
  /// Returns the layout with another extent of dimension `dim`, rounded up to
  /// the period: values are added or dropped at its end, and each remaining
  /// element stays in its thread. If no thread had several values along `dim`,
  /// the period is one, and the first values of a thread were not adjacent
  /// elements, the values along `dim` come first.
  RegisterLayout resizeDimension(int64_t dim, int64_t extent) const;

  /// Returns the layout of the same elements, in row-major order, of a tile of
  /// another shape: digits are mapped to the dimensions of `shape`, and split
  /// where a dimension ends. Returns nothing if a digit would not step inside
  /// one dimension.
  /// @pre `shape` has as many elements as the box.
  std::optional<RegisterLayout>
  reshape(const std::vector<int64_t> &shape) const;

  /// Returns, for each value of `other`, the value of this layout that is the
  /// same element in the same thread; nothing if a thread does not have all of
  /// them.
  std::optional<std::vector<int64_t>>
  findValues(const RegisterLayout &other) const;

  /// Whether both have the same element in every (lane, warp, value), even if
  /// their modes are cut differently.
  bool isEquivalent(const RegisterLayout &other) const;
  bool operator==(const RegisterLayout &o) const {
    return layout == o.layout && box == o.box;
  }

private:
  RegisterLayout(Layout layout, std::vector<int64_t> box,
                 std::array<Modes, 3> modes)
      : layout(std::move(layout)), box(std::move(box)),
        modes(std::move(modes)) {}

  Layout layout;
  std::vector<int64_t> box;
  std::array<Modes, 3> modes;
};

} // namespace tile

#endif // TILE_LAYOUT_REGISTERLAYOUT_H
