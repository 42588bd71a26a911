// CarryFragments.cpp - moves the last step of a matmul after the next barrier
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop whose copies run ahead, all warps meet at a barrier in each
// iteration and then wait for their first fragments. Meanwhile the tensor cores
// are idle. The pass therefore splits off the last step along K of each matmul:
// its fragments are read before the barrier, and its MMAs run after the
// barrier, while the fragments of the first step are loaded.
//
// In the first iteration, which has no step to finish, the carried fragments
// are zeros. The copies come between the two parts of the matmul: MMAs are in
// flight before and after them, and hide the computation of their addresses.
// The method is known as register double buffering (CUTLASS, "Efficient GEMM in
// CUDA": software pipelining).

#include "Pipelining/StageMarks.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tile {
#define GEN_PASS_DEF_CARRYFRAGMENTS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// A matmul in a loop whose last step along K may be carried to the next
/// iteration.
class CarriedMatmul {
public:
  CarriedMatmul(MatmulOpInterface op, const Architecture &architecture)
      : op(op), architecture(architecture), tiling(getTiling(op)),
        numWarps(getParticipants(op).numWarps), k(op.getK()) {}

  /// Whether the matmul is the only user of the accumulator in its loop, and
  /// the fragments of a step can be read separately and held in registers.
  bool canCarry(scf::ForOp loop);
  void carry(RewriterBase &rewriter, scf::ForOp loop);

private:
  int64_t getStep() const { return tiling.instruction.getSubTile().k; }
  int64_t countRegisters();
  bool isWorthIt(scf::ForOp loop);
  bool canReadFragments(int operand);

  TileType getFragmentType(int operand);
  Value getSteps(OpBuilder &builder, int operand, int64_t first, int64_t count);
  Value readStep(OpBuilder &builder, int operand, int64_t step);
  Value multiply(OpBuilder &builder, Value lhs, Value rhs, Value acc);

  MatmulOpInterface op;
  const Architecture &architecture;
  Tiling tiling;
  int64_t numWarps;
  int64_t k; ///< extent of K of the whole matmul
};

} // namespace

//===----------------------------------------------------------------------===//
// Choice of matmuls
//===----------------------------------------------------------------------===//

/// Returns the number of registers of a thread that the accumulator, the
/// carried fragments, the fragments of one step and addresses take.
int64_t CarriedMatmul::countRegisters() {
  int64_t bytes = 0;
  for (int operand : {0, 1})
    bytes += getFragmentType(operand)
                 .getRegister()
                 .getRegisterLayout()
                 .getNumValues() *
             getElementBytes(getFragmentType(operand).getElementType());
  return estimateRegisters(tiling, op, architecture) + bytes / 4 +
         architecture.costs.addressRegisters;
}

/// Whether the registers suffice, and carrying gains enough. If the loop shifts
/// unaligned rows (tile_gpu.align_rows), which takes all registers, the block
/// must be the only one on the multiprocessor: with a second block, carrying
/// gains only 3 % of the time, and ptxas takes twice as long.
bool CarriedMatmul::isWorthIt(scf::ForOp loop) {
  auto kernel = op->getParentOfType<KernelOp>();
  int64_t registers = countRegisters();
  bool isAlone =
      registers > getRegisterLimit(kernel, architecture, /*blocks=*/2);
  return registers <= getRegisterLimit(kernel, architecture) &&
         (isAlone || loop.getBody()->getOps<tile_gpu::AlignRowsOp>().empty());
}

/// Whether tile_gpu.load_shared can read the operand of one step by the
/// accesses that the matmul itself would make.
bool CarriedMatmul::canReadFragments(int operand) {
  auto buffer = dyn_cast<MemRefType>(op->getOperand(operand).getType());
  if (!buffer)
    return false;
  std::optional<BufferView> view = getBufferView(op->getOperand(operand));
  // The buffer must have no padding: the view of one step would not contain it.
  SmallVector<int64_t> box = getOperandBox(tiling, operand, k);
  if (!view || view->getBox() != box || buffer.getShape() != ArrayRef(box))
    return false;
  int64_t bytes = getElementBytes(buffer.getElementType());
  int64_t contiguous = getContiguousDimension(view->shared);
  AccessPlan plan =
      getOperandPlan(tiling, operand, box, contiguous, bytes, numWarps);
  return plan.kind == AccessKind::kLoad ||
         getMatrixPlan(
             getFragmentType(operand).getRegister().getRegisterLayout(),
             contiguous, buffer.getElementType(), box,
             getMaxVector(view->shared, bytes) * bytes);
}

