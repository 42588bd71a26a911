// UnitDims.cpp - operations without a tile's dimensions of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may load a tile of tokens and columns, from an array of tokens,
// heads and columns, with an extent of one along the heads, and reshape it:
//
//   %a = tile.load %x[%t, %h, %c] : ... -> !tile.tile<64x1x64xf16>
//   %b = tile.reshape %a : !tile.tile<64x1x64xf16> to !tile.tile<64x64xf16>
//
// If it is loaded without that dimension, it is copied and multiplied like any
// other tile:
//
//   %b = tile.load %x[%t, %h, %c] dims [0, 2] : ... -> !tile.tile<64x64xf16>
//
// A matmul with a batch of one becomes a matmul without a batch. The reshapes
// that this requires are moved to the tiles' origins: loads and stores no
// longer need them, and loops carry the reshaped tiles.

#include "tile/IR/PermutedAccess.h"

#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

/// Returns the dimensions of `wide` that correspond to those of `narrow`, if
/// all other dimensions of `wide` have one element; otherwise nothing.
static std::optional<SmallVector<int64_t>> findKept(TileType wide,
                                                    TileType narrow) {
  SmallVector<int64_t> kept;
  for (auto [dim, extent] : llvm::enumerate(wide.getShape())) {
    size_t next = kept.size();
    bool isKept =
        next < narrow.getShape().size() && extent == narrow.getDimSize(next);
    if (isKept)
      kept.push_back(dim);
    else if (extent != 1)
      return std::nullopt;
  }
  bool isNarrower = narrow.getRank() != 0 && narrow.getRank() < wide.getRank();
  if (!isNarrower || static_cast<int64_t>(kept.size()) != narrow.getRank())
    return std::nullopt;
  return kept;
}

/// Returns the array's dimensions for the kept dimensions of a tile; null if
/// they are the last dimensions of the array.
template <typename Op>
static DenseI64ArrayAttr getArrayDims(Op op, ArrayRef<int64_t> kept) {
  int64_t rank = cast<MemRefType>(op.getArray().getType()).getRank();
  bool areLast = true;
  SmallVector<int64_t> dims;
  for (auto [i, dim] : llvm::enumerate(kept)) {
    dims.push_back(getArrayDimension(op, dim));
    areLast &= dims.back() == rank - static_cast<int64_t>(kept.size() - i);
  }
  return areLast ? DenseI64ArrayAttr()
                 : DenseI64ArrayAttr::get(op.getContext(), dims);
}

/// Whether an operation may have `dims`. They make it composite, which is not
/// allowed in kernels at a level beyond the source.
static bool mayHaveDims(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return !kernel || !kernel->hasAttr(kLevelAttr);
}

static bool isStorageOpen(TileType a, TileType b) {
  return !a.getStorage() && !b.getStorage();
}

/// Changes a loop to carry the reshaped tile, if the reshape is the only use of
/// the tile that it carries.
static LogicalResult reshapeCarried(ReshapeOp op, PatternRewriter &rewriter) {
  auto carried = dyn_cast<BlockArgument>(op.getSource());
  auto loop = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp())
                      : scf::ForOp();
  auto isAlike = [&](Operation *user) {
    auto reshape = dyn_cast<ReshapeOp>(user);
    return reshape && reshape.getType() == op.getType();
  };
  if (!loop || !findKept(cast<TileType>(carried.getType()), op.getType()) ||
      !isStorageOpen(cast<TileType>(carried.getType()), op.getType()) ||
      !llvm::all_of(carried.getUsers(), isAlike))
    return failure();
  OpOperand &init = *loop.getTiedLoopInit(carried);
  OpOperand &yielded = *loop.getTiedLoopYieldedValue(carried);
  OpResult result = loop.getTiedLoopResult(carried);
  auto next = yielded.get().getDefiningOp<ReshapeOp>();
  if (!next || next.getSource().getType() != op.getType())
    return failure();
  rewriter.setInsertionPoint(loop);
  Value narrow =
      ReshapeOp::create(rewriter, op.getLoc(), op.getType(), init.get());
  rewriter.setInsertionPointAfter(loop);
  auto wide = ReshapeOp::create(rewriter, op.getLoc(), carried.getType(),
                                /*source=*/result);
  rewriter.replaceAllUsesExcept(result, wide, wide);
  rewriter.modifyOpInPlace(yielded.getOwner(),
                           [&] { yielded.set(next.getSource()); });
  rewriter.modifyOpInPlace(loop, [&] {
    init.set(narrow);
    carried.setType(op.getType());
    result.setType(op.getType());
  });
  for (Operation *user : llvm::make_early_inc_range(carried.getUsers()))
    rewriter.replaceOp(user, carried);
  return success();
}

/// Replaces a matmul with a batch of one by a matmul without the batch
/// dimension.
LogicalResult MatmulOp::canonicalize(MatmulOp op, PatternRewriter &rewriter) {
  auto isOpen = [](Type type) {
    auto tile = dyn_cast<TileType>(type);
    return tile && !tile.getStorage() &&
           (tile.getRank() == 2 || tile.getDimSize(0) == 1);
  };
  if (op.getType().getRank() != 3 || op.getTiling() ||
      !llvm::all_of(op->getOperandTypes(), isOpen))
    return failure();
  auto drop = [&](Value value) -> Value {
    auto tile = cast<TileType>(value.getType());
    if (tile.getRank() == 2)
      return value;
    auto narrow =
        TileType::get(tile.getShape().drop_front(), tile.getElementType());
    return ReshapeOp::create(rewriter, op.getLoc(), narrow, value);
  };
  Value lhs = drop(op.getLhs()), rhs = drop(op.getRhs()),
        acc = drop(op.getAcc());
  auto matmul = MatmulOp::create(rewriter, op.getLoc(), acc.getType(), lhs, rhs,
                                 acc, op.getPrecision(), TilingAttr());
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), matmul);
  return success();
}

/// Removes the reshape of a tile that is loaded, or carried by a loop, only for
/// the reshape.
LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (succeeded(reshapeCarried(op, rewriter)))
    return success();
  auto load = op.getSource().getDefiningOp<LoadOp>();
  if (!load || load.getMask() || !load->hasOneUse() ||
      !isStorageOpen(load.getType(), op.getType()))
    return failure();
  auto kept = findKept(load.getType(), op.getType());
  if (!kept)
    return failure();
  DenseI64ArrayAttr dims = getArrayDims(load, *kept);
  if (dims && !mayHaveDims(op))
    return failure();
  rewriter.setInsertionPoint(load);
  auto narrow = cast<LoadOp>(rewriter.clone(*load));
  narrow.setDimsAttr(dims);
  narrow.getResult().setType(op.getType());
  rewriter.replaceOp(op, narrow);
  rewriter.eraseOp(load);
  return success();
}

/// Stores the source of a reshape instead of its result.
LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  auto reshape = op.getValue().getDefiningOp<ReshapeOp>();
  if (!reshape || op.getMask())
    return failure();
  auto wide = reshape.getType();
  auto narrow = cast<TileType>(reshape.getSource().getType());
  if (!isStorageOpen(wide, narrow))
    return failure();
  auto kept = findKept(wide, narrow);
  if (!kept)
    return failure();
  DenseI64ArrayAttr dims = getArrayDims(op, *kept);
  if (dims && !mayHaveDims(op))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.setDimsAttr(dims);
    op.getValueMutable().assign(reshape.getSource());
  });
  return success();
}
