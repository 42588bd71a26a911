// Storage.cpp - declared storages and layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

static std::string join(const std::vector<int64_t> &integers) {
  std::vector<std::string> words;
  for (int64_t integer : integers)
    words.push_back(std::to_string(integer));
  return llvm::join(words, ",");
}

/// Picks a layout with any order of the dimensions. It is dense, or has gaps
/// that are small enough for two such tiles in shared memory.
std::string Generator::pickSharedLayout(const std::vector<int64_t> &shape) {
  std::vector<size_t> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (random.chance(30))
    std::swap(order.front(), order[random.below(order.size())]);
  std::vector<int64_t> strides(shape.size());
  int64_t next = 1;
  for (size_t dim : order) {
    strides[dim] = next;
    next *= shape[dim];
    int64_t gap = random.pick<int64_t>({0, 0, 8, 1});
    next += 2 * gap <= next ? gap : 0;
  }
  return "#tile.shared<(" + join(shape) + "):(" + join(strides) +
         "), align = " + random.pick<std::string>({"16", "128"}) + ">";
}

namespace {
/// The modes of a register layout for lanes, warps or values, one per
/// dimension.
struct Modes {
  std::vector<int64_t> sizes, strides;

  void add(int64_t size, int64_t stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
  std::string getSizes() const { return "(" + join(sizes) + ")"; }
  std::string getStrides() const { return "(" + join(strides) + ")"; }
};
} // namespace

/// Picks a register layout. Along each dimension, the elements of one thread
/// are contiguous, then follow those of the other lanes, then those of the
/// other warps. Some lanes or warps may hold copies of the same elements.
std::string Generator::pickRegisterLayout(const std::vector<int64_t> &shape) {
  size_t rank = shape.size();
  std::vector<int64_t> lanes(rank, 1), warps(rank, 1), own(rank, 1), box(rank);
  int64_t sameLanes = 1, sameWarps = numWarps;
  for (int64_t rest = 32; rest > 1; rest /= 2) {
    size_t dim = random.below(rank);
    if (lanes[dim] < shape[dim])
      lanes[dim] *= 2;
    else
      sameLanes *= 2;
  }
  if (random.chance(60)) {
    warps[random.below(rank)] = numWarps;
    sameWarps = 1;
  }
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t together = lanes[dim] * warps[dim];
    own[dim] = (shape[dim] + together - 1) / together;
    box[dim] = together * own[dim];
  }
  Modes lane, warp, value;
  int64_t row = 1;
  for (size_t dim = rank; dim-- > 0;) {
    value.add(own[dim], row);
    lane.add(lanes[dim], row * own[dim]);
    warp.add(warps[dim], row * own[dim] * lanes[dim]);
    row *= box[dim];
  }
  lane.add(sameLanes, 0);
  warp.add(sameWarps, 0);
  return "#tile.register<(" + lane.getSizes() + "," + warp.getSizes() + "," +
         value.getSizes() + "):(" + lane.getStrides() + "," +
         warp.getStrides() + "," + value.getStrides() + "), box = [" +
         join(box) + "]>";
}

std::string Generator::pickStorage(const std::vector<int64_t> &shape) {
  if (shape.empty() || random.chance(35))
    return random.pick<std::string>({"#tile.shared", "#tile.register"});
  if (numWarps == 0 || random.chance(30))
    return pickSharedLayout(shape);
  return pickRegisterLayout(shape);
}

/// Adds a conversion to a declared storage, and sometimes a conversion back.
void Generator::addConvertLayout(const Tile &x) {
  Type plain = x.type.withoutStorage(), stored = plain;
  stored.storage = pickStorage(x.type.shape);
  stored.storedShape = x.type.shape;
  Tile y = add(stored, "tile.convert_layout " + x.name + " : " + x.type.str() +
                           " to " + stored.str());
  if (random.chance(50)) {
    add(plain, "tile.convert_layout " + y.name + " : " + stored.str() + " to " +
                   plain.str());
    pool.erase(pool.end() - 2);
  }
}
