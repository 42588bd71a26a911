// AssignStorage.cpp - registers or shared memory for every tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers are the default: they are the fastest storage, and an elementwise
// operation needs no other. Shared memory holds three kinds of tiles:
// - tiles of which a thread reads elements that another thread holds. The
//   position of such an element is known only at run time (views, accesses by
//   index), or it is constant but belongs to a different value index in each
//   thread;
// - operands of a matmul, which many threads read;
// - tiles from which such operands are computed (ComputedOperands.h).
//
// The storage that the program declares for a tile is kept: a
// tile.convert_layout makes each change of storage visible.

#include "AccessLayouts.h"
#include "AssignLayouts.h"
#include "ComputedOperands.h"
#include "PassOrder.h"
#include "RoundOperands.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tile {
#define GEN_PASS_DEF_ASSIGNSTORAGE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
/// Storage of a tile, and the reason for it, for the report.
struct Choice {
  Attribute storage;
  StringRef reason;
};

/// Facts about the operations that read tiles.
struct Readers {
  ComputedOperands computed;
  /// Loads of tiles that can be cut into the parts that views take without
  /// moving elements between threads.
  llvm::DenseSet<Operation *> parted;
};
} // namespace

/// Whether a load is in the body of a loop with a matmul, so that its copy may
/// run during the matmul of the iteration before.
static bool isNextToMatmul(Operation *load) {
  return isa<scf::ForOp>(load->getParentOp()) &&
         !load->getBlock()->getOps<MatmulOpInterface>().empty();
}

/// Returns the loads for which a layout in rows gives each thread the same
/// values of every part that views take, so that no part needs shared memory.
/// The set is empty if the block size is not known.
static llvm::DenseSet<Operation *>
findParted(KernelOp kernel, const Architecture &architecture) {
  if (!kernel.getBlock())
    return {};
  AccessLayouts rows{architecture};
  llvm::DenseSet<Operation *> parted;
  kernel.walk([&](CopyableOpInterface load) {
    SmallVector<int64_t> parts = getParts(load.getAccessedTile());
    if (!isNextToMatmul(load) &&
        llvm::any_of(parts, [](int64_t part) { return part != 0; }) &&
        isInParts(rows.get(load, /*isSpread=*/false, parts), parts))
      parted.insert(load);
  });
  return parted;
}

/// Whether the reader of an operand requires it in shared memory. If the reader
/// only renames the tile (an alias), the storage that is declared for the alias
/// decides.
static bool wantsShared(OpOperand &use, const Readers &readers) {
  switch (getPlacement(use)) {
  case Placement::shared:
    return !readers.computed.isComputed(use);
  case Placement::alias:
  case Placement::part:
    return isInShared(use.getOwner()->getResult(0));
  default:
    return false;
  }
}

/// Whether an operation's result is an alias of its operand, and the operand is
/// or must be in shared memory.
static bool isAliasOfShared(Operation *op) {
  return isAlias(op) &&
         (getPlacement(op->getOpOperand(0)) == Placement::shared ||
          isInShared(op->getOperand(0)));
}

/// Whether an operation's result is a part of its operand at constant offsets
/// (Placement::part), which may be in registers as well as in shared memory.
static bool isPart(Operation *op) {
  return isAlias(op) && getPlacement(op->getOpOperand(0)) == Placement::part;
}

/// Whether an operation can define a tile in a declared storage.
static bool canDefine(Operation *op, Attribute declared) {
  if (isa<SharedAttr>(declared))
    return op &&
           (getPlacement(op) == Placement::anywhere || isAliasOfShared(op));
  if (!op || !isAlias(op))
    return true;
  Placement placement = getPlacement(op->getOpOperand(0));
  return placement != Placement::shared &&
         (placement != Placement::part || !isInShared(op->getOperand(0)));
}

/// Whether the value has uses that require it in shared memory, directly or
/// through aliases, and no use that requires it in registers. Uses that only
/// observe the value or take a part of it accept both.
static bool allUsesWantShared(Value value, const Readers &readers) {
  auto wants = [&](OpOperand &use) {
    Placement placement = getPlacement(use);
    if (placement == Placement::part &&
        !readers.parted.contains(value.getDefiningOp()))
      return true;
    if (placement != Placement::alias && placement != Placement::part)
      return wantsShared(use, readers);
    Value alias = use.getOwner()->getResult(0);
    return cast<TileType>(alias.getType()).getStorage()
               ? isInShared(alias)
               : allUsesWantShared(alias, readers);
  };
  return llvm::any_of(value.getUses(), wants) &&
         llvm::all_of(value.getUses(), [&](OpOperand &use) {
           Placement placement = getPlacement(use);
           return placement == Placement::observed ||
                  placement == Placement::part || wants(use);
         });
}

