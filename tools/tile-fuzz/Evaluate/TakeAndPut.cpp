// TakeAndPut.cpp - evaluates takes and puts at computed indices of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"
#include "Sums.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// @pre Indices that are known are inside the tile.
void Interpreter::take(TakeOp op) {
  ArrayRef<int64_t> shape = getShape(op.getSource());
  Elements result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    const Element &index = getRepeated(get(op.getIndices()),
                                       getShape(op.getIndices()), coordinate);
    if (index.isUnknown())
      return result.push_back(index);
    SmallVector<int64_t> at(coordinate);
    for (auto [extent, component] : llvm::zip_equal(shape, at))
      component = extent == 1 ? 0 : component;
    at[op.getAxis()] = getSigned(index.integer, getElement(op.getIndices()));
    result.push_back(get(op.getSource())[getRowMajorIndex(shape, at)]);
  });
  set(op.getResult(), std::move(result));
}

/// Returns the sum of two elements, in an unspecified order with other
/// summands.
Element Interpreter::addElements(const Element &a, const Element &b,
                                 Type type) const {
  bool isDual = hasDuals && !isInteger(type);
  return isDual ? Element::ofDual(a.dual + b.dual)
                : reduceElements(ReduceKind::add, {a, b}, type);
}

/// @pre A put without a kind writes each element at most once. A put with a
/// kind adds.
void Interpreter::put(PutOp op) {
  ArrayRef<int64_t> shape = getShape(op.getDest());
  int64_t extent = shape[op.getAxis()];
  Type type = getElement(op.getResult());
  Elements result = get(op.getDest());
  size_t next = 0;
  forEach(getShape(op.getValues()), [&](ArrayRef<int64_t> coordinate) {
    const Element &value = get(op.getValues())[next];
    const Element &index = getRepeated(get(op.getIndices()),
                                       getShape(op.getIndices()), coordinate);
    Element chosen =
        op.getMask() ? get(op.getMask())[next] : Element::ofInteger(1);
    ++next;
    SmallVector<int64_t> at(coordinate);
    if (index.isUnknown()) {
      // The index is unknown, so any element of the row may be written.
      for (int64_t i = 0; i < extent; ++i) {
        at[op.getAxis()] = i;
        result[getRowMajorIndex(shape, at)] = index;
      }
      return;
    }
    int64_t along = getSigned(index.integer, getElement(op.getIndices()));
    if (along < 0 || along >= extent ||
        (!chosen.isUnknown() && !chosen.integer))
      return;
    at[op.getAxis()] = along;
    Element &target = result[getRowMajorIndex(shape, at)];
    if (chosen.isUnknown() || value.isUnknown())
      target = Element::unknown();
    else if (!op.getKind())
      target = value;
    else if (!target.isUnknown())
      target = addElements(target, value, type);
  });
  set(op.getResult(), std::move(result));
}

std::optional<SmallVector<bool>> Interpreter::getMask(Value mask) {
  SmallVector<bool> chosen;
  for (const Element &element : get(mask)) {
    if (element.isUnknown())
      return std::nullopt;
    chosen.push_back(element.integer != 0);
  }
  return chosen;
}

void Interpreter::histogram(HistogramOp op) {
  int64_t count = op.getType().getNumElements();
  Elements counts(count, Element::ofInteger(0));
  for (auto [n, bin] : llvm::enumerate(get(op.getSource()))) {
    Element chosen =
        op.getMask() ? get(op.getMask())[n] : Element::ofInteger(1);
    if (!chosen.isUnknown() && !chosen.integer)
      continue;
    int64_t at = getSigned(bin.integer, getElement(op.getSource()));
    if (chosen.isUnknown() || bin.isUnknown())
      counts.assign(count, Element::unknown());
    else if (at >= 0 && at < count && !counts[at].isUnknown())
      ++counts[at].integer;
  }
  set(op.getResult(), std::move(counts));
}

void Interpreter::push(PushOp op) {
  Elements stack = get(op.getStack()), positions;
  std::optional<SmallVector<bool>> mask = getMask(op.getMask());
  const Element &count = get(op.getCount()).front();
  if (!mask || count.isUnknown()) {
    set(op.getResult(), Elements(stack.size(), Element::unknown()));
    set(op.getNewCount(), {Element::unknown()});
    return set(op.getPlaces(),
               Elements(get(op.getMask()).size(), Element::unknown()));
  }
  int64_t top = count.integer, capacity = static_cast<int64_t>(stack.size());
  for (auto [isChosen, value] : llvm::zip(*mask, get(op.getValues()))) {
    bool isPut = isChosen && top < capacity;
    positions.push_back(Element::ofInteger(isPut ? top : -1));
    if (isPut)
      stack[top++] = value;
  }
  set(op.getResult(), std::move(stack));
  setScalar(op.getNewCount(), top);
  set(op.getPlaces(), std::move(positions));
}

void Interpreter::pop(PopOp op) {
  std::optional<SmallVector<bool>> mask = getMask(op.getMask());
  const Element &count = get(op.getCount()).front();
  Elements values, positions;
  if (!mask || count.isUnknown()) {
    values.assign(get(op.getMask()).size(), Element::unknown());
    positions = values;
    set(op.getNewCount(), {Element::unknown()});
  } else {
    int64_t top = count.integer;
    for (bool isChosen : *mask) {
      bool isTaken = isChosen && top > 0;
      top -= isTaken ? 1 : 0;
      values.push_back(isTaken ? get(op.getStack())[top] : Element());
      positions.push_back(Element::ofInteger(isTaken ? top : -1));
    }
    setScalar(op.getNewCount(), top);
  }
  set(op.getValues(), std::move(values));
  set(op.getPlaces(), std::move(positions));
}
