// AssignSharedLayouts.cpp - shared layouts without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in shared memory is written once and read by some operations. Its
// contiguous dimension is that of the array from which it is copied, so that a
// copy consists of vectors. The box of its layout is padded to the boxes that
// matmuls read. The layout is chosen for the accesses of all writers and
// readers together (chooseSharedLayout). Views and transposes have the layout
// of the tile that they are made of, with the dimensions renamed.

#include "AssignLayouts.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/ConvertedLoad.h"
#include "tile/Analysis/DescriptorLayout.h"
#include "tile/Analysis/SharedLayout.h"
#include "tile/Analysis/SharedWidth.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

Value tile::getSharedRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isAlias(op) || !isInShared(op->getOperand(0)))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {

/// Requirements of the accesses to a root: a tile in shared memory that is not
/// a view.
struct Demand {
  SmallVector<int64_t> box;
  SmallVector<AccessPlan> plans;
  bool isRowMajor = false;        // whether a reshape reads it
  int64_t panelBytes = 0;         // of a panel's row, for descriptors; or 0
  int64_t panelRows = 0;          // dimension across the rows of a panel
  int64_t unit = kMaxAccessBytes; // bytes of the widest access
};

/// Collects the demand of every use of a root.
class DemandCollector : public SharedDemand {
public:
  DemandCollector(Value root, int64_t contiguous, int64_t numWarps)
      : contiguous(contiguous), numWarps(numWarps) {
    demand.box = SmallVector<int64_t>(getTileShape(root.getType()));
    rootDim = llvm::to_vector(llvm::seq<int64_t>(0, demand.box.size()));
    start.resize(demand.box.size());
    visitUses(root);
  }
  Demand demand;

  void follow(Value alias, ArrayRef<int64_t> dims) override {
    SmallVector<int64_t> own = rootDim;
    for (auto [dim, from] : llvm::enumerate(dims))
      rootDim[dim] = own[from];
    visitUses(alias);
    rootDim = own;
  }
  void follow(Value alias) override { visitUses(alias); }
  /// An offset that is known only at run time counts as zero.
  void follow(Value alias, OperandRange offsets) override {
    std::vector<int64_t> own = start;
    for (auto [dim, offset] : llvm::enumerate(offsets))
      start[rootDim[dim]] += getConstantIntValue(offset).value_or(0);
    visitUses(alias);
    start = own;
  }
  void requireRowMajor() override { demand.isRowMajor = true; }
  void addRead(const RegisterLayout &layout) override;

private:
  void visitUses(Value value) {
    Type outer = std::exchange(type, value.getType());
    for (OpOperand &use : value.getUses())
      if (auto matmul = dyn_cast<MatmulOp>(use.getOwner()))
        visitMatmul(matmul, use.getOperandNumber());
      else if (auto op = dyn_cast<BufferizeOpInterface>(use.getOwner()))
        op.addDemand(use, *this);
    type = outer;
  }

  void visitMatmul(MatmulOp op, int operand) {
    Tiling tiling = getTiling(op);
    SmallVector<int64_t> box = getOperandBox(tiling, operand, op.getK());
    growBox(box);
    int64_t own = getOwnContiguous();
    int64_t bytes = getElementBytes(
        cast<ShapedType>(op.getLhs().getType()).getElementType());
    if (tiling.instruction.readsDescriptors()) {
      int64_t panelBytes = getPanelBytes(tiling, operand, box, own, bytes);
      demand.panelBytes = demand.panelBytes == 0
                              ? panelBytes
                              : std::min(demand.panelBytes, panelBytes);
      demand.panelRows = rootDim[getPanelDimensions(box.size(), own)->outer];
      return;
    }
    if (tiling.vector != 0)
      demand.unit = std::min(demand.unit, tiling.vector * bytes);
    addPlan(getOperandPlan(tiling, operand, box, own, bytes, numWarps));
  }

  void growBox(ArrayRef<int64_t> box) {
    for (auto [dim, extent] : llvm::enumerate(box))
      demand.box[rootDim[dim]] = std::max(demand.box[rootDim[dim]], extent);
  }

  /// Returns the contiguous dimension, as a dimension of the visited tile.
  int64_t getOwnContiguous() const {
    return llvm::find(rootDim, contiguous) - rootDim.begin();
  }

  /// Adds the access plan of a use. The plan is converted from the dimensions
  /// of the visited tile to those of the root.
  void addPlan(AccessPlan plan) {
    std::vector<int64_t> inverse(rootDim.size());
    for (auto [dim, root] : llvm::enumerate(rootDim))
      inverse[root] = dim;
    plan.layout = plan.layout.transpose(inverse);
    plan.dim = rootDim[plan.dim];
    plan.start = start;
    demand.plans.push_back(plan);
  }

  /// `rootDim[d]` is the root's dimension that is dimension d of the visited
  /// tile, which has type `type`.
  SmallVector<int64_t> rootDim;
  /// Start of the visited tile along the root's dimensions.
  std::vector<int64_t> start;
  Type type;
  int64_t contiguous;
  int64_t numWarps;
};

} // namespace

void DemandCollector::addRead(const RegisterLayout &layout) {
  if (rootDim.empty())
    return;
  auto tile = cast<TileType>(type);
  int64_t own = getOwnContiguous();
  std::optional<AccessPlan> matrices =
      getMatrixPlan(layout, own, tile.getElementType());
  if (matrices)
    growBox(layout.getBox());
  addPlan(matrices ? *matrices
                   : planRegisterAccess(layout, tile.getShape(),
                                        tile.getElementType(), own,
                                        AccessKind::kLoad));
}

