// WarpgroupProduct.h - the old path of tile/Analysis/DescriptorLayout.h and
// InstructionEligibility.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/DescriptorLayout.h"
#include "tile/Analysis/InstructionEligibility.h"

namespace tile {

inline std::string explainNoWarpgroup(MatmulOpInterface op) {
  return explainNoDescriptors(op);
}

inline bool isWorthWarpgroup(MatmulOpInterface op, const Costs &costs) {
  return isWorthDescriptors(op, costs);
}

} // namespace tile
