// Passes.h - the old path of tile/VerifyTarget/Passes.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/VerifyTarget/Passes.h"
