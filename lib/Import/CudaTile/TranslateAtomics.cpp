// TranslateAtomics.cpp - atomic updates of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryOrder.h"
#include "PointerAccess.h"
#include "ViewAccess.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

static FailureOr<AtomicKind> getKind(KernelTranslator &t, const SourceOp &op) {
  constexpr AtomicKind kKinds[] = {AtomicKind::bit_and, AtomicKind::bit_or,
                                   AtomicKind::bit_xor, AtomicKind::add,
                                   AtomicKind::add,     AtomicKind::max,
                                   AtomicKind::min,     AtomicKind::umax,
                                   AtomicKind::umin,    AtomicKind::exchange};
  uint64_t mode = op.getAttribute("mode").number;
  if (mode >= std::size(kKinds))
    return t.refuse(op, "expected a mode of 0 to 9");
  return kKinds[mode];
}

/// Updates one element.
static Value updateOne(KernelTranslator &t, const PointerAccess &access,
                       AtomicKind kind, Value value, Value expected,
                       MemoryOrder order) {
  MLIRContext *context = t.b.getContext();
  return AtomicRMWOp::create(
      t.b, AtomicKindAttr::get(context, kind), value, access.array,
      access.getIndex(t), expected, access.mask,
      AtomicOrderAttr::get(context, order.order),
      AtomicScopeAttr::get(context, order.scope), /*ordered=*/UnitAttr(),
      t.b.getUnitAttr(), /*dims=*/DenseI64ArrayAttr());
}

/// Updates several elements. Fences order relaxed updates (PTX ISA, "Release
/// and Acquire Patterns").
static Value updateAll(KernelTranslator &t, const PointerAccess &access,
                       AtomicKind kind, Value value, MemoryOrder order) {
  MLIRContext *context = t.b.getContext();
  auto fence = [&](AtomicOrder one) {
    if (order.order == one || order.order == AtomicOrder::acq_rel)
      FenceOp::create(t.b, AtomicOrderAttr::get(context, one),
                      AtomicScopeAttr::get(context, order.scope));
  };
  fence(AtomicOrder::release);
  Value old =
      access.scatter(t, value, AtomicKindAttr::get(context, kind)).getOld();
  fence(AtomicOrder::acquire);
  return old;
}

/// Updates several elements one after the other.
static Value updateEach(KernelTranslator &t, const PointerAccess &access,
                        AtomicKind kind, Value value, Value expected,
                        MemoryOrder order) {
  SmallVector<Value> tiles = {value};
  if (expected)
    tiles.push_back(expected);
  return access.forEach(
      t, tiles, t.zero(access.getTileType()),
      [&](const PointerAccess &one, ArrayRef<Value> elements) {
        return updateOne(t, one, kind, elements[0],
                         expected ? elements[1] : Value(), order);
      });
}

static LogicalResult update(KernelTranslator &t, const SourceOp &op,
                            const PointerAccess &access, AtomicKind kind,
                            SourceValue *expected) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  if (failed(order))
    return failure();
  if (order->isWeak)
    return t.refuse(op, "expected an order other than weak");
  Value value = access.flatten(t, t.getValue(op, "value")), other;
  if (expected)
    other = access.flatten(t, t.getValue(expected));
  Value old;
  if (access.count == 1)
    old = updateOne(t, access, kind, value, other, *order);
  else if (expected || order->scope == AtomicScope::system)
    old = updateEach(t, access, kind, value, other, *order);
  else
    old = updateAll(t, access, kind, value, *order);
  t.setResult(op, t.reshape(old, op.results.front()->type->shape));
  return success();
}

static LogicalResult updateByKind(KernelTranslator &t, const SourceOp &op) {
  FailureOr<AtomicKind> kind = getKind(t, op);
  std::optional<PointerAccess> access;
  if (failed(kind) ||
      !(access = getPointerAccess(t, op, "pointers", {"mask", "value"})))
    return failure();
  return update(t, op, *access, *kind, /*expected=*/nullptr);
}

static LogicalResult compareExchange(KernelTranslator &t, const SourceOp &op) {
  std::optional<PointerAccess> access =
      getPointerAccess(t, op, "pointers", {"mask", "cmp", "value"});
  return access ? update(t, op, *access, AtomicKind::compare_exchange,
                         op.getOperand("cmp"))
                : failure();
}

/// Updates a tile of a view, whose old elements nothing uses.
static LogicalResult updateView(KernelTranslator &t, const SourceOp &op) {
  FailureOr<AtomicKind> kind = getKind(t, op);
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<ViewAccess> access;
  if (failed(kind) || failed(order) || !(access = getViewAccess(t, op)))
    return failure();
  Value value = t.getValue(op, "value");
  if (!value || order->isWeak || access->places)
    return t.refuse(op, "expected a numeric tile for a partition or strided "
                        "view, and an order other than weak");
  MLIRContext *context = t.b.getContext();
  AtomicRMWOp::create(
      t.b, AtomicKindAttr::get(context, *kind), t.toTile(value, access->shape),
      access->array, access->offsets, /*expected=*/Value(), /*mask=*/Value(),
      AtomicOrderAttr::get(context, order->order),
      AtomicScopeAttr::get(context, order->scope), /*ordered=*/UnitAttr(),
      access->getInBounds(t), access->dims);
  return success();
}

void tile::cudatile::addAtomics(Handlers &handlers) {
  handlers["atomic_cas_tko"] = {compareExchange, true};
  handlers["atomic_red_view_tko"] = {updateView, true};
  handlers["atomic_rmw_tko"] = {updateByKind, true};
}
