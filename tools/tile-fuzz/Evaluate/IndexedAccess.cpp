// IndexedAccess.cpp - gathers and scatters
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

Interpreter::Places Interpreter::getPlaces(ValueRange offsets, Value tile,
                                           Value indices, int64_t axis,
                                           Value mask) {
  SmallVector<int64_t> begin = getIndices(offsets);
  ArrayRef<int64_t> shape = getShape(tile), from = getShape(indices);
  Places places;
  forEach(shape, [&](ArrayRef<int64_t> coordinate) {
    const Number &index = getRepeated(get(indices), from, coordinate);
    const Number *isChosen = mask ? &get(mask)[places.size()] : nullptr;
    if (index.isUnknown() || (isChosen && isChosen->isUnknown())) {
      places.push_back(std::nullopt);
      return;
    }
    SmallVector<int64_t> at(coordinate);
    at[axis] = getSigned(index.integer, getElement(indices));
    places.push_back({{place(begin, at), !isChosen || isChosen->integer != 0}});
  });
  return places;
}

void Interpreter::gather(GatherOp op) {
  ArrayValue &array = *arrays[op.getSource()];
  Number pad = op.getPad() ? get(op.getPad()).front() : Number();
  Numbers result;
  for (const auto &place :
       getPlaces(op.getOffsets(), op.getResult(), op.getIndices(), op.getAxis(),
                 op.getMask())) {
    if (!place) {
      result.push_back(Number::unknown());
      continue;
    }
    std::optional<int64_t> at;
    if (place->second)
      at = array.find(place->first);
    result.push_back(at ? array.elements[*at] : pad);
  }
  set(op.getResult(), std::move(result));
}

/// @pre places are known, and each is written once.
void Interpreter::scatter(ScatterOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  size_t next = 0;
  for (const auto &place :
       getPlaces(op.getOffsets(), op.getValue(), op.getIndices(), op.getAxis(),
                 op.getMask())) {
    const Number &number = get(op.getValue())[next++];
    if (!place || !place->second)
      continue;
    if (std::optional<int64_t> at = array.find(place->first)) {
      array.elements[*at] = number;
      array.isWritten[*at] = true;
    }
  }
}
