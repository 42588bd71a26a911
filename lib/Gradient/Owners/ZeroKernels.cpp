// ZeroKernels.cpp - kernels that fill arrays of gradients with zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ZeroKernels.h"

#include "BoxKernel.h"

using namespace mlir;
using namespace tile;

/// Returns the box that a program fills: about 1024 elements of the last two
/// dimensions, whose rows may be short.
static SmallVector<int64_t> getBox(MemRefType type) {
  constexpr int64_t kElements = 1024, kColumns = 128;
  int64_t rank = type.getRank();
  SmallVector<int64_t> box(rank, 1);
  if (rank == 1)
    return {kElements};
  int64_t size =
      type.isDynamicDim(rank - 1) ? kColumns : type.getDimSize(rank - 1);
  box[rank - 1] = std::clamp<int64_t>(size, 1, kColumns);
  box[rank - 2] = kElements / box[rank - 1];
  return box;
}

KernelOp ZeroKernels::createKernel(MemRefType type) {
  ValueBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel);
  std::string suffix = kernels.empty() ? "" : std::to_string(kernels.size());
  SmallVector<int64_t> box = getBox(type);
  BoxKernel zero = createBoxKernel(b, (name + "__zero" + suffix).str(), type,
                                   /*divided=*/0, box);
  ArrayRef<int64_t> shape = ArrayRef(box).take_back(2);
  Value zeros = b.zero(TileType::get(shape, type.getElementType()));
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
  Value programs = countBoxes(b, array, getBox(type));
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
