// RUN: tile-opt %s -test-tile-emulate -verify-diagnostics -o /dev/null

// cp.async: which threads wait for which copy. A copy and an access are ordered by a
// wait for the copy's group and, for other threads, a barrier after that wait.

#ws = #gpu.address_space<workgroup>
!words = memref<256xi32, #ws>
memref.global @words : !words

tile.kernel @wait_and_barrier(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  gpu.barrier
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @no_wait(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  gpu.barrier
  // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  nvvm.cp.async.wait.group 0
  tile.return
}

// The issuing thread must wait, too.
tile.kernel @no_wait_for_ones_own(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  // expected-error@+1 {{race: the copy is not waited for (cp.async.wait_group)}}
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  nvvm.cp.async.wait.group 0
  tile.return
}

tile.kernel @wait_for_ones_own(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// A wait does not cover a copy whose group is not committed.
tile.kernel @no_commit(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.wait.group 0
  gpu.barrier
  // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// The commit precedes the copy.
tile.kernel @commit_too_early(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  nvvm.cp.async.commit.group
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.wait.group 0
  gpu.barrier
  // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// Two groups, and a wait for the older one only.
tile.kernel @wait_for_one_less(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %k = arith.addi %i, %c64 : index
  %l = arith.addi %j, %c64 : index
  %s = memref.get_global @words : !words
  %older = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  // expected-note@+1 {{with this asynchronous write}}
  %newer = nvgpu.device_async_copy %in[%i], %s[%k], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 1
  gpu.barrier
  %v = memref.load %s[%j] : !words
  // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
  %w = memref.load %s[%l] : !words
  %sum = arith.addi %v, %w : i32
  memref.store %sum, %out[%i] : memref<64xi32>
  nvvm.cp.async.wait.group 0
  tile.return
}

tile.kernel @no_barrier_after_the_wait(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  // expected-error@+2 {{race: no wait for the copy and barrier after it are between them}}
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// The barrier precedes the wait.
tile.kernel @barrier_before_the_wait(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  gpu.barrier
  nvvm.cp.async.wait.group 0
  // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// The copy writes bytes that another thread may still read.
tile.kernel @copy_over_what_is_read(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this read}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  // expected-error@+2 {{race: no barrier is between them}}
  // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

tile.kernel @copy_after_a_barrier(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  gpu.barrier
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// Two copies by one thread are unordered, even in two groups.
tile.kernel @two_copies_to_the_same_bytes(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %one = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  // expected-error@+1 {{race: the copy is not waited for (cp.async.wait_group)}}
  %two = nvgpu.device_async_copy %in[%c0], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// A store to bytes that a copy in flight will write.
tile.kernel @store_under_a_copy(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  // expected-error@+1 {{race: the copy is not waited for (cp.async.wait_group)}}
  memref.store %n, %s[%i] : !words
  nvvm.cp.async.wait.group 0
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// A copy's source is overwritten before a wait shows that the copy has read it.
tile.kernel @source_overwritten(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous read}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  // expected-error@+1 {{race: the copy is not waited for (cp.async.wait_group)}}
  memref.store %n, %in[%i] : memref<64xi32>
  nvvm.cp.async.wait.group 0
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

// Two stages: one is read while the other is filled.
tile.kernel @ring(%in: memref<512xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  %first = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<512xi32> to !words
  nvvm.cp.async.commit.group
  scf.for %k = %c0 to %c6 step %c1 {
    %next = arith.addi %k, %c1 : index
    %free = arith.remui %next, %c2 : index
    %to = arith.muli %free, %c64 : index
    %mine = arith.addi %to, %i : index
    %row = arith.muli %next, %c64 : index
    %source = arith.addi %row, %i : index
    %copy = nvgpu.device_async_copy %in[%source], %s[%mine], 1 : memref<512xi32> to !words
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    gpu.barrier
    %slot = arith.remui %k, %c2 : index
    %from = arith.muli %slot, %c64 : index
    %theirs = arith.addi %from, %j : index
    %v = memref.load %s[%theirs] : !words
    memref.store %v, %out[%i] : memref<64xi32>
    gpu.barrier
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// The copy of the next iteration fills the stage that this iteration reads.
tile.kernel @ring_without_a_barrier_at_its_end(%in: memref<512xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  %first = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<512xi32> to !words
  nvvm.cp.async.commit.group
  scf.for %k = %c0 to %c6 step %c1 {
    %next = arith.addi %k, %c1 : index
    %free = arith.remui %next, %c2 : index
    %to = arith.muli %free, %c64 : index
    %mine = arith.addi %to, %i : index
    %row = arith.muli %next, %c64 : index
    %source = arith.addi %row, %i : index
    // expected-note@+1 {{with this asynchronous write}}
    %copy = nvgpu.device_async_copy %in[%source], %s[%mine], 1 : memref<512xi32> to !words
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    gpu.barrier
    %slot = arith.remui %k, %c2 : index
    %from = arith.muli %slot, %c64 : index
    %theirs = arith.addi %from, %j : index
    // expected-error@+2 {{race: no barrier is between them}}
    // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
    %v = memref.load %s[%theirs] : !words
    memref.store %v, %out[%i] : memref<64xi32>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

tile.kernel @ring_that_waits_for_one_less(%in: memref<512xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %first = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<512xi32> to !words
  nvvm.cp.async.commit.group
  scf.for %k = %c0 to %c6 step %c1 {
    %next = arith.addi %k, %c1 : index
    %free = arith.remui %next, %c2 : index
    %to = arith.muli %free, %c64 : index
    %mine = arith.addi %to, %i : index
    %row = arith.muli %next, %c64 : index
    %source = arith.addi %row, %i : index
    // expected-error@+2 {{race: the copy is not waited for (cp.async.wait_group)}}
    // expected-note@+1 {{with this asynchronous write}}
    %copy = nvgpu.device_async_copy %in[%source], %s[%mine], 1 : memref<512xi32> to !words
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 2
    gpu.barrier
    %slot = arith.remui %k, %c2 : index
    %from = arith.muli %slot, %c64 : index
    %theirs = arith.addi %from, %j : index
    // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
    %v = memref.load %s[%theirs] : !words
    memref.store %v, %out[%i] : memref<64xi32>
    gpu.barrier
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// One stage where two are needed.
tile.kernel @ring_one_slot_short(%in: memref<512xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %s = memref.get_global @words : !words
  // expected-note@+1 {{with this asynchronous write}}
  %first = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<512xi32> to !words
  nvvm.cp.async.commit.group
  scf.for %k = %c0 to %c6 step %c1 {
    %next = arith.addi %k, %c1 : index
    %row = arith.muli %next, %c64 : index
    %source = arith.addi %row, %i : index
    // expected-error@+2 {{race: the copy is not waited for (cp.async.wait_group)}}
    // expected-note@+1 {{with this asynchronous write}}
    %copy = nvgpu.device_async_copy %in[%source], %s[%i], 1 : memref<512xi32> to !words
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    gpu.barrier
    // expected-error@+1 {{race: no wait for the copy and barrier after it are between them}}
    %v = memref.load %s[%j] : !words
    memref.store %v, %out[%i] : memref<64xi32>
    gpu.barrier
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

//===----------------------------------------------------------------------===//
// Kernel ends
//===----------------------------------------------------------------------===//

// No thread reads the bytes, but after the end they belong to another block.
tile.kernel @in_flight_at_the_end(%in: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-error@+1 {{copy in flight: expected the thread that issued the copy to wait for it before it returns (cp.async.wait_group)}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  tile.return
}

tile.kernel @in_no_group_at_the_end(%in: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-error@+1 {{copy in flight: expected the thread that issued the copy to wait for it before it returns (cp.async.wait_group)}}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.wait.group 0
  tile.return
}

tile.kernel @waited_for_at_the_end(%in: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}
