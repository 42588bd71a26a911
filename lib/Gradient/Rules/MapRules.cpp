// MapRules.cpp - the derivative of tile.map
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tangents of a map are another map, on the inputs, their tangents and
// those of scalars that the region uses; its region is that of the map,
// linearized. The transpose of that map is a third one, on the inputs and the
// cotangents, whose region is the transpose of the second one's.

#include "../Dependence.h"
#include "RealParts.h"
#include "Rules.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/ElementRegion.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Returns the tile repeated to a shape, as tile.map repeats its inputs.
static Value repeat(ValueBuilder &b, Value tile, ArrayRef<int64_t> shape) {
  auto type = cast<TileType>(tile.getType());
  if (type.getShape() == shape)
    return tile;
  return BroadcastOp::create(b, TileType::get(shape, type.getElementType()),
                             tile);
}

/// Returns the differentiable results of a map; the others have no tangents.
static SmallVector<unsigned> listDifferentiable(MapOp op) {
  SmallVector<unsigned> found;
  for (auto [index, type] : llvm::enumerate(op.getResultTypes()))
    if (isDifferentiable(type))
      found.push_back(index);
  return found;
}

/// Keeps the operands of a block's terminator at `kept`.
static void keepOperands(Block &block, ArrayRef<unsigned> kept) {
  SmallVector<Value> values;
  for (unsigned index : kept)
    values.push_back(block.getTerminator()->getOperand(index));
  block.getTerminator()->setOperands(values);
}

//===----------------------------------------------------------------------===//
// Tangents
//===----------------------------------------------------------------------===//

namespace tile {
static Derivatives makeTangents(MapOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  SmallVector<unsigned> results = listDifferentiable(op);
  // The values in the region that have tangents, which are more inputs.
  SmallVector<Value> seeds, inputs, ofInputs;
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    inputs.push_back(repeat(b, input, op.getShape()));
    if (!tangents[index])
      continue;
    seeds.push_back(op.getBody().getArgument(index));
    ofInputs.push_back(repeat(b, tangents[index], op.getShape()));
  }
  unsigned argumentCount = seeds.size();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value scalar : captured)
    if (Value tangent = b.getTangent(scalar)) {
      Type type = TileType::get(op.getShape(), tangent.getType());
      seeds.push_back(scalar);
      ofInputs.push_back(FillOp::create(b, type, tangent));
    }
  llvm::append_range(inputs, ofInputs);
  SmallVector<Type> types;
  for (unsigned index : results)
    types.push_back(op.getResult(index).getType());
  auto mapped = MapOp::create(b, types, inputs);
  FailureOr<ValueSet> active = findActive(
      op, seeds, op.getBody().front().getTerminator()->getOperands());
  if (failed(active))
    return failure();
  TangentBuilder inner(b.getContext(), *active, b.replacesOperations());
  auto setTangents = [&](Block &block) {
    unsigned first = op.getInputs().size();
    for (auto [position, seed] : llvm::enumerate(seeds)) {
      // A scalar from outside is the same value in the new region.
      Value value =
          position < argumentCount
              ? block.getArgument(cast<BlockArgument>(seed).getArgNumber())
              : seed;
      inner.setTangent(value, block.getArgument(first + position));
    }
  };
  if (failed(inner.cloneLinearized(op.getBody(), mapped.getBody(),
                                   getElementTypes(ofInputs), setTangents)))
    return failure();
  Block &block = mapped.getBody().front();
  keepOperands(block, results);
  Operation *yield = block.getTerminator();
  inner.setInsertionPoint(yield);
  for (OpOperand &operand : yield->getOpOperands()) {
    Value tangent = inner.getTangent(operand.get());
    operand.set(inner.orZero(tangent, operand.get().getType()));
  }
  SmallVector<Value> ofResults(op->getNumResults());
  for (auto [position, index] : llvm::enumerate(results))
    ofResults[index] = mapped.getResult(position);
  return ofResults;
}
} // namespace tile

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

namespace {
/// The transpose of a linear map: a map of its constant inputs, and of the
/// cotangents of its results.
class TransposedMap {
public:
  TransposedMap(MapOp op, TransposeBuilder &b, ArrayRef<Value> cotangents);

  /// Returns the cotangents of the inputs.
  Derivatives build();

private:
  /// Each of these creates the operations of the region, and returns the
  /// elements that it yields.
  Derivatives transposeOperations();
  Derivatives multiplyColumns();

  MapOp op, transposed;
  TransposeBuilder &b;
  /// Indices of inputs of `op`, and of the results that have cotangents.
  SmallVector<unsigned> constants, tangents, given;
  Block *body;
};
} // namespace