/// Returns the storage of a value that has no declared storage.
static Choice chooseStorage(Value value, const Readers &readers) {
  MLIRContext *context = value.getContext();
  RegisterAttr registers = getAnyRegisters(context);
  SharedAttr shared = getAnyShared(context);
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return {registers, "carried across a region's border"};
  if (isAliasOfShared(op))
    return {shared, "alias of a tile in shared memory"};
  if (isPart(op) && allUsesWantShared(value, readers))
    return {shared, "read by matrix products, views or indices only"};
  if (getPlacement(op) != Placement::anywhere)
    return {registers, "default"};
  if (readers.computed.isSource(op))
    return {shared, "read by a computed operand of a product only"};
  if (allUsesWantShared(value, readers))
    return {shared, "read by matrix products, views or indices only"};
  if (llvm::any_of(value.getUses(), [](OpOperand &use) {
        return getPlacement(use) == Placement::replicated;
      }))
    return {registers, "loaded by each thread that reads it"};
  return {registers, "default"};
}

/// Returns the reason for a storage that the type declares.
static StringRef getDeclaredReason(Value value) {
  bool isReread = llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasAttr(kRereadAttr);
  });
  return isReread ? "read again in later sections, instead of held in registers"
                  : "declared";
}

/// Sets the storage of a value's type. A declared storage that the definition
/// cannot produce is reached by a conversion right after it.
static void assign(Value value, const Readers &readers,
                   SmallVectorImpl<std::pair<Value, Choice>> &all) {
  auto type = cast<TileType>(value.getType());
  Operation *op = value.getDefiningOp();
  Choice choice = chooseStorage(value, readers);
  Attribute declared = type.getStorage();
  if (declared && canDefine(op, declared)) {
    all.push_back({value, {declared, getDeclaredReason(value)}});
    return;
  }
  retype(value, type.withStorage(choice.storage));
  all.push_back({value, choice});
  if (!declared)
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto converted = ConvertLayoutOp::create(builder, value.getLoc(),
                                           type.withStorage(declared), value);
  value.replaceAllUsesExcept(converted, converted);
  all.push_back({converted, {declared, "declared"}});
}

/// Converts an operand to the storage that its operation requires.
static void convertOperand(OpOperand &use, const Readers &readers) {
  auto type = dyn_cast<TileType>(use.get().getType());
  Placement placement = getPlacement(use);
  if (!type || placement == Placement::anywhere ||
      placement == Placement::observed)
    return;
  bool isWantedShared = wantsShared(use, readers);
  if (isWantedShared && !type.getShared())
    use.set(getSharedCopy(use.getOwner(), use.get()));
  if (isWantedShared || type.getRegister())
    return;
  OpBuilder builder(use.getOwner());
  use.set(convertTo(builder, use.getOwner()->getLoc(), use.get(),
                    getAnyRegisters(type.getContext())));
}

/// Returns a tile's type, storage and reason, for the report.
static Attribute describe(Value value, const Choice &choice) {
  Builder builder(value.getContext());
  NamedAttrList fields;
  auto type = cast<TileType>(value.getType()).withStorage(Attribute());
  fields.set("type", TypeAttr::get(type));
  fields.set("storage", builder.getStringAttr(isa<SharedAttr>(choice.storage)
                                                  ? "shared"
                                                  : "register"));
  fields.set("reason", builder.getStringAttr(choice.reason));
  return makeRecord(fields, value.getDefiningOp(), value.getLoc());
}

/// Verifies that the values of constants are DenseElementsAttr: phases change
/// the type of such a constant, and cut it into registers later.
static LogicalResult verifyConstants(KernelOp kernel) {
  WalkResult result = kernel.walk([](arith::ConstantOp op) -> WalkResult {
    if (!isa<TileType>(op.getType()) || isa<DenseElementsAttr>(op.getValue()))
      return WalkResult::advance();
    return op.emitError("expected a constant tile of the form dense<...>, got ")
           << op.getValue();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct AssignStorage : tile::impl::AssignStorageBase<AssignStorage> {
  using AssignStorageBase::AssignStorageBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture ||
        failed(verifyPassOrder(kernel, TilePass::kAssignStorage)) ||
        failed(
            verifyDeclared<StorageOpInterface>(kernel, "StorageOpInterface")) ||
        failed(verifyConstants(kernel)))
      return signalPassFailure();
    roundOperands(kernel);
    Readers readers{ComputedOperands(kernel, *architecture),
                    findParted(kernel, *architecture)};
    SmallVector<Value> tiles;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto collect = [&](Value value) {
        if (isa<TileType>(value.getType()))
          tiles.push_back(value);
      };
      llvm::for_each(op->getResults(), collect);
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), collect);
    });
    SmallVector<std::pair<Value, Choice>> choices;
    for (Value tile : tiles)
      assign(tile, readers, choices);
    SmallVector<OpOperand *> operands;
    kernel.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        operands.push_back(&operand);
    });
    for (OpOperand *operand : operands)
      convertOperand(*operand, readers);
    SmallVector<Attribute> report;
    for (auto &[value, choice] : choices)
      report.push_back(describe(value, choice));
    kernel->setAttr(kStorageAttr, ArrayAttr::get(&getContext(), report));
  }
};
} // namespace
