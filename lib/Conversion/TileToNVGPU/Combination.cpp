// Combination.cpp - the associative operation of a reduction or a scan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Combination.h"

#include "RegisterTiles.h"

#include "tile/Conversion/CombineByKind.h"
#include "tile/IR/ElementRegion.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Kinds and regions
//===----------------------------------------------------------------------===//

/// Creates the constant that an operation's attribute specifies; for a complex
/// type, the attribute is an array of the two parts.
static Value createValue(OpBuilder &builder, Location loc, Attribute attribute,
                         Type type) {
  if (auto parts = dyn_cast<ArrayAttr>(attribute))
    return complex::ConstantOp::create(builder, loc, type, parts);
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(attribute));
}

Combination::Combination(CombiningOpInterface op, OpBuilder &builder)
    : op(op), builder(builder), loc(op.getLoc()) {}

ElementTuple Combination::createIdentity() {
  ElementTuple identity;
  for (auto [i, source] : llvm::enumerate(op.getSources())) {
    Type type = cast<TileType>(source.getType()).getElementType();
    identity.push_back(
        op.getCombiner()
            ? createValue(builder, loc, op.getIdentitiesAttr()[i], type)
            : tile::createIdentity(builder, loc, op.getKindAttr().getValue(),
                                   type));
  }
  return identity;
}

ElementTuple Combination::combine(ArrayRef<Value> first,
                                  ArrayRef<Value> second) {
  if (!op.getCombiner())
    return {combineByKind(builder, loc, op.getKindAttr().getValue(),
                          first.front(), second.front())};
  SmallVector<Value> arguments(first);
  llvm::append_range(arguments, second);
  return inlineElementRegion(builder, *op.getCombiner(), arguments);
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

SmallVector<ElementTuple> tile::unpackTuples(OpBuilder &builder, Operation *op,
                                             OperandRange sources,
                                             ArrayRef<ValueRange> packs) {
  SmallVector<ElementTuple> tuples;
  for (auto [source, values] : llvm::zip_equal(sources, packs)) {
    SmallVector<Value> elements =
        unpack(builder, op->getLoc(), cast<TileType>(source.getType()), values);
    tuples.resize(elements.size());
    for (auto [tuple, element] : llvm::zip_equal(tuples, elements))
      tuple.push_back(element);
  }
  return tuples;
}

SmallVector<SmallVector<Value>>
tile::packTuples(OpBuilder &builder, Operation *op,
                 ArrayRef<ElementTuple> tuples) {
  SmallVector<SmallVector<Value>> results;
  for (OpResult result : op->getResults()) {
    SmallVector<Value> elements =
        llvm::map_to_vector(tuples, [&](const ElementTuple &tuple) {
          return tuple[result.getResultNumber()];
        });
    results.push_back(pack(builder, op->getLoc(),
                           cast<TileType>(result.getType()), elements));
  }
  return results;
}

ElementTuple tile::selectTuple(IndexBuilder &index, Value condition,
                               ArrayRef<Value> yes, ArrayRef<Value> no) {
  ElementTuple result;
  for (auto [a, b] : llvm::zip_equal(yes, no))
    result.push_back(index.select(condition, a, b));
  return result;
}

void tile::replacePadding(IndexBuilder &index, Combination &combination,
                          TileType type, int64_t axis,
                          MutableArrayRef<ElementTuple> tuples) {
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  if (layout.getBox()[axis] == type.getDimSize(axis))
    return;
  ThreadCoordinates coordinates(index, layout);
  ElementTuple identity = combination.createIdentity();
  SmallVector<int64_t> whole(ArrayRef<int64_t>(layout.getBox()));
  whole[axis] = type.getDimSize(axis);
  for (auto [value, tuple] : llvm::enumerate(tuples))
    if (Value inside = coordinates.isInside(value, whole))
      tuple = selectTuple(index, inside, tuple, identity);
}
