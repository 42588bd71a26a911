// ComputeOps.cpp - tile.cast, .select, .complex, .unpack, .map, .matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

#include "tile/IR/InstructionRows.h"

#include "tile/IR/ElementRegion.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// CastOp
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  TileType source = getSource().getType(), result = getType();
  // C1
  if (source.getShape() != result.getShape())
    return emitOpError() << "expected a result of shape [" << source.getShape()
                         << "] (the source's), got [" << result.getShape()
                         << "]";
  Type from = source.getElementType(), to = result.getElementType();
  if (from == to)
    return success();
  // C2
  if (isa<ComplexType>(from) || isa<ComplexType>(to))
    return emitOpError() << "expected element types that are not complex, got "
                         << from << " and " << to;
  // C3
  if (!getBitcast())
    return success();
  if (from.isIndex() || to.isIndex() ||
      from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError() << "expected element types of the same width for a "
                            "bitcast, got "
                         << from << " and " << to;
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  // Folds a splat of a floating-point constant, with the rounding that the
  // operation specifies. Values out of range of a saturating type are left to
  // run time.
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource());
  auto to = dyn_cast<FloatType>(getType().getElementType());
  if (!splat || !to || getBitcast() || to.getWidth() < 16 ||
      !isa<FloatType>(splat.getElementType()))
    return {};
  APFloat value = splat.getSplatValue<APFloat>();
  bool losesInfo = false;
  value.convert(to.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return DenseElementsAttr::get(cast<ShapedType>(Type(getType())),
                                FloatAttr::get(to, value));
}

//===----------------------------------------------------------------------===//
// SelectOp
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  // C1
  auto condition = dyn_cast<TileType>(getCondition().getType());
  if (!condition)
    return success();
  if (!condition.getElementType().isInteger(1) ||
      condition.getShape() != getType().getShape())
    return emitOpError() << "expected a condition of shape ["
                         << getType().getShape()
                         << "] and element type i1, got " << condition;
  return success();
}

SmallVector<Value> SelectOp::createElements(OpBuilder &builder,
                                            ValueRange operands) {
  return {arith::SelectOp::create(builder, getLoc(), operands[0], operands[1],
                                  operands[2])};
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  Attribute condition = adaptor.getCondition();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(condition))
    condition = splat.getSplatValue<Attribute>();
  if (auto value = dyn_cast_or_null<IntegerAttr>(condition))
    return value.getValue().isZero() ? getFalseValue() : getTrueValue();
  return {};
}

//===----------------------------------------------------------------------===//
// ComplexOp
//===----------------------------------------------------------------------===//

/// Returns which inputs are complex, and whether the result is (C3).
static std::pair<SmallVector<bool>, bool> getComplexForm(ComplexKind kind) {
  switch (kind) {
  case ComplexKind::add:
  case ComplexKind::sub:
  case ComplexKind::mul:
  case ComplexKind::div:
    return {{true, true}, true};
  case ComplexKind::neg:
  case ComplexKind::conj:
  case ComplexKind::exp:
    return {{true}, true};
  case ComplexKind::abs:
  case ComplexKind::re:
  case ComplexKind::im:
    return {{true}, false};
  case ComplexKind::create:
    return {{false, false}, true};
  }
  llvm_unreachable("kind of operation on complex numbers");
}

