// MergeWindows.cpp - convolutions as matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row of an image has too few positions of windows for a tile. Therefore
// the positions in all rows together are the columns (or rows) of one matrix,
//
//   out[n, f, p] += sum over k of filter[f, k] * windows[n, k, p]
//
// with p = y W + x, and, if there are few channels, k = (c, ky, kx) in the
// filter's order. `windows` is computed where it is read, from elements
// gathered from the image, and is never in memory, unlike in the first
// convolutions by matmul (Chellapilla, Puri, Simard, "High performance
// convolutional neural networks for document processing", 2006).

#include "MergeWindows.h"
#include "Structure.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Minimum number of channels for which a tile's sum is only over channels: as
/// many as a matrix instruction of f16 sums. With fewer channels the sum is
/// over all elements of a window.
static constexpr int64_t kManyChannels = 16;

/// Loops that become one, the outermost first.
using Merged = SmallVector<unsigned, 3>;

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// A contraction of a filter and the windows of an image.
struct Convolution {
  linalg::GenericOp op;
  Matmul matmul;
  OpOperand *image, *filter;

  AffineMap getMap(OpOperand *operand) {
    return op.getMatchingIndexingMap(operand);
  }
  AffineMap getOutMap() { return getMap(op.getDpsInitOperand(0)); }
};
} // namespace

static bool isWindow(AffineExpr index) { return !isa<AffineDimExpr>(index); }

static std::optional<Convolution> matchConvolution(linalg::GenericOp op) {
  std::optional<Matmul> matmul = matchMatmul(op);
  if (!matmul)
    return std::nullopt;
  auto hasWindows = [&](OpOperand *factor) {
    return llvm::any_of(op.getMatchingIndexingMap(factor).getResults(),
                        isWindow);
  };
  bool isFirst = hasWindows(matmul->lhs);
  if (isFirst == hasWindows(matmul->rhs))
    return std::nullopt;
  Convolution found{op, *matmul, isFirst ? matmul->lhs : matmul->rhs,
                    isFirst ? matmul->rhs : matmul->lhs};
  if (!found.getMap(found.filter).isProjectedPermutation() ||
      !found.getOutMap().isProjectedPermutation() ||
      !llvm::all_of(found.getMap(found.image).getResults(), isSumOfMultiples))
    return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the wanted loops that index the tensor of `map`, in the order of its
/// dimensions; empty if these dimensions are not adjacent, or if the number of
/// iterations does not fit in 32 bits.
template <typename IsWanted>
static Merged findNeighbours(linalg::GenericOp op, AffineMap map,
                             IsWanted isWanted) {
  Merged found;
  int64_t last = -1, count = 1;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    if (!isWanted(loop))
      continue;
    int64_t extent = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(extent) ||
        (!found.empty() && int64_t(dim) != last + 1) ||
        llvm::MulOverflow(count, extent, count) || count > INT32_MAX)
      return {};
    last = int64_t(dim);
    found.push_back(loop);
  }
  return found;
}

/// Returns the loops over the positions of windows; empty if there is only one.
static Merged findPositions(Convolution &convolution) {
  AffineMap image = convolution.getMap(convolution.image);
  Merged found = findNeighbours(
      convolution.op, convolution.getOutMap(), [&](unsigned loop) {
        return llvm::any_of(image.getResults(), [&](AffineExpr index) {
          return isWindow(index) && index.isFunctionOfDim(loop);
        });
      });
  return found.size() > 1 ? found : Merged();
}

/// Returns the loops over the elements of a window; empty if there are
/// kManyChannels or more channels.
static Merged findSums(Convolution &convolution) {
  ArrayRef<unsigned> sums = convolution.matmul.sums;
  int64_t channels = convolution.op.getStaticLoopRanges()[sums.back()];
  if (ShapedType::isDynamic(channels) || channels >= kManyChannels)
    return {};
  Merged found = findNeighbours(
      convolution.op, convolution.getMap(convolution.filter),
      [&](unsigned loop) { return llvm::is_contained(sums, loop); });
  return found.size() == sums.size() ? found : Merged();
}

