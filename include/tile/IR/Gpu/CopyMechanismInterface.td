// The interface of the attributes that are copy mechanisms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_COPYMECHANISMINTERFACE
#define TILE_IR_GPU_COPYMECHANISMINTERFACE

include "mlir/IR/OpBase.td"

def TileGpu_CopyMechanismAttrInterface
    : AttrInterface<"CopyMechanismAttrInterface"> {
  let description = [{
    A way to fill a buffer in shared memory with a box of an array. A load that runs
    ahead of its loop has one as `tile.copy`, and `tile_gpu.copy_async` has one.

    The threads of the block start a copy, which fills a stage of the tile's circular
    buffer and of further buffers that the mechanism needs. When the copy has arrived,
    the threads may have to finish the tile before it is read. The phases of the
    compiler query these properties, and name no mechanism.
  }];
  let cppNamespace = "::tile_gpu";
  let methods = [
    InterfaceMethod<"Returns what completes a fill.",
                    "::tile_gpu::Arrival", "getArrival", (ins), "", [{
      return ::tile_gpu::Arrival::kGroup;
    }]>,
    InterfaceMethod<"Returns whether a row is copied as the aligned chunks of 16 bytes "
                    "that cover it, so that it may start at any byte.",
                    "bool", "coversRows", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns whether threads write to the tile's buffer after the copy "
                    "has arrived (`finish`).",
                    "bool", "isFinishedByThreads", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns whether a copy has a buffer besides the tile's.",
                    "bool", "hasExtraBuffer", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns the type of the buffer that a load of `tile`, whose layout "
                    "is known, needs besides the tile's; null for none.",
                    "::mlir::MemRefType", "getExtraBuffer",
                    (ins "::tile::TileType":$tile), "", [{
      return {};
    }]>,
    InterfaceMethod<"Creates the operations that finish the tile in `dest` after the "
                    "copy of the box of `load` at `offsets` has arrived; `extra` is its "
                    "further buffer, if it has one.",
                    "void", "finish",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::tile::CopyableOpInterface":$load,
                         "::mlir::ValueRange":$offsets, "::mlir::Value":$dest,
                         "::mlir::Value":$extra), "", [{
      return;
    }]>,
  ];
}

#endif // TILE_IR_GPU_COPYMECHANISMINTERFACE
