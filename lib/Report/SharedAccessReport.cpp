// SharedAccessReport.cpp - cost of the accesses to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation on a buffer specifies how it accesses the buffer
// (AccessPlans.h), and its layouts specify which thread accesses which elements
// (SharedAccess.h). A plan uses the dimensions of the operand, which may be a
// view of the buffer (BufferView.h). The wavefronts of each plan are counted.

#include "SharedAccessReport.h"

#include "CopySource.h"
#include "ReportLocation.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/RowCover.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/SharedLayout.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"
#include "tile/IR/RowPitch.h"
#include "tile/Layout/Chunks.h"

using namespace mlir;
using namespace tile;

/// Name of the accesses of a copy, and of those of its ends.
static constexpr StringLiteral kCopyName = "tile_gpu.copy_async";

namespace {
/// Collects the shared-memory accesses of one kernel.
struct AccessCollector {
  KernelOp kernel;
  std::vector<AccessReport> result;

  AccessReport &add(Operation *op, StringRef name, Value buffer);
  void add(Operation *op, StringRef name, Value buffer, const BufferView &view,
           const AccessPlan &plan, int64_t elementBytes);
  void addAsync(tile_gpu::CopyAsyncOp op, const BufferView &view,
                const AccessPlan &plan, int64_t elementBytes);
  void visit(tile_gpu::CopyAsyncOp op);
  void visit(tile_gpu::AlignRowsOp op);
  void visit(tile_gpu::StoreSharedOp op);
  void visitRegisters(Operation *op, TileType tile, Value buffer, bool isStore);
  void visit(PrintOp op);
  void visit(MatmulOp op);
};
} // namespace

/// Adds an access whose wavefronts are not counted, as they depend on run-time
/// values.
AccessReport &AccessCollector::add(Operation *op, StringRef name,
                                   Value buffer) {
  AccessReport access;
  access.place = getReportLocation(op->getLoc());
  access.operation = name.str();
  if (memref::AllocOp allocation = getAllocation(buffer))
    if (auto offset = allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr))
      access.buffer = offset.getInt();
  access.wavefronts = access.minimalWavefronts = -1;
  result.push_back(std::move(access));
  return result.back();
}

void AccessCollector::add(Operation *op, StringRef name, Value buffer,
                          const BufferView &view, const AccessPlan &plan,
                          int64_t elementBytes) {
  AccessReport &access = add(op, name, buffer);
  if (!view.start)
    return;
  Wavefronts wavefronts =
      countPlanWavefronts(plan, view.shared, elementBytes, *view.start);
  access.wavefronts = wavefronts.actual;
  access.minimalWavefronts = wavefronts.minimal;
}

void AccessCollector::visit(tile_gpu::CopyAsyncOp op) {
  std::optional<BufferView> view = getBufferView(op.getDest());
  if (!view)
    return;
  AccessAttr access = getAccess(op);
  AccessPlan plan =
      getCopyPlan(view->getBox(), getContiguousDimension(view->shared),
                  access.getVector(), getParticipants(op).numWarps);
  int64_t bytes = getElementBytes(getElementTypeOrSelf(op.getDest().getType()));
  if (access.getKind() == AccessInstruction::copy_async)
    return addAsync(op, *view, plan, bytes);
  add(op, kCopyName, op.getDest(), *view, plan, bytes);
}

/// Adds the writes of a copy's chunks, including those of its ends.
void AccessCollector::addAsync(tile_gpu::CopyAsyncOp op, const BufferView &view,
                               const AccessPlan &plan, int64_t elementBytes) {
  AccessReport &access = add(op, kCopyName, op.getDest());
  if (!view.start)
    return;
  Wavefronts wavefronts = countCopyWavefronts(plan, view.shared, elementBytes,
                                              getCopySource(op), *view.start);
  if (op.getExtra()) {
    CopySource source = getEndsSource(op);
    Wavefronts ends = countCopyWavefronts(
        getCopyPlan(source.extents, plan.dim, plan.vector,
                    getParticipants(op).numWarps),
        getBufferView(op.getExtra())->shared, elementBytes, source);
    wavefronts.actual += ends.actual;
    wavefronts.minimal += ends.minimal;
  }
  access.wavefronts = wavefronts.actual;
  access.minimalWavefronts = wavefronts.minimal;
  access.assumes = op.getInBounds() ? "whole lines" : "whole lines, inside";
}

/// Adds the writes of vectors and the reads of words. The latter have no
/// wavefronts: their conflicts depend on the shifts of the rows of a warp,
/// which are known only at run time.
void AccessCollector::visit(tile_gpu::AlignRowsOp op) {
  std::optional<BufferView> view = getBufferView(op.getDest());
  if (!view)
    return;
  int64_t bytes = getElementBytes(
      cast<MemRefType>(op.getDest().getType()).getElementType());
  add(op, "tile_gpu.align_rows", op.getDest(), *view,
      planRowShift(view->getBox(), getContiguousDimension(view->shared), bytes,
                   getParticipants(op).numWarps),
      bytes);
  add(op, "tile_gpu.align_rows words", op.getDest());
}

