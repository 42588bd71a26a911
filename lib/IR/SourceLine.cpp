// SourceLine.cpp - the line of a tile program that an operation comes from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/SourceLine.h"

using namespace mlir;
using namespace tile;

/// String that distinguishes the attribute of a scatter from other distinct
/// attributes.
static constexpr llvm::StringLiteral kScatter = "tile.scatter";

Location tile::nameScatter(Location location) {
  MLIRContext *context = location.getContext();
  return FusedLoc::get(
      context, {location},
      DistinctAttr::create(StringAttr::get(context, kScatter)));
}

DistinctAttr tile::findScatter(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto scatter =
      fused ? dyn_cast_or_null<DistinctAttr>(fused.getMetadata()) : nullptr;
  auto name = scatter ? dyn_cast<StringAttr>(scatter.getReferencedAttr())
                      : StringAttr();
  return name && name.getValue() == kScatter ? scatter : DistinctAttr();
}

std::optional<FileLineColLoc> tile::getFileLocation(Location location) {
  if (auto position = dyn_cast<FileLineColLoc>(location))
    return position;
  if (auto name = dyn_cast<NameLoc>(location))
    return getFileLocation(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    auto callee = getFileLocation(call.getCallee());
    return callee ? callee : getFileLocation(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (auto position = getFileLocation(part))
        return position;
  return std::nullopt;
}
