// CombinerRules.cpp - derivatives of reductions and scans by a region
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tangents of a combination f of tuples are a combination of longer tuples,
// which have the values and their tangents.
//
// Its transpose needs no more than this, so that no form of region has to be
// recognized. A scan is the recurrence y_i = f(y_(i-1), x_i), and a reduction
// is its last element. The tangents are those of a linear recurrence, t_i = A_i
// t_(i-1) + B_i u_i, whose transpose is one in the other direction. Such a
// recurrence is a scan of affine functions (Blelloch, "Prefix Sums and Their
// Applications", 1990). The columns of A and B are the tangents for unit
// vectors, of which there are few. Where f has no derivative, as a maximum of
// equal values, the derivatives that f's operations have by convention are
// those of a combination from the first to the last element.

#include "CombinerRules.h"

#include "../Dependence.h"
#include "RealParts.h"

#include "tile/IR/ElementRegion.h"
#include "tile/IR/TileBuilder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Operations on tuples
//===----------------------------------------------------------------------===//

Attribute tile::getRealIdentity(ValueBuilder &b, Type type, double value) {
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return b.getFloatAttr(type, value);
  Type part = complex.getElementType();
  return b.getArrayAttr({b.getFloatAttr(part, value), b.getZeroAttr(part)});
}

/// Adds the block of a region on elements of `tiles`; `build` returns the
/// elements that it yields.
static void buildRegion(
    ValueBuilder &b, Region &region, TypeRange elements,
    function_ref<SmallVector<Value>(ValueBuilder &, ValueRange)> build) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locations(elements.size(), b.getLoc());
  Block &block = region.emplaceBlock();
  block.addArguments(elements, locations);
  b.setInsertionPointToEnd(&block);
  SmallVector<Value> yielded = build(b, block.getArguments());
  YieldOp::create(b, yielded);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

SmallVector<Value> tile::scanTuples(ValueBuilder &b, ValueRange sources,
                                    ArrayRef<Attribute> identities,
                                    ScanDirection direction,
                                    CombineTuples combine) {
  auto scan = ScanOp::create(b, sources.getTypes(), ReduceKindAttr(), sources,
                             b.getArrayAttr(identities), direction.axis,
                             direction.isExclusive, direction.isReverse,
                             /*bodyCount=*/1);
  SmallVector<Type> elements = getElementTypes(sources);
  llvm::append_range(elements, getElementTypes(sources));
  buildRegion(b, scan.getBody().front(), elements,
              [&](ValueBuilder &inner, ValueRange arguments) {
                return combine(inner, arguments.take_front(sources.size()),
                               arguments.drop_front(sources.size()));
              });
  return scan.getResults();
}

/// Creates a tile.map of `inputs`; `build` returns the elements of its results.
static SmallVector<Value>
mapTuples(ValueBuilder &b, TypeRange results, ValueRange inputs,
          function_ref<SmallVector<Value>(ValueBuilder &, ValueRange)> build) {
  auto map = MapOp::create(b, results, inputs);
  buildRegion(b, map.getBody(), getElementTypes(inputs), build);
  return map.getResults();
}

static Operation *createLike(ReduceOp op, ValueBuilder &b, TypeRange results,
                             ValueRange sources, ArrayAttr identities) {
  return ReduceOp::create(b, results, ReduceKindAttr(), sources, identities,
                          op.getAxisAttr(), op.getKeepAttr(),
                          op.getCommutativeAttr(), /*bodyCount=*/1);
}

static Operation *createLike(ScanOp op, ValueBuilder &b, TypeRange results,
                             ValueRange sources, ArrayAttr identities) {
  return ScanOp::create(b, results, ReduceKindAttr(), sources, identities,
                        op.getAxisAttr(), op.getExclusive(), op.getReverse(),
                        /*bodyCount=*/1);
}

//===----------------------------------------------------------------------===//
// Tangents
//===----------------------------------------------------------------------===//

/// Returns the arguments of a region for the elements of both tuples at
/// `indices`.
static SmallVector<Value> listArguments(Region &region, size_t count,
                                        ArrayRef<unsigned> indices) {
  SmallVector<Value> arguments;
  for (unsigned index : indices) {
    arguments.push_back(region.getArgument(index));
    arguments.push_back(region.getArgument(count + index));
  }
  return arguments;
}