/// Whether positions along the dimensions that windows move in fit in 32 bits.
static bool hasSmallWindows(Convolution &convolution) {
  auto type = cast<RankedTensorType>(convolution.image->get().getType());
  for (auto [index, extent] : llvm::zip_equal(
           convolution.getMap(convolution.image).getResults(), type.getShape()))
    if (isWindow(index) &&
        (ShapedType::isDynamic(extent) || extent > INT32_MAX))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

namespace {
/// Replaces a convolution by a matmul with merged loops. The new loops are
/// first those of the result, in the order of its dimensions, then the loops of
/// sums. Each one replaces one or several of the old loops.
class Merger {
public:
  Merger(Convolution convolution, const Merged &positions, const Merged &sums);
  void run();

private:
  bool indexes(unsigned loop, AffineMap map);
  int64_t getExtent(unsigned loop);
  SmallVector<unsigned> getLoops(AffineMap map);
  SmallVector<ReassociationIndices> associate(AffineMap map);
  Value collapse(OpOperand *operand);
  SmallVector<unsigned> getWindowLoops();
  Value makeWindows(ArrayRef<unsigned> indexed);
  Value makeIndex(AffineExpr expr, ArrayRef<Value> oldIndices);
  Value extract(ArrayRef<unsigned> indexed);
  AffineMap makeMap(ArrayRef<unsigned> indexed);
  void copyBody(linalg::GenericOp matmul);
  Value makeMatmul();

  Convolution convolution;
  linalg::GenericOp op;
  ImplicitLocOpBuilder builder;
  SmallVector<Merged> loops;
};
} // namespace

Merger::Merger(Convolution convolution, const Merged &positions,
               const Merged &sums)
    : convolution(convolution), op(convolution.op), builder(op.getLoc(), op) {
  for (AffineExpr index : convolution.getOutMap().getResults()) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    if (!llvm::is_contained(positions, loop))
      loops.push_back({loop});
    else if (loop == positions.front())
      loops.push_back(positions);
  }
  if (!sums.empty())
    loops.push_back(sums);
  else
    for (unsigned loop : convolution.matmul.sums)
      loops.push_back({loop});
}

bool Merger::indexes(unsigned loop, AffineMap map) {
  return llvm::any_of(loops[loop],
                      [&](unsigned old) { return map.isFunctionOfDim(old); });
}

int64_t Merger::getExtent(unsigned loop) {
  int64_t extent = 1;
  for (unsigned old : loops[loop]) {
    int64_t one = op.getStaticLoopRanges()[old];
    if (ShapedType::isDynamic(one))
      return one;
    extent *= one;
  }
  return extent;
}

/// Returns the new loops that index a tensor, in the order of its dimensions.
/// Each result of `map` is one old loop.
SmallVector<unsigned> Merger::getLoops(AffineMap map) {
  SmallVector<unsigned> indexed;
  for (AffineExpr index : map.getResults())
    for (unsigned loop = 0; loop < loops.size(); ++loop)
      if (llvm::is_contained(loops[loop],
                             cast<AffineDimExpr>(index).getPosition()) &&
          (indexed.empty() || indexed.back() != loop))
        indexed.push_back(loop);
  return indexed;
}

/// Returns the groups of a tensor's dimensions that each become one dimension.
SmallVector<ReassociationIndices> Merger::associate(AffineMap map) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (unsigned loop : getLoops(map)) {
    groups.emplace_back();
    for (size_t i = 0; i < loops[loop].size(); ++i)
      groups.back().push_back(next++);
  }
  return groups;
}

Value Merger::collapse(OpOperand *operand) {
  SmallVector<ReassociationIndices> groups =
      associate(convolution.getMap(operand));
  auto type = cast<RankedTensorType>(operand->get().getType());
  if (groups.size() == size_t(type.getRank()))
    return operand->get();
  return tensor::CollapseShapeOp::create(builder, operand->get(), groups);
}

/// Returns the new loops that index the windows. The positions are the last one
/// if they are the columns of the matmul, so that they are adjacent as in the
/// result.
SmallVector<unsigned> Merger::getWindowLoops() {
  AffineMap map = convolution.getMap(convolution.image);
  SmallVector<unsigned> indexed;
  unsigned lastOfResult = getLoops(convolution.getOutMap()).back();
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (indexes(loop, map) && loop != lastOfResult)
      indexed.push_back(loop);
  if (indexes(lastOfResult, map))
    indexed.push_back(lastOfResult);
  return indexed;
}