/// Returns the totals that a scan does not use: those of the last warp in the
/// direction of the scan, which no warp follows.
static std::vector<int64_t> getUnusedTotals(tile_gpu::LoadSharedOp load,
                                            const RegisterLayout &layout) {
  std::vector<int64_t> unused;
  for (Operation *user : load->getUsers()) {
    auto scan = dyn_cast<PartialScanOp>(user);
    if (!scan || !llvm::is_contained(scan.getTotals(), load.getResult()))
      return {};
    for (const std::vector<int64_t> &run : getRuns(layout, scan.getAxis()))
      unused.push_back(scan.getReverse() ? run.front() : run.back());
  }
  return unused;
}

void AccessCollector::visitRegisters(Operation *op, TileType tile, Value buffer,
                                     bool isStore) {
  std::optional<BufferView> view = getBufferView(buffer);
  if (!view || !tile.getRegister())
    return;
  int64_t bytes = getElementBytes(tile.getElementType());
  RegisterLayout layout = tile.getRegister().getRegisterLayout();
  AccessAttr access = getAccess(op);
  int64_t contiguous = 0;
  if (tile.getShape() != getTileShape(buffer.getType()))
    // A buffer of another shape is accessed in row-major order.
    view->shared = getRowsInShared(
        op->getContext(), tile.getShape(),
        std::max<int64_t>(tile.getRank() - 1, 0),
        *getRowPitch(cast<MemRefType>(buffer.getType()), tile.getShape()) -
            (tile.getRank() ? tile.getShape().back() : 1));
  else if (tile.getRank() > 0)
    contiguous = getContiguousDimension(view->shared);
  AccessPlan plan{layout, isStore ? AccessKind::kStore : AccessKind::kLoad,
                  access.getVector(), contiguous};
  if (access.isMatrix())
    plan = *getMatrixPlan(layout, contiguous, tile.getElementType());
  if (auto load = dyn_cast<tile_gpu::LoadSharedOp>(op))
    plan.unused = getUnusedTotals(load, layout);
  add(op, isStore ? "tile_gpu.store_shared" : "tile_gpu.load_shared", buffer,
      *view, plan, bytes);
}

/// Adds the stores of a tile's elements. Zeros beyond the tile are stored
/// separately, and are not counted.
void AccessCollector::visit(tile_gpu::StoreSharedOp op) {
  visitRegisters(op, op.getValue().getType(), op.getDest(), /*isStore=*/true);
  std::optional<BufferView> view = getBufferView(op.getDest());
  RegisterAttr registers = op.getValue().getType().getRegister();
  bool isCovered = view && registers &&
                   llvm::equal(registers.getRegisterLayout().getBox(),
                               view->getBox(), std::greater_equal<>());
  if (op.getZeroPadding() && !isCovered)
    add(op, "tile_gpu.store_shared zeros", op.getDest());
}

/// Adds the reads of a print: one thread reads one element after the other.
void AccessCollector::visit(PrintOp op) {
  Value buffer = op.getValue();
  if (!buffer || !isSharedBuffer(buffer.getType()))
    return;
  AccessReport &access = add(op, "tile.print", buffer);
  access.wavefronts = cast<MemRefType>(buffer.getType()).getNumElements();
  access.minimalWavefronts = access.wavefronts;
}

void AccessCollector::visit(MatmulOp op) {
  if (!op.getTilingAttr())
    return;
  Tiling tiling = getTiling(op);
  // An instruction that reads operands by descriptors has no accesses by
  // threads.
  if (tiling.instruction.readsDescriptors())
    return;
  for (int operand : {0, 1}) {
    Value buffer = op->getOperand(operand);
    if (!isSharedBuffer(buffer.getType()))
      continue;
    std::optional<BufferView> view = getBufferView(buffer);
    if (!view)
      continue;
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    int64_t bytes = getElementBytes(element);
    // The box of the buffer may be larger than that of this operand, since
    // other matmuls read it too.
    AccessPlan plan = getOperandPlan(tiling, operand,
                                     getOperandBox(tiling, operand, op.getK()),
                                     getContiguousDimension(view->shared),
                                     bytes, getParticipants(op).numWarps);
    plan.vector = getOperandAccess(op, operand).getVector();
    add(op, operand == 0 ? "tile.matmul lhs" : "tile.matmul rhs", buffer, *view,
        plan, bytes);
  }
}

std::vector<AccessReport> tile::reportAccesses(KernelOp kernel) {
  AccessCollector collector{kernel, {}};
  kernel.walk([&](Operation *op) {
    if (auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op))
      collector.visit(copy);
    else if (auto align = dyn_cast<tile_gpu::AlignRowsOp>(op))
      collector.visit(align);
    else if (auto store = dyn_cast<tile_gpu::StoreSharedOp>(op))
      collector.visit(store);
    else if (auto load = dyn_cast<tile_gpu::LoadSharedOp>(op))
      collector.visitRegisters(op, load.getType(), load.getSource(),
                               /*isStore=*/false);
    else if (auto print = dyn_cast<PrintOp>(op))
      collector.visit(print);
    else if (auto matmul = dyn_cast<MatmulOp>(op))
      collector.visit(matmul);
    else if (auto take = dyn_cast<TakeOp>(op);
             take && isSharedBuffer(take.getSource().getType()))
      collector.add(op, "tile.take", take.getSource());
    else if (auto put = dyn_cast<tile_gpu::PutSharedOp>(op))
      collector.add(op, "tile_gpu.put_shared", put.getDest());
  });
  return std::move(collector.result);
}
