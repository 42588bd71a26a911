// InPlace.cpp - an array that a block reads and writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block has its own box of the array. The boxes are adjacent along one
// dimension, and the array may end inside a box. A block reads from its box the
// values that it wrote last.

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

void Generator::beginInPlace() {
  Type type{pickShape(), pickStored()};
  if (type.shape.empty() || type.isFloat8())
    return;
  int64_t along = random.below(type.shape.size());
  std::vector<std::string> at;
  for (int64_t extent : type.shape)
    at.push_back(random.chance(70) ? index(0) : pickOffset(extent));
  std::string extent = index(type.shape[along]), start = fresh(), sum = fresh();
  line(start + " = arith.muli " + block + ", " + extent + " : index");
  line(sum + " = arith.addi " + start + ", " + at[along] + " : index");
  at[along] = sum;
  Array array = makeArray(type.element, pickSizes(type.shape.size()),
                          /*isOutput=*/true);
  inPlace = Box{array, type, at};
  loadInPlace();
}

void Generator::loadInPlace() {
  std::string pad =
      random.chance(15) ? " pad " + makeScalar(inPlace->type) : "";
  add(inPlace->type, "tile.load " + inPlace->array.name + "[" +
                         llvm::join(inPlace->at, ", ") + "]" + pad + " : " +
                         inPlace->array.type + " -> " + inPlace->type.str());
}

void Generator::storeInPlace(const Tile &tile) {
  line("tile.store " + tile.name + ", " + inPlace->array.name + "[" +
       llvm::join(inPlace->at, ", ") + "] : " + tile.type.str() + ", " +
       inPlace->array.type);
}

/// Adds a load or a store of the block's box.
void Generator::addInPlace() {
  if (!inPlace || isInFunction)
    return;
  if (random.chance(50))
    return loadInPlace();
  storeInPlace(pickOf(inPlace->type));
}
