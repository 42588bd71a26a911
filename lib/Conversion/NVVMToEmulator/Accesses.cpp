// Accesses.cpp - loads, stores and atomics, announced to the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using emulator::AccessMode;
using emulator::AddressSpace;
using emulator::MemoryFacts;
using emulator::MemoryOrder;
using emulator::MemoryScope;
using emulator::SiteKind;

/// Maximum number of bytes of one access of a thread.
static constexpr uint64_t kMaxAccessBytes = 16;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

AddressSpace tile::getAddressSpace(Value pointer) {
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  switch (static_cast<NVVM::NVVMMemorySpace>(type.getAddressSpace())) {
  case NVVM::NVVMMemorySpace::Global:
    return AddressSpace::Global;
  case NVVM::NVVMMemorySpace::Shared:
    return AddressSpace::Shared;
  case NVVM::NVVMMemorySpace::Constant:
    return AddressSpace::Constant;
  default:
    return AddressSpace::Generic;
  }
}

bool tile::isPrivate(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(op))
      return true;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      return false;
    pointer = op->getOperand(0);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Properties of an access
//===----------------------------------------------------------------------===//

static MemoryOrder getOrder(LLVM::AtomicOrdering order, bool isVolatile) {
  switch (order) {
  case LLVM::AtomicOrdering::not_atomic:
    return isVolatile ? MemoryOrder::Relaxed : MemoryOrder::Plain;
  case LLVM::AtomicOrdering::unordered:
  case LLVM::AtomicOrdering::monotonic:
    return MemoryOrder::Relaxed;
  case LLVM::AtomicOrdering::acquire:
    return MemoryOrder::Acquire;
  case LLVM::AtomicOrdering::release:
    return MemoryOrder::Release;
  case LLVM::AtomicOrdering::acq_rel:
    return MemoryOrder::AcquireRelease;
  case LLVM::AtomicOrdering::seq_cst:
    return MemoryOrder::Sequential;
  }
  llvm_unreachable("all orders are listed");
}

/// Returns the scope with the given name in LLVM (NVPTX usage, "Synchronization
/// scopes").
static MemoryScope getScope(std::optional<StringRef> name) {
  return llvm::StringSwitch<MemoryScope>(name.value_or(""))
      .Case("block", MemoryScope::Block)
      .Case("cluster", MemoryScope::Cluster)
      .Case("device", MemoryScope::Device)
      .Default(MemoryScope::System);
}

/// Returns the name of the instruction in PTX, such as "ld.shared.b32".
static std::string getInstruction(StringRef name, const MemoryFacts &memory) {
  StringRef space;
  switch (memory.space) {
  case AddressSpace::Generic:
    break;
  case AddressSpace::Global:
    space = ".global";
    break;
  case AddressSpace::Shared:
    space = ".shared";
    break;
  case AddressSpace::Constant:
    space = ".const";
    break;
  }
  if (memory.bytes == 0)
    return (name + space).str();
  return llvm::formatv("{0}{1}.b{2}", name, space, 8 * memory.bytes);
}

//===----------------------------------------------------------------------===//
// Dropped values
//===----------------------------------------------------------------------===//

namespace {
/// A use by a select that takes the value if `condition` equals `taken`.
struct ConditionalUse {
  Value condition;
  bool taken;
};
/// The uses of a loaded value, if all are conditional; otherwise empty.
using ConditionalUses = SmallVector<ConditionalUse, 1>;
} // namespace

/// Returns the uses of a loaded value if all are selects whose conditions are
/// known before the load; otherwise none. A load that races returns an
/// undefined value in LLVM, which is harmless if the select does not take it
/// (LangRef, "Memory Model for Concurrent Operations").
static ConditionalUses findConditionalUses(LLVM::LoadOp load,
                                           DominanceInfo &dominance) {
  ConditionalUses uses;
  Value value = load.getResult();
  for (Operation *user : value.getUsers()) {
    auto select = dyn_cast<LLVM::SelectOp>(user);
    if (!select || !select.getCondition().getType().isInteger(1) ||
        select.getTrueValue() == select.getFalseValue() ||
        !dominance.properlyDominates(select.getCondition(), load))
      return {};
    uses.push_back({select.getCondition(), select.getTrueValue() == value});
  }
  return uses;
}

/// Creates the condition that some use takes the value.
static Value createIsUsed(OpBuilder &builder, Location loc,
                          ArrayRef<ConditionalUse> uses) {
  Value isUsed;
  for (auto [condition, taken] : uses) {
    Value takes = condition;
    if (!taken)
      takes = LLVM::XOrOp::create(
          builder, loc, condition,
          LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    isUsed = isUsed ? LLVM::OrOp::create(builder, loc, isUsed, takes) : takes;
  }
  return LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), isUsed);
}

