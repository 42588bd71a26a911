// OnlineSoftmax.cpp - softmaxes that matmuls compute as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax may be written as one generic or as five. Therefore an element that
// is an argument of a body is followed to the operation that computes it in the
// body of the producer.

#include "OnlineSoftmax.h"
#include "Structure.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// An element: its value in a body, and the last tensor through which it was
/// followed (null if none).
struct Element {
  Value value;
  Value tensor;
};

class Matcher {
public:
  std::optional<OnlineSoftmax> match(OpOperand *factor);

private:
  Element follow(Value value);
  template <typename Op>
  Op followTo(Value value) {
    return follow(value).value.getDefiningOp<Op>();
  }
  Value followCombination(Value value, ReduceKind kind);
  Value skipSafety(Value weights);
  bool isMaskedRow(Value condition);

  OnlineSoftmax result = {};
};
} // namespace

/// Follows a value through extensions, and from an argument of a body to the
/// value that its elementwise producer yields.
Element Matcher::follow(Value value) {
  Element element{value, {}};
  while (true) {
    while (auto extension = element.value.getDefiningOp<arith::ExtFOp>())
      element.value = extension.getIn();
    auto argument = dyn_cast<BlockArgument>(element.value);
    if (!argument)
      break;
    auto reader =
        dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
    if (!reader)
      break;
    element.tensor = reader.getMatchingOpOperand(argument)->get();
    auto producer = element.tensor.getDefiningOp<linalg::GenericOp>();
    if (!producer || !isElementwise(producer))
      break;
    unsigned index = cast<OpResult>(element.tensor).getResultNumber();
    element.value = producer.getBody()->getTerminator()->getOperand(index);
  }
  return element;
}

/// Returns the element that is combined, if `value` is a result of a reduction
/// of the given kind; null otherwise.
Value Matcher::followCombination(Value value, ReduceKind kind) {
  Value tensor = follow(value).tensor;
  auto producer =
      tensor ? tensor.getDefiningOp<linalg::GenericOp>() : linalg::GenericOp();
  if (!producer)
    return {};
  std::optional<Combination> combination =
      matchCombination(producer, cast<OpResult>(tensor).getResultNumber());
  if (!combination || combination->kind != kind ||
      producer.getNumDpsInits() != 1)
    return {};
  return combination->element;
}

/// Whether `condition` tests that all scores of a row are minus infinity.
bool Matcher::isMaskedRow(Value condition) {
  Value all = followCombination(condition, ReduceKind::bit_and);
  auto compare = all ? followTo<arith::CmpFOp>(all) : arith::CmpFOp();
  APFloat constant(0.0);
  return compare && compare.getPredicate() == arith::CmpFPredicate::OEQ &&
         matchPattern(compare.getRhs(), m_ConstantFloat(&constant)) &&
         constant.isInfinity() && constant.isNegative();
}

static bool isZero(OpFoldResult scalar) {
  if (auto value = dyn_cast_if_present<Value>(scalar))
    return matchPattern(value, m_AnyZeroFloat());
  auto attribute =
      dyn_cast_if_present<FloatAttr>(dyn_cast_if_present<Attribute>(scalar));
  return attribute && attribute.getValue().isZero();
}

/// Returns the weights before a selection of zero for rows whose scores are all
/// masked, if there is such a selection.
Value Matcher::skipSafety(Value weights) {
  auto select = followTo<arith::SelectOp>(weights);
  if (!select || !isMaskedRow(select.getCondition()))
    return weights;
  Element zero = follow(select.getTrueValue());
  OpFoldResult splat = zero.tensor ? getSplat(zero.tensor) : OpFoldResult();
  if (!matchPattern(zero.value, m_AnyZeroFloat()) && !isZero(splat))
    return weights;
  result.isSafe = true;
  return select.getFalseValue();
}

