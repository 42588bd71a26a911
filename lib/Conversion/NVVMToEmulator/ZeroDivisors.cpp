// ZeroDivisors.cpp - quotients by zero, followed to where they are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a tile outside of an array are divided like all others, and their
// quotients are dropped. A division by zero is therefore a mistake only if a
// later use depends on its result. Each value that may depend on a quotient has
// a companion: an i32, or a vector with an i32 for each element. The companion
// is 1 + the site of the division by zero on which the value depends, or zero.
//
//   %q = llvm.select %isZero, %c0, %quotient {tile.zero_divisor}
//   %r = llvm.select %mask, %q, %other
//   llvm.store %r, %p
//
// is kept. These operations are added, the call before the store:
//
//   %q' = llvm.select %isZero, %division, %c0
//   %r' = llvm.select %mask, %q', %c0
//   llvm.call @tile_emulator_use_quotient(%thread, %site, %r')
//
// Companions are exact for operations that may ignore an operand: select, and
// `and`, `or` and multiplications in which the other operand decides the
// result. Companions do not pass through memory, to other threads, or along
// conditional branches. Each reported quotient is therefore used, but not every
// used quotient is reported.

#include "ZeroDivisors.h"

#include "Accesses.h"
#include "UniformValues.h"

#include "tile/IR/ArithmeticAttrs.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using emulator::AddressSpace;
using emulator::SiteKind;

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// Returns the type of a value's companion; null for a value without one.
static Type getCompanionType(Type type) {
  Type i32 = IntegerType::get(type.getContext(), 32);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 ? vector.clone(i32) : VectorType();
  return isa<IntegerType, FloatType, LLVM::LLVMPointerType>(type) ? i32
                                                                  : Type();
}

namespace {
/// The operands on whose companions the companion of a result depends.
enum class Dependence {
  none,    ///< no operand: the result has no companion
  any,     ///< every operand, element by element
  chosen,  ///< the condition of a select, and the operand that it takes
  decided, ///< each operand, unless the other one decides the result
  moved,   ///< the operand whose elements are moved
  whole,   ///< every element of a vector that is stored as a scalar
  address, ///< the address of a load
};
} // namespace

static bool isMove(Operation *op) {
  return isa<LLVM::ExtractElementOp, LLVM::InsertElementOp,
             LLVM::ShuffleVectorOp>(op);
}

/// Whether the results of an instruction depend only on its operands in the
/// same thread.
static bool isComputation(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee().value_or("").starts_with("__nv_");
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    StringRef name = call.getIntrin();
    return !name.consume_front("llvm.nvvm.") || name.starts_with("f2") ||
           name.starts_with("d2") || name.starts_with("ex2.") ||
           name.starts_with("rcp.") || name.starts_with("rsqrt.");
  }
  return isa_and_present<LLVM::LLVMDialect>(op->getDialect()) &&
         isMemoryEffectFree(op);
}

/// Whether a cast converts a vector to one scalar that is only stored, or
/// inserted into another vector.
static bool isStoredWhole(LLVM::BitcastOp cast) {
  return isa<VectorType>(cast.getArg().getType()) &&
         !isa<VectorType>(cast.getType()) &&
         llvm::all_of(cast->getUsers(),
                      llvm::IsaPred<LLVM::StoreOp, LLVM::InsertElementOp>);
}

static Dependence getDependence(Operation *op) {
  if (op->getNumResults() != 1)
    return Dependence::none;
  Type type = getCompanionType(op->getResult(0).getType());
  if (!type)
    return Dependence::none;
  if (isa<LLVM::SelectOp>(op))
    return Dependence::chosen;
  if (isa<LLVM::AndOp, LLVM::OrOp, LLVM::MulOp, LLVM::FMulOp>(op))
    return Dependence::decided;
  if (isMove(op))
    return Dependence::moved;
  if (isa<LLVM::ExtractValueOp, LLVM::InsertValueOp>(op))
    return Dependence::none; // findPart follows these
  if (isa<LLVM::LoadOp>(op))
    return isa<VectorType>(type) ? Dependence::none : Dependence::address;
  if (auto cast = dyn_cast<LLVM::BitcastOp>(op); cast && isStoredWhole(cast))
    return Dependence::whole;
  bool isByElement = llvm::all_of(op->getOperandTypes(), [&](Type operand) {
    return getCompanionType(operand) == type;
  });
  return isByElement && isComputation(op) ? Dependence::any : Dependence::none;
}

