// Types of the tile_gpu dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_TILEGPUTYPES
#define TILE_IR_GPU_TILEGPUTYPES

include "tile/IR/Gpu/TileGpuDialect.td"
include "mlir/IR/AttrTypeBase.td"

def TileGpu_ChannelType : TypeDef<TileGpu_Dialect, "Channel"> {
  let mnemonic = "channel";
  let summary = "channel";
  let description = [{
    A value of `!tile_gpu.channel<4>` is a channel with 4 stages: circular buffers that are
    filled and read together. Fills of a channel are numbered from 0; fill n is in stage n
    modulo 4.

    Constraints:
    - (C1) there are 1 to 1024 stages.
  }];
  let parameters = (ins "int64_t":$numStages);
  let assemblyFormat = "`<` $numStages `>`";
  let genVerifyDecl = 1;
}

def TileGpu_CounterType : TypeDef<TileGpu_Dialect, "Counter"> {
  let mnemonic = "counter";
  let summary = "counter of a channel";
  let description = [{
    A value of `!tile_gpu.counter<4>` identifies a fill of a channel with 4 stages. It is
    a constant (`tile_gpu.counter`), the successor of a counter (`tile_gpu.next`), or
    carried by a loop or a branch. A counter is never compared, and never becomes an
    integer before `-convert-tile-to-nvgpu`: code holds only its remainder modulo the
    number of stages.

    Constraints:
    - (C1) there are 1 to 1024 stages.
  }];
  let parameters = (ins "int64_t":$numStages);
  let assemblyFormat = "`<` $numStages `>`";
  let genVerifyDecl = 1;
}

#endif // TILE_IR_GPU_TILEGPUTYPES
