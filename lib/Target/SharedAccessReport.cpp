// SharedAccessReport.cpp - what the accesses to shared memory cost
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation on a buffer has a plan, which thread touches which elements
// (SharedAccess.h). A plan is in the dimensions of the operand, which may be a
// view of the buffer (BufferView.h), and its passes over the banks are counted.

#include "SharedAccessReport.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/CopyPlan.h"
#include "tile/Analysis/RowCover.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/SharedLayout.h"
#include "tile/Analysis/Tiling.h"

using namespace mlir;
using namespace tile;

std::string tile::describeLocation(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  return (place.getFilename().getValue() + ":" + Twine(place.getLine())).str();
}

namespace {
/// Collects the accesses of one kernel.
struct AccessCollector {
  KernelOp kernel;
  const Architecture &architecture;
  std::vector<AccessReport> result;

  int64_t getNumWarps() { return kernel.getBlock().value_or(32) / kWarpSize; }
  void add(Operation *op, StringRef name, const BufferView &view,
           const AccessPlan &plan, int64_t elementBytes);
  void visit(CopyAsyncOp op);
  void visit(AlignRowsOp op);
  void visitRegisters(Operation *op, TileType tile, Value buffer, bool isStore);
  void visit(MatmulOp op);
};
} // namespace

void AccessCollector::add(Operation *op, StringRef name, const BufferView &view,
                          const AccessPlan &plan, int64_t elementBytes) {
  AccessReport access;
  access.location = describeLocation(op->getLoc());
  access.operation = name.str();
  if (auto offset =
          view.allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr))
    access.buffer = offset.getInt();
  Wavefronts wavefronts = countPlanWavefronts(plan, view.shared, elementBytes);
  access.wavefronts = wavefronts.actual;
  access.minimalWavefronts = wavefronts.minimal;
  result.push_back(std::move(access));
}

void AccessCollector::visit(CopyAsyncOp op) {
  std::optional<BufferView> view = getBufferView(op.getDest());
  if (!view)
    return;
  auto array = cast<MemRefType>(op.getSource().getType());
  int64_t bytes = getElementBytes(array.getElementType());
  int64_t width = getVectorWidth(op.getSource(), op.getOffsets(),
                                 getTileShape(op.getDest().getType()));
  AccessPlan plan = planCopy(
      array, view->getBox(), getFastestDimension(view->shared), width,
      getMaxVector(view->shared, bytes), getNumWarps(), op.getCovering());
  plan.kind = AccessKind::kCopyAsync;
  add(op, "tile.copy_async", *view, plan, bytes);
}

/// The vectors that are written; the words are read without conflicts where the
/// shifts of a warp's rows differ, which nothing here knows.
void AccessCollector::visit(AlignRowsOp op) {
  std::optional<BufferView> view = getBufferView(op.getDest());
  if (!view)
    return;
  int64_t bytes = getElementBytes(
      cast<MemRefType>(op.getDest().getType()).getElementType());
  add(op, "tile.align_rows", *view,
      planRowShift(view->getBox(), getFastestDimension(view->shared), bytes,
                   getNumWarps()),
      bytes);
}

/// Warps that replicate a tile do not store it again.
static RegisterLayout getOwningWarps(const RegisterLayout &layout) {
  RegisterLayout::Modes warps;
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kWarp))
    if (mode.dim >= 0)
      warps.push_back(mode);
  return RegisterLayout::fromModes(
      layout.getModes(RegisterLayout::kLane), warps,
      layout.getModes(RegisterLayout::kValue), layout.getBox());
}

void AccessCollector::visitRegisters(Operation *op, TileType tile, Value buffer,
                                     bool isStore) {
  std::optional<BufferView> view = getBufferView(buffer);
  if (!view || !tile.getRegister())
    return;
  int64_t bytes = getElementBytes(tile.getElementType());
  RegisterLayout layout = tile.getRegister().getRegisterLayout();
  int64_t vector = 1, fastest = 0;
  if (tile.getShape() != getTileShape(buffer.getType())) {
    // Another shape: element by element, in row-major order.
    view->shared =
        getDenseSharedLayout(op->getContext(), tile.getShape(),
                             std::max<int64_t>(tile.getRank() - 1, 0));
  } else if (tile.getRank() > 0) {
    fastest = getFastestDimension(view->shared);
    vector = kMaxAccessBytes / bytes;
    while (vector > 1 && (layout.getContiguity(fastest) % vector != 0 ||
                          tile.getDimSize(fastest) % vector != 0 ||
                          view->getBox()[fastest] % vector != 0))
      vector /= 2;
  }
  AccessPlan plan{isStore ? getOwningWarps(layout) : layout,
                  isStore ? AccessKind::kStore : AccessKind::kLoad, vector,
                  fastest};
  std::optional<AccessPlan> matrices =
      isStore ? std::nullopt
              : getMatrixPlan(layout, fastest, tile.getElementType(),
                              view->getBox(),
                              getMaxVector(view->shared, bytes) * bytes);
  if (matrices)
    plan = *matrices;
  add(op, isStore ? "tile.store_shared" : "tile.load_shared", *view, plan,
      bytes);
}

void AccessCollector::visit(MatmulOp op) {
  if (!op.getTilingAttr())
    return;
  Tiling tiling = getTiling(op, architecture);
  // What an instruction reads by a descriptor is no access of a thread.
  if (tiling.instruction->isWarpgroup())
    return;
  for (int operand : {0, 1}) {
    Value buffer = op->getOperand(operand);
    if (!isSharedBuffer(buffer.getType()))
      continue;
    std::optional<BufferView> view = getBufferView(buffer);
    if (!view)
      continue;
    int64_t bytes =
        getElementBytes(cast<MemRefType>(buffer.getType()).getElementType());
    // The buffer's box may be larger, for other products that read it.
    AccessPlan plan = getOperandPlan(
        tiling, operand, getOperandBox(tiling, operand, op.getK()),
        getFastestDimension(view->shared), bytes, getNumWarps());
    add(op, operand == 0 ? "tile.matmul lhs" : "tile.matmul rhs", *view, plan,
        bytes);
  }
}

std::vector<AccessReport>
tile::reportAccesses(KernelOp kernel, const Architecture &architecture) {
  AccessCollector collector{kernel, architecture, {}};
  kernel.walk([&](Operation *op) {
    if (auto copy = dyn_cast<CopyAsyncOp>(op))
      collector.visit(copy);
    else if (auto align = dyn_cast<AlignRowsOp>(op))
      collector.visit(align);
    else if (auto store = dyn_cast<StoreSharedOp>(op))
      collector.visitRegisters(op, store.getValue().getType(), store.getDest(),
                               /*isStore=*/true);
    else if (auto load = dyn_cast<LoadSharedOp>(op))
      collector.visitRegisters(op, load.getType(), load.getSource(),
                               /*isStore=*/false);
    else if (auto matmul = dyn_cast<MatmulOp>(op))
      collector.visit(matmul);
  });
  return std::move(collector.result);
}
