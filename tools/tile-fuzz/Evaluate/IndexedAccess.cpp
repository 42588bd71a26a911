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
Interpreter::Accesses Interpreter::getAccesses(Op op, Value tile) {
  SmallVector<int64_t> begin = getIndices(op.getOffsets());
  ArrayRef<int64_t> shape = getShape(tile);
  Value mask = op.getMask();
  SmallVector<int64_t> axes = getAxes(op, shape.size(), begin.size());
  Accesses accesses;
  forEach(shape, [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> at = shiftCoordinate(begin, coordinate, op.getDims());
    for (auto [axis, indices] : llvm::zip_equal(axes, op.getIndices())) {
      const Element &index =
          getRepeated(get(indices), getShape(indices), coordinate);
      if (index.isUnknown()) {
        accesses.push_back(std::nullopt);
        return;
      }
      at[axis] = begin[axis] + getSigned(index.integer, getElement(indices));
    }
    std::optional<bool> isChosen = true;
    if (mask) {
      const Element &chosen = get(mask)[accesses.size()];
      isChosen = chosen.integer != 0;
      if (chosen.isUnknown())
        isChosen.reset();
    }
    accesses.push_back(Access{at, isChosen});
  });
  return accesses;
}

void Interpreter::gather(GatherOp op) {
  ArrayValue &array = *arrays[op.getSource()];
  Element pad = op.getPad() ? get(op.getPad()).front() : Element();
  Elements result;
  for (const std::optional<Access> &access : getAccesses(op, op.getResult())) {
    if (!access || !access->isChosen) {
      result.push_back(Element::unknown());
      continue;
    }
    std::optional<int64_t> at;
    if (*access->isChosen)
      at = array.find(access->coordinate);
    result.push_back(at ? array.read(*at) : pad);
  }
  set(op.getResult(), std::move(result));
}

/// Writes values to one element, which then may have any of them.
static void writeAny(ArrayValue &array, int64_t distance,
                     ArrayRef<Element> values, Type type) {
  SmallVector<Element> different = {values.front()};
  for (const Element &value : values) {
    std::optional<bool> isSame = haveSameBits(value, different.front(), type);
    if (value.isUnknown() || different.front().isUnknown())
      return array.write(distance, Element::unknown());
    if (!isSame || !*isSame)
      different.push_back(value);
  }
  array.writeOneOf(distance, different);
}

/// @pre The order of updates of one element does not matter: they are integer
/// updates other than exchange, and each element is updated at most once if the
/// old values are used.
void Interpreter::scatter(ScatterOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  Type type = getElement(op.getValue());
  std::map<int64_t, SmallVector<Element>> writes;
  Elements before(get(op.getValue()).size());
  size_t next = 0;
  for (const std::optional<Access> &access : getAccesses(op, op.getValue())) {
    const Element &value = get(op.getValue())[next];
    Element &old = before[next++];
    if (!access) {
      array.forget();
      if (op.getOld())
        set(op.getOld(), Elements(before.size(), Element::unknown()));
      return;
    }
    std::optional<int64_t> at = array.find(access->coordinate);
    if (!at || (access->isChosen && !*access->isChosen))
      continue;
    if (!access->isChosen) {
      writes[*at].push_back(Element::unknown());
      old = Element::unknown();
    } else if (op.getKind()) {
      old = array.read(*at);
      array.write(*at, getUpdated(*op.getKind(), old, value,
                                  /*expected=*/nullptr, type));
    } else {
      writes[*at].push_back(value);
    }
  }
  for (const auto &[distance, candidates] : writes)
    writeAny(array, distance, candidates, type);
  if (op.getOld())
    set(op.getOld(), std::move(before));
}
