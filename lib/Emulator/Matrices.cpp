// Matrices.cpp - ldmatrix and stmatrix
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane 8 i + r provides the address of row r of matrix i, which has eight rows
// of eight elements of 16 bits. The register of lane l for a matrix holds
// elements 2 (l mod 4) and 2 (l mod 4) + 1 of row l / 4 or, if transposed, of
// column l / 4 (PTX ISA, "ldmatrix").
//
// The access to a row counts as one of the lane that provides the row's
// address.

#include "Block.h"

#include <cstring>

using namespace tile::emulator;

constexpr uint32_t kRowBytes = 16;
constexpr uint32_t kNumRows = 8;

namespace {
using Matrix = std::array<std::array<uint16_t, 8>, kNumRows>;

/// Operands of a lane.
struct MatrixOperands {
  uint64_t row;
  uint32_t *loaded;
  const uint32_t *stored;
};

/// Position of one of the two elements of a lane's register.
struct Coordinates {
  size_t row, column;
};
} // namespace

static Coordinates getCoordinates(uint32_t lane, uint32_t element,
                                  bool isTransposed) {
  size_t slow = lane / 4, fast = 2 * (lane % 4) + element;
  return isTransposed ? Coordinates{fast, slow} : Coordinates{slow, fast};
}

static MatrixOperands &getOperands(const Warp &warp, uint32_t lane) {
  return *static_cast<MatrixOperands *>(warp.operands[lane]);
}

/// Returns the addresses of the rows of a matrix. Each matrix is a separate
/// access.
static tile::LaneAddresses getRows(const Warp &warp, uint32_t matrix) {
  tile::LaneAddresses rows;
  for (uint32_t row = 0; row < kNumRows; ++row)
    rows.push_back(uint32_t(getOperands(warp, kNumRows * matrix + row).row));
  return rows;
}

void Block::touchMatrixRow(Thread &thread, uint32_t site, uint64_t row) {
  if (thread.lane >= kNumRows * getSite(site).matrix.count)
    return;
  Access access = makeAccess(thread, site);
  checkAlignment(access, row, kRowBytes, kRowBytes);
  touchShared(access, row, kRowBytes);
}

void Block::loadMatrix(Thread &thread, uint32_t site, uint64_t row,
                       uint32_t *registers) {
  const MatrixFacts &facts = getSite(site).matrix;
  touchMatrixRow(thread, site, row);
  MatrixOperands operands = {row, registers, nullptr};
  meet(thread, site, ~0u, &operands, [&](Warp &warp) {
    for (uint32_t i = 0; i < facts.count; ++i) {
      Matrix matrix;
      for (uint32_t r = 0; r < kNumRows; ++r)
        std::memcpy(matrix[r].data(),
                    reinterpret_cast<const void *>(
                        getOperands(warp, kNumRows * i + r).row),
                    kRowBytes);
      for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        Coordinates low = getCoordinates(lane, 0, facts.isTransposed);
        Coordinates high = getCoordinates(lane, 1, facts.isTransposed);
        getOperands(warp, lane).loaded[i] =
            matrix[low.row][low.column] |
            uint32_t(matrix[high.row][high.column]) << 16;
      }
    }
    countMatrices(warp, site);
  });
}

void Block::storeMatrix(Thread &thread, uint32_t site, uint64_t row,
                        const uint32_t *registers) {
  const MatrixFacts &facts = getSite(site).matrix;
  touchMatrixRow(thread, site, row);
  MatrixOperands operands = {row, nullptr, registers};
  meet(thread, site, ~0u, &operands, [&](Warp &warp) {
    for (uint32_t i = 0; i < facts.count; ++i) {
      Matrix matrix;
      for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        uint32_t word = getOperands(warp, lane).stored[i];
        Coordinates low = getCoordinates(lane, 0, facts.isTransposed);
        Coordinates high = getCoordinates(lane, 1, facts.isTransposed);
        matrix[low.row][low.column] = uint16_t(word);
        matrix[high.row][high.column] = uint16_t(word >> 16);
      }
      for (uint32_t r = 0; r < kNumRows; ++r)
        std::memcpy(
            reinterpret_cast<void *>(getOperands(warp, kNumRows * i + r).row),
            matrix[r].data(), kRowBytes);
    }
    countMatrices(warp, site);
  });
}

void Block::countMatrices(const Warp &warp, uint32_t site) {
  if (!grid.options.profile)
    return;
  for (uint32_t i = 0; i < getSite(site).matrix.count; ++i)
    countShared(counters[site], getRows(warp, i), kRowBytes,
                tile::AccessDirection::kWrite);
}
