// LinalgFromBuffers.cpp - a function of buffers as one of tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In code without control flow the tensor that a buffer holds is known: it is
// the result of the last operation that wrote the buffer. A view (a cast, a
// subview, a reshape) holds a part of its source's tensor. A tensor that is
// written to a view is inserted in the source's tensor.

#include "RequireSizes.h"
#include "Steps.h"
#include "TakenFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tile {
#define GEN_PASS_DEF_LINALGFROMBUFFERS
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
class BufferConverter {
public:
  explicit BufferConverter(func::FuncOp function)
      : function(function),
        end(::cast<func::ReturnOp>(function.front().getTerminator())),
        builder(function.getContext()),
        numArguments(function.getNumArguments()) {}

  LogicalResult convert();

private:
  LogicalResult addTensors();
  LogicalResult visit(Operation *op);
  LogicalResult visitStructured(DestinationStyleOpInterface op);
  LogicalResult visitCopy(memref::CopyOp op);
  void requireSameSizes(Location loc, Value lhs, Value rhs);
  LogicalResult visitGlobal(memref::GetGlobalOp op);
  LogicalResult convertLoads(Operation *body, Operation *structured);
  LogicalResult verifyOperands(DestinationStyleOpInterface op);
  void returnTensors();
  void dropBuffers();
  void markResults();

  Value read(Value buffer);
  void write(Location loc, Value buffer, Value tensor);
  Value takePart(Value view, Value whole);
  Value insertPart(Location loc, Value view, Value whole, Value part);

  func::FuncOp function;
  func::ReturnOp end;
  OpBuilder builder;
  unsigned numArguments;
  /// The tensor that each buffer holds, for buffers that are no views.
  DenseMap<Value, Value> tensors;
  /// The arguments that are written.
  DenseSet<Value> written;
  /// The argument whose array each of the first results uses.
  SmallVector<unsigned> resultArguments;
  /// The constant arrays, which are not needed after the conversion.
  SetVector<memref::GlobalOp> globals;
};
} // namespace

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Returns the source of a buffer that is a view of a supported kind.
static Value getSource(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  if (isa_and_present<memref::CastOp, memref::SubViewOp, memref::ExpandShapeOp,
                      memref::CollapseShapeOp>(op))
    return op->getOperand(0);
  return {};
}

static Value getRoot(Value buffer) {
  while (Value source = getSource(buffer))
    buffer = source;
  return buffer;
}

