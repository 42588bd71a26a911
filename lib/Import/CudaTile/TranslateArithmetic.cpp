// TranslateArithmetic.cpp - arithmetic of CUDA Tile on elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Codes.h"
#include "DirectedRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Creates an operation on the operands of these names.
template <typename Op, typename... Names>
static LogicalResult create(KernelTranslator &t, const SourceOp &op,
                            Names... names) {
  t.setResult(op, Op::create(t.b, t.getValue(op, names)...));
  return success();
}

template <typename Op>
static LogicalResult unary(KernelTranslator &t, const SourceOp &op) {
  return create<Op>(t, op, "source");
}

template <typename Op>
static LogicalResult binary(KernelTranslator &t, const SourceOp &op) {
  return create<Op>(t, op, "lhs", "rhs");
}

template <typename Op>
static LogicalResult power(KernelTranslator &t, const SourceOp &op) {
  return create<Op>(t, op, "source", "exponent");
}

/// Creates a binary operation, of which there is one for signed and one for
/// unsigned integers.
template <typename SignedOp, typename UnsignedOp>
static LogicalResult binary(KernelTranslator &t, const SourceOp &op) {
  return op.isSigned() ? binary<SignedOp>(t, op) : binary<UnsignedOp>(t, op);
}

/// Refuses a rounding mode other than to nearest. Approximate and full results
/// may be more exact.
static LogicalResult verifyRounding(KernelTranslator &t, const SourceOp &op) {
  uint64_t rounding = op.getAttribute("rounding").number;
  if (llvm::is_contained(
          {Rounding::nearest, Rounding::approximate, Rounding::full},
          Rounding(rounding)))
    return success();
  return t.refuse(op, "expected rounding to nearest, got rounding mode " +
                          Twine(rounding));
}

/// Translates an operation with a rounding mode, and by `nearest` one to
/// nearest.
template <LogicalResult (*nearest)(KernelTranslator &, const SourceOp &)>
static LogicalResult rounded(KernelTranslator &t, const SourceOp &op) {
  auto rounding = static_cast<Rounding>(op.getAttribute("rounding").number);
  if (isDirected(rounding))
    return translateDirected(t, op);
  return failed(verifyRounding(t, op)) ? failure() : nearest(t, op);
}

static LogicalResult translateFma(KernelTranslator &t, const SourceOp &op) {
  return create<math::FmaOp>(t, op, "lhs", "rhs", "acc");
}

/// Creates the maximum or minimum, of which there is one that returns NaN if an
/// operand is NaN, and one that returns the other operand.
template <typename PropagatingOp, typename NumberOp>
static LogicalResult extremum(KernelTranslator &t, const SourceOp &op) {
  return op.hasFlag("propagate_nan") ? binary<PropagatingOp>(t, op)
                                     : binary<NumberOp>(t, op);
}

static LogicalResult divideIntegers(KernelTranslator &t, const SourceOp &op) {
  switch (Rounding(op.getAttribute("rounding").number)) {
  case Rounding::toZero:
    return binary<arith::DivSIOp, arith::DivUIOp>(t, op);
  case Rounding::down:
    return binary<arith::FloorDivSIOp, arith::DivUIOp>(t, op);
  case Rounding::up:
    return binary<arith::CeilDivSIOp, arith::CeilDivUIOp>(t, op);
  default:
    return t.refuse(op, "expected rounding to zero, down or up");
  }
}

static LogicalResult negateInteger(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  Value zero = t.zero(source.getType());
  t.setResult(op, arith::SubIOp::create(t.b, zero, source));
  return success();
}

/// Creates the upper half of an unsigned multiplication.
static LogicalResult multiplyHigh(KernelTranslator &t, const SourceOp &op) {
  auto product = arith::MulUIExtendedOp::create(t.b, t.getValue(op, "lhs"),
                                                t.getValue(op, "rhs"));
  t.setResult(op, product.getHigh());
  return success();
}

