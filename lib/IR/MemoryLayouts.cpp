// MemoryLayouts.cpp - tiles that an access has in one layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

SmallVector<SmallVector<Value>> GatherOp::getLayoutGroups() {
  return {{getMask(), getResult()}};
}

SmallVector<SmallVector<Value>> ScatterOp::getLayoutGroups() {
  return {{getMask(), getValue(), getOld()}};
}

SmallVector<SmallVector<Value>> AtomicRMWOp::getLayoutGroups() {
  return {{getValue(), getExpected(), getMask(), getResult()}};
}