/// Returns the value that `extract` reads from a structure, such as an array's
/// descriptor: the value that was inserted at its position; null if it is not
/// known.
static Value findPart(LLVM::ExtractValueOp extract) {
  Value container = extract.getContainer();
  while (auto insert = container.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == extract.getPosition())
      return insert.getValue();
    container = insert.getContainer();
  }
  return {};
}

/// Maps each value that is inserted into a structure to the extractions that
/// read it.
static llvm::DenseMap<Value, SmallVector<Value>>
findParts(LLVM::LLVMFuncOp function) {
  llvm::DenseMap<Value, SmallVector<Value>> parts;
  function.walk([&](LLVM::ExtractValueOp extract) {
    if (Value part = findPart(extract))
      parts[part].push_back(extract);
  });
  return parts;
}

/// Returns the values that have companions: those that depend on `roots`.
static llvm::DenseSet<Value> findDependent(LLVM::LLVMFuncOp function,
                                           ArrayRef<LLVM::SelectOp> roots) {
  llvm::DenseMap<Value, SmallVector<Value>> parts = findParts(function);
  llvm::DenseSet<Value> dependent;
  SmallVector<Value> pending;
  auto add = [&](Value value) {
    if (getCompanionType(value.getType()) && dependent.insert(value).second)
      pending.push_back(value);
  };
  for (LLVM::SelectOp root : roots)
    add(root);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    llvm::for_each(parts.lookup(value), add);
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (getDependence(user) != Dependence::none)
        add(user->getResult(0));
      if (auto branch = dyn_cast<BranchOpInterface>(user))
        if (auto argument =
                branch.getSuccessorBlockArgument(use.getOperandNumber()))
          add(*argument);
    }
  }
  return dependent;
}

//===----------------------------------------------------------------------===//
// Companions
//===----------------------------------------------------------------------===//

namespace {
/// Follows the quotients of one function.
struct Follower {
  LLVM::LLVMFuncOp function;
  RuntimeCalls &calls;
  SiteTable &sites;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> companions;
  bool hasUniform = false;

  Follower(LLVM::LLVMFuncOp function, RuntimeCalls &calls, SiteTable &sites)
      : function(function), calls(calls), sites(sites),
        builder(function.getContext()) {}

  void run(ArrayRef<LLVM::SelectOp> roots);

private:
  template <typename Op, typename... Arguments>
  Value create(Location loc, Arguments &&...arguments) {
    return Op::create(builder, loc, std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }
  Value constant(Location loc, Type type, int64_t value);
  /// Returns the companion of a value; the constant zero if it has none.
  Value getCompanion(Location loc, Value value);
  /// Returns the companion of a value; null if it has none.
  Value findCompanion(Value value) { return companions.lookup(value); }
  /// Returns one of two companions that is not zero, if any; both may be null.
  Value join(Location loc, Value a, Value b);
  /// Returns an element of a companion that is not zero, if any.
  Value joinElements(Location loc, Value vector);

  void addArguments(const llvm::DenseSet<Value> &dependent);
  void passArguments();
  void addRootCompanion(LLVM::SelectOp root, bool isUniform);
  Value follow(Operation *op);
  Value followSelect(LLVM::SelectOp select);
  Value followDecided(Operation *op);
  Value keepUnlessDecided(Operation *op, unsigned operand);
  Value followMove(Operation *op);

  void report(Operation *op);
  void reportStore(Operation *op, Value pointer, Value value);
  void reportMasked(LLVM::MaskedStoreOp store);
  void reportUse(Operation *op, StringRef name, Value companion,
                 bool isOfUniform = false);
};
} // namespace

Value Follower::constant(Location loc, Type type, int64_t value) {
  TypedAttr attr = builder.getI32IntegerAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = SplatElementsAttr::get(vector, APInt(32, value));
  return create<LLVM::ConstantOp>(loc, type, attr);
}

Value Follower::getCompanion(Location loc, Value value) {
  if (Value companion = findCompanion(value))
    return companion;
  return constant(loc, getCompanionType(value.getType()), 0);
}

Value Follower::join(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  Value isNotZero = create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ne, a,
                                         constant(loc, a.getType(), 0));
  return create<LLVM::SelectOp>(loc, isNotZero, a, b);
}