namespace {
/// Converts the accesses of one function.
struct AccessConverter {
  RuntimeCalls &calls;
  SiteTable &sites;
  DataLayout layout;
  /// The conditional uses of loads, found before the function is converted.
  llvm::DenseMap<Operation *, ConditionalUses> conditionalUses;
  /// The blocks that contain stores of scatters, with the ids of the scatters.
  llvm::SetVector<std::pair<Block *, uint32_t>> scattering;

  AccessConverter(LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                  SiteTable &sites)
      : calls(calls), sites(sites),
        layout(function->getParentOfType<ModuleOp>()) {
    DominanceInfo dominance(function);
    function.walk([&](LLVM::LoadOp load) {
      ConditionalUses uses = findConditionalUses(load, dominance);
      if (!uses.empty())
        conditionalUses[load] = std::move(uses);
    });
  }

  void convert(Operation *op);
  /// Announces to the emulator that a scatter starts its next execution.
  void markIterations(LLVM::LLVMFuncOp function);
  void convertLoad(LLVM::LoadOp load);
  void convertStore(LLVM::StoreOp store);
  void convertMaskedLoad(LLVM::MaskedLoadOp load);
  void convertMaskedStore(LLVM::MaskedStoreOp store);
  template <typename Atomic>
  void convertAtomic(Atomic atomic, MemoryOrder order);
  void convertTransfer(Operation *op, Value target, Value source, Value bytes);
  void convertFence(Operation *op, MemoryOrder order, MemoryScope scope);

  /// Announces the access of `op` to `pointer`. `facts` has all properties
  /// except for the address space, the size and the alignment. A read or an
  /// atomic that may order other accesses is also announced after it is done.
  void announce(Operation *op, StringRef name, Value pointer, Type type,
                std::optional<uint64_t> alignment, MemoryFacts facts);
  Value createSite(OpBuilder &builder, Operation *op, StringRef name,
                   const MemoryFacts &facts);
};
} // namespace

Value AccessConverter::createSite(OpBuilder &builder, Operation *op,
                                  StringRef name, const MemoryFacts &facts) {
  emulator::Site site = makeSite(SiteKind::Access, getInstruction(name, facts));
  site.memory = facts;
  return createI32(builder, op->getLoc(), sites.add(op, std::move(site)));
}

