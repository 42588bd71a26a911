// ValueBuilder.cpp - arithmetic on values of any element type
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/ValueBuilder.h"

#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

Type tile::getElementType(Type scalarOrTile) {
  auto tile = dyn_cast<TileType>(scalarOrTile);
  return tile ? tile.getElementType() : scalarOrTile;
}

Type tile::withElementType(Type scalarOrTile, Type element) {
  auto tile = dyn_cast<TileType>(scalarOrTile);
  if (!tile)
    return element;
  return TileType::get(tile.getShape(), element).withStorage(tile.getStorage());
}

bool tile::isDifferentiable(Type type) {
  if (auto array = dyn_cast<MemRefType>(type))
    type = array.getElementType();
  return isa<FloatType, ComplexType>(getElementType(type));
}

bool tile::canAddAtomically(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() > 8;
}

std::optional<double> tile::getRealConstant(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  auto element = dyn_cast<FloatAttr>(attribute);
  return element ? std::optional(element.getValueAsDouble()) : std::nullopt;
}

static bool isComplex(Value value) {
  return isa<ComplexType>(getElementType(value.getType()));
}

static Value createOnScalars(ValueBuilder &b, ComplexKind kind, Type type,
                             ValueRange inputs) {
  switch (kind) {
  case ComplexKind::add:
    return complex::AddOp::create(b, inputs[0], inputs[1]);
  case ComplexKind::sub:
    return complex::SubOp::create(b, inputs[0], inputs[1]);
  case ComplexKind::mul:
    return complex::MulOp::create(b, inputs[0], inputs[1]);
  case ComplexKind::div:
    return complex::DivOp::create(b, inputs[0], inputs[1]);
  case ComplexKind::abs:
    return complex::AbsOp::create(b, type, inputs[0]);
  case ComplexKind::re:
    return complex::ReOp::create(b, type, inputs[0]);
  case ComplexKind::im:
    return complex::ImOp::create(b, type, inputs[0]);
  case ComplexKind::create:
    return complex::CreateOp::create(b, type, inputs[0], inputs[1]);
  // The region of a tile.map may not have the operations for the others.
  case ComplexKind::neg:
    return complex::SubOp::create(b, b.zero(type), inputs[0]);
  case ComplexKind::conj: {
    Type part = cast<ComplexType>(type).getElementType();
    Value re = complex::ReOp::create(b, part, inputs[0]);
    Value im = complex::ImOp::create(b, part, inputs[0]);
    return complex::CreateOp::create(b, type, re, b.neg(im));
  }
  case ComplexKind::exp:
    break;
  }
  return complex::ExpOp::create(b, inputs[0]);
}

Value ValueBuilder::createComplex(ComplexKind kind, Type type,
                                  ValueRange inputs) {
  if (isa<TileType>(inputs.front().getType()))
    return ComplexOp::create(*this, type, kind, inputs);
  return createOnScalars(*this, kind, type, inputs);
}

Value ValueBuilder::real(Type type, double value) {
  if (auto tile = dyn_cast<TileType>(type))
    return TileBuilder(*this, getLoc(), tile.getShape(), tile.getStorage())
        .real(tile.getElementType(), value);
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  Type part = complex.getElementType();
  return complex::ConstantOp::create(
      *this, complex,
      getArrayAttr({getFloatAttr(part, value), getZeroAttr(part)}));
}

Value ValueBuilder::withLayoutOf(Type type, Value value) {
  if (!value || value.getType() == type || !isa<TileType>(type))
    return value;
  return ConvertLayoutOp::create(*this, type, value);
}

/// Derivatives, unlike the program itself, may round a multiplication and an
/// addition once, by one instruction.
static constexpr auto kContract = arith::FastMathFlags::contract;

Value ValueBuilder::add(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  if (isComplex(a))
    return createComplex(ComplexKind::add, a.getType(), {a, b});
  return arith::AddFOp::create(*this, a, b, kContract);
}

Value ValueBuilder::sub(Value a, Value b) {
  if (!b)
    return a;
  if (!a)
    return neg(b);
  if (isComplex(a))
    return createComplex(ComplexKind::sub, a.getType(), {a, b});
  return arith::SubFOp::create(*this, a, b, kContract);
}

