// VerifyTaken.cpp - operations that the conversion accepts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VerifyTaken.h"
#include "Structure.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static LogicalResult verifyType(Operation *op, Type type) {
  if (isa<UnrankedTensorType>(type))
    return op->emitError("expected tensors with a rank, got ") << type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (tensor.getEncoding())
    return op->emitError("expected tensors without an encoding, got ") << type;
  if (tensor.getRank() > 8)
    return op->emitError("expected tensors of rank 0 to 8, got ") << type;
  if (llvm::is_contained(tensor.getShape(), 0))
    return op->emitError("expected tensors with elements, got ") << type;
  Type element = tensor.getElementType();
  if (isTileElementType(element) && !isa<ComplexType>(element))
    return success();
  return op->emitError("expected elements of f64, f32, f16, bf16, f8E4M3FN, "
                       "f8E5M2, i1, i8, i16, i32, i64 or index, got ")
         << element;
}

/// Verifies the type of a scalar that the host computes for kernels or passes
/// to them.
static LogicalResult verifyScalar(Operation *op, Type type) {
  if (isTileElementType(type) && !isa<ComplexType>(type))
    return success();
  return op->emitError("expected a number of f64, f32, f16, bf16, f8E4M3FN, "
                       "f8E5M2, i1, i8, i16, i32, i64 or index beside tensors, "
                       "got ")
         << type;
}

static LogicalResult verifySignature(func::FuncOp function) {
  for (Type type : function.getArgumentTypes())
    if (failed(isa<TensorType>(type) ? verifyType(function, type)
                                     : verifyScalar(function, type)))
      return failure();
  for (Type type : function.getResultTypes())
    if (!isa<TensorType>(type))
      return function.emitError("expected tensors as results, got ") << type;
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block, got ")
           << (function.isDeclaration() ? "a declaration" : "branches");
  return success();
}

LogicalResult fromlinalg::verifyFunction(func::FuncOp function) {
  if (failed(verifySignature(function)))
    return failure();
  for (Operation &op : function.front()) {
    for (Type type :
         llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
      if (failed(verifyType(&op, type)))
        return failure();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && !structured.hasPureTensorSemantics())
      return op.emitError("expected an operation on tensors, got '")
             << op.getName() << "' on buffers";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Bodies and maps
//===----------------------------------------------------------------------===//

static LogicalResult verifyBody(linalg::GenericOp generic) {
  for (Operation &op : *generic.getBody()) {
    if (isa<linalg::YieldOp, linalg::IndexOp, tensor::ExtractOp, cf::AssertOp>(
            op))
      continue;
    bool isArithmetic = isa_and_present<arith::ArithDialect, math::MathDialect>(
                            op.getDialect()) &&
                        (OpTrait::hasElementwiseMappableTraits(&op) ||
                         op.hasTrait<OpTrait::ConstantLike>());
    if (!isArithmetic)
      return op.emitError("expected an operation of arith or math on elements, "
                          "got '")
             << op.getName() << "'";
    for (Type type : op.getResultTypes())
      if (!isTileElementType(type))
        return op.emitError("expected an element of a tile, got ") << type;
  }
  return success();
}

/// Verifies that, of the loops that index a dimension together, at most one may
/// have several iterations in a tile: the one that is not reduced.
static LogicalResult verifyMap(linalg::GenericOp op, AffineMap map) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  llvm::SmallBitVector seen(op.getNumLoops());
  for (AffineExpr expr : map.getResults()) {
    if (!isSumOfMultiples(expr))
      return op.emitError("expected indices that are sums of multiples of "
                          "loops, got ")
             << AffineMapAttr::get(map);
    unsigned parallel = 0;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      if (!expr.isFunctionOfDim(loop))
        continue;
      parallel += kinds[loop] == utils::IteratorType::parallel;
      if (seen.test(loop))
        return op.emitError("expected a loop to index one dimension of an "
                            "operand, got ")
               << AffineMapAttr::get(map);
      seen.set(loop);
    }
    if (parallel > 1)
      return op.emitError("expected one parallel loop in an index, got ")
             << AffineMapAttr::get(map);
  }
  return success();
}

static LogicalResult verifyGeneric(linalg::GenericOp op) {
  for (AffineMap map : op.getIndexingMapsArray())
    if (failed(verifyMap(op, map)))
      return failure();
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isProjectedPermutation())
      return op.emitError("expected results indexed by loops alone, got ")
             << AffineMapAttr::get(op.getMatchingIndexingMap(&init));
  if (failed(verifyBody(op)))
    return failure();
  if (isElementwise(op))
    return success();
  for (unsigned result = 0; result < op.getNumResults(); ++result)
    if (!matchCombination(op, result))
      return op.emitError("expected each result to be computed by itself or "
                          "combined by add, mul, min, max, and, or, xor, got "
                          "another body");
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Maximal number of bytes of all constants of a function. They are text in the
/// metadata, and copied for each call.
constexpr int64_t kMostConstantBytes = 1 << 20;

