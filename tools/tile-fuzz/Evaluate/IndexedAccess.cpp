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
    if (index.isUnknown()) {
      places.push_back(std::nullopt);
      return;
    }
    std::optional<bool> isChosen = true;
    if (mask) {
      const Number &chosen = get(mask)[places.size()];
      isChosen = chosen.integer != 0;
      if (chosen.isUnknown())
        isChosen.reset();
    }
    SmallVector<int64_t> at(coordinate);
    at[axis] = getSigned(index.integer, getElement(indices));
    places.push_back(Place{place(begin, at), isChosen});
  });
  return places;
}

void Interpreter::gather(GatherOp op) {
  ArrayValue &array = *arrays[op.getSource()];
  Number pad = op.getPad() ? get(op.getPad()).front() : Number();
  Numbers result;
  for (const std::optional<Place> &place :
       getPlaces(op.getOffsets(), op.getResult(), op.getIndices(), op.getAxis(),
                 op.getMask())) {
    if (!place || !place->isChosen) {
      result.push_back(Number::unknown());
      continue;
    }
    std::optional<int64_t> at;
    if (*place->isChosen)
      at = array.find(place->coordinate);
    result.push_back(at ? array.read(*at) : pad);
  }
  set(op.getResult(), std::move(result));
}

/// Of several elements for one place any may stay.
static void writeAny(ArrayValue &array, int64_t distance,
                     ArrayRef<Number> numbers, Type type) {
  SmallVector<Number> different = {numbers.front()};
  for (const Number &number : numbers) {
    std::optional<bool> isSame = haveSameBits(number, different.front(), type);
    if (number.isUnknown() || different.front().isUnknown())
      return array.write(distance, Number::unknown());
    if (!isSame || !*isSame)
      different.push_back(number);
  }
  array.writeOneOf(distance, different);
}

/// @pre updates of one place may come in any order: the kinds of integers but
/// exchange.
void Interpreter::scatter(ScatterOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  Type type = getElement(op.getValue());
  std::map<int64_t, SmallVector<Number>> writes;
  size_t next = 0;
  for (const std::optional<Place> &place :
       getPlaces(op.getOffsets(), op.getValue(), op.getIndices(), op.getAxis(),
                 op.getMask())) {
    const Number &number = get(op.getValue())[next++];
    if (!place)
      return array.forget();
    std::optional<int64_t> at = array.find(place->coordinate);
    if (!at || (place->isChosen && !*place->isChosen))
      continue;
    if (!place->isChosen)
      writes[*at].push_back(Number::unknown());
    else if (op.getKind())
      array.write(*at, getUpdated(*op.getKind(), array.read(*at), number,
                                  /*expected=*/nullptr, type));
    else
      writes[*at].push_back(number);
  }
  for (const auto &[distance, numbers] : writes)
    writeAny(array, distance, numbers, type);
}
