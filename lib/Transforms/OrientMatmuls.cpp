// OrientMatmuls.cpp - the pass that calls orientMatmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/OrientMatmuls.h"

#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_ORIENTMATMULS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace tile;

namespace {
struct OrientMatmuls : tile::impl::OrientMatmulsBase<OrientMatmuls> {
  using OrientMatmulsBase::OrientMatmulsBase;

  void runOnOperation() override { orientMatmuls(getOperation()); }
};
} // namespace
