// FourierOps.cpp - types and parameters of Fourier transforms
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

#include <cmath>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

static FourierTransform getTransform(TileType rows, FftNorm norm,
                                     bool isInverse, bool isOfRealRows) {
  FourierTransform transform;
  transform.length = rows.getShape().back();
  transform.isInverse = isInverse;
  transform.isOfRealRows = isOfRealRows;
  auto length = static_cast<long double>(transform.length);
  if (norm != FftNorm::none)
    transform.scale = 1 / (norm == FftNorm::by_n ? length : std::sqrt(length));
  return transform;
}

FactorParts tile::splitFactor(long double factor, bool isF64) {
  auto round = [&](long double value) {
    return isF64 ? static_cast<double>(value)
                 : static_cast<double>(static_cast<float>(value));
  };
  double high = round(factor);
  return {high, round(factor - high)};
}

bool tile::isRadix(int64_t value) {
  return (2 <= value && value <= 16) ||
         llvm::is_contained({17, 19, 23, 29, 31}, value);
}

bool tile::isPrime(int64_t value) {
  for (int64_t factor = 2; factor * factor <= value; ++factor)
    if (value % factor == 0)
      return false;
  return value > 1;
}

FourierTransform FftOp::getTransform() {
  return ::getTransform(getSource().getType(), getNorm(), /*isInverse=*/false,
                        /*isOfRealRows=*/false);
}

FourierTransform IfftOp::getTransform() {
  return ::getTransform(getSource().getType(), getNorm(), /*isInverse=*/true,
                        /*isOfRealRows=*/false);
}

FourierTransform RfftOp::getTransform() {
  return ::getTransform(getSource().getType(), getNorm(), /*isInverse=*/false,
                        /*isOfRealRows=*/true);
}

FourierTransform IrfftOp::getTransform() {
  return ::getTransform(getType(), getNorm(), /*isInverse=*/true,
                        /*isOfRealRows=*/true);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Verifies that rows have elements of f32 or f64, or complex elements of
/// these.
static LogicalResult verifyRows(Operation *op, TileType type, StringRef which,
                                bool isComplex) {
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  Type part = complex ? complex.getElementType() : element;
  bool isPart = part.isF32() || part.isF64();
  if (type.getRank() != 0 && isPart && isComplex == static_cast<bool>(complex))
    return success();
  return op->emitOpError() << "expected " << which
                           << " of at least one dimension and elements of "
                           << (isComplex ? "complex<f32> or complex<f64>"
                                         : "f32 or f64")
                           << ", got " << type;
}

/// Verifies C2 of fft.
static LogicalResult verifyPlan(Operation *op, FftPlanAttr plan,
                                int64_t length) {
  if (!plan)
    return success();
  int64_t product = 1;
  for (int64_t radix : plan.getRadices().asArrayRef())
    if (llvm::MulOverflow(product, radix, product))
      product = 0;
  bool isConvolution = isPrime(length) && length > 2 && product == length - 1;
  if (product == length || isConvolution)
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected radices that multiply to " << length
                             << " (the last extent)";
  if (isPrime(length))
    error << ", or one less, since it is prime";
  return error << ", got [" << plan.getRadices().asArrayRef() << "]";
}

template <typename Op>
static LogicalResult verifyComplex(Op op) {
  TileType type = op.getType();
  if (failed(verifyRows(op, type, "a tile", /*isComplex=*/true)))
    return failure();
  return failure(
      failed(verifyLimits(op)) ||
      failed(verifyPlan(op, op.getPlanAttr(), op.getTransform().length)));
}

LogicalResult FftOp::verify() { return verifyComplex(*this); }

LogicalResult IfftOp::verify() { return verifyComplex(*this); }

/// Verifies the type of rows of real elements and that of their spectrum.
static LogicalResult verifyReal(Operation *op, TileType rows, TileType spectrum,
                                StringRef whatRows, StringRef whatSpectrum) {
  if (failed(verifyRows(op, rows, whatRows, /*isComplex=*/false)) ||
      failed(verifyRows(op, spectrum, whatSpectrum, /*isComplex=*/true)) ||
      failed(verifyLimits(op)))
    return failure();
  SmallVector<int64_t> shape(rows.getShape());
  shape.back() = shape.back() / 2 + 1;
  auto expected = TileType::get(shape, ComplexType::get(rows.getElementType()));
  if (spectrum.withStorage({}) == expected)
    return success();
  return op->emitOpError() << "expected " << whatSpectrum << " of type "
                           << expected << " for " << whatRows << " of type "
                           << rows.withStorage({}) << ", got "
                           << spectrum.withStorage({});
}

LogicalResult RfftOp::verify() {
  TileType source = getSource().getType();
  return verifyReal(*this, source, getType(), "a source", "a result");
}

LogicalResult IrfftOp::verify() {
  TileType result = getType();
  return verifyReal(*this, result, getSource().getType(), "a result",
                    "a source");
}

LogicalResult PartialFftOp::verify() {
  TileType type = getType();
  // C1
  if (type.getRank() != 3 || !isa<ComplexType>(type.getElementType()) ||
      !isRadix(type.getDimSize(1)))
    return emitOpError() << "expected a tile of complex elements and three "
                            "dimensions, the second one from 2 to 16 or a "
                            "prime number up to 31, got "
                         << type;
  // C2
  int64_t threads = getThreads();
  if (threads < 1 || threads > 1024 || !llvm::isPowerOf2_64(threads))
    return emitOpError()
           << "expected a power of two of threads, at most 1024, got "
           << threads;
  // C3
  int64_t stride = getPlaces();
  if (stride < 1 || type.getDimSize(2) % stride != 0)
    return emitOpError() << "expected a number of places that divides "
                         << type.getDimSize(2) << ", got " << stride;
  // C4
  if (getScale() && getScale()->size() != 2)
    return emitOpError() << "expected a scale of two numbers, got "
                         << getScale()->size();
  return success();
}

LogicalResult OrderFftOp::verify() {
  TileType from = getSource().getType(), to = getType();
  // C1
  bool hasColumns = from.getRank() == 3 && to.getRank() == 3 &&
                    from.getElementType() == to.getElementType() &&
                    from.getDimSize(0) == to.getDimSize(0);
  int64_t stride = getPlaces();
  if (!hasColumns || stride < 1 ||
      from.getNumElements() != to.getNumElements() ||
      to.getDimSize(2) % (from.getDimSize(1) * stride) != 0)
    return emitOpError() << "expected columns of " << stride
                         << " places, and as many elements in columns of the "
                            "next pass, got "
                         << from << " and " << to;
  // C2
  if (from.getRegister() && to.getShared())
    return success();
  return emitOpError() << "expected a source in registers and a result in "
                          "shared memory, got "
                       << from << " and " << to;
}

LogicalResult FftPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  DenseI64ArrayAttr radices, int64_t threads) {
  // C1
  for (int64_t radix : radices.asArrayRef())
    if (!isRadix(radix))
      return emitError()
             << "expected radices from 2 to 16, or prime ones up to "
                "31, got ["
             << radices.asArrayRef() << "]";
  // C2
  if (threads < 0 || threads > 1024 ||
      (threads != 0 && !llvm::isPowerOf2_64(threads)))
    return emitError()
           << "expected a power of two of threads, at most 1024, got "
           << threads;
  return success();
}