std::optional<OnlineSoftmax> Matcher::match(OpOperand *factor) {
  auto producer = factor->get().getDefiningOp<linalg::GenericOp>();
  if (!producer || !isElementwise(producer) || producer.getNumDpsInits() != 1)
    return std::nullopt;
  result.weights = factor;
  Value weights = producer.getBody()->getTerminator()->getOperand(0);
  if (auto rounding = weights.getDefiningOp<arith::TruncFOp>())
    weights = rounding.getIn();
  weights = skipSafety(weights);
  auto division = followTo<arith::DivFOp>(weights);
  auto power =
      division ? followTo<math::ExpOp>(division.getLhs()) : math::ExpOp();
  auto below =
      power ? followTo<arith::SubFOp>(power.getOperand()) : arith::SubFOp();
  if (!below)
    return std::nullopt;
  Element scores = follow(below.getLhs());
  Value summed = followCombination(division.getRhs(), ReduceKind::add);
  Value compared = followCombination(below.getRhs(), ReduceKind::max);
  if (!scores.tensor || !summed || !compared ||
      followTo<math::ExpOp>(summed) != power ||
      follow(compared).tensor != scores.tensor)
    return std::nullopt;
  result.scores = scores.tensor;
  return result;
}

std::optional<OnlineSoftmax>
fromlinalg::matchOnlineSoftmax(linalg::GenericOp op) {
  std::optional<Matmul> matmul = matchMatmul(op);
  if (!matmul)
    return std::nullopt;
  for (OpOperand *factor : {matmul->lhs, matmul->rhs}) {
    std::optional<OnlineSoftmax> softmax = Matcher().match(factor);
    if (!softmax)
      continue;
    AffineExpr sum = getAffineDimExpr(matmul->getSum(), op.getContext());
    std::optional<unsigned> dim =
        op.getMatchingIndexingMap(factor).getResultPosition(sum);
    if (!dim)
      return std::nullopt;
    softmax->dim = *dim;
    return softmax;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

void fromlinalg::createOnlineSoftmax(const OnlineSoftmax &softmax) {
  Operation *matmul = softmax.weights->getOwner();
  OpBuilder builder(matmul);
  softmax.weights->set(OnlineSoftmaxOp::create(
      builder, matmul->getLoc(), softmax.weights->get().getType(),
      softmax.weights->get(), softmax.scores, softmax.dim, softmax.isSafe));
}

void fromlinalg::createOnlineSoftmaxes(func::FuncOp function) {
  function.walk([](linalg::GenericOp op) {
    if (std::optional<OnlineSoftmax> softmax = matchOnlineSoftmax(op))
      createOnlineSoftmax(*softmax);
  });
}

Softmaxes fromlinalg::takeOnlineSoftmaxes(func::FuncOp function) {
  Softmaxes softmaxes;
  for (auto op :
       llvm::make_early_inc_range(function.front().getOps<OnlineSoftmaxOp>())) {
    for (OpOperand &use : op->getUses())
      if (auto matmul = dyn_cast<linalg::GenericOp>(use.getOwner());
          matmul && matchMatmul(matmul))
        softmaxes.try_emplace(matmul,
                              OnlineSoftmax{&use, op.getScores(),
                                            static_cast<int64_t>(op.getDim()),
                                            op.getSafe()});
    op.replaceAllUsesWith(op.getWeights());
    op.erase();
  }
  return softmaxes;
}

Value fromlinalg::skipOnlineSoftmax(Value tensor) {
  while (auto op = tensor.getDefiningOp<OnlineSoftmaxOp>())
    tensor = op.getWeights();
  return tensor;
}

SmallVector<linalg::GenericOp>
fromlinalg::getOperations(const OnlineSoftmax &softmax) {
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value tensor) {
    if (auto producer = tensor.getDefiningOp<linalg::GenericOp>();
        producer && tensor != softmax.scores)
      ops.insert(producer);
  };
  add(softmax.weights->get());
  for (size_t next = 0; next < ops.size(); ++next)
    for (Value input : cast<linalg::GenericOp>(ops[next]).getDpsInputs())
      add(input);
  return llvm::map_to_vector(
      ops, [](Operation *op) { return cast<linalg::GenericOp>(op); });
}
