// HoldStored.cpp - keep the computation of stored values before barriers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A multiplication of small matrices loads its operands, computes, and stores
// the few results of each thread in turn, each if the thread has it:
//
//   load 36 operands; barrier; if (c0) store(18 FMAs); if (c1) store(18 FMAs)
//
// With the FMAs in the blocks of the stores, the operands of all of them are in
// registers at the barrier. (The gradient of examples/32_crba/crba.py took 2353
// us on an H200, and takes 1120 us with the FMAs where the phases placed them.)
// A computation from few operands may move: a thread without the result then
// skips it.

#include "HoldStored.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace tile;

/// Whether a computation stays where it is: if its operands take several times
/// as many registers as its results. A conversion to a narrower type and the
/// last steps of a sum may move.
static bool isHeld(uint64_t operandBits, uint64_t resultBits) {
  constexpr uint64_t kRegisterBits = 32;
  return operandBits >= 3 * resultBits + 8 * kRegisterBits;
}

using Instructions = llvm::SetVector<llvm::Instruction *>;

/// Lists the instructions of other blocks whose results a block stores: the
/// stored values, or the elements that are inserted into a stored vector.
static Instructions listStored(llvm::BasicBlock &block) {
  Instructions values;
  auto add = [&](llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && instruction->getParent() != &block)
      values.insert(instruction);
  };
  for (llvm::Instruction &instruction : block) {
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      add(store->getValueOperand());
    else if (llvm::isa<llvm::InsertElementInst>(&instruction))
      llvm::for_each(instruction.operands(), add);
  }
  return values;
}

static uint64_t countBits(const llvm::Value *value) {
  return value->getType()->getPrimitiveSizeInBits().getFixedValue();
}

/// Counts the bits of the operands of the instructions that only compute
/// `values`, which `block` stores, and could therefore move there.
static uint64_t countOperandBits(const Instructions &values,
                                 const llvm::BasicBlock &block) {
  Instructions moved(values.begin(), values.end());
  llvm::SmallPtrSet<llvm::Instruction *, 32> operands;
  auto canMove = [&](llvm::Instruction *instruction) {
    return !llvm::isa<llvm::PHINode>(instruction) &&
           !instruction->mayReadOrWriteMemory() &&
           llvm::all_of(instruction->users(), [&](llvm::User *user) {
             auto *by = llvm::cast<llvm::Instruction>(user);
             return by->getParent() == &block || moved.contains(by);
           });
  };
  // An instruction is visited once more for each user.
  for (size_t i = 0; i < moved.size(); ++i)
    for (llvm::Value *operand : moved[i]->operands()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!instruction)
        continue;
      if (canMove(instruction))
        moved.insert(instruction);
      else
        operands.insert(instruction);
    }
  uint64_t bits = 0;
  for (llvm::Instruction *operand : operands)
    if (!moved.contains(operand))
      bits += countBits(operand);
  return bits;
}

llvm::PreservedAnalyses HoldStoredPass::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &) {
  Instructions held;
  for (llvm::BasicBlock &block : function) {
    Instructions values = listStored(block);
    uint64_t bits = 0;
    for (llvm::Instruction *value : values)
      bits += countBits(value);
    if (isHeld(countOperandBits(values, block), bits))
      held.insert_range(values);
  }
  for (llvm::Instruction *value : held) {
    llvm::IRBuilder<> builder(value->getParent()->getTerminator());
    builder.CreateIntrinsic(llvm::Intrinsic::fake_use, {value});
  }
  return held.empty() ? llvm::PreservedAnalyses::all()
                      : llvm::PreservedAnalyses::none();
}
