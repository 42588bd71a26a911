// CodeGenLimits.cpp - refuse code on which LLVM's code generator aborts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeGenLimits.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns the part of a type that LLVM's code generator does not support; null
/// if there is none.
static Type findRefused(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return floatType.getWidth() > 64 ? type : Type();
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned bits = integer.getWidth();
    return bits > 128 && bits % 8 != 0 ? type : Type();
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.isScalable() ? type : findRefused(vector.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return findRefused(array.getElementType());
  if (auto several = dyn_cast<LLVM::LLVMStructType>(type))
    for (Type part : several.getBody())
      if (Type refused = findRefused(part))
        return refused;
  bool isOfOthers = isa<LLVM::LLVMX86AMXType, LLVM::LLVMPPCFP128Type>(type);
  return isOfOthers ? type : Type();
}

static LogicalResult verifyTypes(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (Type refused = findRefused(type))
      return op->emitError("expected a type that a GPU computes with, got ")
             << refused << " of '" << op->getName() << "'";
  return success();
}

/// Returns the bits of an integer or of a vector's elements; zero for other
/// types.
static unsigned getIntegerBits(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer ? integer.getWidth() : 0;
}

static LogicalResult verifyConversion(Operation *op) {
  unsigned bits = std::max(getIntegerBits(op->getOperand(0).getType()),
                           getIntegerBits(op->getResult(0).getType()));
  if (bits <= 64)
    return success();
  return op->emitError("expected a conversion between floating-point numbers "
                       "and integers of at most 64 bits, got '")
         << op->getName() << "' of " << bits << " bits";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether `name` is a function of the C library for which the GPU has no
/// instruction.
static bool isOfLibrary(StringRef name) {
  static const llvm::StringSet<> names = {
      "exp",   "exp10",  "log",    "log2",    "log10", "tan", "asin",
      "acos",  "atan",   "atan2",  "sinh",    "cosh",  "pow", "powi",
      "lrint", "llrint", "lround", "llround", "sincos"};
  return names.contains(name);
}

/// Whether the GPU has an instruction for a function whose results are only
/// approximate.
static bool isApproximate(StringRef name) {
  return name == "sin" || name == "cos" || name == "tanh";
}

static bool mayApproximate(Operation *op) {
  auto math = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  return math && bitEnumContainsAll(math.getFastmathAttr().getValue(),
                                    LLVM::FastmathFlags::afn);
}

/// Returns the name of an intrinsic: "exp" for llvm.intr.exp and for a call of
/// "llvm.exp.f32"; empty for other operations.
static StringRef getIntrinsicName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("llvm.intr."))
    return name;
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  name = call ? call.getIntrin() : StringRef();
  return name.consume_front("llvm.") ? name.split('.').first : StringRef();
}

static LogicalResult verifyIntrinsic(Operation *op) {
  StringRef name = getIntrinsicName(op);
  if (name.empty() || op->getNumResults() != 1)
    return success();
  bool isWide = getElementTypeOrSelf(op->getResult(0)).isF64();
  bool isRefused = isOfLibrary(name) || (name == "exp2" && isWide) ||
                   (isApproximate(name) && (isWide || !mayApproximate(op)));
  if (isRefused)
    return op->emitError("expected a function that PTX has, got '")
           << name << "' (a function of libdevice, '__nv_...', computes it)";
  if (name == "vscale" || name.starts_with("matrix."))
    return op->emitError("expected an operation that a GPU has, got '")
           << op->getName() << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static LogicalResult verifyScope(Operation *op,
                                 std::optional<StringRef> scope) {
  if (!scope || scope->empty() || *scope == "block" || *scope == "cluster" ||
      *scope == "device")
    return success();
  return op->emitError("expected syncscope \"block\", \"cluster\", \"device\" "
                       "or none, got \"")
         << *scope << "\"";
}

/// Verifies that each operand and result of inline assembly has a type that one
/// register can hold.
static LogicalResult verifyAssembly(LLVM::InlineAsmOp op) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto vector = dyn_cast<VectorType>(type);
    bool isWide =
        vector &&
        vector.getNumElements() * vector.getElementTypeBitWidth() > 64;
    if (isWide || isa<LLVM::LLVMArrayType>(type))
      return op.emitError("expected operands of inline assembly that fit a "
                          "register, got ")
             << type;
  }
  return success();
}

LogicalResult tile::verifyCodeGen(Operation *op) {
  if (failed(verifyTypes(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<LLVM::SIToFPOp, LLVM::UIToFPOp, LLVM::FPToSIOp, LLVM::FPToUIOp>(
          [](auto conversion) { return verifyConversion(conversion); })
      .Case<LLVM::FenceOp, LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp,
            LLVM::AtomicCmpXchgOp>([](auto atomic) {
        return verifyScope(atomic, atomic.getSyncscope());
      })
      .Case([](LLVM::InlineAsmOp assembly) { return verifyAssembly(assembly); })
      .Case([](LLVM::BlockAddressOp address) {
        return address.emitError("expected no addresses of blocks, got one");
      })
      .Default([](Operation *other) { return verifyIntrinsic(other); });
}
