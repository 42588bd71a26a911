// TranslatePointers.cpp - accesses of CUDA Tile through pointers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PointerAccess.h"

#include "MemoryOrder.h"
#include "Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

static LogicalResult translateOffset(KernelTranslator &t, const SourceOp &op) {
  Meaning pointers = t.get(op.getOperand("source"));
  Value offset = t.getValue(op, "offset");
  const SourceType *result = op.results.front()->type;
  bool isMove = pointers.isPointer() && offset &&
                isa<IntegerType>(getElementTypeOrSelf(offset)) &&
                isPointer(result) &&
                result->element->element->tag ==
                    op.getOperand("source")->type->element->element->tag;
  if (!isMove)
    return t.refuse(op, "expected pointers to elements of one type, and "
                        "integers as offsets");
  Type pointee = getPointee(t, op, result);
  if (!pointee)
    return failure();
  t.set(op.results.front(), move(t, pointers, offset, pointee));
  return success();
}

static LogicalResult fromInteger(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  const SourceType *result = op.results.front()->type;
  if (!getElementTypeOrSelf(source).isInteger(64) || !isPointer(result))
    return t.refuse(op, "expected i64, and pointers as result");
  if (!getPointee(t, op, result))
    return failure();
  t.set(op.results.front(), getPointers(source));
  return success();
}

/// Returns the addresses of an operand; null after an error.
static Value getSourceAddresses(KernelTranslator &t, const SourceOp &op) {
  Meaning source = t.get(op.getOperand("source"));
  if (!source.isPointer()) {
    (void)t.refuse(op, "expected pointers");
    return {};
  }
  const SourceType *type = op.getOperand("source")->type;
  return getPointee(t, op, type) ? getAddresses(t, source, type) : Value();
}

static LogicalResult toInteger(KernelTranslator &t, const SourceOp &op) {
  Value addresses = getSourceAddresses(t, op);
  if (!addresses)
    return failure();
  t.setResult(op, addresses);
  return success();
}

/// Changes the type of the elements that pointers point to.
static LogicalResult castPointers(KernelTranslator &t, const SourceOp &op) {
  const SourceType *result = op.results.front()->type;
  if (!isPointer(result))
    return t.refuse(op, "expected pointers as result");
  Value addresses = getSourceAddresses(t, op);
  if (!addresses || !getPointee(t, op, result))
    return failure();
  t.set(op.results.front(), getPointers(addresses));
  return success();
}

std::optional<PointerAccess>
tile::cudatile::getPointerAccess(KernelTranslator &t, const SourceOp &op,
                                 StringRef pointers,
                                 ArrayRef<StringRef> others) {
  SourceValue *operand = op.getOperand(pointers);
  Meaning meaning = t.get(operand);
  Type element =
      meaning.isPointer() ? getPointee(t, op, operand->type) : Type();
  bool areNumeric = llvm::all_of(others, [&](StringRef name) {
    SourceValue *value = op.getOperand(name);
    return !value || t.getValue(value);
  });
  if (!element || !areNumeric) {
    (void)t.refuse(op, "expected pointers and numeric tiles");
    return std::nullopt;
  }
  PointerAccess access;
  access.count = llvm::product_of(operand->type->shape);
  Elements elements = getElements(t, meaning, element);
  access.array = elements.array;
  access.zero = arith::ConstantIndexOp::create(t.b, 0);
  access.offset = elements.offset;
  if (!access.offset)
    access.offset = arith::ConstantIntOp::create(t.b, 0, 64);
  if (SourceValue *mask = op.getOperand("mask"))
    access.mask = access.flatten(t, t.getValue(mask));
  return access;
}

Value PointerAccess::gather(KernelTranslator &t, Value pad) const {
  return GatherOp::create(t.b, getTileType(), array, zero, flatten(t, offset),
                          t.b.getI64IntegerAttr(0),
                          /*axes=*/DenseI64ArrayAttr(), mask, pad,
                          t.b.getUnitAttr(), /*dims=*/DenseI64ArrayAttr());
}

