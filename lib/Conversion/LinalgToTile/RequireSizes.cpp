// RequireSizes.cpp - requirements of operations on sizes known only at run time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequireSizes.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

using Sizes = SmallVector<OpFoldResult>;

static std::string describeLocation(Location loc) {
  auto location = loc->findInstanceOf<FileLineColLoc>();
  if (!location)
    return "an operation";
  return ("the operation at " + location.getFilename().getValue() + ":" +
          Twine(location.getLine()) + ":" + Twine(location.getColumn()))
      .str();
}

static void require(OpBuilder &builder, Location loc,
                    arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  cf::AssertOp::create(builder, loc, holds,
                       "sizes that " + describeLocation(loc) + " expects");
}

void fromlinalg::requireEqual(OpBuilder &builder, Location loc, Value lhs,
                              Value rhs) {
  require(builder, loc, arith::CmpIPredicate::eq, lhs, rhs);
}

namespace {
class SizeChecker {
public:
  explicit SizeChecker(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult run(bool isChecked);

private:
  ArrayRef<OpFoldResult> getSizes(Value tensor);
  Sizes computeSizes(Operation *op, OpResult result);
  Sizes computeSizes(tensor::CollapseShapeOp op);
  Sizes computeSizes(tensor::ConcatOp op);
  Sizes computeSizes(tensor::PadOp op);
  void resolve(tensor::DimOp op);
  void noteSizes(Operation *op);

  LogicalResult check(Operation *op);
  LogicalResult checkStructured(linalg::LinalgOp op);
  LogicalResult checkIndex(AffineExpr index, ArrayRef<OpFoldResult> loops,
                           OpFoldResult size);
  LogicalResult checkSlice(OffsetSizeAndStrideOpInterface op, Value whole);
  LogicalResult checkExpansion(tensor::ExpandShapeOp op);
  LogicalResult checkSame(ValueRange tensors);

  LogicalResult expectEqual(OpFoldResult lhs, OpFoldResult rhs);
  LogicalResult expectAtMost(OpFoldResult lhs, OpFoldResult rhs);
  LogicalResult expect(arith::CmpIPredicate predicate, OpFoldResult lhs,
                       OpFoldResult rhs);

  template <typename Op>
  OpFoldResult compute(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult add(OpFoldResult lhs, OpFoldResult rhs) {
    return compute<arith::AddIOp>(lhs, rhs);
  }
  OpFoldResult multiply(OpFoldResult lhs, OpFoldResult rhs) {
    return compute<arith::MulIOp>(lhs, rhs);
  }
  OpFoldResult constant(int64_t value) { return builder.getIndexAttr(value); }

  func::FuncOp function;
  OpBuilder builder;
  Operation *current = nullptr;
  /// The sizes of each tensor. A size that only the host knows is the result of
  /// a tensor.dim.
  DenseMap<Value, Sizes> sizes;
  /// The assertions that were made before.
  DenseSet<std::tuple<void *, void *, unsigned>> seen;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

template <typename Op>
OpFoldResult SizeChecker::compute(OpFoldResult lhs, OpFoldResult rhs) {
  Location loc = current->getLoc();
  Value result = builder.createOrFold<Op>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, lhs),
      getValueOrCreateConstantIndexOp(builder, loc, rhs));
  return getAsOpFoldResult(result);
}

/// Returns the sizes of a tensor. The sizes of an argument are computed where
/// they are first requested.
ArrayRef<OpFoldResult> SizeChecker::getSizes(Value tensor) {
  auto known = sizes.find(tensor);
  if (known != sizes.end())
    return known->second;
  auto type = cast<RankedTensorType>(tensor.getType());
  Sizes found;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(tensor);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      found.push_back(
          tensor::DimOp::create(builder, tensor.getLoc(), tensor, dim)
              .getResult());
    else
      found.push_back(constant(type.getDimSize(dim)));
  return sizes[tensor] = std::move(found);
}

Sizes SizeChecker::computeSizes(tensor::CollapseShapeOp op) {
  Sizes from(getSizes(op.getSrc())), to;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    OpFoldResult size = constant(1);
    for (int64_t dim : group)
      size = multiply(size, from[dim]);
    to.push_back(size);
  }
  return to;
}

Sizes SizeChecker::computeSizes(tensor::ConcatOp op) {
  Sizes all(getSizes(op.getInputs().front()));
  OpFoldResult &length = all[op.getDim()];
  for (Value other : op.getInputs().drop_front())
    length = add(length, getSizes(other)[op.getDim()]);
  return all;
}

Sizes SizeChecker::computeSizes(tensor::PadOp op) {
  Sizes padded(getSizes(op.getSource()));
  for (auto [size, low, high] :
       llvm::zip_equal(padded, op.getMixedLowPad(), op.getMixedHighPad()))
    size = add(add(size, low), high);
  return padded;
}

/// Returns the sizes of a slice, without the dimensions that the result lacks.
static Sizes getKeptSizes(OffsetSizeAndStrideOpInterface op,
                          const llvm::SmallBitVector &dropped) {
  Sizes kept;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(dim))
      kept.push_back(size);
  return kept;
}

