// ExpandFourier.cpp - Fourier transforms of complex and of real rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "FourierExpansion.h"

#include "tile/Algorithms/RootsOfUnity.h"
#include "tile/IR/AttachModels.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

Value FourierExpansion::transform(Value x, bool isInverse, long double scale) {
  switch (plan.algorithm) {
  case FftAlgorithm::passes:
    return transformByPasses(x, isInverse, scale);
  case FftAlgorithm::prime:
    return transformPrime(x, isInverse, scale);
  case FftAlgorithm::chirp:
    return transformByChirp(x, isInverse, scale);
  case FftAlgorithm::factors:
    return transformByFactors(x, isInverse, scale);
  }
  llvm_unreachable("unknown algorithm");
}

//===----------------------------------------------------------------------===//
// Rows of real elements
//===----------------------------------------------------------------------===//

Value FourierExpansion::transformReal(Value x) {
  Type part = this->part;
  x = reshape(x, {rows, form.length});
  Value y = map(getComplex(), x, [part](ElementBuilder &b, ValueRange x) {
    return b.make({x[0], b.real(part, 0)});
  });
  y = transform(y, /*isInverse=*/false, form.scale);
  return takeFirst(y, form.length / 2 + 1);
}

/// Transforms pairs of elements as complex values z, with the transform Z. The
/// transform of the elements of even index is E_k = (Z_k + conj(Z_-k)) / 2,
/// that of the elements of odd index is O_k = (Z_k - conj(Z_-k)) / 2i, and that
/// of the whole row is E_k + w^k O_k.
Value FourierExpansion::transformHalved(Value x) {
  int64_t half = form.length / 2;
  Value pairs = reshape(x, {rows, half, 2});
  auto takePart = [&](int64_t parity) -> Value {
    auto at = [&](int64_t offset) -> Value {
      return arith::ConstantIndexOp::create(builder, op->getLoc(), offset);
    };
    Value view =
        ViewOp::create(builder, op->getLoc(), getType({rows, half, 1}, part),
                       pairs, ValueRange{at(0), at(0), at(parity)});
    return reshape(view, {rows, half});
  };
  Value z =
      map(getComplex(), {takePart(0), takePart(1)},
          [](ElementBuilder &b, ValueRange x) { return b.make({x[0], x[1]}); });
  z = convertTo(builder, op->getLoc(),
                transform(z, /*isInverse=*/false, /*scale=*/1),
                getAnyShared(op->getContext()));
  // The indices of Z_k and Z_-k, modulo half, for k from 0 to half.
  SmallVector<int64_t> row = {1, half + 1};
  TileBuilder indices(builder, op->getLoc(), row,
                      getAnyRegisters(op->getContext()));
  Type i32 = builder.getI32Type();
  Value k = iota(half + 1), none = indices.constant(i32, 0),
        all = indices.constant(i32, half);
  auto isEqual = [&](Value a, Value b) {
    return indices.create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
  };
  Value at = indices.create<SelectOp>(isEqual(k, all), none, k);
  Value opposite = indices.create<SelectOp>(
      isEqual(k, none), none, indices.create<arith::SubIOp>(all, k));
  std::vector<FourierNumber> twiddles;
  for (int64_t exponent = 0; exponent <= half; ++exponent)
    twiddles.push_back(getRootOfUnity(exponent, form.length));
  SmallVector<Value> inputs = {take(z, at), take(z, opposite)};
  llvm::append_range(inputs, createRows(twiddles, {rows, half + 1}));
  FactorParts factor = splitFactor(form.scale / 2, part.isF64());
  return map(getComplex(), inputs, [&](ElementBuilder &b, ValueRange x) {
    ComplexValue here = b.parts(x[0]), there = b.parts(x[1]);
    ComplexValue even = {b.add(here.re, there.re), b.sub(here.im, there.im)};
    ComplexValue odd = {b.add(here.im, there.im), b.sub(there.re, here.re)};
    ComplexValue turned = b.mul(odd, ComplexValue{x[2], x[3]});
    ComplexValue sum = {b.add(even.re, turned.re), b.add(even.im, turned.im)};
    return b.make(b.scale(sum, factor));
  });
}

