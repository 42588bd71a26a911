// RUN: tile-opt %s -tile-assign-storage -tile-assign-layouts -canonicalize -cse | FileCheck %s

// Rows that single warps hold are sorted in the layout in which they were loaded.
// Signed keys are converted to unsigned ones before, and back after the sort.
// CHECK-LABEL: tile.kernel @rows_of_warps
tile.kernel @rows_of_warps(%a: memref<64x8xi32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[SIGN:.*]] = arith.constant dense<-2147483648>
  // CHECK: %[[T:.*]] = tile.load
  // CHECK-NEXT: %[[U:.*]] = arith.xori %[[T]], %[[SIGN]]
  // CHECK-NEXT: %[[S:.*]] = tile.partial_sort %[[U]] axis 1 steps [1, 0, 2, 1, 2, 0, 3, 2, 3, 1, 3, 0]
  // CHECK-NEXT: %[[R:.*]] = arith.xori %[[S]], %[[SIGN]]
  // CHECK-NEXT: tile.store %[[R]]
  %t = tile.load %a[%c0, %c0] in_bounds : memref<64x8xi32> -> !tile.tile<64x8xi32>
  %s = tile.sort %t axis 1 : !tile.tile<64x8xi32>
  tile.store %s, %a[%c0, %c0] in_bounds : !tile.tile<64x8xi32>, memref<64x8xi32>
  tile.return
}

// The network compares unsigned keys in ascending order, so these are not converted.
// CHECK-LABEL: tile.kernel @as_they_are
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: %[[S:.*]] = tile.partial_sort %[[T]] axis 0
// CHECK-NEXT: tile.store %[[S]]
tile.kernel @as_they_are(%a: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] in_bounds : memref<32xi64> -> !tile.tile<32xi64>
  %s = tile.sort %t axis 0 unsigned : !tile.tile<32xi64>
  tile.store %s, %a[%c0] in_bounds : !tile.tile<32xi64>, memref<32xi64>
  tile.return
}

// A row of one element is already sorted.
// CHECK-LABEL: tile.kernel @one_element
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: tile.store %[[T]]
tile.kernel @one_element(%a: memref<5x1xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] in_bounds : memref<5x1xf32> -> !tile.tile<5x1xf32>
  %s = tile.sort %t axis 1 : !tile.tile<5x1xf32>
  tile.store %s, %a[%c0, %c0] in_bounds : !tile.tile<5x1xf32>, memref<5x1xf32>
  tile.return
}

// Four warps hold a row, with eight elements for each thread. The steps over 256 and
// 512 elements compare elements of two warps: for these steps a conversion exchanges
// warps with lanes.
// CHECK-LABEL: tile.kernel @row_over_warps
tile.kernel @row_over_warps(%a: memref<1024xi32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.convert_layout {{.*}} to !tile.tile<1024xi32, #tile.register<(32,4,8):(8,256,1), box = [1024]>>
  // CHECK-NEXT: tile.partial_sort {{.*}} steps [1, 0, {{.*}}, 8, 1, 8, 0] :
  // CHECK-NEXT: tile.convert_layout {{.*}} to !tile.tile<1024xi32, #tile.register<((8,4),4,8):((8,256),64,1), box = [1024]>>
  // CHECK-NEXT: tile.partial_sort {{.*}} steps [9, 8] :
  // CHECK-NEXT: tile.convert_layout {{.*}} to !tile.tile<1024xi32, #tile.register<(32,4,8):(8,256,1), box = [1024]>>
  // CHECK-NEXT: tile.partial_sort {{.*}} steps [9, 7, 9, 6, 9, 5, 9, 4, 9, 3, 9, 2, 9, 1, 9, 0] :
  // CHECK-NEXT: tile.convert_layout {{.*}} to !tile.tile<1024xi32, #tile.register<((8,4),4,8):((8,256),64,1), box = [1024]>>
  // CHECK-NEXT: tile.partial_sort {{.*}} steps [10, 9, 10, 8] :
  // CHECK-NEXT: tile.convert_layout {{.*}} to !tile.tile<1024xi32, #tile.register<(32,4,8):(8,256,1), box = [1024]>>
  // CHECK-NEXT: tile.partial_sort {{.*}} steps [10, 7, {{.*}}, 10, 0] :
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.store
  %t = tile.load %a[%c0] in_bounds : memref<1024xi32> -> !tile.tile<1024xi32>
  %s = tile.sort %t axis 0 : !tile.tile<1024xi32>
  tile.store %s, %a[%c0] in_bounds : !tile.tile<1024xi32>, memref<1024xi32>
  tile.return
}

