// RealParts.h - values as vectors of real parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region on elements that is linear in some of them is a matrix, whose
// columns are its results for unit vectors. This transposes regions of any
// form, as long as there are few elements.

#ifndef TILE_LIB_GRADIENT_RULES_REALPARTS_H
#define TILE_LIB_GRADIENT_RULES_REALPARTS_H

#include "tile/Gradient/ValueBuilder.h"

namespace tile {

/// Scalars or tiles of some element types as a vector of real parts: a complex
/// value has two of them. All parts have the widest of their types.
class RealParts {
public:
  explicit RealParts(llvm::ArrayRef<mlir::Type> elements);

  size_t size() const { return parts.size(); }
  mlir::Type getType() const { return type; }

  /// Returns the parts of values of the element types; those of null are null.
  llvm::SmallVector<mlir::Value>
  split(ValueBuilder &b, llvm::ArrayRef<mlir::Value> values) const;
  /// Returns values of the element types with these parts.
  llvm::SmallVector<mlir::Value> join(ValueBuilder &b,
                                      mlir::ValueRange values) const;
  /// Returns scalars that are zero, except for part `unit`, which is one.
  llvm::SmallVector<mlir::Value>
  makeUnit(ValueBuilder &b, std::optional<size_t> unit = {}) const;

private:
  struct Part {
    size_t element;
    bool isImaginary;
  };
  llvm::SmallVector<mlir::Type> elements;
  llvm::SmallVector<Part> parts;
  mlir::Type type;
};

/// Returns the inner product of vectors of parts; a null part is zero.
mlir::Value multiplyParts(ValueBuilder &b, llvm::ArrayRef<mlir::Value> left,
                          llvm::ArrayRef<mlir::Value> right);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_REALPARTS_H
