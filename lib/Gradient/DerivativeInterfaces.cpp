// DerivativeInterfaces.cpp - interfaces of differentiable operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/DerivativeInterfaces.h"

#include "tile/Gradient/DerivativeInterfaces.cpp.inc"
