// The tile_gpu dialect, to which phases lower kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_TILEGPUDIALECT
#define TILE_IR_GPU_TILEGPUDIALECT

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def TileGpu_Dialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tile_gpu";
  let summary = "buffers, copies and MMAs of a thread block";
  let description = [{
    The operations to which phases 5 to 8 lower a kernel of the `tile` dialect: they
    access buffers in shared memory, start asynchronous copies and MMAs, and wait for
    them. No program contains them before phase 5. `-convert-tile-to-nvgpu` replaces
    them, some by `tile_gpu.warpgroup_mma`, which remains until PTX is written. Tiles and
    their attributes are those of the `tile` dialect.

    Up to version 4 of the `tile` dialect's bytecode these operations belonged to that
    dialect. Files of these versions, and text with the old spellings such as
    `tile.copy_async`, are still read.
  }];
  let dependentDialects = ["::tile::TileDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// The bytecode version that this build writes. In version 1 a copy that covers
    /// rows had a unit attribute instead of its mechanism.
    static constexpr uint64_t kBytecodeVersion = 2;
  }];
}

class TileGpu_Op<string mnemonic, list<Trait> traits = []>
    : Op<TileGpu_Dialect, mnemonic, traits>;

#endif // TILE_IR_GPU_TILEGPUDIALECT