bool CarriedMatmul::canCarry(scf::ForOp loop) {
  return tiling.instruction.hasFragments() &&
         !tiling.instruction.readsDescriptors() && k % getStep() == 0 &&
         k / getStep() > 1 && isSumOf(op, loop) && canReadFragments(0) &&
         canReadFragments(1) && isWorthIt(loop);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Returns the type of the fragments of one step of an operand.
TileType CarriedMatmul::getFragmentType(int operand) {
  SmallVector<int64_t> shape = getOperandBox(tiling, operand, getStep());
  RegisterLayout layout =
      getFragmentLayout(tiling, operand, getStep(), numWarps);
  return TileType::get(
      op->getContext(), shape,
      cast<ShapedType>(op->getOperand(operand).getType()).getElementType(),
      RegisterAttr::get(op->getContext(), layout));
}

/// Returns the view of `count` steps along K of an operand's buffer; the view
/// starts at step `first`.
Value CarriedMatmul::getSteps(OpBuilder &builder, int operand, int64_t first,
                              int64_t count) {
  SmallVector<int64_t> shape =
      getOperandBox(tiling, operand, count * getStep());
  size_t rank = shape.size();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)), sizes,
      strides(rank, builder.getIndexAttr(1));
  offsets[operand == 0 ? rank - 1 : rank - 2] =
      builder.getIndexAttr(first * getStep());
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  return memref::SubViewOp::create(
      builder, op->getLoc(), op->getOperand(operand), offsets, sizes, strides);
}

Value CarriedMatmul::readStep(OpBuilder &builder, int operand, int64_t step) {
  return tile_gpu::LoadSharedOp::create(builder, op->getLoc(),
                                        getFragmentType(operand),
                                        getSteps(builder, operand, step, 1));
}

Value CarriedMatmul::multiply(OpBuilder &builder, Value lhs, Value rhs,
                              Value acc) {
  auto matmul = cast<MatmulOpInterface>(builder.clone(*op));
  Value values[] = {lhs, rhs, acc};
  for (auto [operand, value] : llvm::enumerate(values))
    matmul->setOperand(operand, value);
  return matmul->getResult(0);
}

void CarriedMatmul::carry(RewriterBase &rewriter, scf::ForOp loop) {
  Location loc = op->getLoc();
  int64_t last = k / getStep() - 1;
  unsigned sum = cast<BlockArgument>(op.getAcc()).getArgNumber() - 1;
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> zeros;
  for (int operand : {0, 1}) {
    TileType type = getFragmentType(operand);
    zeros.push_back(arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(type,
                               rewriter.getZeroAttr(type.getElementType()))));
  }
  auto rewriteBody = [&](OpBuilder &builder, Location,
                         ArrayRef<BlockArgument> carried) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Value lhs = readStep(builder, 0, 0), rhs = readStep(builder, 1, 0);
    Value acc = multiply(builder, carried[0], carried[1], op.getAcc());
    builder.setInsertionPoint(op->getBlock()->getTerminator());
    acc = multiply(builder, lhs, rhs, acc);
    if (last > 1)
      acc = multiply(builder, getSteps(builder, 0, 1, last - 1),
                     getSteps(builder, 1, 1, last - 1), acc);
    rewriter.replaceAllUsesWith(op->getResult(0), acc);
    return SmallVector<Value>{readStep(builder, 0, last),
                              readStep(builder, 1, last)};
  };
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, zeros, /*replaceInitOperandUsesInLoop=*/false, rewriteBody));
  rewriter.setInsertionPointAfter(loop);
  OpResult partial = loop->getResult(sum);
  Value total = multiply(rewriter, loop->getResults().end()[-2],
                         loop->getResults().end()[-1], partial);
  rewriter.replaceAllUsesExcept(partial, total, total.getDefiningOp());
  rewriter.eraseOp(op);
}

static bool startsCopy(Operation &op) { return op.hasTrait<AsyncCopy>(); }

namespace {
struct CarryFragments : tile::impl::CarryFragmentsBase<CarryFragments> {
  using CarryFragmentsBase::CarryFragmentsBase;

  void runOnOperation() override {
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture)
      return signalPassFailure();
    SmallVector<MatmulOpInterface> matmuls;
    getOperation().walk([&](MatmulOpInterface op) {
      auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      if (loop && llvm::any_of(*loop.getBody(), startsCopy))
        matmuls.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (MatmulOpInterface op : matmuls) {
      if (failed(verifyTiled(op)))
        return signalPassFailure();
      auto loop = cast<scf::ForOp>(op->getParentOp());
      CarriedMatmul matmul(op, *architecture);
      if (matmul.canCarry(loop))
        matmul.carry(rewriter, loop);
    }
  }

  /// Verifies that phase 2 has run.
  LogicalResult verifyTiled(MatmulOpInterface op) {
    if (getOperation().getBlock() && hasCompleteTiling(op))
      return success();
    return op->emitError("expected a block size and a complete tiling (run "
                         "-tile-warp-tiling before)");
  }
};
} // namespace
