// DecomposeUnpack.cpp - tile.unpack as shifts of a repeated tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %w = tile.unpack %t axis 1 bits 4 : !tile.tile<8x32xi8> to
//   !tile.tile<8x64xi8>
//
// becomes
//
//   %r = tile.reshape %t : ... to !tile.tile<256x1x1xi8>
//   %b = tile.broadcast %r : ... to !tile.tile<256x2x1xi8>
//   %s = ... 4 * tile.iota axis 1 : !tile.tile<256x2x1xi8>
//   ... the low four bits of %b >> %s, with their sign
//   %w = tile.reshape ... : !tile.tile<256x2x1xi8> to !tile.tile<8x64xi8>

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

Replacements tile::decompose(UnpackOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  TileType source = op.getSource().getType();
  Type word = source.getElementType();
  ArrayRef<int64_t> extents = source.getShape();
  int64_t bits = op.getBits(), count = word.getIntOrFloatBitWidth() / bits;
  // The dimensions are the words up to the axis, the values of each word, and
  // the words after the axis.
  int64_t behind =
      ShapedType::getNumElements(extents.drop_front(op.getAxis() + 1));
  int64_t shape[] = {source.getNumElements() / behind, 1, behind};
  Value words = ReshapeOp::create(builder, loc, TileType::get(shape, word),
                                  op.getSource());
  shape[1] = count;
  TileBuilder tiles(builder, loc, shape);
  words = BroadcastOp::create(builder, loc, tiles.getType(word), words);
  Value offsets = tiles.create<arith::MulIOp>(tiles.iota(word, /*axis=*/1),
                                              tiles.constant(word, bits));
  // The value is shifted to the top of a byte, and from there back to the
  // bottom.
  Type byte = builder.getI8Type();
  Value top = tiles.constant(byte, 8 - bits);
  Value value = tiles.create<arith::ShLIOp>(
      tiles.cast(tiles.create<arith::ShRUIOp>(words, offsets), byte), top);
  value = op.getUnsignedInteger() ? tiles.create<arith::ShRUIOp>(value, top)
                                  : tiles.create<arith::ShRSIOp>(value, top);
  return SmallVector<Value>{ReshapeOp::create(
      builder, loc, TileType::get(op.getType().getShape(), byte), value)};
}
