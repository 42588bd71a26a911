// Matmuls.cpp - matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Sums.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

void Interpreter::multiply(MatmulOp op) {
  const Elements &acc = get(op.getAcc());
  bool isComplex = isa<ComplexType>(getElement(op.getAcc()));
  Type type = getPartType(getElement(op.getAcc()));
  // Tensor cores may truncate where other units round.
  double roundoff = isInteger(type) ? 0 : 4 * getUnitRoundoff(type);
  bool isTF32 = op.getPrecision() == Precision::tf32;
  // An operand of rank 2 is used for the whole batch.
  auto element = [&](Value operand, ArrayRef<int64_t> batch, int64_t row,
                     int64_t column) -> const Element & {
    ArrayRef<int64_t> shape = getShape(operand);
    SmallVector<int64_t> at(batch.take_back(shape.size() - 2));
    at.append({row, column});
    return get(operand)[getRowMajorIndex(shape, at)];
  };
  Elements result;
  forEach(getShape(op.getAcc()), [&](ArrayRef<int64_t> coordinate) {
    ArrayRef<int64_t> batch = coordinate.drop_back(2);
    int64_t row = coordinate[batch.size()], column = coordinate.back();
    const Element &start = acc[result.size()];
    Accumulation sum{type};
    uint64_t integers = static_cast<uint64_t>(start.integer);
    bool isUnknown = start.isUnknown();
    sum.add(start.value, start.error);
    Accumulation imaginary{type};
    imaginary.add(start.imaginary, start.error);
    for (int64_t k = 0; k < op.getK(); ++k) {
      Element a = element(op.getLhs(), batch, row, k);
      Element b = element(op.getRhs(), batch, k, column);
      isUnknown |= a.isUnknown() || b.isUnknown();
      if (isTF32) {
        a = roundToTF32(a);
        b = roundToTF32(b);
      }
      integers +=
          static_cast<uint64_t>(a.integer) * static_cast<uint64_t>(b.integer);
      addProduct(sum, a.value, a.error, b.value, b.error);
      if (!isComplex)
        continue;
      addProduct(sum, -a.imaginary, a.error, b.imaginary, b.error);
      addProduct(imaginary, a.value, a.error, b.imaginary, b.error);
      addProduct(imaginary, a.imaginary, a.error, b.value, b.error);
    }
    if (isUnknown)
      result.push_back(Element::unknown());
    else if (isInteger(type))
      result.push_back(Element::ofInteger(wrapInteger(integers, type)));
    else if (isComplex)
      result.push_back(
          Element::ofComplex(sum.finish(roundoff), imaginary.finish(roundoff)));
    else
      result.push_back(sum.finishProducts(roundoff));
  });
  set(op.getResult(), std::move(result));
}
