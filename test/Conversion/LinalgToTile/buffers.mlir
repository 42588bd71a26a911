// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// An array that is written but not read before is stored to directly, without a copy.
// An allocation that only operations of one kernel use is removed.
func.func @layer(%x: memref<?x33xf32>, %w: memref<33x20xf32>, %bias: memref<20xf32>, %out: memref<?x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x33xf32>
  %p = memref.alloc(%m) : memref<?x20xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<?x20xf32>)
  linalg.matmul ins(%x, %w : memref<?x33xf32>, memref<33x20xf32>) outs(%p : memref<?x20xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : memref<?x20xf32>, memref<20xf32>) outs(%p : memref<?x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  memref.copy %p, %out : memref<?x20xf32> to memref<?x20xf32>
  memref.dealloc %p : memref<?x20xf32>
  return
}
// CHECK: tile.kernel @layer_product
// CHECK: tile.matmul
// CHECK: func.func @layer(%[[X:.*]]: memref<?x33xf32>, %[[W:.*]]: memref<33x20xf32>, %[[BIAS:.*]]: memref<20xf32>, %[[OUT:.*]]: memref<?x20xf32>) {
// CHECK: tile.launch @layer_product(%[[X]], %[[W]], %[[BIAS]], %[[OUT]])
// CHECK-NEXT: return

// -----

// The result for an array that is also read is copied to it after all other kernels.
func.func @accumulate(%a: memref<40x30xf32>, %b: memref<30x40xf32>, %c: memref<40x40xf32>) {
  linalg.matmul ins(%a, %b : memref<40x30xf32>, memref<30x40xf32>) outs(%c : memref<40x40xf32>)
  return
}
// CHECK: func.func @accumulate(%[[A:.*]]: memref<40x30xf32>, %[[B:.*]]: memref<30x40xf32>, %[[C:.*]]: memref<40x40xf32>) {
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc() : memref<40x40xf32>
// CHECK-NEXT: tile.launch @accumulate_product(%[[C]], %[[A]], %[[B]], %[[NEW]])
// CHECK-NEXT: tile.launch @accumulate_elements(%[[NEW]], %[[C]])
// CHECK-NEXT: return

// -----

// Each of two arrays becomes the other's transpose: both are read before either
// is written.
func.func @exchange(%a: memref<5x70xf32>, %b: memref<70x5xf32>) {
  %old = memref.alloc() : memref<5x70xf32>
  memref.copy %a, %old : memref<5x70xf32> to memref<5x70xf32>
  linalg.transpose ins(%b : memref<70x5xf32>) outs(%a : memref<5x70xf32>) permutation = [1, 0]
  linalg.transpose ins(%old : memref<5x70xf32>) outs(%b : memref<70x5xf32>) permutation = [1, 0]
  return
}
// CHECK: func.func @exchange(%[[A:.*]]: memref<5x70xf32>, %[[B:.*]]: memref<70x5xf32>) {
// CHECK: tile.launch @exchange_elements(%[[B]], %[[NEWA:.*]])
// CHECK: tile.launch @exchange_elements_1(%[[A]], %[[NEWB:.*]])
// CHECK-NEXT: tile.launch @exchange_elements_2(%[[NEWA]], %[[A]])
// CHECK-NEXT: tile.launch @exchange_elements_3(%[[NEWB]], %[[B]])
// CHECK-NEXT: return

// -----