/// Verifies a constant. Adds its size to `bytes` if it has several values.
static LogicalResult verifyConstant(arith::ConstantOp op, int64_t &bytes) {
  auto type = dyn_cast<ShapedType>(op.getType());
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!type || (dense && dense.isSplat()))
    return success();
  if (!dense)
    return op.emitError("expected a constant whose numbers are listed "
                        "(dense<...>), got another");
  bytes += type.getNumElements() * getElementBytes(type.getElementType());
  if (bytes <= kMostConstantBytes)
    return success();
  return op.emitError("expected constants of at most ")
         << kMostConstantBytes << " bytes in a function, got " << bytes
         << " (pass them as arguments)";
}

static LogicalResult verifyPad(tensor::PadOp op) {
  if (!op.getConstantPaddingValue())
    return op.emitError("expected a pad of one number, got one of its place");
  for (OpFoldResult width :
       llvm::concat<OpFoldResult>(op.getMixedLowPad(), op.getMixedHighPad()))
    if (std::optional<int64_t> constant = getConstantIntValue(width);
        constant && *constant < 0)
      return op.emitError("expected pads of zero elements or more, got ")
             << *constant;
  return success();
}

static LogicalResult verifySlice(tensor::ExtractSliceOp op) {
  for (OpFoldResult stride : op.getMixedStrides())
    if (!getConstantIntValue(stride))
      return op.emitError(
          "expected strides that are constants, got one of run time");
  return success();
}

/// Verifies an insertion. Insertions with strides other than one have been
/// replaced, except if a stride is zero (SpreadInsertions.h).
static LogicalResult verifyInsertion(tensor::InsertSliceOp op) {
  if (llvm::any_of(op.getMixedStrides(), isZeroInteger))
    return op.emitError("expected strides other than zero, got 0");
  return success();
}

static bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// Returns the operation at which an error is reported: a user of `op` if `op`
/// has no location because it was folded.
static Operation *getReportedOperation(Operation *op) {
  bool hasLocation = !isa<UnknownLoc>(op->getLoc()) || op->use_empty();
  return hasLocation ? op : *op->user_begin();
}

/// Verifies an operation of another kind. Constants of other dialects than
/// arith are refused, since their values are not known to kernels.
static LogicalResult verifyOther(Operation *op) {
  bool isScalar = !hasTensors(op) && op->getNumRegions() == 0 &&
                  isMemoryEffectFree(op) &&
                  !op->hasTrait<OpTrait::ConstantLike>();
  if (!isScalar)
    return getReportedOperation(op)->emitError(
               "expected linalg on tensors, empty, splat, pad, "
               "extract_slice, insert_slice, concat or a reshape "
               "of tensor, or arithmetic on scalars, got '")
           << op->getName() << "'";
  for (Type type : op->getResultTypes())
    if (failed(verifyScalar(op, type)))
      return failure();
  return success();
}

static LogicalResult verifyOperation(Operation *op);

/// Verifies that a value is from outside a group: only such a tensor can be in
/// memory while the group is computed.
static LogicalResult verifyOutside(GroupOp group, Operation *op, Value tensor,
                                   StringRef use) {
  Operation *producer = tensor.getDefiningOp();
  if (!producer || !group->isProperAncestor(producer))
    return success();
  return op->emitError("expected a tensor from outside the group ")
         << use << ", got one of '" << producer->getName() << "' in it";
}

static LogicalResult verifyInGroup(GroupOp group, Operation *op) {
  if (failed(verifyOperation(op)))
    return failure();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
      !isUnitReshape(op) &&
      failed(verifyOutside(group, op, op->getOperand(0), "to reshape")))
    return failure();
  WalkResult result = op->walk([&](tensor::ExtractOp extract) {
    return WalkResult(verifyOutside(group, extract, getExtracted(extract).get(),
                                    "at indices of a body"));
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyGroup(GroupOp group) {
  for (Operation &op : group.getBody().front().without_terminator())
    if (failed(verifyInGroup(group, &op)))
      return failure();
  return success();
}

static LogicalResult verifyOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](linalg::GenericOp op) { return verifyGeneric(op); })
      .Case([](arith::ConstantOp) { return success(); })
      .Case([](tensor::PadOp op) { return verifyPad(op); })
      .Case([](tensor::ExtractSliceOp op) { return verifySlice(op); })
      .Case([](tensor::InsertSliceOp op) { return verifyInsertion(op); })
      .Case([](GroupOp op) { return verifyGroup(op); })
      .Case<tensor::EmptyOp, tensor::SplatOp, tensor::DimOp,
            tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
            OnlineSoftmaxOp, cf::AssertOp, affine::AffineApplyOp,
            func::ReturnOp>([](auto) { return success(); })
      .Default(verifyOther);
}

LogicalResult fromlinalg::verifyOperations(func::FuncOp function) {
  int64_t constantBytes = 0;
  for (Operation &op : function.front())
    if (failed(verifyOperation(&op)))
      return failure();
  for (auto op : function.front().getOps<arith::ConstantOp>())
    if (failed(verifyConstant(op, constantBytes)))
      return failure();
  return success();
}