// A row of up to 256 elements is held by one warp, whatever the block is. Two of six
// warps hold a row of 512, so there are three copies of it.
// CHECK-LABEL: tile.kernel @replicated
tile.kernel @replicated(%a: memref<256xi32>, %b: memref<512xi32>) attributes {block = 192 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.partial_sort {{.*}} : !tile.tile<256xi32, #tile.register<(32,(2,3),8):(8,(0,0),1), box = [256]>>
  // CHECK-NOT: tile.partial_sort {{.*}} : !tile.tile<256xi32
  // CHECK: tile.partial_sort {{.*}} : !tile.tile<512xi32, #tile.register<(32,(2,3),8):(8,(256,0),1), box = [512]>>
  // CHECK: tile.partial_sort {{.*}} steps [9, 8] : !tile.tile<512xi32, #tile.register<((16,2),(2,3),8):((8,256),(128,0),1), box = [512]>>
  %t = tile.load %a[%c0] in_bounds : memref<256xi32> -> !tile.tile<256xi32>
  %s = tile.sort %t axis 0 : !tile.tile<256xi32>
  tile.store %s, %a[%c0] in_bounds : !tile.tile<256xi32>, memref<256xi32>
  %u = tile.load %b[%c0] in_bounds : memref<512xi32> -> !tile.tile<512xi32>
  %v = tile.sort %u axis 0 : !tile.tile<512xi32>
  tile.store %v, %b[%c0] in_bounds : !tile.tile<512xi32>, memref<512xi32>
  tile.return
}

// A row is padded with ones, which follow every key. Floating-point keys become
// integers in the same order, each of which shares 32 bits with the key's index. By the
// sorted indices the original keys and the values are fetched.
// CHECK-LABEL: tile.kernel @numbers
tile.kernel @numbers(%a: memref<100xf16>, %b: memref<100xf64>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-DAG: %[[MOST:.*]] = arith.constant dense<32767> : !tile.tile<100xi16
  // CHECK-DAG: %[[INFINITY:.*]] = arith.constant dense<31744> : !tile.tile<100xi16
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : !tile.tile<100xi16
  // CHECK-DAG: %[[SIGN:.*]] = arith.constant dense<-32768> : !tile.tile<100xi16
  // CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<7> : !tile.tile<100xi32
  // CHECK-DAG: %[[LOW:.*]] = arith.constant dense<127> : !tile.tile<128xi32
  // CHECK-DAG: %[[ONES:.*]] = arith.constant dense<-1> : !tile.tile<28xi32
  // CHECK: %[[KEYS:.*]] = tile.load %{{.*}} -> !tile.tile<100xf16
  // CHECK: %[[VALUES:.*]] = tile.load
  // CHECK: %[[BITS:.*]] = tile.cast %[[KEYS]] bitcast
  // CHECK-NEXT: %[[SIZE:.*]] = arith.andi %[[BITS]], %[[MOST]]
  // CHECK-NEXT: %[[IS_NEGATIVE:.*]] = arith.cmpi slt, %[[BITS]], %[[ZERO]]
  // CHECK-NEXT: %[[BELOW:.*]] = arith.subi %[[ZERO]], %[[SIZE]]
  // CHECK-NEXT: %[[RANK:.*]] = tile.select %[[IS_NEGATIVE]], %[[BELOW]], %[[SIZE]]
  // CHECK-NEXT: %[[IS_NAN:.*]] = arith.cmpi ugt, %[[SIZE]], %[[INFINITY]]
  // CHECK-NEXT: %[[ALL:.*]] = tile.select %[[IS_NAN]], %[[MOST]], %[[RANK]]
  // CHECK-NEXT: %[[ORDER:.*]] = arith.xori %[[ALL]], %[[SIGN]]
  // CHECK-NEXT: %[[WIDE:.*]] = tile.cast %[[ORDER]] unsigned
  // CHECK-NEXT: %[[HIGH:.*]] = arith.shli %[[WIDE]], %[[SEVEN]]
  // CHECK-NEXT: %[[OWN:.*]] = tile.iota axis 0
  // CHECK-NEXT: %[[WORDS:.*]] = arith.ori %[[HIGH]], %[[OWN]]
  // CHECK-NEXT: %[[PADDED:.*]] = tile.join %[[WORDS]], %[[ONES]] axis 0
  // CHECK-NEXT: %[[LOADED:.*]] = tile.convert_layout %[[PADDED]]
  // CHECK-NEXT: %[[SORTED:.*]] = tile.partial_sort %[[LOADED]] axis 0
  // CHECK-NEXT: %[[PLACES:.*]] = arith.andi %[[SORTED]], %[[LOW]]
  // CHECK-NEXT: %[[SHARED:.*]] = tile.convert_layout %[[PLACES]]
  // CHECK-NEXT: %[[VIEW:.*]] = tile.view %[[SHARED]][%{{.*}}] : {{.*}} to !tile.tile<100xi32
  // CHECK-NEXT: %[[FROM:.*]] = tile.convert_layout %[[VIEW]]
  // CHECK: %[[K:.*]] = tile.convert_layout %[[KEYS]] : {{.*}} to !tile.tile<100xf16, #tile.shared
  // CHECK: %[[R:.*]] = tile.take %[[K]] at %{{.*}} axis 0
  // CHECK: %[[V:.*]] = tile.convert_layout %[[VALUES]] : {{.*}} to !tile.tile<100xf64, #tile.shared
  // CHECK: %[[S:.*]] = tile.take %[[V]] at %{{.*}} axis 0
  // CHECK: tile.store %[[R]]
  // CHECK: tile.store %[[S]]
  %t = tile.load %a[%c0] in_bounds : memref<100xf16> -> !tile.tile<100xf16>
  %u = tile.load %b[%c0] in_bounds : memref<100xf64> -> !tile.tile<100xf64>
  %s:2 = tile.sort %t, %u axis 0 : !tile.tile<100xf16>, !tile.tile<100xf64>
  tile.store %s#0, %a[%c0] in_bounds : !tile.tile<100xf16>, memref<100xf16>
  tile.store %s#1, %b[%c0] in_bounds : !tile.tile<100xf64>, memref<100xf64>
  tile.return
}

