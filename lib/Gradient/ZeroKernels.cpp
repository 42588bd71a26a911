// ZeroKernels.cpp - kernels that fill arrays of gradients with zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ZeroKernels.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// The number of elements along the last dimension that a program fills.

/// Returns the size of an array along a dimension.
static Value getSize(ImplicitLocOpBuilder &b, Value array, int64_t dim) {
  auto type = cast<MemRefType>(array.getType());
  if (type.isDynamicDim(dim))
    return memref::DimOp::create(b, array, dim);
  return arith::ConstantIndexOp::create(b, type.getDimSize(dim));
}

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

/// Returns the number of boxes along a dimension of an array.
static Value countBoxes(ImplicitLocOpBuilder &b, Value array, int64_t dim) {
  int64_t extent = getBox(cast<MemRefType>(array.getType()))[dim];
  Value size = getSize(b, array, dim);
  return extent == 1 ? size
                     : b.createOrFold<arith::CeilDivSIOp>(
                           size, arith::ConstantIndexOp::create(b, extent));
}

/// A program fills a box. Its index has the indices of the box, the last one
/// changing first.
KernelOp ZeroKernels::createKernel(MemRefType type) {
  ValueBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel);
  std::string suffix = kernels.empty() ? "" : std::to_string(kernels.size());
  auto zero =
      KernelOp::create(b, b.getStringAttr(name + "__zero" + suffix),
                       TypeAttr::get(b.getFunctionType({type}, {})),
                       /*sym_visibility=*/StringAttr(), /*block=*/IntegerAttr(),
                       /*grid=*/GridAttr(), /*arg_attrs=*/ArrayAttr(),
                       /*res_attrs=*/ArrayAttr());
  Block &body = zero.getBody().emplaceBlock();
  Value array = body.addArgument(type, kernel.getLoc());
  b.setInsertionPointToStart(&body);
  Value rest = ProgramIdOp::create(b, Axis::x);
  SmallVector<int64_t> box = getBox(type);
  SmallVector<Value> offsets(box.size());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    Value count = countBoxes(b, array, dim);
    Value index = arith::RemUIOp::create(b, rest, count);
    offsets[dim] = b.createOrFold<arith::MulIOp>(
        index, arith::ConstantIndexOp::create(b, box[dim]));
    rest = arith::DivUIOp::create(b, rest, count);
  }
  ArrayRef<int64_t> shape = ArrayRef(box).take_back(2);
  Value zeros = b.zero(TileType::get(shape, type.getElementType()));
  StoreOp::create(b, zeros, array, offsets, /*mask=*/Value(),
                  /*in_bounds=*/false, /*dims=*/DenseI64ArrayAttr());
  ReturnOp::create(b);
  return zero;
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
  ImplicitLocOpBuilder &b = host.getBuilder();
  Value programs = countBoxes(b, array, 0);
  for (int64_t dim = 1; dim < cast<MemRefType>(array.getType()).getRank();
       ++dim)
    programs =
        b.createOrFold<arith::MulIOp>(programs, countBoxes(b, array, dim));
  if (isCovered) {
    // A launch without programs does nothing.
    Value covered =
        arith::IndexCastUIOp::create(b, b.getIndexType(), isCovered);
    Value isNeeded =
        arith::SubIOp::create(b, arith::ConstantIndexOp::create(b, 1), covered);
    programs = arith::MulIOp::create(b, programs, isNeeded);
  }
  Value one = arith::ConstantIndexOp::create(b, 1);
  host.launch(getKernel(cast<MemRefType>(array.getType())),
              {programs, one, one}, {array});
}
