// SplitLongBlocks.cpp - split blocks that would take ptxas long
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured times of ptxas 13.0 on two cores, in seconds, and registers of a
// thread. The first two columns are for sm_80 with a barrier every 256
// instructions and without barriers, the third one (only the time) is for
// sm_90a without barriers:
//
//   Cholesky factor of 64x64, f32      2.8, 167   5.7, 214   1.6
//   ... and a solve with 64 sides      5.5, 255    29, 255   2.3
//   ... and a solve with 8 sides       5.7, 255    37, 255   3.4
//
// With a barrier every 1000 instructions (sm_80), the three programs take 2.8,
// 6.2 and 9.0 s.

#include "SplitLongBlocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace tile;

/// Number of instructions from which on a block is split, and minimum number of
/// instructions between two barriers.
static constexpr size_t kLong = 2048, kLength = 256;

/// The first compute capability, times ten, for which the time of ptxas is
/// linear in the length of a block.
static constexpr int kLinear = 90;

static bool isBarrier(const llvm::IntrinsicInst &call) {
  return call.getIntrinsicID() == llvm::Intrinsic::nvvm_bar_warp_sync ||
         call.getIntrinsicID() ==
             llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all;
}

/// Whether a shuffle is executed by all 32 lanes of a warp together.
static bool isShuffleOfWarp(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_shfl_sync_bfly_f32:
  case llvm::Intrinsic::nvvm_shfl_sync_bfly_i32:
  case llvm::Intrinsic::nvvm_shfl_sync_down_f32:
  case llvm::Intrinsic::nvvm_shfl_sync_down_i32:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_f32:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_i32:
  case llvm::Intrinsic::nvvm_shfl_sync_up_f32:
  case llvm::Intrinsic::nvvm_shfl_sync_up_i32:
    break;
  default:
    return false;
  }
  auto *lanes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return lanes && lanes->isMinusOne();
}

static void split(llvm::BasicBlock &block) {
  if (block.size() < kLong)
    return;
  size_t length = 0;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
    ++length;
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call)
      continue;
    if (isBarrier(*call))
      length = 0;
    if (length < kLength || !isShuffleOfWarp(*call))
      continue;
    llvm::IRBuilder<> builder(call);
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync,
                            {call->getArgOperand(0)});
    length = 0;
  }
}

void tile::splitLongBlocks(llvm::Module &module,
                           const Architecture &architecture) {
  if (architecture.number >= kLinear)
    return;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      split(block);
}
