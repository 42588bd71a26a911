// RUN: tile-opt %s -test-tile-emulate -verify-diagnostics -o /dev/null

// Warpgroup MMAs: the bytes that they read need a fence for the asynchronous proxy,
// no thread may access operands or accumulators before the wait, and all four warps
// must have the same descriptors. The correct kernel is first.

#ws = #gpu.address_space<workgroup>
!words = memref<1024xi32, #ws>
!sums = !llvm.struct<(f32, f32, f32, f32)>

module attributes {tile.target = "sm_90a"} {
// A, 64 rows of 32 bytes, and B, 8 of them.
memref.global @operands : !words {alignment = 1024 : i64}
tile.kernel @right(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// Bytes that threads wrote are read through another proxy without a fence.
tile.kernel @no_proxy_fence(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  // expected-error@+1 {{missing proxy fence: expected fence.proxy.async between the write and the product that reads it}}
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// The fence covers only earlier writes.
tile.kernel @proxy_fence_before_the_write(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  // expected-error@+1 {{missing proxy fence: expected fence.proxy.async between the write and the product that reads it}}
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// The fence is one for another proxy.
tile.kernel @fence_of_another_proxy(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  // expected-error@+1 {{missing proxy fence: expected fence.proxy.async between the write and the product that reads it}}
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// The accumulators belong to the instruction until the wait.
tile.kernel @read_before_the_wait(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  %v = llvm.extractvalue %d[0] : !sums
  // expected-error@+1 {{unordered product: expected wgmma.wait_group between the product and what reads its accumulators}}
  memref.store %v, %out[%i] : memref<128xf32>
  nvvm.wgmma.wait.group.sync.aligned 0
  tile.return
}

// The wait leaves the group in flight.
tile.kernel @one_group_left(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  // expected-error@+1 {{unordered product: expected the warpgroup to wait for its product before it returns}}
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 1
  %v = llvm.extractvalue %d[0] : !sums
  // expected-error@+1 {{unordered product: expected wgmma.wait_group between the product and what reads its accumulators}}
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// A barrier orders the threads, but not the MMA's reads of its operands.
tile.kernel @write_before_the_wait(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  // expected-note@+1 {{with this asynchronous read}}
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  %first = arith.cmpi eq, %i, %c0 : index
  gpu.barrier
  scf.if %first {
    // expected-error@+2 {{race: the product is not waited for (wgmma.wait_group)}}
    // expected-error@+1 {{race: no wait for the product and barrier after it are between them}}
    vector.store %none, %s[%c0] {alignment = 16 : i64} : !words, vector<8xi32>
  }
  gpu.barrier
  nvvm.wgmma.wait.group.sync.aligned 0
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// After the wait and a barrier the MMA has read its operands.
tile.kernel @write_after_the_wait(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  %d = nvvm.wgmma.mma_async %a, %b, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %first = arith.cmpi eq, %i, %c0 : index
  gpu.barrier
  scf.if %first {
    vector.store %none, %s[%c0] {alignment = 16 : i64} : !words, vector<8xi32>
  }
  gpu.barrier
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

// One warp has the descriptor of other rows of B.
tile.kernel @another_descriptor(%out: memref<128xf32>) attributes {block = 128 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %units = arith.constant 4 : i64
  %bits = arith.constant 0x3fff : i64
  // Rows of 32 bytes, 256 bytes from eight rows to the next.
  %rest = arith.constant 0xc000001000000000 : i64
  %beyond = arith.constant 128 : i64
  %none = arith.constant dense<0> : vector<8xi32>
  %f0 = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %s = memref.get_global @operands : !words
  %place = arith.muli %i, %c8 : index
  vector.store %none, %s[%place] {alignment = 16 : i64} : !words, vector<8xi32>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %address = memref.extract_aligned_pointer_as_index %s : !words -> index
  %wide = arith.index_cast %address : index to i64
  %shifted = arith.shrui %wide, %units : i64
  %start = arith.andi %shifted, %bits : i64
  %a = arith.ori %start, %rest : i64
  %b = arith.addi %a, %beyond : i64
  %u = llvm.mlir.poison : !sums
  %u0 = llvm.insertvalue %f0, %u[0] : !sums
  %u1 = llvm.insertvalue %f0, %u0[1] : !sums
  %u2 = llvm.insertvalue %f0, %u1[2] : !sums
  %u3 = llvm.insertvalue %f0, %u2[3] : !sums
  nvvm.wgmma.fence.aligned
  %warp = arith.divui %i, %c32 : index
  %isFirst = arith.cmpi eq, %warp, %c0 : index
  %mine = arith.select %isFirst, %a, %b : i64
  // expected-error@+1 {{divergent product: expected the same product with the same descriptors in all warps of the warpgroup}}
  %d = nvvm.wgmma.mma_async %a, %mine, %u3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %v = llvm.extractvalue %d[0] : !sums
  memref.store %v, %out[%i] : memref<128xf32>
  tile.return
}

}
