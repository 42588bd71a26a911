// RUN: tile-opt %s -tile-to-gpu=arch=sm_80 -split-input-file | FileCheck %s

#blocks = #tile.grid<affine_map<(n, r) -> (n ceildiv 64, r)> of [[1, 0], [0]]>

// CHECK-LABEL: module attributes {gpu.container_module
// CHECK: gpu.module @tile_kernels [#tile.gpu_target<"sm_80">]
// CHECK: llvm.func @double{{.*}} attributes {gpu.kernel, {{.*}}nvvm.kernel
// CHECK-NOT: tile.kernel
tile.kernel @double(%rows: index, %a: memref<?xf32, strided<[?], offset: ?>>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c64 = arith.constant 64 : index
  %x = tile.program_id x
  %i = arith.muli %x, %c64 : index
  %t = tile.load %a[%i] : memref<?xf32, strided<[?], offset: ?>> -> !tile.tile<64xf32>
  %u = arith.addf %t, %t : !tile.tile<64xf32>
  tile.store %u, %a[%i] : !tile.tile<64xf32>, memref<?xf32, strided<[?], offset: ?>>
  tile.return
}

// Arguments are the address of the first element, the size and the stride. A grid
// without blocks is not launched.
// CHECK-LABEL: func.func @own_grid
func.func @own_grid(%n: index, %a: memref<?xf32, strided<[?], offset: ?>>) {
  // CHECK: memref.extract_strided_metadata
  // CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index
  // CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c4
  // CHECK: arith.addi %[[BASE]], %[[BYTES]]
  // CHECK: arith.ceildivsi %{{.*}}, %c64
  // CHECK: scf.if
  // CHECK-NEXT: %[[X:.*]] = arith.constant 64 : index
  // CHECK: gpu.launch_func @tile_kernels::@double blocks in (%{{.*}}, %arg0, %{{.*}}) threads in (%[[X]], %{{.*}}, %{{.*}}) dynamic_shared_memory_size %{{.*}} args(%{{.*}} : i64, %{{.*}} : i64, %{{.*}} : i64, %{{.*}} : i64)
  tile.launch @double(%n, %a) : index, memref<?xf32, strided<[?], offset: ?>>
  return
}

// CHECK-LABEL: func.func @given_grid
func.func @given_grid(%n: index, %a: memref<?xf32, strided<[?], offset: ?>>) {
  // CHECK: gpu.launch_func @tile_kernels::@double blocks in (%arg0, %{{.*}}, %{{.*}})
  tile.launch @double grid(%n) (%n, %a) : index, memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

// Kernels of a gpu.module stay in it, with its target. The specialized variant is
// launched if its assumptions hold.
// CHECK-LABEL: module attributes {gpu.container_module
// CHECK: gpu.module @mine [#tile.gpu_target<"sm_80">]
// CHECK-DAG: llvm.func @copy(
// CHECK-DAG: llvm.func @copy__general(
// CHECK-LABEL: func.func @sync
module attributes {gpu.container_module} {
  gpu.module @mine {
    tile.kernel @copy(%a: memref<?x64xf32, strided<[?, 1], offset: ?>>, %b: memref<?x64xf32>, %s: f8E4M3FN, %on: i1)
        attributes {gpu.kernel} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %x = tile.program_id x
      %i = arith.muli %x, %c16 : index
      %t = tile.load %a[%i, %c0] : memref<?x64xf32, strided<[?, 1], offset: ?>> -> !tile.tile<16x64xf32>
      tile.store %t, %b[%i, %c0] : !tile.tile<16x64xf32>, memref<?x64xf32>
      tile.return
    }
  }

  func.func @sync(%n: index, %a: memref<?x64xf32, strided<[?, 1], offset: ?>>, %b: memref<?x64xf32>, %s: f8E4M3FN, %on: i1) {
    %c1 = arith.constant 1 : index
    // CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
    // CHECK: arith.extui %{{.*}} : i1 to i8
    // CHECK: %[[HOLDS:.*]] = arith.andi
    // CHECK: scf.if %{{.*}} {
    // CHECK: gpu.launch_func @mine::@copy blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in
    // CHECK: } else {
    // CHECK: gpu.launch_func @mine::@copy__general blocks
    gpu.launch_func @mine::@copy blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?x64xf32, strided<[?, 1], offset: ?>>, %b : memref<?x64xf32>, %s : f8E4M3FN, %on : i1)
    return
  }

  // The choice between variants is not asynchronous: the host waits for it.
  // CHECK-LABEL: func.func @async
  func.func @async(%n: i32, %a: memref<?x64xf32, strided<[?, 1], offset: ?>>, %b: memref<?x64xf32>, %s: f8E4M3FN, %on: i1) {
    %c1 = arith.constant 1 : i32
    // CHECK: %[[START:.*]] = gpu.wait async
    %start = gpu.wait async
    // CHECK: gpu.wait [%[[START]]]
    // CHECK: gpu.launch_func @mine::@copy blocks
    // CHECK: gpu.launch_func @mine::@copy__general blocks
    // CHECK: %[[END:.*]] = gpu.wait async{{$}}
    // CHECK: gpu.wait [%[[END]]]
    %token = gpu.launch_func async [%start] @mine::@copy blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) : i32
        args(%a : memref<?x64xf32, strided<[?, 1], offset: ?>>, %b : memref<?x64xf32>, %s : f8E4M3FN, %on : i1)
    gpu.wait [%token]
    return
  }
}

