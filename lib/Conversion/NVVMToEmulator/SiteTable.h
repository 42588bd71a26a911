// SiteTable.h - the instructions of a module that the emulator reports on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_SITETABLE_H
#define TILE_CONVERSION_NVVMTOEMULATOR_SITETABLE_H

#include "tile/Emulator/Site.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace tile {

/// The sites of the instructions of a module.
class SiteTable {
public:
  /// Adds `site` for `op`, fills in the location of `op` in the tile program,
  /// and returns the index of the site.
  uint32_t add(mlir::Operation *op, emulator::Site site);

  /// Returns the id of the scatter that a store belongs to, from 1 on; 0 for
  /// none.
  uint32_t getScatter(mlir::Operation *store);

  std::vector<emulator::Site> sites;

private:
  llvm::DenseMap<mlir::Attribute, uint32_t> scatters;
};

/// Returns a site with the given kind and instruction; its other fields are
/// unset.
emulator::Site makeSite(emulator::SiteKind kind, llvm::StringRef instruction);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_SITETABLE_H
