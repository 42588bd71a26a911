// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// Every attribute that the dialect's description lists, where it may be.

// CHECK: #decisions = [{about = "warps", chosen = "1", reason = "r"}]
// CHECK: #storages = [{reason = "r", storage = "shared", type = f32}]
// CHECK: module attributes {tile.sites = ["st.global at a.mlir:1:1"], tile.target = "sm_80"}
module attributes {tile.sites = ["st.global at a.mlir:1:1"], tile.target = "sm_80"} {
  // CHECK: tile.kernel @all(%{{.*}}: memref<?x?xf32> {tile.alignment = 1 : i64, tile.name = "x", tile.stride_alignment = 4294967296 : i64}, %{{.*}}: memref<1xi64> {tile.workspace}, %{{.*}}: index {tile.name = "n"})
  // CHECK-SAME: {block = 32 : i64, tile.blocks_per_processor = 2 : i64, tile.decisions = #decisions, tile.exact_accesses, tile.shared_bytes = 32 : i64, tile.storage = #storages}
  tile.kernel @all(%x: memref<?x?xf32> {tile.alignment = 1 : i64, tile.name = "x", tile.stride_alignment = 4294967296 : i64}, %w: memref<1xi64> {tile.workspace}, %n: index {tile.name = "n"})
      attributes {block = 32 : i64, tile.blocks_per_processor = 2 : i64, tile.decisions = [{about = "warps", chosen = "1", reason = "r"}], tile.exact_accesses, tile.shared_bytes = 32 : i64, tile.storage = [{reason = "r", storage = "shared", type = f32}]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
    %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8xf32, #tile.shared<(8):(1)>>
    scf.for %i = %c0 to %n step %c1 {
      // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 4, kind = vector, guard = box>, tile.copy = #tile_gpu.cp_async}
      %t = tile.load %x[%i, %c0] {tile.access = #tile.access<vector = 4, kind = vector, guard = box>, tile.copy = #tile_gpu.cp_async} : memref<?x?xf32> -> !tile.tile<8x8xf32>
    // CHECK: } {tile.num_stages = 2 : i64}
    } {tile.num_stages = 2 : i64}
    %t = arith.constant dense<0.0> : !tile.tile<8x8xf32>
    // CHECK: tile.matmul {{.*}} {tile.in_flight, tile.lhs_access = #tile.access<{{.*}}>, tile.rhs_access = #tile.access<{{.*}}>}
    %d = tile.matmul %t, %t, %t {tile.in_flight, tile.lhs_access = #tile.access<vector = 1, kind = elements, guard = none>, tile.rhs_access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<8x8xf32>, !tile.tile<8x8xf32> -> !tile.tile<8x8xf32>
    tile.return
  }
  // CHECK: tile.kernel @all__general(%{{.*}}: memref<?x?xf32> {tile.assumed_alignment = 16 : i64, tile.assumed_stride_alignment = 2 : i64})
  // CHECK-SAME: attributes {tile.general_of = "all", tile.level = #tile<level buffered>}
  tile.kernel @all__general(%x: memref<?x?xf32> {tile.assumed_alignment = 16 : i64, tile.assumed_stride_alignment = 2 : i64})
      attributes {tile.general_of = "all", tile.level = #tile<level buffered>} {
    tile.return
  }
  // CHECK: func.func @function(%{{.*}}: tensor<8xf32> {tile.name = "x"}) -> (tensor<8xf32> {tile.result_array = 0 : i64})
  func.func @function(%x: tensor<8xf32> {tile.name = "x"}) -> (tensor<8xf32> {tile.result_array = 0 : i64}) {
    // CHECK: tensor.empty() {tile.loops = array<i64: 0, 2>}
    %0 = tensor.empty() {tile.loops = array<i64: 0, 2>} : tensor<8xf32>
    return %x : tensor<8xf32>
  }
}
