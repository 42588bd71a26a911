// Construction.cpp - constants, loads and counters as operands
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Makes a splat constant of the type.
std::string Generator::makeLiteral(const Type &type) {
  if (type.isBool())
    return random.chance(50) ? "true" : "false";
  if (!type.isFloat())
    return std::to_string(random.between(-9, 9));
  return random.pick<std::string>(
      {"0.0", "1.0", "-1.0", "0.5", "2.5", "-0.375", "3.0"});
}

/// Makes a scalar constant of the element type.
std::string Generator::makeConstant(const Type &type) {
  std::string name = fresh();
  if (type.isComplex()) {
    Type part{{}, type.element == "complex<f32>" ? "f32" : "f64"};
    std::string real = makeLiteral(part), imaginary = makeLiteral(part);
    line(name + " = complex.constant [" + real + " : " + part.element + ", " +
         imaginary + " : " + part.element + "] : " + type.element);
  } else {
    line(name + " = arith.constant " + makeLiteral(type) +
         (type.isBool() ? "" : " : " + type.element));
  }
  return name;
}

/// Makes a scalar of the element type: a constant, an argument, or computed.
std::string Generator::makeScalar(const Type &type) {
  if (isInFunction || type.isComplex() || type.isFloat8() || !random.chance(35))
    return makeConstant(type);
  return random.chance(65) ? pickArgument(type.element) : computeScalar(type);
}

Tile Generator::make(const Type &type) {
  bool hasIota = !type.shape.empty() && !type.isBool() && !type.isFloat8() &&
                 !type.isComplex();
  if (!isInFunction && random.chance(type.isBool() ? 25 : 75)) {
    int64_t rank = static_cast<int64_t>(type.shape.size());
    for (const Array &array : inputs)
      if (array.element == type.element && array.rank >= rank)
        return loadFrom(array, type, "");
    if (inputs.size() < 5) {
      inputs.push_back(
          makeArray(type.element, pickSizes(rank), /*isOutput=*/false));
      return loadFrom(inputs.back(), type, "");
    }
  }
  if (hasIota && random.chance(40))
    return add(type, "tile.iota axis " +
                         std::to_string(random.below(type.shape.size())) +
                         " : " + type.str());
  // Constants of tiles are not complex (upstream).
  if (type.isComplex() || random.chance(30)) {
    std::string scalar = makeScalar(type);
    return add(type, "tile.fill " + scalar + " : " + type.str());
  }
  return makeDense(type, makeLiteral(type));
}

void Generator::addRandom() {
  Type type{pickShape(), random.pick<std::string>(
                             {"i8", "i32", "i64", "f16", "f32", "f64"})};
  Type i64{{}, "i64"};
  std::string seed = makeScalar(i64), counter = makeScalar(i64);
  add(type, std::string("tile.random ") +
                (type.isFloat() ? "uniform " : "bits ") + seed + ", " +
                counter + " : " + type.str());
}
