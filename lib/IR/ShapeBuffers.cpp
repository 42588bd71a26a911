// ShapeBuffers.cpp - parts and rearrangements of a tile in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// ViewOp, TransposeOp: the same bytes
//===----------------------------------------------------------------------===//

bool ViewOp::keepsStorage() { return true; }

SharedAttr ViewOp::getSharedLayout() {
  return getSource().getType().getShared();
}

/// A view passes on the demands of its readers, at its offsets. A matmul that
/// pads reads only a view of the whole source in place, since padding comes
/// after the whole source.
void ViewOp::addDemand(OpOperand &, SharedDemand &demand) {
  demand.follow(getResult(), getOffsets());
}

void ViewOp::bufferize(Bufferizer &bufferizer) {
  if (!getType().getShared())
    return;
  bufferizer.setBuffer(
      *this, bufferizer.createView(getLoc(), bufferizer.lookup(getSource()),
                                   getOffsets(), getType().getShape()));
}

bool TransposeOp::keepsStorage() { return true; }

/// Returns the source's layout with its modes permuted.
SharedAttr TransposeOp::getSharedLayout() {
  SharedAttr source = getSource().getType().getShared();
  std::vector<Layout> modes;
  for (int64_t dim : getPermutation())
    modes.push_back(source.getLayout().getValue().mode(dim));
  return SharedAttr::get(getContext(),
                         LayoutAttr::get(getContext(), *concatenate(modes)),
                         source.getSwizzle(), source.getAlignment());
}

void TransposeOp::addDemand(OpOperand &, SharedDemand &demand) {
  demand.follow(getResult(), getPermutation());
}

void TransposeOp::bufferize(Bufferizer &bufferizer) {
  Value source = bufferizer.lookup(getSource());
  if (!source)
    return;
  SmallVector<unsigned> permutation(getPermutation().begin(),
                                    getPermutation().end());
  bufferizer.setBuffer(
      *this, memref::TransposeOp::create(
                 bufferizer.builder, getLoc(), source,
                 AffineMapAttr::get(
                     AffineMap::getPermutationMap(permutation, getContext()))));
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

bool ReshapeOp::keepsStorage() { return true; }

SharedAttr ReshapeOp::getSharedLayout() { return getCompactShared(getType()); }

void ReshapeOp::addDemand(OpOperand &, SharedDemand &demand) {
  demand.requireRowMajor();
}

/// A reshape keeps the row-major order of elements, which is the order of
/// addresses in a compact buffer. The elements pass through registers into a
/// buffer of the result's shape.
void ReshapeOp::bufferize(Bufferizer &bufferizer) {
  TileType type = getType();
  if (!type.getShared())
    return;
  TileType compact = type.withStorage(getCompactShared(type));
  Value buffer = bufferizer.createBuffer(getLoc(), compact);
  bufferizer.store(getLoc(), bufferizer.getInRegisters(getLoc(), getSource()),
                   buffer);
  if (type != compact)
    buffer = bufferizer.copyBuffer(getLoc(), buffer, type);
  bufferizer.setBuffer(*this, buffer);
}

//===----------------------------------------------------------------------===//
// InsertOp, PutOp, JoinOp: changes of a buffer
//===----------------------------------------------------------------------===//

SharedAttr InsertOp::getSharedLayout() {
  return getDest().getType().getShared();
}

void InsertOp::addDemand(OpOperand &, SharedDemand &demand) {
  demand.follow(getResult());
}

void InsertOp::bufferize(Bufferizer &bufferizer) {
  if (!getType().getShared())
    return;
  Value buffer = bufferizer.getToChange(*this, getDest());
  bufferizer.store(
      getLoc(), getPart(),
      bufferizer.createView(getLoc(), buffer, getOffsets(), getBox()));
  bufferizer.setBuffer(*this, buffer);
}

SharedAttr PutOp::getSharedLayout() { return getDest().getType().getShared(); }

void PutOp::addDemand(OpOperand &, SharedDemand &demand) {
  demand.follow(getResult());
}

void PutOp::bufferize(Bufferizer &bufferizer) {
  Value buffer = bufferizer.getToChange(*this, getDest());
  tile_gpu::PutSharedOp::create(bufferizer.builder, getLoc(), getValues(),
                                buffer, getIndices(), getAxis(), getMask(),
                                getKindAttr());
  bufferizer.setBuffer(*this, buffer);
}

void JoinOp::bufferize(Bufferizer &bufferizer) {
  if (!getType().getShared())
    return;
  OpBuilder &builder = bufferizer.builder;
  Value buffer = bufferizer.createBuffer(getLoc(), getType());
  Value zero = arith::ConstantIndexOp::create(builder, getLoc(), 0);
  int64_t begin = 0;
  for (Value part : getParts()) {
    ArrayRef<int64_t> shape = getTileShape(part.getType());
    SmallVector<Value> offsets(shape.size(), zero);
    offsets[getAxis()] =
        arith::ConstantIndexOp::create(builder, getLoc(), begin);
    bufferizer.store(getLoc(), part,
                     bufferizer.createView(getLoc(), buffer, offsets, shape));
    begin += shape[getAxis()];
  }
  bufferizer.setBuffer(*this, buffer);
}

//===----------------------------------------------------------------------===//
// TakeOp
//===----------------------------------------------------------------------===//

void TakeOp::bufferize(Bufferizer &bufferizer) {
  getSourceMutable().assign(bufferizer.lookup(getSource()));
}
