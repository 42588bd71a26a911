// AccessPlans.cpp - how each operation accesses memory, decided once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/AccessPlans.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/SharedWidth.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

/// Returns a plan of loads or stores without ldmatrix or cp.async.
static AccessAttr makePlain(Operation *op, int64_t vector, AccessGuard guard) {
  return AccessAttr::get(op->getContext(), vector,
                         vector == 1 ? AccessInstruction::elements
                                     : AccessInstruction::vector,
                         guard, /*cached=*/false);
}

//===----------------------------------------------------------------------===//
// Arrays in global memory
//===----------------------------------------------------------------------===//

/// Whether a box lies inside its array in all blocks of all launches.
static bool isKnownInside(Value array, ValueRange offsets,
                          ArrayRef<int64_t> tileShape) {
  auto type = cast<MemRefType>(array.getType());
  return llvm::all_of_zip(
      type.getShape(), offsets, getBoxExtents(type, tileShape),
      [](int64_t size, Value offset, int64_t extent) {
        std::optional<int64_t> first = getConstantIntValue(offset);
        return first && !ShapedType::isDynamic(size) && *first >= 0 &&
               *first <= size - extent;
      });
}

/// Returns the maximum width of an access of `load` that the matmuls which use
/// the loaded tile allow.
static int64_t getWidthLimit(LoadOp load) {
  int64_t limit = kMaxAccessBytes;
  for (Operation *user : load->getUsers())
    if (auto matmul = dyn_cast<MatmulOp>(user))
      if (TilingAttr tiling = matmul.getTiling().value_or(TilingAttr());
          tiling && tiling.getVector() != 0)
        limit = std::min(limit, tiling.getVector());
  return limit;
}

/// Returns the bounds tests that an access needs. A test of the whole box comes
/// first: threads access a box that is inside its array, or whose part inside
/// consists of whole accesses, without testing elements. For a store of single
/// elements, tests of the elements are as fast.
static AccessGuard getGuard(ArrayAccessOpInterface op, int64_t vector) {
  auto tile = cast<TileType>(op.getAccessedTile().getType());
  bool isBox = isa<LoadOp, StoreOp>(op.getOperation());
  if (op.getInBounds() ||
      (isBox && isKnownInside(op.getArray(), op.getOffsets(), tile.getShape())))
    return AccessGuard::none;
  return vector > 1 || isa<LoadOp>(op.getOperation()) ? AccessGuard::box
                                                      : AccessGuard::element;
}

static AccessAttr planArray(ArrayAccessOpInterface op) {
  int64_t vector = getAccessWidth(op);
  if (auto load = dyn_cast<LoadOp>(op.getOperation()))
    vector = std::min(vector, getWidthLimit(load));
  vector = narrowToLayout(cast<TileType>(op.getAccessedTile().getType()),
                          cast<MemRefType>(op.getArray().getType()), vector);
  return makePlain(op, vector, getGuard(op, vector));
}

/// Adds the values that `value` is computed from to `from`, and returns whether
/// these determine it: it is neither a program's index, nor read from memory,
/// nor the result of regions.
static bool listSources(Value value, SmallVectorImpl<Value> &from) {
  if (Operation *op = value.getDefiningOp()) {
    llvm::append_range(from, op->getOperands());
    return op->hasTrait<OpTrait::ConstantLike>() ||
           (op->getNumOperands() != 0 && op->getNumRegions() == 0 &&
            isMemoryEffectFree(op));
  }
  Operation *parent = value.getParentBlock()->getParentOp();
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  if (!loop || loop.getSingleInductionVar() != value)
    return isa<KernelOp>(parent);
  for (OpFoldResult bound :
       {*loop.getSingleLowerBound(), *loop.getSingleStep()})
    if (auto dynamic = dyn_cast<Value>(bound))
      from.push_back(dynamic);
  return true;
}

/// Whether offsets are known to be the same in all programs of the grid.
static bool areSameInAllPrograms(ValueRange offsets) {
  SetVector<Value> values(llvm::from_range, offsets);
  for (size_t next = 0; next != values.size(); ++next) {
    SmallVector<Value> from;
    if (!listSources(values[next], from))
      return false;
    values.insert_range(from);
  }
  return true;
}

/// Plans an asynchronous copy: by cp.async if vectors are known to be aligned
/// or chunks cover the rows; otherwise element by element, through registers.
static AccessAttr planCopy(tile_gpu::CopyAsyncOp op, const BufferBox &box,
                           int64_t numWarps) {
  auto array = cast<MemRefType>(op.getSource().getType());
  Type element = array.getElementType();
  int64_t bytes = getElementBytes(element), vector = 1;
  if (op.getCopyMechanism().coversRows())
    vector = kMaxAccessBytes / bytes;
  else if (getContiguousDimension(array, box.extents.size()) == box.contiguous)
    vector = std::min(getVectorWidth(op.getSource(), op.getOffsets(),
                                     getTileShape(op.getDest().getType())),
                      box.maxVector);
  vector = getCopyPlan(box.extents, box.contiguous, vector, numWarps).vector;
  AccessGuard guard = op.getInBounds() ? AccessGuard::none : AccessGuard::box;
  // Chunks that cover rows overlap, so that a block reads the same line of the
  // L2 cache several times. If all blocks do, they wait for each other there.
  bool isCached = op.getCopyMechanism().coversRows() &&
                  areSameInAllPrograms(op.getOffsets());
  if (!hasBytes(element) || vector * bytes < kMinAsyncBytes)
    return makePlain(op, 1, guard);
  return AccessAttr::get(op.getContext(), vector, AccessInstruction::copy_async,
                         guard, isCached);
}