// Accesses to views are accesses to parts of their source: a row and a block are
// written, and a reshaped array is read. One body loads from an array.
func.func @views(%x: memref<6x8xf32>, %places: memref<8xi32>, %out: memref<6x8xf32>, %flat: memref<48xf32>) {
  %two = arith.constant 2.0 : f32
  linalg.map { math.absf } ins(%x : memref<6x8xf32>) outs(%out : memref<6x8xf32>)
  %row = memref.subview %out[1, 0] [1, 8] [1, 1] : memref<6x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.fill ins(%two : f32) outs(%row : memref<8xf32, strided<[1], offset: 8>>)
  %block = memref.subview %out[3, 2] [2, 3] [1, 1] : memref<6x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 26>>
  %source = memref.subview %x[0, 1] [2, 3] [1, 2] : memref<6x8xf32> to memref<2x3xf32, strided<[8, 2], offset: 1>>
  memref.copy %source, %block : memref<2x3xf32, strided<[8, 2], offset: 1>> to memref<2x3xf32, strided<[8, 1], offset: 26>>
  %last = memref.subview %out[5, 0] [1, 8] [1, 1] : memref<6x8xf32> to memref<8xf32, strided<[1], offset: 40>>
  %c3 = arith.constant 3 : index
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%places : memref<8xi32>) outs(%last : memref<8xf32, strided<[1], offset: 40>>) {
  ^bb0(%p: i32, %o: f32):
    %i = arith.index_cast %p : i32 to index
    %v = memref.load %x[%c3, %i] : memref<6x8xf32>
    linalg.yield %v : f32
  }
  %all = memref.collapse_shape %out [[0, 1]] : memref<6x8xf32> into memref<48xf32>
  linalg.negf ins(%all : memref<48xf32>) outs(%flat : memref<48xf32>)
  return
}
// CHECK: func.func @views(%[[X:.*]]: memref<6x8xf32>, %[[PLACES:.*]]: memref<8xi32>, %[[OUT:.*]]: memref<6x8xf32>, %[[FLAT:.*]]: memref<48xf32>) {
// CHECK-NOT: memref.copy
// CHECK: return

// -----

// An array that the function returns becomes an argument after the other arguments.
func.func @returned(%x: memref<?xf32>, %s: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.mulf %a, %s : f32
    linalg.yield %b : f32
  }
  return %y : memref<?xf32>
}
// CHECK: func.func @returned(%[[X:.*]]: memref<?xf32>, %[[S:.*]]: f32, %[[Y:.*]]: memref<?xf32>) {
// CHECK: tile.launch @returned_elements(%[[X]], %[[S]], %[[Y]])
// CHECK-NEXT: return

// -----

// A constant array that bufferization made from a splat constant becomes a splat again.
memref.global "private" constant @threes : memref<20x70xf32> = dense<3.0>

func.func @constant(%x: memref<20x70xf32>) {
  %threes = memref.get_global @threes : memref<20x70xf32>
  linalg.add ins(%x, %threes : memref<20x70xf32>, memref<20x70xf32>) outs(%x : memref<20x70xf32>)
  return
}
// CHECK-NOT: memref.global
// CHECK: arith.constant dense<3.000000e+00> : !tile.tile
// CHECK: func.func @constant(%[[X:.*]]: memref<20x70xf32>) {

// -----

// A function that only copies becomes a kernel, too.
func.func @copies(%a: memref<5x9xf32>, %b: memref<4x9xf32>) -> memref<9x9xf32> {
  %r = memref.alloc() : memref<9x9xf32>
  %first = memref.subview %r[0, 0] [4, 9] [1, 1] : memref<9x9xf32> to memref<4x9xf32, strided<[9, 1]>>
  memref.copy %b, %first : memref<4x9xf32> to memref<4x9xf32, strided<[9, 1]>>
  %last = memref.subview %r[4, 0] [5, 9] [1, 1] : memref<9x9xf32> to memref<5x9xf32, strided<[9, 1], offset: 36>>
  memref.copy %a, %last : memref<5x9xf32> to memref<5x9xf32, strided<[9, 1], offset: 36>>
  return %r : memref<9x9xf32>
}
// CHECK: tile.kernel @copies_elements
// CHECK: tile.load %{{.*}} : memref<4x9xf32>
// CHECK: tile.load %{{.*}} : memref<5x9xf32>
// CHECK: tile.store %{{.*}} : {{.*}}, memref<9x9xf32>