int64_t tile::chooseContiguousDimension(Value root) {
  auto type = cast<TileType>(root.getType());
  if (type.getShared().isResolved())
    return getContiguousDimension(type.getShared());
  int64_t last = std::max<int64_t>(type.getRank() - 1, 0);
  auto load = root.getDefiningOp<CopyableOpInterface>();
  if (!load)
    if (std::optional<ConvertedLoad> stored = findStoredLoad(root))
      load = stored->load;
  if (!load)
    return last;
  auto array = cast<MemRefType>(load.getArray().getType());
  return getContiguousDimension(array, type.getRank()).value_or(last);
}

/// Whether a tile in registers is converted from a tile in shared memory, so
/// that it will be copied from shared memory.
static bool isCopied(Value tile) {
  auto convert = tile.getDefiningOp<ConvertLayoutOp>();
  return convert && isInShared(convert.getSource());
}

/// Returns the tile in registers from which threads store a root; null if it is
/// copied.
static Value getStored(Value root) {
  auto convert = root.getDefiningOp<ConvertLayoutOp>();
  bool isStored = convert && isInRegisters(convert.getSource()) &&
                  !isCopied(convert.getSource());
  return isStored ? convert.getSource() : Value();
}

/// Returns the plan by which a root is written: by the threads that hold it in
/// registers, or by copies.
static AccessPlan getWriterPlan(Value root, const Demand &demand,
                                int64_t contiguous, int64_t numWarps) {
  auto type = cast<TileType>(root.getType());
  int64_t width = demand.unit / getElementBytes(type.getElementType());
  Value source = getStored(root);
  if (!source)
    return getCopyPlan(demand.box, contiguous, width, numWarps);
  AccessPlan plan =
      planRegisterAccess(getRegisterLayout(source), type.getShape(),
                         type.getElementType(), contiguous, AccessKind::kStore);
  plan.vector = std::min(plan.vector, width);
  return plan;
}

/// Returns the first dimension of a matrix that threads store for matmuls, if
/// they have neighbouring elements along it and not along the last one: matrix
/// instructions read 16-bit elements in both orders.
static std::optional<int64_t> findStoredDimension(Value root) {
  Value source = getStored(root);
  auto type = cast<TileType>(root.getType());
  bool isMatrix = source && type.getRank() == 2 &&
                  getElementBytes(type.getElementType()) == 2;
  bool isForMatmuls =
      isMatrix && llvm::all_of(root.getUsers(), [&](Operation *user) {
        auto matmul = dyn_cast<MatmulOpInterface>(user);
        return matmul && getTiling(matmul).instruction.hasFragments();
      });
  if (!isForMatmuls)
    return std::nullopt;
  auto getWidth = [&](int64_t dim) {
    return planRegisterAccess(getRegisterLayout(source), type.getShape(),
                              type.getElementType(), dim, AccessKind::kStore)
        .vector;
  };
  return getWidth(0) > getWidth(1) ? std::optional<int64_t>(0) : std::nullopt;
}

static void assignRoot(Value root) {
  auto type = cast<TileType>(root.getType());
  if (type.getShared().isResolved())
    return;
  MLIRContext *context = root.getContext();
  int64_t bytes = getElementBytes(type.getElementType());
  int64_t numWarps = getTileParticipants(root).numWarps;
  int64_t contiguous =
      findStoredDimension(root).value_or(chooseContiguousDimension(root));
  Demand demand = DemandCollector(root, contiguous, numWarps).demand;
  if (demand.isRowMajor) {
    contiguous = std::max<int64_t>(type.getRank() - 1, 0);
    root.setType(type.withStorage(
        getRowsInShared(context, type.getShape(), contiguous)));
    return;
  }
  if (demand.panelBytes != 0) {
    root.setType(type.withStorage(
        getDescriptorLayout(context, demand.box, {contiguous, demand.panelRows},
                            bytes, demand.panelBytes)));
    return;
  }
  // Rows of ldmatrix start at multiples of 16 bytes.
  bool hasMatrices = llvm::any_of(demand.plans, [](const AccessPlan &plan) {
    return plan.kind == AccessKind::kLdmatrix ||
           plan.kind == AccessKind::kLdmatrixTransposed;
  });
  if (hasMatrices)
    demand.box[contiguous] =
        llvm::alignTo(demand.box[contiguous], kMaxAccessBytes / bytes);
  demand.plans.push_back(getWriterPlan(root, demand, contiguous, numWarps));
  root.setType(type.withStorage(chooseSharedLayout(
      context, demand.box, contiguous, bytes, demand.plans, demand.unit)));
}

void tile::assignSharedLayouts(KernelOp kernel) {
  SmallVector<BufferizeOpInterface> definitions;
  kernel.walk([&](BufferizeOpInterface op) {
    if (op->getNumResults() == 1 && isInShared(op->getResult(0)))
      definitions.push_back(op);
  });
  for (BufferizeOpInterface op : definitions) {
    Value result = op->getResult(0);
    if (SharedAttr shared = op.getSharedLayout())
      result.setType(cast<TileType>(result.getType()).withStorage(shared));
    else
      assignRoot(result);
  }
}
