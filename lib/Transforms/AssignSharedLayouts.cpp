// AssignSharedLayouts.cpp - shared layouts without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in shared memory is written once and read by some operations. Its
// contiguous dimension is that of the array it is copied from, so that a copy
// is made of vectors; its box is padded to what the products read; among the
// layouts of that box the one with the fewest wavefronts of all writers and
// readers is taken. Views and transposes have the layout of their root, the
// dimensions renamed.

#include "AssignLayouts.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedLayout.h"
#include "tile/Analysis/SharedWidth.h"
#include "tile/Analysis/WarpgroupProduct.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

Value tile::getSharedRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ViewOp, TransposeOp>(op) ||
        !cast<TileType>(op->getOperand(0).getType()).getShared())
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {

/// What the accesses of one root ask for.
struct Demand {
  SmallVector<int64_t> box;
  SmallVector<AccessPlan> plans;
  bool isRowMajor = false;        // a reshape reads it
  int64_t panelBytes = 0;         // an instruction reads it by descriptors
  int64_t unit = kMaxAccessBytes; // bytes of the widest access
};

/// Collects the demand of every use of a root.
class DemandCollector {
public:
  DemandCollector(Value root, int64_t contiguous,
                  const Architecture &architecture, int64_t numWarps)
      : contiguous(contiguous), architecture(architecture), numWarps(numWarps) {
    demand.box = SmallVector<int64_t>(getTileShape(root.getType()));
    SmallVector<int64_t> identity =
        llvm::to_vector(llvm::seq<int64_t>(0, demand.box.size()));
    visitUses(root, identity);
  }
  Demand demand;

private:
  /// `rootDim[d]` is the root's dimension that is dimension d of `value`.
  void visitUses(Value value, ArrayRef<int64_t> rootDim) {
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (auto transpose = dyn_cast<TransposeOp>(op)) {
        SmallVector<int64_t> renamed;
        for (int64_t dim : transpose.getPermutation())
          renamed.push_back(rootDim[dim]);
        visitUses(transpose.getResult(), renamed);
      } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
        visitProduct(matmul, use.getOperandNumber(), rootDim);
      } else if (isa<InsertOp, PutOp>(op)) {
        visitUses(op->getResult(0), rootDim);
      } else if (isa<ReshapeOp>(op)) {
        demand.isRowMajor = true;
      } else if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
        visitRead(convert, rootDim);
      }
      // The place of a view is known only at run time: it has no demand.
    }
  }

  void visitProduct(MatmulOp op, int operand, ArrayRef<int64_t> rootDim) {
    Tiling tiling = getTiling(op, architecture);
    SmallVector<int64_t> box = getOperandBox(tiling, operand, op.getK());
    growBox(box, rootDim);
    int64_t own = llvm::find(rootDim, contiguous) - rootDim.begin();
    int64_t bytes = getElementBytes(
        cast<ShapedType>(op.getLhs().getType()).getElementType());
    if (tiling.instruction->isWarpgroup()) {
      demand.panelBytes = getPanelBytes(tiling, operand, box, own, bytes);
      return;
    }
    if (tiling.vector != 0)
      demand.unit = std::min(demand.unit, tiling.vector * bytes);
    addPlan(getOperandPlan(tiling, operand, box, own, bytes, numWarps),
            rootDim);
  }

  void growBox(ArrayRef<int64_t> box, ArrayRef<int64_t> rootDim) {
    for (auto [dim, extent] : llvm::enumerate(box))
      demand.box[rootDim[dim]] = std::max(demand.box[rootDim[dim]], extent);
  }

  void visitRead(ConvertLayoutOp op, ArrayRef<int64_t> rootDim) {
    RegisterAttr registers = op.getType().getRegister();
    if (!registers)
      return;
    RegisterLayout layout = registers.getRegisterLayout();
    if (rootDim.empty())
      return;
    int64_t own = llvm::find(rootDim, contiguous) - rootDim.begin();
    Type element = op.getType().getElementType();
    std::optional<AccessPlan> matrices = getMatrixPlan(layout, own, element);
    if (matrices)
      growBox(layout.getBox(), rootDim);
    addPlan(matrices ? *matrices
                     : planRegisterAccess(layout, op.getType().getShape(),
                                          element, own, AccessKind::kLoad),
            rootDim);
  }

  /// A plan in the coordinates of a transposed use, in those of the root.
  void addPlan(AccessPlan plan, ArrayRef<int64_t> rootDim) {
    std::vector<int64_t> inverse(rootDim.size());
    for (auto [dim, root] : llvm::enumerate(rootDim))
      inverse[root] = dim;
    plan.layout = plan.layout.transpose(inverse);
    plan.dim = rootDim[plan.dim];
    demand.plans.push_back(plan);
  }

  int64_t contiguous;
  const Architecture &architecture;
  int64_t numWarps;
};

} // namespace

