// NarrowMatmuls.cpp - matmuls of narrow elements instead of widened ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network of f16 is often written with each factor widened to f32 by an
// operation of its own, possibly scaled, and multiplied in f32. Tensor cores
// compute the same from the f16 values: they multiply two of them exactly in
// f32, and add in f32 as written. A scale is applied to the sum instead of the
// factors, which rounds less often.
//
// The weights of attention are computed in f32. If their matmul with the values
// is rounded to the values' type anyway, the weights are rounded before it, as
// in FlashAttention (Dao et al., 2022).

#include "NarrowMatmuls.h"
#include "OnlineSoftmax.h"
#include "Structure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// The narrow elements from which a matmul's operand is computed: each is
/// widened and multiplied by `scale`.
struct NarrowFactor {
  Value source;
  /// The map from the matmul's loops to the source's indices.
  AffineMap map;
  /// The scale, of the wide type.
  APFloat scale;

  Type getElementType() const { return getElementTypeOrSelf(source.getType()); }
};

class Narrowing {
public:
  Narrowing(linalg::GenericOp op, const Matmul &matmul)
      : op(op), matmul(matmul), builder(op) {}

  /// Replaces the matmul if it can be narrowed.
  void run();

private:
  bool findFactors();
  bool isRounded(Type type);
  NarrowFactor roundWeights(OpOperand *weights, Type type);
  linalg::GenericOp buildMatmul();
  Value buildScaled(Value sums, const APFloat &scale);

  linalg::GenericOp op;
  const Matmul &matmul;
  OpBuilder builder;
  SmallVector<NarrowFactor, 2> factors;
};
} // namespace

/// Returns the only operation of an elementwise body with one argument; null if
/// the body yields the argument unchanged, none if it has another form.
static std::optional<Operation *> matchStep(linalg::GenericOp op) {
  if (!isElementwise(op) || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  Value argument = op.getBody()->getArgument(0);
  if (yielded == argument)
    return nullptr;
  Operation *step = yielded.getDefiningOp();
  if (step && llvm::is_contained(step->getOperands(), argument))
    return step;
  return std::nullopt;
}

/// Returns the value of a constant, possibly rounded to another type by an
/// arith.truncf.
static std::optional<APFloat> matchFloat(Value value) {
  auto rounding = value.getDefiningOp<arith::TruncFOp>();
  APFloat constant(0.0);
  if (!matchPattern(rounding ? rounding.getIn() : value,
                    m_ConstantFloat(&constant)))
    return std::nullopt;
  bool losesInfo;
  constant.convert(cast<FloatType>(value.getType()).getFloatSemantics(),
                   APFloat::rmNearestTiesToEven, &losesInfo);
  return constant;
}

/// Returns the constant by which a body's only operation multiplies its
/// argument.
static std::optional<APFloat> matchScale(Operation *step) {
  auto product = dyn_cast<arith::MulFOp>(step);
  if (!product)
    return std::nullopt;
  std::optional<APFloat> scale = matchFloat(product.getLhs());
  return scale ? scale : matchFloat(product.getRhs());
}

/// Converts `map`, from the loops of a reader to indices of the result of `op`,
/// to the map from these loops to indices of the input of `op`.
static AffineMap mapToInput(linalg::GenericOp op, AffineMap map) {
  AffineMap out = inversePermutation(op.getIndexingMapsArray().back());
  AffineMap in = op.getIndexingMapsArray().front();
  return in.compose(out).compose(map);
}

/// Follows an operand of `matmul` back to its narrow elements, through copies,
/// multiplications by a constant and one extension.
static std::optional<NarrowFactor> findNarrow(linalg::GenericOp matmul,
                                              OpOperand *factor) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(factor->get()));
  if (!type)
    return std::nullopt;
  NarrowFactor found{factor->get(), matmul.getMatchingIndexingMap(factor),
                     APFloat(type.getFloatSemantics(), 1)};
  while (auto op = found.source.getDefiningOp<linalg::GenericOp>()) {
    std::optional<Operation *> step = matchStep(op);
    if (!step)
      return std::nullopt;
    found.source = op.getDpsInputOperand(0)->get();
    found.map = mapToInput(op, found.map);
    if (!*step)
      continue;
    if (isa<arith::ExtFOp>(*step))
      return found;
    std::optional<APFloat> scale = matchScale(*step);
    if (!scale)
      return std::nullopt;
    found.scale = found.scale * *scale;
  }
  return std::nullopt;
}

