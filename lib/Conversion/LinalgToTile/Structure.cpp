// Structure.cpp - matching of the computation of a linalg.generic
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Structure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

std::optional<unsigned> fromlinalg::getLoop(AffineMap map, unsigned dim) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
  if (!loop)
    return std::nullopt;
  return loop.getPosition();
}

bool fromlinalg::isSumOfMultiples(AffineExpr index) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return isa<AffineDimExpr, AffineConstantExpr>(index);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (binary.getKind() == AffineExprKind::Add)
    return isSumOfMultiples(lhs) && isSumOfMultiples(rhs);
  return binary.getKind() == AffineExprKind::Mul && isSumOfMultiples(lhs) &&
         isa<AffineConstantExpr>(rhs);
}

static std::optional<ReduceKind> getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ReduceKind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return ReduceKind::add; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return ReduceKind::mul; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          [](auto) { return ReduceKind::max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
          [](auto) { return ReduceKind::min; })
      .Case<arith::MaxUIOp>([](auto) { return ReduceKind::umax; })
      .Case<arith::MinUIOp>([](auto) { return ReduceKind::umin; })
      .Case<arith::AndIOp>([](auto) { return ReduceKind::bit_and; })
      .Case<arith::OrIOp>([](auto) { return ReduceKind::bit_or; })
      .Case<arith::XOrIOp>([](auto) { return ReduceKind::bit_xor; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Combination> fromlinalg::matchCombination(linalg::GenericOp op,
                                                        unsigned index) {
  if (op.getNumReductionLoops() == 0)
    return std::nullopt;
  Block *body = op.getBody();
  Value yielded = body->getTerminator()->getOperand(index);
  Value carried = body->getArgument(op.getNumDpsInputs() + index);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !carried.hasOneUse())
    return std::nullopt;
  std::optional<ReduceKind> kind = getKind(combiner);
  if (!kind || !llvm::is_contained(combiner->getOperands(), carried))
    return std::nullopt;
  bool isFirst = combiner->getOperand(0) == carried;
  return Combination{*kind, combiner, combiner->getOperand(isFirst ? 1 : 0)};
}

/// Returns the block argument that `value` is, or that it converts to a wider
/// type; null for another value.
static BlockArgument skipExtension(Value value) {
  if (Operation *op = value.getDefiningOp();
      isa_and_present<arith::ExtFOp, arith::ExtSIOp>(op))
    value = op->getOperand(0);
  return dyn_cast<BlockArgument>(value);
}

Type fromlinalg::getSumType(Type element, Type result) {
  MLIRContext *context = element.getContext();
  Type f32 = Float32Type::get(context);
  if (element == result &&
      (element.isF32() || element.isF64() || element.isInteger(16) ||
       element.isInteger(32) || element.isInteger(64)))
    return element;
  if (isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(element))
    return f32;
  if (element.isInteger(8) && result.isInteger(32))
    return result;
  return {};
}

/// Returns the operands that are multiplied, if the body is a contraction.
static std::optional<std::pair<OpOperand *, OpOperand *>>
matchFactors(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  std::optional<Combination> sum = matchCombination(op, 0);
  if (!sum || sum->kind != ReduceKind::add)
    return std::nullopt;
  Operation *matmul = sum->element.getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::MulIOp>(matmul))
    return std::nullopt;
  BlockArgument first = skipExtension(matmul->getOperand(0));
  BlockArgument second = skipExtension(matmul->getOperand(1));
  if (!first || !second || first == second ||
      first.getType() != second.getType())
    return std::nullopt;
  OpOperand *lhs = op.getMatchingOpOperand(first);
  OpOperand *rhs = op.getMatchingOpOperand(second);
  return std::pair(lhs, rhs);
}

/// Whether a loop is the whole index of each operand dimension that it indexes.
static bool indexesAlone(AffineMap map, unsigned loop) {
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    return !expr.isFunctionOfDim(loop) || isa<AffineDimExpr>(expr);
  });
}

/// Makes the second operand the one that the result's last loop indexes, so
/// that no tile is transposed to be stored.
static void orderFactors(linalg::GenericOp op, Matmul &matmul) {
  AffineMap out = op.getIndexingMapsArray().back();
  if (out.getNumResults() == 0)
    return;
  AffineExpr last = out.getResult(out.getNumResults() - 1);
  if (llvm::none_of(matmul.rows,
                    [&](unsigned loop) { return last.isFunctionOfDim(loop); }))
    return;
  std::swap(matmul.lhs, matmul.rhs);
  std::swap(matmul.rows, matmul.columns);
}

