// WarpgroupProduct.h - the old path of tile/Analysis/WarpgroupMatmul.h, until
// version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/WarpgroupMatmul.h"
