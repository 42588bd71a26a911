// AtomicUpdate.cpp - atomic updates that no instruction makes at once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/AtomicUpdate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

Value tile::buildUpdate(OpBuilder &builder, Location loc, AtomicKind kind,
                        Value old, Value value) {
  bool isFloat = isa<FloatType>(old.getType());
  switch (kind) {
  case AtomicKind::add:
    return isFloat ? arith::AddFOp::create(builder, loc, old, value).getResult()
                   : arith::AddIOp::create(builder, loc, old, value);
  case AtomicKind::min:
    return isFloat
               ? arith::MinimumFOp::create(builder, loc, old, value).getResult()
               : arith::MinSIOp::create(builder, loc, old, value);
  case AtomicKind::max:
    return isFloat
               ? arith::MaximumFOp::create(builder, loc, old, value).getResult()
               : arith::MaxSIOp::create(builder, loc, old, value);
  case AtomicKind::umin:
    return arith::MinUIOp::create(builder, loc, old, value);
  case AtomicKind::umax:
    return arith::MaxUIOp::create(builder, loc, old, value);
  case AtomicKind::bit_and:
    return arith::AndIOp::create(builder, loc, old, value);
  case AtomicKind::bit_or:
    return arith::OrIOp::create(builder, loc, old, value);
  case AtomicKind::bit_xor:
    return arith::XOrIOp::create(builder, loc, old, value);
  case AtomicKind::exchange:
    return value;
  case AtomicKind::compare_exchange:
    break;
  }
  llvm_unreachable("a compare-exchange has an expected value");
}

/// The compare-exchange with what it returns: the bits before, and whether they
/// were the expected ones.
static LLVM::AtomicCmpXchgOp
createCompareExchange(OpBuilder &builder, Location loc, Value pointer,
                      Value expected, Value desired, UpdateOrder order) {
  return LLVM::AtomicCmpXchgOp::create(
      builder, loc, pointer, expected, desired, order.ordering,
      LLVM::AtomicOrdering::monotonic, order.scope);
}

Value tile::buildCompareExchange(OpBuilder &builder, Location loc,
                                 Value pointer, Value expected, Value desired,
                                 UpdateOrder order) {
  Value result =
      createCompareExchange(builder, loc, pointer, expected, desired, order);
  return LLVM::ExtractValueOp::create(builder, loc, result,
                                      ArrayRef<int64_t>{0});
}

Value tile::buildUpdateLoop(OpBuilder &builder, Location loc, Value pointer,
                            Type bits, UpdateOrder order,
                            function_ref<Value(OpBuilder &, Value)> update) {
  Value first = LLVM::LoadOp::create(
      builder, loc, bits, pointer,
      /*alignment=*/bits.getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, order.scope);
  auto tryOnce = [&](OpBuilder &nested, Location, ValueRange seen) {
    Value desired = update(nested, seen.front());
    Value result = createCompareExchange(nested, loc, pointer, seen.front(),
                                         desired, order);
    Value before =
        LLVM::ExtractValueOp::create(nested, loc, result, ArrayRef<int64_t>{0});
    Value isDone =
        LLVM::ExtractValueOp::create(nested, loc, result, ArrayRef<int64_t>{1});
    Value yes = arith::ConstantIntOp::create(nested, loc, 1, 1);
    Value isLost = arith::XOrIOp::create(nested, loc, isDone, yes);
    scf::ConditionOp::create(nested, loc, isLost, before);
  };
  auto again = [&](OpBuilder &nested, Location, ValueRange seen) {
    scf::YieldOp::create(nested, loc, seen);
  };
  return scf::WhileOp::create(builder, loc, bits, first, tryOnce, again)
      .getResult(0);
}
