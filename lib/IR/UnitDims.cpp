// UnitDims.cpp - accesses without a tile's dimensions of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of tokens and columns of an array of tokens, heads and columns may be
// loaded with a head of one element, and reshaped:
//
//   %a = tile.load %x[%t, %h, %c] : ... -> !tile.tile<64x1x64xf16>
//   %b = tile.reshape %a : !tile.tile<64x1x64xf16> to !tile.tile<64x64xf16>
//
// As one access it is copied and multiplied like any other tile:
//
//   %b = tile.load %x[%t, %h, %c] dims [0, 2] : ... -> !tile.tile<64x64xf16>

#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

/// Which dimensions of `wide` are those of `narrow`, where it has, beside them,
/// only others of one element; none where it has not.
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

/// The array's dimensions of those that are kept of a tile's; null for its last
/// ones.
template <typename Op>
static DenseI64ArrayAttr getArrayDims(Op op, TileType tile,
                                      ArrayRef<int64_t> kept) {
  int64_t rank = cast<MemRefType>(op.getArray().getType()).getRank();
  bool areLast = true;
  SmallVector<int64_t> dims;
  for (auto [i, dim] : llvm::enumerate(kept)) {
    dims.push_back(op.getDims() ? (*op.getDims())[dim]
                                : rank - tile.getRank() + dim);
    areLast &= dims.back() == rank - static_cast<int64_t>(kept.size() - i);
  }
  return areLast ? DenseI64ArrayAttr()
                 : DenseI64ArrayAttr::get(op.getContext(), dims);
}

/// Whether an operation may have dims: they are composite, and none is at a
/// level beyond the source.
static bool mayHaveDims(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return !kernel || !kernel->hasAttr(kLevelAttr);
}

static bool isStorageOpen(TileType a, TileType b) {
  return !a.getStorage() && !b.getStorage();
}

/// Of what is loaded for it alone.
LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  auto load = op.getSource().getDefiningOp<LoadOp>();
  if (!load || load.getMask() || !load->hasOneUse() ||
      !isStorageOpen(load.getType(), op.getType()))
    return failure();
  auto kept = findKept(load.getType(), op.getType());
  if (!kept)
    return failure();
  DenseI64ArrayAttr dims = getArrayDims(load, load.getType(), *kept);
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

/// Of a reshaped tile.
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
  DenseI64ArrayAttr dims = getArrayDims(op, wide, *kept);
  if (dims && !mayHaveDims(op))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.setDimsAttr(dims);
    op.getValueMutable().assign(reshape.getSource());
  });
  return success();
}
