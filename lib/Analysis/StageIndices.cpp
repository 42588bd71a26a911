// StageIndices.cpp - the stages of circular buffers that counters address
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageIndices.h"

using namespace mlir;
using namespace tile;

KnownIndex StageIndices::get(Value counter) const {
  auto it = known.find(counter);
  return it == known.end() ? KnownIndex() : KnownIndex(it->second);
}

void StageIndices::set(Value counter, KnownIndex stage) {
  if (stage)
    known[counter] = *stage;
  else
    known.erase(counter);
}

void StageIndices::run(Operation *op) {
  if (auto constant = dyn_cast<tile_gpu::CounterOp>(op)) {
    int64_t numStages = constant.getType().getNumStages();
    set(constant, static_cast<int64_t>(constant.getValue()) % numStages);
  } else if (auto next = dyn_cast<tile_gpu::NextOp>(op)) {
    KnownIndex stage = get(next.getSource());
    int64_t numStages = next.getType().getNumStages();
    set(next, stage ? KnownIndex((*stage + 1) % numStages) : stage);
  }
}