static LogicalResult translateAtan2(KernelTranslator &t, const SourceOp &op) {
  return create<math::Atan2Op>(t, op, "x", "y");
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Creates a comparison by one of the cases of the enumeration of predicates.
template <typename Op, typename Predicate>
static LogicalResult compare(KernelTranslator &t, const SourceOp &op,
                             const Predicate (&cases)[6]) {
  uint64_t predicate = op.getAttribute("predicate").number;
  if (predicate >= std::size(cases))
    return t.refuse(op, "expected a predicate of 0 to 5");
  t.setResult(op, Op::create(t.b, cases[predicate], t.getValue(op, "lhs"),
                             t.getValue(op, "rhs")));
  return success();
}

static LogicalResult compareIntegers(KernelTranslator &t, const SourceOp &op) {
  using arith::CmpIPredicate;
  constexpr CmpIPredicate kSignedCases[] = {
      CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::slt,
      CmpIPredicate::sle, CmpIPredicate::sgt, CmpIPredicate::sge};
  constexpr CmpIPredicate kUnsignedCases[] = {
      CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::ult,
      CmpIPredicate::ule, CmpIPredicate::ugt, CmpIPredicate::uge};
  return compare<arith::CmpIOp>(t, op,
                                op.isSigned() ? kSignedCases : kUnsignedCases);
}

static LogicalResult compareFloats(KernelTranslator &t, const SourceOp &op) {
  using arith::CmpFPredicate;
  constexpr CmpFPredicate kUnordered[] = {
      CmpFPredicate::UEQ, CmpFPredicate::UNE, CmpFPredicate::ULT,
      CmpFPredicate::ULE, CmpFPredicate::UGT, CmpFPredicate::UGE};
  constexpr CmpFPredicate kOrdered[] = {CmpFPredicate::OEQ, CmpFPredicate::ONE,
                                        CmpFPredicate::OLT, CmpFPredicate::OLE,
                                        CmpFPredicate::OGT, CmpFPredicate::OGE};
  bool isOrdered = op.getAttribute("ordering").number;
  return compare<arith::CmpFOp>(t, op, isOrdered ? kOrdered : kUnordered);
}

static LogicalResult translateSelect(KernelTranslator &t, const SourceOp &op) {
  Value condition = t.getValue(op, "condition");
  Value onTrue = t.getValue(op, "on_true"),
        onFalse = t.getValue(op, "on_false");
  t.setResult(op, t.select(condition, onTrue, onFalse));
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Converts a tile by tile.cast, and a scalar by one of two operations of
/// arith, or as a tile of one element.
template <typename SignedOp, typename UnsignedOp>
static LogicalResult convert(KernelTranslator &t, const SourceOp &op,
                             Value source, bool isUnsigned,
                             bool saturates = false) {
  Type to = t.convert(op.results.front()->type);
  if (source.getType() == to)
    t.setResult(op, source);
  else if (isa<TileType>(to))
    t.setResult(op, CastOp::create(t.b, to, source, isUnsigned, saturates));
  else if (needsTile(source.getType(), to))
    t.setResult(op, t.reshape(CastOp::create(t.b, TileType::get({1}, to),
                                             t.toTile(source, {1}), isUnsigned,
                                             saturates),
                              {}));
  else if (isUnsigned)
    t.setResult(op, UnsignedOp::create(t.b, to, source));
  else
    t.setResult(op, SignedOp::create(t.b, to, source));
  return success();
}

static const SourceType *getSourceElement(const SourceOp &op) {
  return op.getOperand("source")->type->element;
}

static const SourceType *getResultElement(const SourceOp &op) {
  return op.results.front()->type->element;
}

static LogicalResult extendInteger(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  if (isCodedFloat(getSourceElement(op)) || isCodedFloat(getResultElement(op)))
    return t.refuse(op, "expected integers");
  if (getSourceElement(op)->tag == TypeTag::i4 && !op.isSigned())
    source = extendHalfBytes(t, source, /*isSigned=*/false);
  return convert<arith::ExtSIOp, arith::ExtUIOp>(t, op, source, !op.isSigned());
}

static LogicalResult truncateInteger(KernelTranslator &t, const SourceOp &op) {
  if (isCodedFloat(getSourceElement(op)) || isCodedFloat(getResultElement(op)))
    return t.refuse(op, "expected integers");
  if (failed((convert<arith::TruncIOp, arith::TruncIOp>(
          t, op, t.getValue(op, "source"), /*isUnsigned=*/false))))
    return failure();
  if (getResultElement(op)->tag == TypeTag::i4)
    t.setResult(op, extendHalfBytes(t, t.getValue(op.results.front()),
                                    /*isSigned=*/true));
  return success();
}

static LogicalResult integerToFloat(KernelTranslator &t, const SourceOp &op) {
  if (failed(verifyRounding(t, op)))
    return failure();
  return convert<arith::SIToFPOp, arith::UIToFPOp>(
      t, op, t.getValue(op, "source"), !op.isSigned());
}

static LogicalResult floatToInteger(KernelTranslator &t, const SourceOp &op) {
  return convert<arith::FPToSIOp, arith::FPToUIOp>(
      t, op, t.getValue(op, "source"), !op.isSigned(),
      op.hasFlag("saturating"));
}

/// Converts from or to floats that are kept as their bits. To f8E8M0FNU rounds
/// toward zero or up, other conversions to nearest.
static LogicalResult convertCodes(KernelTranslator &t, const SourceOp &op) {
  const SourceType *from = getSourceElement(op), *to = getResultElement(op);
  auto isFloat = [&](const SourceType *element) {
    return isCodedFloat(element) || isa<FloatType>(t.convertElement(element));
  };
  if (!isFloat(from) || !isFloat(to))
    return t.refuse(op, "expected floats");
  auto rounding = static_cast<Rounding>(op.getAttribute("rounding").number);
  bool isExponent = to->tag == TypeTag::f8E8M0FNU;
  bool hasRounding =
      isExponent ? rounding == Rounding::toZero || rounding == Rounding::up
                 : rounding == Rounding::nearest;
  if (!hasRounding)
    return t.refuse(op, isExponent ? "expected rounding toward zero or up"
                                   : "expected rounding to nearest");
  Value value = t.getValue(op, "source");
  bool isShort = needsTile(t.convertElement(from), t.convertElement(to));
  if (isShort)
    value = t.toTile(value, {1});
  if (isCoded(from))
    value = decode(t, value, from, t.b.getF32Type());
  value = isCoded(to) ? encode(t, value, to, rounding == Rounding::up)
                      : t.castElements(value, t.convertElement(to));
  t.setResult(op, t.reshape(value, op.results.front()->type->shape));
  return success();
}

static LogicalResult floatToFloat(KernelTranslator &t, const SourceOp &op) {
  if (isCoded(getSourceElement(op)) || isCoded(getResultElement(op)))
    return convertCodes(t, op);
  if (failed(verifyRounding(t, op)))
    return failure();
  Value source = t.getValue(op, "source");
  Type from = source.getType();
  Type to = t.convert(op.results.front()->type);
  bool narrows = to.isFloat() && from.isFloat() &&
                 to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth();
  return narrows
             ? convert<arith::TruncFOp, arith::TruncFOp>(t, op, source, false)
             : convert<arith::ExtFOp, arith::ExtFOp>(t, op, source, false);
}

static LogicalResult translateBitcast(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  Type to = t.convert(op.results.front()->type);
  if (hasHalfBytes(getSourceElement(op)) || hasHalfBytes(getResultElement(op)))
    return t.refuse(op, "expected elements of at least 8 bits");
  if (source.getType() == to)
    t.setResult(op, source);
  else if (isa<TileType>(to))
    t.setResult(op, CastOp::create(t.b, to, source, /*unsigned_integer=*/false,
                                   /*saturate=*/false, /*bitcast=*/true));
  else
    t.setResult(op, arith::BitcastOp::create(t.b, to, source));
  return success();
}

void tile::cudatile::addArithmetic(Handlers &handlers) {
  handlers["absf"] = {unary<math::AbsFOp>};
  handlers["absi"] = {unary<math::AbsIOp>};
  handlers["addf"] = {rounded<binary<arith::AddFOp>>};
  handlers["addi"] = {binary<arith::AddIOp>};
  handlers["andi"] = {binary<arith::AndIOp>};
  handlers["atan2"] = {translateAtan2};
  handlers["bitcast"] = {translateBitcast, false, false, true};
  handlers["ceil"] = {unary<math::CeilOp>};
  handlers["cmpf"] = {compareFloats};
  handlers["cmpi"] = {compareIntegers};
  handlers["cos"] = {unary<math::CosOp>};
  handlers["cosh"] = {unary<math::CoshOp>};
  handlers["divf"] = {rounded<binary<arith::DivFOp>>};
  handlers["divi"] = {divideIntegers};
  handlers["exp"] = {unary<math::ExpOp>};
  handlers["exp2"] = {unary<math::Exp2Op>};
  handlers["exti"] = {extendInteger, false, false, true};
  handlers["floor"] = {unary<math::FloorOp>};
  handlers["fma"] = {rounded<translateFma>};
  handlers["fpowf"] = {power<math::PowFOp>};
  handlers["fpowi"] = {power<math::FPowIOp>};
  handlers["ftof"] = {floatToFloat, false, false, true};
  handlers["ftoi"] = {floatToInteger};
  handlers["itof"] = {integerToFloat};
  handlers["log"] = {unary<math::LogOp>};
  handlers["log2"] = {unary<math::Log2Op>};
  handlers["maxf"] = {extremum<arith::MaximumFOp, arith::MaxNumFOp>};
  handlers["maxi"] = {binary<arith::MaxSIOp, arith::MaxUIOp>};
  handlers["minf"] = {extremum<arith::MinimumFOp, arith::MinNumFOp>};
  handlers["mini"] = {binary<arith::MinSIOp, arith::MinUIOp>};
  handlers["mulf"] = {rounded<binary<arith::MulFOp>>};
  handlers["mulhii"] = {multiplyHigh};
  handlers["muli"] = {binary<arith::MulIOp>};
  handlers["negf"] = {unary<arith::NegFOp>};
  handlers["negi"] = {negateInteger};
  handlers["ori"] = {binary<arith::OrIOp>};
  handlers["remf"] = {binary<arith::RemFOp>};
  handlers["remi"] = {binary<arith::RemSIOp, arith::RemUIOp>};
  handlers["rsqrt"] = {unary<math::RsqrtOp>};
  handlers["select"] = {translateSelect, false, false, true};
  handlers["shli"] = {binary<arith::ShLIOp>};
  handlers["shri"] = {binary<arith::ShRSIOp, arith::ShRUIOp>};
  handlers["sin"] = {unary<math::SinOp>};
  handlers["sinh"] = {unary<math::SinhOp>};
  handlers["sqrt"] = {rounded<unary<math::SqrtOp>>};
  handlers["subf"] = {rounded<binary<arith::SubFOp>>};
  handlers["subi"] = {binary<arith::SubIOp>};
  handlers["tan"] = {unary<math::TanOp>};
  handlers["tanh"] = {unary<math::TanhOp>};
  handlers["trunci"] = {truncateInteger, false, false, true};
  handlers["xori"] = {binary<arith::XOrIOp>};
}
