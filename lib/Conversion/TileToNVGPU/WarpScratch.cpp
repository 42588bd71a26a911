// WarpScratch.cpp - rows that lanes of a warp hand to each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpScratch.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

WarpScratch::WarpScratch(IndexBuilder &index,
                         ConversionPatternRewriter &rewriter, Value buffer,
                         int64_t lanes)
    : index(index) {
  auto memref = cast<MemRefType>(buffer.getType());
  type = memref.getElementType();
  elementBytes = getElementBytes(type);
  pitch = memref.getDimSize(2);
  SharedAddress address(index, rewriter, buffer);
  Value thread =
      gpu::ThreadIdOp::create(index.builder, index.loc, gpu::Dimension::x);
  Value first = address.getElement(
      {index.div(thread, lanes), index.constant(0), index.constant(0)});
  pointer = getElementPointer(index, address.getPointer(), elementBytes, first);
}

void WarpScratch::synchronize() {
  Value all = arith::ConstantIntOp::create(index.builder, index.loc, -1, 32);
  NVVM::SyncWarpOp::create(index.builder, index.loc, all);
}

/// What is known is added last, and so ends up in the instruction.
Value WarpScratch::getPointer(int64_t row, Value at, int64_t column) {
  Value number = arith::IndexCastUIOp::create(index.builder, index.loc,
                                              index.builder.getIndexType(), at);
  return getElementPointer(
      index, getElementPointer(index, pointer, elementBytes, number),
      elementBytes, row * pitch + column);
}

int64_t WarpScratch::alignDown(int64_t column) const {
  return llvm::alignDown(column, kMaxAccessBytes / elementBytes);
}

/// How many of the elements that are left are in the next vector: at the end
/// vectors are narrower. None has elements that may be anything: ptxas would
/// keep registers for them from the kernel's beginning on.
static int64_t getVector(int64_t elementBytes, int64_t left) {
  return std::min<int64_t>(kMaxAccessBytes / elementBytes,
                           llvm::bit_floor(static_cast<uint64_t>(left)));
}

void WarpScratch::writeRow(int64_t row, int64_t begin,
                           ArrayRef<Value> elements) {
  while (!elements.empty()) {
    int64_t count = getVector(elementBytes, elements.size());
    Value chunk = LLVM::PoisonOp::create(index.builder, index.loc,
                                         VectorType::get(count, type));
    for (int64_t i = 0; i < count; ++i)
      chunk = LLVM::InsertElementOp::create(
          index.builder, index.loc, chunk, elements[i],
          arith::ConstantIntOp::create(index.builder, index.loc, i, 32));
    LLVM::StoreOp::create(
        index.builder, index.loc, chunk,
        getElementPointer(index, pointer, elementBytes, row * pitch + begin),
        count * elementBytes);
    begin += count;
    elements = elements.drop_front(count);
  }
}

void WarpScratch::clearRow(Value row, int64_t begin, int64_t end) {
  Value at = getPointer(/*row=*/0, getBegin(row));
  for (int64_t first = begin; first < end;) {
    int64_t count = getVector(elementBytes, end - first);
    Value zeros = LLVM::ZeroOp::create(index.builder, index.loc,
                                       VectorType::get(count, type));
    LLVM::StoreOp::create(index.builder, index.loc, zeros,
                          getElementPointer(index, at, elementBytes, first),
                          count * elementBytes);
    first += count;
  }
}

SmallVector<Value> WarpScratch::readVectors(Value row, int64_t begin,
                                            int64_t end) {
  SmallVector<Value> elements;
  for (int64_t first = begin; first < end;) {
    int64_t count = getVector(elementBytes, end - first);
    Value chunk = LLVM::LoadOp::create(
        index.builder, index.loc, VectorType::get(count, type),
        getElementPointer(index, row, elementBytes, first),
        count * elementBytes);
    for (int64_t i = 0; i < count; ++i)
      elements.push_back(LLVM::ExtractElementOp::create(
          index.builder, index.loc, chunk,
          arith::ConstantIntOp::create(index.builder, index.loc, i, 32)));
    first += count;
  }
  return elements;
}

SmallVector<Value> WarpScratch::readRow(int64_t row, int64_t begin,
                                        int64_t end) {
  return readVectors(
      getElementPointer(index, pointer, elementBytes, row * pitch), begin, end);
}

SmallVector<Value> WarpScratch::readRow(Value row, int64_t begin, int64_t end) {
  return readVectors(getPointer(0, getBegin(row)), begin, end);
}

void WarpScratch::write(int64_t row, Value at, Value element) {
  LLVM::StoreOp::create(index.builder, index.loc, element, getPointer(row, at),
                        getElementBytes(element.getType()));
}

Value WarpScratch::read(int64_t row, Value at, Type type, int64_t column) {
  return LLVM::LoadOp::create(index.builder, index.loc, type,
                              getPointer(row, at, column),
                              getElementBytes(type));
}

Value WarpScratch::readDiagonal(Value row) {
  Value at =
      index.builder.createOrFold<arith::AddIOp>(index.loc, getBegin(row), row);
  return read(/*row=*/0, at, type);
}

Value WarpScratch::getBegin(Value row) {
  return index.builder.createOrFold<arith::MulIOp>(
      index.loc, row,
      arith::ConstantIntOp::create(index.builder, index.loc, pitch, 32));
}
