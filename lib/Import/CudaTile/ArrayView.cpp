// ArrayView.cpp - arrays of the tensor views of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArrayView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

bool ArrayView::hasOwnStrides() const {
  ArrayRef<SourceValue *> given = op.getOperands("strides");
  for (auto [dim, stride] : llvm::enumerate(type.strides)) {
    if (stride != kDynamic)
      continue;
    Value own = given.empty() ? Value() : t.getValue(given.front());
    if (!own || !isa<IntegerType>(own.getType()) ||
        t.findParameter(own) != firstStride + dim)
      return false;
    given = given.drop_front();
  }
  return given.empty();
}

/// Returns the dimension whose stride `factor` is.
std::optional<unsigned> ArrayView::findStride(Value factor) const {
  APInt constant;
  bool isConstant = matchPattern(factor, m_ConstantInt(&constant));
  for (auto [dim, stride] : llvm::enumerate(type.strides)) {
    if (stride == kDynamic ? t.findParameter(factor) == firstStride + dim
                           : isConstant && constant.getSExtValue() == stride)
      return dim;
  }
  return std::nullopt;
}

/// Adds a term of the offset, a start times a stride, to the starts.
bool ArrayView::addStart(Value term) {
  std::optional<unsigned> dim;
  Value start = term;
  if (auto product = term.getDefiningOp<arith::MulIOp>())
    for (auto [factor, other] : {std::pair(product.getRhs(), product.getLhs()),
                                 std::pair(product.getLhs(), product.getRhs())})
      if (!dim && (dim = findStride(factor)))
        start = other;
  if (!dim) {
    auto one = llvm::find(type.strides, 1);
    if (one == type.strides.end())
      return false;
    dim = one - type.strides.begin();
  }
  start = t.toIndex(start);
  Value &sum = starts[*dim];
  sum = sum ? arith::AddIOp::create(t.b, sum, start).getResult() : start;
  return true;
}

/// Adds the terms of an offset to the starts. Narrow integers do not overflow
/// here, as cuTile states of offsets inside an array.
bool ArrayView::addStarts(Value offset) {
  constexpr int kMostTerms = 16;
  SmallVector<Value> open = {offset};
  for (int terms = 0; !open.empty(); ++terms) {
    Value term = getNarrow(open.pop_back_val());
    if (terms > 2 * kMostTerms)
      return false;
    if (auto sum = term.getDefiningOp<arith::AddIOp>())
      llvm::append_values(open, sum.getRhs(), sum.getLhs());
    else if (!addStart(term))
      return false;
  }
  return true;
}

bool ArrayView::findStarts(Value offset) {
  isWhole = !offset;
  return hasOwnStrides() && (isWhole || addStarts(offset));
}

LogicalResult ArrayView::findSizes() {
  isStatic = isWhole && !llvm::is_contained(type.shape, kDynamic) &&
             !llvm::is_contained(type.strides, kDynamic);
  if (isStatic)
    return success();
  ArrayRef<SourceValue *> given = op.getOperands("shape");
  for (auto [dim, extent] : llvm::enumerate(type.shape)) {
    if (extent != kDynamic) {
      sizes[dim] = arith::ConstantIndexOp::create(t.b, extent);
      continue;
    }
    Value own = given.empty() ? Value() : t.getValue(given.front());
    if (!own || !isa<IntegerType>(own.getType()))
      return t.refuse(op, "expected an integer for each extent that the type "
                          "leaves open");
    given = given.drop_front();
    if (starts[dim] || t.findParameter(own) != firstExtent + dim)
      sizes[dim] = t.toIndex(own);
  }
  if (!given.empty())
    return t.refuse(op, "expected no extents but those that the type leaves "
                        "open");
  return success();
}

MemRefType ArrayView::getArrayType() const {
  Type element = t.convertElement(type.element);
  if (!element)
    return {};
  auto strides = llvm::map_to_vector(type.strides, [](int64_t stride) {
    return stride == kDynamic ? ShapedType::kDynamic : stride;
  });
  SmallVector<int64_t> shape(type.shape.size(), ShapedType::kDynamic);
  if (isStatic)
    shape.assign(type.shape.begin(), type.shape.end());
  return MemRefType::get(
      shape, element,
      StridedLayoutAttr::get(t.b.getContext(), /*offset=*/0, strides));
}

Value ArrayView::create(Value array) const {
  if (llvm::none_of(sizes, [](Value size) { return bool(size); }))
    return array;
  SmallVector<OpFoldResult> offsets, extents,
      steps(sizes.size(), t.b.getIndexAttr(1));
  for (auto [dim, start, size] : llvm::enumerate(starts, sizes)) {
    offsets.push_back(start ? OpFoldResult(start) : t.b.getIndexAttr(0));
    extents.push_back(
        size ? size : memref::DimOp::create(t.b, array, dim).getResult());
  }
  return memref::SubViewOp::create(t.b, array, offsets, extents, steps);
}
