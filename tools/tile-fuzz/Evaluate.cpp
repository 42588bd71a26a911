// Evaluate.cpp - evaluates a tile program, operation by operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"

#include "Evaluate/Interpreter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

LogicalResult Interpreter::runOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::YieldOp, scf::ConditionOp, func::ReturnOp, YieldOp, ReturnOp>(
          [](auto) { return success(); })
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::WhileOp op) { return runWhile(op); })
      .Case([&](scf::IfOp op) { return runIf(op); })
      .Case([&](func::CallOp op) { return runCall(op); })
      .Case([&](arith::ConstantOp op) {
        return set(op.getResult(), readConstant(op)), success();
      })
      .Case([&](complex::ConstantOp op) {
        return set(op.getResult(), {readElement(op.getValue())}), success();
      })
      .Case([&](memref::DimOp op) {
        return setScalar(
                   op.getResult(),
                   arrays[op.getSource()]->sizes[getIndex(op.getIndex())]),
               success();
      })
      .Case([&](ProgramIdOp op) {
        return setScalar(op.getResult(), block[size_t(op.getAxis())]),
               success();
      })
      .Case([&](NumProgramsOp op) {
        return setScalar(op.getResult(), grid[size_t(op.getAxis())]), success();
      })
      .Case([&](LoadOp op) {
        return load(op.getResult(), op.getSource(), op.getOffsets(),
                    op.getPad(), op.getMask(), op.getDims()),
               success();
      })
      // A plain load suffices, because no other thread writes memory that a
      // program reads.
      .Case([&](AtomicLoadOp op) {
        return load(op.getResult(), op.getSource(), op.getOffsets(), Value(),
                    Value(), std::nullopt),
               success();
      })
      .Case([&](StoreOp op) {
        return store(op.getValue(), op.getDest(), op.getOffsets(), op.getMask(),
                     op.getDims()),
               success();
      })
      .Case([&](AtomicStoreOp op) {
        return store(op.getValue(), op.getDest(), op.getOffsets(), Value(),
                     std::nullopt),
               success();
      })
      .Case([&](AtomicRMWOp op) { return update(op), success(); })
      .Case([&](PerThreadOp op) { return runThreads(op); })
      .Case([&](memref::LoadOp op) { return loadElement(op), success(); })
      .Case([&](memref::StoreOp op) { return storeElement(op), success(); })
      .Case([&](memref::AtomicRMWOp op) { return updateElement(op); })
      .Case<FenceOp, PrintOp>([](auto) { return success(); })
      .Case([&](AssertOp op) { return check(op); })
      .Case([&](TakeOp op) { return take(op), success(); })
      .Case([&](PutOp op) { return put(op), success(); })
      .Case([&](HistogramOp op) { return histogram(op), success(); })
      .Case([&](PushOp op) { return push(op), success(); })
      .Case([&](PopOp op) { return pop(op), success(); })
      .Case([&](GatherOp op) { return gather(op), success(); })
      .Case([&](ScatterOp op) { return scatter(op), success(); })
      .Case([&](FillOp op) {
        return set(op.getResult(), Elements(op.getType().getNumElements(),
                                            get(op.getValue()).front())),
               success();
      })
      .Case([&](IotaOp op) { return iota(op), success(); })
      .Case([&](RandomOp op) { return randomize(op), success(); })
      .Case([&](MapOp op) { return map(op); })
      .Case([&](UnpackOp op) { return unpack(op), success(); })
      .Case([&](ReduceOp op) { return reduce(op); })
      .Case([&](ScanOp op) { return scan(op); })
      .Case([&](ArgReduceOp op) { return argReduce(op), success(); })
      .Case(
          [&](CholeskyDerivativeOp op) { return differentiate(op), success(); })
      .Case([&](CholeskyOp op) { return factor(op), success(); })
      .Case([&](TriangularSolveOp op) { return solve(op), success(); })
      .Case([&](LuOp op) { return factor(op), success(); })
      .Case([&](SolveOp op) { return solve(op), success(); })
      .Case([&](InverseOp op) { return invert(op), success(); })
      .Case<DeterminantOp, LogDetOp>(
          [&](auto op) { return takeDeterminants(op), success(); })
      .Case([&](QrOp op) { return factor(op), success(); })
      .Case<EighOp, SvdOp, OneSidedJacobiOp>(
          [&](auto op) { return decompose(op), success(); })
      .Case([&](LeastSquaresOp op) { return solve(op), success(); })
      .Case([&](DiagonalOp op) { return takeDiagonal(op), success(); })
      .Case([&](AddDiagonalOp op) { return addDiagonal(op), success(); })
      .Case<FftOp, RfftOp>([&](auto op) {
        return transform(op.getSource(), op.getResult(), op.getNorm(),
                         /*isInverse=*/false),
               success();
      })
      .Case<IfftOp, IrfftOp>([&](auto op) {
        return transform(op.getSource(), op.getResult(), op.getNorm(),
                         /*isInverse=*/true),
               success();
      })
      .Case([&](SortOp op) { return sort(op), success(); })
      .Case([&](TopKOp op) { return topK(op), success(); })
      .Case([&](MatmulOp op) { return multiply(op), success(); })
      .Case([&](ConvertLayoutOp op) {
        return set(op.getResult(), Elements(get(op.getSource()))), success();
      })
      .Case([&](InsertOp op) { return insert(op), success(); })
      .Case([&](JoinOp op) { return join(op), success(); })
      .Case([&](ExtractOp op) { return extract(op), success(); })
      .Case<ViewOp, TransposeOp, BroadcastOp, ReshapeOp>(
          [&](Operation *op) { return rearrange(op), success(); })
      .Default([&](Operation *op) -> LogicalResult {
        if (std::optional<ComplexKind> kind = getComplexKind(op))
          return computeComplex(op, *kind), success();
        if (op->getNumResults() != 1 || op->getNumRegions() != 0)
          return op->emitError("expected an operation that can be evaluated");
        return runElementwise(op);
      });
}

LogicalResult Interpreter::run(Block &body) {
  for (Operation &op : body)
    if (failed(runOp(&op)))
      return failure();
    else if (hasDuals)
      computeDuals(&op);
  return success();
}

static LogicalResult runBlocks(KernelOp kernel,
                               std::vector<ArgumentValue> &arguments,
                               const std::array<int64_t, 3> &grid,
                               bool hasDuals) {
  // Blocks run from the last to the first, the order in which blocks make
  // ordered updates.
  std::array<int64_t, 3> block;
  for (block[2] = grid[2]; block[2]-- > 0;)
    for (block[1] = grid[1]; block[1]-- > 0;)
      for (block[0] = grid[0]; block[0]-- > 0;) {
        Interpreter interpreter(block, grid, kernel.getBlock().value_or(0),
                                hasDuals);
        for (auto [argument, value] :
             llvm::zip(kernel.getBody().front().getArguments(), arguments))
          interpreter.setArgument(argument, value);
        if (failed(interpreter.run(kernel.getBody().front())))
          return failure();
      }
  return success();
}

LogicalResult tile::fuzz::evaluate(KernelOp kernel,
                                   std::vector<ArgumentValue> &arguments,
                                   const std::array<int64_t, 3> &grid) {
  return runBlocks(kernel, arguments, grid, /*hasDuals=*/false);
}

LogicalResult tile::fuzz::evaluateDuals(KernelOp kernel,
                                        std::vector<ArgumentValue> &arguments,
                                        const std::array<int64_t, 3> &grid) {
  return runBlocks(kernel, arguments, grid, /*hasDuals=*/true);
}
