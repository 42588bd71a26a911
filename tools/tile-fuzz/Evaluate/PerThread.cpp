// PerThread.cpp - evaluates code of single threads, one thread after the other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Sums.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

LogicalResult Interpreter::runThreads(PerThreadOp op) {
  Block &body = op.getBody().front();
  SmallVector<Elements> results(op.getNumResults());
  for (int64_t thread = 0; thread < threads; ++thread) {
    setScalar(body.getArgument(0), thread);
    for (auto [argument, input] :
         llvm::zip_equal(body.getArguments().drop_front(), op.getInputs())) {
      const Elements &all = get(input);
      auto own = all.begin() + all.size() / threads * thread;
      set(argument, Elements(own, own + all.size() / threads));
    }
    if (failed(run(body)))
      return failure();
    for (auto [result, yielded] :
         llvm::zip_equal(results, body.getTerminator()->getOperands()))
      llvm::append_range(result, get(yielded));
  }
  for (auto [result, elements] : llvm::zip_equal(op.getResults(), results))
    set(result, std::move(elements));
  return success();
}

/// Returns the distance of an element that one thread accesses, which is inside
/// the array.
int64_t Interpreter::find(Value array, ValueRange indices) {
  return *arrays[array]->find(getIndices(indices));
}

void Interpreter::loadElement(memref::LoadOp op) {
  set(op.getResult(),
      {arrays[op.getMemRef()]->read(find(op.getMemRef(), op.getIndices()))});
}

void Interpreter::storeElement(memref::StoreOp op) {
  arrays[op.getMemRef()]->write(find(op.getMemRef(), op.getIndices()),
                                get(op.getValue()).front());
}

LogicalResult Interpreter::updateElement(memref::AtomicRMWOp op) {
  if (op.getKind() != arith::AtomicRMWKind::addi)
    return op.emitError("expected an update that adds integers");
  int64_t at = find(op.getMemref(), op.getIndices());
  ArrayValue &array = *arrays[op.getMemref()];
  Element old = array.read(at);
  set(op.getResult(), {old});
  array.write(at,
              reduceElements(ReduceKind::add, {old, get(op.getValue()).front()},
                             op.getType()));
  return success();
}