void AccessConverter::announce(Operation *op, StringRef name, Value pointer,
                               Type type, std::optional<uint64_t> alignment,
                               MemoryFacts facts) {
  if (isPrivate(pointer))
    return;
  OpBuilder builder(op);
  uint64_t bytes = layout.getTypeSize(type);
  uint64_t aligned = alignment.value_or(layout.getTypeABIAlignment(type));
  uint64_t piece = std::min({bytes, aligned, kMaxAccessBytes});
  facts.space = getAddressSpace(pointer);
  facts.alignment = piece;
  for (uint64_t first = 0; first < bytes; first += piece) {
    facts.bytes = std::min(piece, bytes - first);
    Value site = createSite(builder, op, name, facts);
    Value address = createOffset(builder, op->getLoc(), pointer, first);
    auto uses = conditionalUses.find(op);
    if (facts.order == MemoryOrder::Plain && uses != conditionalUses.end())
      calls.callMachine(
          builder, op->getLoc(), "tile_emulator_access_if_used", Type(),
          {site, address, createIsUsed(builder, op->getLoc(), uses->second)});
    else
      calls.callMachine(builder, op->getLoc(), "tile_emulator_access", Type(),
                        {site, address});
    if (facts.order == MemoryOrder::Plain || facts.mode == AccessMode::Write)
      continue;
    OpBuilder after(op->getContext());
    after.setInsertionPointAfter(op);
    calls.callMachine(after, op->getLoc(), "tile_emulator_access_done", Type(),
                      {site, address});
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Makes an access one that the host can execute at any address: not atomic,
/// and with alignment 1. It becomes volatile if it had an order.
template <typename Access>
static void relax(Access access, MemoryOrder order) {
  access.setAlignment(1);
  access.setOrdering(LLVM::AtomicOrdering::not_atomic);
  access.removeSyncscopeAttr();
  if (order != MemoryOrder::Plain)
    access.setVolatile_(true);
}

void AccessConverter::convertLoad(LLVM::LoadOp load) {
  MemoryFacts facts;
  facts.mode = AccessMode::Read;
  facts.order = getOrder(load.getOrdering(), load.getVolatile_());
  facts.scope = getScope(load.getSyncscope());
  announce(load, "ld", load.getAddr(), load.getType(), load.getAlignment(),
           facts);
  relax(load, facts.order);
  load.setInvariant(false);
}

void AccessConverter::convertStore(LLVM::StoreOp store) {
  MemoryFacts facts;
  facts.mode = AccessMode::Write;
  facts.order = getOrder(store.getOrdering(), store.getVolatile_());
  facts.scope = getScope(store.getSyncscope());
  facts.scatter = sites.getScatter(store);
  if (facts.scatter)
    scattering.insert({store->getBlock(), facts.scatter});
  announce(store, "st", store.getAddr(), store.getValue().getType(),
           store.getAlignment(), facts);
  relax(store, facts.order);
}

/// Splits the block at `op`, and moves the builder to a new block that runs
/// only if `condition` holds, before `op`. Returns the block that starts with
/// `op`. If `skipped` is not null, the returned block gets an argument, whose
/// value is `skipped` if the new block does not run. The caller must end the
/// new block with a branch to the returned one.
static Block *createBranch(OpBuilder &builder, Operation *op, Value condition,
                           Value skipped = Value()) {
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  auto *inside = new Block();
  after->getParent()->getBlocks().insert(after->getIterator(), inside);
  SmallVector<Value> arguments;
  if (skipped) {
    after->addArgument(skipped.getType(), op->getLoc());
    arguments.push_back(skipped);
  }
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, op->getLoc(), condition, inside, ValueRange(),
                         after, arguments);
  builder.setInsertionPointToEnd(inside);
  return after;
}

void AccessConverter::convertMaskedStore(LLVM::MaskedStoreOp store) {
  auto type = cast<VectorType>(store.getValue().getType());
  int64_t bytes = layout.getTypeSize(type.getElementType());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    OpBuilder builder(store);
    Location loc = store.getLoc();
    Value position = createI32(builder, loc, i);
    Value isStored =
        LLVM::ExtractElementOp::create(builder, loc, store.getMask(), position);
    Block *after = createBranch(builder, store, isStored);
    Value value = LLVM::ExtractElementOp::create(builder, loc, store.getValue(),
                                                 position);
    auto element = LLVM::StoreOp::create(
        builder, loc, value,
        createOffset(builder, loc, store.getData(), i * bytes));
    LLVM::BrOp::create(builder, loc, after);
    convertStore(element);
  }
  store.erase();
}

void AccessConverter::convertMaskedLoad(LLVM::MaskedLoadOp load) {
  auto type = cast<VectorType>(load.getType());
  int64_t bytes = layout.getTypeSize(type.getElementType());
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Value result = load.getPassThru();
  if (!result)
    result = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    builder.setInsertionPoint(load);
    Value position = createI32(builder, loc, i);
    Value isLoaded =
        LLVM::ExtractElementOp::create(builder, loc, load.getMask(), position);
    Block *after = createBranch(builder, load, isLoaded, result);
    auto element = LLVM::LoadOp::create(
        builder, loc, type.getElementType(),
        createOffset(builder, loc, load.getData(), i * bytes));
    Value inserted =
        LLVM::InsertElementOp::create(builder, loc, result, element, position);
    LLVM::BrOp::create(builder, loc, inserted, after);
    convertLoad(element);
    result = after->getArgument(0);
  }
  load.getResult().replaceAllUsesWith(result);
  load.erase();
}

//===----------------------------------------------------------------------===//
// Atomics, transfers and fences
//===----------------------------------------------------------------------===//

template <typename Atomic>
void AccessConverter::convertAtomic(Atomic atomic, MemoryOrder order) {
  MemoryFacts facts;
  facts.mode = AccessMode::ReadWrite;
  facts.order = order;
  facts.scope = getScope(atomic.getSyncscope());
  Type type = atomic.getVal().getType();
  announce(atomic, "atom", atomic.getPtr(), type, layout.getTypeSize(type),
           facts);
  // Blocks run on several threads of the host, so the access stays atomic.
  atomic.removeSyncscopeAttr();
}