/// Returns the elements of a tuple that have tangents, if those with a tangent
/// in `tangents` have: also those that a combination computes from them.
static SmallVector<unsigned> listActive(CombiningOpInterface op,
                                        ArrayRef<Value> tangents) {
  Region &region = *op.getCombiner();
  ValueRange yielded = region.front().getTerminator()->getOperands();
  Dependence dependence(op);
  SmallVector<unsigned> active;
  auto isActive = [&](unsigned index) {
    return llvm::is_contained(active, index);
  };
  for (auto [index, tangent] : llvm::enumerate(tangents))
    if (tangent)
      active.push_back(index);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    ValueSet dependents = dependence.findDependents(
        listArguments(region, tangents.size(), active));
    for (auto [index, value] : llvm::enumerate(yielded))
      if (dependents.contains(value) && !isActive(index)) {
        active.push_back(index);
        isChanged = true;
      }
  }
  llvm::sort(active);
  return active;
}

/// Fills the region `to` of tuples of values and tangents.
static LogicalResult linearizeRegion(CombiningOpInterface op, Region &to,
                                     TangentBuilder &b,
                                     ArrayRef<unsigned> active) {
  Region &from = *op.getCombiner();
  unsigned count = op.getSources().size();
  SmallVector<Value> seeds = listArguments(from, count, active);
  FailureOr<ValueSet> values =
      findActive(op, seeds, from.front().getTerminator()->getOperands());
  if (failed(values))
    return failure();
  TangentBuilder inner(b.getContext(), *values, b.replacesOperations());
  auto setTangents = [&](Block &block) {
    for (auto [position, index] : llvm::enumerate(active)) {
      Value value = block.getArgument(index);
      inner.setTangent(
          value,
          block.insertArgument(count + position, value.getType(), b.getLoc()));
    }
    for (unsigned index : active) {
      Value value = block.getArgument(count + active.size() + index);
      inner.setTangent(value, block.addArgument(value.getType(), b.getLoc()));
    }
  };
  if (failed(inner.cloneLinearized(from, to, {}, setTangents)))
    return failure();
  Operation *yield = to.front().getTerminator();
  inner.setInsertionPoint(yield);
  SmallVector<Value> yielded(yield->getOperands());
  for (unsigned index : active) {
    Value value = yield->getOperand(index);
    yielded.push_back(inner.orZero(inner.getTangent(value), value.getType()));
  }
  yield->setOperands(yielded);
  return success();
}

/// Fails, after an error, if the region uses a scalar that has a tangent.
static LogicalResult verifyCaptured(CombiningOpInterface op,
                                    TangentBuilder &b) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (b.getTangent(value))
      return op->emitError("expected a region that uses no scalar from outside "
                           "that a gradient depends on, got a use of a ")
             << value.getType() << "; apply it before or after the operation";
  return success();
}

template <typename Op>
Derivatives tile::buildTangentsByRegion(Op op, TangentBuilder &b,
                                        ArrayRef<Value> tangents) {
  if (failed(verifyCaptured(op, b)))
    return failure();
  SmallVector<unsigned> active = listActive(op, tangents);
  SmallVector<Value> sources(op.getSources());
  SmallVector<Type> types(op.getResultTypes());
  SmallVector<Attribute> identities(op.getIdentitiesAttr().getValue());
  for (unsigned index : active) {
    Type type = op.getSources()[index].getType();
    sources.push_back(b.orZero(tangents[index], type));
    types.push_back(op.getResult(index).getType());
    identities.push_back(getRealIdentity(b, getElementType(type), 0));
  }
  Operation *combined =
      createLike(op, b, types, sources, b.getArrayAttr(identities));
  if (failed(linearizeRegion(op, combined->getRegion(0), b, active)))
    return failure();
  SmallVector<Value> ofResults(op->getNumResults());
  for (auto [position, index] : llvm::enumerate(active))
    ofResults[index] = combined->getResult(op->getNumResults() + position);
  if (b.replacesOperations())
    for (auto [index, result] : llvm::enumerate(op->getResults()))
      b.replaceValue(result, combined->getResult(index), ofResults[index]);
  return ofResults;
}

template Derivatives
tile::buildTangentsByRegion<ReduceOp>(ReduceOp op, TangentBuilder &b,
                                      ArrayRef<Value> tangents);
template Derivatives
tile::buildTangentsByRegion<ScanOp>(ScanOp op, TangentBuilder &b,
                                    ArrayRef<Value> tangents);

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

namespace {
/// A combination of tuples of constants and tangents, which is linear in the
/// tangents. Tuples have the elements in the order of the sources.
class LinearCombiner {
public:
  LinearCombiner(CombiningOpInterface op, const TransposeBuilder &builder);

