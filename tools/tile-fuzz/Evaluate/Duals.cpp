// Duals.cpp - operations on dual numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation on dual numbers is run twice: first on values, then, here,
// with derivatives, which replaces its results. Operations that move elements
// move their derivatives, so nothing is left to do for them. Derivatives are
// those of calculus; docs/Differentiation.md has the conventions where a
// function has none.

#include "Interpreter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

void Interpreter::setDuals(Value result, ArrayRef<ComplexDual> duals) {
  Elements elements;
  for (const ComplexDual &dual : duals)
    elements.push_back(Element::ofDual(dual));
  set(result, std::move(elements));
}

std::vector<ComplexDual> Interpreter::getDuals(Value value) {
  std::vector<ComplexDual> duals;
  for (const Element &element : get(value))
    duals.push_back(element.dual);
  return duals;
}

//===----------------------------------------------------------------------===//
// Real elementwise operations
//===----------------------------------------------------------------------===//

/// Returns the larger or smaller value. Equal values have half the derivative
/// each. The other value has a weight of zero, so that a derivative that is not
/// finite makes that of the result NaN.
static RealDual pickExtreme(const RealDual &a, const RealDual &b, bool isMax) {
  if (std::isnan(a.value) || std::isnan(b.value))
    return RealDual::unknown();
  bool isFirst = (a.value > b.value) == isMax;
  Wide weight = a.value == b.value ? 0.5L : isFirst ? 1 : 0;
  return {isFirst ? a.value : b.value,
          weight * a.tangent + (1 - weight) * b.tangent};
}

/// kNextToJump is the fraction of a divisor up to which a remainder counts as
/// next to a jump: more than the rounding of any element type. A value up to
/// `kNextToZero` may have the other sign, if rounding leaves it of a
/// difference.
constexpr Wide kNextToJump = 1e-2, kNextToZero = 1e-4;

/// Returns the larger or smaller of two values, or the one that is not NaN. The
/// other value has a weight of zero, as for pickExtreme.
static RealDual pickNumber(const RealDual &a, const RealDual &b, bool isMax) {
  if (std::isnan(a.value))
    return {b.value, b.tangent + 0 * a.tangent};
  if (std::isnan(b.value))
    return {a.value, a.tangent + 0 * b.tangent};
  return pickExtreme(a, b, isMax);
}

/// Returns x - n y, where n is the quotient without its fraction. The
/// derivative is not known next to a jump, where rounding may decide on n.
static RealDual takeRemainder(const RealDual &x, const RealDual &y) {
  Wide rest = std::fmod(x.value, y.value);
  Wide part = std::abs(rest / y.value);
  if (part < kNextToJump || part > 1 - kNextToJump)
    return RealDual::unknown();
  Wide n = std::round((x.value - rest) / y.value);
  return {rest, x.tangent - n * y.tangent};
}

/// Returns |x|. The derivative next to zero is not known, except at zero.
static RealDual takeMagnitude(const RealDual &x) {
  bool isKnown = x.value == 0 || std::abs(x.value) > kNextToZero;
  return isKnown ? abs(x) : RealDual::unknown();
}

/// Returns x with another sign. The derivative at zero is not known.
static RealDual copySign(const RealDual &x, const RealDual &sign) {
  Wide value = std::copysign(x.value, sign.value);
  return x.value == 0 ? RealDual::unknown()
                      : chain(x, value, value == x.value ? 1 : -1);
}

/// Returns x^y. The derivative where x is zero is not known.
static RealDual takePower(const RealDual &x, const RealDual &y) {
  Wide value = std::pow(x.value, y.value);
  if (x.value == 0)
    return RealDual::unknown();
  return {value, y.value * std::pow(x.value, y.value - 1) * x.tangent +
                     value * std::log(x.value) * y.tangent};
}

static RealDual takeAngle(const RealDual &y, const RealDual &x) {
  Wide square = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value),
          (x.value * y.tangent - y.value * x.tangent) / square};
}

/// Returns the derivative of the error function.
static Wide getErrorDensity(Wide x) {
  return 2 / std::sqrt(std::acos(Wide(-1))) * std::exp(-x * x);
}

