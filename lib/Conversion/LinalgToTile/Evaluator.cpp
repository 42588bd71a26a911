// Evaluator.cpp - tiles of tensors, computed where they are needed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

SmallVector<unsigned> fromlinalg::getSizedDims(const Box &box) {
  SmallVector<unsigned> dims;
  for (auto [dim, part] : llvm::enumerate(box))
    if (part.size > 1)
      dims.push_back(dim);
  return dims;
}

SmallVector<int64_t> fromlinalg::getShape(const Box &box) {
  return llvm::map_to_vector(getSizedDims(box),
                             [&](unsigned dim) { return box[dim].size; });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Returns the tile of a box of `tensor`. If it was requested before in the
/// same loop, returns the tile that was built then.
Value Evaluator::evaluate(Value tensor, const Box &box) {
  unsigned depth = 0;
  for (const BoxDim &dim : box)
    depth = std::max(depth, kernel.getDepth(dim.offset));
  std::pair<void *, SmallVector<BoxDim, 4>> key{tensor.getAsOpaquePointer(),
                                                box};
  if (auto known = tiles.find(key); known != tiles.end())
    return known->second;
  Value tile = kernel.buildAt(depth, [&] { return build(tensor, box); });
  return tiles[key] = tile;
}

Value Evaluator::build(Value tensor, const Box &box) {
  if (grouping.isLoaded(tensor, groupIndex))
    return buildLoad(tensor, box, /*pad=*/{});
  Location loc = tensor.getLoc();
  if (OpFoldResult splatted = getSplat(tensor)) {
    if (auto scalar = dyn_cast<Value>(splatted))
      return fill(loc, getShape(box), kernel.getScalar(scalar));
    return splat(loc, getShape(box),
                 ::cast<TypedAttr>(::cast<Attribute>(splatted)));
  }
  Operation *op = tensor.getDefiningOp();
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    auto result = ::cast<OpResult>(tensor);
    if (isElementwise(generic))
      return buildElementwise(result, box);
    std::optional<Matmul> matmul = matchMatmul(generic);
    if (!matmul)
      return buildCombination(result, box);
    auto softmax = grouping.softmaxes.find(generic);
    if (softmax != grouping.softmaxes.end() &&
        getGroup().contains(softmax->second.weights->get()) &&
        !isWhole(generic, matmul->getSum()))
      return buildOnlineSoftmax(generic, *matmul, softmax->second, box);
    return buildMatmul(generic, *matmul, box);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return buildPad(pad, box);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return buildSlice(slice, box);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return buildInsertion(insertion, box);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return buildUnitReshape(op, box);
  if (auto renamed = dyn_cast<tensor::CastOp>(op))
    return evaluate(renamed.getSource(), box);
  // Elements of a tensor.empty may have any value.
  assert(isa<tensor::EmptyOp>(op) && "others were refused");
  auto type = ::cast<RankedTensorType>(tensor.getType());
  return splat(loc, getShape(box),
               ::cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
}

/// Returns the elements along one dimension that the iterations `loops` access.
/// The index `expr` is a sum of multiples of loops, at most one of which has
/// several iterations in a tile.
static BoxDim mapDim(KernelBuilder &kernel, AffineExpr expr, const Box &loops) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {kernel.getIndex(constant.getValue())};
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return loops[loop.getPosition()];
  auto binary = ::cast<AffineBinaryOpExpr>(expr);
  BoxDim lhs = mapDim(kernel, binary.getLHS(), loops);
  if (binary.getKind() == AffineExprKind::Mul) {
    int64_t factor = ::cast<AffineConstantExpr>(binary.getRHS()).getValue();
    return {kernel.multiply(lhs.offset, factor), lhs.size, lhs.step * factor};
  }
  BoxDim rhs = mapDim(kernel, binary.getRHS(), loops);
  return {kernel.add(lhs.offset, rhs.offset), std::max(lhs.size, rhs.size),
          lhs.size > 1 ? lhs.step : rhs.step};
}

Box Evaluator::mapBox(AffineMap map, const Box &loops) {
  Box box;
  for (AffineExpr expr : map.getResults())
    box.push_back(mapDim(kernel, expr, loops));
  return box;
}

Box Evaluator::getLoops(OpResult result, const Box &box) {
  auto op = ::cast<linalg::GenericOp>(result.getOwner());
  AffineMap map = op.getIndexingMapMatchingResult(result);
  Box loops(op.getNumLoops(), BoxDim{kernel.getIndex(int64_t(0))});
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    loops[*getLoop(map, dim)] = box[dim];
  return loops;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Value Evaluator::getExtent(Value tensor, unsigned dim) {
  auto type = ::cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return kernel.getIndex(type.getDimSize(dim));
  if (grouping.isLoaded(tensor, groupIndex) ||
      getGroup().outputs.contains(tensor))
    return kernel.getExtent(kernel.getArray(tensor), dim);
  if (auto op = tensor.getDefiningOp<linalg::GenericOp>()) {
    AffineMap map = op.getIndexingMapMatchingResult(::cast<OpResult>(tensor));
    if (std::optional<unsigned> loop = fromlinalg::getLoop(map, dim))
      return getLoopExtent(op, *loop);
  }
  // The kernel has no array with this size: the host passes it as an argument.
  Operation *end =
      kernel.getKernel()->getNextNode()->getRegion(0).front().getTerminator();
  OpBuilder host(end);
  Value size = tensor::DimOp::create(host, tensor.getLoc(), tensor, dim);
  return kernel.getScalar(size);
}

/// Returns the extent of a loop, if possible as the size of an operand that is
/// in memory.
Value Evaluator::getLoopExtent(linalg::GenericOp op, unsigned loop) {
  int64_t extent = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(extent))
    return kernel.getIndex(extent);
  std::optional<std::pair<Value, unsigned>> found;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Value tensor = op.isDpsInit(&operand) ? Value(op.getTiedOpResult(&operand))
                                          : operand.get();
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      if (fromlinalg::getLoop(map, dim) != loop)
        continue;
      if (grouping.isLoaded(tensor, groupIndex) ||
          getGroup().outputs.contains(tensor))
        return getExtent(tensor, dim);
      if (op.isDpsInput(&operand))
        found = {tensor, dim};
    }
  }
  if (found)
    return getExtent(found->first, found->second);
  // No input has the loop: the extent is that of the result.
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (fromlinalg::getLoop(map, dim) == loop)
        return getExtent(init.get(), dim);
  }
  llvm_unreachable("each loop indexes an operand");
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static TileType getTileType(Value tile) {
  return ::cast<TileType>(tile.getType());
}

