// PerThread.cpp - code of single threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

using namespace tile::fuzz;

/// Returns the type of one thread's elements of a tile.
static std::string getHeld(const Type &type) {
  if (type.shape.size() == 1)
    return type.element;
  return "vector<" + std::to_string(type.shape[1]) + "x" + type.element + ">";
}

/// Picks a tile type with one element, or a few, per thread.
Type Generator::pickThreadType() {
  Type type{{numThreads}, pickStored()};
  if (!type.isComplex() && random.chance(30))
    type.shape.push_back(random.between(1, 4));
  return type;
}

/// Stores a thread's value, or its sum with the old element, to the thread's
/// own element of an array; returns the stored value. The array has elements
/// for the idle threads too, which must stay unchanged.
std::string Generator::addOwnElement(const Type &type, const std::string &value,
                                     const std::string &thread) {
  int64_t most = numBlocks > 0 ? numBlocks : kMaxBlocks;
  Array array = makeArray(type.element, {most * 32 * numWarps},
                          /*isOutput=*/true);
  std::string start = fresh(), at = fresh(), old = fresh(), sum = fresh();
  std::string extent = index(32 * numWarps);
  line(start + " = arith.muli " + block + ", " + extent + " : index");
  line(at + " = arith.addi " + start + ", " + thread + " : index");
  std::string access = array.name + "[" + at + "] : " + array.type;
  if (random.chance(40)) {
    line("memref.store " + value + ", " + access);
    return value;
  }
  line(old + " = memref.load " + access);
  line(sum + (type.isFloat() ? " = arith.addf " : " = arith.addi ") + old +
       ", " + value + " : " + type.element);
  line("memref.store " + sum + ", " + access);
  return sum;
}

/// Adds an atomic counter of all threads of all blocks.
void Generator::addCount() {
  Array array = makeArray("i32", {1}, /*isOutput=*/true, "");
  std::string one = fresh(), zero = index(0), old = fresh();
  line(one + " = arith.constant 1 : i32");
  line(old + " = memref.atomic_rmw addi " + one + ", " + array.name + "[" +
       zero + "] : (i32, " + array.type + ") -> i32");
}

/// Adds code that selects elements from two tiles by the thread id, adds them
/// where that is exact, and may store them.
void Generator::addPerThread() {
  Type type = pickThreadType();
  Tile x = pickOf(type), y = pickOf(type, x.name);
  std::string held = getHeld(type);
  std::string thread = fresh(), a = fresh(), b = fresh(), isLow = fresh(),
              chosen = fresh(), result = fresh();
  line(result + " = tile.per_thread " + x.name + ", " + y.name + " : " +
       type.str() + ", " + type.str() + " to " + type.str() + " {");
  line("^bb0(" + thread + ": index, " + a + ": " + held + ", " + b + ": " +
       held + "):");
  indent += 2;
  std::string half = index(random.between(0, numThreads));
  line(isLow + " = arith.cmpi slt, " + thread + ", " + half + " : index");
  line(chosen + " = arith.select " + isLow + ", " + a + ", " + b + " : " +
       held);
  bool isSummed = !type.isBool() && !type.isComplex() && !type.isFloat8();
  if (isSummed && random.chance(60)) {
    std::string sum = fresh();
    line(sum + (type.isFloat() ? " = arith.addf " : " = arith.addi ") + chosen +
         ", " + b + " : " + held);
    chosen = sum;
  }
  bool isScalar = type.shape.size() == 1;
  if (isSummed && isScalar && !isInFunction && random.chance(60))
    chosen = addOwnElement(type, chosen, thread);
  if (!isInFunction && random.chance(40))
    addCount();
  line("tile.yield " + chosen + " : " + held);
  indent -= 2;
  line("}");
  pool.push_back({result, type});
}