int64_t tile::chooseContiguousDimension(Value root) {
  auto type = cast<TileType>(root.getType());
  if (type.getShared().isResolved())
    return getContiguousDimension(type.getShared());
  int64_t last = std::max<int64_t>(type.getRank() - 1, 0);
  auto load = root.getDefiningOp<LoadOp>();
  if (!load)
    return last;
  auto array = cast<MemRefType>(load.getSource().getType());
  return getContiguousDimension(array, type.getRank()).value_or(last);
}

static void assignRoot(Value root, const Architecture &architecture,
                       int64_t numWarps) {
  auto type = cast<TileType>(root.getType());
  if (type.getShared().isResolved())
    return;
  MLIRContext *context = root.getContext();
  int64_t bytes = getElementBytes(type.getElementType());
  int64_t contiguous = chooseContiguousDimension(root);
  Demand demand =
      DemandCollector(root, contiguous, architecture, numWarps).demand;
  if (demand.isRowMajor) {
    contiguous = std::max<int64_t>(type.getRank() - 1, 0);
    root.setType(type.withStorage(
        getDenseSharedLayout(context, type.getShape(), contiguous)));
    return;
  }
  if (demand.panelBytes != 0) {
    root.setType(type.withStorage(getDescriptorLayout(
        context, demand.box, contiguous, bytes, demand.panelBytes)));
    return;
  }
  // Rows of ldmatrix begin at multiples of 16 bytes.
  bool hasMatrices = llvm::any_of(demand.plans, [](const AccessPlan &plan) {
    return plan.kind == AccessKind::kLdmatrix ||
           plan.kind == AccessKind::kLdmatrixTransposed;
  });
  if (hasMatrices)
    demand.box[contiguous] =
        llvm::alignTo(demand.box[contiguous], kMaxAccessBytes / bytes);
  demand.plans.push_back(
      getCopyPlan(demand.box, contiguous, demand.unit / bytes, numWarps));
  root.setType(type.withStorage(chooseSharedLayout(
      context, demand.box, contiguous, bytes, demand.plans, demand.unit)));
}

/// The layout of a transposed tile: the source's with modes renamed.
static SharedAttr transposeShared(SharedAttr source,
                                  ArrayRef<int64_t> permutation) {
  std::vector<Layout> modes;
  for (int64_t dim : permutation)
    modes.push_back(source.getLayout().getValue().mode(dim));
  return SharedAttr::get(
      source.getContext(),
      LayoutAttr::get(source.getContext(), *concatenate(modes)),
      source.getSwizzle(), source.getAlignment());
}

void tile::assignSharedLayouts(KernelOp kernel,
                               const Architecture &architecture) {
  int64_t numWarps = *kernel.getBlock() / kWarpSize;
  SmallVector<Operation *> definitions;
  kernel.walk([&](Operation *op) {
    if (isa<LoadOp, ConvertLayoutOp, TransposeOp, ViewOp, ReshapeOp, InsertOp,
            PutOp, JoinOp>(op) &&
        cast<TileType>(op->getResult(0).getType()).getShared())
      definitions.push_back(op);
  });
  for (Operation *op : definitions) {
    Value result = op->getResult(0);
    auto type = cast<TileType>(result.getType());
    if (auto transpose = dyn_cast<TransposeOp>(op))
      result.setType(type.withStorage(
          transposeShared(transpose.getSource().getType().getShared(),
                          transpose.getPermutation())));
    else if (isa<ViewOp>(op))
      result.setType(type.withStorage(
          cast<TileType>(op->getOperand(0).getType()).getShared()));
    else if (isa<InsertOp, PutOp>(op))
      result.setType(op->getOperand(1).getType()); // the tile it changes
    else if (isa<ReshapeOp, JoinOp>(op))
      result.setType(type.withStorage(
          getDenseSharedLayout(op->getContext(), type.getShape(),
                               std::max<int64_t>(type.getRank() - 1, 0))));
    else
      assignRoot(result, architecture, numWarps);
  }
}
