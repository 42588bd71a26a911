// Sorting.cpp - evaluates sorts and top-k selections
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// Returns the order of a row of keys as indices into the row; nothing if a key
/// is not known exactly.
static std::optional<SmallVector<size_t>> getOrder(ArrayRef<Element> keys,
                                                   Type type, bool isDescending,
                                                   bool isUnsigned) {
  if (!llvm::all_of(keys, [](const Element &key) {
        return key.isExact() && !key.isUnknown();
      }))
    return std::nullopt;
  auto isLess = [&](const Element &a, const Element &b) {
    if (!isInteger(type))
      return !std::isnan(a.value) && (std::isnan(b.value) || a.value < b.value);
    if (isUnsigned)
      return getLowBits(a.integer, type) < getLowBits(b.integer, type);
    return getSigned(a.integer, type) < getSigned(b.integer, type);
  };
  auto order = llvm::to_vector(llvm::seq<size_t>(keys.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    const Element &first = keys[isDescending ? b : a];
    const Element &second = keys[isDescending ? a : b];
    if (isLess(first, second) || isLess(second, first))
      return isLess(first, second);
    return a < b;
  });
  return order;
}

void Interpreter::sort(SortOp op) {
  Value keys = op.getSources().front();
  SmallVector<Tuple> results(get(keys).size());
  for (ArrayRef<size_t> row : getRows(getShape(keys), op.getAxis())) {
    auto own = llvm::map_to_vector(
        row, [&](size_t index) { return get(keys)[index]; });
    auto order = getOrder(own, getElement(keys), op.getDescending(),
                          op.getUnsignedInteger());
    for (auto [position, index] : llvm::enumerate(row))
      results[index] = order
                           ? getTuple(op.getSources(), row[(*order)[position]])
                           : Tuple(op.getSources().size(), Element::unknown());
  }
  setTuples(op.getResults(), results);
}

void Interpreter::topK(TopKOp op) {
  const Elements &keys = get(op.getSource());
  SmallVector<Tuple> results(op.getValues().getType().getNumElements());
  // getRows lists the rows of both shapes in the same order, since only the
  // extent of the axis differs.
  for (auto [row, to] :
       llvm::zip_equal(getRows(getShape(op.getSource()), op.getAxis()),
                       getRows(getShape(op.getValues()), op.getAxis()))) {
    auto own =
        llvm::map_to_vector(row, [&](size_t index) { return keys[index]; });
    auto order = getOrder(own, getElement(op.getSource()), !op.getLeast(),
                          op.getUnsignedInteger());
    for (auto [position, index] : llvm::enumerate(to)) {
      results[index] = {Element::unknown(), Element::unknown()};
      if (order)
        results[index] = {own[(*order)[position]],
                          Element::ofInteger((*order)[position])};
    }
  }
  setTuples(op.getResults(), results);
}
