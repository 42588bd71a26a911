// Print.cpp - tiles and scalars, printed by one thread of the block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call of vprintf prints by itself, and the calls of different blocks come
// in any order. A block therefore first takes a lock, so that its lines stay
// together. Accesses to the lock are relaxed: they order the calls, which the
// driver prints in the order of its own atomics, but no accesses of the
// program. A program with a race therefore still has the race when it prints.

#include "DriverCalls.h"
#include "Float8.h"
#include "Memory/Addresses.h"
#include "Patterns.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// One block at a time
//===----------------------------------------------------------------------===//

/// Symbol of the lock, which is zero while no block prints.
static constexpr llvm::StringLiteral kLockSymbol = "tile_print_lock";
static constexpr llvm::StringLiteral kGpuScope = "device";
static constexpr auto kRelaxed = LLVM::AtomicOrdering::monotonic;
static constexpr unsigned kLockBytes = 4;

static Value createLock(OpBuilder &builder, Location loc, ModuleOp module) {
  auto lock = module.lookupSymbol<LLVM::GlobalOp>(kLockSymbol);
  if (!lock) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    lock = LLVM::GlobalOp::create(
        builder, module.getLoc(), builder.getI32Type(), /*isConstant=*/false,
        LLVM::Linkage::Internal, kLockSymbol, builder.getI32IntegerAttr(0),
        kLockBytes, static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  }
  return LLVM::AddressOfOp::create(builder, loc, lock);
}

static Value createI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

/// Takes the lock: tries to change it from zero to one until this succeeds.
static void acquire(OpBuilder &builder, Location loc, Value lock) {
  auto tryOnce = [&](OpBuilder &b, Location, ValueRange) {
    Value exchanged = LLVM::AtomicCmpXchgOp::create(
        b, loc, lock, createI32(b, loc, 0), createI32(b, loc, 1), kRelaxed,
        kRelaxed, kGpuScope);
    Value isTaken =
        LLVM::ExtractValueOp::create(b, loc, exchanged, ArrayRef<int64_t>{1});
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    scf::ConditionOp::create(
        b, loc, arith::XOrIOp::create(b, loc, isTaken, yes), ValueRange());
  };
  auto again = [&](OpBuilder &b, Location, ValueRange) {
    scf::YieldOp::create(b, loc);
  };
  scf::WhileOp::create(builder, loc, TypeRange(), ValueRange(), tryOnce, again);
}

static void release(OpBuilder &builder, Location loc, Value lock) {
  LLVM::StoreOp::create(builder, loc, createI32(builder, loc, 0), lock,
                        kLockBytes, /*isVolatile=*/false,
                        /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                        kRelaxed, kGpuScope);
}

//===----------------------------------------------------------------------===//
// Printed text and values
//===----------------------------------------------------------------------===//

/// Returns the printf format that prints a text.
static std::string quote(StringRef text) {
  std::string format;
  for (char c : text)
    format += c == '%' ? std::string("%%") : std::string(1, c);
  return format;
}

/// Returns a description such as "4x4xf32, register".
static std::string describe(MemRefType buffer, StringRef storage) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t extent : buffer.getShape())
    stream << extent << "x";
  stream << buffer.getElementType() << ", " << storage;
  return text;
}

namespace {
/// The format and the arguments that print an element by printf.
struct Printed {
  std::string format;
  SmallVector<Value> arguments;
};

struct ConvertPrint : LoweringPattern<PrintOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(PrintOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    Value thread = index.thread();
    OpBuilder::InsertionGuard guard(rewriter);
    index.enterIf(arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        thread, index.constant(0)));
    Value lock = createLock(rewriter, loc, op->getParentOfType<ModuleOp>());
    acquire(rewriter, loc, lock);
    if (op.getValue() && isSharedBuffer(op.getValue().getType()))
      printBuffer(index, op, rewriter);
    else
      printScalar(index, op, adaptor);
    release(rewriter, loc, lock);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Prints a line such as "sums (0, 2, 0)", followed by `more`.
  static void printLine(IndexBuilder &index, PrintOp op, Printed more) {
    SmallVector<Value> arguments;
    for (Axis axis : {Axis::x, Axis::y, Axis::z})
      arguments.push_back(arith::IndexCastOp::create(
          index.builder, index.loc, index.builder.getI64Type(),
          ProgramIdOp::create(index.builder, index.loc, axis)));
    llvm::append_range(arguments, more.arguments);
    emitPrintf(index.builder, index.loc,
               quote(op.getText()) + " (%lld, %lld, %lld)" + more.format + "\n",
               arguments);
  }