/// Whether all readers of the sums round them to `type`.
bool Narrowing::isRounded(Type type) {
  SmallVector<Value> made{op.getResult(0)};
  while (!made.empty())
    for (Operation *user : made.pop_back_val().getUsers()) {
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user)) {
        made.push_back(user->getResult(0));
        continue;
      }
      auto reader = dyn_cast<linalg::GenericOp>(user);
      std::optional<Operation *> step =
          reader ? matchStep(reader) : std::nullopt;
      if (!step || !isa_and_present<arith::TruncFOp>(*step) ||
          getElementTypeOrSelf(reader.getResult(0)) != type)
        return false;
    }
  return true;
}

/// Returns the weights, rounded to the values' type.
NarrowFactor Narrowing::roundWeights(OpOperand *weights, Type type) {
  Location loc = op.getLoc();
  Value wide = weights->get();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, wide);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type);
  AffineMap identity = builder.getMultiDimIdentityMap(sizes.size());
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  auto rounding = linalg::GenericOp::create(
      builder, loc, empty.getType(), wide, empty, {identity, identity}, loops,
      [&](OpBuilder &body, Location at, ValueRange elements) {
        Value narrow = arith::TruncFOp::create(body, at, type, elements[0]);
        linalg::YieldOp::create(body, at, narrow);
      });
  auto from = cast<FloatType>(getElementTypeOrSelf(wide));
  return {rounding.getResult(0), op.getMatchingIndexingMap(weights),
          APFloat(from.getFloatSemantics(), 1)};
}

bool Narrowing::findFactors() {
  std::optional<NarrowFactor> lhs = findNarrow(op, matmul.lhs);
  std::optional<NarrowFactor> rhs = findNarrow(op, matmul.rhs);
  if (lhs.has_value() != rhs.has_value()) {
    const NarrowFactor &values = lhs ? *lhs : *rhs;
    OpOperand *other = lhs ? matmul.rhs : matmul.lhs;
    std::optional<OnlineSoftmax> softmax = matchOnlineSoftmax(op);
    if (!softmax || softmax->weights != other ||
        !isRounded(values.getElementType()))
      return false;
    (lhs ? rhs : lhs) = roundWeights(other, values.getElementType());
  }
  if (!lhs || !rhs || lhs->getElementType() != rhs->getElementType())
    return false;
  factors = {*lhs, *rhs};
  return true;
}

linalg::GenericOp Narrowing::buildMatmul() {
  Value init = op.getDpsInits()[0];
  SmallVector<AffineMap> maps{factors[0].map, factors[1].map,
                              op.getIndexingMapsArray().back()};
  Type sum = getElementTypeOrSelf(init);
  return linalg::GenericOp::create(
      builder, op.getLoc(), init.getType(),
      ValueRange{factors[0].source, factors[1].source}, init, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &body, Location at, ValueRange elements) {
        Value lhs = arith::ExtFOp::create(body, at, sum, elements[0]);
        Value rhs = arith::ExtFOp::create(body, at, sum, elements[1]);
        Value one = arith::MulFOp::create(body, at, lhs, rhs);
        Value all = arith::AddFOp::create(body, at, elements[2], one);
        linalg::YieldOp::create(body, at, all);
      });
}

Value Narrowing::buildScaled(Value sums, const APFloat &scale) {
  if (scale.isExactlyValue(1))
    return sums;
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(sums.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto scaled = linalg::GenericOp::create(
      builder, loc, type, sums, op.getDpsInits()[0], {identity, identity},
      loops, [&](OpBuilder &body, Location at, ValueRange elements) {
        Value factor = arith::ConstantOp::create(
            body, at, FloatAttr::get(type.getElementType(), scale));
        Value product = arith::MulFOp::create(body, at, elements[0], factor);
        linalg::YieldOp::create(body, at, product);
      });
  return scaled.getResult(0);
}

void Narrowing::run() {
  auto sum = dyn_cast<FloatType>(getElementTypeOrSelf(op.getResult(0)));
  if (!sum || !findFactors() ||
      getSumType(factors[0].getElementType(), sum) != sum)
    return;
  APFloat scale = factors[0].scale * factors[1].scale;
  // The scale must not be applied to the initial values of the sums.
  if (!scale.isExactlyValue(1) &&
      !isIdentity(op.getDpsInits()[0], builder.getFloatAttr(sum, 0)))
    return;
  linalg::GenericOp narrow = buildMatmul();
  if (!matchMatmul(narrow)) {
    narrow.erase();
    return;
  }
  op.getResult(0).replaceAllUsesWith(buildScaled(narrow.getResult(0), scale));
  op.erase();
}

void fromlinalg::narrowMatmuls(func::FuncOp function) {
  for (auto op :
       llvm::make_early_inc_range(function.front().getOps<linalg::GenericOp>()))
    if (std::optional<Matmul> matmul = matchMatmul(op))
      Narrowing(op, *matmul).run();
}
