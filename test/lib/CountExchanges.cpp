// CountExchanges.cpp - counts layout conversions by how they move elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -test-tile-count-exchanges reports in a remark for each kernel how many
// layout conversions stay within a thread, use warp shuffles, and go through
// shared memory with a block barrier; and how many of the last could be
// shuffles, because each warp already holds the elements that its lanes need.

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Tile.h"
#include "tile/Layout/LaneExchange.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tile;

namespace {
struct CountExchanges : PassWrapper<CountExchanges, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountExchanges)

  StringRef getArgument() const final { return "test-tile-count-exchanges"; }
  StringRef getDescription() const final {
    return "say by what changes of layout move elements";
  }

  void runOnOperation() final {
    int64_t inThread = 0, shuffles = 0, exchanges = 0, inWarp = 0;
    getOperation().walk([&](ConvertLayoutOp op) {
      auto from = cast<TileType>(op.getSource().getType());
      auto to = cast<TileType>(op.getResult().getType());
      if (!from.getRegister() || !to.getRegister())
        return;
      RegisterMove move = getRegisterMove(from, to);
      inThread += move == RegisterMove::inThread;
      shuffles += move == RegisterMove::shuffles;
      if (move != RegisterMove::exchange)
        return;
      ++exchanges;
      inWarp += planLaneExchange(from.getRegister().getRegisterLayout(),
                                 to.getRegister().getRegisterLayout())
                    .has_value();
    });
    getOperation().emitRemark()
        << inThread << " in threads, " << shuffles << " by shuffles, "
        << exchanges << " through shared memory, " << inWarp
        << " of them within warps";
    markAllAnalysesPreserved();
  }
};
} // namespace

namespace tile::test {
void registerCountExchanges() { PassRegistration<CountExchanges>(); }
} // namespace tile::test
