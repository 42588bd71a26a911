// PassText.h - the old path of tile/Report/PassText.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Report/PassText.h"
