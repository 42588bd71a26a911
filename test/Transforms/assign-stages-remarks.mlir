// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages -remarks-filter=tile-assign-stages -mlir-disable-threading 2>&1 >/dev/null | FileCheck %s --implicit-check-not=remark:

// Remarks report loads that could be in flight and are not, with the reasons.

tile.kernel @pad(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index, %p: f16) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    // CHECK: assign-stages-remarks.mlir:[[#@LINE+1]]:{{.*}} remark: {{.*}}not begun ahead: it has a pad value
    %x = tile.load %a[%c0, %k] pad %p : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

tile.kernel @carried_offset(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %r, %at = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z, %j = %c0) -> (!tile.tile<16x8xf32>, index) {
    // CHECK: assign-stages-remarks.mlir:[[#@LINE+1]]:{{.*}} remark: {{.*}}not begun ahead: its offsets are not known an iteration ahead
    %x = tile.load %a[%c0, %j] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    %next = arith.addi %j, %c16 : index
    scf.yield %s, %next : !tile.tile<16x8xf32>, index
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// Different array arguments do not overlap: a store to another array is no reason.
tile.kernel @writes_its_array(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  scf.for %k = %c0 to %n step %c16 {
    // CHECK: assign-stages-remarks.mlir:[[#@LINE+1]]:{{.*}} remark: {{.*}}not begun ahead: its loop writes its array
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    %h = tile.cast %s : !tile.tile<16x8xf32> to !tile.tile<16x8xf16>
    tile.store %h, %a[%k, %c0] : !tile.tile<16x8xf16>, memref<?x?xf16>
  }
  tile.return
}

tile.kernel @looks_at_other_blocks(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  scf.for %k = %c0 to %n step %c16 {
    // CHECK: assign-stages-remarks.mlir:[[#@LINE+1]]:{{.*}} remark: {{.*}}not begun ahead: its loop may write any array, or looks at what other blocks write
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    // CHECK: assign-stages-remarks.mlir:[[#@LINE+1]]:{{.*}} remark: {{.*}}not begun ahead: its loop may write any array, or looks at what other blocks write
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    tile.store %s, %d[%k, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
    tile.fence release
  }
  tile.return
}
