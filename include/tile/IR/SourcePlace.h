// SourcePlace.h - the old path of tile/IR/SourceLine.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/SourceLine.h"
