// AssignRegisterLayouts.cpp - a register layout for every tile, and conversions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each value takes the layout of its class (LayoutClasses.h). An operation that
// relates two classes (transpose, reduce, scan, sort, broadcast, reshape,
// access by index) infers the layout of one class from that of the other. If
// this differs from the layout that the class has, a tile.convert_layout is
// inserted.

#include "AssignLayouts.h"
#include "LayoutClasses.h"

#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Participants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Making mismatches visible
//===----------------------------------------------------------------------===//

/// Converts the tiles of indices of an access to layouts in which each thread
/// has the indices that it needs.
static void convertIndices(IndexedOpInterface op) {
  Value tile = op.getIndexedTile();
  OpBuilder builder(op);
  for (OpOperand *indices : op.getIndexOperands())
    indices->set(
        convertTo(builder, op.getLoc(), indices->get(),
                  broadcastSource(getRegisterLayout(tile),
                                  getTileShape(indices->get().getType()),
                                  getTileShape(tile.getType()))));
}

/// Returns the operations with LayoutOpInterface, and for each the types of its
/// results in registers. These are the types that the classes of the results
/// have.
static llvm::MapVector<Operation *, SmallVector<TileType>>
collectOperations(KernelOp kernel) {
  llvm::MapVector<Operation *, SmallVector<TileType>> operations;
  kernel.walk<WalkOrder::PreOrder>([&](LayoutOpInterface op) {
    SmallVector<TileType> &types = operations[op];
    for (Value result : op->getResults())
      if (isInRegisters(result))
        types.push_back(cast<TileType>(result.getType()));
  });
  return operations;
}

/// Converts the tiles of all operations to layouts that the operations support.
static void adaptOperations(KernelOp kernel) {
  for (auto &[op, wanted] : collectOperations(kernel))
    if (wanted.size() == op->getNumResults())
      cast<LayoutOpInterface>(op).adaptToLayouts(wanted,
                                                 getParticipants(op).numWarps);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Returns a layout in which the warps store more bytes at a time, if they
/// would write parts of sectors now, as for an f16 accumulator; nothing if
/// there is none.
static std::optional<RegisterLayout>
getWideLayout(StoreOp store, LayoutClasses &classes,
              const Architecture &architecture) {
  Value value = store.getValue();
  auto type = cast<TileType>(value.getType());
  auto array = cast<MemRefType>(store.getDest().getType());
  std::optional<int64_t> dim = getContiguousDimension(array, type.getRank());
  int64_t bytes = getElementBytes(type.getElementType());
  if (!dim || !isInRegisters(value) || classes.isDeclared(value) ||
      type.getNumElements() * bytes * kMaxScratchShare >
          getSharedBytesLimit(store->getParentOfType<KernelOp>(), architecture))
    return std::nullopt;
  RegisterLayout wide = AccessLayouts{architecture}.get(
      cast<ArrayAccessOpInterface>(*store), /*isSpread=*/false, /*parts=*/{});
  bool isPart = getRunBytes(classes.layoutOf(value), *dim,
                            type.getElementType()) < architecture.sectorBytes;
  bool isWide = wide.getContiguity(*dim) * bytes == kMaxAccessBytes &&
                getRunBytes(wide, *dim, type.getElementType()) >=
                    architecture.sectorBytes;
  if (!isPart || !isWide)
    return std::nullopt;
  std::optional<RegisterLayout> ofWarps =
      getRowsOfWarps(classes.layoutOf(value), *dim, wide.getContiguity(*dim),
                     type.getElementType());
  return ofWarps ? *ofWarps : wide;
}

void tile::assignRegisterLayouts(KernelOp kernel,
                                 const Architecture &architecture) {
  LayoutClasses classes(kernel, architecture);
  classes.build();
  SmallVector<std::pair<StoreOp, RegisterLayout>> stores;
  kernel.walk([&](StoreOp store) {
    if (auto wide = getWideLayout(store, classes, architecture))
      stores.push_back({store, *wide});
  });
  SmallVector<std::pair<Value, TileType>> types;
  for (Value value : classes.getValues())
    types.push_back({value, classes.typeOf(value)});
  for (auto &[value, type] : types)
    retype(value, type);
  adaptOperations(kernel);
  kernel.walk(convertIndices);
  for (auto &[store, layout] : stores) {
    OpBuilder builder(store);
    store.getValueMutable().assign(
        convertTo(builder, store.getLoc(), store.getValue(), layout));
  }
}