/// Builds the index `expr` of a dimension of the image, with `oldIndices` as
/// the indices of the old loops.
Value Merger::makeIndex(AffineExpr expr, ArrayRef<Value> oldIndices) {
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return oldIndices[loop.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIntOp::create(builder, constant.getValue(), 32);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = makeIndex(binary.getLHS(), oldIndices);
  Value rhs = makeIndex(binary.getRHS(), oldIndices);
  if (binary.getKind() == AffineExprKind::Mul)
    return arith::MulIOp::create(builder, lhs, rhs);
  return arith::AddIOp::create(builder, lhs, rhs);
}

/// Builds the body of the windows: returns the image's element for an iteration
/// of the new loops `indexed`.
Value Merger::extract(ArrayRef<unsigned> indexed) {
  SmallVector<Value> oldIndices(op.getNumLoops()), indices(op.getNumLoops());
  for (auto [dim, loop] : llvm::enumerate(indexed)) {
    Value index = linalg::IndexOp::create(builder, dim);
    ArrayRef<unsigned> merged = loops[loop];
    if (merged.size() == 1)
      indices[merged[0]] = index;
    Value rest =
        arith::IndexCastOp::create(builder, builder.getI32Type(), index);
    for (unsigned old : llvm::reverse(merged)) {
      oldIndices[old] = rest;
      if (old == merged.front())
        continue;
      Value extent = arith::ConstantIntOp::create(
          builder, op.getStaticLoopRanges()[old], 32);
      oldIndices[old] = arith::RemUIOp::create(builder, rest, extent);
      rest = arith::DivUIOp::create(builder, rest, extent);
    }
  }
  SmallVector<Value> coordinates;
  for (AffineExpr expr : convolution.getMap(convolution.image).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    Value index = loop ? indices[loop.getPosition()] : Value();
    if (!index)
      index = arith::IndexCastOp::create(builder, builder.getIndexType(),
                                         makeIndex(expr, oldIndices));
    coordinates.push_back(index);
  }
  return tensor::ExtractOp::create(builder, convolution.image->get(),
                                   coordinates);
}

/// Returns the windows, the second operand of the matmul, with a dimension for
/// each of the new loops `indexed`.
Value Merger::makeWindows(ArrayRef<unsigned> indexed) {
  Value image = convolution.image->get();
  AffineMap map = convolution.getMap(convolution.image);
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : indexed) {
    if (int64_t extent = getExtent(loop); !ShapedType::isDynamic(extent)) {
      sizes.push_back(builder.getIndexAttr(extent));
      continue;
    }
    // A loop of dynamic extent is not merged, and is the whole index of a
    // dimension.
    AffineExpr index = builder.getAffineDimExpr(loops[loop].front());
    sizes.push_back(tensor::getMixedSize(builder, builder.getLoc(), image,
                                         *map.getResultPosition(index)));
  }
  Value empty =
      tensor::EmptyOp::create(builder, sizes, getElementTypeOrSelf(image));
  auto rank = unsigned(indexed.size());
  auto windows = linalg::GenericOp::create(
      builder, TypeRange{empty.getType()}, ValueRange{}, ValueRange{empty},
      builder.getMultiDimIdentityMap(rank),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&windows.getRegion(), {}, getElementTypeOrSelf(image),
                      builder.getLoc());
  linalg::YieldOp::create(builder, extract(indexed));
  return windows.getResult(0);
}

AffineMap Merger::makeMap(ArrayRef<unsigned> indexed) {
  SmallVector<AffineExpr> results = llvm::map_to_vector(
      indexed, [&](unsigned loop) { return builder.getAffineDimExpr(loop); });
  return AffineMap::get(unsigned(loops.size()), 0, results,
                        builder.getContext());
}

/// Copies the body of the convolution to `matmul`, whose inputs are the filter
/// and the windows, in this order.
void Merger::copyBody(linalg::GenericOp matmul) {
  OpBuilder::InsertionGuard guard(builder);
  Block *old = op.getBody();
  Block *body =
      builder.createBlock(&matmul.getRegion(), {}, old->getArgumentTypes(),
                          SmallVector<Location>(3, builder.getLoc()));
  unsigned image = convolution.image->getOperandNumber();
  IRMapping mapping;
  mapping.map(old->getArgument(1 - image), body->getArgument(0));
  mapping.map(old->getArgument(image), body->getArgument(1));
  mapping.map(old->getArgument(2), body->getArgument(2));
  for (Operation &step : *old)
    builder.clone(step, mapping);
}

Value Merger::makeMatmul() {
  SmallVector<unsigned> ofWindows = getWindowLoops();
  SmallVector<unsigned> ofOut = getLoops(convolution.getOutMap());
  SmallVector<unsigned> ofFilter =
      getLoops(convolution.getMap(convolution.filter));
  Value windows = makeWindows(ofWindows);
  Value filter = collapse(convolution.filter);
  Value init = collapse(op.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> kinds(loops.size(),
                                         utils::IteratorType::reduction);
  std::fill_n(kinds.begin(), ofOut.size(), utils::IteratorType::parallel);
  auto matmul = linalg::GenericOp::create(
      builder, TypeRange{init.getType()}, ValueRange{filter, windows},
      ValueRange{init}, {makeMap(ofFilter), makeMap(ofWindows), makeMap(ofOut)},
      kinds);
  copyBody(matmul);
  return matmul.getResult(0);
}

void Merger::run() {
  Value result = makeMatmul();
  AffineMap out = convolution.getOutMap();
  SmallVector<ReassociationIndices> groups = associate(out);
  if (groups.size() != out.getNumResults())
    result = tensor::ExpandShapeOp::create(
        builder, op.getResult(0).getType(), result, groups,
        tensor::getMixedSizes(builder, builder.getLoc(), op.getDpsInits()[0]));
  op.getResult(0).replaceAllUsesWith(result);
  op.erase();
}

bool fromlinalg::mergeWindows(func::FuncOp function) {
  bool isChanged = false;
  for (auto op : llvm::make_early_inc_range(
           function.front().getOps<linalg::GenericOp>())) {
    std::optional<Convolution> convolution = matchConvolution(op);
    if (!convolution || !hasSmallWindows(*convolution))
      continue;
    Merged positions = findPositions(*convolution),
           sums = findSums(*convolution);
    if (positions.empty() && sums.empty())
      continue;
    Merger(*convolution, positions, sums).run();
    isChanged = true;
  }
  return isChanged;
}
