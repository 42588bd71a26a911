// ExpandCopies.cpp - copies of buffers as loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream lowers `memref.copy` of a part of a buffer to a call of a library
// function; a loop needs no library, and LLVM converts it to a memcpy if
// possible.

#include "tile/Conversion/Passes.h"

namespace tile {
#define GEN_PASS_DEF_EXPANDCOPIES
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct ExpandCopies : tile::impl::ExpandCopiesBase<ExpandCopies> {
  using ExpandCopiesBase::ExpandCopiesBase;

  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) {
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      copy.erase();
    });
  }
};
} // namespace