ScatterOp PointerAccess::scatter(KernelTranslator &t, Value value,
                                 AtomicKindAttr kind) const {
  return ScatterOp::create(t.b, kind ? value.getType() : Type(), value, array,
                           zero, flatten(t, offset), t.b.getI64IntegerAttr(0),
                           /*axes=*/DenseI64ArrayAttr(), mask, kind,
                           t.b.getUnitAttr(),
                           /*dims=*/DenseI64ArrayAttr());
}

/// Returns the scalar with which a tile is filled, a scalar itself; null for
/// other tiles.
static Value getFill(KernelTranslator &t, Value tile) {
  while (isa_and_present<BroadcastOp, ReshapeOp>(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  SplatElementsAttr splat;
  if (matchPattern(tile, m_Constant(&splat)))
    return arith::ConstantOp::create(t.b, splat.getSplatValue<TypedAttr>());
  if (auto fill = tile.getDefiningOp<FillOp>())
    return fill.getValue();
  return isa<TileType>(tile.getType()) ? Value() : tile;
}

static bool isZero(Value scalar) {
  return matchPattern(scalar, m_Zero()) ||
         matchPattern(scalar, m_PosZeroFloat());
}

/// Loads elements, those of `padding` where the mask is false.
static Value loadPadded(KernelTranslator &t, const PointerAccess &access,
                        Value padding) {
  Value pad = access.mask && padding ? getFill(t, padding) : Value();
  if (pad || !access.mask || !padding)
    return access.gather(t, pad && isZero(pad) ? Value() : pad);
  return SelectOp::create(t.b, access.mask, access.gather(t, Value()),
                          access.flatten(t, padding));
}

/// Loads elements atomically, several one after the other.
static Value loadOrdered(KernelTranslator &t, const PointerAccess &access,
                         Value padding, MemoryOrder order) {
  auto load = [&](const PointerAccess &one, ArrayRef<Value>) -> Value {
    return AtomicLoadOp::create(t.b, one.getTileType(), one.array,
                                one.getIndex(t), order.order, order.scope,
                                /*in_bounds=*/true);
  };
  if (access.count == 1 && !access.mask)
    return load(access, {});
  Value others = access.mask && padding ? access.flatten(t, padding)
                                        : t.zero(access.getTileType());
  return access.forEach(t, {}, others, load);
}

/// Stores elements atomically, several one after the other.
static void storeOrdered(KernelTranslator &t, const PointerAccess &access,
                         Value value, MemoryOrder order) {
  auto store = [&](const PointerAccess &one, ArrayRef<Value> elements) {
    AtomicStoreOp::create(t.b, elements.front(), one.array, one.getIndex(t),
                          order.order, order.scope, /*in_bounds=*/true);
    return Value();
  };
  if (access.count == 1 && !access.mask)
    store(access, value);
  else
    (void)access.forEach(t, value, /*results=*/Value(), store);
}

static LogicalResult loadPointers(KernelTranslator &t, const SourceOp &op) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<PointerAccess> access;
  if (failed(order) ||
      !(access = getPointerAccess(t, op, "source", {"mask", "pad"})))
    return failure();
  Value loaded;
  if (order->isWeak)
    loaded = loadPadded(t, *access, t.getValue(op.getOperand("pad")));
  else
    loaded = loadOrdered(t, *access, t.getValue(op.getOperand("pad")), *order);
  t.setResult(op, t.reshape(loaded, op.results.front()->type->shape));
  return success();
}

static LogicalResult storePointers(KernelTranslator &t, const SourceOp &op) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<PointerAccess> access;
  if (failed(order) ||
      !(access = getPointerAccess(t, op, "dest", {"mask", "value"})))
    return failure();
  Value value = access->flatten(t, t.getValue(op, "value"));
  if (order->isWeak)
    access->scatter(t, value, AtomicKindAttr());
  else
    storeOrdered(t, *access, value, *order);
  return success();
}

void tile::cudatile::addPointers(Handlers &handlers) {
  handlers["int_to_ptr"] = {fromInteger, false, true};
  handlers["load_ptr_tko"] = {loadPointers, true, false, true};
  handlers["ptr_to_int"] = {toInteger, true};
  handlers["ptr_to_ptr"] = {castPointers, true, true};
  handlers["offset"] = {translateOffset, true, true};
  handlers["store_ptr_tko"] = {storePointers, true, false, true};
}
