// RUN: tile-opt %s -tile-canonical-form -verify-diagnostics -split-input-file

func.func @forever(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @forever(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}
tile.kernel @refuses_recursion(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  // expected-error @below {{expected a call that can be inlined (a function whose body is one block, not recursive), got @forever}}
  %u = func.call @forever(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  tile.store %u, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}

// -----

func.func private @elsewhere(!tile.tile<4xf32>) -> !tile.tile<4xf32>
tile.kernel @refuses_declarations(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  // expected-error @below {{expected a call that can be inlined (a function whose body is one block, not recursive), got @elsewhere}}
  %u = func.call @elsewhere(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  tile.store %u, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}

// -----

// A kernel is one block; structured control flow stays structured.
func.func private @branches(%c: i1, %t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %t : !tile.tile<4xf32>
^b:
  %0 = arith.addf %t, %t : !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}
tile.kernel @refuses_branches(%a: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  // expected-error @below {{expected a call that can be inlined (a function whose body is one block, not recursive), got @branches}}
  %u = func.call @branches(%c, %t) : (i1, !tile.tile<4xf32>) -> !tile.tile<4xf32>
  tile.store %u, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}

// -----

// A device function of another compiler is not linked.
llvm.func @external(f32) -> f32
tile.kernel @refuses_external_functions(%x: f32) {
  // expected-error @below {{expected a call that can be inlined (a function whose body is one block, not recursive), got @external}}
  %0 = llvm.call @external(%x) : (f32) -> f32
  tile.return
}

// -----

// Kernels are launched, not called.
tile.kernel @other(%a: memref<4xf32>) {
  tile.return
}
tile.kernel @refuses_calls_of_kernels(%a: memref<4xf32>) {
  // expected-error @below {{'func.call' op 'other' does not reference a valid function}}
  func.call @other(%a) : (memref<4xf32>) -> ()
  tile.return
}

// -----

// A kernel's arrays are its arguments.
tile.kernel @allocates(%d: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a kernel without allocations (an array is an argument, a tile may be in #tile.shared), got 'memref.alloc'}}
  %s = memref.alloc() : memref<32xf16>
  %x = tile.load %s[%c0] : memref<32xf16> -> !tile.tile<32xf16>
  tile.store %x, %d[%c0] : !tile.tile<32xf16>, memref<?xf16>
  tile.return
}

// -----

// All threads of the block would write.
tile.kernel @refuses_store(%a: memref<4xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected an array to be written by an operation on tiles or in 'tile.per_thread' (all threads of the block would do this), got 'memref.store'}}
  memref.store %n, %a[%c0] : memref<4xi32>
  tile.return
}

// -----

tile.kernel @refuses_copy(%a: memref<4xi32>, %b: memref<4xi32>) {
  // expected-error @below {{expected an array to be written by an operation on tiles or in 'tile.per_thread' (all threads of the block would do this), got 'memref.copy'}}
  memref.copy %a, %b : memref<4xi32> to memref<4xi32>
  tile.return
}

// -----

tile.kernel @refuses_assertion(%n: index) {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi slt, %c0, %n : index
  // expected-error @below {{expected 'tile.assert', got 'cf.assert' (which ends the host's process)}}
  cf.assert %c, "n is positive"
  tile.return
}
