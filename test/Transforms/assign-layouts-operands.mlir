// RUN: tile-opt %s -split-input-file -tile-warp-tiling -tile-assign-storage -tile-assign-layouts | FileCheck %s

// A loop reads an operand that it does not change from one copy, which is made before it.
// The other operand differs in each iteration.
// CHECK-LABEL: tile.kernel @before_the_loop(
// CHECK:         %[[D:.*]] = arith.negf
// CHECK:         %[[COPY:.*]] = tile.convert_layout %[[D]] : {{.*}} to !tile.tile<18x18xf32, #tile.shared
// CHECK:         scf.for
// CHECK-NOT:       tile.convert_layout %[[D]]
// CHECK:           %[[S:.*]] = arith.mulf
// CHECK:           %[[OTHER:.*]] = tile.convert_layout %[[S]] : {{.*}} to !tile.tile<6x18xf32, #tile.shared
// CHECK:           tile.matmul %[[OTHER]], %[[COPY]]
tile.kernel @before_the_loop(%a: memref<?x18xf32>, %b: memref<18x18xf32>, %r: memref<?x18xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %0 = tile.load %b[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %1 = arith.negf %0 : !tile.tile<18x18xf32>
  scf.for %i = %c0 to %n step %c6 {
    %2 = tile.load %a[%i, %c0] : memref<?x18xf32> -> !tile.tile<6x18xf32>
    %3 = arith.mulf %2, %2 : !tile.tile<6x18xf32>
    %4 = tile.matmul %3, %1, %zero : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
    tile.store %4, %r[%i, %c0] : !tile.tile<6x18xf32>, memref<?x18xf32>
  }
  tile.return
}

// -----

// A copy leaves all loops that do not change its tile, after a transpose in registers.
// CHECK-LABEL: tile.kernel @transposed(
// CHECK:         %[[D:.*]] = arith.negf
// CHECK-NEXT:    %[[T:.*]] = tile.transpose %[[D]] [1, 0]
// CHECK-NEXT:    tile.convert_layout %[[T]] : {{.*}} to !tile.tile<18x18xf32, #tile.shared
// CHECK:         scf.for
// CHECK:           scf.while
// CHECK:             tile.matmul
tile.kernel @transposed(%a: memref<?x18xf32>, %b: memref<18x18xf32>, %r: memref<?x18xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %0 = tile.load %b[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %1 = arith.negf %0 : !tile.tile<18x18xf32>
  scf.for %i = %c0 to %n step %c6 {
    scf.while (%j = %c0) : (index) -> index {
      %more = arith.cmpi slt, %j, %n : index
      scf.condition(%more) %j : index
    } do {
    ^bb0(%j: index):
      %2 = tile.transpose %1 [1, 0] : !tile.tile<18x18xf32> to !tile.tile<18x18xf32>
      %3 = tile.load %a[%i, %c0] : memref<?x18xf32> -> !tile.tile<6x18xf32>
      %4 = tile.matmul %3, %2, %zero : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
      tile.store %4, %r[%j, %c0] : !tile.tile<6x18xf32>, memref<?x18xf32>
      %next = arith.addi %j, %c1 : index
      scf.yield %next : index
    }
  }
  tile.return
}

// -----

// Copies that would take more than 256 bytes a thread stay where they are used: here a
// thread has 32 KiB / 32.
// CHECK-LABEL: tile.kernel @large(
// CHECK:         %[[D:.*]] = arith.negf
// CHECK:         scf.for
// CHECK:           tile.convert_layout %[[D]]
// CHECK:           tile.matmul
tile.kernel @large(%a: memref<?x64xf32>, %b: memref<64x128xf32>, %r: memref<?x128xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x128xf32>
  %0 = tile.load %b[%c0, %c0] : memref<64x128xf32> -> !tile.tile<64x128xf32>
  %1 = arith.negf %0 : !tile.tile<64x128xf32>
  scf.for %i = %c0 to %n step %c6 {
    %2 = tile.load %a[%i, %c0] : memref<?x64xf32> -> !tile.tile<6x64xf32>
    %3 = tile.matmul %2, %1, %zero : !tile.tile<6x64xf32>, !tile.tile<64x128xf32> -> !tile.tile<6x128xf32>
    tile.store %3, %r[%i, %c0] : !tile.tile<6x128xf32>, memref<?x128xf32>
  }
  tile.return
}

// -----

// A copy under a condition stays there.
// CHECK-LABEL: tile.kernel @conditional(
// CHECK:         %[[D:.*]] = arith.negf
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             tile.convert_layout %[[D]]
tile.kernel @conditional(%a: memref<?x18xf32>, %b: memref<18x18xf32>, %r: memref<?x18xf32>, %n: index, %p: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %0 = tile.load %b[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %1 = arith.negf %0 : !tile.tile<18x18xf32>
  scf.for %i = %c0 to %n step %c6 {
    scf.if %p {
      %2 = tile.load %a[%i, %c0] : memref<?x18xf32> -> !tile.tile<6x18xf32>
      %3 = tile.matmul %2, %1, %zero : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
      tile.store %3, %r[%i, %c0] : !tile.tile<6x18xf32>, memref<?x18xf32>
    }
  }
  tile.return
}

// -----

// Two matmuls read one copy.
// CHECK-LABEL: tile.kernel @shared_copy(
// CHECK:         %[[S:.*]] = arith.mulf
// CHECK:         %[[COPY:.*]] = tile.convert_layout %[[S]] : {{.*}} to !tile.tile<6x18xf32, #tile.shared
// CHECK-NOT:     tile.convert_layout %[[S]]
// CHECK:         tile.matmul %[[COPY]], %{{.*}}
// CHECK:         tile.matmul %{{.*}}, %[[COPY]], %{{.*}}
tile.kernel @shared_copy(%a: memref<6x18xf32>, %b: memref<18x7xf32>, %d: memref<5x6xf32>, %r: memref<6x7xf32>, %s: memref<5x18xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x7xf32>
  %none = arith.constant dense<0.0> : !tile.tile<5x18xf32>
  %0 = tile.load %a[%c0, %c0] : memref<6x18xf32> -> !tile.tile<6x18xf32>
  %1 = arith.mulf %0, %0 : !tile.tile<6x18xf32>
  %2 = tile.load %b[%c0, %c0] : memref<18x7xf32> -> !tile.tile<18x7xf32>
  %3 = tile.load %d[%c0, %c0] : memref<5x6xf32> -> !tile.tile<5x6xf32>
  %4 = tile.matmul %1, %2, %zero : !tile.tile<6x18xf32>, !tile.tile<18x7xf32> -> !tile.tile<6x7xf32>
  %5 = tile.matmul %3, %1, %none : !tile.tile<5x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<5x18xf32>
  tile.store %4, %r[%c0, %c0] : !tile.tile<6x7xf32>, memref<6x7xf32>
  tile.store %5, %s[%c0, %c0] : !tile.tile<5x18xf32>, memref<5x18xf32>
  tile.return
}

// -----

// A copy stays in the loop if two blocks of a multiprocessor, as the program requests,
// could not have all tiles at the same time: 96 KiB each.
// CHECK-LABEL: tile.kernel @no_room(
// CHECK:         %[[D:.*]] = arith.negf
// CHECK:         scf.for
// CHECK:           tile.convert_layout %[[D]]
tile.kernel @no_room(%a: memref<?x64xf32>, %b: memref<64x128xf32>, %r: memref<?x128xf32>, %n: index) attributes {block = 128 : i64, tile.blocks_per_processor = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %0 = tile.load %b[%c0, %c0] : memref<64x128xf32> -> !tile.tile<64x128xf32>
  %1 = arith.negf %0 : !tile.tile<64x128xf32>
  scf.for %i = %c0 to %n step %c128 {
    %2 = tile.load %a[%i, %c0] : memref<?x64xf32> -> !tile.tile<128x64xf32>
    %3 = arith.mulf %2, %2 : !tile.tile<128x64xf32>
    %4 = math.absf %2 : !tile.tile<128x64xf32>
    %5 = tile.matmul %3, %1, %zero : !tile.tile<128x64xf32>, !tile.tile<64x128xf32> -> !tile.tile<128x128xf32>
    %6 = tile.matmul %4, %1, %5 : !tile.tile<128x64xf32>, !tile.tile<64x128xf32> -> !tile.tile<128x128xf32>
    tile.store %6, %r[%i, %c0] : !tile.tile<128x128xf32>, memref<?x128xf32>
  }
  tile.return
}

// -----

// An insertion replaces elements of its copy, so that each iteration makes one.
// CHECK-LABEL: tile.kernel @inserted(
// CHECK:         %[[D:.*]] = arith.negf
// CHECK:         scf.for
// CHECK:           tile.convert_layout %[[D]] : {{.*}} to !tile.tile<18x18xf32, #tile.shared
// CHECK:           tile.insert
tile.kernel @inserted(%a: memref<?x18xf32>, %b: memref<18x18xf32>, %r: memref<?x18xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %0 = tile.load %b[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %1 = arith.negf %0 : !tile.tile<18x18xf32>
  scf.for %i = %c0 to %n step %c6 {
    %2 = tile.load %a[%i, %c0] : memref<?x18xf32> -> !tile.tile<6x18xf32>
    %3 = tile.insert %2 into %1[%i, %c0] : !tile.tile<6x18xf32> into !tile.tile<18x18xf32>
    tile.store %3, %r[%i, %c0] : !tile.tile<18x18xf32>, memref<?x18xf32>
  }
  tile.return
}

// -----

// The lanes of one matmul read a row of the copy, those of another one a column: a gap
// after each row avoids bank conflicts. A swizzle would, too, but each address would take
// a register, since the steps along K are no power of two.
// CHECK-LABEL: tile.kernel @pads_rows(
// CHECK:         tile.load {{.*}} -> !tile.tile<6x18xf32, #tile.shared<(8,32):(36,1)>>
tile.kernel @pads_rows(%x: memref<?x?xf32>, %m: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %square = arith.constant dense<0.0> : !tile.tile<6x6xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x18xf32>
  %a = tile.load %m[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x6xf32>
  %p = tile.matmul %a, %b, %zero : !tile.tile<6x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<6x18xf32>
  %t = tile.transpose %b [1, 0] : !tile.tile<6x18xf32> to !tile.tile<18x6xf32>
  %s = tile.matmul %p, %t, %square : !tile.tile<6x18xf32>, !tile.tile<18x6xf32> -> !tile.tile<6x6xf32>
  tile.store %s, %y[%c0, %c0] : !tile.tile<6x6xf32>, memref<?x?xf32>
  tile.return
}
