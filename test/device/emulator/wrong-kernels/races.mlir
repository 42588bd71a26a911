// RUN: tile-opt %s -test-tile-emulate -verify-diagnostics -o /dev/null

// Two unordered accesses to the same bytes, of which one is a write. Wrong kernels are
// followed by a correct one.

#ws = #gpu.address_space<workgroup>
!words = memref<256xi32, #ws>
!bytes = memref<1024xi8, #ws>
// All of these refer to the start of shared memory.
memref.global @words : !words
memref.global @bytes : !bytes
memref.global @matrix : memref<8x8xf16, #ws>
#one_block = #tile.grid<affine_map<() -> (1)> of []>
#two_blocks = #tile.grid<affine_map<() -> (2)> of []>

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

// A thread of one warp writes a word that another warp's thread reads.
tile.kernel @no_barrier(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @barrier(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// The barrier precedes the write.
tile.kernel @barrier_too_early(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    memref.store %n, %s[%c0] : !words
  }
  gpu.barrier
  scf.if %isFirst {
    // expected-note@+1 {{with this write}}
    memref.store %n, %s[%c0] : !words
  }
  %isLast = arith.cmpi eq, %i, %c63 : index
  scf.if %isLast {
    // expected-error@+1 {{race: no barrier is between them}}
    %v = memref.load %s[%c0] : !words
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

// Bytes are overwritten while other threads read them.
tile.kernel @write_after_read(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
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
  // expected-error@+1 {{race: no barrier is between them}}
  memref.store %n, %s[%i] : !words
  tile.return
}

tile.kernel @barrier_between_read_and_write(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
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
  memref.store %n, %s[%i] : !words
  tile.return
}

// One thread of each warp writes the same word.
tile.kernel @two_writers(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %lane = arith.remui %i, %c32 : index
  %isFirst = arith.cmpi eq, %lane, %c0 : index
  scf.if %isFirst {
    // expected-note@+2 {{with this write}}
    // expected-error@+1 {{race: no barrier is between them}}
    memref.store %n, %s[%c0] : !words
  }
  tile.return
}

// The lanes of one warp write the same word.
tile.kernel @one_warp_writes_a_word(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c4 = arith.constant 4 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %j = arith.divui %i, %c4 : index
  // expected-note@+2 {{with this write}}
  // expected-error@+1 {{race: no barrier is between them (nothing else orders the lanes of a warp)}}
  memref.store %n, %s[%j] : !words
  tile.return
}

// Different bytes of a word are no conflict.
tile.kernel @bytes_of_a_word(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i8
  %s = memref.get_global @bytes : !bytes
  memref.store %n, %s[%i] : !bytes
  tile.return
}

// A byte that overlaps an access of 16 bytes.
tile.kernel @one_byte_of_a_vector(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i8
  %words = memref.get_global @words : !words
  %bytes = memref.get_global @bytes : !bytes
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    // expected-note@+1 {{with this write}}
    vector.store %zero, %words[%c0] : !words, vector<4xi32>
  }
  %isOther = arith.cmpi eq, %i, %c40 : index
  scf.if %isOther {
    // expected-error@+1 {{race: no barrier is between them}}
    memref.store %n, %bytes[%c15] : !bytes
  }
  tile.return
}

// The byte after those 16 does not overlap.
tile.kernel @byte_beside_a_vector(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i8
  %words = memref.get_global @words : !words
  %bytes = memref.get_global @bytes : !bytes
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    vector.store %zero, %words[%c0] : !words, vector<4xi32>
  }
  %isOther = arith.cmpi eq, %i, %c40 : index
  scf.if %isOther {
    memref.store %n, %bytes[%c16] : !bytes
  }
  tile.return
}

//===----------------------------------------------------------------------===//
// Loops and reuse
//===----------------------------------------------------------------------===//

// The next iteration overwrites bytes that this one still reads.
tile.kernel @neighbouring_iterations(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  scf.for %k = %c0 to %c3 step %c1 {
    // expected-note@+1 {{with this write}}
    memref.store %n, %s[%i] : !words
    gpu.barrier
    // expected-error@+1 {{race: no barrier is between them}}
    %v = memref.load %s[%j] : !words
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

// There also is a barrier at the end of each iteration.
tile.kernel @separated_iterations(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  scf.for %k = %c0 to %c3 step %c1 {
    memref.store %n, %s[%i] : !words
    gpu.barrier
    %v = memref.load %s[%j] : !words
    memref.store %v, %out[%i] : memref<64xi32>
    gpu.barrier
  }
  tile.return
}

// Two alternating stages need one barrier per iteration.
tile.kernel @two_slots(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  scf.for %k = %c0 to %c6 step %c1 {
    %slot = arith.remui %k, %c2 : index
    %begin = arith.muli %slot, %c64 : index
    %mine = arith.addi %begin, %i : index
    memref.store %n, %s[%mine] : !words
    gpu.barrier
    %theirs = arith.addi %begin, %j : index
    %v = memref.load %s[%theirs] : !words
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

// The code is for three stages, read two iterations after they are written; there are
// only two.
tile.kernel @one_slot_short(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %second = arith.addi %i, %c64 : index
  memref.store %n, %s[%i] : !words
  memref.store %n, %s[%second] : !words
  gpu.barrier
  scf.for %k = %c0 to %c6 step %c1 {
    %next = arith.addi %k, %c2 : index
    %free = arith.remui %next, %c2 : index
    %to = arith.muli %free, %c64 : index
    %mine = arith.addi %to, %i : index
    // expected-note@+1 {{with this write}}
    memref.store %n, %s[%mine] : !words
    %slot = arith.remui %k, %c2 : index
    %from = arith.muli %slot, %c64 : index
    %theirs = arith.addi %from, %j : index
    // expected-error@+1 {{race: no barrier is between them}}
    %v = memref.load %s[%theirs] : !words
    memref.store %v, %out[%i] : memref<64xi32>
    gpu.barrier
  }
  tile.return
}

// A second buffer starts 16 bytes too early, in bytes that the first one still uses.
tile.kernel @reused_bytes(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %c240 = arith.constant 240 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @bytes : !bytes
  %first = memref.get_global @words : !words
  %second = memref.view %s[%c240][] : !bytes to memref<64xi32, #ws>
  memref.store %n, %first[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this read}}
  %v = memref.load %first[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  // expected-error@+1 {{race: no barrier is between them}}
  memref.store %n, %second[%i] : memref<64xi32, #ws>
  tile.return
}

tile.kernel @bytes_beside(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @bytes : !bytes
  %first = memref.get_global @words : !words
  %second = memref.view %s[%c256][] : !bytes to memref<64xi32, #ws>
  memref.store %n, %first[%i] : !words
  gpu.barrier
  %v = memref.load %first[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  memref.store %n, %second[%i] : memref<64xi32, #ws>
  tile.return
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

// bar.warp.sync orders a warp, not the block.
tile.kernel @warp_sync_for_a_barrier(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %all = arith.constant -1 : i32
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  nvvm.bar.warp.sync %all : i32
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @warp_sync(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c1 = arith.constant 1 : index
  %all = arith.constant -1 : i32
  %i = gpu.thread_id x
  %j = arith.xori %i, %c1 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  nvvm.bar.warp.sync %all : i32
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// Each half of the warp is ordered, but not the halves with each other.
tile.kernel @warp_sync_of_other_lanes(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant 0xffff : i32
  %high = arith.constant 0xffff0000 : i32
  %all = arith.constant -1 : i32
  %i = gpu.thread_id x
  %j = arith.xori %i, %c16 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  nvvm.bar.warp.sync %all : i32
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %isLow = arith.cmpi ult, %i, %c16 : index
  %half = arith.select %isLow, %low, %high : i32
  nvvm.bar.warp.sync %half : i32
  // expected-error@+1 {{race: no barrier is between them (nothing else orders the lanes of a warp)}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// A shuffle synchronizes the lanes, but orders no memory accesses.
tile.kernel @shuffle_for_a_warp_sync(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c1 = arith.constant 1 : index
  %all = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %clamp = arith.constant 31 : i32
  %i = gpu.thread_id x
  %j = arith.xori %i, %c1 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  nvvm.bar.warp.sync %all : i32
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %other = nvvm.shfl.sync bfly %all, %n, %one, %clamp : i32 -> i32
  // expected-error@+1 {{race: no barrier is between them (nothing else orders the lanes of a warp)}}
  %v = memref.load %s[%j] : !words
  %sum = arith.addi %v, %other : i32
  memref.store %sum, %out[%i] : memref<64xi32>
  tile.return
}

// Neither does a vote.
tile.kernel @vote_for_a_warp_sync(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c1 = arith.constant 1 : index
  %all = arith.constant -1 : i32
  %true = arith.constant true
  %i = gpu.thread_id x
  %j = arith.xori %i, %c1 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  nvvm.bar.warp.sync %all : i32
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %lanes = nvvm.vote.sync ballot %all, %true -> i32
  // expected-error@+1 {{race: no barrier is between them (nothing else orders the lanes of a warp)}}
  %v = memref.load %s[%j] : !words
  %sum = arith.addi %v, %lanes : i32
  memref.store %sum, %out[%i] : memref<64xi32>
  tile.return
}

// ldmatrix reads bytes that other lanes wrote.
tile.kernel @ldmatrix_without_barrier(%out: memref<32x2xf16>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1.0> : vector<2xf16>
  %i = gpu.thread_id x
  %s = memref.get_global @matrix : memref<8x8xf16, #ws>
  %row = arith.divui %i, %c4 : index
  %quarter = arith.remui %i, %c4 : index
  %column = arith.muli %quarter, %c2 : index
  vector.store %one, %s[%row, %column] : memref<8x8xf16, #ws>, vector<2xf16>
  gpu.barrier
  // expected-note@+1 {{with this write}}
  vector.store %one, %s[%row, %column] : memref<8x8xf16, #ws>, vector<2xf16>
  %given = arith.remui %i, %c8 : index
  // expected-error@+1 {{race: no barrier is between them (nothing else orders the lanes of a warp)}}
  %m = nvgpu.ldmatrix %s[%given, %c0] {numTiles = 1 : i32, transpose = false} : memref<8x8xf16, #ws> -> vector<1x2xf16>
  %v = vector.extract %m[0] : vector<2xf16> from vector<1x2xf16>
  vector.store %v, %out[%i, %c0] : memref<32x2xf16>, vector<2xf16>
  tile.return
}

// Two warps of three synchronize with a named barrier.
tile.kernel @barrier_of_others(%out: memref<96xi32>) attributes {block = 96 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %id = arith.constant 1 : i32
  %count = arith.constant 64 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    // expected-note@+1 {{with this write}}
    memref.store %n, %s[%c0] : !words
  }
  %isPair = arith.cmpi ult, %i, %c64 : index
  scf.if %isPair {
    nvvm.barrier id = %id number_of_threads = %count
    %v = memref.load %s[%c0] : !words
    memref.store %v, %out[%i] : memref<96xi32>
  } else {
    // expected-error@+1 {{race: no barrier is between them}}
    %v = memref.load %s[%c0] : !words
    memref.store %v, %out[%i] : memref<96xi32>
  }
  tile.return
}

// A producer arrives at the barrier and writes afterwards.
tile.kernel @write_after_arriving(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %id = arith.constant 1 : i32
  %count = arith.constant 64 : i32
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  %isProducer = arith.cmpi ult, %i, %c32 : index
  scf.if %isProducer {
    nvvm.barrier.arrive id = %id number_of_threads = %count
    // expected-note@+1 {{with this write}}
    memref.store %n, %s[%i] : !words
  } else {
    nvvm.barrier id = %id number_of_threads = %count
    // expected-error@+1 {{race: no barrier is between them}}
    %v = memref.load %s[%j] : !words
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

tile.kernel @write_before_arriving(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %id = arith.constant 1 : i32
  %count = arith.constant 64 : i32
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %isProducer = arith.cmpi ult, %i, %c32 : index
  scf.if %isProducer {
    memref.store %n, %s[%i] : !words
    nvvm.barrier.arrive id = %id number_of_threads = %count
  } else {
    nvvm.barrier id = %id number_of_threads = %count
    %v = memref.load %s[%j] : !words
    memref.store %v, %out[%i] : memref<64xi32>
  }
  tile.return
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

// Both blocks write the same elements.
tile.kernel @two_blocks_write(%out: memref<64xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  // expected-note@+2 {{with this write}}
  // expected-error@+1 {{race: nothing orders two blocks but atomics and fences of gpu scope}}
  memref.store %n, %out[%i] : memref<64xi32>
  tile.return
}

// Each block writes its own elements.
tile.kernel @blocks_beside_each_other(%out: memref<128xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %b = gpu.block_id x
  %begin = arith.muli %b, %c64 : index
  %at = arith.addi %begin, %i : index
  %n = arith.index_cast %i : index to i32
  memref.store %n, %out[%at] : memref<128xi32>
  tile.return
}

// A block reads elements that the other one writes.
tile.kernel @block_reads_anothers(%out: memref<128xi32>, %in: memref<128xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %c64 = arith.constant 64 : index
  %i = gpu.thread_id x
  %b = gpu.block_id x
  %begin = arith.muli %b, %c64 : index
  %mine = arith.addi %begin, %i : index
  %theirs = arith.xori %mine, %c64 : index
  // expected-note@+1 {{with this read}}
  %v = memref.load %out[%theirs] : memref<128xi32>
  // expected-error@+1 {{race: nothing orders two blocks but atomics and fences of gpu scope}}
  memref.store %v, %out[%mine] : memref<128xi32>
  tile.return
}

// Threads of one block in global memory.
tile.kernel @neighbour_in_global_memory(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c1 = arith.constant 1 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c1 : index
  // expected-note@+1 {{with this read}}
  %v = memref.load %out[%j] : memref<64xi32>
  // expected-error@+1 {{race: no barrier is between them (nothing else orders the lanes of a warp)}}
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @barrier_in_global_memory(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c1 = arith.constant 1 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c1 : index
  %v = memref.load %out[%j] : memref<64xi32>
  gpu.barrier
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// An atomic and a plain store are unordered.
tile.kernel @atomic_and_plain(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %isLow = arith.cmpi ult, %i, %c32 : index
  scf.if %isLow {
    // expected-note@+1 {{with this atomic}}
    %old = memref.atomic_rmw addi %n, %out[%c0] : (i32, memref<64xi32>) -> i32
  }
  %isOther = arith.cmpi eq, %i, %c32 : index
  scf.if %isOther {
    // expected-error@+1 {{race: no barrier is between them}}
    memref.store %n, %out[%c0] : memref<64xi32>
  }
  tile.return
}

tile.kernel @atomics(%out: memref<64xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %old = memref.atomic_rmw addi %n, %out[%c0] : (i32, memref<64xi32>) -> i32
  tile.return
}
