// Parameters.cpp - how many bytes a launch passes to a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Parameters.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Returns the parameters that an argument needs; an array needs its address
/// and its run-time sizes and strides.
static int64_t countParameters(Type argument) {
  auto array = dyn_cast<MemRefType>(argument);
  if (!array)
    return 1;
  SmallVector<int64_t> strides = array.getStridesAndOffset().first;
  return 1 + array.getNumDynamicDims() +
         llvm::count_if(strides, ShapedType::isDynamic);
}

LogicalResult tile::verifyParameters(KernelOp kernel) {
  constexpr int64_t kWordBytes = 8;
  int64_t bytes = 0;
  for (Type type : kernel.getArgumentTypes()) {
    int64_t size = isa<MemRefType>(type) ? kWordBytes : getElementBytes(type);
    auto begin = int64_t(
        llvm::alignTo(uint64_t(bytes), uint64_t(std::min(size, kWordBytes))));
    bytes = begin + countParameters(type) * size;
  }
  if (bytes <= kMostParameterBytes)
    return success();
  return kernel.emitError("expected parameters of at most ")
         << kMostParameterBytes << " bytes, got " << bytes << " of "
         << kernel.getNumArguments()
         << " arguments (an array has 8, and 8 for each size and stride known "
            "at run time)";
}