/// Computes an operation of arith or math; nothing if its result has no
/// derivative that is known.
static std::optional<RealDual> apply(Operation *op, ArrayRef<RealDual> x) {
  using Result = std::optional<RealDual>;
  const RealDual &a = x.front(), &b = x[x.size() > 1 ? 1 : 0];
  Wide v = a.value;
  const Wide ln2 = std::log(Wide(2)), ln10 = std::log(Wide(10));
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddFOp) { return a + b; })
      .Case([&](arith::SubFOp) { return a - b; })
      .Case([&](arith::MulFOp) { return a * b; })
      .Case([&](arith::DivFOp) { return a / b; })
      .Case([&](arith::NegFOp) { return -a; })
      .Case([&](arith::RemFOp) { return takeRemainder(a, b); })
      .Case([&](arith::MaximumFOp) { return pickExtreme(a, b, true); })
      .Case([&](arith::MinimumFOp) { return pickExtreme(a, b, false); })
      .Case([&](arith::MaxNumFOp) { return pickNumber(a, b, true); })
      .Case([&](arith::MinNumFOp) { return pickNumber(a, b, false); })
      .Case([&](math::ClampFOp) {
        return pickExtreme(pickExtreme(a, x[2], false), b, true);
      })
      .Case([&](math::FmaOp) { return a * b + x[2]; })
      .Case([&](math::AbsFOp) { return takeMagnitude(a); })
      .Case([&](math::CopySignOp) { return copySign(a, b); })
      .Case([&](math::PowFOp) { return takePower(a, b); })
      .Case([&](math::Atan2Op) { return takeAngle(a, b); })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return a; })
      .Case([&](math::SqrtOp) { return sqrt(a); })
      .Case([&](math::RsqrtOp) { return RealDual(1) / sqrt(a); })
      .Case([&](math::CbrtOp) {
        return chain(a, std::cbrt(v), 1 / (3 * std::pow(std::cbrt(v), 2)));
      })
      .Case([&](math::ExpOp) { return exp(a); })
      .Case([&](math::Exp2Op) {
        return chain(a, std::exp2(v), ln2 * std::exp2(v));
      })
      .Case([&](math::ExpM1Op) { return chain(a, std::expm1(v), std::exp(v)); })
      .Case([&](math::LogOp) { return log(a); })
      .Case([&](math::Log2Op) { return chain(a, std::log2(v), 1 / (v * ln2)); })
      .Case([&](math::Log10Op) {
        return chain(a, std::log10(v), 1 / (v * ln10));
      })
      .Case([&](math::Log1pOp) { return chain(a, std::log1p(v), 1 / (1 + v)); })
      .Case([&](math::SinOp) { return chain(a, std::sin(v), std::cos(v)); })
      .Case([&](math::CosOp) { return chain(a, std::cos(v), -std::sin(v)); })
      .Case([&](math::TanOp) {
        return chain(a, std::tan(v), 1 / std::pow(std::cos(v), 2));
      })
      .Case([&](math::AsinOp) {
        return chain(a, std::asin(v), 1 / std::sqrt((1 - v) * (1 + v)));
      })
      .Case([&](math::AcosOp) {
        return chain(a, std::acos(v), -1 / std::sqrt((1 - v) * (1 + v)));
      })
      .Case(
          [&](math::AtanOp) { return chain(a, std::atan(v), 1 / (1 + v * v)); })
      .Case([&](math::SinhOp) { return chain(a, std::sinh(v), std::cosh(v)); })
      .Case([&](math::CoshOp) { return chain(a, std::cosh(v), std::sinh(v)); })
      .Case([&](math::TanhOp) {
        return chain(a, std::tanh(v), 1 / std::pow(std::cosh(v), 2));
      })
      .Case([&](math::AsinhOp) {
        return chain(a, std::asinh(v), 1 / std::sqrt(v * v + 1));
      })
      .Case([&](math::AcoshOp) {
        return chain(a, std::acosh(v), 1 / std::sqrt((v - 1) * (v + 1)));
      })
      .Case([&](math::AtanhOp) {
        return chain(a, std::atanh(v), 1 / ((1 - v) * (1 + v)));
      })
      .Case([&](math::ErfOp) {
        return chain(a, std::erf(v), getErrorDensity(v));
      })
      .Case([&](math::ErfcOp) {
        return chain(a, std::erfc(v), -getErrorDensity(v));
      })
      .Default([](Operation *) { return Result(); });
}

/// Whether the result has a derivative of zero wherever it has one.
static bool isConstant(Operation *op) {
  if (auto cast = dyn_cast<CastOp>(op))
    return cast.getBitcast() || isInteger(getElement(cast.getSource()));
  return isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
             math::RoundEvenOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::BitcastOp>(op);
}

