// AssignLayouts.cpp - a layout for every tile, with explicit conversions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register layouts are assigned first, since shared layouts are chosen for the
// accesses from registers. See AssignRegisterLayouts.cpp and
// AssignSharedLayouts.cpp.

#include "AssignLayouts.h"
#include "BlockCapacity.h"
#include "ExchangedLoads.h"
#include "InvariantConversions.h"
#include "PassOrder.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Fragments.h"
#include "tile/IR/Participants.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-assign-layouts"

namespace tile {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// Whether computing the tile again for each use is as cheap as moving it.
static bool isCheap(Operation *op) {
  return (op->hasTrait<OpTrait::ConstantLike>() ||
          op->hasTrait<Rematerializable>()) &&
         isa<TileType>(op->getResult(0).getType());
}

/// Clones a definition for each use: if uses shared a constant, they would have
/// to have the same layout.
static void duplicateForEachUse(Operation *op) {
  if (op->use_empty())
    return;
  OpBuilder builder(op);
  for (OpOperand &use :
       llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
    use.set(builder.clone(*op)->getResult(0));
}

/// Returns the layout that the program declares for a tile in registers; null
/// for none.
static RegisterAttr getDeclared(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  RegisterAttr registers = type ? type.getRegister() : RegisterAttr();
  return registers && registers.isResolved() ? registers : RegisterAttr();
}

static SmallVector<Value> getTiles(ValueRange values) {
  return SmallVector<Value>(llvm::make_filter_range(values, [](Value value) {
    return value && isa<TileType>(value.getType());
  }));
}

SmallVector<SmallVector<Value>> tile::getLayoutGroups(Operation *op) {
  SmallVector<SmallVector<Value>> groups;
  if (auto layouts = dyn_cast<LayoutOpInterface>(op)) {
    groups = layouts.getLayoutGroups();
  } else if (op->hasTrait<OpTrait::Elementwise>()) {
    groups.emplace_back(op->getOperands());
    llvm::append_range(groups.front(), op->getResults());
  }
  for (SmallVector<Value> &group : groups)
    group = getTiles(group);
  return groups;
}

/// Gives all tiles of a group that declares several layouts the last declared
/// one, which is a result's if a result declares any. Conversions are inserted
/// between the operation and the tiles with other layouts.
static void keepDeclaredLayout(Operation *op, ArrayRef<Value> group) {
  RegisterAttr last;
  for (Value value : group)
    if (RegisterAttr declared = getDeclared(value))
      last = declared;
  OpBuilder builder(op);
  auto isOther = [&](Value value) {
    RegisterAttr declared = getDeclared(value);
    return llvm::is_contained(group, value) && declared && declared != last;
  };
  for (OpOperand &use : op->getOpOperands())
    if (isOther(use.get()))
      use.set(convertTo(builder, op->getLoc(), use.get(), last));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    if (!isOther(result))
      continue;
    RegisterAttr declared = getDeclared(result);
    result.setType(cast<TileType>(result.getType()).withStorage(last));
    Value converted = convertTo(builder, op->getLoc(), result, declared);
    result.replaceAllUsesExcept(converted, converted.getDefiningOp());
  }
}

/// Returns the views and transposes that make `tile` from a tile in memory,
/// last one first.
static SmallVector<Operation *> getAliases(Value tile) {
  SmallVector<Operation *> aliases;
  for (Operation *op = tile.getDefiningOp();
       isa_and_nonnull<ViewOp, TransposeOp>(op);
       op = op->getOperand(0).getDefiningOp())
    aliases.push_back(op);
  return aliases;
}

/// Returns the dimension of the operand of `alias` that is dimension `dim` of
/// its result.
static int64_t getSourceDim(Operation *alias, int64_t dim) {
  auto transpose = dyn_cast<TransposeOp>(alias);
  return transpose ? transpose.getPermutation()[dim] : dim;
}

/// Returns the dimension of the tile in memory that becomes dimension `dim` of
/// the tile that `aliases` make of it.
static int64_t getRootDim(ArrayRef<Operation *> aliases, int64_t dim) {
  for (Operation *alias : aliases)
    dim = getSourceDim(alias, dim);
  return dim;
}

/// Whether the views among `aliases` leave the extent of the tile in memory
/// along `dim` unchanged.
static bool hasWholeExtent(ArrayRef<Operation *> aliases, int64_t dim) {
  for (Operation *alias : aliases) {
    int64_t source = getSourceDim(alias, dim);
    if (getTileShape(alias->getResult(0).getType())[dim] !=
        getTileShape(alias->getOperand(0).getType())[source])
      return false;
    dim = source;
  }
  return true;
}

/// Whether views start at positions that an instruction can read: at multiples
/// of `unit` along the dimension that is contiguous in memory, and along all
/// dimensions if the instruction reads by descriptors.
static bool beginsAligned(ArrayRef<Operation *> aliases, int64_t contiguous,
                          int64_t unit, bool hasDescriptors) {
  for (auto [i, alias] : llvm::enumerate(aliases)) {
    auto view = dyn_cast<ViewOp>(alias);
    if (!view)
      continue;
    ArrayRef<Operation *> below = aliases.drop_front(i);
    for (auto [dim, offset] : llvm::enumerate(view.getOffsets()))
      if ((hasDescriptors || getRootDim(below, dim) == contiguous) &&
          getKnownDivisor(offset) < unit)
        return false;
  }
  return true;
}

/// Whether a matmul's instructions can read the operand in place: views start
/// aligned, padding comes after the whole tile in memory, and the batch is not
/// the contiguous dimension.
static bool canReadInPlace(MatmulOp op, int operand) {
  Value value = op->getOperand(operand);
  Tiling tiling = getTiling(op);
  auto type = cast<TileType>(value.getType());
  SmallVector<int64_t> box = getOperandBox(tiling, operand, op.getK());
  SmallVector<Operation *> aliases = getAliases(value);
  bool isPadded = false;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (box[dim] == extent)
      continue;
    isPadded = true;
    if (!hasWholeExtent(aliases, dim))
      return false;
  }
  Value root = aliases.empty() ? value : aliases.back()->getOperand(0);
  int64_t bytes = getElementBytes(type.getElementType());
  int64_t unit = kMaxAccessBytes / bytes;
  SharedAttr shared = cast<TileType>(root.getType()).getShared();
  if (!shared)
    return true;
  int64_t contiguous = chooseContiguousDimension(root);
  bool hasBatch = type.getRank() == 3;
  if (hasBatch && getRootDim(aliases, 0) == contiguous)
    return false;
  return beginsAligned(aliases, contiguous, unit,
                       tiling.instruction.readsDescriptors()) &&
         (!shared.isResolved() ||
          (!isPadded && getMaxVector(shared, bytes) >= unit));
}

