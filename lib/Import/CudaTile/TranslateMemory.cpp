// TranslateMemory.cpp - loads and stores of CUDA Tile through views
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryOrder.h"
#include "ViewAccess.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

LogicalResult ViewAccess::verifyAtomic(KernelTranslator &t,
                                       const SourceOp &op) const {
  if (places)
    return t.refuse(op, "through a gather and scatter view, an access that is "
                        "not weak has no translation yet");
  if (dims)
    return t.refuse(op, "in another order of dimensions than that of the "
                        "array, an access that is not weak has no translation "
                        "yet");
  return success();
}

/// Loads a tile, without an order.
static Value load(KernelTranslator &t, const ViewAccess &access, Type type) {
  if (access.places)
    return GatherOp::create(t.b, type, access.array, access.offsets,
                            access.places, access.getAxis(t),
                            /*axes=*/DenseI64ArrayAttr(), /*mask=*/Value(),
                            access.pad, access.getInBounds(t), access.dims);
  return LoadOp::create(t.b, type, access.array, access.offsets, access.pad,
                        /*mask=*/Value(), access.getInBounds(t), access.dims);
}

/// Stores a tile, without an order.
static void store(KernelTranslator &t, const ViewAccess &access, Value value) {
  if (access.places)
    ScatterOp::create(t.b, /*old=*/Type(), value, access.array, access.offsets,
                      access.places, access.getAxis(t),
                      /*axes=*/DenseI64ArrayAttr(), /*mask=*/Value(),
                      /*kind=*/AtomicKindAttr(), access.getInBounds(t),
                      access.dims);
  else
    StoreOp::create(t.b, value, access.array, access.offsets, /*mask=*/Value(),
                    access.getInBounds(t), access.dims);
}

static LogicalResult loadView(KernelTranslator &t, const SourceOp &op) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<ViewAccess> access;
  if (failed(order) || !(access = getViewAccess(t, op)))
    return failure();
  const SourceType *result = op.results.front()->type;
  if (ArrayRef(result->shape) != access->shape)
    return t.refuse(op, "expected a result of the view's shape");
  Type type = TileType::get(result->shape, t.convertElement(result->element));
  Value loaded;
  if (order->isWeak)
    loaded = load(t, *access, type);
  else if (access->pad)
    return t.refuse(op, "with a padding other than zero, a load that is not "
                        "weak has no translation yet");
  else if (failed(access->verifyAtomic(t, op)))
    return failure();
  else
    loaded =
        AtomicLoadOp::create(t.b, type, access->array, access->offsets,
                             order->order, order->scope, access->isInBounds);
  t.setResult(op, t.reshape(loaded, result->shape));
  return success();
}

static LogicalResult storeView(KernelTranslator &t, const SourceOp &op) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<ViewAccess> access;
  if (failed(order) || !(access = getViewAccess(t, op)))
    return failure();
  Value value = t.getValue(op, "value");
  if (!value)
    return t.refuse(op, "expected a numeric tile");
  value = t.toTile(value, access->shape);
  if (order->isWeak)
    store(t, *access, value);
  else if (failed(access->verifyAtomic(t, op)))
    return failure();
  else
    AtomicStoreOp::create(t.b, value, access->array, access->offsets,
                          order->order, order->scope, access->isInBounds);
  return success();
}

/// The order of the program is one that tokens allow, and kernels of a stream
/// follow each other.
static LogicalResult dropToken(KernelTranslator &t, const SourceOp &op) {
  return success();
}

void tile::cudatile::addMemory(Handlers &handlers) {
  handlers["gdc_launch_dependents_tko"] = {dropToken, true};
  handlers["gdc_wait_tko"] = {dropToken, true};
  handlers["join_tokens"] = {dropToken, true};
  handlers["load_view_tko"] = {loadView, true, false, true};
  handlers["memory_fence_alias_tko"] = {dropToken, true};
  handlers["make_token"] = {dropToken, true};
  handlers["store_view_tko"] = {storeView, true, false, true};
}
