// Construction.cpp - constants, counters and random values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

Elements Interpreter::readConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return {readElement(op.getValue())};
  Elements result;
  for (Attribute element : elements.getValues<Attribute>())
    result.push_back(readElement(element));
  return result;
}

void Interpreter::iota(IotaOp op) {
  Type type = getElement(op.getResult());
  auto getOperand = [&](Value value, int64_t otherwise) {
    return value             ? get(value).front()
           : isInteger(type) ? Element::ofInteger(otherwise)
                             : Element::ofFloat(static_cast<double>(otherwise));
  };
  Element start = getOperand(op.getStart(), 0),
          step = getOperand(op.getStep(), 1);
  Elements result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    int64_t i = coordinate[op.getAxis()];
    if (start.isUnknown() || step.isUnknown()) {
      result.push_back(Element::unknown());
    } else if (isInteger(type)) {
      uint64_t sum =
          static_cast<uint64_t>(start.integer) +
          static_cast<uint64_t>(i) * static_cast<uint64_t>(step.integer);
      result.push_back(Element::ofInteger(wrapInteger(sum, type)));
    } else {
      Element index = rounded(static_cast<double>(i), 0, type);
      Element product = op.getStep() ? rounded(index.value * step.value,
                                               index.value * step.error, type)
                                     : index;
      result.push_back(op.getStart()
                           ? rounded(start.value + product.value,
                                     start.error + product.error, type)
                           : product);
    }
  });
  set(op.getResult(), std::move(result));
}

/// Returns the words w0 and w1 that Philox4x32-10 computes from a counter
/// (tile.random).
static uint64_t getRandomBits(uint64_t counter, uint64_t seed) {
  std::array<uint32_t, 4> c = {static_cast<uint32_t>(counter),
                               static_cast<uint32_t>(counter >> 32), 0, 0};
  uint32_t low = seed, high = seed >> 32;
  for (int round = 0; round < 10; ++round) {
    uint64_t p = uint64_t(0xD2511F53) * c[0], q = uint64_t(0xCD9E8D57) * c[2];
    c = {static_cast<uint32_t>(q >> 32) ^ c[1] ^ low, static_cast<uint32_t>(q),
         static_cast<uint32_t>(p >> 32) ^ c[3] ^ high,
         static_cast<uint32_t>(p)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return c[0] | uint64_t(c[1]) << 32;
}

/// @pre the operation yields bits or a uniform distribution.
void Interpreter::randomize(RandomOp op) {
  Type type = getElement(op.getResult());
  const Element &seed = get(op.getSeed()).front();
  const Element &counter = get(op.getCounter()).front();
  Elements result;
  for (int64_t n = 0; n < op.getType().getNumElements(); ++n) {
    uint64_t bits = getRandomBits(static_cast<uint64_t>(counter.integer) +
                                      static_cast<uint64_t>(n),
                                  seed.integer);
    if (auto floating = dyn_cast<FloatType>(type)) {
      int mantissa = floating.getFPMantissaWidth();
      uint64_t high = type.isF64() ? bits >> (64 - mantissa)
                                   : (bits & 0xFFFFFFFF) >> (32 - mantissa);
      result.push_back(
          Element::ofFloat(std::ldexp(static_cast<double>(high), -mantissa)));
    } else {
      result.push_back(Element::ofInteger(wrapInteger(bits, type)));
    }
  }
  set(op.getResult(), std::move(result));
}