Value Follower::joinElements(Location loc, Value vector) {
  auto type = dyn_cast_or_null<VectorType>(vector ? vector.getType() : Type());
  if (!type)
    return vector;
  Value joined;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    joined = join(loc, joined,
                  create<LLVM::ExtractElementOp>(loc, vector,
                                                 createI32(builder, loc, i)));
  return joined;
}

void Follower::addArguments(const llvm::DenseSet<Value> &dependent) {
  for (Block &block : function.getBody())
    for (BlockArgument argument : llvm::to_vector(block.getArguments()))
      if (dependent.contains(argument))
        companions[argument] = block.addArgument(
            getCompanionType(argument.getType()), argument.getLoc());
}

/// Makes branches pass the companions of their operands, in the order of
/// `addArguments`.
void Follower::passArguments() {
  for (Block &block : function.getBody()) {
    auto branch = dyn_cast<BranchOpInterface>(block.getTerminator());
    if (!branch)
      continue;
    builder.setInsertionPoint(branch);
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
      SmallVector<Value> passed;
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      for (auto [position, argument] :
           llvm::enumerate(branch->getSuccessor(i)->getArguments()))
        if (findCompanion(argument))
          passed.push_back(getCompanion(branch.getLoc(), operands[position]));
      if (!passed.empty())
        operands.append(passed);
    }
  }
}

/// Creates the companion of `root`: 1 + the site of the division if the divisor
/// is zero, else the companion of the quotient.
void Follower::addRootCompanion(LLVM::SelectOp root, bool isUniform) {
  Location loc = root.getLoc();
  emulator::Site site = makeSite(SiteKind::Division, "division");
  site.division.isUniform = isUniform;
  Type type = getCompanionType(root.getType());
  Value oneBasedSite =
      constant(loc, type, 1 + sites.add(root, std::move(site)));
  companions[root] =
      create<LLVM::SelectOp>(loc, root.getCondition(), oneBasedSite,
                             getCompanion(loc, root.getFalseValue()));
}

Value Follower::followSelect(LLVM::SelectOp select) {
  Location loc = select.getLoc();
  Value a = findCompanion(select.getTrueValue());
  Value b = findCompanion(select.getFalseValue());
  Value taken;
  if (a || b)
    taken = create<LLVM::SelectOp>(loc, select.getCondition(),
                                   getCompanion(loc, select.getTrueValue()),
                                   getCompanion(loc, select.getFalseValue()));
  Value condition = findCompanion(select.getCondition());
  Type type = getCompanionType(select.getType());
  if (condition && condition.getType() != type)
    condition = nullptr; // one condition selects a vector
  return join(loc, taken, condition);
}

