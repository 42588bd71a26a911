// DebugToCalls.cpp - debug output of a program, by calls of the runtime
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The called functions are defined in lib/Execution/CpuCalls.cpp. They know
// which block runs, and collect its text; the one for a failed assertion does
// not return.

#include "Element.h"
#include "LocationText.h"
#include "Patterns.h"

#include "tile/Conversion/ConstantText.h"
#include "tile/IR/SourceLine.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

static constexpr llvm::StringLiteral kCallPrefix = "tile_cpu_";

void cpu::callRuntime(ImplicitLocOpBuilder &b, StringRef name,
                      ValueRange arguments) {
  Region *region = b.getInsertionBlock()->getParent();
  auto module = region->getParentOfType<ModuleOp>();
  std::string symbol = (kCallPrefix + name).str();
  auto function = module.lookupSymbol<func::FuncOp>(symbol);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = func::FuncOp::create(
        b, symbol, b.getFunctionType(arguments.getTypes(), {}));
    function.setPrivate();
  }
  func::CallOp::create(b, function, arguments);
}

static Value createText(ImplicitLocOpBuilder &b, StringRef text) {
  return createConstantText(b, b.getLoc(), "tile_cpu", text);
}

Value cpu::createLocationText(ImplicitLocOpBuilder &b, Operation *op) {
  std::optional<FileLineColLoc> location = getFileLocation(op->getLoc());
  if (!location)
    return createText(b, "an unknown place");
  return createText(b, location->getFilename().str() + ":" +
                           std::to_string(location->getLine()) + ":" +
                           std::to_string(location->getColumn()));
}

static Value createIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// Builds loops over the elements of a tile, the last dimension innermost.
/// `body` builds the code for an element, `afterRow` the code after each row.
static void
buildLoops(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
           SmallVector<Value> &coordinates,
           function_ref<void(ImplicitLocOpBuilder &, ValueRange)> body,
           function_ref<void(ImplicitLocOpBuilder &)> afterRow) {
  if (coordinates.size() == shape.size())
    return body(b, coordinates);
  auto loop = scf::ForOp::create(b, createIndex(b, 0),
                                 createIndex(b, shape[coordinates.size()]),
                                 createIndex(b, 1));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    coordinates.push_back(loop.getInductionVar());
    buildLoops(b, shape, coordinates, body, afterRow);
    coordinates.pop_back();
  }
  if (coordinates.size() + 1 == shape.size())
    afterRow(b);
}

namespace {
struct ConvertPrint : OpConversionPattern<PrintOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    cpu::callRuntime(b, "print_begin", createText(b, op.getText()));
    if (Value value = op.getValue()) {
      if (auto tile = dyn_cast<TileType>(value.getType()))
        printTile(b, tile, adaptor.getValue());
      else
        printLine(b, ": ", adaptor.getValue(), value.getType());
    } else {
      printText(b, "\n");
    }
    cpu::callRuntime(b, "print_end");
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void printText(ImplicitLocOpBuilder &b, StringRef text) {
    cpu::callRuntime(b, "print_text", createText(b, text));
  }

  static void printLine(ImplicitLocOpBuilder &b, StringRef before, Value value,
                        Type element) {
    printText(b, before);
    printElement(b, value, element);
    printText(b, "\n");
  }

  static void printTile(ImplicitLocOpBuilder &b, TileType type, Value tensor) {
    std::string heading;
    llvm::raw_string_ostream stream(heading);
    stream << ": ";
    for (int64_t extent : type.getShape())
      stream << extent << "x";
    stream << type.getElementType() << ", memory\n";
    printText(b, heading);
    auto printOne = [&](ImplicitLocOpBuilder &nested, ValueRange coordinates) {
      printText(nested, " ");
      printElement(nested,
                   tensor::ExtractOp::create(nested, tensor, coordinates),
                   type.getElementType());
    };
    auto endRow = [](ImplicitLocOpBuilder &nested) { printText(nested, "\n"); };
    SmallVector<Value> coordinates;
    buildLoops(b, type.getShape(), coordinates, printOne, endRow);
    if (type.getRank() == 0)
      endRow(b);
  }

  /// Prints a value stored as `element`.
  static void printElement(ImplicitLocOpBuilder &b, Value value, Type element) {
    Location loc = b.getLoc();
    Type f64 = b.getF64Type();
    if (auto complex = dyn_cast<ComplexType>(element)) {
      auto widen = [&](Value part) {
        return cpu::convert(b, loc, part, complex.getElementType(), f64, {});
      };
      Value real = widen(complex::ReOp::create(b, value));
      Value imaginary = widen(complex::ImOp::create(b, value));
      return cpu::callRuntime(b, "print_complex", {real, imaginary});
    }
    if (isa<FloatType>(element))
      return cpu::callRuntime(b, "print_float",
                              cpu::convert(b, loc, value, element, f64, {}));
    cpu::ConversionFlags flags;
    flags.isUnsigned = element.isInteger(1);
    cpu::callRuntime(
        b, "print_integer",
        cpu::convert(b, loc, value, element, b.getI64Type(), flags));
  }
};

struct ConvertAssert : OpConversionPattern<AssertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto tile = dyn_cast<TileType>(op.getCondition().getType());
    auto checkOne = [&](ImplicitLocOpBuilder &nested, ValueRange coordinates) {
      Value holds = tile ? tensor::ExtractOp::create(
                               nested, adaptor.getCondition(), coordinates)
                         : adaptor.getCondition();
      check(nested, holds, op);
    };
    SmallVector<Value> coordinates;
    buildLoops(b, tile ? tile.getShape() : ArrayRef<int64_t>(), coordinates,
               checkOne, [](ImplicitLocOpBuilder &) {});
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void check(ImplicitLocOpBuilder &b, Value holds, AssertOp op) {
    Value yes = arith::ConstantIntOp::create(b, 1, 1);
    auto branch = scf::IfOp::create(b, arith::XOrIOp::create(b, holds, yes),
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenYield());
    cpu::callRuntime(
        b, "assert_fail",
        {cpu::createLocationText(b, op), createText(b, op.getMessage())});
  }
};
} // namespace

void cpu::populateDebugPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertPrint, ConvertAssert>(converter, patterns.getContext());
}
