// Checks that stand between the phases and code generation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_VERIFYTARGET_PASSES
#define TILE_VERIFYTARGET_PASSES

include "mlir/Pass/PassBase.td"

def VerifyTarget : Pass<"tile-verify-target", "::mlir::ModuleOp"> {
  let summary = "refuse what the architecture does not have";
  let description = [{
    LLVM aborts on an instruction that the architecture lacks. This pass looks
    up every nvvm operation and every call of an nvvm intrinsic in a table of
    the architecture and PTX version that it needs, and refuses, at the line of
    the tile program, what the module's `tile.target` does not have. In a module
    of tile programs it refuses the element types that the architecture cannot
    convert. An nvvm operation that the table does not have is refused as well.

    An nvvm operation is looked up by its mnemonic and the attributes on which its
    requirements depend:

    | operation | row of the table |
    | --- | --- |
    | `nvvm.mma.sync`, shape m16n8k16, f64 | `mma.sync.m16n8k16.f64` |
    | `llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f64"` | the same |
    | `nvvm.barrier0` | `barrier0` |

    Postconditions: the module as it is.
  }];
  let options = [
    Option<"ptxVersion", "ptx", "int", "0",
           "the PTX version, times ten; 0 is the least that suffices">];
}

#endif // TILE_VERIFYTARGET_PASSES