Value ValueBuilder::neg(Value a) {
  if (!a)
    return {};
  if (isComplex(a))
    return createComplex(ComplexKind::neg, a.getType(), {a});
  return arith::NegFOp::create(*this, a);
}

Value ValueBuilder::mul(Value a, Value b) {
  if (!a || !b)
    return {};
  if (isComplex(a))
    return createComplex(ComplexKind::mul, a.getType(), {a, b});
  return arith::MulFOp::create(*this, a, b, kContract);
}

Value ValueBuilder::div(Value a, Value b) {
  if (!a)
    return {};
  if (isComplex(a))
    return createComplex(ComplexKind::div, a.getType(), {a, b});
  return arith::DivFOp::create(*this, a, b);
}

Value ValueBuilder::scale(Value a, double factor) {
  return a ? mul(a, real(a.getType(), factor)) : Value();
}

Value ValueBuilder::conj(Value a) {
  if (!a || !isComplex(a))
    return a;
  return createComplex(ComplexKind::conj, a.getType(), {a});
}

Value ValueBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(*this, predicate, a, b);
}

Value ValueBuilder::select(Value condition, Value a, Value b) {
  a = orZero(a, (a ? a : b).getType());
  b = orZero(b, a.getType());
  if (isa<TileType>(a.getType()))
    return SelectOp::create(*this, a.getType(), condition, a, b);
  return arith::SelectOp::create(*this, condition, a, b);
}

/// Returns the bits of the elements of a value of real elements.
static unsigned getWidth(Value value) {
  return getElementType(value.getType()).getIntOrFloatBitWidth();
}

std::optional<Selection> tile::getSelection(Value value) {
  // A selection is the elementwise operation with a condition and two values.
  Operation *op = value.getDefiningOp();
  bool isSelection = op && op->hasTrait<OpTrait::Elementwise>() &&
                     op->getNumOperands() == 3 &&
                     getElementType(op->getOperand(0).getType()).isInteger(1) &&
                     op->getOperand(1).getType() == value.getType() &&
                     op->getOperand(2).getType() == value.getType();
  if (!isSelection)
    return std::nullopt;
  return Selection{op->getOperand(1), op->getOperand(2)};
}

Value tile::skipRounding(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  if (!cast)
    return value;
  auto from = dyn_cast<FloatType>(getElementType(cast.getSource().getType()));
  auto to = dyn_cast<FloatType>(getElementType(value.getType()));
  bool isRounding = from && to && from.getWidth() > to.getWidth();
  return isRounding ? cast.getSource() : value;
}

Value tile::toIndex(ImplicitLocOpBuilder &b, Value integer) {
  return getValueOrCreateCastToIndexLike(b, b.getLoc(), b.getIndexType(),
                                         integer);
}

Type tile::getSumElement(Type element) {
  auto real = dyn_cast<FloatType>(element);
  bool isNarrow = real && real.getWidth() < 32;
  return isNarrow ? Float32Type::get(element.getContext()) : element;
}

Type tile::getSumType(Value value) {
  return withElementType(value.getType(),
                         getSumElement(getElementType(value.getType())));
}

Value ValueBuilder::accumulate(Value sum, Value value, bool isOnlyUse) {
  auto matmul = value.getDefiningOp<MatmulOp>();
  if (isOnlyUse && matmul && matmul.getType() == sum.getType() &&
      getRealConstant(matmul.getAcc()) == 0.0) {
    matmul.getAccMutable().assign(sum);
    return value;
  }
  return add(sum, cast(value, getElementType(sum.getType())));
}

Value ValueBuilder::cast(Value a, Type element) {
  if (!a || getElementType(a.getType()) == element)
    return a;
  // A wider type has each value of a narrower one.
  auto widening = a.getDefiningOp<CastOp>();
  if (widening && getWidth(widening.getSource()) < getWidth(a) &&
      getElementType(widening.getSource().getType()) == element)
    return widening.getSource();
  if (isa<TileType>(a.getType()))
    return CastOp::create(*this, withElementType(a.getType(), element), a);
  unsigned from = a.getType().getIntOrFloatBitWidth();
  unsigned to = element.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(*this, element, a);
  if (from > to)
    return arith::TruncFOp::create(*this, element, a);
  Value wide = arith::ExtFOp::create(*this, getF32Type(), a);
  return arith::TruncFOp::create(*this, element, wide);
}
