// A function that is not a list of launches is left out of the metadata, with a warning
// at each operation that is no launch. The kernels that it launches are compiled.
// RUN: tile-compile %s --arch=sm_80 --emit=metadata -o - 2>&1 | FileCheck %s

#one = #tile.grid<affine_map<() -> (1)> of []>
tile.kernel @k(%a: memref<64xf32>) attributes {grid = #one} {
  %zero = arith.constant dense<0.0> : !tile.tile<64xf32>
  %c0 = arith.constant 0 : index
  tile.store %zero, %a[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// CHECK-DAG: [[#@LINE+2]]:3: warning: expected a list of launches of 'loop' (launches, memref.alloc, views, sizes), got 'scf.for' that such a list cannot say; the function is in none of the results
func.func @loop(%a: memref<64xf32>, %m: index, %n: index) {
  scf.for %i = %m to %n step %n {
    tile.launch @k(%a) : memref<64xf32>
  }
  return
}

// CHECK-DAG: [[#@LINE+4]]:3: warning: expected a list of launches of 'result' {{.*}}, got 'func.return' that
func.func @result(%n: index) -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  tile.launch @k(%a) : memref<64xf32>
  return %a : memref<64xf32>
}

// CHECK-DAG: [[#@LINE+2]]:3: warning: expected a list of launches of 'outer' {{.*}}, got 'func.call' that
func.func @outer(%a: memref<64xf32>) {
  call @inner(%a) : (memref<64xf32>) -> ()
  tile.launch @k(%a) : memref<64xf32>
  return
}
func.func private @inner(memref<64xf32>)

// CHECK-DAG: [[#@LINE+3]]:8: warning: expected a list of launches of 'loaded' {{.*}}, got 'memref.load' that
func.func @loaded(%a: memref<64xf32>, %sizes: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %sizes[%c0] : memref<1xindex>
  tile.launch @k grid(%n) (%a) : memref<64xf32>
  return
}

// CHECK-DAG: [[#@LINE+1]]:1: warning: expected argument 1 to be an array of offset 0 or ? or a scalar, of a tile's element type, got 'tensor<4xf32>'; the function is in none of the results
func.func @tensor(%a: memref<64xf32>, %t: tensor<4xf32>) {
  tile.launch @k(%a) : memref<64xf32>
  return
}

// CHECK-DAG: [[#@LINE+1]]:1: warning: expected argument 0 to be an array of offset 0 or ? or a scalar, of a tile's element type, got 'memref<64xf32, strided<[1], offset: 5>>'
func.func @offset(%o: memref<64xf32, strided<[1], offset: 5>>, %a: memref<64xf32>) {
  tile.launch @k(%a) : memref<64xf32>
  return
}

// A function without a launch is host code, which gets no warning.
// CHECK-DAG: remark: function 'other', which no kernel calls, is in none of the results
func.func @other(%n: index) -> index {
  return %n : index
}

// CHECK: "kernels"
// CHECK: "name": "k"
// CHECK-NOT: "functions"
