// RandomLayouts.h - generates layouts and tilers of any nesting, reproducibly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AllLayouts.h has every layout of a few extents. Here are layouts of more
// integers, nested at random, with extents that are no powers of two, strides
// that are 0 or negative, and often strides that nest, so that operations which
// require that succeed often enough to be tested.

#ifndef TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "AllLayouts.h"

namespace tile {
namespace test {

/// Returns a layout of nested lists of `modes`. One mode gives a list, too.
inline Layout nestAtRandom(Sequence &random, std::vector<Layout> modes) {
  while (modes.size() > 1 && random.next(3) != 0) {
    size_t first = random.next(modes.size());
    size_t count = 1 + random.next(modes.size() - first);
    Layout group =
        *concatenate({modes.begin() + first, modes.begin() + first + count});
    modes.erase(modes.begin() + first, modes.begin() + first + count);
    modes.insert(modes.begin() + first, group);
  }
  return *concatenate(modes);
}

/// Returns a layout of one to four integers of extents 1 to 5. Half of the
/// layouts have strides of a compact order, some with holes; the others have
/// any strides from `least` on.
inline Layout randomLayout(Sequence &random, int64_t least = -3) {
  FlatModes modes(1 + random.next(4));
  for (Layout::FlatMode &mode : modes)
    mode.first = 1 + random.next(5);
  if (random.next(2) == 0) {
    for (Layout::FlatMode &mode : modes)
      mode.second = least + int64_t(random.next(16));
  } else {
    std::vector<size_t> order;
    for (size_t i = 0; i < modes.size(); ++i)
      order.insert(order.begin() + random.next(i + 1), i);
    int64_t end = 1 + random.next(2);
    for (size_t i : order) {
      modes[i].second = end;
      end *= modes[i].first + (random.next(4) == 0 ? random.next(3) : 0);
    }
  }
  std::vector<Layout> leaves;
  for (Layout::FlatMode mode : modes)
    leaves.push_back(flatLayout({mode}));
  return leaves.size() == 1 && random.next(2) == 0
             ? leaves[0]
             : nestAtRandom(random, std::move(leaves));
}

/// Returns a tiler for a layout of shape `shape`: a small layout, or a list
/// that is at most as deep as the shape.
inline Tiler randomTiler(Sequence &random, const IntTuple &shape) {
  if (shape.isLeaf() || random.next(4) == 0) {
    FlatModes modes(1 + random.next(2));
    int64_t end = random.next(4) == 0 ? 2 : 1;
    for (Layout::FlatMode &mode : modes) {
      mode = {1 + int64_t(random.next(3)), end};
      end *= mode.first * (1 + random.next(2));
    }
    return flatLayout(modes);
  }
  std::vector<Tiler> elements;
  for (size_t i = 0; i < shape.size(); ++i)
    if (i == 0 || random.next(5) != 0)
      elements.push_back(randomTiler(random, shape[i]));
    else
      break;
  return Tiler::list(std::move(elements));
}

} // namespace test
} // namespace tile

#endif // TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