/// Returns the sizes of a result in terms of those of its operands, or as the
/// type specifies them.
Sizes SizeChecker::computeSizes(Operation *op, OpResult result) {
  auto copySizes = [&](Value tensor) { return Sizes(getSizes(tensor)); };
  return llvm::TypeSwitch<Operation *, Sizes>(op)
      .Case([](tensor::EmptyOp empty) { return empty.getMixedSizes(); })
      .Case<tensor::CastOp>(
          [&](auto cast) { return copySizes(cast.getSource()); })
      .Case([&](tensor::InsertSliceOp insertion) {
        return copySizes(insertion.getDest());
      })
      .Case([](tensor::ExpandShapeOp expand) {
        return expand.getMixedOutputShape();
      })
      .Case([](tensor::ExtractSliceOp slice) {
        return getKeptSizes(slice, slice.getDroppedDims());
      })
      .Case<tensor::CollapseShapeOp, tensor::ConcatOp, tensor::PadOp>(
          [&](auto made) { return computeSizes(made); })
      .Case([&](DestinationStyleOpInterface structured) {
        return copySizes(structured.getTiedOpOperand(result)->get());
      })
      .Default([&](Operation *other) {
        if (OpTrait::hasElementwiseMappableTraits(other))
          for (Value operand : other->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              return copySizes(operand);
        return copySizes(result);
      });
}

/// Replaces a size that the program queries.
void SizeChecker::resolve(tensor::DimOp op) {
  std::optional<int64_t> dim = op.getConstantIndex();
  ArrayRef<OpFoldResult> known = getSizes(op.getSource());
  if (!dim || *dim < 0 || *dim >= int64_t(known.size()))
    return;
  Value size =
      getValueOrCreateConstantIndexOp(builder, op.getLoc(), known[*dim]);
  if (size == op.getResult())
    return;
  op.replaceAllUsesWith(size);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

LogicalResult SizeChecker::expect(arith::CmpIPredicate predicate,
                                  OpFoldResult lhs, OpFoldResult rhs) {
  bool isEqual = predicate == arith::CmpIPredicate::eq;
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right) {
    if (isEqual ? *left == *right : *left <= *right)
      return success();
    return current->emitError("expected sizes that fit, got ")
           << *left << " and " << *right;
  }
  Location loc = current->getLoc();
  Value first = getValueOrCreateConstantIndexOp(builder, loc, lhs);
  Value second = getValueOrCreateConstantIndexOp(builder, loc, rhs);
  auto key = std::tuple(lhs.getOpaqueValue(), rhs.getOpaqueValue(),
                        unsigned(predicate));
  if (first != second && seen.insert(key).second)
    require(builder, loc, predicate, first, second);
  return success();
}

LogicalResult SizeChecker::expectEqual(OpFoldResult lhs, OpFoldResult rhs) {
  return expect(arith::CmpIPredicate::eq, lhs, rhs);
}

LogicalResult SizeChecker::expectAtMost(OpFoldResult lhs, OpFoldResult rhs) {
  return expect(arith::CmpIPredicate::sle, lhs, rhs);
}

/// Checks that tensors have equal shapes.
LogicalResult SizeChecker::checkSame(ValueRange tensors) {
  std::optional<Sizes> first;
  for (Value tensor : tensors) {
    if (!isa<RankedTensorType>(tensor.getType()))
      continue;
    Sizes own(getSizes(tensor));
    if (!first)
      first = own;
    for (auto [size, same] : llvm::zip_equal(own, *first))
      if (failed(expectEqual(size, same)))
        return failure();
  }
  return success();
}

/// Checks that the last index of a window is less than `size`. Skips an index
/// that is not a sum of multiples of loops by non-negative factors.
LogicalResult SizeChecker::checkIndex(AffineExpr index,
                                      ArrayRef<OpFoldResult> loops,
                                      OpFoldResult size) {
  SmallVector<int64_t> factors;
  if (failed(getFlattenedAffineExpr(index, loops.size(), 0, &factors)) ||
      llvm::any_of(factors, [](int64_t factor) { return factor < 0; }))
    return success();
  OpFoldResult end = constant(factors.back() + 1);
  for (auto [loop, factor] : llvm::zip(loops, factors))
    if (factor != 0)
      end = add(end, multiply(add(loop, constant(-1)), constant(factor)));
  return expectAtMost(end, size);
}

/// Checks that each loop has one extent, and that dimensions that are indexed
/// by a sum of loops are long enough.
LogicalResult SizeChecker::checkStructured(linalg::LinalgOp op) {
  Sizes loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    Sizes own(getSizes(operand.get()));
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [index, size] : llvm::zip_equal(map.getResults(), own)) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      if (!loop)
        continue;
      OpFoldResult &extent = loops[loop.getPosition()];
      if (!extent)
        extent = size;
      else if (failed(expectEqual(size, extent)))
        return failure();
    }
  }
  if (llvm::is_contained(loops, OpFoldResult()))
    return success();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    Sizes own(getSizes(operand.get()));
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [index, size] : llvm::zip_equal(map.getResults(), own))
      if (!isa<AffineDimExpr>(index) && failed(checkIndex(index, loops, size)))
        return failure();
  }
  return success();
}