/// Returns the companion of an operand. If the other operand decides the
/// result, returns that one's companion instead, or zero if it has none.
Value Follower::keepUnlessDecided(Operation *op, unsigned operand) {
  Location loc = op->getLoc();
  Value companion = findCompanion(op->getOperand(operand));
  if (!companion)
    return {};
  Value other = op->getOperand(1 - operand);
  Type type = other.getType();
  Value deciding;
  if (isa<LLVM::FMulOp>(op)) {
    Value zero = create<LLVM::ZeroOp>(loc, type);
    deciding = create<LLVM::FCmpOp>(loc, LLVM::FCmpPredicate::oeq, other, zero);
  } else {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    APInt decidingValue =
        isa<LLVM::OrOp>(op) ? APInt::getAllOnes(width) : APInt::getZero(width);
    TypedAttr attr =
        IntegerAttr::get(getElementTypeOrSelf(type), decidingValue);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = SplatElementsAttr::get(vector, decidingValue);
    deciding = create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, other,
                                    create<LLVM::ConstantOp>(loc, type, attr));
  }
  Value none = constant(loc, companion.getType(), 0);
  Value kept = create<LLVM::SelectOp>(loc, deciding, none, companion);
  Value ofOther = findCompanion(other);
  return ofOther
             ? join(loc, create<LLVM::SelectOp>(loc, deciding, ofOther, none),
                    kept)
             : kept;
}

Value Follower::followDecided(Operation *op) {
  Value a = keepUnlessDecided(op, 0), b = keepUnlessDecided(op, 1);
  return join(op->getLoc(), a, b);
}

Value Follower::followMove(Operation *op) {
  Location loc = op->getLoc();
  if (auto extract = dyn_cast<LLVM::ExtractElementOp>(op))
    return create<LLVM::ExtractElementOp>(
        loc, getCompanion(loc, extract.getVector()), extract.getPosition());
  if (auto insert = dyn_cast<LLVM::InsertElementOp>(op))
    return create<LLVM::InsertElementOp>(
        loc, getCompanion(loc, insert.getVector()),
        getCompanion(loc, insert.getValue()), insert.getPosition());
  auto shuffle = cast<LLVM::ShuffleVectorOp>(op);
  return create<LLVM::ShuffleVectorOp>(loc, getCompanion(loc, shuffle.getV1()),
                                       getCompanion(loc, shuffle.getV2()),
                                       shuffle.getMask());
}

