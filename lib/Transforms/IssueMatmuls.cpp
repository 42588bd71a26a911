// IssueMatmuls.cpp - asynchronous matmuls, and the waits for them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul by four warps reads shared memory while they do something else:
//
//   %d, %token = tile_gpu.mma_async %a, %b, %c
//   %sum = tile_gpu.mma_wait %token in_flight 0 of %d
//
// If the circular buffer of a loop has a stage for it, threads wait for the
// matmul of an iteration only after the matmul of the next iteration has
// started, so that the tensor cores always have work:
//
//   %none = tile_gpu.mma_none
//   %part, %last = scf.for iter_args(%acc, %before = %none) {
//     %d, %token = tile_gpu.mma_async %buffer[%get], ..., %acc
//     tile_gpu.copy_async ... to %buffer[%put]   the stage of two steps ago
//     tile_gpu.mma_wait %before in_flight 1
//     scf.yield %d, %token
//   }
//   %sum = tile_gpu.mma_wait %last in_flight 0 of %part
//
// After the barrier of the next iteration, before its matmul, all threads have
// waited for the matmul of %before: the stage that it read may be overwritten.

#include "Pipelining/StageMarks.h"

#include "tile/Analysis/Tiling.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace tile {
#define GEN_PASS_DEF_ISSUEMATMULS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Creates a wait for the matmul of the token and all matmuls before it, except
/// the newest `inFlight`. Returns the values after the wait.
static ResultRange createWait(OpBuilder &builder, Location loc, Value token,
                              int64_t inFlight, ValueRange values) {
  auto op = tile_gpu::MmaWaitOp::create(builder, loc, values.getTypes(), token,
                                        inFlight, values);
  return op.getResults();
}

namespace {
/// Results of a matmul that has been issued.
struct Begun {
  Value sum, token;
};
} // namespace

/// Issues a matmul in place. Its result replaces that of the old operation.
static Begun begin(RewriterBase &rewriter, MatmulOpInterface op) {
  rewriter.setInsertionPoint(op);
  auto matmul = tile_gpu::MmaAsyncOp::create(
      rewriter, op->getLoc(), op.getLhs(), op.getRhs(), op.getAcc(),
      op.getPrecision(), op.getTilingAttr());
  rewriter.replaceOp(op, matmul.getResult());
  return {matmul.getResult(), matmul.getToken()};
}

/// Creates a wait at the insertion point, and replaces all uses of `sum` by the
/// result of the wait.
static void waitForSum(RewriterBase &rewriter, Location loc, Value token,
                       Value sum) {
  Value ended = createWait(rewriter, loc, token, /*inFlight=*/0, sum).front();
  rewriter.replaceAllUsesExcept(sum, ended, ended.getDefiningOp());
}

static void beginAndWait(RewriterBase &rewriter, MatmulOpInterface op) {
  Location loc = op->getLoc();
  Begun matmul = begin(rewriter, op);
  rewriter.setInsertionPointAfterValue(matmul.sum);
  waitForSum(rewriter, loc, matmul.token, matmul.sum);
}

/// Whether threads write operands of the next iteration to shared memory after
/// the matmul, which adds to what its loop carries: they do so while it runs.
static bool isFollowedByStores(MatmulOpInterface op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !isSumOf(op, loop))
    return false;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (isa<tile_gpu::StoreSharedOp>(next))
      return true;
  return false;
}

static void waitAtEndOfBody(RewriterBase &rewriter, MatmulOpInterface op) {
  Location loc = op->getLoc();
  Begun matmul = begin(rewriter, op);
  rewriter.setInsertionPoint(matmul.sum.getParentBlock()->getTerminator());
  waitForSum(rewriter, loc, matmul.token, matmul.sum);
}

static void keepInFlight(RewriterBase &rewriter, MatmulOpInterface op,
                         scf::ForOp loop) {
  Location loc = op->getLoc();
  unsigned sum = cast<BlockArgument>(op.getAcc()).getArgNumber() - 1;
  rewriter.setInsertionPoint(loop);
  Value none = tile_gpu::MmaNoneOp::create(rewriter, loc);
  auto rewriteBody = [&](OpBuilder &, Location,
                         ArrayRef<BlockArgument> carried) {
    OpBuilder::InsertionGuard guard(rewriter);
    Begun matmul = begin(rewriter, op);
    rewriter.setInsertionPoint(matmul.token.getParentBlock()->getTerminator());
    createWait(rewriter, loc, carried[0], /*inFlight=*/1, {});
    return SmallVector<Value>{matmul.token};
  };
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, none, /*replaceInitOperandUsesInLoop=*/false, rewriteBody));
  rewriter.setInsertionPointAfter(loop);
  waitForSum(rewriter, loc, loop->getResults().back(), loop->getResult(sum));
}

/// Verifies that earlier phases have chosen a block size and a complete tiling.
static LogicalResult verifyPrepared(MatmulOpInterface op) {
  if (!op->getParentOfType<KernelOp>().getBlock() || !hasCompleteTiling(op))
    return op->emitError("expected a block size and a complete tiling (run "
                         "-tile-warp-tiling before)");
  return success();
}

/// Verifies a matmul whose instruction is asynchronous.
static LogicalResult verifyBegun(MatmulOpInterface op) {
  if (!isSharedBuffer(op.getRhs().getType()))
    return op->emitError("expected operands in buffers (run -tile-bufferize "
                         "before), got ")
           << op.getRhs().getType();
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (op->hasAttr(kInFlightAttr) && (!loop || !isSumOf(op, loop)))
    return op->emitError("expected ")
           << kInFlightAttr
           << " on a product that adds to what its loop carries";
  return success();
}

namespace {
struct IssueMatmuls : tile::impl::IssueMatmulsBase<IssueMatmuls> {
  using IssueMatmulsBase::IssueMatmulsBase;

  void runOnOperation() override {
    SmallVector<MatmulOpInterface> matmuls;
    if (!getTargetArchitecture(getOperation()) || failed(collect(matmuls)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (MatmulOpInterface op : matmuls)
      if (op->hasAttr(kInFlightAttr))
        keepInFlight(rewriter, op, cast<scf::ForOp>(op->getParentOp()));
      else if (isFollowedByStores(op))
        waitAtEndOfBody(rewriter, op);
      else
        beginAndWait(rewriter, op);
  }

private:
  LogicalResult collect(SmallVectorImpl<MatmulOpInterface> &matmuls) {
    WalkResult result = getOperation().walk([&](MatmulOp op) -> WalkResult {
      if (failed(verifyPrepared(op)))
        return failure();
      if (!getTiling(op).instruction.isAsynchronous())
        return success();
      matmuls.push_back(op);
      return verifyBegun(op);
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