/// Checks that a slice with positive strides is inside `whole`.
LogicalResult SizeChecker::checkSlice(OffsetSizeAndStrideOpInterface op,
                                      Value whole) {
  Sizes sizes(getSizes(whole));
  for (auto [size, offset, count, stride] :
       llvm::zip_equal(sizes, op.getMixedOffsets(), op.getMixedSizes(),
                       op.getMixedStrides())) {
    std::optional<int64_t> step = getConstantIntValue(stride);
    bool isWhole = isZeroInteger(offset) && step == 1 && count == size;
    if (isWhole || !step || *step < 0)
      continue;
    OpFoldResult last =
        add(offset, multiply(add(count, constant(-1)), constant(*step)));
    if (failed(expectAtMost(constant(0), offset)) ||
        failed(expectAtMost(add(last, constant(1)), size)))
      return failure();
  }
  return success();
}

LogicalResult SizeChecker::checkExpansion(tensor::ExpandShapeOp op) {
  Sizes from(getSizes(op.getSrc())), to = op.getMixedOutputShape();
  for (auto [size, group] :
       llvm::zip_equal(from, op.getReassociationIndices())) {
    OpFoldResult all = constant(1);
    for (int64_t dim : group)
      all = multiply(all, to[dim]);
    if (failed(expectEqual(all, size)))
      return failure();
  }
  return success();
}

LogicalResult SizeChecker::check(Operation *op) {
  auto checkEach = [&](ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs) {
    for (auto [left, right] : llvm::zip_equal(lhs, rhs))
      if (failed(expectEqual(left, right)))
        return failure();
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::LinalgOp structured) {
        return checkStructured(structured);
      })
      .Case([&](linalg::SoftmaxOp softmax) {
        return checkSame(softmax->getOperands());
      })
      .Case([&](tensor::CastOp cast) -> LogicalResult {
        auto to = dyn_cast<RankedTensorType>(cast.getType());
        Sizes from(getSizes(cast.getSource()));
        for (auto [dim, size] : llvm::enumerate(from))
          if (!to.isDynamicDim(dim) &&
              failed(expectEqual(size, constant(to.getDimSize(dim)))))
            return failure();
        return success();
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return checkSlice(slice, slice.getSource());
      })
      .Case([&](tensor::InsertSliceOp insertion) -> LogicalResult {
        Sizes own(getSizes(insertion.getSource()));
        if (failed(checkEach(
                own, getKeptSizes(insertion, insertion.getDroppedDims()))))
          return failure();
        return checkSlice(insertion, insertion.getDest());
      })
      .Case(
          [&](tensor::ExpandShapeOp expand) { return checkExpansion(expand); })
      .Case([&](tensor::ConcatOp concat) -> LogicalResult {
        Sizes first(getSizes(concat.getInputs().front()));
        for (Value other : concat.getInputs().drop_front()) {
          Sizes own(getSizes(other));
          own[concat.getDim()] = first[concat.getDim()];
          if (failed(checkEach(own, first)))
            return failure();
        }
        return success();
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (!OpTrait::hasElementwiseMappableTraits(other))
          return success();
        return checkSame(other->getOperands());
      });
}

void SizeChecker::noteSizes(Operation *op) {
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    Sizes found = computeSizes(op, result);
    for (auto [dim, size] : llvm::enumerate(found))
      if (!type.isDynamicDim(dim))
        size = constant(type.getDimSize(dim));
    sizes[result] = std::move(found);
  }
}

LogicalResult SizeChecker::run(bool isChecked) {
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    current = &op;
    builder.setInsertionPoint(&op);
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      resolve(dim);
      continue;
    }
    if (isChecked && failed(check(&op)))
      return failure();
    noteSizes(&op);
  }
  return success();
}

LogicalResult fromlinalg::requireSizes(func::FuncOp function) {
  return SizeChecker(function).run(/*isChecked=*/true);
}

void fromlinalg::shortenSizes(func::FuncOp function) {
  (void)SizeChecker(function).run(/*isChecked=*/false);
}
