// Combining.cpp - maps, reductions and scans
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Sums.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// Runs a region on scalars, and returns the values that it yields.
FailureOr<Interpreter::Tuple>
Interpreter::runRegion(Region &region, ArrayRef<Element> arguments) {
  for (auto [argument, element] :
       llvm::zip_equal(region.getArguments(), arguments))
    set(argument, {element});
  if (failed(run(region.front())))
    return failure();
  Tuple yielded;
  for (Value value : region.front().getTerminator()->getOperands())
    yielded.push_back(get(value).front());
  return yielded;
}

Interpreter::Tuple Interpreter::getTuple(ValueRange tiles, size_t index) {
  return llvm::map_to_vector(tiles,
                             [&](Value tile) { return get(tile)[index]; });
}

void Interpreter::setTuples(ValueRange results, ArrayRef<Tuple> tuples) {
  for (auto [n, result] : llvm::enumerate(results)) {
    Elements elements;
    for (const Tuple &tuple : tuples)
      elements.push_back(tuple[n]);
    set(result, std::move(elements));
  }
}

LogicalResult Interpreter::map(MapOp op) {
  SmallVector<Tuple> results;
  bool isEvaluated = true;
  forEach(getShape(op.getResult(0)), [&](ArrayRef<int64_t> coordinate) {
    FailureOr<Tuple> result =
        runRegion(op.getBody(), getRepeatedTuple(op.getInputs(), coordinate));
    isEvaluated &= succeeded(result);
    if (isEvaluated)
      results.push_back(std::move(*result));
  });
  if (isEvaluated)
    setTuples(op.getResults(), results);
  return success(isEvaluated);
}

Interpreter::Tuple Interpreter::getRepeatedTuple(ValueRange tiles,
                                                 ArrayRef<int64_t> coordinate) {
  return llvm::map_to_vector(tiles, [&](Value tile) {
    ArrayRef<int64_t> shape = getShape(tile);
    return getRepeated(get(tile), shape, coordinate.take_back(shape.size()));
  });
}

/// Combines one or more tuples, in their order.
FailureOr<Interpreter::Tuple> Interpreter::combine(CombiningOpInterface op,
                                                   ArrayRef<Tuple> tuples) {
  if (!op.getCombiner()) {
    auto terms = llvm::map_to_vector(
        tuples, [](const Tuple &tuple) { return tuple.front(); });
    return Tuple{reduceElements(op.getKindAttr().getValue(), terms,
                                getElement(op.getSources().front()))};
  }
  Tuple result = tuples.front();
  for (const Tuple &next : tuples.drop_front()) {
    SmallVector<Element> arguments(result);
    llvm::append_range(arguments, next);
    FailureOr<Tuple> combined = runRegion(*op.getCombiner(), arguments);
    if (failed(combined))
      return failure();
    result = std::move(*combined);
  }
  return result;
}

static Element getFloatIdentity(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::mul:
    return Element::ofFloat(1);
  case ReduceKind::min:
    return Element::ofFloat(Element::kInfinity);
  case ReduceKind::max:
    return Element::ofFloat(-Element::kInfinity);
  default: // -0.0 + x is x, also for x = -0.0
    return Element::ofFloat(-0.0);
  }
}

static Element getIntegerIdentity(ReduceKind kind, Type type) {
  uint64_t sign = uint64_t(1)
                  << (type.isIndex() ? 63 : type.getIntOrFloatBitWidth() - 1);
  switch (kind) {
  case ReduceKind::mul:
    return Element::ofInteger(wrapInteger(1, type));
  case ReduceKind::min:
    return Element::ofInteger(wrapInteger(sign - 1, type));
  case ReduceKind::max:
    return Element::ofInteger(wrapInteger(sign, type));
  case ReduceKind::umin:
  case ReduceKind::bit_and:
    return Element::ofInteger(wrapInteger(~uint64_t(0), type));
  default:
    return Element::ofInteger(0);
  }
}

