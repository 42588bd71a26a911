// DerivativeInterfaces.h - interfaces of differentiable operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_DERIVATIVEINTERFACES_H
#define TILE_GRADIENT_DERIVATIVEINTERFACES_H

#include "tile/Gradient/TangentBuilder.h"
#include "tile/Gradient/TransposeBuilder.h"

#include "tile/Gradient/DerivativeInterfaces.h.inc"

#endif // TILE_GRADIENT_DERIVATIVEINTERFACES_H