  /// The parts of the tangents of a tuple.
  const RealParts &getParts() const { return *parts; }
  SmallVector<Type> getTangentTypes() const;
  /// Returns the constant sources.
  SmallVector<Value> getConstants() const;
  size_t getConstantCount() const { return constants.size(); }
  /// Creates a scan of the constant sources.
  SmallVector<Value> scanConstants(ValueBuilder &b,
                                   ScanDirection direction) const;

  /// Returns a tuple of constants, and of tangents that are zero except for
  /// part `unit`, which is one.
  SmallVector<Value> makeTuple(ValueBuilder &b, ValueRange constants,
                               std::optional<size_t> unit = {}) const;
  SmallVector<Value> combine(ValueBuilder &b, ValueRange first,
                             ValueRange second) const;
  /// Returns the parts of the tangents in a tuple; null for null values.
  SmallVector<Value> split(ValueBuilder &b, ArrayRef<Value> tuple) const;

  /// Multiplies the transpose of the matrix whose columns `getColumn` returns,
  /// as the tangents in a tuple, by `vector`.
  SmallVector<Value>
  transpose(ValueBuilder &b, ArrayRef<Value> vector,
            function_ref<SmallVector<Value>(size_t unit)> getColumn) const;

private:
  SmallVector<Value> sources;
  ArrayAttr identities;
  Region &region;
  SmallVector<unsigned> constants, tangents;
  std::optional<RealParts> parts;
};
} // namespace

LinearCombiner::LinearCombiner(CombiningOpInterface op,
                               const TransposeBuilder &builder)
    : sources(op.getSources()), identities(op.getIdentitiesAttr()),
      region(*op.getCombiner()) {
  SmallVector<Type> elements;
  for (auto [index, source] : llvm::enumerate(sources)) {
    bool isTangent = builder.isTangent(source);
    (isTangent ? tangents : constants).push_back(index);
    if (isTangent)
      elements.push_back(getElementType(source.getType()));
  }
  parts.emplace(elements);
}

SmallVector<Type> LinearCombiner::getTangentTypes() const {
  return llvm::map_to_vector(
      tangents, [&](unsigned index) { return sources[index].getType(); });
}

SmallVector<Value> LinearCombiner::getConstants() const {
  return llvm::map_to_vector(constants,
                             [&](unsigned index) { return sources[index]; });
}

SmallVector<Value>
LinearCombiner::scanConstants(ValueBuilder &b, ScanDirection direction) const {
  if (constants.empty())
    return {};
  SmallVector<Attribute> ofConstants;
  for (unsigned index : constants)
    ofConstants.push_back(identities[index]);
  return scanTuples(
      b, getConstants(), ofConstants, direction,
      [&](ValueBuilder &inner, ValueRange first, ValueRange second) {
        SmallVector<Value> tuple =
            combine(inner, makeTuple(inner, first), makeTuple(inner, second));
        return llvm::map_to_vector(
            constants, [&](unsigned index) { return tuple[index]; });
      });
}

SmallVector<Value> LinearCombiner::makeTuple(ValueBuilder &b, ValueRange values,
                                             std::optional<size_t> unit) const {
  SmallVector<Value> tuple(sources.size());
  for (auto [index, value] : llvm::zip_equal(constants, values))
    tuple[index] = value;
  for (auto [index, value] :
       llvm::zip_equal(tangents, parts->makeUnit(b, unit)))
    tuple[index] = value;
  return tuple;
}

SmallVector<Value> LinearCombiner::combine(ValueBuilder &b, ValueRange first,
                                           ValueRange second) const {
  SmallVector<Value> arguments(first);
  llvm::append_range(arguments, second);
  return inlineElementRegion(b, region, arguments);
}

SmallVector<Value> LinearCombiner::split(ValueBuilder &b,
                                         ArrayRef<Value> tuple) const {
  return parts->split(b, llvm::map_to_vector(tangents, [&](unsigned index) {
                        return tuple[index];
                      }));
}

SmallVector<Value> LinearCombiner::transpose(
    ValueBuilder &b, ArrayRef<Value> vector,
    function_ref<SmallVector<Value>(size_t unit)> getColumn) const {
  SmallVector<Value> result;
  for (size_t unit = 0; unit < parts->size(); ++unit)
    result.push_back(multiplyParts(b, split(b, getColumn(unit)), vector));
  return result;
}