Interpreter::Tuple Interpreter::getIdentity(CombiningOpInterface op) {
  if (op.getCombiner())
    return llvm::map_to_vector(op.getIdentitiesAttr(), [](Attribute attribute) {
      return readElement(attribute);
    });
  ReduceKind kind = op.getKindAttr().getValue();
  Type type = getElement(op.getSources().front());
  if (isInteger(type))
    return {getIntegerIdentity(kind, type)};
  Element identity = getFloatIdentity(kind);
  return {isa<ComplexType>(type)
              ? Element::ofComplex(identity, Element::ofFloat(-0.0))
              : identity};
}

LogicalResult Interpreter::reduce(ReduceOp op) {
  SmallVector<Tuple> results;
  for (ArrayRef<size_t> row :
       getRows(getShape(op.getSources().front()), op.getAxis())) {
    SmallVector<Tuple> tuples;
    for (size_t index : row)
      tuples.push_back(getTuple(op.getSources(), index));
    FailureOr<Tuple> result = combine(op, tuples);
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  setTuples(op.getResults(), results);
  return success();
}

/// Evaluates one row of a scan whose combination is a region, element by
/// element.
LogicalResult Interpreter::scanByRegion(ScanOp op, ArrayRef<size_t> row,
                                        MutableArrayRef<Tuple> results) {
  std::optional<Tuple> soFar;
  SmallVector<size_t> indices(row);
  if (op.getReverse())
    std::reverse(indices.begin(), indices.end());
  for (size_t index : indices) {
    Tuple next = getTuple(op.getSources(), index);
    if (op.getExclusive())
      results[index] = soFar ? *soFar : getIdentity(op);
    SmallVector<Tuple> both = {next};
    if (soFar)
      both.insert(op.getReverse() ? both.end() : both.begin(), *soFar);
    FailureOr<Tuple> combined = combine(op, both);
    if (failed(combined))
      return failure();
    soFar = std::move(*combined);
    if (!op.getExclusive())
      results[index] = *soFar;
  }
  return success();
}

/// Evaluates one row of a scan whose combination is a kind, such as add. Each
/// element is reduced from all elements before it, because the error depends on
/// their count.
LogicalResult Interpreter::scanByKind(ScanOp op, ArrayRef<size_t> row,
                                      MutableArrayRef<Tuple> results) {
  for (size_t i = 0; i < row.size(); ++i) {
    size_t begin = op.getReverse() ? i + op.getExclusive() : 0;
    size_t end = op.getReverse() ? row.size() : i + !op.getExclusive();
    SmallVector<Tuple> tuples;
    for (size_t index : row.slice(begin, end - begin))
      tuples.push_back(getTuple(op.getSources(), index));
    results[row[i]] = tuples.empty() ? getIdentity(op) : *combine(op, tuples);
  }
  return success();
}

LogicalResult Interpreter::scan(ScanOp op) {
  ArrayRef<int64_t> shape = getShape(op.getSources().front());
  SmallVector<Tuple> results(get(op.getSources().front()).size());
  for (ArrayRef<size_t> row : getRows(shape, op.getAxis()))
    if (failed(op.getKind() ? scanByKind(op, row, results)
                            : scanByRegion(op, row, results)))
      return failure();
  setTuples(op.getResults(), results);
  return success();
}

/// Evaluates the extreme value of each row and its index. The index is known if
/// all elements of the row and the value are exact.
void Interpreter::argReduce(ArgReduceOp op) {
  Type type = getElement(op.getSource());
  const Elements &source = get(op.getSource());
  Elements values, indices;
  for (ArrayRef<size_t> row : getRows(getShape(op.getSource()), op.getAxis())) {
    auto terms =
        llvm::map_to_vector(row, [&](size_t index) { return source[index]; });
    Element best = reduceElements(op.getKind(), terms, type);
    auto isBest = [&](const Element &term) {
      return isInteger(type)
                 ? term.integer == best.integer
                 : term.value == best.value ||
                       (std::isnan(term.value) && std::isnan(best.value));
    };
    bool isKnown =
        !best.isUnknown() && llvm::all_of(terms, [](const Element &term) {
          return term.isExact() && !term.isUnknown();
        });
    int64_t index = llvm::find_if(terms, isBest) - terms.begin();
    values.push_back(best);
    indices.push_back(isKnown ? Element::ofInteger(index) : Element::unknown());
  }
  set(op.getValue(), std::move(values));
  set(op.getIndex(), std::move(indices));
}