Value Follower::follow(Operation *op) {
  Location loc = op->getLoc();
  switch (getDependence(op)) {
  case Dependence::chosen:
    return followSelect(cast<LLVM::SelectOp>(op));
  case Dependence::decided:
    return followDecided(op);
  case Dependence::moved:
    return followMove(op);
  case Dependence::whole:
    return joinElements(loc, findCompanion(op->getOperand(0)));
  case Dependence::none:
    return {};
  case Dependence::any:
  case Dependence::address:
    break;
  }
  Value joined;
  for (Value operand : op->getOperands())
    joined = join(loc, joined, findCompanion(operand));
  return joined;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

void Follower::reportUse(Operation *op, StringRef name, Value companion,
                         bool isOfUniform) {
  if (!companion || (isOfUniform && !hasUniform))
    return;
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  companion = joinElements(loc, companion);
  emulator::Site site = makeSite(SiteKind::Division, name);
  site.division.isUniform = isOfUniform;
  Value siteIndex = createI32(builder, loc, sites.add(op, std::move(site)));
  calls.callMachine(builder, loc, "tile_emulator_use_quotient", Type(),
                    {siteIndex, companion});
}

/// Reports a store to global memory. Values in shared memory may be dropped
/// later, so stores to it are not reported.
void Follower::reportStore(Operation *op, Value pointer, Value value) {
  if (getAddressSpace(pointer) != AddressSpace::Global)
    return;
  reportUse(op, "the address of a store", findCompanion(pointer));
  reportUse(op, "a store", findCompanion(value));
}

/// Reports a masked store. The mask excludes elements that are not stored.
void Follower::reportMasked(LLVM::MaskedStoreOp store) {
  if (getAddressSpace(store.getData()) != AddressSpace::Global)
    return;
  Location loc = store.getLoc();
  builder.setInsertionPoint(store);
  Value none = constant(loc, getCompanionType(store.getValue().getType()), 0);
  auto keepStored = [&](Value companion) -> Value {
    return create<LLVM::SelectOp>(loc, store.getMask(), companion, none);
  };
  if (Value companion = findCompanion(store.getValue()))
    reportUse(store, "a store", keepStored(companion));
  builder.setInsertionPoint(store);
  if (Value companion = findCompanion(store.getData())) {
    Value all = none;
    auto type = cast<VectorType>(none.getType());
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      all = create<LLVM::InsertElementOp>(loc, all, companion,
                                          createI32(builder, loc, i));
    reportUse(store, "the address of a store", keepStored(all));
  }
  reportUse(store, "a branch", findCompanion(store.getMask()),
            /*isOfUniform=*/true);
}

void Follower::report(Operation *op) {
  auto reportAtomic = [&](auto atomic) {
    if (getAddressSpace(atomic.getPtr()) == AddressSpace::Shared)
      return reportUse(op, "the address of an update",
                       findCompanion(atomic.getPtr()));
    reportStore(op, atomic.getPtr(), atomic.getVal());
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LLVM::StoreOp store) {
        reportStore(op, store.getAddr(), store.getValue());
      })
      .Case([&](LLVM::MaskedStoreOp store) { reportMasked(store); })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(reportAtomic)
      .Case([&](LLVM::LoadOp load) {
        reportUse(op, "the address of a load", findCompanion(load.getAddr()),
                  /*isOfUniform=*/true);
      })
      .Case([&](NVVM::CpAsyncOp copy) {
        reportUse(op, "the address of a copy", findCompanion(copy.getSrc()),
                  /*isOfUniform=*/true);
      })
      .Case([&](LLVM::CondBrOp branch) {
        reportUse(op, "a branch", findCompanion(branch.getCondition()),
                  /*isOfUniform=*/true);
      })
      .Case([&](LLVM::SwitchOp branch) {
        reportUse(op, "a branch", findCompanion(branch.getValue()),
                  /*isOfUniform=*/true);
      });
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

/// Whether all threads of the block divide equal values.
static bool isUniformDivision(LLVM::SelectOp root,
                              const llvm::DenseSet<Value> &varying) {
  return !varying.contains(root.getResult());
}

void Follower::run(ArrayRef<LLVM::SelectOp> roots) {
  llvm::DenseSet<Value> varying = findVaryingValues(function);
  llvm::DenseSet<Value> dependent = findDependent(function, roots);
  llvm::DenseSet<Operation *> isRoot(roots.begin(), roots.end());
  addArguments(dependent);
  SmallVector<Operation *> ops;
  for (Block *block : getBlocksSortedByDominance(function.getBody()))
    for (Operation &op : *block)
      ops.push_back(&op);
  for (Operation *op : ops) {
    if (op->getNumResults() != 1 || !dependent.contains(op->getResult(0)))
      continue;
    builder.setInsertionPointAfter(op);
    if (!isRoot.contains(op)) {
      auto extract = dyn_cast<LLVM::ExtractValueOp>(op);
      if (Value companion =
              extract ? findCompanion(findPart(extract)) : follow(op))
        companions[op->getResult(0)] = companion;
      continue;
    }
    auto root = cast<LLVM::SelectOp>(op);
    bool isUniform = isUniformDivision(root, varying);
    hasUniform |= isUniform;
    addRootCompanion(root, isUniform);
  }
  for (Operation *op : ops)
    report(op);
  passArguments();
}

void tile::followZeroDivisors(LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                              SiteTable &sites) {
  SmallVector<LLVM::SelectOp> roots;
  function.walk([&](LLVM::SelectOp select) {
    if (select->hasAttr(kZeroDivisorAttr))
      roots.push_back(select);
  });
  if (!roots.empty())
    Follower(function, calls, sites).run(roots);
}
