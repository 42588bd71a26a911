// REQUIRES: nvptx
// RUN: tile-compile %s --arch=sm_80 --emit=ptx -o - | FileCheck %s

// Rows that fit in a warp are combined by shuffles, without shared memory.
// CHECK-LABEL: .entry scan(
// CHECK-NOT: shared
// CHECK: shfl.sync.up
// CHECK-NOT: shared
// CHECK: ret;
tile.kernel @scan(%a: memref<8x32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] in_bounds : memref<8x32xf32> -> !tile.tile<8x32xf32>
  %s = tile.scan add %t axis 1 : !tile.tile<8x32xf32>
  tile.store %s, %a[%c0, %c0] in_bounds : !tile.tile<8x32xf32>, memref<8x32xf32>
  tile.return
}

// A scan in the reverse direction uses shuffles down.
// CHECK-LABEL: .entry reverse(
// CHECK: shfl.sync.down
tile.kernel @reverse(%a: memref<8x32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] in_bounds : memref<8x32xf32> -> !tile.tile<8x32xf32>
  %s = tile.scan add %t axis 1 reverse : !tile.tile<8x32xf32>
  tile.store %s, %a[%c0, %c0] in_bounds : !tile.tile<8x32xf32>, memref<8x32xf32>
  tile.return
}

// The region is inlined and computes in registers, without a branch or a call.
// CHECK-LABEL: .entry map(
// CHECK-NOT: bra
// CHECK-NOT: call
// CHECK: ret;
tile.kernel @map(%a: memref<128xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] in_bounds : memref<128xf32> -> !tile.tile<128xf32>
  %s = tile.map %t : !tile.tile<128xf32> to !tile.tile<128xf32> {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %isLess = arith.cmpf olt, %x, %zero : f32
    %y = scf.if %isLess -> (f32) {
      %z = arith.mulf %x, %x : f32
      scf.yield %z : f32
    } else {
      scf.yield %x : f32
    }
    tile.yield %y : f32
  }
  tile.store %s, %a[%c0] in_bounds : !tile.tile<128xf32>, memref<128xf32>
  tile.return
}

// The rows that indices address are read and written 16 bytes at a time.
// CHECK-LABEL: .entry rows(
// CHECK-COUNT-2: ld.global{{.*}}.v4.b32
// CHECK-COUNT-2: st.global{{.*}}.v4.b32
// CHECK: ret;
tile.kernel @rows(%a: memref<1000x64xf32>, %i: memref<4x1xi32>, %b: memref<1000x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0, %c0] in_bounds : memref<4x1xi32> -> !tile.tile<4x1xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 0 in_bounds : memref<1000x64xf32>, !tile.tile<4x1xi32> -> !tile.tile<4x64xf32>
  tile.scatter %t, %b[%c0, %c0] at %n axis 0 in_bounds : !tile.tile<4x64xf32>, memref<1000x64xf32>, !tile.tile<4x1xi32>
  tile.return
}

// CHECK-LABEL: .entry add(
// CHECK: {{atom|red}}{{.*}}.add{{.*}}.f32
tile.kernel @add(%v: memref<32xf32>, %i: memref<32xi32>, %b: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0] in_bounds : memref<32xi32> -> !tile.tile<32xi32>
  %t = tile.load %v[%c0] in_bounds : memref<32xf32> -> !tile.tile<32xf32>
  tile.scatter %t, %b[%c0] at %n axis 0 atomic add : !tile.tile<32xf32>, memref<?xf32>, !tile.tile<32xi32>
  tile.return
}