Value Evaluator::transpose(Location loc, Value tile,
                           ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return tile;
  TileType type = getTileType(tile);
  SmallVector<int64_t> shape = llvm::map_to_vector(
      permutation, [&](int64_t dim) { return type.getShape()[dim]; });
  return TransposeOp::create(builder, loc,
                             TileType::get(shape, type.getElementType()), tile,
                             permutation);
}

Value Evaluator::reshape(Location loc, Value tile, ArrayRef<int64_t> shape) {
  TileType type = getTileType(tile);
  if (type.getShape() == shape)
    return tile;
  return ReshapeOp::create(builder, loc,
                           TileType::get(shape, type.getElementType()), tile);
}

Value Evaluator::permuteTo(Location loc, Value tile, const Box &loops,
                           AffineMap map) {
  SmallVector<unsigned> sized = getSizedDims(loops);
  SmallVector<int64_t> permutation;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    auto found = llvm::find(sized, *fromlinalg::getLoop(map, dim));
    if (found != sized.end())
      permutation.push_back(found - sized.begin());
  }
  return transpose(loc, tile, permutation);
}

Value Evaluator::broadcast(Location loc, Value tile, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> dims) {
  if (dims.size() == shape.size())
    return tile;
  auto type = TileType::get(shape, getTileType(tile).getElementType());
  bool areLast =
      dims.empty() || dims.front() == int64_t(shape.size() - dims.size());
  return BroadcastOp::create(builder, loc, type, tile,
                             areLast ? DenseI64ArrayAttr()
                                     : builder.getDenseI64ArrayAttr(dims));
}

Value Evaluator::splat(Location loc, ArrayRef<int64_t> shape, TypedAttr value) {
  auto type = TileType::get(shape, value.getType());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, value));
}

Value Evaluator::fill(Location loc, ArrayRef<int64_t> shape, Value scalar) {
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return splat(loc, shape, ::cast<TypedAttr>(constant));
  return FillOp::create(builder, loc, TileType::get(shape, scalar.getType()),
                        scalar);
}

Value Evaluator::cast(Location loc, Value tile, Type element) {
  TileType type = getTileType(tile);
  if (type.getElementType() == element)
    return tile;
  return CastOp::create(builder, loc, TileType::get(type.getShape(), element),
                        tile, /*unsigned_integer=*/false, /*saturate=*/false,
                        /*bitcast=*/false);
}

/// Whether all elements of a dimension are known to be inside.
static bool isInside(const BoxDim &dim, Value extent) {
  std::optional<int64_t> end = getConstantIntValue(extent);
  std::optional<int64_t> begin = getConstantIntValue(dim.offset);
  if (!begin || !end)
    return false;
  int64_t last = *begin + (dim.size - 1) * dim.step;
  return std::min(*begin, last) >= 0 && std::max(*begin, last) < *end;
}

/// Compares without sign: a negative coordinate is a large unsigned value.
Value Evaluator::getInside(Location loc, const Box &box, unsigned dim,
                           Value extent) {
  const BoxDim &part = box[dim];
  if (isInside(part, extent))
    return {};
  constexpr auto kBelow = arith::CmpIPredicate::ult;
  if (part.size == 1)
    return arith::CmpIOp::create(builder, loc, kBelow, part.offset, extent);
  SmallVector<int64_t> shape = getShape(box);
  SmallVector<unsigned> sized = getSizedDims(box);
  int64_t axis = llvm::find(sized, dim) - sized.begin();
  Type i32 = builder.getI32Type();
  Value indices = IotaOp::create(builder, loc, TileType::get(shape, i32), axis,
                                 Value(), Value());
  if (part.step != 1)
    indices = arith::MulIOp::create(
        builder, loc, indices,
        splat(loc, shape, builder.getI32IntegerAttr(int32_t(part.step))));
  auto toTile = [&](Value index) {
    Value scalar = arith::IndexCastOp::create(builder, loc, i32, index);
    return fill(loc, shape, scalar);
  };
  if (getConstantIntValue(part.offset) != 0)
    indices = arith::AddIOp::create(builder, loc, indices, toTile(part.offset));
  return arith::CmpIOp::create(builder, loc, kBelow, indices, toTile(extent));
}

Value Evaluator::keepInside(Location loc, Value tile, const Box &box,
                            unsigned dim, Value extent, Value other) {
  Value inside = getInside(loc, box, dim, extent);
  if (!inside)
    return tile;
  return SelectOp::create(builder, loc, inside, tile,
                          fill(loc, getShape(box), other));
}