void AccessConverter::convertTransfer(Operation *op, Value target, Value source,
                                      Value bytes) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (bytes.getType() != builder.getI64Type())
    bytes = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), bytes);
  auto announceSide = [&](Value pointer, AccessMode mode, StringRef name) {
    if (!pointer || isPrivate(pointer))
      return;
    MemoryFacts facts;
    facts.space = getAddressSpace(pointer);
    facts.mode = mode;
    Value site = createSite(builder, op, name, facts);
    calls.callMachine(builder, loc, "tile_emulator_access_range", Type(),
                      {site, pointer, bytes});
  };
  announceSide(source, AccessMode::Read, "ld");
  announceSide(target, AccessMode::Write, "st");
  // The attribute has the alignments of the pointers.
  op->removeAttr("arg_attrs");
}

void AccessConverter::convertFence(Operation *op, MemoryOrder order,
                                   MemoryScope scope) {
  OpBuilder builder(op);
  emulator::Site site = makeSite(SiteKind::Fence, "fence");
  site.memory.order = order;
  site.memory.scope = scope;
  calls.callMachine(
      builder, op->getLoc(), "tile_emulator_fence", Type(),
      createI32(builder, op->getLoc(), sites.add(op, std::move(site))));
  op->erase();
}

/// Returns the order that a compare-exchange has if it succeeds.
static MemoryOrder getOrder(LLVM::AtomicCmpXchgOp op) {
  return getOrder(op.getSuccessOrdering(), op.getVolatile_());
}

static MemoryScope getScope(NVVM::MemScopeKind scope) {
  switch (scope) {
  case NVVM::MemScopeKind::CTA:
    return MemoryScope::Block;
  case NVVM::MemScopeKind::CLUSTER:
    return MemoryScope::Cluster;
  case NVVM::MemScopeKind::GPU:
    return MemoryScope::Device;
  case NVVM::MemScopeKind::SYS:
    return MemoryScope::System;
  }
  llvm_unreachable("all scopes are listed");
}

/// Creates an i64 constant from the attribute `bytes`, the length of a copy.
static Value createLength(Operation *op, IntegerAttr bytes) {
  OpBuilder builder(op);
  return LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI64Type(),
                                  builder.getI64IntegerAttr(bytes.getInt()));
}

void AccessConverter::convert(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LLVM::LoadOp load) { convertLoad(load); })
      .Case([&](LLVM::StoreOp store) { convertStore(store); })
      .Case([&](LLVM::MaskedLoadOp load) { convertMaskedLoad(load); })
      .Case([&](LLVM::MaskedStoreOp store) { convertMaskedStore(store); })
      .Case([&](LLVM::AtomicRMWOp atomic) {
        convertAtomic(atomic, getOrder(atomic.getOrdering(), false));
      })
      .Case([&](LLVM::AtomicCmpXchgOp atomic) {
        convertAtomic(atomic, getOrder(atomic));
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) {
        convertTransfer(copy, copy.getDst(), copy.getSrc(), copy.getLen());
      })
      .Case([&](LLVM::MemcpyInlineOp copy) {
        convertTransfer(copy, copy.getDst(), copy.getSrc(),
                        createLength(copy, copy.getLenAttr()));
      })
      .Case([&](LLVM::MemsetOp set) {
        convertTransfer(set, set.getDst(), Value(), set.getLen());
      })
      .Case([&](LLVM::MemsetInlineOp set) {
        convertTransfer(set, set.getDst(), Value(),
                        createLength(set, set.getLenAttr()));
      })
      .Case([&](LLVM::FenceOp fence) {
        convertFence(fence, getOrder(fence.getOrdering(), false),
                     getScope(fence.getSyncscope()));
      })
      .Case([&](NVVM::MembarOp fence) {
        convertFence(fence, MemoryOrder::Sequential,
                     getScope(fence.getScope()));
      });
}

/// The threads of a block run the loops of a tile program together, and a
/// scatter adds no loop around its stores. Each iteration of the innermost loop
/// around the stores is therefore one execution of the scatter, even in a
/// thread that stores nothing in this iteration.
void AccessConverter::markIterations(LLVM::LLVMFuncOp function) {
  if (scattering.empty() || function.getBody().hasOneBlock())
    return;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  llvm::SetVector<std::pair<Block *, uint32_t>> headers;
  for (auto [block, scatter] : scattering)
    if (CFGLoop *loop = loops.getLoopFor(block))
      headers.insert({loop->getHeader(), scatter});
  for (auto [header, scatter] : headers) {
    auto builder = OpBuilder::atBlockBegin(header);
    Location loc = function.getLoc();
    calls.callMachine(builder, loc, "tile_emulator_scatter_iteration", Type(),
                      createI32(builder, loc, scatter));
  }
}

void tile::convertAccesses(LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                           SiteTable &sites) {
  AccessConverter converter(function, calls, sites);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    converter.convert(op);
  converter.markIterations(function);
}