TransposedMap::TransposedMap(MapOp op, TransposeBuilder &b,
                             ArrayRef<Value> cotangents)
    : op(op), b(b) {
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    bool isTangent = b.isTangent(input);
    (isTangent ? tangents : constants).push_back(index);
    if (isTangent)
      types.push_back(input.getType());
    else
      inputs.push_back(input);
  }
  for (auto [index, cotangent] : llvm::enumerate(cotangents))
    if (cotangent) {
      given.push_back(index);
      inputs.push_back(cotangent);
    }
  transposed = MapOp::create(b, types, inputs);
  body = &transposed.getBody().emplaceBlock();
  SmallVector<Location> locations(inputs.size(), b.getLoc());
  body->addArguments(getElementTypes(inputs), locations);
}

/// Moves the operations of the region, and transposes them.
Derivatives TransposedMap::transposeOperations() {
  SmallVector<Value> seeds, yielded;
  for (unsigned index : tangents)
    seeds.push_back(op.getBody().getArgument(index));
  ValueSet dependents = Dependence(op).findDependents(seeds);
  for (auto [position, index] : llvm::enumerate(constants))
    op.getBody().getArgument(index).replaceAllUsesWith(
        body->getArgument(position));
  body->getOperations().splice(body->end(),
                               op.getBody().front().getOperations());
  llvm::DenseMap<Value, GradientUpdate> noUpdates;
  TransposeBuilder inner(b.getContext(), dependents, noUpdates);
  Derivatives inside =
      inner.transposeBody(*body, {}, [&](Operation *terminator) {
        for (auto [position, index] : llvm::enumerate(given))
          inner.addCotangent(terminator->getOperand(index),
                             body->getArgument(constants.size() + position));
      });
  if (failed(inside))
    return failure();
  inner.setInsertionPointToEnd(body);
  for (Value seed : seeds)
    yielded.push_back(inner.orZero(inner.takeCotangent(seed), seed.getType()));
  return yielded;
}

/// Computes the region for each unit vector of the tangents, and multiplies the
/// results by the cotangents.
Derivatives TransposedMap::multiplyColumns() {
  ImplicitLocOpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(body);
  Block &old = op.getBody().front();
  auto getTypes = [](auto &&values) {
    return SmallVector<Type>(TypeRange(values));
  };
  SmallVector<Value> ofInputs, ofResults;
  for (unsigned index : tangents)
    ofInputs.push_back(old.getArgument(index));
  for (unsigned index : given)
    ofResults.push_back(old.getTerminator()->getOperand(index));
  RealParts columns(getTypes(ValueRange(ofInputs)));
  RealParts rows(getTypes(ValueRange(ofResults)));
  SmallVector<Value> arguments(op.getInputs().size()), products;
  for (auto [position, index] : llvm::enumerate(constants))
    arguments[index] = body->getArgument(position);
  SmallVector<Value> vector = rows.split(
      b, SmallVector<Value>(body->getArguments().drop_front(constants.size())));
  for (size_t unit = 0; unit < columns.size(); ++unit) {
    for (auto [index, scalar] :
         llvm::zip_equal(tangents, columns.makeUnit(b, unit)))
      arguments[index] = scalar;
    SmallVector<Value> results =
        inlineElementRegion(b, op.getBody(), arguments);
    SmallVector<Value> column =
        rows.split(b, llvm::map_to_vector(given, [&](unsigned index) {
                     return results[index];
                   }));
    products.push_back(multiplyParts(b, column, vector));
  }
  return columns.join(b, products);
}

Derivatives TransposedMap::build() {
  // The transpose of a loop may need values of its iterations, for which a
  // region has no array.
  bool hasLoop =
      op.getBody()
          .walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
          .wasInterrupted();
  Derivatives yielded = hasLoop ? multiplyColumns() : transposeOperations();
  if (failed(yielded))
    return failure();
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(body);
    YieldOp::create(b, *yielded);
  }
  SmallVector<Value> results(op->getNumOperands());
  for (auto [index, result] :
       llvm::zip_equal(tangents, transposed.getResults()))
    results[index] = result;
  return results;
}

namespace tile {
static Derivatives makeTranspose(MapOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  bool isZero =
      llvm::none_of(cotangents, [](Value value) { return bool(value); });
  if (isZero)
    return SmallVector<Value>(op->getNumOperands());
  return TransposedMap(op, b, cotangents).build();
}
} // namespace tile

void tile::addMapRules(MLIRContext &context) {
  attachModels<TangentModel, MapOp>(context);
  attachModels<TransposeModel, MapOp>(context);
}
