// BodyBuilder.cpp - the body of a linalg.generic, on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodyBuilder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

BodyBuilder::BodyBuilder(Evaluator &evaluator, linalg::GenericOp op,
                         const Box &loops)
    : evaluator(evaluator), builder(evaluator.getBuilder()), op(op),
      loc(op.getLoc()), loops(loops), sized(getSizedDims(loops)) {}

SmallVector<int64_t> BodyBuilder::getShape(ArrayRef<unsigned> axes) {
  return llvm::map_to_vector(
      axes, [&](unsigned axis) { return loops[sized[axis]].size; });
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value BodyBuilder::spread(const Part &part, ArrayRef<unsigned> axes) {
  SmallVector<int64_t> shape = getShape(axes);
  if (!part.isTile)
    return evaluator.fill(loc, shape, part.value);
  if (part.axes == axes)
    return part.value;
  SmallVector<int64_t> dims;
  for (unsigned axis : part.axes)
    dims.push_back(llvm::find(axes, axis) - axes.begin());
  return evaluator.broadcast(loc, part.value, shape, dims);
}

SmallVector<Value> BodyBuilder::unify(ArrayRef<Part> from,
                                      SmallVector<unsigned> &axes) {
  for (const Part &part : from)
    for (unsigned axis : part.axes)
      if (!llvm::is_contained(axes, axis))
        axes.push_back(axis);
  llvm::sort(axes);
  return llvm::map_to_vector(
      from, [&](const Part &part) { return spread(part, axes); });
}

/// Returns the values of the body that `value` is computed from.
static SmallVector<Value> getNeeded(linalg::GenericOp op, Value value) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getBlock() != op.getBody())
    return {};
  if (!isa<tensor::ExtractOp>(made))
    return llvm::to_vector(made->getOperands());
  SmallVector<Value> indices;
  for (Value index : ::cast<tensor::ExtractOp>(made).getIndices()) {
    auto cast = index.getDefiningOp<arith::IndexCastOp>();
    indices.push_back(cast ? cast.getIn() : index);
  }
  return indices;
}

Value BodyBuilder::build(Value value) {
  makeInOrder(
      value, parts, [&](Value part) { return getNeeded(op, part); },
      [&](Value part) { (void)getPart(part); });
  SmallVector<unsigned> axes =
      llvm::to_vector(llvm::seq<unsigned>(0, sized.size()));
  return spread(getPart(value), axes);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

BodyBuilder::Part BodyBuilder::getPart(Value value) {
  if (auto known = parts.find(value); known != parts.end())
    return known->second;
  Part part = makePart(value);
  parts[value] = part;
  return part;
}

BodyBuilder::Part BodyBuilder::makePart(Value value) {
  if (value.getParentBlock() != op.getBody())
    return {evaluator.getKernel().getScalar(value), {}};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return makeOperand(op.getMatchingOpOperand(argument));
  Operation *made = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(made))
    return makeIndex(index);
  if (auto extract = dyn_cast<tensor::ExtractOp>(made))
    return makeGather(extract);
  return makeOperation(made, ::cast<OpResult>(value).getResultNumber());
}

BodyBuilder::Part BodyBuilder::makeOperand(OpOperand *operand) {
  Value tensor = operand->get();
  if (!isa<RankedTensorType>(tensor.getType()))
    return {evaluator.getKernel().getScalar(tensor), {}};
  AffineMap map = op.getMatchingIndexingMap(operand);
  Box box = evaluator.mapBox(map, loops);
  Value tile = evaluator.evaluate(tensor, box);
  // The loop of each dimension of the tile. The tile is then transposed, so
  // that its loops are in order.
  SmallVector<unsigned> axes;
  for (unsigned dim : getSizedDims(box))
    for (auto [axis, loop] : llvm::enumerate(sized))
      if (map.getResult(dim).isFunctionOfDim(loop))
        axes.push_back(axis);
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(axes.size())));
  llvm::sort(order, [&](int64_t a, int64_t b) { return axes[a] < axes[b]; });
  tile = evaluator.transpose(loc, tile, order);
  llvm::sort(axes);
  return {tile, axes, true};
}

BodyBuilder::Part BodyBuilder::makeIndex(linalg::IndexOp index) {
  const BoxDim &dim = loops[index.getDim()];
  auto axis = llvm::find(sized, index.getDim());
  if (axis == sized.end())
    return {dim.offset, {}};
  auto type = TileType::get({dim.size}, builder.getIndexType());
  Value indices =
      IotaOp::create(builder, loc, type, /*axis=*/0, Value(), Value());
  if (dim.step != 1)
    indices = arith::MulIOp::create(
        builder, loc, indices,
        evaluator.splat(loc, {dim.size}, builder.getIndexAttr(dim.step)));
  if (getConstantIntValue(dim.offset) != 0)
    indices = arith::AddIOp::create(
        builder, loc, indices, evaluator.fill(loc, {dim.size}, dim.offset));
  return {indices, {unsigned(axis - sized.begin())}, true};
}

