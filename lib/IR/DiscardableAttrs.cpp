// DiscardableAttrs.cpp - carriers and values of the dialect's attributes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file verifies an attribute by itself. Its agreement with the rest of the
// kernel is a postcondition of the phase that writes it.

#include "tile/IR/ArithmeticAttrs.h"
#include "tile/IR/Decisions.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Tile.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

bool tile::hasCustomDerivative(Operation *op) {
  return op->hasAttr(kCustomAdjointAttr) || op->hasAttr(kCustomTangentAttr);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isUnit(Attribute attr) { return isa<UnitAttr>(attr); }

static bool isAccess(Attribute attr) { return isa<AccessAttr>(attr); }

static bool isMechanism(Attribute attr) {
  return isa<tile_gpu::CopyMechanismAttrInterface>(attr);
}

static bool isLevel(Attribute attr) { return isa<LevelAttr>(attr); }

static bool isName(Attribute attr) {
  auto string = dyn_cast<StringAttr>(attr);
  return string && !string.empty();
}

static bool isSymbol(Attribute attr) { return isa<FlatSymbolRefAttr>(attr); }

static bool isString(Attribute attr) { return isa<StringAttr>(attr); }

static bool isListOfStrings(Attribute attr) {
  auto array = dyn_cast<ArrayAttr>(attr);
  return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
}

static bool isInteger(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  return integer && integer.getType().isSignlessInteger(64);
}

static bool isNotNegative(Attribute attr) {
  return isInteger(attr) && cast<IntegerAttr>(attr).getInt() >= 0;
}

static bool isListOfLoops(Attribute attr) {
  auto loops = dyn_cast<DenseI64ArrayAttr>(attr);
  if (!loops)
    return false;
  llvm::SmallSet<int64_t, 8> seen;
  return llvm::all_of(loops.asArrayRef(), [&](int64_t loop) {
    return loop >= 0 && seen.insert(loop).second;
  });
}

/// Whether an attribute is an alignment in bytes that LLVM supports (LangRef,
/// "load": an alignment is at most 2^32).
static bool isAlignment(Attribute attr) {
  constexpr int64_t kMax = int64_t(1) << 32;
  if (!isNotNegative(attr))
    return false;
  int64_t value = cast<IntegerAttr>(attr).getInt();
  return llvm::isPowerOf2_64(value) && value <= kMax;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {
/// The values that an attribute may have, and its carriers.
struct Rule {
  StringRef name;
  /// The operations that may carry it; empty for any.
  StringRef holders;
  bool (*isValid)(Attribute);
  StringRef expected;
};
} // namespace

static constexpr StringLiteral kInteger = "an integer of 64 bits";
static constexpr StringLiteral kNotNegative =
    "an integer of 64 bits that is not negative";
static constexpr StringLiteral kBytes = "a power of two from 1 to 2^32 (i64)";
static constexpr StringLiteral kPlan = "an access plan (#tile.access<...>)";
static constexpr StringLiteral kSymbol =
    "the symbol of a kernel or a function (@name)";
static constexpr StringLiteral kStrings = "a list of strings";

static const Rule kOperationRules[] = {
    // -tile-plan-accesses decides which operations access memory.
    {kAccessAttr, "", isAccess, kPlan},
    {kBlocksPerProcessorAttr, "tile.kernel", isInteger, kInteger},
    // -tile-expand-pipeline decides which loads run ahead.
    {kCopyAttr, "", isMechanism, "a copy mechanism (#tile_gpu.cp_async)"},
    {kCustomAdjointAttr, "tile.kernel, func.func", isSymbol, kSymbol},
    {kCustomTangentAttr, "tile.kernel, func.func", isSymbol, kSymbol},
    {kDecisionsAttr, "tile.kernel", isListOfDecisions,
     "a list of dictionaries with 'about', 'chosen' and 'reason'"},
    // DefineArithmetic.h decides for which operations LLVM leaves results open.
    {kDefinedAttr, "", isUnit, "without a value"},
    {kExactAccessesAttr, "tile.kernel", isUnit, "without a value"},
    {kGeneralOfAttr, "tile.kernel", isName, "the name of a kernel (a string)"},
    // -tile-form-groups decides which operations are members.
    {kGroupLoopsAttr, "", isListOfLoops,
     "a list of the group's loops (array<i64: ...>), each once"},
    {kInFlightAttr, "tile.matmul", isUnit, "without a value"},
    {kLevelAttr, "tile.kernel", isLevel, "a level (#tile<level ...>)"},
    {kLhsAccessAttr, "tile.matmul", isAccess, kPlan},
    {kMaxTripsAttr, "scf.while", isNotNegative, kNotNegative},
    {kNumStagesAttr, "scf.for", isInteger, kInteger},
    {kNumThreadsAttr, "tile.per_thread", isInteger, kInteger},
    {kRereadAttr, "tile.convert_layout", isNotNegative, kNotNegative},
    {kRhsAccessAttr, "tile.matmul", isAccess, kPlan},
    {kSharedBytesAttr, "tile.kernel", isNotNegative, kNotNegative},
    {kSharedOffsetAttr, "memref.alloc", isInteger, kInteger},
    {kSitesAttr, "builtin.module", isListOfStrings, kStrings},
    {kStorageAttr, "tile.kernel", isListOfStorages,
     "a list of dictionaries with 'type', 'storage' and 'reason'"},
    {kTargetAttr, "builtin.module", isString,
     "the name of an architecture (a string)"},
    {kZeroDivisorAttr, "llvm.select", isUnit, "without a value"},
};

/// Rules for attributes of a kernel's arguments.
static const Rule kArgumentRules[] = {
    {kAlignmentAttr, "tile.kernel", isAlignment, kBytes},
    {kAssumedAlignmentAttr, "tile.kernel", isAlignment, kBytes},
    {kAssumedStrideAlignmentAttr, "tile.kernel", isAlignment, kBytes},
    // Functions of the host that launch kernels have names of arguments, too.
    {kArgumentNameAttr, "", isString, "a string"},
    {kStrideAlignmentAttr, "tile.kernel", isAlignment, kBytes},
    {kWorkspaceAttr, "tile.kernel", isUnit, "without a value"},
};

/// Rules for attributes of a function's results.
static const Rule kResultRules[] = {
    {kResultArrayAttr, "func.func", isNotNegative,
     "the number of an argument (i64)"},
};

/// Verifies an attribute on `op`, or on the part of `op` that `where` names.
static LogicalResult verify(Operation *op, ArrayRef<Rule> rules,
                            NamedAttribute attr, StringRef where) {
  const Rule *rule = llvm::find_if(
      rules, [&](const Rule &rule) { return attr.getName() == rule.name; });
  if (rule == rules.end()) {
    InFlightDiagnostic error =
        op->emitError("expected an attribute of the tile dialect")
        << where << ", one of ";
    llvm::interleaveComma(rules, error,
                          [&](const Rule &rule) { error << rule.name; });
    return error << ", got '" << attr.getName().getValue() << "'";
  }
  SmallVector<StringRef> holders;
  rule->holders.split(holders, ", ");
  if (!rule->holders.empty() &&
      !llvm::is_contained(holders, op->getName().getStringRef()))
    return op->emitError("expected '")
           << rule->name << "'" << where << " of a '"
           << llvm::join(holders, "' or a '") << "', got '" << op->getName()
           << "'";
  if (!rule->isValid(attr.getValue()))
    return op->emitError("expected '")
           << rule->name << "'" << where << " to be " << rule->expected
           << ", got " << attr.getValue();
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  return verify(op, kOperationRules, attr, "");
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attr) {
  std::string where = " on argument " + std::to_string(argIndex);
  if (failed(verify(op, kArgumentRules, attr, where)))
    return failure();
  if (attr.getName() == kArgumentNameAttr)
    return success();
  // All other attributes of arguments are for arrays.
  Type type = cast<KernelOp>(op).getArgumentTypes()[argIndex];
  if (!isa<MemRefType>(type))
    return op->emitError("expected '")
           << attr.getName().getValue() << "'" << where
           << " to be on an array, got " << type;
  if (attr.getName() == kWorkspaceAttr &&
      !cast<MemRefType>(type).hasStaticShape())
    return op->emitError("expected '")
           << kWorkspaceAttr << "'" << where
           << " to be on an array of static shape, got " << type;
  return success();
}

LogicalResult TileDialect::verifyRegionResultAttribute(Operation *op,
                                                       unsigned regionIndex,
                                                       unsigned resultIndex,
                                                       NamedAttribute attr) {
  std::string where = " on result " + std::to_string(resultIndex);
  return verify(op, kResultRules, attr, where);
}
