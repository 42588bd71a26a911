// Tile.h - the dialect: types, attributes, operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one header for users of the dialect. The meaning of an operation is
// specified in the .td files and in docs/reference.

#ifndef TILE_IR_TILE_H
#define TILE_IR_TILE_H

#include "tile/IR/Bufferizer.h"
#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/FourierTransform.h"
#include "tile/IR/Placement.h"
#include "tile/IR/SharedDemand.h"
#include "tile/IR/TilePass.h"
#include "tile/Layout/Layout.h"
#include "tile/Layout/RegisterLayout.h"
#include "tile/Layout/Swizzle.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tile {

class CooperativeOpInterface;

/// Layouts are parameters of attributes, which are uniqued by hash.
llvm::hash_code hash_value(const Layout &layout);

/// The element types of tiles: f64 f32 f16 bf16 f8E4M3FN f8E5M2, i1 i8 i16 i32
/// i64 index, complex<f32> complex<f64>.
bool isTileElementType(mlir::Type type);

/// Bytes of one element in memory; i1 takes one, index eight.
int64_t getElementBytes(mlir::Type type);

/// Registers of 32 bits that hold one element.
int64_t getElementRegisters(mlir::Type type);

/// The type of a tile's elements, or of their parts if they are complex.
/// @pre they are floating-point or complex.
mlir::FloatType getRealType(TileType type);

/// A memref of rank 1 to 8 in global memory (no memory space, or
/// #gpu.address_space<global>), with strides, of a tile's element type.
bool isGlobalArray(mlir::Type type);

/// The dimension of the array along which neighbours are one element apart, by
/// its type; none if no static stride is one.
std::optional<int64_t> getContiguousDimension(mlir::MemRefType array);

/// The contiguous dimension of the array as a dimension of a tile of `rank`
/// that is a box of the array; none if it is one of the array's dimensions
/// before the tile's.
std::optional<int64_t> getContiguousDimension(mlir::MemRefType array,
                                              int64_t rank);

/// A memref whose memory space is a resolved #tile.shared.
bool isSharedBuffer(mlir::Type type);

/// The trait of operations that implement an interface by an external model,
/// which the dialect promises (Tile_Promises).
template <typename Interface>
struct Promises {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, Impl> {};
};

/// The trait of operations that a thread repeats at the cost of a move.
template <typename ConcreteOp>
class Rematerializable
    : public mlir::OpTrait::TraitBase<ConcreteOp, Rematerializable> {};

/// The trait of operations that start a copy.
template <typename ConcreteOp>
class AsyncCopy : public mlir::OpTrait::TraitBase<ConcreteOp, AsyncCopy> {};

/// The trait of operations whose region every thread runs by itself.
template <typename ConcreteOp>
class ThreadRegion : public mlir::OpTrait::TraitBase<ConcreteOp, ThreadRegion> {
};

/// The trait of operations of the host's functions, which are in no kernel.
template <typename ConcreteOp>
class HostOperation
    : public mlir::OpTrait::TraitBase<ConcreteOp, HostOperation> {};

/// The trait of operations that a pass makes, and no program has before it.
template <TilePass pass>
struct MadeBy {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, Impl> {};
};

/// Brings the tiles of an operation, which has LayoutOpInterface, to the
/// layouts that it requires. `wanted` as for LayoutOpInterface::adaptToLayouts.
void adaptToRequired(mlir::Operation *op, llvm::ArrayRef<TileType> wanted,
                     int64_t numWarps);

/// The shape of a tile operand, or of the tile that a buffer holds.
llvm::ArrayRef<int64_t> getTileShape(mlir::Type tileOrBuffer);

} // namespace tile

#include "tile/IR/TileDialect.h.inc"
#include "tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.h.inc"

#include "tile/IR/TileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tile/IR/TileOps.h.inc"

namespace tile {

/// Whether an operation is one that -tile-decompose replaces.
bool isComposite(mlir::Operation *op);

/// Fails, with an error at `op`, if the dialect of its context lacks an
/// interface that it promises for its operations.
llvm::LogicalResult verifyPromises(mlir::Operation *op);

/// Whether an operation takes or makes tiles.
bool hasTiles(mlir::Operation *op);

/// Whether an operation only makes constant tiles or hands tiles in and out of
/// regions: nothing has to be declared for it.
bool handsTilesOn(mlir::Operation *op);

/// The type of a thread's share of a tile in tile.per_thread: an element, or a
/// vector of the elements at its index along the first dimension.
/// @pre the tile has a dimension.
mlir::Type getThreadType(TileType tile);

/// The identity element of `kind`, of a type that is not complex: -0 for a
/// floating-point sum.
mlir::TypedAttr getIdentity(mlir::Builder &builder, ReduceKind kind,
                            mlir::Type type);

/// Storage in which an operation reads a tile, and in which it leaves its
/// results: registers if the operation does not specify it.
Placement getPlacement(mlir::OpOperand &use);
Placement getPlacement(mlir::Operation *op);

/// Whether an operation's result is its first operand under another name.
bool isAlias(mlir::Operation *op);

/// The first pass that makes such an operation; none for an operation that a
/// program may have before.
std::optional<TilePass> getMaker(mlir::Operation *op);

/// Whether an operation is an asynchronous matmul.
bool isAsyncMatmul(mlir::Operation *op);

/// The old names of MatmulOpInterface and isAsyncMatmul, until version 0.4.
using ProductOpInterface = MatmulOpInterface;
inline bool isAsyncProduct(mlir::Operation *op) { return isAsyncMatmul(op); }

} // namespace tile

#endif // TILE_IR_TILE_H
