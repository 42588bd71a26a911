// RootsOfUnity.h - the old path of tile/Algorithms/RootsOfUnity.h, until
// version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Algorithms/RootsOfUnity.h"
