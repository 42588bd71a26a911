// RUN: tile-opt %s -tile-assign-storage -tile-assign-layouts -canonicalize -cse | FileCheck %s

// Several warps hold a row. The sum of each warp's elements is passed to all warps, and
// each warp scans its elements, starting from the sums of the warps before it.
// CHECK-LABEL: tile.kernel @scan_over_warps
tile.kernel @scan_over_warps(%a: memref<512xi32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = tile.load
  // CHECK-NEXT: %[[P:.*]] = tile.partial_reduce add %[[T]] axis 0 : {{.*}} to !tile.tile<4xi32, {{.*}}>
  // CHECK: %[[A:.*]] = tile.convert_layout %[[P]]
  // CHECK: tile.partial_scan add %[[T]] after %[[A]] axis 0
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.store
  %t = tile.load %a[%c0] in_bounds : memref<512xi32> -> !tile.tile<512xi32>
  %s = tile.scan add %t axis 0 : !tile.tile<512xi32>
  tile.store %s, %a[%c0] in_bounds : !tile.tile<512xi32>, memref<512xi32>
  tile.return
}

// A thread holds four adjacent elements of each half of the row. Warps exchange only
// the sum of their elements in each half.
// CHECK-LABEL: tile.kernel @two_chunks
tile.kernel @two_chunks(%a: memref<1024xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = tile.load
  // CHECK-NEXT: %[[P:.*]] = tile.partial_reduce add %[[T]] axis 0 : {{.*}} to !tile.tile<8xf32, {{.*}}>
  // CHECK-NEXT: %[[A:.*]] = tile.convert_layout %[[P]]
  // CHECK-NEXT: %[[S:.*]] = tile.partial_scan add %[[T]] after %[[A]]
  // CHECK-NEXT: tile.store %[[S]]
  %t = tile.load %a[%c0] in_bounds : memref<1024xf32> -> !tile.tile<1024xf32>
  %s = tile.scan add %t : !tile.tile<1024xf32>
  tile.store %s, %a[%c0] in_bounds : !tile.tile<1024xf32>, memref<1024xf32>
  tile.return
}

// A tile that consists of more than four chunks is converted to the order of the scan.
// CHECK-LABEL: tile.kernel @eight_chunks
tile.kernel @eight_chunks(%a: memref<4096xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = tile.load
  // CHECK-NEXT: tile.convert_layout %[[T]]
  %t = tile.load %a[%c0] in_bounds : memref<4096xf32> -> !tile.tile<4096xf32>
  %s = tile.scan add %t : !tile.tile<4096xf32>
  tile.store %s, %a[%c0] in_bounds : !tile.tile<4096xf32>, memref<4096xf32>
  tile.return
}

// A scan along columns of 64 elements, which are first reduced to 16 partial results.
// CHECK-LABEL: tile.kernel @along_columns
tile.kernel @along_columns(%a: memref<64x8xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.partial_reduce add {{.*}} axis 0 : {{.*}} to !tile.tile<16x8xf32, {{.*}}>
  // CHECK: tile.partial_scan add {{.*}} axis 0
  %t = tile.load %a[%c0, %c0] in_bounds : memref<64x8xf32> -> !tile.tile<64x8xf32>
  %s = tile.scan add %t axis 0 : !tile.tile<64x8xf32>
  tile.store %s, %a[%c0, %c0] in_bounds : !tile.tile<64x8xf32>, memref<64x8xf32>
  tile.return
}

// Rows that a warp holds entirely are scanned without other warps.
// CHECK-LABEL: tile.kernel @scan_of_rows
tile.kernel @scan_of_rows(%a: memref<64x32xi32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.scan add {{.*}} axis 1
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.return
  %t = tile.load %a[%c0, %c0] in_bounds : memref<64x32xi32> -> !tile.tile<64x32xi32>
  %s = tile.scan add %t axis 1 : !tile.tile<64x32xi32>
  tile.store %s, %a[%c0, %c0] in_bounds : !tile.tile<64x32xi32>, memref<64x32xi32>
  tile.return
}

// A thread holds elements 0 to 3, 128 to 131, ... They are brought into order for a
// combination that is not commutative, ...
// CHECK-LABEL: tile.kernel @in_order
tile.kernel @in_order(%a: memref<1024xi32>, %b: memref<1xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = tile.load
  // CHECK: %[[O:.*]] = tile.convert_layout %[[T]]
  // CHECK: tile.reduce %[[O]] identity [0 : i32] axis 0
  %t = tile.load %a[%c0] in_bounds : memref<1024xi32> -> !tile.tile<1024xi32>
  %s = tile.reduce %t identity [0 : i32] : !tile.tile<1024xi32> to !tile.tile<i32> {
  ^bb0(%x: i32, %y: i32):
    %z = arith.addi %x, %y : i32
    tile.yield %z : i32
  }
  tile.store %s, %b[%c0] : !tile.tile<i32>, memref<1xi32>
  tile.return
}

// ... and stay in their order for a commutative combination.
// CHECK-LABEL: tile.kernel @any_order
tile.kernel @any_order(%a: memref<1024xi32>, %b: memref<1xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = tile.load
  // CHECK-NEXT: tile.reduce %[[T]] identity [0 : i32] axis 0 commutative
  %t = tile.load %a[%c0] in_bounds : memref<1024xi32> -> !tile.tile<1024xi32>
  %s = tile.reduce %t identity [0 : i32] commutative : !tile.tile<1024xi32> to !tile.tile<i32> {
  ^bb0(%x: i32, %y: i32):
    %z = arith.addi %x, %y : i32
    tile.yield %z : i32
  }
  tile.store %s, %b[%c0] : !tile.tile<i32>, memref<1xi32>
  tile.return
}

// Each thread loads the indices of its rows.
// CHECK-LABEL: tile.kernel @indices
tile.kernel @indices(%a: memref<1000x64xf32>, %i: memref<16x1xi32>, %b: memref<16x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.return
  %n = tile.load %i[%c0, %c0] in_bounds : memref<16x1xi32> -> !tile.tile<16x1xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 0 : memref<1000x64xf32>, !tile.tile<16x1xi32> -> !tile.tile<16x64xf32>
  tile.store %t, %b[%c0, %c0] in_bounds : !tile.tile<16x64xf32>, memref<16x64xf32>
  tile.return
}
