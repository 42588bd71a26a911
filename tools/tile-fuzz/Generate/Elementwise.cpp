// Elementwise.cpp - arithmetic, comparisons, selections, conversions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Adds an assertion that is true for every integer.
void Generator::addAssert(const Tile &x) {
  std::string type = " : " + x.type.str();
  Tile one = makeDense(x.type, "1");
  Tile zero = makeDense(x.type, "0");
  Tile odd = add(x.type, "arith.ori " + x.name + ", " + one.name + type);
  Tile holds = add(withElement(x.type, "i1"),
                   "arith.cmpi ne, " + odd.name + ", " + zero.name + type);
  line("tile.assert " + holds.name +
       ", \"expected an odd number\" : " + holds.type.str());
}

/// Picks fast-math flags of an operation, or none.
std::string Generator::pickFlags() {
  if (!random.chance(15))
    return "";
  if (random.chance(25))
    return " fastmath<fast>";
  std::vector<std::string> flags;
  for (const char *flag :
       {"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"})
    if (random.chance(40))
      flags.push_back(flag);
  return flags.empty() ? "" : " fastmath<" + llvm::join(flags, ",") + ">";
}

void Generator::addFloatOp(const Tile &x) {
  std::string type = pickFlags() + " : " + x.type.str();
  switch (random.below(15)) {
  case 0:
    add(x.type, "arith.negf " + x.name + type);
    return;
  case 1:
    add(x.type, "math.absf " + x.name + type);
    return;
  case 2: {
    Tile size = add(x.type, "math.absf " + x.name + type);
    add(x.type, "math.sqrt " + size.name + type);
    return;
  }
  case 12:
  case 13:
    add(x.type, random.pick<std::string>(
                    {"math.cbrt ", "math.expm1 ", "math.erfc ", "math.tan ",
                     "math.asin ", "math.acos ", "math.atan ", "math.sinh ",
                     "math.cosh ", "math.asinh ", "math.atanh "}) +
                    x.name + type);
    return;
  case 14: {
    Tile y = pickOf(x.type, x.name);
    if (random.chance(50)) {
      add(x.type, "math.atan2 " + x.name + ", " + y.name + type);
      return;
    }
    Tile size = add(x.type, "math.absf " + x.name + type);
    add(x.type, "math.powf " + size.name + ", " + y.name + type);
    return;
  }
  case 3:
    add(x.type,
        random.pick<std::string>({"math.exp ", "math.tanh ", "math.exp2 ",
                                  "math.sin ", "math.cos ", "math.erf "}) +
            x.name + type);
    return;
  case 6: {
    Tile size = add(x.type, "math.absf " + x.name + type);
    add(x.type, random.pick<std::string>({"math.log ", "math.log2 ",
                                          "math.rsqrt ", "math.log10 ",
                                          "math.log1p ", "math.acosh "}) +
                    size.name + type);
    return;
  }
  case 4: {
    Tile y = pickOf(x.type, x.name), z = pickOf(x.type, y.name);
    add(x.type, "math.fma " + x.name + ", " + y.name + ", " + z.name + type);
    return;
  }
  case 5:
    add(x.type,
        random.pick<std::string>({"math.floor ", "math.ceil ", "math.trunc ",
                                  "math.round ", "math.roundeven "}) +
            x.name + type);
    return;
  default: {
    Tile y = pickOf(x.type, x.name);
    add(x.type, random.pick<std::string>(
                    {"arith.addf ", "arith.addf ", "arith.subf ", "arith.mulf ",
                     "arith.mulf ", "arith.divf ", "arith.maximumf ",
                     "arith.minimumf ", "arith.maxnumf ", "arith.minnumf ",
                     "arith.remf ", "math.copysign "}) +
                    x.name + ", " + y.name + type);
  }
  }
}

