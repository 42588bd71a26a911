// ZeroKernels.cpp - kernels that fill arrays of gradients with zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ZeroKernels.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// The number of elements along the last dimension that a program fills.
constexpr int64_t kColumns = 1024;

/// Returns the size of an array along a dimension.
static Value getSize(ImplicitLocOpBuilder &b, Value array, int64_t dim) {
  auto type = cast<MemRefType>(array.getType());
  if (type.isDynamicDim(dim))
    return memref::DimOp::create(b, array, dim);
  return arith::ConstantIndexOp::create(b, type.getDimSize(dim));
}

/// Returns the number of programs that fill a row.
static Value countColumns(ImplicitLocOpBuilder &b, Value array) {
  int64_t last = cast<MemRefType>(array.getType()).getRank() - 1;
  return b.createOrFold<arith::CeilDivSIOp>(
      getSize(b, array, last), arith::ConstantIndexOp::create(b, kColumns));
}

/// A program fills a part of a row. Its index has the indices of the row and of
/// the part, the part's index changing first.
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
  Value columns = countColumns(b, array);
  SmallVector<Value> offsets(type.getRank());
  offsets.back() =
      arith::MulIOp::create(b, arith::RemUIOp::create(b, rest, columns),
                            arith::ConstantIndexOp::create(b, kColumns));
  rest = arith::DivUIOp::create(b, rest, columns);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
    Value size = getSize(b, array, dim);
    offsets[dim] = arith::RemUIOp::create(b, rest, size);
    rest = arith::DivUIOp::create(b, rest, size);
  }
  Value zeros = b.zero(TileType::get({kColumns}, type.getElementType()));
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
  Value programs = countColumns(b, array);
  for (int64_t dim = 0; dim + 1 < cast<MemRefType>(array.getType()).getRank();
       ++dim)
    programs = b.createOrFold<arith::MulIOp>(programs, getSize(b, array, dim));
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
