// ArrayBounds.cpp - accesses that are assumed to be inside their arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/PermutedAccess.h"

#include "tile/IR/BoundsAssertions.h"
#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

using arith::CmpIPredicate;

static constexpr llvm::StringLiteral kMessage =
    "expected no element outside of the array, as 'in_bounds' promises";

namespace {
/// Builds the conditions under which an access is inside its array.
struct PromisedAccess {
  OpBuilder &builder;
  Location loc;
  Value array;
  ValueRange offsets;
  /// `dims` has the dimension of the tile for each dimension of the array.
  /// `indices` has the index tile for each dimension that is accessed by index,
  /// and null for the others.
  SmallVector<std::optional<int64_t>> dims;
  SmallVector<Value> indices;

  /// Returns an i1: whether a box with these extents along the array's
  /// dimensions is inside. Dimensions with indices are not checked.
  Value isBoxInside(ArrayRef<int64_t> extents);
  /// Returns a tile of i1, of the shape of `indexTile`: whether each index
  /// along `dim` is inside.
  Value areInside(int64_t dim, Value indexTile);
  /// Returns a tile of i1: whether each element of the tile is inside.
  Value areElementsInside(TileType type);
  Value conjoin(Value a, Value b) {
    return a ? arith::AndIOp::create(builder, loc, a, b).getResult() : b;
  }
};
} // namespace

Value PromisedAccess::isBoxInside(ArrayRef<int64_t> extents) {
  Value inside;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (indices[dim])
      continue;
    auto compare = [&](CmpIPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, a, b);
    };
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value length = arith::ConstantIndexOp::create(builder, loc, extent);
    Value size = memref::DimOp::create(builder, loc, array, dim);
    Value last = arith::SubIOp::create(builder, loc, size, length);
    inside = conjoin(inside, compare(CmpIPredicate::sge, offsets[dim], zero));
    inside = conjoin(inside, compare(CmpIPredicate::sle, offsets[dim], last));
  }
  return inside;
}

/// Converts integers to signed indices.
static Value castToIndex(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<TileType>(tile.getType());
  auto to = TileType::get(type.getShape(), builder.getIndexType())
                .withStorage(type.getStorage());
  return CastOp::create(builder, loc, to, tile, /*unsigned_integer=*/false,
                        /*saturate=*/false, /*bitcast=*/false);
}

Value PromisedAccess::areInside(int64_t dim, Value indexTile) {
  auto type = cast<TileType>(indexTile.getType());
  TileBuilder tiles(builder, loc, type.getShape(), type.getStorage());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value size = memref::DimOp::create(builder, loc, array, dim);
  Value first = arith::SubIOp::create(builder, loc, zero, offsets[dim]);
  Value end = arith::SubIOp::create(builder, loc, size, offsets[dim]);
  auto compare = [&](CmpIPredicate predicate, Value bound) {
    return tiles.create<arith::CmpIOp>(predicate, indexTile, tiles.fill(bound));
  };
  return conjoin(compare(CmpIPredicate::sge, first),
                 compare(CmpIPredicate::slt, end));
}

