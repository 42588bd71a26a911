// The interface of operations that the threads of a block compute together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_COOPERATIVEOPINTERFACE
#define TILE_IR_COOPERATIVEOPINTERFACE

include "mlir/IR/OpBase.td"

def Tile_CooperativeOpInterface : OpInterface<"CooperativeOpInterface"> {
  let description = [{
    An operation of whose instances (matmuls of a batch, rows that are sorted)
    several threads may compute one together: how many warps serve it, and in
    which ways its instances can be distributed over the warps that there are.
    `-tile-warp-tiling` gives the block as many warps as its operations request,
    and has each operation computed by the cheapest of its distributions.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"How many warps serve the operation. By default it requests "
                    "none: the other tiles of the kernel decide.",
                    "::tile::WarpDemand", "getWarpDemand",
                    (ins "const ::tile::DistributionContext &":$context), "", [{
      (void)context;
      return {};
    }]>,
    InterfaceMethod<[{
      The ways to distribute the instances over the context's warps, of equal ones
      the preferred first. Fails, after an error at the operation, if the
      program requests an impossible distribution.
      @pre the kernel has a block size
    }],
                    "::mlir::FailureOr<::llvm::SmallVector<::tile::WorkDistribution>>",
                    "enumerateDistributions",
                    (ins "const ::tile::DistributionContext &":$context)>,
    InterfaceMethod<"Makes the operation use one of these distributions. By "
                    "default nothing changes: the operation requests the "
                    "layouts that follow from it.",
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
