// MapRules.cpp - the derivative of tile.map
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tangents of a map are another map, on the inputs, their tangents and
// those of scalars that the region uses; its region is that of the map,
// linearized. The transpose of that map is a third one, on the inputs and the
// cotangents, whose region is the transpose of the second one's.

#include "../Dependence.h"
#include "Rules.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/ElementRegion.h"

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
  TangentBuilder inner(b.getContext(), Dependence(op).findDependents(seeds),
                       b.replacesOperations());
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

static Derivatives makeTranspose(MapOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  SmallVector<Value> inputs, seeds;
  SmallVector<unsigned> constants, linear;
  SmallVector<Type> types;
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    if (b.isTangent(input)) {
      linear.push_back(index);
      types.push_back(input.getType());
      seeds.push_back(op.getBody().getArgument(index));
      continue;
    }
    constants.push_back(index);
    inputs.push_back(input);
  }
  SmallVector<unsigned> given;
  for (auto [index, cotangent] : llvm::enumerate(cotangents))
    if (cotangent) {
      given.push_back(index);
      inputs.push_back(cotangent);
    }
  auto transposed = MapOp::create(b, types, inputs);
  SmallVector<Location> locations(inputs.size(), b.getLoc());
  Block &old = op.getBody().front();
  Block &body = transposed.getBody().emplaceBlock();
  body.addArguments(getElementTypes(inputs), locations);
  for (auto [position, index] : llvm::enumerate(constants))
    old.getArgument(index).replaceAllUsesWith(body.getArgument(position));
  llvm::DenseMap<Value, GradientUpdate> noUpdates;
  ValueSet tangents = Dependence(op).findDependents(seeds);
  body.getOperations().splice(body.end(), old.getOperations());
  TransposeBuilder inner(b.getContext(), tangents, noUpdates);
  Derivatives inside =
      inner.transposeBody(body, {}, [&](Operation *terminator) {
        for (auto [position, index] : llvm::enumerate(given))
          inner.addCotangent(terminator->getOperand(index),
                             body.getArgument(constants.size() + position));
      });
  if (failed(inside))
    return failure();
  inner.setInsertionPointToEnd(&body);
  SmallVector<Value> yielded, results(op->getNumOperands());
  for (Value seed : seeds)
    yielded.push_back(inner.orZero(inner.takeCotangent(seed), seed.getType()));
  YieldOp::create(inner, yielded);
  for (auto [position, index] : llvm::enumerate(linear))
    results[index] = transposed.getResult(position);
  return results;
}
} // namespace tile

void tile::addMapRules(MLIRContext &context) {
  attachModels<TangentModel, MapOp>(context);
  attachModels<TransposeModel, MapOp>(context);
}