void Generator::addIntegerOp(const Tile &x) {
  std::string type = " : " + x.type.str();
  switch (random.below(8)) {
  case 7:
    return addUnpack(x);
  case 2:
    add(x.type, random.pick<std::string>(
                    {"math.absi ", "math.ctpop ", "math.ctlz ", "math.cttz "}) +
                    x.name + type);
    return;
  case 0:
    return addDivision(x);
  case 1:
    return addShift(x);
  default: {
    Tile y = pickOf(x.type, x.name);
    add(x.type, random.pick<std::string>(
                    {"arith.addi ", "arith.subi ", "arith.muli ", "arith.andi ",
                     "arith.ori ", "arith.xori ", "arith.maxsi ",
                     "arith.minsi ", "arith.maxui ", "arith.minui "}) +
                    x.name + ", " + y.name + type);
  }
  }
}

/// Adds a quotient or a remainder, whose divisor is a constant or a tile. The
/// program does not use quotients by zero, whose value is zero, because the
/// emulator reports their use.
void Generator::addDivision(const Tile &x) {
  std::string type = " : " + x.type.str();
  auto splat = [&](int64_t value) {
    return makeDense(x.type, std::to_string(value));
  };
  std::string operation = random.pick<std::string>(
      {"arith.divsi ", "arith.remsi ", "arith.divui ", "arith.remui ",
       "arith.floordivsi ", "arith.ceildivsi ", "arith.ceildivui "});
  auto divide = [&](const Tile &by) {
    add(x.type, operation + x.name + ", " + by.name + type);
  };
  switch (random.below(4)) {
  case 0: { // no element is zero
    Tile y = pickOf(x.type, x.name), odd = splat(1);
    std::string divisor = fresh();
    line(divisor + " = arith.ori " + y.name + ", " + odd.name + type);
    return divide({divisor, x.type});
  }
  case 1: { // quotients by zero are dropped
    Tile y = pickOf(x.type, x.name), zero = splat(0);
    std::string isZero = fresh(), quotient = fresh();
    line(isZero + " = arith.cmpi eq, " + y.name + ", " + zero.name + type);
    line(quotient + " = " + operation + x.name + ", " + y.name + type);
    add(x.type, "tile.select " + isZero + ", " + x.name + ", " + quotient +
                    " : " + withElement(x.type, "i1").str() + ", " +
                    x.type.str());
    return;
  }
  default:
    // Divisors include -1, by which the quotient of the least integer
    // overflows.
    return divide(splat(random.pick<int64_t>({2, 3, 5, 7, 16, -1, -3, -4})));
  }
}

/// Adds a shift by a constant or by a tile. The shift may exceed the width of
/// the type.
void Generator::addShift(const Tile &x) {
  int64_t bits = x.type.isIndex() ? 64 : std::stoi(x.type.element.substr(1));
  Tile y = random.chance(40) ? pickOf(x.type, x.name)
           : random.chance(20)
               ? makeDense(x.type, std::to_string(bits - random.below(2)))
               : makeDense(x.type, std::to_string(random.between(0, 7)));
  add(x.type, random.pick<std::string>(
                  {"arith.shli ", "arith.shrsi ", "arith.shrui "}) +
                  x.name + ", " + y.name + " : " + x.type.str());
}

/// Adds complex arithmetic, on complex or real elements.
void Generator::addComplex(const Tile &x) {
  if (!x.type.isComplex()) {
    Tile y = pickOf(x.type, x.name);
    Type to = withElement(x.type, "complex<" + x.type.element + ">");
    add(to, "tile.complex create " + x.name + ", " + y.name + " : " +
                x.type.str() + ", " + y.type.str() + " to " + to.str());
    return;
  }
  if (random.chance(50)) {
    Tile y = pickOf(x.type, x.name);
    add(x.type,
        "tile.complex " +
            random.pick<std::string>({"add", "sub", "mul", "mul", "div"}) +
            " " + x.name + ", " + y.name + " : " + x.type.str() + ", " +
            y.type.str() + " to " + x.type.str());
    return;
  }
  std::string kind =
      random.pick<std::string>({"neg", "conj", "exp", "abs", "re", "im"});
  bool isReal = kind == "abs" || kind == "re" || kind == "im";
  Type to = x.type;
  if (isReal)
    to.element = x.type.element == "complex<f32>" ? "f32" : "f64";
  add(to, "tile.complex " + kind + " " + x.name + " : " + x.type.str() +
              " to " + to.str());
}

