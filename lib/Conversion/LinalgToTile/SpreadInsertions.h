// SpreadInsertions.h - insertions with strides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_SPREADINSERTIONS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_SPREADINSERTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace tile::fromlinalg {

/// Converts each `tensor.insert_slice` whose strides are not all one, as in a
/// transposed convolution, to a generic that reads an element of the source
/// where there is one. Strides that are known only at run time must not be
/// zero; an operation with a stride that is known to be zero is not converted.
void populateSpreadInsertionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_SPREADINSERTIONS_H
