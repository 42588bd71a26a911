// SavedOutputs.cpp - values that the kernel has stored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SavedOutputs.h"

#include "Rules/TileRules.h"
#include "SimplifyGradient.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

/// Whether each element of the results depends on few elements of the operands,
/// or only on the position.
static bool isCheap(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TileType>) ||
         isa<LoadOp, FillOp, IotaOp, BroadcastOp, ReshapeOp, TransposeOp,
             ViewOp, ConvertLayoutOp>(op);
}

/// Whether the value has fewer elements than one that it is computed from.
static bool isSmall(Value value, ArrayRef<Operation *> slice) {
  int64_t own = cast<TileType>(value.getType()).getNumElements();
  return llvm::any_of(slice, [&](Operation *op) {
    return llvm::any_of(op->getResultTypes(), [&](Type type) {
      auto tile = dyn_cast<TileType>(type);
      return tile && tile.getNumElements() > own;
    });
  });
}

/// Whether the value takes longer to compute than to load: it is the result of
/// other than cheap operations. Reductions and scans of loaded elements are
/// such only if they have smaller results: a softmax is computed in the time in
/// which its input is loaded.
static bool isWorthLoading(Value value) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  if (failed(getBackwardSlice(value, &slice, options)))
    return false;
  bool isCombined = false;
  for (Operation *op : slice) {
    if (isCheap(op))
      continue;
    if (!isa<CombiningOpInterface>(op))
      return true;
    isCombined = true;
  }
  return isCombined && isSmall(value, slice.getArrayRef());
}

/// Returns the value that the operation made into one with the same elements,
/// rounded or not; null for other operations.
static Value getUnrounded(Operation *op) {
  if (auto cast = dyn_cast_or_null<CastOp>(op)) {
    bool isOfReals =
        isa<FloatType>(getElementType(cast.getSource().getType())) &&
        isa<FloatType>(getElementType(cast.getType()));
    return isOfReals && !cast.getBitcast() ? cast.getSource() : Value();
  }
  if (isa_and_present<ReshapeOp, ConvertLayoutOp>(op))
    return op->getOperand(0);
  return {};
}

/// Returns `value` in another type with the same number of elements.
static Value convert(ValueBuilder &b, Value value, Type type) {
  auto tile = cast<TileType>(type);
  value = b.cast(value, tile.getElementType());
  return b.withLayoutOf(type, reshape(b, value, tile.getShape()));
}

/// Makes operations after `loaded` use it in place of the value that `store`
/// stores, and of those that this was converted from.
static void replaceStored(ValueBuilder &b, StoreOp store, Value loaded) {
  Operation *load = loaded.getDefiningOp();
  Value stored = store.getValue();
  while (stored) {
    Value converted = convert(b, loaded, stored.getType());
    Operation *last = converted.getDefiningOp();
    stored.replaceUsesWithIf(converted, [&](OpOperand &use) {
      Operation *user =
          load->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user && user != store && last->isBeforeInBlock(user);
    });
    stored = getUnrounded(stored.getDefiningOp());
  }
}

/// Returns the operation that computes the elements that `store` stores, before
/// they are converted: operations after it may use them.
static Operation *getSource(StoreOp store) {
  Value value = store.getValue();
  while (Value source = getUnrounded(value.getDefiningOp()))
    value = source;
  return value.getDefiningOp();
}

/// Moves the operations that `value` is computed by before `point`, if they are
/// after it. Returns false if one cannot move.
static bool moveBefore(Value value, Operation *point) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != point->getBlock() || op->isBeforeInBlock(point))
    return true;
  if (op == point || !isPure(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (!moveBefore(operand, point))
      return false;
  op->moveBefore(point);
  return true;
}

/// Returns the operation after which the stored elements can be loaded: the one
/// that computes them, or else the store.
static Operation *findPosition(StoreOp store) {
  Operation *source = getSource(store);
  if (!source || source->getBlock() != store->getBlock())
    return store;
  bool canMove = llvm::all_of(store.getOffsets(), [&](Value offset) {
    return moveBefore(offset, source);
  });
  return canMove ? source : store;
}

static bool canLoad(StoreOp store) {
  return isa<KernelOp>(store->getParentOp()) && !store.getMask() &&
         isDifferentiable(store.getValue().getType()) &&
         isWorthLoading(store.getValue());
}

void tile::loadSavedOutputs(KernelOp kernel, ArrayRef<BlockArgument> arrays) {
  for (BlockArgument array : arrays) {
    SmallVector<StoreOp> stores;
    for (Operation *user : array.getUsers())
      if (auto store = dyn_cast<StoreOp>(user); store && canLoad(store))
        stores.push_back(store);
    for (StoreOp store : stores) {
      ValueBuilder b(store.getLoc(), store.getContext());
      b.setInsertionPointAfter(findPosition(store));
      Type type = store.getValue().getType();
      Value loaded = LoadOp::create(b, type, array, store.getOffsets(),
                                    /*pad=*/b.real(getElementType(type), 1),
                                    /*mask=*/Value(), store.getInBounds(),
                                    store.getDimsAttr());
      replaceStored(b, store, loaded);
    }
    eraseWrites(array);
  }
}