/// Copies an operand through registers to a new tile in shared memory.
static void copyOperand(MatmulOp op, int operand) {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  Value value = op->getOperand(operand);
  auto type = cast<TileType>(value.getType());
  SharedAttr shared = getAnyShared(context);
  value = ConvertLayoutOp::create(
      builder, op.getLoc(), type.withStorage(getAnyRegisters(context)), value);
  value = ConvertLayoutOp::create(builder, op.getLoc(),
                                  type.withStorage(shared), value);
  op->setOperand(operand, value);
}

/// Returns the number of 32-bit registers that a thread needs for the operands
/// that are computed in registers.
static int64_t countFragmentRegisters(MatmulOp op, const Tiling &tiling) {
  int64_t bytes = 0, numWarps = getParticipants(op).numWarps;
  for (int operand : {0, 1}) {
    auto type = cast<TileType>(op->getOperand(operand).getType());
    if (type.getRegister())
      bytes += getFragmentLayout(tiling, operand, op.getK(), numWarps)
                   .getNumValues() *
               getElementBytes(type.getElementType());
  }
  return bytes / 4;
}

/// Copies operands in registers to shared memory, from which the instructions
/// read them step by step. This applies to operands that are too large for the
/// registers of a thread, and to operands of an FMA that the program does not
/// request in registers.
static void limitFragments(MatmulOp op, const Architecture &architecture) {
  Tiling tiling = getTiling(op);
  if (tiling.operands == OperandSource::global)
    return;
  if (tiling.instruction.hasFragments()) {
    int64_t registers = countFragmentRegisters(op, tiling);
    int64_t most = architecture.costs.computedOperandRegisters;
    if (registers <= most)
      return;
    remark::missed(op.getLoc(),
                   remark::RemarkOpts::name("computed operands in registers")
                       .category(DEBUG_TYPE))
        << "expected fragments of computed operands of at most " +
               std::to_string(most) + " registers a thread, got " +
               std::to_string(registers) +
               ": the operands are copied to shared memory";
  }
  for (int operand : {0, 1})
    if (isInRegisters(op->getOperand(operand)))
      op->setOperand(operand, getSharedCopy(op, op->getOperand(operand)));
}

void tile::simplifyForLayouts(KernelOp kernel,
                              const Architecture &architecture) {
  kernel.walk([](LayoutOpInterface op) { op.simplifyForLayouts(); });
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (isCheap(op))
      cheap.push_back(op);
  });
  kernel.walk([](Operation *op) {
    for (ArrayRef<Value> group : getLayoutGroups(op))
      keepDeclaredLayout(op, group);
  });
  llvm::for_each(cheap, duplicateForEachUse);
  kernel.walk([&](MatmulOp op) {
    limitFragments(op, architecture);
    for (int operand : {0, 1})
      if (!canReadInPlace(op, operand))
        copyOperand(op, operand);
  });
}

namespace {
struct AssignLayouts : tile::impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture ||
        failed(verifyPassOrder(kernel, TilePass::kAssignLayouts)) ||
        failed(verifyTiles(kernel, *architecture)))
      return signalPassFailure();
    simplifyForLayouts(kernel, *architecture);
    if (failed(verifyDeclared<LayoutOpInterface>(kernel, "LayoutOpInterface")))
      return signalPassFailure();
    auto declared = findDeclaredLoads(kernel);
    assignRegisterLayouts(kernel, *architecture);
    copyExchangedLoads(kernel, declared);
    assignSharedLayouts(kernel);
    hoistInvariantConversions(kernel, *architecture);
  }

  /// Verifies that a layout that the program declares is spread over the
  /// block's warps.
  static LogicalResult verifyWarps(Operation *op) {
    int64_t numWarps = getParticipants(op).numWarps;
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      RegisterAttr declared = tile ? tile.getRegister() : RegisterAttr();
      if (!declared || !declared.isResolved())
        continue;
      int64_t warps = declared.getRegisterLayout().getNumWarps();
      if (warps != numWarps)
        return op->emitError("expected a layout of ")
               << numWarps << " warps (the block's), got " << warps << " in "
               << declared;
    }
    return success();
  }

  static LogicalResult verifyFits(Operation *op,
                                  const Architecture &architecture) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<TileType>(type); tile && tile.getRegister())
        if (failed(verifyFitsBlock(op, tile, architecture)))
          return failure();
    return success();
  }

  static LogicalResult verifyTiles(KernelOp kernel,
                                   const Architecture &architecture) {
    WalkResult result = kernel.walk([&](Operation *op) {
      return WalkResult(failure(failed(verifyWarps(op)) ||
                                failed(verifyFits(op, architecture))));
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
