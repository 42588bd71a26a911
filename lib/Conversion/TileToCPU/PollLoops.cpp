// PollLoops.cpp - loops that query whether the run is to end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call in each iteration would double the time of a loop with a short body.
// Iterations are therefore counted in a variable of the function, which LLVM
// keeps in a register, and only every kPeriod-th one calls the runtime.

#include "PollLoops.h"

#include "LocationText.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Number of iterations between two polls; a power of two.
static constexpr int64_t kPeriod = 32;

/// Whether a loop has few iterations, regardless of its body.
static bool isShort(scf::ForOp loop) {
  constexpr uint64_t kFew = 64;
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  return count && count->ule(kFew);
}

static Value createInteger(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 64);
}

static Value createCounter(func::FuncOp function) {
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  b.setInsertionPointToStart(&function.getBody().front());
  Value counter =
      memref::AllocaOp::create(b, MemRefType::get({}, b.getI64Type()));
  memref::StoreOp::create(b, createInteger(b, 0), counter);
  return counter;
}

static void pollIn(Operation *loop, Block *body, Value counter) {
  ImplicitLocOpBuilder b(loop->getLoc(), loop->getContext());
  b.setInsertionPointToStart(body);
  Value count = arith::AddIOp::create(
      b, memref::LoadOp::create(b, counter, ValueRange()), createInteger(b, 1));
  memref::StoreOp::create(b, count, counter);
  Value rest = arith::AndIOp::create(b, count, createInteger(b, kPeriod - 1));
  Value isDue = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest,
                                      createInteger(b, 0));
  auto branch = scf::IfOp::create(b, isDue, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  cpu::callRuntime(b, "poll", cpu::createLocationText(b, loop));
}

void cpu::addPolls(func::FuncOp function) {
  Value counter;
  auto poll = [&](Operation *loop, Block *body) {
    if (!counter)
      counter = createCounter(function);
    pollIn(loop, body, counter);
  };
  function.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && !isShort(loop))
      poll(op, loop.getBody());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      poll(op, loop.getBeforeBody());
  });
}
