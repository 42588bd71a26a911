// Memory.cpp - loads, stores and updates of boxes of arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Sums.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

void Interpreter::load(Value result, Value source, ValueRange offsets,
                       Value pad, Value mask, Dims dims) {
  ArrayValue &array = *arrays[source];
  SmallVector<int64_t> begin = getIndices(offsets);
  Element outside = pad ? get(pad).front() : Element();
  Elements elements;
  forEach(getShape(result), [&](ArrayRef<int64_t> coordinate) {
    std::optional<int64_t> at =
        array.find(shiftCoordinate(begin, coordinate, dims));
    Element element = at ? array.read(*at) : outside;
    if (mask) {
      const Element &chosen = get(mask)[elements.size()];
      element = chosen.isUnknown() ? chosen
                : chosen.integer   ? element
                                   : outside;
    }
    elements.push_back(element);
  });
  set(result, std::move(elements));
}

void Interpreter::store(Value value, Value dest, ValueRange offsets, Value mask,
                        Dims dims) {
  ArrayValue &array = *arrays[dest];
  SmallVector<int64_t> begin = getIndices(offsets);
  const Elements &elements = get(value);
  size_t next = 0;
  forEach(getShape(value), [&](ArrayRef<int64_t> coordinate) {
    Element element = elements[next];
    if (mask) {
      const Element &chosen = get(mask)[next];
      if (chosen.isUnknown())
        element = chosen;
      else if (!chosen.integer)
        return void(++next);
    }
    ++next;
    if (std::optional<int64_t> at =
            array.find(shiftCoordinate(begin, coordinate, dims)))
      array.write(*at, element);
  });
}

std::optional<bool> tile::fuzz::haveSameBits(const Element &a, const Element &b,
                                             Type type) {
  if (a.isUnknown() || b.isUnknown())
    return std::nullopt;
  if (isInteger(type))
    return a.integer == b.integer;
  // The imaginary part of a real value is zero.
  const std::pair<double, double> parts[] = {{a.value, b.value},
                                             {a.imaginary, b.imaginary}};
  for (auto [x, y] : parts)
    if (!a.isExact() || !b.isExact() || std::isnan(x) || std::isnan(y))
      return std::nullopt;
  return llvm::all_of(parts, [](std::pair<double, double> part) {
    return part.first == part.second &&
           std::signbit(part.first) == std::signbit(part.second);
  });
}

Element tile::fuzz::getUpdated(AtomicKind kind, const Element &old,
                               const Element &value, const Element *expected,
                               Type type) {
  auto combined = [&](ReduceKind reduction) {
    return reduceElements(reduction, {old, value}, type);
  };
  switch (kind) {
  case AtomicKind::add:
    return combined(ReduceKind::add);
  case AtomicKind::min:
    return combined(ReduceKind::min);
  case AtomicKind::max:
    return combined(ReduceKind::max);
  case AtomicKind::umin:
    return combined(ReduceKind::umin);
  case AtomicKind::umax:
    return combined(ReduceKind::umax);
  case AtomicKind::bit_and:
    return combined(ReduceKind::bit_and);
  case AtomicKind::bit_or:
    return combined(ReduceKind::bit_or);
  case AtomicKind::bit_xor:
    return combined(ReduceKind::bit_xor);
  case AtomicKind::exchange:
    return value;
  case AtomicKind::compare_exchange:
    std::optional<bool> isSame = haveSameBits(old, *expected, type);
    return !isSame ? Element::unknown() : *isSame ? value : old;
  }
  llvm_unreachable("kind of update");
}

void Interpreter::update(AtomicRMWOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  SmallVector<int64_t> begin = getIndices(op.getOffsets());
  Elements result;
  forEach(getShape(op.getValue()), [&](ArrayRef<int64_t> coordinate) {
    size_t next = result.size();
    std::optional<int64_t> at =
        array.find(shiftCoordinate(begin, coordinate, op.getDims()));
    Element chosen = Element::ofInteger(1);
    if (op.getMask())
      chosen = get(op.getMask())[next];
    if (!at || (!chosen.isUnknown() && !chosen.integer))
      return result.push_back(Element());
    Element old = array.read(*at);
    if (chosen.isUnknown()) {
      array.write(*at, chosen);
      return result.push_back(chosen);
    }
    result.push_back(old);
    const Element *expected =
        op.getExpected() ? &get(op.getExpected())[next] : nullptr;
    const Element &value = get(op.getValue())[next];
    Type type = getElement(op.getValue());
    array.write(*at,
                op.getKind() == AtomicKind::add
                    ? addElements(old, value, type)
                    : getUpdated(op.getKind(), old, value, expected, type));
  });
  set(op.getResult(), std::move(result));
}