/// Unpacks integers of a few bits from words.
void Generator::addUnpack(const Tile &x) {
  if (x.type.shape.empty() || x.type.isIndex())
    return;
  int64_t axis = random.below(x.type.shape.size());
  int64_t bits = random.pick<int64_t>({1, 2, 4, 4});
  Type to = withElement(x.type, "i8");
  to.shape[axis] *= std::stoi(x.type.element.substr(1)) / bits;
  if (to.size() > kMaxElements)
    return;
  add(to, "tile.unpack " + x.name + " axis " + std::to_string(axis) + " bits " +
              std::to_string(bits) + (random.chance(50) ? " unsigned" : "") +
              " : " + x.type.str() + " to " + to.str());
}

void Generator::addBoolOp(const Tile &x) {
  Tile y = pickOf(x.type, x.name);
  add(x.type,
      random.pick<std::string>({"arith.andi ", "arith.ori ", "arith.xori "}) +
          x.name + ", " + y.name + " : " + x.type.str());
}

void Generator::addCompare(const Tile &x) {
  if (x.type.isFloat() && random.chance(15)) {
    add(withElement(x.type, "i1"),
        random.pick<std::string>(
            {"math.isnan ", "math.isinf ", "math.isfinite "}) +
            x.name + " : " + x.type.str());
    return;
  }
  Tile y = pickOf(x.type, x.name);
  std::string flags = x.type.isFloat() ? pickFlags() : "";
  std::string operation =
      x.type.isFloat()
          ? "arith.cmpf " + random.pick<std::string>(
                                {"olt", "oge", "oeq", "une", "ogt", "ule"})
          : "arith.cmpi " + random.pick<std::string>(
                                {"slt", "sge", "eq", "ne", "ult", "uge"});
  add(withElement(x.type, "i1"),
      operation + ", " + x.name + ", " + y.name + flags + " : " + x.type.str());
}

void Generator::addSelect(const Tile &x) {
  if (random.chance(20)) { // one condition for all
    std::string condition = makeCondition();
    Tile y = pickOf(x.type, x.name);
    add(x.type, "tile.select " + condition + ", " + x.name + ", " + y.name +
                    " : i1, " + x.type.str());
    return;
  }
  Tile condition = pickOf(withElement(x.type, "i1"));
  Tile y = pickOf(x.type, x.name);
  add(x.type, "tile.select " + condition.name + ", " + x.name + ", " + y.name +
                  " : " + condition.type.str() + ", " + x.type.str());
}

/// Returns the types of the same width to which elements may be bitcast.
static std::vector<std::string> getTwins(const std::string &element) {
  static const std::vector<std::string> families[] = {
      {"f64", "i64"},
      {"f32", "i32"},
      {"f16", "bf16", "i16"},
      {"f8E4M3FN", "f8E5M2", "i8"}};
  for (const std::vector<std::string> &family : families)
    if (llvm::is_contained(family, element))
      return family;
  return {element};
}

void Generator::addBitcast(const Tile &x) {
  Type to = withElement(x.type, random.pick(getTwins(x.type.element)));
  add(to,
      "tile.cast " + x.name + " bitcast : " + x.type.str() + " to " + to.str());
}

void Generator::addCast(const Tile &x) {
  if (!x.type.isIndex() && random.chance(isDifferentiable ? 1 : 15))
    return addBitcast(x);
  Type to = withElement(x.type, random.chance(isDifferentiable ? 1 : 12)
                                    ? pickFloat8()
                                    : pickElement());
  std::string flags;
  auto isInteger = [](const Type &type) {
    return !type.isFloat() && !type.isBool();
  };
  if ((isInteger(x.type) || isInteger(to)) && random.chance(30))
    flags = " unsigned";
  if (isInteger(to) && random.chance(30))
    flags += " saturate";
  add(to,
      "tile.cast " + x.name + flags + " : " + x.type.str() + " to " + to.str());
}
