// SideLayout.cpp - lanes that hold whole right-hand sides of triangular systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SideLayout.h"
#include "FactorLayout.h"
#include "MatrixThreads.h"

using namespace mlir;
using namespace tile;

int64_t SideLayout::getOrder() const { return triangle.getShape().back(); }

int64_t SideLayout::getNumSides() const { return rhs.getShape().back(); }

int64_t SideLayout::getNumMatrices() const {
  return llvm::product_of(rhs.getShape().drop_back(2));
}

int64_t SideLayout::getBytes() const {
  return getElementBytes(rhs.getElementType());
}

/// Shuffles are faster with fewer right-hand sides (H200, f32:
/// 64x64 with 16 takes 99 us instead of 161, 32x32 with 16 as long). A matrix
/// of up to 16 rows takes a part of a warp, whose shuffles are few. A tile that
/// is both operands can have one layout only.
bool SideLayout::hasEnoughSides() const {
  int64_t least = getOrder() <= kWarpSize ? kWarpSize / 2 : kWarpSize;
  return getFactorLanes(getOrder()) == kWarpSize && getNumSides() >= least &&
         !isSame;
}

/// A warp has the same matrices of the right-hand sides as of the triangle.
RegisterLayout SideLayout::getWholeLayout(int64_t numWarps) const {
  ArrayRef<int64_t> shape = rhs.getShape();
  int64_t row = shape.size() - 2, side = row + 1;
  bool isOne = getNumMatrices() == 1;
  RegisterLayoutBuilder builder(shape.size());
  builder.fill(row, getOrder());
  builder.spread({side}, shape.vec(), kWarpSize, isOne ? numWarps : 1);
  if (!isOne)
    spreadBatch(builder, shape, kWarpSize, numWarps);
  return builder.build();
}

MemRefType SideLayout::getBuffer(int64_t numWarps) const {
  RegisterLayout layout =
      getFactorLayout({getOrder(), getOrder()}, getBytes(), /*numWarps=*/1);
  const std::vector<int64_t> &box = layout.getBox();
  return getMatrixBuffer(rhs.getElementType(), numWarps, box[0] + 2, box[1]);
}

/// The limits are some of a thread's registers, and the shared memory that a
/// block has without asking for more.
bool SideLayout::isWhole(int64_t numWarps) const {
  constexpr int64_t kRegisterBytes = 4, kMaxRegisters = 96;
  constexpr int64_t kMaxBufferBytes = 48 * 1024;
  return hasEnoughSides() &&
         getWholeLayout(numWarps).getNumValues() * getBytes() <=
             kMaxRegisters * kRegisterBytes &&
         getBuffer(numWarps).getNumElements() * getBytes() <= kMaxBufferBytes;
}

int64_t SideLayout::countWarps() const {
  int64_t matrices = getNumMatrices();
  if (matrices == 1 && hasEnoughSides())
    return llvm::divideCeil(getNumSides(), kWarpSize);
  return llvm::divideCeil(matrices * getFactorLanes(getOrder()), kWarpSize);
}

RegisterLayout SideLayout::getLayout(int64_t numWarps) const {
  if (isWhole(numWarps))
    return getWholeLayout(numWarps);
  return getFactorLayout(rhs.getShape(), getBytes(), numWarps);
}

MemRefType SideLayout::getScratchType(int64_t numWarps) const {
  return isWhole(numWarps) ? getBuffer(numWarps) : MemRefType();
}