/// Computes rows of real elements from the first half of their spectrum; the
/// second half has the conjugates of the first.
Value FourierExpansion::transformToReal(Value y) {
  y = reshape(y, {rows, form.length / 2 + 1});
  SmallVector<int64_t> row = {1, form.length};
  TileBuilder indices(builder, op->getLoc(), row,
                      getAnyRegisters(op->getContext()));
  Type i32 = builder.getI32Type();
  Value k = iota(form.length);
  Value isBehind = indices.create<arith::CmpIOp>(
      arith::CmpIPredicate::sgt, k, indices.constant(i32, form.length / 2));
  Value at = indices.create<SelectOp>(
      isBehind,
      indices.create<arith::SubIOp>(indices.constant(i32, form.length), k), k);
  Value shared =
      convertTo(builder, op->getLoc(), y, getAnyShared(op->getContext()));
  // The factors of the imaginary parts; zero marks an element without one.
  SmallVector<long double> signs(form.length, -1);
  std::fill(signs.begin(), signs.begin() + form.length / 2 + 1, 1);
  signs.front() = 0;
  if (form.length % 2 == 0)
    signs[form.length / 2] = 0;
  Type part = this->part;
  Value x = map(
      getComplex(), {take(shared, at), createRows(signs, {rows, form.length})},
      [part](ElementBuilder &b, ValueRange x) {
        ComplexValue y = b.parts(x[0]);
        Value zero = b.real(part, 0);
        Value isReal =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x[1], zero);
        y.im = arith::SelectOp::create(b, isReal, zero, b.mul(y.im, x[1]));
        return b.make(y);
      });
  x = transform(x, /*isInverse=*/true, form.scale);
  return map(part, x,
             [](ElementBuilder &b, ValueRange x) { return b.parts(x[0]).re; });
}

/// Inverts transformHalved: Z_k = E_k + i O_k, and the inverse transform of Z
/// has the elements of even index as real parts and those of odd index as
/// imaginary parts.
Value FourierExpansion::transformToHalved(Value y) {
  int64_t half = form.length / 2;
  y = reshape(y, {rows, half + 1});
  SmallVector<int64_t> row = {1, half};
  TileBuilder indices(builder, op->getLoc(), row,
                      getAnyRegisters(op->getContext()));
  Value k = iota(half);
  Value opposite = indices.create<arith::SubIOp>(
      indices.constant(builder.getI32Type(), half), k);
  Value shared =
      convertTo(builder, op->getLoc(), y, getAnyShared(op->getContext()));
  std::vector<FourierNumber> twiddles;
  for (int64_t exponent = 0; exponent < half; ++exponent)
    twiddles.push_back(std::conj(getRootOfUnity(exponent, form.length)));
  // Only the first twiddle factor has no imaginary part, so that it identifies
  // the elements whose imaginary parts are ignored.
  SmallVector<Value> inputs = {take(shared, k), take(shared, opposite)};
  llvm::append_range(inputs, createRows(twiddles, {rows, half}));
  Type part = this->part;
  Value z = map(getComplex(), inputs, [part](ElementBuilder &b, ValueRange x) {
    ComplexValue here = b.parts(x[0]), there = b.parts(x[1]);
    Value zero = b.real(part, 0);
    Value isFirst =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x[3], zero);
    here.im = arith::SelectOp::create(b, isFirst, zero, here.im);
    there.im = arith::SelectOp::create(b, isFirst, zero, there.im);
    ComplexValue even = {b.add(here.re, there.re), b.sub(here.im, there.im)};
    ComplexValue odd = {b.sub(here.re, there.re), b.add(here.im, there.im)};
    ComplexValue turned = b.mul(odd, ComplexValue{x[2], x[3]});
    return b.make({b.sub(even.re, turned.im), b.add(even.im, turned.re)});
  });
  z = transform(z, /*isInverse=*/true, form.scale);
  auto takePart = [&](bool isImaginary) {
    Value values = map(part, z, [&](ElementBuilder &b, ValueRange x) {
      ComplexValue value = b.parts(x[0]);
      return isImaginary ? value.im : value.re;
    });
    return reshape(values, {rows, half, 1});
  };
  Value even = takePart(false), odd = takePart(true);
  Value pairs =
      JoinOp::create(builder, op->getLoc(), getType({rows, half, 2}, part),
                     ValueRange{even, odd}, /*axis=*/2);
  return reshape(pairs, {rows, form.length});
}

void FourierExpansion::run() {
  Value x = op->getOperand(0);
  if (!form.isOfRealRows)
    x = transform(x, form.isInverse, form.scale);
  else if (form.isInverse)
    x = isHalved(form) ? transformToHalved(x) : transformToReal(x);
  else
    x = isHalved(form) ? transformHalved(x) : transformReal(x);
  if (!op->use_empty() && !storeColumns(x)) {
    x = reshape(x, getTileShape(op->getResult(0).getType()));
    replaceResult(builder, op->getResult(0), x);
  }
  op->erase();
}

static void expand(Operation *op) {
  auto [form, plan] = *getFourierPlan(op);
  FourierExpansion(op, form, plan).run();
}

namespace {
template <typename Op>
struct FourierLayouts
    : LayoutOpInterface::ExternalModel<FourierLayouts<Op>, Op> {
  void simplifyForLayouts(Operation *op) const { expand(cast<Op>(op)); }
};
} // namespace

void tile::addFourierExpansions(MLIRContext &context) {
  attachModels<FourierLayouts, FftOp, IfftOp, RfftOp, IrfftOp>(context);
}