/// Composes affine functions of `size` elements: `outer` after `inner`. A
/// function has the elements of its matrix in row-major order, then those of
/// its vector.
static SmallVector<Value> compose(ValueBuilder &b, size_t size,
                                  ValueRange outer, ValueRange inner) {
  SmallVector<Value> composed;
  auto getElement = [&](size_t row, size_t column, bool isVector) {
    Value sum = isVector ? outer[size * size + row] : Value();
    for (size_t k = 0; k < size; ++k) {
      size_t index = isVector ? size * size + k : k * size + column;
      sum = b.add(sum, b.mul(outer[row * size + k], inner[index]));
    }
    return sum;
  };
  for (size_t row = 0; row < size; ++row)
    for (size_t column = 0; column < size; ++column)
      composed.push_back(getElement(row, column, /*isVector=*/false));
  for (size_t row = 0; row < size; ++row)
    composed.push_back(getElement(row, 0, /*isVector=*/true));
  return composed;
}

/// Scans affine functions with the elements of `functions`, without the own one
/// of each position, and returns the vectors of the results.
static SmallVector<Value> scanAffine(ValueBuilder &b, size_t size,
                                     ValueRange functions, IntegerAttr axis,
                                     bool isReverse) {
  Type element = getElementType(functions.front().getType());
  SmallVector<Attribute> identities;
  for (size_t row = 0; row < size; ++row)
    for (size_t column = 0; column < size; ++column)
      identities.push_back(getRealIdentity(b, element, row == column));
  identities.append(size, getRealIdentity(b, element, 0));
  SmallVector<Value> scanned = scanTuples(
      b, functions, identities, {axis, /*isExclusive=*/true, isReverse},
      [&](ValueBuilder &inner, ValueRange first, ValueRange second) {
        return isReverse ? compose(inner, size, first, second)
                         : compose(inner, size, second, first);
      });
  return SmallVector<Value>(ArrayRef(scanned).take_back(size));
}

namespace {
/// The transpose of a scan. Let y_i = A_i y_(i-1) + B_i u_i be the recurrence
/// of the tangents, and g_i the cotangents of the results. If these are y_i,
/// the cotangent of y_i is c_i = g_i + A_(i+1)' c_(i+1), and that of u_i is
/// B_i' c_i. With h_i(v) = A_i' (g_i + v), c_i is g_i plus the composition of
/// the h after i, applied to zero. A scan with `exclusive` returns y_(i-1);
/// then c_i is the composition of h_i(v) = g_i + A_i' v after i. With
/// `reverse`, i + 1 is before i.
class TransposedScan {
public:
  TransposedScan(CombiningOpInterface op, ScanDirection direction,
                 TransposeBuilder &b)
      : direction(direction), b(b), combiner(op, b),
        size(combiner.getParts().size()) {}

  /// Returns the cotangents of the sources that are tangents.
  SmallVector<Value> build(ArrayRef<Value> cotangents);

private:
  /// Combines, in a region, the tuples of y_(i-1) and u_i, of which one has a
  /// unit vector: the column of A_i, or of B_i.
  SmallVector<Value> getColumn(ValueBuilder &inner, ValueRange arguments,
                               size_t unit, bool isOfBefore);
  /// Returns the matrices and the vectors of the functions h.
  SmallVector<Value> mapFunctions(ArrayRef<Value> ofResults);
  /// Multiplies the transposes of B by cotangents.
  SmallVector<Value> mapTangents(ArrayRef<Value> cotangents);

  ScanDirection direction;
  TransposeBuilder &b;
  LinearCombiner combiner;
  size_t size;
  /// The constants of y_(i-1), then those of u_i.
  SmallVector<Value> constants;
};
} // namespace

SmallVector<Value> TransposedScan::getColumn(ValueBuilder &inner,
                                             ValueRange arguments, size_t unit,
                                             bool isOfBefore) {
  auto none = std::optional<size_t>();
  size_t count = combiner.getConstantCount();
  SmallVector<Value> before =
      combiner.makeTuple(inner, arguments.take_front(count),
                         isOfBefore ? std::optional(unit) : none);
  SmallVector<Value> element =
      combiner.makeTuple(inner, arguments.slice(count, count),
                         isOfBefore ? none : std::optional(unit));
  return direction.isReverse ? combiner.combine(inner, element, before)
                             : combiner.combine(inner, before, element);
}

