// ProductWaits.h - the old path of tile/Analysis/MatmulWaits.h, until version
// 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/MatmulWaits.h"
