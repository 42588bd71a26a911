// RowKernel.cpp - kernels whose programs divide the rows of an array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

static int64_t getRank(Value array) {
  return cast<MemRefType>(array.getType()).getRank();
}

Value tile::getSize(ImplicitLocOpBuilder &b, Value array, int64_t dim) {
  auto type = cast<MemRefType>(array.getType());
  if (type.isDynamicDim(dim))
    return memref::DimOp::create(b, array, dim);
  return arith::ConstantIndexOp::create(b, type.getDimSize(dim));
}

/// Returns the number of programs for a row.
static Value countParts(ImplicitLocOpBuilder &b, Value array, int64_t columns) {
  return b.createOrFold<arith::CeilDivSIOp>(
      getSize(b, array, getRank(array) - 1),
      arith::ConstantIndexOp::create(b, columns));
}

Value tile::countRowPrograms(ImplicitLocOpBuilder &b, Value array,
                             int64_t columns) {
  Value programs = countParts(b, array, columns);
  for (int64_t dim = 0; dim + 1 < getRank(array); ++dim)
    programs = b.createOrFold<arith::MulIOp>(programs, getSize(b, array, dim));
  return programs;
}

/// Returns the offsets of a program's part. The program's index has the indices
/// of the row and of the part, the part's index changing first.
static SmallVector<Value> createOffsets(ImplicitLocOpBuilder &b, Value array,
                                        int64_t columns) {
  Value rest = ProgramIdOp::create(b, Axis::x);
  Value parts = countParts(b, array, columns);
  SmallVector<Value> offsets(getRank(array));
  offsets.back() =
      arith::MulIOp::create(b, arith::RemUIOp::create(b, rest, parts),
                            arith::ConstantIndexOp::create(b, columns));
  rest = arith::DivUIOp::create(b, rest, parts);
  for (int64_t dim = getRank(array) - 2; dim >= 0; --dim) {
    Value size = getSize(b, array, dim);
    offsets[dim] = arith::RemUIOp::create(b, rest, size);
    rest = arith::DivUIOp::create(b, rest, size);
  }
  return offsets;
}

RowKernel tile::createRowKernel(ValueBuilder &b, StringRef name,
                                TypeRange types, unsigned divided,
                                int64_t columns) {
  RowKernel result;
  result.kernel = KernelOp::create(
      b, b.getStringAttr(name), TypeAttr::get(b.getFunctionType(types, {})),
      /*sym_visibility=*/StringAttr(), /*block=*/IntegerAttr(),
      /*grid=*/GridAttr(), /*arg_attrs=*/ArrayAttr(),
      /*res_attrs=*/ArrayAttr());
  Block &body = result.kernel.getBody().emplaceBlock();
  for (Type type : types)
    body.addArgument(type, b.getLoc());
  b.setInsertionPointToStart(&body);
  ReturnOp::create(b);
  b.setInsertionPoint(body.getTerminator());
  result.offsets = createOffsets(b, body.getArgument(divided), columns);
  return result;
}
