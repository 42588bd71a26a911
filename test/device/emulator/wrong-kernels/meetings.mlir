// RUN: tile-opt %s -test-tile-emulate -verify-diagnostics -o /dev/null

// Barriers and collective instructions that some of their threads do not reach.

#ws = #gpu.address_space<workgroup>
!words = memref<256xi32, #ws>
memref.global @words : !words
memref.global @matrix : memref<8x8xf16, #ws>

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

// Only the first warp reaches the barrier.
tile.kernel @barrier_in_a_branch(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %isFirst = arith.cmpi ult, %i, %c32 : index
  scf.if %isFirst {
    // expected-error@+1 {{divergent barrier: }}
    gpu.barrier
  }
  tile.return
}

// All threads reach one of two barriers.
tile.kernel @barrier_in_both_branches(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %isFirst = arith.cmpi ult, %i, %c32 : index
  scf.if %isFirst {
    gpu.barrier
  } else {
    gpu.barrier
  }
  tile.return
}

// Half a warp reaches each barrier.
tile.kernel @lanes_at_two_barriers(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c16 = arith.constant 16 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %isLow = arith.cmpi ult, %i, %c16 : index
  scf.if %isLow {
    // expected-error@+1 {{divergent barrier: }}
    gpu.barrier
    memref.store %n, %out[%i] : memref<64xi32>
  } else {
    // expected-error@+1 {{divergent barrier: }}
    gpu.barrier
  }
  tile.return
}

// A loop with a barrier that one warp leaves earlier.
tile.kernel @loop_of_different_lengths(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %warp = arith.divui %i, %c32 : index
  %end = arith.addi %warp, %c1 : index
  scf.for %k = %c0 to %end step %c1 {
    // expected-error@+1 {{divergent barrier: }}
    gpu.barrier
  }
  tile.return
}

// Two named barriers that two warps reach in opposite order.
tile.kernel @two_orders(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %count = arith.constant 64 : i32
  %i = gpu.thread_id x
  %isFirst = arith.cmpi ult, %i, %c32 : index
  scf.if %isFirst {
    // expected-error@+1 {{divergent barrier: }}
    nvvm.barrier id = %one number_of_threads = %count
    nvvm.barrier id = %two number_of_threads = %count
  } else {
    // expected-error@+1 {{divergent barrier: }}
    nvvm.barrier id = %two number_of_threads = %count
    nvvm.barrier id = %one number_of_threads = %count
  }
  tile.return
}

tile.kernel @one_order(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %count = arith.constant 64 : i32
  nvvm.barrier id = %one number_of_threads = %count
  nvvm.barrier id = %two number_of_threads = %count
  tile.return
}

tile.kernel @more_threads_than_there_are(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %id = arith.constant 1 : i32
  %count = arith.constant 96 : i32
  // expected-error@+1 {{deadlock: }}
  nvvm.barrier id = %id number_of_threads = %count
  tile.return
}

tile.kernel @two_counts(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c32 = arith.constant 32 : index
  %id = arith.constant 1 : i32
  %few = arith.constant 32 : i32
  %many = arith.constant 64 : i32
  %i = gpu.thread_id x
  %isFirst = arith.cmpi ult, %i, %c32 : index
  %count = arith.select %isFirst, %few, %many : i32
  // expected-error@+1 {{divergent barrier: }}
  nvvm.barrier id = %id number_of_threads = %count
  tile.return
}

tile.kernel @barrier_16(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %id = arith.constant 16 : i32
  %count = arith.constant 64 : i32
  // expected-error@+1 {{unsupported: }}
  nvvm.barrier id = %id number_of_threads = %count
  tile.return
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

// The mask names all lanes, but half of them reach the instruction.
tile.kernel @shuffle_in_a_branch(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c16 = arith.constant 16 : index
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %clamp = arith.constant 31 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %isLow = arith.cmpi ult, %i, %c16 : index
  scf.if %isLow {
    // expected-error@+1 {{lying mask: }}
    %v = nvvm.shfl.sync bfly %all, %n, %one, %clamp : i32 -> i32
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

tile.kernel @shuffle_of_half_a_warp(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c16 = arith.constant 16 : index
  %low = arith.constant 0xffff : i32
  %one = arith.constant 1 : i32
  %clamp = arith.constant 31 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %isLow = arith.cmpi ult, %i, %c16 : index
  scf.if %isLow {
    %v = nvvm.shfl.sync bfly %low, %n, %one, %clamp : i32 -> i32
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

// A lane that its own mask does not name.
tile.kernel @mask_without_oneself(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %low = arith.constant 0xffff : i32
  // expected-error@+1 {{lying mask: }}
  nvvm.bar.warp.sync %low : i32
  tile.return
}

// Half the warp votes; the other half waits for all lanes.
tile.kernel @lanes_at_two_instructions(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c16 = arith.constant 16 : index
  %all = arith.constant -1 : i32
  %true = arith.constant true
  %i = gpu.thread_id x
  %isLow = arith.cmpi ult, %i, %c16 : index
  scf.if %isLow {
    // expected-error@+1 {{lying mask: }}
    %lanes = nvvm.vote.sync ballot %all, %true -> i32
    memref.store %lanes, %out[%i] : memref<64xi32>
  } else {
    // expected-error@+1 {{lying mask: }}
    nvvm.bar.warp.sync %all : i32
  }
  tile.return
}

// Matrix instructions require whole warps.
tile.kernel @ldmatrix_of_half_a_warp(%out: memref<32x2xf16>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %words = memref.get_global @words : !words
  memref.store %zero, %words[%i] : !words
  gpu.barrier
  %s = memref.get_global @matrix : memref<8x8xf16, #ws>
  %row = arith.remui %i, %c8 : index
  %isLow = arith.cmpi ult, %i, %c16 : index
  scf.if %isLow {
    // expected-error@+1 {{lying mask: }}
    %m = nvgpu.ldmatrix %s[%row, %c0] {numTiles = 1 : i32, transpose = false} : memref<8x8xf16, #ws> -> vector<1x2xf16>
    %v = vector.extract %m[0] : vector<2xf16> from vector<1x2xf16>
    vector.store %v, %out[%i, %c0] : memref<32x2xf16>, vector<2xf16>
  }
  tile.return
}

//===----------------------------------------------------------------------===//
// Kernel ends
//===----------------------------------------------------------------------===//

tile.kernel @trap(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c63 = arith.constant 63 : index
  %i = gpu.thread_id x
  %isLast = arith.cmpi eq, %i, %c63 : index
  scf.if %isLast {
    // expected-error@+1 {{trap: }}
    llvm.intr.trap
  }
  tile.return
}