static RankedTensorType getTensorType(Value buffer) {
  auto type = ::cast<MemRefType>(buffer.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// Returns the views that lead from the root of a buffer to the buffer, in this
/// order, with the buffer if it is a view, and without the root.
static SmallVector<Value> getViews(Value buffer) {
  SmallVector<Value> views;
  for (Value source = getSource(buffer); source; source = getSource(buffer)) {
    views.push_back(buffer);
    buffer = source;
  }
  std::reverse(views.begin(), views.end());
  return views;
}

/// Returns the part that a view shows of `whole`, the tensor that its source
/// holds.
Value BufferConverter::takePart(Value view, Value whole) {
  RankedTensorType type = getTensorType(view);
  Location loc = view.getLoc();
  return llvm::TypeSwitch<Operation *, Value>(view.getDefiningOp())
      .Case([&](memref::CastOp) {
        return tensor::CastOp::create(builder, loc, type, whole);
      })
      .Case([&](memref::SubViewOp op) {
        return tensor::ExtractSliceOp::create(
            builder, loc, type, whole, op.getMixedOffsets(), op.getMixedSizes(),
            op.getMixedStrides());
      })
      .Case([&](memref::ExpandShapeOp op) {
        return tensor::ExpandShapeOp::create(builder, loc, type, whole,
                                             op.getReassociationIndices(),
                                             op.getMixedOutputShape());
      })
      .Case([&](memref::CollapseShapeOp op) {
        return tensor::CollapseShapeOp::create(builder, loc, type, whole,
                                               op.getReassociationIndices());
      });
}

/// Returns `whole`, the tensor of a view's source, with `part` in place of the
/// elements that the view shows.
Value BufferConverter::insertPart(Location loc, Value view, Value whole,
                                  Value part) {
  auto type = ::cast<RankedTensorType>(whole.getType());
  return llvm::TypeSwitch<Operation *, Value>(view.getDefiningOp())
      .Case([&](memref::CastOp) {
        return tensor::CastOp::create(builder, loc, type, part);
      })
      .Case([&](memref::SubViewOp op) {
        return tensor::InsertSliceOp::create(
            builder, loc, part, whole, op.getMixedOffsets(), op.getMixedSizes(),
            op.getMixedStrides());
      })
      .Case([&](memref::ExpandShapeOp op) {
        return tensor::CollapseShapeOp::create(builder, loc, type, part,
                                               op.getReassociationIndices());
      })
      .Case([&](memref::CollapseShapeOp op) {
        return tensor::ExpandShapeOp::create(
            builder, loc, type, part, op.getReassociationIndices(),
            tensor::getMixedSizes(builder, loc, whole));
      });
}

/// Returns the tensor that a buffer holds.
Value BufferConverter::read(Value buffer) {
  Value tensor = tensors.lookup(getRoot(buffer));
  for (Value view : getViews(buffer))
    tensor = takePart(view, tensor);
  return tensor;
}

/// Makes a buffer hold a tensor. If it is a view, the tensor becomes a part of
/// the root's tensor.
void BufferConverter::write(Location loc, Value buffer, Value tensor) {
  SmallVector<Value> views = getViews(buffer), wholes;
  Value root = getRoot(buffer);
  Value whole = tensors.lookup(root);
  for (Value view : views) {
    wholes.push_back(whole);
    if (view != buffer)
      whole = takePart(view, whole);
  }
  for (auto [view, whole] :
       llvm::zip_equal(llvm::reverse(views), llvm::reverse(wholes)))
    tensor = insertPart(loc, view, whole, tensor);
  tensors[root] = tensor;
  written.insert(root);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Adds, after the existing arguments, a tensor for each argument that is an
/// array, and a replacement for each other one.
LogicalResult BufferConverter::addTensors() {
  Block &body = function.front();
  for (unsigned index = 0; index < numArguments; ++index) {
    BlockArgument argument = body.getArgument(index);
    auto array = dyn_cast<MemRefType>(argument.getType());
    if (!array) {
      Value same = body.addArgument(argument.getType(), argument.getLoc());
      argument.replaceAllUsesWith(same);
      continue;
    }
    if (!array.getLayout().isIdentity() || array.getMemorySpace())
      return function.emitError("expected arrays without strides and memory "
                                "spaces as arguments, got ")
             << array;
    tensors[argument] =
        body.addArgument(getTensorType(argument), argument.getLoc());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Converts an array that bufferization has made of a constant back to a
/// constant.
LogicalResult BufferConverter::visitGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  auto elements =
      dyn_cast_if_present<ElementsAttr>(global.getConstantInitValue());
  if (!elements)
    return op.emitError("expected a memref.global that is a constant, got '@")
           << op.getName() << "'";
  tensors[op.getResult()] = arith::ConstantOp::create(
      builder, op.getLoc(), getTensorType(op.getResult()), elements);
  globals.insert(global);
  return success();
}

/// Verifies that a buffer may be written; reports an error if not.
static LogicalResult verifyWritten(Operation *op, Value buffer) {
  auto constant = getRoot(buffer).getDefiningOp<memref::GetGlobalOp>();
  if (!constant)
    return success();
  InFlightDiagnostic error =
      op->emitError("expected an array that may be written, got a constant");
  error.attachNote(constant.getLoc()) << "the constant";
  return error;
}

/// Verifies the operands of an operation that also reads a buffer that it
/// writes: each iteration must read the same element that it writes, and no
/// other iteration may write this element.
LogicalResult BufferConverter::verifyOperands(DestinationStyleOpInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  for (OpOperand &out : op.getDpsInitsMutable()) {
    if (failed(verifyWritten(op, out.get())))
      return failure();
    for (OpOperand &other : op->getOpOperands()) {
      if (&other == &out || !isa<MemRefType>(other.get().getType()) ||
          getRoot(other.get()) != getRoot(out.get()))
        continue;
      bool isSame = structured && !op.isDpsInit(&other) &&
                    other.get() == out.get() &&
                    structured.getNumReductionLoops() == 0 &&
                    structured.getMatchingIndexingMap(&other) ==
                        structured.getMatchingIndexingMap(&out);
      if (!isSame)
        return op->emitError("expected an array that is written to be read at "
                             "the same elements alone, got another operand "
                             "with its memory");
    }
  }
  return success();
}

/// Converts loads in a body to extractions from the tensor.
LogicalResult BufferConverter::convertLoads(Operation *made,
                                            Operation *structured) {
  WalkResult result = made->walk([&](memref::LoadOp load) {
    for (OpOperand &out :
         ::cast<DestinationStyleOpInterface>(structured).getDpsInitsMutable())
      if (getRoot(out.get()) == getRoot(load.getMemRef())) {
        load.emitError("expected a body to load of other arrays than those "
                       "that its operation writes");
        return WalkResult::interrupt();
      }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(made);
    Value tensor = read(load.getMemRef());
    builder.setInsertionPoint(load);
    Value element = tensor::ExtractOp::create(builder, load.getLoc(), tensor,
                                              load.getIndices());
    load.replaceAllUsesWith(element);
    load.erase();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult BufferConverter::visitStructured(DestinationStyleOpInterface op) {
  if (failed(verifyOperands(op)))
    return failure();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<MemRefType>(operand.getType()) ? read(operand)
                                                          : operand);
  SmallVector<Type> types;
  for (Value out : op.getDpsInits())
    types.push_back(getTensorType(out));
  Operation *made = clone(builder, op, types, operands);
  if (failed(convertLoads(made, op)))
    return failure();
  for (auto [out, result] :
       llvm::zip_equal(op.getDpsInits(), made->getResults()))
    write(op->getLoc(), out, result);
  return success();
}

void BufferConverter::requireSameSizes(Location loc, Value lhs, Value rhs) {
  auto left = ::cast<RankedTensorType>(lhs.getType());
  auto right = ::cast<RankedTensorType>(rhs.getType());
  for (int64_t dim = 0; dim < left.getRank(); ++dim)
    if (left.isDynamicDim(dim) || right.isDynamicDim(dim))
      requireEqual(builder, loc,
                   builder.createOrFold<tensor::DimOp>(loc, lhs, dim),
                   builder.createOrFold<tensor::DimOp>(loc, rhs, dim));
}

LogicalResult BufferConverter::visitCopy(memref::CopyOp op) {
  if (op.getSource() != op.getTarget() &&
      getRoot(op.getSource()) == getRoot(op.getTarget()))
    return op.emitError("expected a copy between different arrays, got two "
                        "views of one");
  if (failed(verifyWritten(op, op.getTarget())))
    return failure();
  Value tensor = read(op.getSource());
  RankedTensorType type = getTensorType(op.getTarget());
  requireSameSizes(op.getLoc(), read(op.getTarget()), tensor);
  if (tensor.getType() != type)
    tensor = tensor::CastOp::create(builder, op.getLoc(), type, tensor);
  write(op.getLoc(), op.getTarget(), tensor);
  return success();
}

static bool hasBuffers(Operation *op) {
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  return llvm::any_of(op->getOperandTypes(), isBuffer) ||
         llvm::any_of(op->getResultTypes(), isBuffer);
}

static bool isKnown(Value buffer) {
  Value root = getRoot(buffer);
  return isa<MemRefType>(buffer.getType()) &&
         (isa<BlockArgument>(root) ||
          isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
              root.getDefiningOp()));
}

/// Verifies that buffers are arguments, allocations and constants, or views of
/// those, and that a body only loads from them.
static LogicalResult verifyBuffers(Operation *op) {
  WalkResult result = op->walk([&](Operation *nested) {
    if (nested != op && hasBuffers(nested) && !isa<memref::LoadOp>(nested)) {
      nested->emitError("expected a body that only loads of arrays, got '")
          << nested->getName() << "'";
      return WalkResult::interrupt();
    }
    for (Value operand : nested->getOperands())
      if (isa<BaseMemRefType>(operand.getType()) && !isKnown(operand)) {
        nested->emitError("expected an array of an argument, of memref.alloc, "
                          "alloca or get_global, or a view of one, got ")
            << operand.getType();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether an operation computes the values that it writes from those that it
/// reads.
static bool isStructured(Operation *op) {
  return isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
         isa<DestinationStyleOpInterface>(op);
}

/// Returns the tensor of an allocation, whose elements are unknown.
template <typename OpTy>
static Value makeEmpty(OpBuilder &builder, OpTy op) {
  return tensor::EmptyOp::create(builder, op.getLoc(),
                                 getTensorType(op.getResult()),
                                 op.getDynamicSizes());
}

LogicalResult BufferConverter::visit(Operation *op) {
  bool isPlain = op->getNumRegions() == 0;
  if ((isPlain || isStructured(op)) && failed(verifyBuffers(op)))
    return failure();
  builder.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        tensors[alloc.getResult()] = makeEmpty(builder, alloc);
        return success();
      })
      .Case([&](memref::CopyOp copy) { return visitCopy(copy); })
      .Case([&](memref::GetGlobalOp global) { return visitGlobal(global); })
      .Case([&](memref::DimOp dim) {
        dim.replaceAllUsesWith(tensor::DimOp::create(builder, dim.getLoc(),
                                                     read(dim.getSource()),
                                                     dim.getIndex())
                                   .getResult());
        return success();
      })
      .Case<memref::DeallocOp, memref::CastOp, memref::SubViewOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp, func::ReturnOp>(
          [](auto) { return success(); })
      .Default([&](Operation *other) -> LogicalResult {
        if (isStructured(other))
          return visitStructured(::cast<DestinationStyleOpInterface>(other));
        if (isPlain && !hasBuffers(other))
          return success();
        return other->emitError(
                   "expected linalg on buffers, alloc, dealloc, "
                   "copy, dim, get_global, or a cast, subview or reshape of "
                   "memref, got '")
               << other->getName() << "'";
      });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Makes the function return the tensors of the arguments that are written,
/// then the tensors of its results.
void BufferConverter::returnTensors() {
  builder.setInsertionPoint(end);
  SmallVector<Value> results;
  for (unsigned index = 0; index < numArguments; ++index) {
    Value argument = function.getArgument(index);
    if (!written.contains(argument))
      continue;
    results.push_back(read(argument));
    resultArguments.push_back(index);
  }
  for (Value returned : end.getOperands())
    results.push_back(isa<MemRefType>(returned.getType()) ? read(returned)
                                                          : returned);
  end->setOperands(results);
}

/// States which results use the array of an argument.
void BufferConverter::markResults() {
  for (auto [result, argument] : llvm::enumerate(resultArguments))
    function.setResultAttr(result, kResultArrayAttr,
                           builder.getI64IntegerAttr(argument));
}

void BufferConverter::dropBuffers() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (hasBuffers(&op))
      op.erase();
  for (memref::GlobalOp global : globals)
    if (global.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(global, function->getParentOp()))
      global.erase();
  function.front().eraseArguments(0, numArguments);
  function.removeResAttrsAttr();
  function.setType(builder.getFunctionType(function.front().getArgumentTypes(),
                                           end.getOperandTypes()));
}

LogicalResult BufferConverter::convert() {
  if (failed(addTensors()))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (failed(visit(&op)))
      return failure();
  returnTensors();
  dropBuffers();
  markResults();
  return success();
}

/// Whether a function has one block, and operates on buffers and not on
/// tensors.
static bool isOfBuffers(func::FuncOp function) {
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return false;
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  bool hasTensors = false, hasMemory = false;
  auto note = [&](TypeRange types) {
    hasTensors |= llvm::any_of(types, isTensor);
    hasMemory |= llvm::any_of(
        types, [](Type type) { return isa<BaseMemRefType>(type); });
  };
  note(function.getArgumentTypes());
  note(function.getResultTypes());
  for (Operation &op : function.front()) {
    note(op.getOperandTypes());
    note(op.getResultTypes());
  }
  return hasMemory && !hasTensors;
}

/// Converts a function of memrefs, whose linalg operations write buffers, to
/// one of tensors: each array that it writes becomes a result, and so does each
/// value that it returns. Leaves other functions as they are. Fails, with an
/// error at the operation's line, if an operation does something else with a
/// buffer; the function is unusable then.
///
/// @pre arrays of different arguments do not overlap.
static LogicalResult convertBuffers(func::FuncOp function) {
  return isOfBuffers(function) ? BufferConverter(function).convert()
                               : success();
}

LogicalResult fromlinalg::linalgFromBuffers(ModuleOp module) {
  return convertTaken(module, convertBuffers);
}

namespace {
struct LinalgFromBuffers
    : tile::impl::LinalgFromBuffersBase<LinalgFromBuffers> {
  using LinalgFromBuffersBase::LinalgFromBuffersBase;

  void runOnOperation() override {
    if (failed(linalgFromBuffers(getOperation())))
      signalPassFailure();
  }
};
} // namespace