LogicalResult ComplexOp::verify() {
  auto [inputs, result] = getComplexForm(getKind());
  StringRef name = stringifyComplexKind(getKind());
  // C1
  if (getInputs().size() != inputs.size())
    return emitOpError() << "expected " << inputs.size() << " input"
                         << (inputs.size() == 1 ? "" : "s") << " for '" << name
                         << "', got " << getInputs().size();
  // C2
  TileType type = getType();
  for (Type input : getInputs().getTypes())
    if (cast<TileType>(input).getShape() != type.getShape())
      return emitOpError() << "expected inputs of shape [" << type.getShape()
                           << "] (the result's), got " << input;
  // C3
  Type part = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(part))
    part = complex.getElementType();
  Type real = part;
  Type complex = part.isF32() || part.isF64() ? ComplexType::get(part) : Type();
  auto getExpected = [&](bool isComplex) { return isComplex ? complex : real; };
  auto verifyElement = [&](TileType tile, bool isComplex, StringRef what) {
    Type expected = complex ? getExpected(isComplex) : Type();
    if (tile.getElementType() == expected)
      return success();
    InFlightDiagnostic error = emitOpError()
                               << "expected " << what << " of element type ";
    if (expected)
      error << expected;
    else
      error << (isComplex ? "complex<f32> or complex<f64>" : "f32 or f64");
    error << " for '" << name << "', got " << tile.getElementType();
    return LogicalResult(error);
  };
  if (failed(verifyElement(type, result, "a result")))
    return failure();
  for (auto [input, isComplex] :
       llvm::zip_equal(getInputs().getTypes(), inputs))
    if (failed(verifyElement(cast<TileType>(input), isComplex, "inputs")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// UnpackOp
//===----------------------------------------------------------------------===//

LogicalResult UnpackOp::verify() {
  TileType source = getSource().getType(), result = getType();
  int64_t axis = getAxis(), bits = getBits();
  // C1
  if (failed(verifyAxis(*this, axis, source.getRank())))
    return failure();
  // C2
  if (bits != 1 && bits != 2 && bits != 4)
    return emitOpError() << "expected 1, 2 or 4 bits, got " << bits;
  auto word = dyn_cast<IntegerType>(source.getElementType());
  if (!word || word.getWidth() == 1)
    return emitOpError() << "expected words of element type i8, i16, i32 or "
                            "i64, got "
                         << source.getElementType();
  // C3
  SmallVector<int64_t> shape(source.getShape());
  shape[axis] *= word.getWidth() / bits;
  if (result.getShape() == ArrayRef(shape) &&
      result.getElementType().isInteger(8))
    return success();
  return emitOpError() << "expected a result of shape [" << shape
                       << "] and element type i8, got " << result;
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  // C1
  if (getInputs().empty())
    return emitOpError("expected at least one input (tile.fill makes a tile of "
                       "a scalar)");
  // C2
  ArrayRef<int64_t> shape = getShape();
  for (Type type : getResultTypes())
    if (cast<TileType>(type).getShape() != shape)
      return emitOpError() << "expected results of shape [" << shape
                           << "] (the first one's), got " << type;
  for (Type type : getInputs().getTypes())
    if (!isRepeated(cast<TileType>(type).getShape(), shape))
      return emitOpError() << "expected inputs of shape [" << shape
                           << "], or of extents that are one or its last ones, "
                              "got "
                           << type;
  return success();
}

SmallVector<Value> MapOp::createElements(OpBuilder &builder,
                                         ValueRange operands) {
  return inlineElementRegion(builder, getBody(), operands);
}

ArrayRef<int64_t> MapOp::getShape() {
  Value first = getResults().empty() ? getInputs().front() : getResult(0);
  return getTileShape(first.getType());
}

LogicalResult MapOp::verifyRegions() {
  // C3, C4
  return verifyElementRegion(*this, getBody(), getElementTypes(getInputs()),
                             getElementTypes(getResults()));
}

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

/// C4: the accumulators that an operand type allows, the usual one first.
static SmallVector<Type> getAccumulatorTypes(Type operand) {
  Builder builder(operand.getContext());
  if (operand.isF16())
    return {builder.getF32Type(), builder.getF16Type()};
  if (isa<BFloat16Type, Float8E4M3FNType, Float8E5M2Type, Float32Type>(operand))
    return {builder.getF32Type()};
  if (operand.isF64())
    return {operand};
  if (operand.isInteger(8))
    return {builder.getI32Type()};
  if (operand.isInteger(16) || operand.isInteger(32) || operand.isInteger(64) ||
      isa<ComplexType>(operand))
    return {operand};
  return {};
}

/// Verifies (C1) and (C2).
static LogicalResult verifyShapes(MatmulOpInterface op) {
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  auto rhs = cast<ShapedType>(op.getRhs().getType());
  TileType acc = op.getSumType();
  // C1
  int64_t rank = acc.getRank();
  if (rank != 2 && rank != 3)
    return op->emitOpError()
           << "expected 'acc' of rank 2 or 3, got rank " << rank;
  for (auto [type, name] : {std::pair(lhs, "lhs"), {rhs, "rhs"}})
    if (type.getRank() != 2 && type.getRank() != rank)
      return op->emitOpError()
             << "expected '" << name << "' of rank 2"
             << (rank == 3 ? " or 3" : "") << ", got rank " << type.getRank();
  // C2
  for (auto [type, name] : {std::pair(lhs, "lhs"), {rhs, "rhs"}})
    if (type.getRank() == 3 && type.getDimSize(0) != acc.getDimSize(0))
      return op->emitOpError() << "expected a batch of " << acc.getDimSize(0)
                               << " (the accumulator's) in '" << name
                               << "', got " << type.getDimSize(0);
  ArrayRef<int64_t> left = lhs.getShape().take_back(2),
                    right = rhs.getShape().take_back(2),
                    sum = acc.getShape().take_back(2);
  if (left[1] != right[0])
    return op->emitOpError() << "expected rhs of " << left[1]
                             << " rows (columns of lhs), got " << right[0];
  if (sum[0] != left[0] || sum[1] != right[1])
    return op->emitOpError()
           << "expected accumulator shape " << left[0] << "x" << right[1]
           << " (from lhs and rhs), got " << sum[0] << "x" << sum[1];
  return success();
}

/// Verifies (C6).
static LogicalResult verifyTiling(MatmulOpInterface op) {
  TilingAttr tiling = op.getTilingAttr();
  if (!tiling)
    return success();
  int64_t rank = op.getSumType().getRank();
  for (auto [values, name] :
       {std::pair(tiling.getWarps(), "warps"), {tiling.getSub(), "sub"}})
    if (values && values.size() != rank)
      return op->emitOpError()
             << "expected '" << name << "' of " << rank << " numbers ("
             << (rank == 3 ? "along the batch, M and N" : "along M and N")
             << "), got [" << values.asArrayRef() << "]";
  auto instruction =
      dyn_cast_if_present<MatrixInstructionAttrInterface>(tiling.getAtom());
  if (instruction && !canCompute(instruction, op))
    return refuseInstruction(op) << ", got " << instruction;
  return success();
}

LogicalResult tile::verifyMatmul(MatmulOpInterface op) {
  if (failed(verifyShapes(op)))
    return failure();
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  auto rhs = cast<ShapedType>(op.getRhs().getType());
  TileType acc = op.getSumType();
  // C3
  if (lhs.getElementType() != rhs.getElementType())
    return op->emitOpError()
           << "expected rhs of element type " << lhs.getElementType()
           << " (that of lhs), got " << rhs.getElementType();
  // C4
  SmallVector<Type> accepted = getAccumulatorTypes(lhs.getElementType());
  if (accepted.empty())
    return op->emitOpError()
           << "expected operands of element type f16, bf16, f32, "
              "f64, f8E4M3FN, f8E5M2, i8, i16, i32, i64 or "
              "complex, got "
           << lhs.getElementType();
  if (!llvm::is_contained(accepted, acc.getElementType()))
    return op->emitOpError() << "expected accumulator element type " << accepted
                             << " for operands of " << lhs.getElementType()
                             << ", got " << acc.getElementType();
  // C5
  if (op.getPrecision() == Precision::tf32 && !lhs.getElementType().isF32())
    return op->emitOpError()
           << "expected operands of f32 for precision tf32, got "
           << lhs.getElementType();
  if (op.getPrecision() == Precision::fast_accumulation &&
      !isa<Float8E4M3FNType, Float8E5M2Type>(lhs.getElementType()))
    return op->emitOpError() << "expected operands of f8E4M3FN or f8E5M2 for "
                                "precision fast_accumulation, got "
                             << lhs.getElementType();
  return verifyTiling(op);
}

bool tile::isAsyncMatmul(Operation *op) {
  auto matmul = dyn_cast<MatmulOpInterface>(op);
  return matmul && matmul.isAsync();
}

LogicalResult MatmulOp::verify() { return verifyMatmul(*this); }

void tile::addOperandReads(
    MatmulOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands().take_front(2))
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
}

void MatmulOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addOperandReads(*this, effects);
}

Speculation::Speculatability MatmulOp::getSpeculatability() {
  bool readsBuffers = isa<MemRefType>(getLhs().getType()) ||
                      isa<MemRefType>(getRhs().getType());
  return readsBuffers ? Speculation::NotSpeculatable
                      : Speculation::Speculatable;
}