// -----

// Launches for which nothing has to be chosen stay asynchronous, and their workspaces
// are in the same order.
// CHECK-LABEL: module attributes {gpu.container_module
module attributes {gpu.container_module} {
  gpu.module @mine {
    tile.kernel @plain(%n: index) attributes {gpu.kernel} {
      tile.return
    }
    tile.kernel @total(%a: memref<32xf32>, %out: memref<1xf32>) attributes {gpu.kernel} {
      %c0 = arith.constant 0 : index
      %t = tile.load %a[%c0] : memref<32xf32> -> !tile.tile<32xf32>
      %sum = tile.reduce add %t axis 0 keep : !tile.tile<32xf32> to !tile.tile<1xf32>
      tile.atomic_rmw add %sum, %out[%c0] ordered : !tile.tile<1xf32>, memref<1xf32>
      tile.return
    }
  }

  // CHECK-LABEL: func.func @async
  func.func @async(%n: index) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // CHECK: %[[START:.*]] = gpu.wait async
    %start = gpu.wait async
    // CHECK: %[[STREAM:.*]] = gpu.wait async [%[[START]]]
    // CHECK-NOT: scf.if
    // CHECK: %[[END:.*]] = gpu.launch_func async [%[[STREAM]]] @mine::@plain
    // CHECK: gpu.wait [%[[END]]]
    %token = gpu.launch_func async [%start] @mine::@plain blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index)
    gpu.wait [%token]
    return
  }

  // CHECK-LABEL: func.func @workspace
  func.func @workspace(%a: memref<32xf32>, %out: memref<1xf32>) {
    %c1 = arith.constant 1 : index
    // CHECK: %[[STREAM:.*]] = gpu.wait async
    // CHECK: %[[MEMORY:.*]], %[[ALLOCATED:.*]] = gpu.alloc async [%[[STREAM]]]
    // CHECK: %[[SET:.*]] = gpu.memset async [%[[ALLOCATED]]] %[[MEMORY]]
    // CHECK: %[[DONE:.*]] = gpu.launch_func async [%[[SET]]]
    // CHECK: %[[FREED:.*]] = gpu.dealloc async [%[[DONE]]] %[[MEMORY]]
    // CHECK: gpu.wait [%[[FREED]]]
    gpu.launch_func @mine::@total blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<32xf32>, %out : memref<1xf32>)
    return
  }
}

// -----

// A kernel gets a transposed temporary, which is an array of the GPU.
tile.kernel @columns(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>,
                     %out: memref<8x8xf32, strided<[1, 8]>>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<?x?xf32, strided<[?, ?], offset: ?>> -> !tile.tile<8x8xf32>
  tile.store %t, %out[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32, strided<[1, 8]>>
  tile.return
}

// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  // CHECK-NOT: memref.alloc
  // CHECK: %[[MEMORY:.*]], %{{.*}} = gpu.alloc async [%{{.*}}] () : memref<8x8xf32>
  // CHECK: %[[VIEW:.*]] = memref.transpose %[[MEMORY]]
  // CHECK: gpu.launch_func
  // CHECK: gpu.dealloc async [%{{.*}}] %[[MEMORY]]
  %a = memref.alloc() : memref<8x8xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  %c1 = arith.constant 1 : index
  tile.launch @columns grid(%c1) (%x, %t) : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8x8xf32, strided<[1, 8]>>
  memref.dealloc %a : memref<8x8xf32>
  return
}
