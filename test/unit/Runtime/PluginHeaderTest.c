/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C headers are read by a C compiler. */

#include "tile/Runtime/CRuntime.h"
#include "tile/Runtime/Plugin.h"

int tilePluginVersionInC(void) { return TILE_PLUGIN_VERSION; }
