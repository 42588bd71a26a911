// Attributes of the tile_gpu dialect that are copy mechanisms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_COPYMECHANISMATTRS
#define TILE_IR_GPU_COPYMECHANISMATTRS

include "tile/IR/Gpu/CopyMechanismInterface.td"
include "tile/IR/Gpu/TileGpuDialect.td"
include "mlir/IR/AttrTypeBase.td"

class TileGpu_CopyMechanism<string name, string word, list<string> methods>
    : AttrDef<TileGpu_Dialect, name> {
  let mnemonic = word;
  let traits = [DeclareAttrInterfaceMethods<TileGpu_CopyMechanismAttrInterface,
                                            methods>];
}

def TileGpu_CpAsyncAttr : TileGpu_CopyMechanism<"CpAsync", "cp_async", []> {
  let summary = "copies by cp.async";
  let description = [{
    The threads copy vectors of 4, 8 or 16 bytes by `cp.async` (PTX ISA, "cp.async"). A
    box whose vectors are not known to be aligned is copied element by element, by loads
    and stores at the copy.

    Example: `#tile_gpu.cp_async`
  }];
}

def TileGpu_CoverRowsAttr
    : TileGpu_CopyMechanism<"CoverRows", "cover_rows",
                            ["coversRows", "isFinishedByThreads", "hasExtraBuffer",
                             "getExtraBuffer", "finish"]> {
  let summary = "copies of the aligned chunks that cover unaligned rows";
  let description = [{
    The threads copy each row as the aligned chunks of 16 bytes that cover it, by
    `cp.async`, and shift the rows to their positions afterwards
    (`tile_gpu.align_rows`). The further buffer holds the last chunk of each row.

    Example: `#tile_gpu.cover_rows`
  }];
}

def TileGpu_ThroughRegistersAttr
    : TileGpu_CopyMechanism<"ThroughRegisters", "through_registers",
                            ["getArrival", "isFinishedByThreads"]> {
  let summary = "loads to registers, and stores to shared memory";
  let description = [{
    The threads load the tile to registers, compute with it there, and store the result
    to shared memory. No `tile_gpu.copy_async` has this mechanism: the load remains.

    Example: `#tile_gpu.through_registers`
  }];
}

/// An attribute of an operation that is a copy mechanism: cp_async if it is absent.
def TileGpu_CopyMechanismAttr
    : Attr<CPred<"::llvm::isa<::tile_gpu::CopyMechanismAttrInterface>($_self)">,
           "copy mechanism"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::tile_gpu::CopyMechanismAttrInterface";
  let convertFromStorage = [{
    $_self ? ::llvm::cast<::tile_gpu::CopyMechanismAttrInterface>($_self)
           : ::tile_gpu::CpAsyncAttr::get($_builder.getContext())}];
  let isOptional = 1;
}

#endif // TILE_IR_GPU_COPYMECHANISMATTRS
