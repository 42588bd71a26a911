// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @doubled
tile.kernel @doubled(%a: memref<?xf32>, %i: index) attributes {block = 64 : i64} {
  %t = tile.load %a[%i] : memref<?xf32> -> !tile.tile<64xf32>
  // CHECK: tile.per_thread %{{.*}} : !tile.tile<64xf32> to !tile.tile<64xf32> {
  // CHECK-NEXT: ^bb0(%[[THREAD:.*]]: index, %[[X:.*]]: f32):
  // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f32
  // CHECK-NEXT: tile.yield %[[Y]] : f32
  %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    %y = arith.addf %x, %x : f32
    tile.yield %y : f32
  }
  tile.return
}

// A tile of more dimensions is a vector of each thread.
// CHECK-LABEL: tile.kernel @vectors
tile.kernel @vectors(%s: f16) attributes {block = 96 : i64} {
  %t = tile.fill %s : !tile.tile<96x3x5xf16>
  %u = tile.fill %s : !tile.tile<96xf16>
  // CHECK: %{{.*}}:2 = tile.per_thread %{{.*}}, %{{.*}} : !tile.tile<96x3x5xf16>, !tile.tile<96xf16> to !tile.tile<96xindex>, !tile.tile<96x3x5xf16> attributes {note = "x"} {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: vector<3x5xf16>, %{{.*}}: f16):
  %r:2 = tile.per_thread %t, %u : !tile.tile<96x3x5xf16>, !tile.tile<96xf16> to !tile.tile<96xindex>, !tile.tile<96x3x5xf16> attributes {note = "x"} {
  ^bb0(%thread: index, %x: vector<3x5xf16>, %y: f16):
    %z = vector.broadcast %y : f16 to vector<3x5xf16>
    %w = arith.mulf %x, %z : vector<3x5xf16>
    // CHECK: tile.yield %{{.*}}, %{{.*}} : index, vector<3x5xf16>
    tile.yield %thread, %w : index, vector<3x5xf16>
  }
  tile.return
}

// Accesses of threads to arrays; control flow; inline PTX.
// CHECK-LABEL: tile.kernel @effects
tile.kernel @effects(%a: memref<?xi32>, %n: index) attributes {block = 32 : i64} {
  // CHECK: tile.per_thread {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  tile.per_thread {
  ^bb0(%thread: index):
    %inside = arith.cmpi slt, %thread, %n : index
    // CHECK: scf.if
    scf.if %inside {
      %x = memref.load %a[%thread] : memref<?xi32>
      // CHECK: llvm.inline_asm
      %y = llvm.inline_asm "popc.b32 $0, $1;", "=r,r" %x : (i32) -> i32
      memref.store %y, %a[%thread] : memref<?xi32>
    }
    // CHECK: tile.yield{{$}}
    tile.yield
  }
  tile.return
}

// In a function the number of threads is that of the kernel that calls it.
// CHECK-LABEL: func.func @function
func.func @function() -> !tile.tile<64xi32> {
  // CHECK: tile.per_thread to !tile.tile<64xi32> {
  %r = tile.per_thread to !tile.tile<64xi32> {
  ^bb0(%thread: index):
    %i = arith.index_cast %thread : index to i32
    tile.yield %i : i32
  }
  return %r : !tile.tile<64xi32>
}
