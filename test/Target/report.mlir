// RUN: tile-compile %s -o - --emit=report --arch=sm_80 | FileCheck %s
// RUN: tile-compile %s -o %t.json --emit=report --arch=sm_80 --json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: %python %S/Inputs/check_report.py %t.json
// REQUIRES: nvptx, ptxas

tile.kernel @gemm(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>)
    attributes {grid = #tile.grid<affine_map<(m, n) -> (n floordiv 128, m floordiv 128)> of [[0, 0], [1, 1]]>} {
  %column = tile.program_id x
  %row = tile.program_id y
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %i = arith.muli %row, %c128 : index
  %j = arith.muli %column, %c128 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %c512 step %c32 iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %lhs = tile.load %a[%i, %k] : memref<512x512xf16> -> !tile.tile<128x32xf16>
    %rhs = tile.load %b[%k, %j] : memref<512x512xf16> -> !tile.tile<32x128xf16>
    %next = tile.matmul %lhs, %rhs, %acc : !tile.tile<128x32xf16>, !tile.tile<32x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %next : !tile.tile<128x128xf32>
  }
  tile.store %sum, %c[%i, %j] : !tile.tile<128x128xf32>, memref<512x512xf32>
  tile.return
}

// The report has each tile's storage, the reason for it, and its byte offsets.
// CHECK: architecture sm_80
// CHECK: kernel gemm at {{.*}}report.mlir:7
// CHECK: block: 128 threads
// CHECK: grid: {{\[\[}}"floordiv", ["size", 1, 1], 128], ["floordiv", ["size", 0, 0], 128], 1]
// CHECK: shared memory: [[#BYTES:]] bytes
// CHECK: registers: {{[0-9]+}} a thread, 0 bytes of spill stores
// CHECK-NEXT: occupancy: {{[1-9][0-9]*}} blocks a multiprocessor ({{[1-9][0-9]*}} warps), limited by {{registers|shared memory}}
// CHECK: tiles:
// CHECK: !tile.tile<128x32xf16>: shared ({{.*}}) at {{.*}}report.mlir:19, tile.load
// CHECK: !tile.tile<128x128xf32>: register ({{.*}}) at {{.*}}report.mlir:21, tile.matmul
// CHECK: products:
// CHECK-NEXT: m16n8k16, 2x2 warps of 64x64 for 128x128x{{[0-9]+}} in {{[2-8]}} stages at {{.*}}report.mlir:21 (the fastest of sm_80 for these types)
// CHECK: buffers:
// CHECK-NEXT: 0 + {{[0-9]+}} memref<{{.*}}128x32xf16, #tile.shared<{{.*}}>> at {{.*}}report.mlir:19

// It has the cost of accesses to the tile: no bank conflict.
// CHECK: shared accesses, in wavefronts of all warps:
// CHECK: {{[0-9]+}} (0 by bank conflicts) tile_gpu.copy_async at {{.*}}report.mlir:19
// CHECK: {{[0-9]+}} (0 by bank conflicts) tile_gpu.load_shared at {{.*}}report.mlir:21

// It counts instructions of the output.
// CHECK: instructions in the PTX:
// CHECK-DAG: bar.sync
// CHECK-DAG: cp.async
// CHECK-DAG: ldmatrix
// CHECK-DAG: ldmatrix.trans
// The last step of the matmul in the last iteration is executed after the loop.
// CHECK-DAG: 96 mma.sync
// CHECK: kernel gemm__general, the generic variant of gemm

// JSON: "architecture": "sm_80"
// JSON: "conflicts": 0
// JSON: "mma.sync": 96
// JSON: "limiter": "{{registers|shared memory}}"
