// ZeroKernels.cpp - kernels that fill arrays of gradients with zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ZeroKernels.h"

#include "BoxKernel.h"

using namespace mlir;
using namespace tile;

KernelOp ZeroKernels::createKernel(MemRefType type) {
  ValueBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel);
  std::string suffix = kernels.empty() ? "" : std::to_string(kernels.size());
  SmallVector<int64_t> box = chooseBox(type);
  BoxKernel zero = createBoxKernel(b, (name + "__zero" + suffix).str(), type,
                                   /*divided=*/0, box);
  Value zeros = b.zero(getBoxTile(box, type.getElementType()));
  StoreOp::create(b, zeros, zero.kernel.getArgument(0), zero.offsets,
                  /*mask=*/Value(), /*in_bounds=*/false,
                  /*dims=*/DenseI64ArrayAttr());
  return zero.kernel;
}

KernelOp ZeroKernels::getKernel(MemRefType type) {
  auto found = kernels.find(type);
  if (found != kernels.end())
    return found->second;
  KernelOp created = createKernel(type);
  kernels[type] = created;
  return created;
}

void ZeroKernels::launch(Value array, Value isCovered) {
  auto type = cast<MemRefType>(array.getType());
  ImplicitLocOpBuilder &b = host.getBuilder();
  Value programs = countBoxes(b, array, chooseBox(type));
  if (isCovered) {
    // A launch without programs does nothing.
    Value covered =
        arith::IndexCastUIOp::create(b, b.getIndexType(), isCovered);
    Value isNeeded =
        arith::SubIOp::create(b, arith::ConstantIndexOp::create(b, 1), covered);
    programs = arith::MulIOp::create(b, programs, isNeeded);
  }
  Value one = arith::ConstantIndexOp::create(b, 1);
  host.launch(getKernel(type), {programs, one, one}, {array});
}
