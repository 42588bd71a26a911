// RUN: tile-opt %s -tile-verify-target=ptx=81 -split-input-file -verify-diagnostics

// A requested PTX version must have each instruction.

module attributes {tile.target = "sm_89"} {
  llvm.func @multiply(%r: i32, %f: f32) {
    // expected-error @below {{expected PTX version 8.4 or later for mma.sync.m16n8k32.f8, got 8.1}}
    %0 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"(%r, %r, %r, %r, %r, %r, %f, %f, %f, %f) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }
}
