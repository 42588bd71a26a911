// VerifyTarget.h - old path of tile/VerifyTarget/VerifyTarget.h, until 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/VerifyTarget/VerifyTarget.h"
