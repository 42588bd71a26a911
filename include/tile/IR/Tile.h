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
#include "tile/IR/MatrixShape.h"
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

/// Hashes a layout: layouts are parameters of attributes, which are uniqued by
/// hash.
llvm::hash_code hash_value(const Layout &layout);

/// Whether a type may be the element type of a tile: f64 f32 f16 bf16 f8E4M3FN
/// f8E5M2, i1 i8 i16 i32 i64 index, complex<f32> complex<f64>.
bool isTileElementType(mlir::Type type);

/// Returns the bytes of one element in memory: one for i1, eight for index.
int64_t getElementBytes(mlir::Type type);

/// Returns the number of 32-bit registers that hold one element.
int64_t getElementRegisters(mlir::Type type);

/// Returns the type of a tile's elements, or of their real and imaginary parts
/// if they are complex.
/// @pre the elements are floating-point or complex.
mlir::FloatType getRealType(TileType type);

/// Whether a type is an array in global memory: a memref of rank 1 to 8 with
/// strides and an element type of tiles, in no memory space or
/// #gpu.address_space<global>.
bool isGlobalArray(mlir::Type type);

/// Returns the dimension of an array along which adjacent elements are adjacent
/// in memory, according to its type; nothing if no static stride is one.
std::optional<int64_t> getContiguousDimension(mlir::MemRefType array);

/// Returns the contiguous dimension of the array as a dimension of a tile of
/// rank `rank`, which covers the last dimensions of the array; nothing if the
/// tile does not have that dimension.
std::optional<int64_t> getContiguousDimension(mlir::MemRefType array,
                                              int64_t rank);

/// Maximum number of bytes of one access of a thread (PTX ISA, "Vectors": 128
/// bits).
constexpr int64_t kMaxAccessBytes = 16;

/// Whether a type is a memref whose memory space is a resolved #tile.shared.
bool isSharedBuffer(mlir::Type type);

/// The trait of operations for which the dialect promises an external model of
/// an interface (Tile_Promises).
template <typename Interface>
struct Promises {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, Impl> {};
};

/// The trait of operations that a thread can repeat instead of keeping the
/// result: each repetition costs no more than a move.
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

/// The trait of operations in functions of the host, which no kernel may
/// contain.
template <typename ConcreteOp>
class HostOperation
    : public mlir::OpTrait::TraitBase<ConcreteOp, HostOperation> {};

/// The trait of operations that only exist in programs from the pass `pass` on,
/// which creates them.
template <TilePass pass>
struct MadeBy {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, Impl> {};
};

/// Converts the operands and results of an operation with LayoutOpInterface to
/// the layouts that it requires. `wanted` has the types that the users of its
/// results expect, as for LayoutOpInterface::adaptToLayouts.
void adaptToRequired(mlir::Operation *op, llvm::ArrayRef<TileType> wanted,
                     int64_t numWarps);

/// Returns the shape of a tile, or of the tile that a buffer holds.
llvm::ArrayRef<int64_t> getTileShape(mlir::Type tileOrBuffer);

/// A dimension of a tile.
struct TileDimension {
  mlir::Value tile;
  int64_t dim;
};

} // namespace tile

#include "tile/IR/TileDialect.h.inc"
#include "tile/IR/TileEnums.h.inc"

#include "tile/IR/MatrixInstructionInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.h.inc"

#include "tile/IR/TileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tile/IR/TileOps.h.inc"

namespace tile {

/// Whether a dialect is `tile`, or `tile_gpu`, to which phases lower it.
bool isTileDialect(mlir::Dialect *dialect);

/// Whether an operation is of one of the two dialects.
inline bool isTileOperation(mlir::Operation *op) {
  return isTileDialect(op->getDialect());
}

/// Whether a name of the tile dialect only stands for an operation of tile_gpu
/// in files of older versions.
bool isOldSpelling(mlir::OperationName name);

/// Whether an operation is one that -tile-decompose replaces.
bool isComposite(mlir::Operation *op);

/// Fails, with an error at `op`, if the dialect of its context lacks an
/// interface that it promises for its operations.
llvm::LogicalResult verifyPromises(mlir::Operation *op);

/// Returns the dimension of the box of a layout whose neighbours are one
/// element apart: the last such dimension, or the last one if there is none.
/// @pre the layout is resolved.
int64_t getContiguousDimension(SharedAttr shared);

/// Whether an operation takes or makes tiles.
bool hasTiles(mlir::Operation *op);

/// Whether an operation only makes constant tiles, or only passes tiles into
/// and out of regions, so that it need not implement the interfaces for tiles.
bool handsTilesOn(mlir::Operation *op);

/// Returns the type in which tile.per_thread gives a thread its share of a
/// tile: one element, or a vector of the elements at the thread's index along
/// the first dimension.
/// @pre the tile has a dimension.
mlir::Type getThreadType(TileType tile);

/// Returns the identity element of the reduction `kind` for a type that is not
/// complex, for example -0 for a floating-point sum.
mlir::TypedAttr getIdentity(mlir::Builder &builder, ReduceKind kind,
                            mlir::Type type);

/// Return the storage in which an operation reads the tile `use`, and in which
/// it leaves its results: registers if the operation does not specify it.
Placement getPlacement(mlir::OpOperand &use);
Placement getPlacement(mlir::Operation *op);

/// Whether an operation's result is its first operand, or a part of it, under
/// another name.
bool isAlias(mlir::Operation *op);

/// Returns the first pass that creates such an operation; nothing for an
/// operation that may be in a program before all passes.
std::optional<TilePass> getMaker(mlir::Operation *op);

/// Whether an operation is an asynchronous matmul.
bool isAsyncMatmul(mlir::Operation *op);

/// Old names, until version 0.4.
using PlacesOpInterface = BoundsOpInterface;
using ProductOpInterface = MatmulOpInterface;
inline bool isAsyncProduct(mlir::Operation *op) { return isAsyncMatmul(op); }

} // namespace tile

#endif // TILE_IR_TILE_H
