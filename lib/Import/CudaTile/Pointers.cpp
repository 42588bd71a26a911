// Pointers.cpp - tiles of pointers of CUDA Tile and their addresses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pointers.h"

#include "Codes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

Value tile::cudatile::widen(KernelTranslator &t, Value offsets) {
  Type wide = t.b.getI64Type();
  if (getElementTypeOrSelf(offsets) == wide)
    return offsets;
  if (!isa<TileType>(offsets.getType()))
    return arith::ExtSIOp::create(t.b, wide, offsets);
  return t.castElements(offsets, wide);
}

Type tile::cudatile::getPointee(KernelTranslator &t, const SourceOp &op,
                                const SourceType *pointers) {
  const SourceType *pointee = pointers->element->element;
  Type type = hasHalfBytes(pointee) ? Type() : t.convertElement(pointee);
  if (!type)
    (void)t.refuse(op, "expected pointers to elements of at least 8 bits");
  return type;
}

/// Returns the array without shape that starts at the origin of pointers.
static Value getArray(KernelTranslator &t, const Meaning &pointers,
                      Type pointee) {
  if (pointers.memory)
    return pointers.memory;
  return t.getArray(pointers.base,
                    MemRefType::get({ShapedType::kDynamic}, pointee));
}

/// Returns offsets in bytes.
static Value toBytes(KernelTranslator &t, Value offset, Type pointee) {
  Value wide = widen(t, offset);
  return arith::MulIOp::create(
      t.b, wide, t.integer(wide.getType(), getElementBytes(pointee)));
}

/// Adds integers of 64 bits, the first of which may be a scalar.
static Value add(KernelTranslator &t, Value first, Value second) {
  if (auto tile = dyn_cast<TileType>(second.getType()))
    first = t.toTile(first, tile.getShape());
  return arith::AddIOp::create(t.b, first, second);
}

Value tile::cudatile::getAddresses(KernelTranslator &t, const Meaning &pointers,
                                   const SourceType *type) {
  if (pointers.addresses)
    return pointers.addresses;
  Type pointee = t.convertElement(type->element->element);
  Value origin = t.fromIndex(memref::ExtractAlignedPointerAsIndexOp::create(
                                 t.b, getArray(t, pointers, pointee)),
                             t.b.getI64Type());
  if (pointers.offset)
    return add(t, origin, toBytes(t, pointers.offset, pointee));
  return type->shape.empty() ? origin : t.toTile(origin, type->shape);
}

Meaning tile::cudatile::getPointers(Value addresses) {
  Meaning pointers;
  pointers.addresses = addresses;
  return pointers;
}

Meaning tile::cudatile::move(KernelTranslator &t, Meaning pointers,
                             Value offset, Type pointee) {
  if (pointers.addresses)
    pointers.addresses =
        add(t, pointers.addresses, toBytes(t, offset, pointee));
  else if (pointers.offset)
    pointers.offset =
        arith::AddIOp::create(t.b, widen(t, pointers.offset), widen(t, offset));
  else
    pointers.offset = offset;
  return pointers;
}

Elements tile::cudatile::getElements(KernelTranslator &t,
                                     const Meaning &pointers, Type pointee) {
  Value addresses = pointers.addresses;
  if (!addresses)
    return {getArray(t, pointers, pointee), pointers.offset};
  // Pointers to elements are multiples of their bytes.
  Value bytes = arith::SubIOp::create(
      t.b, addresses,
      t.integer(addresses.getType(), KernelTranslator::kMemoryStart));
  Value shift =
      t.integer(addresses.getType(), llvm::Log2_64(getElementBytes(pointee)));
  return {t.getAllMemory(pointee), arith::ShRSIOp::create(t.b, bytes, shift)};
}
