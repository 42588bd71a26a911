// The interface of operations whose parts several threads compute together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_COOPERATIVEOPINTERFACE
#define TILE_IR_COOPERATIVEOPINTERFACE

include "mlir/IR/OpBase.td"

def Tile_CooperativeOpInterface : OpInterface<"CooperativeOpInterface"> {
  let description = [{
    An operation that consists of instances, such as the matmuls of a batch or the
    rows of a sort, each of which several threads may compute together. It specifies
    how many warps suit it, and the ways to distribute its instances over the block's
    warps. `-tile-warp-tiling` chooses the number of warps for all operations of the
    kernel, and then the cheapest distribution of each operation.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns how many warps suit the operation. By default it has no "
                    "preference, so that the other tiles of the kernel decide.",
                    "::tile::WarpDemand", "getWarpDemand",
                    (ins "const ::tile::DistributionContext &":$context), "", [{
      (void)context;
      return {};
    }]>,
    InterfaceMethod<[{
      Returns the ways to distribute the instances over the context's warps; of
      equally cheap ones, the first is chosen. Emits an error at the operation and
      fails if the program requests an impossible distribution.
      @pre the kernel has a block size
    }],
                    "::mlir::FailureOr<::llvm::SmallVector<::tile::WorkDistribution>>",
                    "enumerateDistributions",
                    (ins "const ::tile::DistributionContext &":$context)>,
    InterfaceMethod<"Makes the operation use one of the enumerated distributions. By "
                    "default nothing changes, since the layouts that the operation "
                    "requires imply the distribution.",
                    "::llvm::LogicalResult", "distribute",
                    (ins "const ::tile::WorkDistribution &":$distribution,
                         "const ::tile::DistributionContext &":$context), "", [{
      (void)distribution;
      (void)context;
      return ::llvm::success();
    }]>,
  ];
}

#endif // TILE_IR_COOPERATIVEOPINTERFACE