SmallVector<Value> TransposedScan::mapFunctions(ArrayRef<Value> ofResults) {
  SmallVector<Value> inputs(constants);
  llvm::append_range(inputs, ofResults);
  SmallVector<Type> types(size * size + size, ofResults.front().getType());
  return mapTuples(
      b, types, inputs, [&](ValueBuilder &inner, ValueRange arguments) {
        auto getColumnOfA = [&](size_t unit) {
          return getColumn(inner, arguments, unit, /*isOfBefore=*/true);
        };
        SmallVector<Value> elements, vector(arguments.take_back(size));
        for (size_t unit = 0; unit < size; ++unit)
          llvm::append_range(elements,
                             combiner.split(inner, getColumnOfA(unit)));
        if (!direction.isExclusive)
          vector = combiner.transpose(inner, vector, getColumnOfA);
        llvm::append_range(elements, vector);
        return elements;
      });
}

SmallVector<Value> TransposedScan::mapTangents(ArrayRef<Value> cotangents) {
  SmallVector<Value> inputs(constants);
  llvm::append_range(inputs, cotangents);
  return mapTuples(
      b, combiner.getTangentTypes(), inputs,
      [&](ValueBuilder &inner, ValueRange arguments) {
        auto getColumnOfB = [&](size_t unit) {
          return getColumn(inner, arguments, unit, /*isOfBefore=*/false);
        };
        SmallVector<Value> vector(arguments.take_back(size));
        return combiner.getParts().join(
            inner, combiner.transpose(inner, vector, getColumnOfB));
      });
}

SmallVector<Value> TransposedScan::build(ArrayRef<Value> cotangents) {
  constants = combiner.scanConstants(
      b, {direction.axis, /*isExclusive=*/true, direction.isReverse});
  llvm::append_range(constants, combiner.getConstants());
  SmallVector<Value> ofResults = combiner.split(b, cotangents);
  SmallVector<Value> ofStates = scanAffine(
      b, size, mapFunctions(ofResults), direction.axis, !direction.isReverse);
  if (!direction.isExclusive)
    for (auto [state, result] : llvm::zip_equal(ofStates, ofResults))
      state = b.add(result, state);
  return mapTangents(ofStates);
}

/// Returns the cotangents of the sources of an operation that scans, from those
/// of its results, which have the shape of the sources.
static SmallVector<Value> transposeScan(CombiningOpInterface op,
                                        ScanDirection direction,
                                        TransposeBuilder &b,
                                        ArrayRef<Value> cotangents) {
  bool isZero =
      llvm::none_of(cotangents, [](Value value) { return bool(value); });
  SmallVector<Value> results(op->getNumOperands()), given;
  if (isZero)
    return results;
  for (auto [source, cotangent] : llvm::zip_equal(op.getSources(), cotangents))
    given.push_back(b.isTangent(source) ? b.orZero(cotangent, source.getType())
                                        : Value());
  SmallVector<Value> ofTangents = TransposedScan(op, direction, b).build(given);
  unsigned position = 0;
  for (auto [index, source] : llvm::enumerate(op.getSources()))
    if (b.isTangent(source))
      results[index] = ofTangents[position++];
  return results;
}

template <>
Derivatives tile::transposeByRegion<ScanOp>(ScanOp op, TransposeBuilder &b,
                                            ArrayRef<Value> cotangents) {
  ScanDirection direction{op.getAxisAttr(), op.getExclusive(), op.getReverse()};
  return transposeScan(op, direction, b, cotangents);
}

/// The result of a reduction is the last element of a scan.
template <>
Derivatives tile::transposeByRegion<ReduceOp>(ReduceOp op, TransposeBuilder &b,
                                              ArrayRef<Value> cotangents) {
  auto type = cast<TileType>(op.getSources().front().getType());
  TileBuilder tiles(b, b.getLoc(), type.getShape());
  Type integer = b.getI32Type();
  std::optional<uint64_t> axis = op.getAxis();
  int64_t count = axis ? type.getShape()[*axis] : type.getNumElements();
  Value index = axis ? tiles.iota(integer, *axis) : tiles.number(integer);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index,
                                       tiles.constant(integer, count - 1));
  SmallVector<Value> ofScan;
  for (Value cotangent : cotangents)
    ofScan.push_back(cotangent ? b.select(isLast, cotangent, Value())
                               : Value());
  ScanDirection direction{op.getAxisAttr(), /*isExclusive=*/false,
                          /*isReverse=*/false};
  return transposeScan(op, direction, b, ofScan);
}