/// Classifies the loops of a matmul by the operands that they index.
static void classifyLoops(linalg::GenericOp op, Matmul &matmul) {
  AffineMap lhs = op.getMatchingIndexingMap(matmul.lhs);
  AffineMap rhs = op.getMatchingIndexingMap(matmul.rhs);
  AffineMap out = op.getIndexingMapsArray().back();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool inLhs = lhs.isFunctionOfDim(loop), inRhs = rhs.isFunctionOfDim(loop);
    if (!out.isFunctionOfDim(loop))
      matmul.sums.push_back(loop);
    else if (inLhs == inRhs) // of both operands, or only of the result
      matmul.batch.push_back(loop);
    else if (inLhs)
      matmul.rows.push_back(loop);
    else
      matmul.columns.push_back(loop);
  }
  // One loop of sums is tiled: the last one that is the whole index of each
  // dimension that it indexes.
  auto isTiled = [&](unsigned loop) {
    return lhs.isFunctionOfDim(loop) && rhs.isFunctionOfDim(loop) &&
           indexesAlone(lhs, loop) && indexesAlone(rhs, loop);
  };
  auto tiled = llvm::find_if(llvm::reverse(matmul.sums), isTiled);
  if (tiled == matmul.sums.rend()) {
    matmul.sums.clear();
    return;
  }
  unsigned loop = *tiled;
  matmul.sums.erase(std::next(tiled).base());
  matmul.sums.push_back(loop);
}

std::optional<Matmul> fromlinalg::matchMatmul(linalg::GenericOp op) {
  auto factors = matchFactors(op);
  if (!factors)
    return std::nullopt;
  Type element = getElementTypeOrSelf(factors->first->get());
  Type result = getElementTypeOrSelf(op.getResult(0));
  Matmul matmul{factors->first, factors->second, {}, {}, {}, {}};
  classifyLoops(op, matmul);
  if (matmul.rows.empty() || matmul.columns.empty() || matmul.sums.empty() ||
      !getSumType(element, result))
    return std::nullopt;
  orderFactors(op, matmul);
  return matmul;
}

bool fromlinalg::isElementwise(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isPermutation();
         });
}

bool fromlinalg::isCopy(linalg::GenericOp op) {
  return isElementwise(op) && op.getNumDpsInits() == 1 &&
         op.getBody()->getTerminator()->getOperand(0) ==
             op.getBody()->getArgument(0) &&
         op.getNumDpsInputs() == 1;
}

bool fromlinalg::hasAll(tensor::InsertSliceOp op, unsigned dim) {
  int64_t extent = op.getDestType().getDimSize(dim);
  return !ShapedType::isDynamic(extent) &&
         isZeroInteger(op.getMixedOffsets()[dim]) &&
         getConstantIntValue(op.getMixedSizes()[dim]) == extent;
}

OpFoldResult fromlinalg::getSplat(Value tensor) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<Attribute>();
  if (auto splat = tensor.getDefiningOp<tensor::SplatOp>())
    return splat.getInput();
  auto fill = tensor.getDefiningOp<linalg::GenericOp>();
  if (!fill || fill.getNumDpsInits() != 1 || !isElementwise(fill))
    return {};
  // A generic that fills: the scalar is an input, or used in the body directly.
  Value yielded = fill.getBody()->getTerminator()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (argument && argument.getOwner() == fill.getBody()) {
    Value operand = fill.getMatchingOpOperand(argument)->get();
    return isa<ShapedType>(operand.getType()) ? OpFoldResult() : operand;
  }
  bool isOutside = yielded.getParentRegion() != &fill.getRegion();
  return isOutside ? OpFoldResult(yielded) : OpFoldResult();
}

OpOperand &fromlinalg::getExtracted(tensor::ExtractOp op) {
  auto pad = op.getTensor().getDefiningOp<tensor::PadOp>();
  return pad && pad.getConstantPaddingValue() ? pad.getSourceMutable()
                                              : op.getTensorMutable();
}

bool fromlinalg::isConstantArray(Operation *op) {
  DenseElementsAttr elements;
  return isa<arith::ConstantOp>(op) &&
         matchPattern(op->getResult(0), m_Constant(&elements)) &&
         !elements.isSplat();
}

bool fromlinalg::isIdentity(Value tensor, TypedAttr identity) {
  OpFoldResult splat = getSplat(tensor);
  Attribute constant = dyn_cast_if_present<Attribute>(splat);
  if (auto scalar = dyn_cast_if_present<Value>(splat))
    matchPattern(scalar, m_Constant(&constant));
  if (constant && constant == identity)
    return true;
  // A sum may start from zero of either sign: the results differ only if all
  // terms are -0, and then only in the sign of the zero.
  auto zero = dyn_cast_if_present<FloatAttr>(constant);
  auto other = dyn_cast<FloatAttr>(identity);
  return zero && other && zero.getValue().isZero() && other.getValue().isZero();
}

bool fromlinalg::isUnitReshape(Operation *op) {
  auto count = [](Type type) {
    return llvm::count_if(cast<ShapedType>(type).getShape(),
                          [](int64_t extent) { return extent != 1; });
  };
  return count(op->getOperand(0).getType()) ==
         count(op->getResult(0).getType());
}