//===----------------------------------------------------------------------===//
// Buffers in shared memory
//===----------------------------------------------------------------------===//

static AccessAttr makeShared(Operation *op, const AccessPlan &plan) {
  AccessInstruction kind = AccessInstruction::matrix;
  if (plan.kind == AccessKind::kLdmatrixTransposed)
    kind = AccessInstruction::matrix_transposed;
  else if (plan.kind != AccessKind::kLdmatrix)
    return makePlain(op, plan.vector, AccessGuard::none);
  return AccessAttr::get(op->getContext(), plan.vector, kind, AccessGuard::none,
                         /*cached=*/false);
}

/// Whether the whole box of a buffer is written, its padding included. Copies
/// fill the box; stores fill it if they have `zero_padding`.
static bool isFilled(Value buffer) {
  SmallVector<Value> views;
  if (memref::AllocOp allocation = getAllocation(buffer))
    views.push_back(allocation);
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers()) {
      auto store = dyn_cast<tile_gpu::StoreSharedOp>(user);
      if ((store && !store.getZeroPadding()) ||
          isa<tile_gpu::PutSharedOp>(user))
        return false;
      for (Value result : user->getResults())
        if (isSharedBuffer(result.getType()))
          views.push_back(result);
    }
  return !views.empty();
}

/// Plans the accesses by which a tile in registers is read from or written to a
/// buffer: by ldmatrix if the layout allows it and the padding that it reads is
/// written; by vectors; or element by element if tile and buffer differ in
/// shape.
static AccessAttr planRegisters(Operation *op, TileType tile, Value buffer,
                                const BufferBox &box) {
  Type element = tile.getElementType();
  RegisterLayout layout = tile.getRegister().getRegisterLayout();
  if (tile.getShape() != getTileShape(buffer.getType()))
    return makePlain(op, 1, AccessGuard::none);
  bool isPadded = !llvm::equal(layout.getBox(), tile.getShape());
  if (isa<tile_gpu::LoadSharedOp>(op) && (!isPadded || isFilled(buffer)))
    if (std::optional<AccessPlan> plan =
            getMatrixPlan(layout, box.contiguous, element, box.extents,
                          box.maxVector * getElementBytes(element)))
      return makeShared(op, *plan);
  return makePlain(op,
                   getSharedWidth(layout, tile.getShape(), box.extents, element,
                                  box.contiguous, box.maxVector),
                   AccessGuard::none);
}

static AccessAttr planOperand(MatmulOp op, int operand, const Tiling &tiling,
                              const BufferBox &box, int64_t numWarps) {
  auto buffer = cast<MemRefType>(op->getOperand(operand).getType());
  Type element = buffer.getElementType();
  // The plan is for the box that this matmul reads. The buffer's box may be
  // larger if other matmuls read it, too.
  AccessPlan plan =
      getOperandPlan(tiling, operand, getOperandBox(tiling, operand, op.getK()),
                     box.contiguous, getElementBytes(element), numWarps);
  return makeShared(op, narrowOperandPlan(plan, element, box.maxVector));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static StringRef getOperandName(int operand) {
  return operand == 0 ? kLhsAccessAttr : kRhsAccessAttr;
}

/// Whether the block has a size, and tiles are in registers with a layout.
static bool isPrepared(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  auto isResolved = [](Type type) {
    auto tile = dyn_cast<TileType>(type);
    return !tile || (tile.getRegister() && tile.getRegister().isResolved());
  };
  return kernel && kernel.getBlock() &&
         llvm::all_of(op->getOperandTypes(), isResolved) &&
         llvm::all_of(op->getResultTypes(), isResolved);
}

namespace {
/// Collects the plans of one operation.
class Planner {
public:
  explicit Planner(Operation *op)
      : op(op), numWarps(getParticipants(op).numWarps) {}

  SmallVector<NamedAttribute> plan() {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ArrayAccessOpInterface access) {
          add(kAccessAttr, planArray(access));
        })
        .Case([&](tile_gpu::CopyAsyncOp copy) {
          if (auto box = getBufferBox(copy.getDest()))
            add(kAccessAttr, planCopy(copy, *box, numWarps));
        })
        .Case([&](tile_gpu::AlignRowsOp align) {
          Type element = getElementTypeOrSelf(align.getDest().getType());
          add(kAccessAttr,
              makePlain(op, kMaxAccessBytes / getElementBytes(element),
                        AccessGuard::none));
        })
        .Case([&](tile_gpu::LoadSharedOp load) {
          addRegisters(load.getType(), load.getSource());
        })
        .Case([&](tile_gpu::StoreSharedOp store) {
          addRegisters(store.getValue().getType(), store.getDest());
        })
        .Case([&](TakeOp take) {
          if (isSharedBuffer(take.getSource().getType()))
            add(kAccessAttr, makePlain(op, 1, AccessGuard::none));
        })
        .Case([&](tile_gpu::PutSharedOp) {
          add(kAccessAttr, makePlain(op, 1, AccessGuard::element));
        })
        .Case([&](MatmulOp matmul) { addOperands(matmul); });
    return std::move(plans);
  }

private:
  void add(StringRef name, AccessAttr access) {
    plans.emplace_back(StringAttr::get(op->getContext(), name), access);
  }

  void addRegisters(TileType tile, Value buffer) {
    if (std::optional<BufferBox> box = getBufferBox(buffer))
      add(kAccessAttr, planRegisters(op, tile, buffer, *box));
  }

  /// Adds the plans by which threads read the operands. An operand that an
  /// instruction reads by a descriptor has none.
  void addOperands(MatmulOp matmul) {
    if (!hasCompleteTiling(cast<MatmulOpInterface>(op)))
      return;
    Tiling tiling = getTiling(matmul);
    for (int operand : {0, 1}) {
      Value buffer = op->getOperand(operand);
      if (tiling.instruction.readsDescriptors() ||
          !isSharedBuffer(buffer.getType()))
        continue;
      if (std::optional<BufferBox> box = getBufferBox(buffer))
        add(getOperandName(operand),
            planOperand(matmul, operand, tiling, *box, numWarps));
    }
  }

  Operation *op;
  int64_t numWarps;
  SmallVector<NamedAttribute> plans;
};
} // namespace

