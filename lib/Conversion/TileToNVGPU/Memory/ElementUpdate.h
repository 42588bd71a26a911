// ElementUpdate.h - an atomic update of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTUPDATE_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTUPDATE_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Emitter of relaxed atomic updates of elements, all of the same kind.
class ElementUpdate {
public:
  ElementUpdate(mlir::OpBuilder &builder, mlir::Location loc, AtomicKind kind,
                AtomicScope scope)
      : builder(builder), loc(loc), kind(kind), scope(scope) {}

  /// Updates the element at `pointer` and returns its old value.
  /// @p expected is null except for compare_exchange.
  mlir::Value emit(mlir::Value pointer, mlir::Value value,
                   mlir::Value expected);

private:
  mlir::Value emitInstruction(mlir::Value pointer, mlir::Value value,
                              mlir::Type element);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  AtomicKind kind;
  AtomicScope scope;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTUPDATE_H
