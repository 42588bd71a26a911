// AtomicUpdate.cpp - atomic accesses to the bits of an element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/AtomicUpdate.h"
#include "tile/Conversion/CombineByKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Returns the kind of reduction that combines elements like an update of
/// `kind`.
/// @pre `kind` combines the old and the new element: it is no exchange.
static ReduceKind getReduceKind(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::add:
    return ReduceKind::add;
  case AtomicKind::min:
    return ReduceKind::min;
  case AtomicKind::max:
    return ReduceKind::max;
  case AtomicKind::umin:
    return ReduceKind::umin;
  case AtomicKind::umax:
    return ReduceKind::umax;
  case AtomicKind::bit_and:
    return ReduceKind::bit_and;
  case AtomicKind::bit_or:
    return ReduceKind::bit_or;
  case AtomicKind::bit_xor:
    return ReduceKind::bit_xor;
  case AtomicKind::exchange:
  case AtomicKind::compare_exchange:
    break;
  }
  llvm_unreachable("an exchange combines nothing");
}

Value tile::buildUpdate(OpBuilder &builder, Location loc, AtomicKind kind,
                        Value old, Value value) {
  if (kind == AtomicKind::exchange)
    return value;
  return combineByKind(builder, loc, getReduceKind(kind), old, value);
}

static Type getBitsType(Type type) {
  return IntegerType::get(type.getContext(), 8 * getElementBytes(type));
}

static Value toBits(OpBuilder &builder, Location loc, Value element) {
  Type type = element.getType(), bits = getBitsType(type);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, bits, element);
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(builder, loc, bits, element).getResult()
             : element;
}

static Value fromBits(OpBuilder &builder, Location loc, Value bits, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, bits);
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(builder, loc, type, bits).getResult()
             : bits;
}

static Value loadBits(OpBuilder &builder, Location loc, Value pointer,
                      Type type, UpdateOrder order) {
  return LLVM::LoadOp::create(
      builder, loc, getBitsType(type), pointer,
      /*alignment=*/getElementBytes(type), /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, order.ordering, order.scope);
}

Value tile::buildAtomicLoad(OpBuilder &builder, Location loc, Value pointer,
                            Type type, UpdateOrder order) {
  return fromBits(builder, loc, loadBits(builder, loc, pointer, type, order),
                  type);
}

void tile::buildAtomicStore(OpBuilder &builder, Location loc, Value value,
                            Value pointer, UpdateOrder order) {
  LLVM::StoreOp::create(builder, loc, toBits(builder, loc, value), pointer,
                        /*alignment=*/getElementBytes(value.getType()),
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, order.ordering,
                        order.scope);
}

namespace {
/// The results of a compare-exchange.
struct Exchanged {
  Value before; ///< the bits before the exchange
  Value isDone; ///< whether these were the expected bits
};
} // namespace

static Exchanged exchangeBits(OpBuilder &builder, Location loc, Value pointer,
                              Value expected, Value desired,
                              UpdateOrder order) {
  Value result = LLVM::AtomicCmpXchgOp::create(
      builder, loc, pointer, expected, desired, order.ordering,
      LLVM::AtomicOrdering::monotonic, order.scope);
  auto extract = [&](int64_t position) -> Value {
    return LLVM::ExtractValueOp::create(builder, loc, result,
                                        ArrayRef<int64_t>{position});
  };
  Value before = extract(0);
  return {before, extract(1)};
}

Value tile::buildCompareExchange(OpBuilder &builder, Location loc,
                                 Value pointer, Value expected, Value desired,
                                 UpdateOrder order) {
  Exchanged exchanged =
      exchangeBits(builder, loc, pointer, toBits(builder, loc, expected),
                   toBits(builder, loc, desired), order);
  return fromBits(builder, loc, exchanged.before, desired.getType());
}

Value tile::buildUpdateLoop(OpBuilder &builder, Location loc, Value pointer,
                            Type type, UpdateOrder order,
                            function_ref<Value(OpBuilder &, Value)> update) {
  Type bits = getBitsType(type);
  Value first = loadBits(builder, loc, pointer, type,
                         {order.scope, LLVM::AtomicOrdering::monotonic});
  auto tryOnce = [&](OpBuilder &nested, Location, ValueRange seen) {
    Value desired = update(nested, fromBits(nested, loc, seen.front(), type));
    Exchanged exchanged = exchangeBits(nested, loc, pointer, seen.front(),
                                       toBits(nested, loc, desired), order);
    Value yes = arith::ConstantIntOp::create(nested, loc, 1, 1);
    Value isLost = arith::XOrIOp::create(nested, loc, exchanged.isDone, yes);
    scf::ConditionOp::create(nested, loc, isLost, exchanged.before);
  };
  auto again = [&](OpBuilder &nested, Location, ValueRange seen) {
    scf::YieldOp::create(nested, loc, seen);
  };
  auto loop = scf::WhileOp::create(builder, loc, bits, first, tryOnce, again);
  return fromBits(builder, loc, loop.getResult(0), type);
}
