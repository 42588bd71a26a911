// KernelResources.h - resources that a launch of a kernel uses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of a launch fix how often a block executes each operation
// (LaunchValues.h).

#ifndef TILE_ANALYSIS_KERNELRESOURCES_H
#define TILE_ANALYSIS_KERNELRESOURCES_H

#include "tile/Analysis/LaunchTime.h"
#include "tile/Analysis/LaunchValues.h"

namespace tile {

/// Collects the resources of a launch, as the mean of some of its blocks.
/// @pre -tile-assign-stages has run on the kernel, and the launch has a block.
LaunchResources collectResources(KernelOp kernel, const LaunchSizes &launch,
                                 const Architecture &architecture,
                                 const Machine &machine);

} // namespace tile

#endif // TILE_ANALYSIS_KERNELRESOURCES_H