/// Returns a conversion between element types as the properties of tile.cast.
static std::optional<CastOp::Properties> getConversion(Operation *op,
                                                       MLIRContext *context) {
  CastOp::Properties properties;
  auto yes = UnitAttr::get(context);
  if (isa<arith::UIToFPOp, arith::FPToUIOp, arith::ExtUIOp,
          arith::IndexCastUIOp>(op))
    properties.unsigned_integer = yes;
  else if (isa<arith::BitcastOp>(op))
    properties.bitcast = yes;
  else if (!isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp,
                arith::FPToSIOp, arith::ExtSIOp, arith::TruncIOp,
                arith::IndexCastOp>(op))
    return std::nullopt;
  return properties;
}

/// Whether an operation is an integer division, which would divide by the zeros
/// outside the tensors.
static bool dividesIntegers(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

/// Replaces zeros in a divisor by ones: elements outside of tensors are read as
/// zeros, and division by zero is undefined behaviour.
static Value avoidZero(Evaluator &evaluator, Location loc, Value divisor) {
  OpBuilder &builder = evaluator.getBuilder();
  auto type = ::cast<TileType>(divisor.getType());
  auto constant = [&](int64_t value) {
    return evaluator.splat(
        loc, type.getShape(),
        builder.getIntegerAttr(type.getElementType(), value));
  };
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       divisor, constant(0));
  return SelectOp::create(builder, loc, isZero, constant(1), divisor);
}

Value BodyBuilder::makeTile(Operation *made, unsigned result,
                            SmallVector<Value> &operands,
                            ArrayRef<int64_t> shape) {
  Type element = made->getResult(result).getType();
  auto type = TileType::get(shape, element);
  if (isa<arith::SelectOp>(made))
    return SelectOp::create(builder, loc, operands[0], operands[1],
                            operands[2]);
  if (auto conversion = getConversion(made, builder.getContext())) {
    auto tile =
        CastOp::create(builder, loc, TypeRange{type}, operands, *conversion);
    // tile.cast converts true to one. An extension with sign converts it to
    // minus one.
    bool isSigned = isa<arith::ExtSIOp, arith::SIToFPOp>(made) &&
                    made->getOperand(0).getType().isInteger(1);
    if (!isSigned)
      return tile;
    Value zero = evaluator.splat(
        loc, shape, ::cast<TypedAttr>(builder.getZeroAttr(element)));
    if (isa<FloatType>(element))
      return arith::SubFOp::create(builder, loc, zero, tile);
    return arith::SubIOp::create(builder, loc, zero, tile);
  }
  if (dividesIntegers(made))
    operands[1] = avoidZero(evaluator, loc, operands[1]);
  SmallVector<Type> types =
      llvm::map_to_vector(made->getResultTypes(), [&](Type scalar) -> Type {
        return TileType::get(shape, scalar);
      });
  Operation *copy = builder.create(loc, made->getName().getIdentifier(),
                                   operands, types, made->getAttrs());
  for (auto [index, value] : llvm::enumerate(made->getResults()))
    if (index != result)
      others.push_back({value, copy->getResult(index)});
  return copy->getResult(result);
}

/// Builds an operation of the body. Scalars stay scalars; tiles are the
/// smallest ones that have all axes that the operands depend on.
BodyBuilder::Part BodyBuilder::makeOperation(Operation *made, unsigned result) {
  SmallVector<Part> operands = llvm::map_to_vector(
      made->getOperands(), [&](Value operand) { return getPart(operand); });
  if (llvm::none_of(operands, [](const Part &part) { return part.isTile; })) {
    IRMapping mapping;
    for (auto [operand, part] : llvm::zip_equal(made->getOperands(), operands))
      mapping.map(operand, part.value);
    return {builder.clone(*made, mapping)->getResult(result), {}};
  }
  SmallVector<unsigned> axes;
  SmallVector<Value> tiles = unify(operands, axes);
  Value tile = makeTile(made, result, tiles, getShape(axes));
  for (auto [value, other] : others)
    parts[value] = {other, axes, true};
  others.clear();
  return {tile, axes, true};
}

/// Builds the assertions of the body. For iterations of a tile that are outside
/// of the tensors, an assertion counts as true.
void BodyBuilder::buildAssertions() {
  for (auto assertion : op.getBody()->getOps<cf::AssertOp>()) {
    Value holds = build(assertion.getArg());
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    for (unsigned loop = 0; loop < loops.size(); ++loop)
      holds = evaluator.keepInside(loc, holds, loops, loop,
                                   evaluator.getLoopExtent(op, loop), yes);
    AssertOp::create(builder, assertion.getLoc(), holds, assertion.getMsg());
  }
}

Value Evaluator::buildElementwise(OpResult result, const Box &box) {
  auto op = ::cast<linalg::GenericOp>(result.getOwner());
  Box loops = getLoops(result, box);
  BodyBuilder body(*this, op, loops);
  body.buildAssertions();
  Value element =
      op.getBody()->getTerminator()->getOperand(result.getResultNumber());
  return permuteTo(op.getLoc(), body.build(element), loops,
                   op.getIndexingMapMatchingResult(result));
}
