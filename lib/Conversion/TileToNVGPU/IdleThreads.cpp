// IdleThreads.cpp - threads that a kernel did not request
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IdleThreads.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tile;

Value tile::isAskedFor(IndexBuilder &index, KernelOp kernel) {
  auto threads = static_cast<int64_t>(*kernel.getBlock());
  if (threads == kernel.getLaunchedThreads())
    return Value();
  return index.less(index.thread(), index.constant(threads));
}

void tile::keepIdleThreadsFromPrinting(KernelOp kernel) {
  kernel.walk([&](gpu::PrintfOp print) {
    OpBuilder builder(print);
    IndexBuilder index(builder, print.getLoc());
    index.enterIf(isAskedFor(index, kernel));
    print->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
  });
}
