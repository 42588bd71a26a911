// CopyPlan.cpp - how a box of an array is copied to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/CopyPlan.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

/// The dimension that is stepped along from row to row; -1 for a single row.
static int64_t getRowDimension(ArrayRef<int64_t> box, int64_t fastest) {
  for (int64_t dim = box.size(); dim-- > 0;)
    if (dim != fastest && box[dim] > 1)
      return dim;
  return -1;
}

/// Words of a row side by side in a warp; the rows of a class follow each
/// other, and the class is the last thing to change.
static CopyPlan planWords(ArrayRef<int64_t> box, int64_t fastest,
                          int64_t elements, int64_t numWarps) {
  int64_t rowDim = getRowDimension(box, fastest);
  if (rowDim < 0)
    return {getCopyPlan(box, fastest, elements, numWarps), CopyMethod::kWords};
  SmallVector<int64_t> oneClass(box);
  oneClass[rowDim] = llvm::divideCeil(box[rowDim], elements);
  AccessPlan plan = getCopyPlan(oneClass, fastest, elements, numWarps);
  auto spread = [&](RegisterLayout::Level level) {
    RegisterLayout::Modes modes = plan.layout.getModes(level);
    for (RegisterMode &mode : modes)
      if (mode.dim == rowDim)
        mode.step *= elements;
    return modes;
  };
  RegisterLayout::Modes values = spread(RegisterLayout::kValue);
  values.push_back({elements, rowDim, 1});
  std::vector<int64_t> covered = plan.layout.getBox();
  covered[rowDim] *= elements;
  plan.layout =
      RegisterLayout::fromModes(spread(RegisterLayout::kLane),
                                spread(RegisterLayout::kWarp), values, covered);
  return {plan, CopyMethod::kWords, elements};
}

/// cp.async copies numbers of whole bytes.
static bool hasBytes(Type element) {
  return element.isIntOrFloat() && !element.isInteger(1);
}

CopyPlan tile::planCopy(MemRefType array, ArrayRef<int64_t> box,
                        int64_t fastest, int64_t arrayVector,
                        int64_t bufferVector, int64_t numWarps) {
  Type element = array.getElementType();
  int64_t bytes = getElementBytes(element);
  int64_t rank = box.size();
  // Vectors along the buffer's fastest dimension if it is the array's too.
  bool isAlongRows = getContiguousDimension(array, rank) == fastest;
  int64_t vector = isAlongRows ? std::min(arrayVector, bufferVector) : 1;
  if (hasBytes(element)) {
    AccessPlan plan = getCopyPlan(box, fastest, vector, numWarps);
    if (plan.vector * bytes >= kCopyWordBytes)
      return {plan, CopyMethod::kVectors};
    int64_t word = kCopyWordBytes / bytes;
    if (isAlongRows && word <= bufferVector && box[fastest] % word == 0)
      return planWords(box, fastest, word, numWarps);
  }
  return {getCopyPlan(box, fastest, 1, numWarps), CopyMethod::kElements};
}