// f8E4M3FN has no infinity: encodings above its greatest finite value are NaN.
// CHECK-LABEL: tile.kernel @without_infinity
// CHECK: arith.constant dense<126> : !tile.tile<32xi8
tile.kernel @without_infinity(%a: memref<32xf8E4M3FN>, %i: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] in_bounds : memref<32xf8E4M3FN> -> !tile.tile<32xf8E4M3FN>
  %n = tile.iota axis 0 : !tile.tile<32xi32>
  %s:2 = tile.sort %t, %n axis 0 : !tile.tile<32xf8E4M3FN>, !tile.tile<32xi32>
  tile.store %s#1, %i[%c0] in_bounds : !tile.tile<32xi32>, memref<32xi32>
  tile.return
}

// Keys of 64 bits leave no bits for the index, which is a separate tile; an iota along
// the axis becomes this tile. The original keys are computed from the sorted ones.
// CHECK-LABEL: tile.kernel @two_tiles
tile.kernel @two_tiles(%a: memref<64xi64>, %i: memref<64xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[MASK:.*]] = arith.constant dense<9223372036854775807>
  // CHECK: %[[T:.*]] = tile.load
  // CHECK-NEXT: %[[ORDER:.*]] = arith.xori %[[T]], %[[MASK]]
  // CHECK-NEXT: %[[OWN:.*]] = tile.iota axis 0
  // CHECK-NEXT: %[[S:.*]]:2 = tile.partial_sort %[[ORDER]], %[[OWN]] axis 0
  // CHECK-NOT: tile.take
  // CHECK: %[[KEYS:.*]] = arith.xori %[[S]]#0, %[[MASK]]
  // CHECK-NEXT: tile.store %[[KEYS]]
  %t = tile.load %a[%c0] in_bounds : memref<64xi64> -> !tile.tile<64xi64>
  %n = tile.iota axis 0 : !tile.tile<64xi32>
  %s:2 = tile.sort %t, %n axis 0 descending : !tile.tile<64xi64>, !tile.tile<64xi32>
  tile.store %s#0, %a[%c0] in_bounds : !tile.tile<64xi64>, memref<64xi64>
  tile.store %s#1, %i[%c0] in_bounds : !tile.tile<64xi32>, memref<64xi32>
  tile.return
}