void Interpreter::computeElementwiseDuals(Operation *op) {
  Value result = op->getResult(0);
  if (isConstant(op))
    return;
  SmallVector<std::vector<ComplexDual>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getDuals(operand));
  std::vector<ComplexDual> duals;
  for (size_t n = 0; n < get(result).size(); ++n) {
    auto x = llvm::map_to_vector(operands, [&](ArrayRef<ComplexDual> operand) {
      return real(operand[operand.size() == 1 ? 0 : n]);
    });
    std::optional<RealDual> dual =
        isa<CastOp>(op) ? std::optional(x.front()) : apply(op, x);
    RealDual known = dual.value_or(RealDual::unknown());
    duals.push_back({known.value, known.tangent});
  }
  setDuals(result, duals);
}

//===----------------------------------------------------------------------===//
// Complex operations
//===----------------------------------------------------------------------===//

static ComplexDual makeComplex(const RealDual &re, const RealDual &im) {
  return {{re.value, im.value}, {re.tangent, im.tangent}};
}

static ComplexDual apply(ComplexKind kind, const ComplexDual &a,
                         const ComplexDual &b) {
  switch (kind) {
  case ComplexKind::add:
    return a + b;
  case ComplexKind::sub:
    return a - b;
  case ComplexKind::mul:
    return a * b;
  case ComplexKind::div:
    return a / b;
  case ComplexKind::neg:
    return -a;
  case ComplexKind::conj:
    return conj(a);
  case ComplexKind::exp:
    return exp(a);
  case ComplexKind::abs:
    return makeComplex(abs(a), {});
  case ComplexKind::re:
    return makeComplex(real(a), {});
  case ComplexKind::im:
    return makeComplex(imag(a), {});
  case ComplexKind::create:
    return makeComplex(real(a), real(b));
  }
  llvm_unreachable("kind of operation on complex numbers");
}

void Interpreter::computeComplexDuals(Operation *op, ComplexKind kind) {
  std::vector<ComplexDual> first = getDuals(op->getOperands().front()),
                           last = getDuals(op->getOperands().back()), duals;
  for (auto [a, b] : llvm::zip_equal(first, last))
    duals.push_back(apply(kind, a, b));
  setDuals(op->getResult(0), duals);
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

/// Returns the largest or smallest term. Equal terms share the derivative.
static ComplexDual reduceToExtreme(ArrayRef<ComplexDual> terms, bool isMax) {
  Wide best = terms.front().value.real();
  for (const ComplexDual &term : terms) {
    Wide value = term.value.real();
    if (std::isnan(value))
      return ComplexDual::unknown();
    best = isMax ? std::max(best, value) : std::min(best, value);
  }
  Wide count = 0, tangent = 0;
  for (const ComplexDual &term : terms) {
    Wide weight = term.value.real() == best ? 1 : 0;
    count += weight;
    tangent += weight * term.tangent.real();
  }
  return {best, tangent / count};
}

static bool isExtreme(ReduceKind kind) {
  return kind == ReduceKind::min || kind == ReduceKind::max;
}

/// Returns the largest or smallest term of a scan, the first of equal terms.
static ComplexDual scanToExtreme(ArrayRef<ComplexDual> terms, bool isMax) {
  ComplexDual best = terms.front();
  for (const ComplexDual &term : terms) {
    if (std::isnan(term.value.real()))
      return ComplexDual::unknown();
    if (isMax ? term.value.real() > best.value.real()
              : term.value.real() < best.value.real())
      best = term;
  }
  return best;
}

static ComplexDual reduceDuals(ReduceKind kind, ArrayRef<ComplexDual> terms) {
  if (isExtreme(kind))
    return reduceToExtreme(terms, kind == ReduceKind::max);
  ComplexDual result = terms.front();
  for (const ComplexDual &term : terms.drop_front()) {
    if (kind == ReduceKind::add)
      result += term;
    else
      result *= term;
  }
  return result;
}

/// A reduction by a region has computed the dual numbers in the region.
void Interpreter::computeDuals(ReduceOp op) {
  if (!op.getKind())
    return;
  std::vector<ComplexDual> source = getDuals(op.getSources().front()), duals;
  for (ArrayRef<size_t> row :
       getRows(getShape(op.getSources().front()), op.getAxis()))
    duals.push_back(reduceDuals(
        *op.getKind(),
        llvm::map_to_vector(row, [&](size_t i) { return source[i]; })));
  setDuals(op.getResult(0), duals);
}

/// Combines terms in the order of their indices.
static ComplexDual scanDuals(ReduceKind kind, ArrayRef<ComplexDual> terms,
                             bool isReversed) {
  if (!isExtreme(kind))
    return reduceDuals(kind, terms);
  SmallVector<ComplexDual> ordered(terms);
  if (isReversed)
    std::reverse(ordered.begin(), ordered.end());
  return scanToExtreme(ordered, kind == ReduceKind::max);
}

void Interpreter::computeDuals(ScanOp op) {
  if (!op.getKind())
    return;
  std::vector<ComplexDual> source = getDuals(op.getSources().front());
  std::vector<ComplexDual> duals(source.size(), getIdentity(op).front().dual);
  for (SmallVector<size_t> row :
       getRows(getShape(op.getSources().front()), op.getAxis())) {
    if (op.getReverse())
      std::reverse(row.begin(), row.end());
    SmallVector<ComplexDual> terms;
    for (size_t index : row) {
      if (op.getExclusive() && !terms.empty())
        duals[index] = scanDuals(*op.getKind(), terms, op.getReverse());
      terms.push_back(source[index]);
      if (!op.getExclusive())
        duals[index] = scanDuals(*op.getKind(), terms, op.getReverse());
    }
  }
  setDuals(op.getResult(0), duals);
}

/// The derivative is that of the element whose index is returned.
void Interpreter::computeDuals(ArgReduceOp op) {
  std::vector<ComplexDual> source = getDuals(op.getSource()), duals;
  for (auto [row, index] : llvm::zip_equal(
           getRows(getShape(op.getSource()), op.getAxis()), get(op.getIndex())))
    duals.push_back(index.isUnknown() ? ComplexDual::unknown()
                                      : source[row[index.integer]]);
  setDuals(op.getValue(), duals);
}

void Interpreter::computeDuals(IotaOp op) {
  auto getOperand = [&](Value value, Wide otherwise) {
    return value ? real(get(value).front().dual) : RealDual(otherwise);
  };
  RealDual start = getOperand(op.getStart(), 0),
           step = getOperand(op.getStep(), 1);
  std::vector<ComplexDual> duals;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    auto index = static_cast<Wide>(coordinate[op.getAxis()]);
    duals.push_back(makeComplex(start + step * RealDual(index), {}));
  });
  setDuals(op.getResult(), duals);
}

