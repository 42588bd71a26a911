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

// A kernel has one block: branches are refused, structured control flow is accepted.
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

// A device function that another compiler provides is not linked.
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

// A kernel accesses only arrays that are its arguments.
tile.kernel @allocates(%d: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a kernel without allocations (an array is an argument, a tile may be in #tile.shared), got 'memref.alloc'}}
  %s = memref.alloc() : memref<32xf16>
  %x = tile.load %s[%c0] : memref<32xf16> -> !tile.tile<32xf16>
  tile.store %x, %d[%c0] : !tile.tile<32xf16>, memref<?xf16>
  tile.return
}

// -----

// A write by scalar code would be executed by all threads of the block.
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

// -----

// Each level of calls has four times the operations of the level below. Inlined
// operations are counted, and too many are an error.
func.func private @level0(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = arith.addf %t, %t : !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}
func.func private @level1(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level0(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level0(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level0(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level0(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level2(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level1(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level1(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level1(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level1(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level3(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level2(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level2(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level2(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level2(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level4(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level3(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level3(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level3(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level3(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level5(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level4(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level4(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level4(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level4(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level6(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level5(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level5(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level5(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level5(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level7(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level6(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level6(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level6(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level6(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level8(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  // expected-error @below {{expected at most 65536 operations once calls are inlined, got 152917, 38229 of them by this call}}
  %0 = call @level7(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level7(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level7(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level7(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level9(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level8(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level8(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level8(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level8(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level10(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level9(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level9(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level9(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level9(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level11(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level10(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level10(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level10(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level10(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level12(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level11(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level11(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level11(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level11(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level13(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level12(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level12(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level12(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level12(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level14(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level13(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level13(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level13(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level13(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level15(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level14(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level14(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level14(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level14(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level16(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level15(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level15(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level15(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level15(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level17(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level16(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level16(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level16(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level16(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level18(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level17(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level17(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level17(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level17(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level19(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level18(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level18(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level18(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level18(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level20(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level19(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level19(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level19(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level19(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level21(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level20(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level20(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level20(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level20(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level22(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level21(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level21(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level21(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level21(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
func.func private @level23(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @level22(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @level22(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %2 = call @level22(%1) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %3 = call @level22(%2) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %3 : !tile.tile<4xf32>
}
tile.kernel @refuses_exponential_inlining(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %u = func.call @level23(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  tile.store %u, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
