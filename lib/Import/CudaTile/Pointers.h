// Pointers.h - tiles of pointers of CUDA Tile and their addresses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers are offsets, in elements, from an origin: a parameter of the entry,
// or an array that the launcher provides. Those that are made of integers, or
// of pointers to other elements, have addresses instead.

#ifndef TILE_LIB_IMPORT_CUDATILE_POINTERS_H
#define TILE_LIB_IMPORT_CUDATILE_POINTERS_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// Returns offsets in 64 bits, as addresses have them.
mlir::Value widen(KernelTranslator &t, mlir::Value offsets);

/// Returns the type of elements in memory; null, and an error, for those of
/// less than a byte and for other types that have no translation.
mlir::Type getPointee(KernelTranslator &t, const SourceOp &op,
                      const SourceType *pointers);

/// Returns the addresses of pointers of this type, to elements that have a
/// translation.
mlir::Value getAddresses(KernelTranslator &t, const Meaning &pointers,
                         const SourceType *type);

/// Returns pointers without an origin.
Meaning getPointers(mlir::Value addresses);

/// Returns pointers moved by offsets in elements.
Meaning move(KernelTranslator &t, Meaning pointers, mlir::Value offset,
             mlir::Type pointee);

/// Elements of an array without shape.
struct Elements {
  mlir::Value array;
  /// Their indices; null if they are zero.
  mlir::Value offset;
};
Elements getElements(KernelTranslator &t, const Meaning &pointers,
                     mlir::Type pointee);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_POINTERS_H
