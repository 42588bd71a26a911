// ComplexScale.h - the old path of tile/Algorithms/ComplexScale.h, until
// version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Algorithms/ComplexScale.h"
