// Scalars.cpp - scalar arguments, and values computed from them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

using namespace tile::fuzz;

/// Picks an argument of the type: an existing one, or a new one.
/// @pre The text is generated for the kernel, not for a function.
std::string Generator::pickArgument(const std::string &element) {
  std::vector<std::string> there;
  for (const Scalar &scalar : scalars)
    if (scalar.element == element)
      there.push_back(scalar.name);
  if (!there.empty() && (scalars.size() >= 5 || random.chance(50)))
    return random.pick(there);
  if (scalars.size() >= 5)
    return makeConstant({{}, element});
  std::string name = "%s" + std::to_string(parameters.size());
  parameters.push_back(name + ": " + element);
  scalars.push_back({name, element});
  return name;
}

/// Makes an operation on scalars of the type.
std::string Generator::computeScalar(const Type &type) {
  std::string x = pickArgument(type.element), y = makeConstant(type);
  if (random.chance(30))
    y = pickArgument(type.element);
  std::string operation =
      type.isFloat()
          ? random.pick<std::string>({"addf", "subf", "mulf", "maximumf"})
      : type.isBool()
          ? random.pick<std::string>({"andi", "ori", "xori"})
          : random.pick<std::string>({"addi", "subi", "muli", "minsi", "xori"});
  std::string result = fresh();
  line(result + " = arith." + operation + " " + x + ", " + y + " : " +
       type.element);
  return result;
}

/// Makes an i1 that is known exactly, from the block id or an argument.
std::string Generator::makeCondition() {
  std::string condition = fresh();
  if (isInFunction || random.chance(40)) {
    std::string constant = index(random.below(2));
    line(condition + " = arith.cmpi eq, " + block + ", " + constant +
         " : index");
    return condition;
  }
  Type type{{},
            random.pick<std::string>({"i1", "i8", "i16", "i32", "i64", "index",
                                      "f16", "bf16", "f32", "f64"})};
  std::string x = pickArgument(type.element);
  if (type.isBool())
    return x;
  std::string y = makeConstant(type);
  line(condition + " = arith." +
       (type.isFloat()
            ? "cmpf " + random.pick<std::string>({"olt", "oge", "une"})
            : "cmpi " + random.pick<std::string>({"slt", "sge", "ult", "ne"})) +
       ", " + x + ", " + y + " : " + type.element);
  return condition;
}

/// Makes a count of type index from 0 to the limit: a constant, or computed
/// from an argument.
std::string Generator::makeCount(int64_t limit) {
  if (isInFunction || random.chance(50))
    return index(random.between(0, limit));
  std::string element = random.pick<std::string>({"index", "i32", "i64", "i8"});
  std::string value = pickArgument(element);
  if (element != "index") {
    std::string wide = fresh();
    line(wide + " = arith.index_cast " + value + " : " + element + " to index");
    value = wide;
  }
  std::string bound = index(limit + 1), count = fresh();
  line(count + " = arith.remui " + value + ", " + bound + " : index");
  return count;
}