SmallVector<NamedAttribute> tile::planAccess(Operation *op) {
  if (!isPrepared(op))
    return {};
  return Planner(op).plan();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether only the width of `widest` is possible, since narrower accesses do
/// not exist for the operation.
static bool hasOneWidth(Operation *op, AccessAttr widest) {
  auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op);
  return isa<tile_gpu::AlignRowsOp>(op) ||
         (copy && copy.getCopyMechanism().coversRows()) || widest.isMatrix();
}

/// Whether cp.async can copy `vector` elements, if the operation is a copy.
static bool isAsyncWidth(Operation *op, int64_t vector) {
  auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op);
  return !copy || vector * getElementBytes(getElementTypeOrSelf(
                               copy.getSource().getType())) >=
                      kMinAsyncBytes;
}

/// Whether `access` is a possible access with fewer elements than `widest`.
static bool isNarrower(Operation *op, AccessAttr access, AccessAttr widest) {
  if (hasOneWidth(op, widest) || access.getVector() >= widest.getVector())
    return false;
  return access.getKind() == AccessInstruction::elements ||
         (access.getKind() == widest.getKind() &&
          isAsyncWidth(op, access.getVector()));
}

/// Whether `access` can replace `widest`. Accesses of arrays may have more
/// tests, which only cost time; accesses of buffers have none.
static bool isPossible(Operation *op, AccessAttr access, AccessAttr widest) {
  bool hasArray = isa<ArrayAccessOpInterface, tile_gpu::CopyAsyncOp>(op);
  bool isTested = access.getGuard() == widest.getGuard() ||
                  (hasArray && access.getGuard() > widest.getGuard());
  bool isAsWide = access.getKind() == widest.getKind() &&
                  access.getVector() == widest.getVector();
  return isTested && (isAsWide || isNarrower(op, access, widest));
}

LogicalResult tile::verifyAccess(Operation *op) {
  SmallVector<NamedAttribute> plans = planAccess(op);
  for (StringRef name : {StringRef(kAccessAttr), StringRef(kLhsAccessAttr),
                         StringRef(kRhsAccessAttr)}) {
    auto access = op->getAttrOfType<AccessAttr>(name);
    auto plan = llvm::find_if(
        plans, [&](NamedAttribute plan) { return plan.getName() == name; });
    if (plan == plans.end()) {
      if (access)
        return op->emitError("expected no '")
               << name << "' where there is no such access, got " << access;
      continue;
    }
    if (!access)
      return op->emitError(
          "expected an access plan (run -tile-plan-accesses before)");
    auto widest = cast<AccessAttr>(plan->getValue());
    if (!isPossible(op, access, widest))
      return op->emitError("expected '")
             << name << "' to be " << widest
             << ", or narrower or with more tests where possible, got "
             << access;
  }
  return success();
}

AccessAttr tile::getAccess(Operation *op) {
  return op->getAttrOfType<AccessAttr>(kAccessAttr);
}

AccessAttr tile::getOperandAccess(MatmulOp op, int operand) {
  return op->getAttrOfType<AccessAttr>(getOperandName(operand));
}
