// Chunks.h - values of a thread along a dimension, chunk by chunk
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout is ordered along a dimension (RegisterLayout::isOrdered), or
// consists of several chunks that are: in each chunk the elements of a thread
// follow one another, and its further values repeat this in the next chunk. For
// example, if a row of 1024 elements is spread over 128 threads with 4 adjacent
// elements each, the row has two chunks of 512, and thread t has elements 4t to
// 4t + 3 of each chunk.

#ifndef TILE_LAYOUT_CHUNKS_H
#define TILE_LAYOUT_CHUNKS_H

#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// Returns the number of chunks along a dimension: one if the layout is
/// ordered, nothing if it does not consist of chunks.
int64_t getNumChunks(const RegisterLayout &layout, int64_t dim);

/// Returns the values of a layout that differ only along `dim`, in order along
/// it: one list for each coordinate along the other dimensions.
std::vector<std::vector<int64_t>> getRuns(const RegisterLayout &layout,
                                          int64_t dim);

/// Returns the values of getRuns as one list for each chunk: all runs of the
/// first chunk, then those of the next. @pre the layout is in chunks.
std::vector<std::vector<int64_t>> getRunsByChunk(const RegisterLayout &layout,
                                                 int64_t dim);

} // namespace tile

#endif // TILE_LAYOUT_CHUNKS_H
