// WarpgroupProduct.h - the old path of tile/Analysis/DescriptorLayout.h and
// InstructionEligibility.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/DescriptorLayout.h"
#include "tile/Analysis/InstructionEligibility.h"
