// SharedWidth.cpp - how many elements one access to shared memory takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/SharedWidth.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

bool tile::isVectorElement(Type type) {
  return !isa<ComplexType>(type) && !type.isInteger(1);
}

int64_t tile::getSharedWidth(const RegisterLayout &layout,
                             ArrayRef<int64_t> shape, ArrayRef<int64_t> box,
                             Type element, int64_t dim, int64_t maxVector) {
  if (layout.getRank() == 0 || !isVectorElement(element))
    return 1;
  auto divides = [&](int64_t width) {
    return layout.getContiguity(dim) % width == 0 && shape[dim] % width == 0 &&
           box[dim] % width == 0;
  };
  int64_t width = 1;
  while (width * 2 <= maxVector && divides(width * 2))
    width *= 2;
  return width;
}

AccessPlan tile::planRegisterAccess(const RegisterLayout &layout,
                                    ArrayRef<int64_t> shape, Type element,
                                    int64_t dim, AccessKind kind) {
  int64_t widest = kMaxAccessBytes / getElementBytes(element);
  return {layout, kind,
          getSharedWidth(layout, shape, shape, element, dim, widest), dim};
}

AccessPlan tile::narrowOperandPlan(AccessPlan plan, Type element,
                                   int64_t maxVector) {
  bool isPlain =
      plan.kind == AccessKind::kLoad || plan.kind == AccessKind::kStore;
  if (isPlain)
    plan.vector =
        isVectorElement(element) ? std::min(plan.vector, maxVector) : 1;
  return plan;
}
