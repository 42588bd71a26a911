// RegisterDemand.cpp - registers that a kernel's values need
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that lives beyond its block is followed from each use back to the
// block that defines it. The other live values of a block are found by a walk
// from the end of the block to its start.
//
// An address at a constant distance from another is part of the access and
// needs no register. If only the elements of a structure or an array are used,
// it needs no registers besides those of the extracted elements.

#include "RegisterDemand.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;

/// Returns the number of registers that hold a value of a type. Predicates
/// count as zero, since they are in separate registers.
static int64_t countRegisters(llvm::Type *type) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    unsigned bits = vector->getScalarSizeInBits();
    return llvm::divideCeil(bits * vector->getNumElements(), 32u);
  }
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    int64_t sum = 0;
    for (llvm::Type *element : structure->elements())
      sum += countRegisters(element);
    return sum;
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return static_cast<int64_t>(array->getNumElements()) *
           countRegisters(array->getElementType());
  if (type->isPointerTy())
    return type->getPointerAddressSpace() == 3 ? 1 : 2;
  unsigned bits = type->getPrimitiveSizeInBits();
  return bits == 1 ? 0 : llvm::divideCeil(bits, 32u);
}

/// Returns the value whose registers hold `value`, which is `value` itself
/// except for an address plus a constant, a bitcast and an address space cast:
/// these are in the registers of their source.
static const llvm::Value *getHeld(const llvm::Value *value) {
  while (true) {
    if (auto *address = llvm::dyn_cast<llvm::GEPOperator>(value);
        address && address->hasAllConstantIndices())
      value = address->getPointerOperand();
    else if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value);
             cast && (llvm::isa<llvm::BitCastInst>(cast) ||
                      llvm::isa<llvm::AddrSpaceCastInst>(cast)))
      value = cast->getOperand(0);
    else
      return value;
  }
}

/// Whether a structure or an array needs registers only for its elements,
/// because only its elements are used.
static bool isTakenApart(const llvm::Instruction &value) {
  return value.getType()->isAggregateType() &&
         llvm::all_of(value.users(), [](const llvm::User *user) {
           return llvm::isa<llvm::ExtractValueInst>(user);
         });
}

namespace {
/// Live values of one function.
class LiveValues {
public:
  explicit LiveValues(const llvm::Function &function) : function(function) {
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &user : block)
        for (const llvm::Use &use : user.operands())
          followUp(use, block);
  }

  int64_t findMost() const {
    int64_t most = 0;
    for (const llvm::BasicBlock &block : function)
      most = std::max(most, findMost(block));
    return most;
  }

private:
  /// Returns the instruction whose value a register holds; null for a constant,
  /// a parameter, or a value without registers.
  static const llvm::Instruction *getInstruction(const llvm::Value *value) {
    auto *held = llvm::dyn_cast<llvm::Instruction>(getHeld(value));
    if (!held || isTakenApart(*held) || countRegisters(held->getType()) == 0)
      return nullptr;
    return held;
  }

  /// Marks the value that `use` reads in `block` as live at the end of each
  /// block on the paths from its definition to `block`. A phi reads its value
  /// at the end of the incoming block.
  void followUp(const llvm::Use &use, const llvm::BasicBlock &block) {
    const llvm::Instruction *value = getInstruction(use.get());
    if (!value)
      return;
    llvm::SmallVector<const llvm::BasicBlock *> ends;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(use.getUser()))
      ends.push_back(phi->getIncomingBlock(use));
    else if (value->getParent() != &block)
      llvm::append_range(ends, llvm::predecessors(&block));
    while (!ends.empty()) {
      const llvm::BasicBlock *end = ends.pop_back_val();
      if (liveAtEnd[end].insert(value).second && value->getParent() != end)
        llvm::append_range(ends, llvm::predecessors(end));
    }
  }

  int64_t findMost(const llvm::BasicBlock &block) const {
    llvm::DenseSet<const llvm::Instruction *> live;
    int64_t registers = 0, most = 0;
    auto add = [&](const llvm::Value *operand) {
      const llvm::Instruction *value = getInstruction(operand);
      if (value && live.insert(value).second)
        registers += countRegisters(value->getType());
    };
    if (auto found = liveAtEnd.find(&block); found != liveAtEnd.end())
      llvm::for_each(found->second, add);
    for (const llvm::Instruction &instruction : llvm::reverse(block)) {
      most = std::max(most, registers);
      if (live.erase(&instruction))
        registers -= countRegisters(instruction.getType());
      if (!llvm::isa<llvm::PHINode>(instruction))
        llvm::for_each(instruction.operands(), add);
    }
    return std::max(most, registers);
  }

  const llvm::Function &function;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::DenseSet<const llvm::Instruction *>>
      liveAtEnd;
};
} // namespace

int64_t tile::estimateRegisters(const llvm::Function &function) {
  return LiveValues(function).findMost();
}

/// Returns the number of threads of a kernel's block.
static int64_t getThreads(const llvm::Function &kernel) {
  int64_t threads = 1;
  llvm::SmallVector<llvm::StringRef> extents;
  kernel.getFnAttribute("nvvm.reqntid").getValueAsString().split(extents, ',');
  for (llvm::StringRef extent : extents)
    if (int64_t value; !extent.trim().getAsInteger(10, value))
      threads *= value;
  return threads;
}

void tile::askForRegisters(llvm::Module &module,
                           const Architecture &architecture) {
  constexpr llvm::StringLiteral kBlocks = "nvvm.minctasm";
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(kBlocks) ||
        function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      continue;
    int64_t limit = std::min<int64_t>(architecture.registersPerThread,
                                      architecture.registersPerBlock /
                                          getThreads(function));
    // ptxas recomputes some values at their uses, and then needs fewer
    // registers than the estimate.
    if (5 * estimateRegisters(function) > 6 * limit)
      function.addFnAttr(kBlocks, "1");
  }
}
