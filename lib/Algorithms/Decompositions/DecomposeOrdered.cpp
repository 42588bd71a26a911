// DecomposeOrdered.cpp - tile.atomic_rmw in the order of blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile.atomic_rmw add %t, %a[%i] ordered : ...
//
// becomes a wait for the block before, the update, and a signal to the block
// after:
//
//   scf.while : () -> () {
//     %done = tile.atomic_load %turns[%c0] order acquire : ... tile<i64>
//     ... until %done is the number of blocks that are started before this one
//   }
//   tile.atomic_rmw add %t, %a[%i] : ...
//   tile.atomic_store %next, %turns[%c0] order release : ...
//
// The counter of finished blocks is in a workspace that each launch provides,
// filled with zeros. Blocks are started from the grid's last program to the
// first, and take turns in this order, so that no block waits for one that is
// not started yet.

#include "Decompositions.h"

#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

/// Returns the counter of finished blocks, a new hidden argument of the kernel.
static Value addCounter(KernelOp kernel, Location loc) {
  Builder builder(kernel.getContext());
  unsigned index = kernel.getNumArguments();
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr(kWorkspaceAttr, builder.getUnitAttr()));
  auto type = MemRefType::get({1}, builder.getI64Type());
  (void)kernel.insertArgument(index, type, attributes, loc);
  return kernel.getArgument(index);
}

/// Returns the number of blocks that are started before this one.
static Value createTurn(ImplicitLocOpBuilder &b) {
  Value index, count;
  for (Axis axis : {Axis::z, Axis::y, Axis::x}) {
    Value id = ProgramIdOp::create(b, axis);
    Value extent = NumProgramsOp::create(b, axis);
    index = index ? arith::AddIOp::create(
                        b, arith::MulIOp::create(b, index, extent), id)
                  : id;
    count =
        count ? arith::MulIOp::create(b, count, extent).getResult() : extent;
  }
  Value last =
      arith::SubIOp::create(b, count, arith::ConstantIndexOp::create(b, 1));
  return arith::IndexCastOp::create(b, b.getI64Type(),
                                    arith::SubIOp::create(b, last, index));
}

static void createWait(ImplicitLocOpBuilder &b, Value counter, Value index,
                       Value turn) {
  auto done = TileType::get({}, b.getI64Type());
  scf::WhileOp::create(
      b, TypeRange(), ValueRange(),
      [&](OpBuilder &nested, Location loc, ValueRange) {
        Value read = AtomicLoadOp::create(nested, loc, done, counter, index,
                                          AtomicOrder::acquire,
                                          AtomicScope::gpu, /*in_bounds=*/true);
        Value value = ExtractOp::create(nested, loc, read, ValueRange());
        Value isEarly = arith::CmpIOp::create(
            nested, loc, arith::CmpIPredicate::ne, value, turn);
        scf::ConditionOp::create(nested, loc, isEarly, ValueRange());
      },
      [](OpBuilder &nested, Location loc, ValueRange) {
        scf::YieldOp::create(nested, loc);
      });
}

bool tile::hasCompositeForm(AtomicRMWOp op) {
  return op.getOrdered() || op.getDims();
}

Replacements tile::decompose(AtomicRMWOp op, OpBuilder &builder) {
  if (op.getDims())
    return accessPermuted(builder, op);
  auto kernel = dyn_cast<KernelOp>((op)->getParentOp());
  if (!kernel) {
    op.emitOpError(
        "expected an ordered update outside of loops and branches, got "
        "one in '")
        << (op)->getParentOp()->getName() << "'";
    return failure();
  }
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  Value counter = addCounter(kernel, op.getLoc());
  Value index = arith::ConstantIndexOp::create(b, 0);
  Value turn = createTurn(b);
  createWait(b, counter, index, turn);
  auto update = cast<AtomicRMWOp>(b.clone(*op));
  update.setOrdered(false);
  Value next =
      arith::AddIOp::create(b, turn, arith::ConstantIntOp::create(b, 1, 64));
  Value done = FillOp::create(b, TileType::get({}, b.getI64Type()), next);
  AtomicStoreOp::create(b, done, counter, index, AtomicOrder::release,
                        AtomicScope::gpu, /*in_bounds=*/true);
  return SmallVector<Value>{update.getResult()};
}