Value PromisedAccess::areElementsInside(TileType type) {
  TileBuilder tiles(builder, loc, type.getShape(), type.getStorage());
  Type index = builder.getIndexType();
  Value inside;
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    Value indexTile;
    if (Value given = indices[dim]) {
      indexTile = castToIndex(builder, loc, given);
      if (cast<TileType>(given.getType()).getShape() != type.getShape())
        indexTile =
            BroadcastOp::create(builder, loc, tiles.getType(index), indexTile);
    } else {
      indexTile = dims[dim] ? tiles.iota(index, *dims[dim]) : tiles.zero(index);
    }
    inside = conjoin(inside, areInside(dim, indexTile));
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Returns the dimension of the array for each dimension of the tile.
static SmallVector<int64_t> listArrayDims(ArrayAccessOpInterface access) {
  auto type = cast<TileType>(access.getAccessedTile().getType());
  int64_t leading = access.getOffsets().size() - type.getRank();
  auto list = [&](auto op) {
    return llvm::map_to_vector(
        llvm::seq<int64_t>(type.getRank()),
        [&](int64_t i) { return getArrayDimension(op, i); });
  };
  return llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(access)
      .Case<LoadOp, StoreOp, GatherOp, ScatterOp, AtomicRMWOp>(list)
      .Default([&](Operation *) {
        return llvm::to_vector(
            llvm::seq<int64_t>(leading, access.getOffsets().size()));
      });
}

/// Returns the indices along each of the array's dimensions; null along
/// dimensions without indices.
static SmallVector<Value> listIndices(ArrayAccessOpInterface access) {
  SmallVector<Value> indices(access.getOffsets().size());
  llvm::TypeSwitch<Operation *>(access).Case<GatherOp, ScatterOp>([&](auto op) {
    for (auto [axis, along] :
         llvm::zip_equal(op.getArrayAxes(), op.getIndices()))
      indices[axis] = along;
  });
  return indices;
}

static void assertHolds(OpBuilder &builder, Location loc, Value condition) {
  if (condition)
    AssertOp::create(builder, loc, condition, kMessage);
}

static PromisedAccess describe(OpBuilder &builder,
                               ArrayAccessOpInterface access) {
  ValueRange offsets = access.getOffsets();
  PromisedAccess promised{builder,
                          access.getLoc(),
                          access.getArray(),
                          offsets,
                          SmallVector<std::optional<int64_t>>(offsets.size()),
                          listIndices(access)};
  for (auto [own, dim] : llvm::enumerate(listArrayDims(access)))
    promised.dims[dim] = own;
  return promised;
}

Value tile::isBoxInside(OpBuilder &builder, ArrayAccessOpInterface access) {
  auto type = cast<TileType>(access.getAccessedTile().getType());
  SmallVector<int64_t> extents(access.getOffsets().size(), 1);
  for (auto [own, dim] : llvm::enumerate(listArrayDims(access)))
    extents[dim] = type.getDimSize(own);
  return describe(builder, access).isBoxInside(extents);
}

Value tile::areElementsInside(OpBuilder &builder, ArrayAccessOpInterface access,
                              TileType type) {
  return describe(builder, access).areElementsInside(type);
}

static void assertPromise(OpBuilder &builder, ArrayAccessOpInterface access) {
  Location loc = access.getLoc();
  auto type = cast<TileType>(access.getAccessedTile().getType());
  if (Value mask = access.getMask()) {
    Value inside = areElementsInside(builder, access, type);
    TileBuilder tiles(builder, loc, type.getShape(), type.getStorage());
    Value isLeftOut = tiles.create<arith::XOrIOp>(
        mask, tiles.constant(builder.getI1Type(), 1));
    return assertHolds(builder, loc,
                       tiles.create<arith::OrIOp>(isLeftOut, inside));
  }
  assertHolds(builder, loc, isBoxInside(builder, access));
  PromisedAccess promised = describe(builder, access);
  for (auto [dim, indices] : llvm::enumerate(promised.indices))
    if (indices)
      assertHolds(builder, loc,
                  promised.areInside(dim, castToIndex(builder, loc, indices)));
}

/// Asserts that the copied tile is inside the array where the condition, if
/// there is one, holds.
static void assertPromise(OpBuilder &builder, tile_gpu::CopyAsyncOp copy) {
  Location loc = copy.getLoc();
  ValueRange offsets = copy.getOffsets();
  PromisedAccess promised{builder, loc, copy.getSource(),
                          offsets, {},  SmallVector<Value>(offsets.size())};
  ArrayRef<int64_t> shape = getTileShape(copy.getDest().getType());
  SmallVector<int64_t> extents(offsets.size() - shape.size(), 1);
  llvm::append_range(extents, shape);
  Value inside = promised.isBoxInside(extents);
  if (Value condition = copy.getCondition()) {
    Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value isLeftOut = arith::XOrIOp::create(builder, loc, condition, always);
    inside = arith::OrIOp::create(builder, loc, isLeftOut, inside);
  }
  assertHolds(builder, loc, inside);
}

/// Whether an array has more than one dimension. An access outside an array of
/// one dimension is outside its memory, which the emulator reports with the
/// address.
static bool hasRows(Value array) {
  return cast<MemRefType>(array.getType()).getRank() > 1;
}

void tile::assertInsideArray(OpBuilder &builder, Operation *access) {
  auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(access);
  if (copy && copy.getInBounds() && hasRows(copy.getSource()))
    assertPromise(builder, copy);
  auto other = dyn_cast<ArrayAccessOpInterface>(access);
  if (other && other.getInBounds() && hasRows(other.getArray()))
    assertPromise(builder, other);
}
