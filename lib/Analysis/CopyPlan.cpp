// CopyPlan.cpp - how a box of an array is copied to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/CopyPlan.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

bool tile::hasBytes(Type element) {
  return element.isIntOrFloat() && !element.isInteger(1);
}

CopyPlan tile::planCopy(MemRefType array, ArrayRef<int64_t> box,
                        int64_t contiguous, int64_t arrayVector,
                        int64_t bufferVector, int64_t numWarps,
                        bool isCovering) {
  Type element = array.getElementType();
  int64_t bytes = getElementBytes(element);
  if (isCovering)
    return {getCopyPlan(box, contiguous, kMaxAccessBytes / bytes, numWarps),
            CopyMethod::kVectors};
  // Vectors along the buffer's contiguous dimension if it is the array's too.
  bool isAlongRows = getContiguousDimension(array, box.size()) == contiguous;
  int64_t vector = isAlongRows ? std::min(arrayVector, bufferVector) : 1;
  AccessPlan plan = getCopyPlan(box, contiguous, vector, numWarps);
  if (hasBytes(element) && plan.vector * bytes >= kMinAsyncBytes)
    return {plan, CopyMethod::kVectors};
  return {getCopyPlan(box, contiguous, 1, numWarps), CopyMethod::kElements};
}
