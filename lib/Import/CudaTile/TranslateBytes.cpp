// TranslateBytes.cpp - elements of CUDA Tile as their bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte k of an element, the lowest first, is its bits from 8 k on. Elements and
// bytes meet as the integers of a tile with a row for each element and a column
// for each of its bytes:
//
//   pack:   [N] -> [N, 1] -> [N, bytes], shifted right by 8 k -> [N * bytes]
//   unpack: [N * bytes] -> [N, bytes], shifted left by 8 k -> "or" of rows, [N]

#include "Codes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Returns the shift of each byte of an integer.
static Value getShifts(KernelTranslator &t, TileType type) {
  Value eight = t.integer(type, 8);
  Value bytes = IotaOp::create(t.b, type, /*axis=*/1, Value(), Value());
  return arith::MulIOp::create(t.b, bytes, eight);
}

/// Returns the element type of tiles of rank 1 that have whole bytes; null, and
/// an error, for others.
static Type getElement(KernelTranslator &t, const SourceOp &op, Type type) {
  auto tile = dyn_cast<TileType>(type);
  unsigned bits = tile ? tile.getElementType().getIntOrFloatBitWidth() : 0;
  if (tile && tile.getRank() == 1 && bits % 8 == 0)
    return tile.getElementType();
  (void)t.refuse(op, "expected a tile of one dimension, of whole bytes");
  return Type();
}

/// Returns the bytes of pairs of elements of four bits, the first one in the
/// lower bits.
static LogicalResult packHalfBytes(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  auto type = dyn_cast<TileType>(source.getType());
  if (!type || type.getRank() != 1 || type.getNumElements() % 2 != 0)
    return t.refuse(op, "expected a tile of one dimension, of whole bytes");
  SmallVector<int64_t> shape = {type.getNumElements() / 2, 2};
  Value bits = t.reshape(extendHalfBytes(t, source, /*isSigned=*/false), shape);
  Value places = IotaOp::create(t.b, cast<TileType>(bits.getType()), /*axis=*/1,
                                Value(), Value());
  Value four = t.integer(bits.getType(), 4);
  Value shifted = arith::ShLIOp::create(
      t.b, bits, arith::MulIOp::create(t.b, places, four));
  t.setResult(op,
              ReduceOp::create(
                  t.b, TypeRange(TileType::get({shape[0]}, t.b.getI8Type())),
                  ReduceKind::bit_or, shifted, t.b.getI64IntegerAttr(1))
                  .getResult(0));
  return success();
}

static LogicalResult unpackHalfBytes(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  auto type = dyn_cast<TileType>(source.getType());
  auto result = dyn_cast<TileType>(t.convert(op.results.front()->type));
  bool isSigned = op.results.front()->type->element->tag == TypeTag::i4;
  if (!type || !result || !type.getElementType().isInteger(8) ||
      type.getRank() != 1 || result.getRank() != 1)
    return t.refuse(op, "expected tiles of one dimension, of bytes");
  t.setResult(op, UnpackOp::create(t.b, result, source, /*axis=*/0, /*bits=*/4,
                                   /*unsigned_integer=*/!isSigned));
  return success();
}

static LogicalResult pack(KernelTranslator &t, const SourceOp &op) {
  if (hasHalfBytes(op.getOperand("source")->type->element))
    return packHalfBytes(t, op);
  Value source = t.getValue(op, "source");
  Type element = getElement(t, op, source.getType());
  if (!element)
    return failure();
  int64_t bits = element.getIntOrFloatBitWidth(),
          count = cast<TileType>(source.getType()).getNumElements();
  Type integer = t.b.getIntegerType(bits);
  SmallVector<int64_t> shape = {count, bits / 8};
  if (!isTile(shape) || !isTile({count * bits / 8}))
    return t.refuse(op, "expected fewer bytes");
  Value wide = t.broadcast(
      t.reshape(t.castElements(source, integer, /*isUnsigned=*/false,
                               /*isBitcast=*/true),
                {count, 1}),
      shape);
  Value shifted = arith::ShRUIOp::create(
      t.b, wide, getShifts(t, TileType::get(shape, integer)));
  Value bytes = t.castElements(shifted, t.b.getI8Type(), /*isUnsigned=*/true);
  t.setResult(op, t.reshape(bytes, {count * bits / 8}));
  return success();
}

static LogicalResult unpack(KernelTranslator &t, const SourceOp &op) {
  if (hasHalfBytes(op.results.front()->type->element))
    return unpackHalfBytes(t, op);
  Value source = t.getValue(op, "source");
  Type element = getElement(t, op, t.convert(op.results.front()->type));
  Type byte = element ? getElement(t, op, source.getType()) : Type();
  if (!byte)
    return failure();
  if (!byte.isInteger(8))
    return t.refuse(op, "expected bytes");
  int64_t bits = element.getIntOrFloatBitWidth(),
          count = cast<TileType>(source.getType()).getNumElements() * 8 / bits;
  Type integer = t.b.getIntegerType(bits);
  SmallVector<int64_t> shape = {count, bits / 8};
  if (count * bits / 8 != cast<TileType>(source.getType()).getNumElements())
    return t.refuse(op, "expected the bytes of whole elements");
  Value bytes = t.reshape(source, shape);
  Value wide = t.castElements(bytes, integer, /*isUnsigned=*/true);
  Value shifted = arith::ShLIOp::create(
      t.b, wide, getShifts(t, TileType::get(shape, integer)));
  Value joined =
      ReduceOp::create(t.b, TypeRange(TileType::get({count}, integer)),
                       ReduceKind::bit_or, shifted, t.b.getI64IntegerAttr(1))
          .getResult(0);
  t.setResult(op, t.castElements(joined, element, /*isUnsigned=*/false,
                                 /*isBitcast=*/true));
  return success();
}

void tile::cudatile::addBytes(Handlers &handlers) {
  handlers["pack"] = {pack, false, false, true};
  handlers["unpack"] = {unpack, false, false, true};
}
