// BoxKernel.cpp - kernels whose programs divide an array into boxes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoxKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

SmallVector<int64_t> tile::chooseBox(MemRefType type) {
  constexpr int64_t kElements = 8192, kColumns = 128;
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

TileType tile::getBoxTile(ArrayRef<int64_t> box, Type element) {
  return TileType::get(box.take_back(2), element);
}

Value tile::getSize(ImplicitLocOpBuilder &b, Value array, int64_t dim) {
  auto type = cast<MemRefType>(array.getType());
  if (type.isDynamicDim(dim))
    return memref::DimOp::create(b, array, dim);
  return arith::ConstantIndexOp::create(b, type.getDimSize(dim));
}

/// Returns the number of boxes of an extent along a dimension of an array.
static Value countAlong(ImplicitLocOpBuilder &b, Value array, int64_t dim,
                        int64_t extent) {
  Value size = getSize(b, array, dim);
  return extent == 1 ? size
                     : b.createOrFold<arith::CeilDivSIOp>(
                           size, arith::ConstantIndexOp::create(b, extent));
}

Value tile::countBoxes(ImplicitLocOpBuilder &b, Value array,
                       ArrayRef<int64_t> box) {
  Value programs = countAlong(b, array, 0, box[0]);
  for (size_t dim = 1; dim < box.size(); ++dim)
    programs = b.createOrFold<arith::MulIOp>(
        programs, countAlong(b, array, dim, box[dim]));
  return programs;
}

/// Returns the offsets of a program's box. Its index has the indices of the
/// box, the last one changing first.
static SmallVector<Value> createOffsets(ImplicitLocOpBuilder &b, Value array,
                                        ArrayRef<int64_t> box) {
  Value rest = ProgramIdOp::create(b, Axis::x);
  SmallVector<Value> offsets(box.size());
  for (int64_t dim = box.size() - 1; dim >= 0; --dim) {
    Value count = countAlong(b, array, dim, box[dim]);
    Value index = arith::RemUIOp::create(b, rest, count);
    offsets[dim] = b.createOrFold<arith::MulIOp>(
        index, arith::ConstantIndexOp::create(b, box[dim]));
    rest = arith::DivUIOp::create(b, rest, count);
  }
  return offsets;
}

BoxKernel tile::createBoxKernel(ValueBuilder &b, StringRef name,
                                TypeRange types, unsigned divided,
                                ArrayRef<int64_t> box) {
  BoxKernel result;
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
  result.offsets = createOffsets(b, body.getArgument(divided), box);
  return result;
}
