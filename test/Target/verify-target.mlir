// RUN: tile-opt %s -tile-verify-target -split-input-file | FileCheck %s

// Instructions that the architecture has are accepted, and are not changed.

// CHECK-LABEL: llvm.func @on_its_architecture
module attributes {tile.target = "sm_90a"} {
  llvm.func @on_its_architecture(%shared: !llvm.ptr<3>, %n: i32, %f: f32) {
    // CHECK: nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.cp.async.bulk.commit.group
    %0 = nvvm.ldmatrix %shared {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %1 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
    llvm.return
  }
}

// -----

// A module that specifies no target is for sm_80.

// CHECK-LABEL: llvm.func @without_target
module {
  llvm.func @without_target(%n: i32) {
    // CHECK: nvvm.barrier0
    nvvm.barrier0
    %0 = nvvm.redux.sync add %n, %n : i32 -> i32
    nvvm.cp.async.commit.group
    llvm.return
  }
}
