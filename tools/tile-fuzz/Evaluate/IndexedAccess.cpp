// IndexedAccess.cpp - gathers and scatters
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// Returns, for each tile of indices, the dimension of the array along which
/// its values are indices.
template <typename Op>
static SmallVector<int64_t> getAxes(Op op, size_t rank, size_t arrayRank) {
  if (op.getAxes())
    return SmallVector<int64_t>(*op.getAxes());
  if (op.getDims())
    return {(*op.getDims())[*op.getAxis()]};
  return {static_cast<int64_t>(arrayRank - rank + *op.getAxis())};
}

template <typename Op>
Interpreter::Places Interpreter::getPlaces(Op op, Value tile) {
  SmallVector<int64_t> begin = getIndices(op.getOffsets());
  ArrayRef<int64_t> shape = getShape(tile);
  Value mask = op.getMask();
  SmallVector<int64_t> axes = getAxes(op, shape.size(), begin.size());
  Places places;
  forEach(shape, [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> at = place(begin, coordinate, op.getDims());
    for (auto [axis, indices] : llvm::zip_equal(axes, op.getIndices())) {
      const Number &index =
          getRepeated(get(indices), getShape(indices), coordinate);
      if (index.isUnknown()) {
        places.push_back(std::nullopt);
        return;
      }
      at[axis] = begin[axis] + getSigned(index.integer, getElement(indices));
    }
    std::optional<bool> isChosen = true;
    if (mask) {
      const Number &chosen = get(mask)[places.size()];
      isChosen = chosen.integer != 0;
      if (chosen.isUnknown())
        isChosen.reset();
    }
    places.push_back(Place{at, isChosen});
  });
  return places;
}

void Interpreter::gather(GatherOp op) {
  ArrayValue &array = *arrays[op.getSource()];
  Number pad = op.getPad() ? get(op.getPad()).front() : Number();
  Numbers result;
  for (const std::optional<Place> &place : getPlaces(op, op.getResult())) {
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

/// Writes values to one element, which then may have any of them.
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

/// @pre The order of updates of one element does not matter: they are integer
/// updates other than exchange, and each element is updated at most once if the
/// old values are used.
void Interpreter::scatter(ScatterOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  Type type = getElement(op.getValue());
  std::map<int64_t, SmallVector<Number>> writes;
  Numbers before(get(op.getValue()).size());
  size_t next = 0;
  for (const std::optional<Place> &place : getPlaces(op, op.getValue())) {
    const Number &number = get(op.getValue())[next];
    Number &old = before[next++];
    if (!place) {
      array.forget();
      if (op.getOld())
        set(op.getOld(), Numbers(before.size(), Number::unknown()));
      return;
    }
    std::optional<int64_t> at = array.find(place->coordinate);
    if (!at || (place->isChosen && !*place->isChosen))
      continue;
    if (!place->isChosen) {
      writes[*at].push_back(Number::unknown());
      old = Number::unknown();
    } else if (op.getKind()) {
      old = array.read(*at);
      array.write(*at, getUpdated(*op.getKind(), old, number,
                                  /*expected=*/nullptr, type));
    } else {
      writes[*at].push_back(number);
    }
  }
  for (const auto &[distance, numbers] : writes)
    writeAny(array, distance, numbers, type);
  if (op.getOld())
    set(op.getOld(), std::move(before));
}
