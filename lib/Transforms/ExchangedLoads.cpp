// ExchangedLoads.cpp - loads of tiles that pass through shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExchangedLoads.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"
#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Whether a tile takes many registers of a thread. The loads of others are in
/// flight at once in any case.
static bool takesManyRegisters(TileType tile) {
  constexpr int64_t kMostBytes = 96 * 4;
  return tile.getRegister().getRegisterLayout().getNumValues() *
             getElementBytes(tile.getElementType()) >
         kMostBytes;
}

namespace {
/// The part of a loaded tile that is inside the array: along each dimension,
/// the elements from `begin` to before `end`, which may be outside of the tile.
struct InsideBox {
  InsideBox(OpBuilder &builder, CopyableOpInterface load);

  /// Returns whether the whole tile is inside.
  Value createIsWhole(OpBuilder &builder) const;
  /// Returns whether each element is inside, as a tile.
  Value createIsInside(OpBuilder &builder, TileType tile) const;

  Location loc;
  SmallVector<int64_t> shape; ///< with an extent of one for each leading offset
  int64_t leading;
  SmallVector<Value> begin, end;
};
} // namespace

InsideBox::InsideBox(OpBuilder &builder, CopyableOpInterface load)
    : loc(load->getLoc()),
      leading(load.getOffsets().size() - load.getTileType().getRank()) {
  shape.assign(leading, 1);
  llvm::append_range(shape, load.getTileType().getShape());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [dim, offset] : llvm::enumerate(load.getOffsets())) {
    Value size = memref::DimOp::create(builder, loc, load.getArray(), dim);
    begin.push_back(builder.createOrFold<arith::SubIOp>(loc, zero, offset));
    end.push_back(builder.createOrFold<arith::SubIOp>(loc, size, offset));
  }
}

Value InsideBox::createIsWhole(OpBuilder &builder) const {
  Value isWhole = arith::ConstantIntOp::create(builder, loc, 1, 1);
  auto require = [&](arith::CmpIPredicate predicate, Value bound,
                     int64_t extent) {
    Value holds = builder.createOrFold<arith::CmpIOp>(
        loc, predicate, bound,
        arith::ConstantIndexOp::create(builder, loc, extent));
    isWhole = builder.createOrFold<arith::AndIOp>(loc, isWhole, holds);
  };
  for (auto [extent, first, last] : llvm::zip_equal(shape, begin, end)) {
    require(arith::CmpIPredicate::sle, first, 0);
    require(arith::CmpIPredicate::sge, last, extent);
  }
  return isWhole;
}

Value InsideBox::createIsInside(OpBuilder &builder, TileType tile) const {
  TileBuilder b(builder, loc, tile.getShape(), tile.getStorage());
  Type i32 = builder.getI32Type();
  Value inside;
  auto require = [&](arith::CmpIPredicate predicate, Value index, Value bound) {
    // Any bound outside of the tile is as good as another.
    bound = arith::MinSIOp::create(
        builder, loc, bound,
        arith::ConstantIndexOp::create(builder, loc, INT32_MAX));
    bound = arith::MaxSIOp::create(
        builder, loc, bound,
        arith::ConstantIndexOp::create(builder, loc, INT32_MIN));
    bound = arith::IndexCastOp::create(builder, loc, i32, bound);
    Value holds = b.create<arith::CmpIOp>(predicate, index, b.fill(bound));
    inside = inside ? b.create<arith::AndIOp>(inside, holds) : holds;
  };
  for (auto [dim, first, last] : llvm::enumerate(begin, end)) {
    int64_t axis = static_cast<int64_t>(dim) - leading;
    Value index = axis < 0 ? b.zero(i32) : b.iota(i32, axis);
    require(arith::CmpIPredicate::sge, index, first);
    require(arith::CmpIPredicate::slt, index, last);
  }
  return inside;
}

/// Moves the pad value of a load to an operation on the tile's elements in
/// registers: copies fill elements outside the array with zeros only.
static void padAfter(ConvertLayoutOp exchange, CopyableOpInterface load) {
  OpBuilder builder(exchange->getContext());
  builder.setInsertionPointAfter(exchange);
  Location loc = exchange.getLoc();
  Value tile = exchange.getResult();
  TileType type = exchange.getType();
  InsideBox box(builder, load);
  auto branch = scf::IfOp::create(
      builder, loc, box.createIsWhole(builder),
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, tile); },
      [&](OpBuilder &b, Location loc) {
        Value pad = FillOp::create(b, loc, type, load.getPad());
        Value padded = SelectOp::create(b, loc, type,
                                        box.createIsInside(b, type), tile, pad);
        scf::YieldOp::create(b, loc, padded);
      });
  tile.replaceUsesWithIf(branch.getResult(0), [&](OpOperand &use) {
    return !branch->isProperAncestor(use.getOwner());
  });
  cast<LoadOp>(*load).getPadMutable().clear();
}

static void copyToShared(ConvertLayoutOp exchange) {
  constexpr int64_t kLeastBytes = 4; // PTX ISA, "cp.async"
  auto load = exchange.getSource().getDefiningOp<CopyableOpInterface>();
  if (!load || !exchange.getSource().hasOneUse() ||
      load->getBlock() != exchange->getBlock())
    return;
  TileType from = load.getTileType(), to = exchange.getType();
  int64_t bytes = getAccessWidth(load) * getElementBytes(from.getElementType());
  if (bytes < kLeastBytes || !from.getRegister() || !to.getRegister() ||
      !takesManyRegisters(from) ||
      getRegisterMove(from, to) != RegisterMove::exchange)
    return;
  if (load.getPad())
    padAfter(exchange, load);
  retype(load.getAccessedTile(),
         from.withStorage(getAnyShared(exchange.getContext())));
  recordDecision(load, "copy", "asynchronous, to shared memory",
                 "its elements only pass through it to other threads");
}

llvm::SmallPtrSet<Operation *, 4> tile::findDeclaredLoads(KernelOp kernel) {
  llvm::SmallPtrSet<Operation *, 4> declared;
  kernel.walk([&](CopyableOpInterface load) {
    RegisterAttr registers = load.getTileType().getRegister();
    if ((registers && registers.isResolved()) ||
        llvm::any_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>))
      declared.insert(load);
  });
  return declared;
}

void tile::copyExchangedLoads(
    KernelOp kernel, const llvm::SmallPtrSetImpl<Operation *> &declared) {
  kernel.walk([&](ConvertLayoutOp exchange) {
    if (!declared.contains(exchange.getSource().getDefiningOp()))
      copyToShared(exchange);
  });
}
