// The host: launches of kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_HOSTOPS
#define TILE_IR_HOSTOPS

include "tile/IR/TileOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Tile_HostGroup : OpDocGroup {
  let summary = "The host";
  let description = [{
    Launches of kernels by functions of the host. They are not part of a kernel: the
    phases do not change them, and the metadata describes them as lists of launches
    (KernelMetadata.h).
  }];
}

let opDocGroup = Tile_HostGroup in {

def Tile_LaunchOp : Tile_Op<"launch", [
    Tile_HostOperation, AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run the blocks of a kernel";
  let description = [{
    Runs all blocks of `$kernel` on `$arguments`. The launches of a function run one
    after another, so that each sees all writes of earlier ones.

    `grid` has the numbers of blocks along x, y and z; those that are left out are 1.
    Without `grid`, the kernel's own `grid` specifies them.

    Cost: that of a kernel launch, a few microseconds.

    Constraints:
    - (C1) `$kernel` names a kernel of the module; apart from workspaces, its arguments
      have the types of `$arguments`.
    - (C2) `grid` has up to three operands, and at least one if the kernel has no
      `grid`.
    - (C3) the operation is in a function of the host, not in a kernel.

    Example:

    ```mlir
    tile.launch @scale(%factor, %x, %out)
        : f32, memref<?xf32>, memref<?xf32>
    tile.launch @scale grid(%blocks)(%factor, %x, %out)
        : f32, memref<?xf32>, memref<?xf32>
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    Variadic<Index>:$grid,
    Variadic<AnyTypeOf<[Tile_Scalar, AnyMemRef]>>:$arguments);
  let assemblyFormat = [{
    $kernel (`grid` `(` $grid^ `)`)? `` `(` $arguments `)` attr-dict
    (`:` type($arguments)^)?
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_HOSTOPS
