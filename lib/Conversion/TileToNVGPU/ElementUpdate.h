// ElementUpdate.h - an atomic update of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_ELEMENTUPDATE_H
#define TILE_CONVERSION_TILETONVGPU_ELEMENTUPDATE_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Updates of elements by one operation, relaxed.
class ElementUpdate {
public:
  ElementUpdate(mlir::OpBuilder &builder, mlir::Location loc, AtomicKind kind,
                AtomicScope scope)
      : builder(builder), loc(loc), kind(kind), scope(scope) {}

  /// Updates the element at a pointer; returns what was there. @p expected for
  /// compare_exchange, and null else.
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

#endif // TILE_CONVERSION_TILETONVGPU_ELEMENTUPDATE_H
