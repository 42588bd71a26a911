// IntegerList.h - lists of integers in messages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_INTEGERLIST_H
#define TILE_LIB_TRANSFORMS_INTEGERLIST_H

#include "llvm/ADT/StringExtras.h"

namespace tile {

/// Joins integers with a separator, such as "2 x 2" or "128x128".
inline std::string formatIntegers(llvm::ArrayRef<int64_t> values,
                                  llvm::StringRef separator) {
  return llvm::join(
      llvm::map_range(values, [](int64_t n) { return std::to_string(n); }),
      separator);
}

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_INTEGERLIST_H
