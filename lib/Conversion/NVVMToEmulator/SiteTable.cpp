// SiteTable.cpp - the instructions of a module that the emulator reports on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SiteTable.h"

#include "tile/IR/SourceLine.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

emulator::Site tile::makeSite(emulator::SiteKind kind, StringRef instruction) {
  emulator::Site site;
  site.kind = kind;
  site.instruction = instruction.str();
  return site;
}

uint32_t SiteTable::getScatter(Operation *store) {
  DistinctAttr scatter = findScatter(store->getLoc());
  return scatter
             ? scatters.try_emplace(scatter, scatters.size() + 1).first->second
             : 0;
}

/// Returns `location` if it is a name, or the name that is the only location of
/// a fused one; otherwise null.
static NameLoc findName(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  if (fused && fused.getLocations().size() == 1)
    location = fused.getLocations().front();
  return dyn_cast<NameLoc>(location);
}

uint32_t SiteTable::add(Operation *op, emulator::Site site) {
  if (NameLoc name = findName(op->getLoc()))
    site.operation = name.getName().str();
  if (std::optional<FileLineColLoc> location = getFileLocation(op->getLoc()))
    site.location =
        llvm::formatv("{0}:{1}:{2}", location->getFilename().getValue(),
                      location->getLine(), location->getColumn());
  sites.push_back(std::move(site));
  return sites.size() - 1;
}
