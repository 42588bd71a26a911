// CopyMechanisms.cpp - choice of the mechanism that copies a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyMechanisms.h"

#include "tile/Analysis/ConvertedLoad.h"
#include "tile/Analysis/RowCover.h"
#include "tile/Analysis/SharedAccess.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

CopyMechanismAttrInterface tile::chooseCopyMechanism(CopyableOpInterface load) {
  MLIRContext *context = load.getContext();
  if (getStoredCopy(load))
    return ThroughRegistersAttr::get(context);
  if (needsCover(load))
    return CoverRowsAttr::get(context);
  return CpAsyncAttr::get(context);
}

int64_t tile::getExtraBytes(CopyableOpInterface load) {
  CopyMechanismAttrInterface mechanism = chooseCopyMechanism(load);
  return mechanism.hasExtraBuffer()
             ? getBufferBytes(mechanism.getExtraBuffer(load.getTileType()))
             : 0;
}

StringRef tile::whyNotCopied(CopyMechanismAttrInterface mechanism,
                             CopyableOpInterface load) {
  bool isStored = mechanism.getArrival() == Arrival::kStores;
  if (isStored != static_cast<bool>(getStoredCopy(load)))
    return isStored ? "a load whose tile is stored to shared memory"
                    : "a load into shared memory";
  if (mechanism.coversRows() && !canCover(load))
    return "a load of rows that chunks of 16 bytes can cover";
  return "";
}
