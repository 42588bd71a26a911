// Codes.h - elements of CUDA Tile that are kept as their bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect has no elements of four bits and none of f8E8M0FNU. A tile
// of these is one of i8: of the integers for i4, otherwise of the elements'
// bits. Arithmetic takes none of them, only conversions do.

#ifndef TILE_LIB_IMPORT_CUDATILE_CODES_H
#define TILE_LIB_IMPORT_CUDATILE_CODES_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// Whether elements have four bits.
inline bool hasHalfBytes(const SourceType *element) {
  return element->tag == TypeTag::i4 || element->tag == TypeTag::f4E2M1FN;
}

/// Whether elements are floats that are kept as their bits.
inline bool isCodedFloat(const SourceType *element) {
  return element->tag == TypeTag::f4E2M1FN ||
         element->tag == TypeTag::f8E8M0FNU;
}

/// Whether elements are kept as their bits, or as i8 in place of i4.
inline bool isCoded(const SourceType *element) {
  return element->tag == TypeTag::i4 || isCodedFloat(element);
}

/// Returns the values of codes, a scalar or a tile, as bf16 or f32 and without
/// error; `element` is the type of the codes.
mlir::Value decode(KernelTranslator &t, mlir::Value codes,
                   const SourceType *element, mlir::Type to);

/// Returns the codes of floats, a tile or a scalar, which is not of f8: to
/// nearest for f4E2M1FN, and for f8E8M0FNU up if `roundsUp`, otherwise down.
/// Values that are too large become the largest one.
mlir::Value encode(KernelTranslator &t, mlir::Value number,
                   const SourceType *element, bool roundsUp);

/// Returns the integers of the lowest four bits of integers of 8 bits.
mlir::Value extendHalfBytes(KernelTranslator &t, mlir::Value codes,
                            bool isSigned);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_CODES_H
