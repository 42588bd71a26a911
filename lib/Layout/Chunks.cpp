// Chunks.cpp - values of a thread along a dimension, chunk by chunk
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Chunks.h"

#include <algorithm>

using namespace tile;

/// Returns the extent of a chunk along `dim`: elements below this step belong
/// to one chunk.
static int64_t getChunkExtent(const RegisterLayout &layout, int64_t dim) {
  int64_t extent = 1;
  for (RegisterLayout::Level level :
       {RegisterLayout::kLane, RegisterLayout::kWarp})
    for (const RegisterMode &mode : layout.getModes(level))
      if (mode.dim == dim && mode.extent > 1)
        extent = std::max(extent, mode.step * mode.extent);
  return extent;
}

int64_t tile::getNumChunks(const RegisterLayout &layout, int64_t dim) {
  if (layout.isOrdered(dim))
    return 1;
  int64_t extent = getChunkExtent(layout, dim), chunks = 1;
  RegisterLayout::Modes inner;
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kValue)) {
    if (mode.dim == dim && mode.step >= extent)
      chunks *= mode.extent;
    else
      inner.push_back(mode);
  }
  std::vector<int64_t> box = layout.getBox();
  box[dim] = extent;
  RegisterLayout chunk = RegisterLayout::fromModes(
      layout.getModes(RegisterLayout::kLane),
      layout.getModes(RegisterLayout::kWarp), inner, box);
  return extent > 1 && chunk.isOrdered(dim) ? chunks : 0;
}

std::vector<std::vector<int64_t>> tile::getRuns(const RegisterLayout &layout,
                                                int64_t dim) {
  std::vector<std::vector<int64_t>> runs;
  for (int64_t value = 0; value < layout.getNumValues(); ++value) {
    int64_t index = value, run = 0, prefix = 1;
    for (const RegisterMode &mode : layout.getModes(RegisterLayout::kValue)) {
      if (mode.dim != dim) {
        run += index % mode.extent * prefix;
        prefix *= mode.extent;
      }
      index /= mode.extent;
    }
    runs.resize(prefix);
    runs[run].push_back(value);
  }
  for (std::vector<int64_t> &run : runs)
    std::stable_sort(run.begin(), run.end(), [&](int64_t a, int64_t b) {
      return layout.valueOffset(a)[dim] < layout.valueOffset(b)[dim];
    });
  return runs;
}

std::vector<std::vector<int64_t>>
tile::getRunsByChunk(const RegisterLayout &layout, int64_t dim) {
  std::vector<std::vector<int64_t>> runs = getRuns(layout, dim), byChunk;
  int64_t chunks = getNumChunks(layout, dim);
  for (int64_t chunk = 0; chunk < chunks; ++chunk)
    for (const std::vector<int64_t> &run : runs) {
      int64_t length = run.size() / chunks;
      byChunk.emplace_back(run.begin() + chunk * length,
                           run.begin() + (chunk + 1) * length);
    }
  return byChunk;
}
