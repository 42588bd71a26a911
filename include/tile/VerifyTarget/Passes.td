// Checks between the phases and code generation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_VERIFYTARGET_PASSES
#define TILE_VERIFYTARGET_PASSES

include "mlir/Pass/PassBase.td"

def VerifyTarget : Pass<"tile-verify-target", "::mlir::ModuleOp"> {
  let summary = "refuse what the architecture does not have";
  let description = [{
    LLVM aborts if the architecture lacks an instruction, and at some operations and
    types for which it generates no code. This pass runs before LLVM, and emits errors
    at the lines of the tile program instead. A table has the architecture and the PTX
    version that each nvvm operation and each nvvm intrinsic requires. An operation that
    the module's `tile.target` does not support, or that the table does not have, is an
    error.

    The table has an nvvm operation by its mnemonic and the attributes on which its
    requirements depend:

    | operation | row of the table |
    | --- | --- |
    | `nvvm.mma.sync`, shape m16n8k16, f64 | `mma.sync.m16n8k16.f64` |
    | `llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f64"` | the same |
    | `nvvm.barrier0` | `barrier0` |

    Postconditions: the module is unchanged.
  }];
  let options = [
    Option<"ptxVersion", "ptx", "int", "0",
           "the PTX version, times ten; 0 is the lowest version that suffices">];
}

#endif // TILE_VERIFYTARGET_PASSES
