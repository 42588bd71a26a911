// RegisterTiles.h - a thread's share of a tile as SSA values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in registers becomes one value for every 32 bits: a scalar for types
// of 32 bits and more, a vector that fills 32 bits for smaller ones where the
// layout's values allow, so that packed arithmetic is used. The values are in
// the order of the layout's value mode.

#ifndef TILE_CONVERSION_TILETONVGPU_REGISTERTILES_H
#define TILE_CONVERSION_TILETONVGPU_REGISTERTILES_H

#include "tile/Analysis/SharedWidth.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// Number of elements of one SSA value of a register tile.
int64_t getPackWidth(TileType type);

/// The type of one SSA value: the element, or a vector of getPackWidth.
mlir::Type getPackType(TileType type);

/// Number of values that a thread holds, padding included.
int64_t getNumValues(TileType type);

/// The types of the SSA values of a register tile.
llvm::SmallVector<mlir::Type> getPackTypes(TileType type);

/// Convert packs to single elements (`unpack`), and back (`pack`).
llvm::SmallVector<mlir::Value> unpack(mlir::OpBuilder &builder,
                                      mlir::Location loc, TileType type,
                                      mlir::ValueRange packs);
llvm::SmallVector<mlir::Value> pack(mlir::OpBuilder &builder,
                                    mlir::Location loc, TileType type,
                                    mlir::ValueRange elements);

/// Returns a chunk of a tile's packs: `count` elements from `first` on, as a
/// vector, or as a scalar if `count` is one. `packChunks` returns the packs of
/// a tile whose elements are in such chunks.
mlir::Value getChunk(mlir::OpBuilder &builder, mlir::Location loc,
                     TileType type, mlir::ValueRange packs, int64_t first,
                     int64_t count);
llvm::SmallVector<mlir::Value> packChunks(mlir::OpBuilder &builder,
                                          mlir::Location loc, TileType type,
                                          mlir::ValueRange chunks);

/// Repeats a tile of type `from` along its dimensions of extent one, and along
/// missing leading dimensions, to the shape of `to`. Returns an element for
/// each value of `to`.
/// @pre the layout of `from` is that of `to`, without the threads and values
/// along the repeated dimensions.
llvm::SmallVector<mlir::Value>
repeatElements(TileType from, llvm::ArrayRef<mlir::Value> elements,
               TileType to);

/// Returns, for each value of `tile`, its element of a tile of indices, as a
/// value of type index. `packs` are those of the tile of indices, which is
/// repeated to the shape of `tile` (repeatElements).
llvm::SmallVector<mlir::Value>
repeatIndices(mlir::OpBuilder &builder, mlir::Location loc, TileType indices,
              mlir::ValueRange packs, TileType tile);

/// Replaces each result of an operation by its packs. The packs become results
/// of one operation, which eraseBundles removes in the end: if they were
/// results of several operations, MLIR's conversion would search for the last
/// of these by a walk over their block.
void replaceWithPacks(mlir::ConversionPatternRewriter &rewriter,
                      mlir::Operation *op,
                      llvm::SmallVector<llvm::SmallVector<mlir::Value>> packs);
void eraseBundles(mlir::Operation *root);

/// Creates a zero constant of a scalar or vector type.
mlir::Value createZero(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type);

/// Returns one element of a scalar or vector.
mlir::Value extractElement(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, int64_t index);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_REGISTERTILES_H