//===----------------------------------------------------------------------===//
// The choice of the operation
//===----------------------------------------------------------------------===//

/// Whether an operation only moves elements, or runs operations of its regions.
static bool isMovement(Operation *op) {
  return isa<LoadOp, StoreOp, GatherOp, ScatterOp, AtomicLoadOp, AtomicStoreOp,
             AtomicRMWOp, TakeOp, PutOp, PushOp, PopOp, FillOp, ViewOp,
             InsertOp, ExtractOp, JoinOp, TransposeOp, BroadcastOp, ReshapeOp,
             SelectOp, arith::SelectOp, ConvertLayoutOp, SortOp, TopKOp,
             DiagonalOp, AddDiagonalOp, MapOp, PerThreadOp, memref::LoadOp,
             memref::StoreOp, memref::AtomicRMWOp, scf::ForOp, scf::IfOp,
             scf::WhileOp, func::CallOp>(op);
}

/// Whether the results depend on no value that may have a derivative.
static bool isSource(Operation *op) {
  return isa<arith::ConstantOp, complex::ConstantOp, RandomOp>(op);
}

static bool isFloating(Value value) {
  return isa<FloatType, ComplexType>(getElement(value));
}

void Interpreter::computeDuals(Operation *op) {
  if (llvm::none_of(op->getResults(), isFloating) || isMovement(op) ||
      isSource(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<ReduceOp, ScanOp, ArgReduceOp, IotaOp, MatmulOp,
            CholeskyDerivativeOp, CholeskyOp, TriangularSolveOp, SolveOp,
            InverseOp, DeterminantOp, LogDetOp>(
          [&](auto op) { computeDuals(op); })
      .Case<FftOp, RfftOp>([&](auto op) {
        computeDualTransform(op.getSource(), op.getResult(), op.getNorm(),
                             /*isInverse=*/false);
      })
      .Case<IfftOp, IrfftOp>([&](auto op) {
        computeDualTransform(op.getSource(), op.getResult(), op.getNorm(),
                             /*isInverse=*/true);
      })
      .Default([&](Operation *op) {
        if (std::optional<ComplexKind> kind = getComplexKind(op))
          return computeComplexDuals(op, *kind);
        if (op->getNumResults() == 1)
          return computeElementwiseDuals(op);
        // Factorisations whose derivatives the evaluator does not know.
        for (Value result : op->getResults())
          if (isFloating(result))
            setDuals(result, std::vector<ComplexDual>(get(result).size(),
                                                      ComplexDual::unknown()));
      });
}