  void printScalar(IndexBuilder &index, PrintOp op,
                   OneToNOpAdaptor adaptor) const {
    Printed more;
    if (op.getValue())
      more = getPrinted(index, adaptor.getValue().front());
    if (op.getValue())
      more.format.insert(0, ": ");
    printLine(index, op, more);
  }

  void printBuffer(IndexBuilder &index, PrintOp op,
                   ConversionPatternRewriter &rewriter) const {
    auto type = cast<MemRefType>(op.getValue().getType());
    SharedAddress address(index, rewriter, op.getValue());
    std::string what = describe(type, op.getStorage().value_or("shared"));
    printLine(index, op, {": " + what, {}});
    SmallVector<Value> coordinates;
    printRows(index, address, type.getShape(), coordinates);
    if (type.getRank() == 0)
      emitPrintf(index.builder, index.loc, "\n");
  }

  /// Prints the elements whose leading coordinates are `coordinates`.
  void printRows(IndexBuilder &index, SharedAddress &address,
                 ArrayRef<int64_t> shape,
                 SmallVector<Value> &coordinates) const {
    if (coordinates.size() == shape.size()) {
      Value element =
          memref::LoadOp::create(index.builder, index.loc, address.getMemory(),
                                 address.getElement(coordinates));
      Printed printed = getPrinted(index, element);
      return emitPrintf(index.builder, index.loc, " " + printed.format,
                        printed.arguments);
    }
    auto loop = scf::ForOp::create(index.builder, index.loc, index.constant(0),
                                   index.constant(shape[coordinates.size()]),
                                   index.constant(1));
    OpBuilder::InsertionGuard guard(index.builder);
    index.builder.setInsertionPointToStart(loop.getBody());
    coordinates.push_back(loop.getInductionVar());
    printRows(index, address, shape, coordinates);
    coordinates.pop_back();
    index.builder.setInsertionPointAfter(loop);
    if (coordinates.size() + 1 == shape.size())
      emitPrintf(index.builder, index.loc, "\n");
  }

  Printed getPrinted(IndexBuilder &index, Value element) const {
    OpBuilder &builder = index.builder;
    Type type = element.getType(), i64 = builder.getI64Type();
    if (isa<ComplexType>(type)) {
      Value real = complex::ReOp::create(builder, index.loc, element);
      Value imaginary = complex::ImOp::create(builder, index.loc, element);
      return {"(%g, %g)", {toF64(index, real), toF64(index, imaginary)}};
    }
    if (isa<FloatType>(type))
      return {"%g", {toF64(index, element)}};
    if (type.isIndex())
      element = arith::IndexCastOp::create(builder, index.loc, i64, element);
    else if (type.isInteger(1))
      element = arith::ExtUIOp::create(builder, index.loc, i64, element);
    else if (type != i64)
      element = arith::ExtSIOp::create(builder, index.loc, i64, element);
    return {"%lld", {element}};
  }

  Value toF64(IndexBuilder &index, Value value) const {
    OpBuilder &builder = index.builder;
    if (value.getType().getIntOrFloatBitWidth() == 8)
      value =
          widenFloat8(builder, index.loc, value, lowering.architecture).front();
    // LLVM cannot convert bf16 to f64 directly on all architectures.
    for (Type wider : {Type(builder.getF32Type()), Type(builder.getF64Type())})
      if (value.getType().getIntOrFloatBitWidth() <
          wider.getIntOrFloatBitWidth())
        value = arith::ExtFOp::create(builder, index.loc, wider, value);
    return value;
  }
};
} // namespace

void tile::populatePrintPatterns(TypeConverter &types,
                                 RewritePatternSet &patterns,
                                 const LoweringContext &lowering) {
  patterns.add<ConvertPrint>(types, patterns.getContext(), lowering);
}
