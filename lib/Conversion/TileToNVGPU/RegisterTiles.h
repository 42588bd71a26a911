// RegisterTiles.h - a thread's share of a tile as SSA values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in registers becomes one value for every 32 bits: a scalar for types
// of 32 bits and more, a vector that fills 32 bits for smaller ones where the
// layout's values allow, so that packed arithmetic is used. The values are in
// the order of the layout's value mode.

#ifndef TILE_CONVERSION_TILETONVGPU_REGISTERTILES_H
#define TILE_CONVERSION_TILETONVGPU_REGISTERTILES_H

#include "tile/IR/Tile.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// Whether a vector of the type has the bytes of its elements one after the
/// other: complex numbers make no vector, i1 is one bit in it and a byte in
/// memory.
bool isVectorElement(mlir::Type type);

/// Elements of one SSA value of a register tile.
int64_t getPackWidth(TileType type);

/// The type of one SSA value: the element, or a vector of getPackWidth.
mlir::Type getPackType(TileType type);

/// Values a thread holds, padding included.
int64_t getNumValues(TileType type);

/// Packs to single elements, and back.
llvm::SmallVector<mlir::Value> unpack(mlir::OpBuilder &builder,
                                      mlir::Location loc, TileType type,
                                      mlir::ValueRange packs);
llvm::SmallVector<mlir::Value> pack(mlir::OpBuilder &builder,
                                    mlir::Location loc, TileType type,
                                    mlir::ValueRange elements);

/// `count` elements from the first on, as a vector (a scalar for one), from
/// the tile's packs; and the packs of a tile from such chunks.
mlir::Value getChunk(mlir::OpBuilder &builder, mlir::Location loc,
                     TileType type, mlir::ValueRange packs, int64_t first,
                     int64_t count);
llvm::SmallVector<mlir::Value> packChunks(mlir::OpBuilder &builder,
                                          mlir::Location loc, TileType type,
                                          mlir::ValueRange chunks);

/// A constant of a scalar or vector type.
mlir::Value createZero(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type);

/// One element from a scalar or vector.
mlir::Value extractElement(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, int64_t index);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_REGISTERTILES_H
