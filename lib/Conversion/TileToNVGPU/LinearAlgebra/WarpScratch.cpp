// WarpScratch.cpp - rows that the lanes of a matrix exchange
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpScratch.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

WarpScratch::WarpScratch(IndexBuilder &index,
                         ConversionPatternRewriter &rewriter, Value buffer,
                         int64_t lanes)
    : index(index), lanes(lanes) {
  auto memref = cast<MemRefType>(buffer.getType());
  type = memref.getElementType();
  elementBytes = getElementBytes(type);
  pitch = memref.getDimSize(2);
  SharedAddress address(index, rewriter, buffer);
  Value first = address.getElement(
      {index.div(index.thread(), lanes), index.constant(0), index.constant(0)});
  pointer = getElementPointer(index, address.getPointer(), elementBytes, first);
}

void WarpScratch::synchronize() {
  if (lanes > kWarpSize) {
    gpu::BarrierOp::create(index.builder, index.loc);
    return;
  }
  Value all = arith::ConstantIntOp::create(index.builder, index.loc, -1, 32);
  NVVM::SyncWarpOp::create(index.builder, index.loc, all);
}

template <typename Op>
Value WarpScratch::create(Value a, Value b) {
  return index.builder.createOrFold<Op>(index.loc, a, b);
}

/// Returns a pointer to the element `elements` after element `at`. Constant
/// offsets are added last, so that they end up in the instruction.
Value WarpScratch::getPointer(Value at, int64_t elements) {
  APInt known;
  if (matchPattern(at, m_ConstantInt(&known)))
    return getElementPointer(index, pointer, elementBytes,
                             known.getSExtValue() + elements);
  Value offset = arith::IndexCastUIOp::create(index.builder, index.loc,
                                              index.builder.getIndexType(), at);
  return getElementPointer(
      index, getElementPointer(index, pointer, elementBytes, offset),
      elementBytes, elements);
}

Value WarpScratch::getBegin(Value row) {
  return create<arith::MulIOp>(row, index.constantI32(pitch));
}

Value WarpScratch::getFirstColumn(Value row) {
  return create<arith::AndIOp>(row, index.constantI32(-kSteps));
}

/// Returns the offset that column zero of a row would have if the buffer had
/// it.
Value WarpScratch::getColumns(Value row) {
  return create<arith::SubIOp>(getBegin(row), getFirstColumn(row));
}

/// Returns how many of the `left` remaining elements are in the next vector.
/// The last vectors are narrower, so that no vector has undefined elements:
/// ptxas would keep registers for these from the start of the kernel on.
static int64_t countNext(int64_t elementBytes, int64_t left) {
  return std::min<int64_t>(kMaxAccessBytes / elementBytes,
                           llvm::bit_floor(static_cast<uint64_t>(left)));
}

void WarpScratch::writeVectors(Value begin, ArrayRef<Value> elements) {
  Type type = elements.front().getType();
  if (isa<ComplexType>(type)) {
    SmallVector<Value> parts;
    for (Value element : elements) {
      parts.push_back(complex::ReOp::create(index.builder, index.loc, element));
      parts.push_back(complex::ImOp::create(index.builder, index.loc, element));
    }
    return writeVectors(begin, parts);
  }
  int64_t bytes = getElementBytes(type);
  for (int64_t first = 0; !elements.empty();) {
    int64_t count = countNext(bytes, elements.size());
    Value chunk = LLVM::PoisonOp::create(index.builder, index.loc,
                                         VectorType::get(count, type));
    for (int64_t i = 0; i < count; ++i)
      chunk = LLVM::InsertElementOp::create(
          index.builder, index.loc, chunk, elements[i],
          arith::ConstantIntOp::create(index.builder, index.loc, i, 32));
    LLVM::StoreOp::create(index.builder, index.loc, chunk,
                          getElementPointer(index, begin, bytes, first),
                          count * bytes);
    first += count;
    elements = elements.drop_front(count);
  }
}

SmallVector<Value> WarpScratch::readVectors(Value begin, Type type,
                                            int64_t count) {
  SmallVector<Value> elements;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    SmallVector<Value> parts =
        readVectors(begin, complex.getElementType(), 2 * count);
    for (int64_t i = 0; i < count; ++i)
      elements.push_back(complex::CreateOp::create(
          index.builder, index.loc, complex, parts[2 * i], parts[2 * i + 1]));
    return elements;
  }
  int64_t bytes = getElementBytes(type);
  for (int64_t first = 0; first < count;) {
    int64_t extent = countNext(bytes, count - first);
    Value chunk = LLVM::LoadOp::create(
        index.builder, index.loc, VectorType::get(extent, type),
        getElementPointer(index, begin, bytes, first), extent * bytes);
    for (int64_t i = 0; i < extent; ++i)
      elements.push_back(LLVM::ExtractElementOp::create(
          index.builder, index.loc, chunk,
          arith::ConstantIntOp::create(index.builder, index.loc, i, 32)));
    first += extent;
  }
  return elements;
}

void WarpScratch::writePart(Value row, ArrayRef<Value> elements) {
  writeVectors(getPointer(getBegin(row)), elements);
}

SmallVector<Value> WarpScratch::readPart(Value row, int64_t count) {
  return readVectors(getPointer(getBegin(row)), type, count);
}

void WarpScratch::writeColumns(Value row, int64_t begin,
                               ArrayRef<Value> elements) {
  writeVectors(getPointer(getColumns(row), begin), elements);
}

SmallVector<Value> WarpScratch::readColumns(Value row, int64_t begin,
                                            int64_t end) {
  return readVectors(getPointer(getColumns(row), begin), type, end - begin);
}

Value WarpScratch::readDiagonal(Value row) {
  return read(/*row=*/0, create<arith::AddIOp>(getColumns(row), row), type);
}

void WarpScratch::writeAt(Value at, int64_t offset, ArrayRef<Value> elements) {
  writeVectors(getPointer(at, offset), elements);
}

SmallVector<Value> WarpScratch::readRange(int64_t row, int64_t begin,
                                          int64_t end) {
  return readVectors(getPointer(index.constantI32(row * pitch), begin), type,
                     end - begin);
}

void WarpScratch::write(int64_t row, Value at, Value element) {
  if (isa<ComplexType>(element.getType()))
    return writeVectors(getPointer(at, row * pitch), element);
  LLVM::StoreOp::create(index.builder, index.loc, element,
                        getPointer(at, row * pitch),
                        getElementBytes(element.getType()));
}

Value WarpScratch::read(int64_t row, Value at, Type type, int64_t column) {
  Value begin = getPointer(at, row * pitch + column);
  if (isa<ComplexType>(type))
    return readVectors(begin, type, 1).front();
  return LLVM::LoadOp::create(index.builder, index.loc, type, begin,
                              getElementBytes(type));
}

Value WarpScratch::getVector(int64_t row, Value vector) {
  return getPointer(
      create<arith::MulIOp>(vector,
                            index.constantI32(kMaxAccessBytes / elementBytes)),
      row * pitch);
}

void WarpScratch::writeWords(int64_t row, Value vector, ArrayRef<Value> words) {
  writeVectors(getVector(row, vector), words);
}

SmallVector<Value> WarpScratch::readWords(int64_t row, Value vector,
                                          int64_t count) {
  return readVectors(getVector(row, vector), index.builder.getI32Type(), count);
}
