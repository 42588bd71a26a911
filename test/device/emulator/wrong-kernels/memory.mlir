// RUN: tile-opt %s -test-tile-emulate -verify-diagnostics -o /dev/null

// Single accesses that are wrong: out of bounds, misaligned, reads of bytes that no
// thread wrote, writes to read-only arrays.

#ws = #gpu.address_space<workgroup>
!words = memref<256xi32, #ws>
memref.global @words : !words
memref.global @matrix : memref<8x8xf16, #ws>

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

// The last thread reads one element past the end.
tile.kernel @beyond_an_array(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c1 = arith.constant 1 : index
  %i = gpu.thread_id x
  %j = arith.addi %i, %c1 : index
  // expected-error@+1 {{out of bounds: }}
  %v = memref.load %in[%j] : memref<64xi32>
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @before_an_array(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c1 = arith.constant 1 : index
  %i = gpu.thread_id x
  %j = arith.subi %i, %c1 : index
  // expected-error@+1 {{out of bounds: }}
  %v = memref.load %in[%j] : memref<64xi32>
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @within_an_array(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c63 = arith.constant 63 : index
  %i = gpu.thread_id x
  %j = arith.subi %c63, %i : index
  %v = memref.load %in[%j] : memref<64xi32>
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// One thread of 64 stores one element past the end.
tile.kernel @store_beyond_an_array(%out: memref<63xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  // expected-error@+1 {{out of bounds: }}
  memref.store %n, %out[%i] : memref<63xi32>
  tile.return
}

// The last of four words is out of bounds.
tile.kernel @vector_across_the_end(%in: memref<63xi32>, %out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c60 = arith.constant 60 : index
  %i = gpu.thread_id x
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    // expected-error@+1 {{out of bounds: }}
    %v = vector.load %in[%c60] : memref<63xi32>, vector<4xi32>
    vector.store %v, %out[%c60] : memref<64xi32>, vector<4xi32>
  }
  tile.return
}

// Rows of 6 elements with a stride of 8: the elements in between are not the array's.
tile.kernel @gap_of_a_row(%in: memref<8x6xi32, strided<[8, 1]>>, %out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c1 = arith.constant 1 : index
  %i = gpu.thread_id x
  %row = arith.andi %i, %c1 : index
  %c6 = arith.constant 6 : index
  %column = arith.muli %row, %c6 : index
  // expected-error@+1 {{out of bounds: }}
  %v = memref.load %in[%row, %column] : memref<8x6xi32, strided<[8, 1]>>
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @ends_of_rows(%in: memref<8x6xi32, strided<[8, 1]>>, %out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c7 = arith.constant 7 : index
  %c5 = arith.constant 5 : index
  %i = gpu.thread_id x
  %row = arith.andi %i, %c7 : index
  %v = memref.load %in[%row, %c5] : memref<8x6xi32, strided<[8, 1]>>
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// The launch has 128 bytes of shared memory.
tile.kernel @beyond_shared_memory(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 128 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  // expected-error@+1 {{out of bounds: }}
  memref.store %n, %s[%i] : !words
  tile.return
}

tile.kernel @all_of_shared_memory(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 256 : i64} {
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @copy_from_beyond_the_source(%in: memref<63xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-error@+1 {{out of bounds: }}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<63xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// The thread past the end copies zero elements, which fills in zeros.
tile.kernel @copy_of_no_element(%in: memref<63xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  %isInside = arith.cmpi ult, %i, %c63 : index
  %count = arith.select %isInside, %c1, %c0 : index
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1, %count : memref<63xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @copy_beyond_shared_memory(%in: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 128 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-error@+1 {{out of bounds: }}
  %copy = nvgpu.device_async_copy %in[%i], %s[%i], 1 : memref<64xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// The second half of the matrix is past the end of shared memory.
tile.kernel @ldmatrix_beyond_shared_memory(%out: memref<32x2xf16>) attributes {block = 32 : i64, tile.shared_bytes = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %i = gpu.thread_id x
  %s = memref.get_global @matrix : memref<8x8xf16, #ws>
  %words = memref.get_global @words : !words
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    vector.store %zero, %words[%c0] : !words, vector<4xi32>
  }
  gpu.barrier
  %row = arith.remui %i, %c8 : index
  // expected-error@+2 {{out of bounds: }}
  // expected-error@+1 {{uninitialized: }}
  %m = nvgpu.ldmatrix %s[%row, %c0] {numTiles = 1 : i32, transpose = false} : memref<8x8xf16, #ws> -> vector<1x2xf16>
  %v = vector.extract %m[0] : vector<2xf16> from vector<1x2xf16>
  vector.store %v, %out[%i, %c0] : memref<32x2xf16>, vector<2xf16>
  tile.return
}

// The kernel does not declare that it writes its argument.
tile.kernel @write_to_what_is_only_read(%in: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %i = gpu.thread_id x
  %address = memref.extract_aligned_pointer_as_index %in : memref<64xi32> -> index
  %bits = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %bits : i64 to !llvm.ptr<1>
  %n = arith.index_cast %i : index to i32
  // expected-error@+1 {{write to a read-only array: }}
  llvm.store %n, %pointer : i32, !llvm.ptr<1>
  tile.return
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

tile.kernel @misaligned_vector(%in: memref<256xi32>, %out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c6 = arith.constant 6 : index
  %i = gpu.thread_id x
  %j = arith.muli %i, %c6 : index
  // expected-error@+1 {{misaligned: expected an address that is a multiple of 16, got remainder 8}}
  %v = vector.load %in[%j] {alignment = 16 : i64} : memref<256xi32>, vector<4xi32>
  %w = vector.extract %v[0] : i32 from vector<4xi32>
  memref.store %w, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @misaligned_store_to_shared_memory(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %i = gpu.thread_id x
  %j = arith.muli %i, %c6 : index
  %s = memref.get_global @words : !words
  // expected-error@+1 {{misaligned: expected an address that is a multiple of 16, got remainder 8}}
  vector.store %zero, %s[%j] {alignment = 16 : i64} : !words, vector<4xi32>
  tile.return
}

tile.kernel @aligned(%in: memref<128xi32>, %out: memref<128xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c4 = arith.constant 4 : index
  %i = gpu.thread_id x
  %j = arith.muli %i, %c4 : index
  %s = memref.get_global @words : !words
  %v = vector.load %in[%j] {alignment = 16 : i64} : memref<128xi32>, vector<4xi32>
  vector.store %v, %s[%j] {alignment = 16 : i64} : !words, vector<4xi32>
  %w = vector.load %s[%j] {alignment = 16 : i64} : !words, vector<4xi32>
  vector.store %w, %out[%j] {alignment = 16 : i64} : memref<128xi32>, vector<4xi32>
  tile.return
}

tile.kernel @copy_to_a_misaligned_place(%in: memref<256xi32>, %out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  %from = arith.muli %i, %c4 : index
  %to = arith.muli %i, %c6 : index
  // expected-error@+1 {{misaligned: expected an address that is a multiple of 16, got remainder 8}}
  %copy = nvgpu.device_async_copy %in[%from], %s[%to], 4 : memref<256xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

tile.kernel @copy_from_a_misaligned_place(%in: memref<256xi32>, %out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c6 = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  %from = arith.muli %i, %c6 : index
  %to = arith.muli %i, %c4 : index
  // expected-error@+1 {{misaligned: expected an address that is a multiple of 16, got remainder 8}}
  %copy = nvgpu.device_async_copy %in[%from], %s[%to], 4 : memref<256xi32> to !words
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// Rows of 18 bytes.
tile.kernel @misaligned_rows_of_ldmatrix(%out: memref<32x2xf16>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %words = memref.get_global @words : !words
  memref.store %zero, %words[%i] : !words
  gpu.barrier
  %s = memref.get_global @matrix : memref<8x8xf16, #ws>
  %row = arith.remui %i, %c8 : index
  %column = arith.andi %i, %c1 : index
  // expected-error@+1 {{misaligned: expected an address that is a multiple of 16, got remainder 2}}
  %m = nvgpu.ldmatrix %s[%row, %column] {numTiles = 1 : i32, transpose = false} : memref<8x8xf16, #ws> -> vector<1x2xf16>
  %v = vector.extract %m[0] : vector<2xf16> from vector<1x2xf16>
  vector.store %v, %out[%i, %c0] : memref<32x2xf16>, vector<2xf16>
  tile.return
}

//===----------------------------------------------------------------------===//
// Uninitialized bytes
//===----------------------------------------------------------------------===//

tile.kernel @never_written(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %i = gpu.thread_id x
  %s = memref.get_global @words : !words
  // expected-error@+1 {{uninitialized: expected bytes that somebody wrote before}}
  %v = memref.load %s[%i] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

// Two of four words are initialized.
tile.kernel @half_written(%out: memref<64xi32>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %j = arith.muli %i, %c2 : index
  memref.store %n, %s[%j] : !words
  gpu.barrier
  %isFirst = arith.cmpi ult, %i, %c4 : index
  scf.if %isFirst {
    %k = arith.muli %i, %c4 : index
    // expected-error@+1 {{uninitialized: expected bytes that somebody wrote before}}
    %v = vector.load %s[%k] : !words, vector<4xi32>
    vector.store %v, %out[%k] : memref<64xi32>, vector<4xi32>
  }
  tile.return
}

// The first warp reads bytes that the second warp does not write.
tile.kernel @left_out_by_a_warp(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c32 = arith.constant 32 : index
  %i = gpu.thread_id x
  %j = arith.xori %i, %c32 : index
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  %isFirst = arith.cmpi ult, %i, %c32 : index
  scf.if %isFirst {
    memref.store %n, %s[%i] : !words
  }
  gpu.barrier
  // expected-error@+1 {{uninitialized: expected bytes that somebody wrote before}}
  %v = memref.load %s[%j] : !words
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}

tile.kernel @ldmatrix_of_unwritten_rows(%out: memref<32x2xf16>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %words = memref.get_global @words : !words
  %isWritten = arith.cmpi ult, %i, %c8 : index
  scf.if %isWritten {
    memref.store %zero, %words[%i] : !words
  }
  gpu.barrier
  %s = memref.get_global @matrix : memref<8x8xf16, #ws>
  %row = arith.remui %i, %c8 : index
  // expected-error@+1 {{uninitialized: expected bytes that somebody wrote before}}
  %m = nvgpu.ldmatrix %s[%row, %c0] {numTiles = 1 : i32, transpose = false} : memref<8x8xf16, #ws> -> vector<1x2xf16>
  %v = vector.extract %m[0] : vector<2xf16> from vector<1x2xf16>
  vector.store %v, %out[%i, %c0] : memref<32x2xf16>, vector<2xf16>
  tile.return
}

tile.kernel @ldmatrix_of_written_rows(%out: memref<32x2xf16>) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %words = memref.get_global @words : !words
  memref.store %zero, %words[%i] : !words
  gpu.barrier
  %s = memref.get_global @matrix : memref<8x8xf16, #ws>
  %row = arith.remui %i, %c8 : index
  %m = nvgpu.ldmatrix %s[%row, %c0] {numTiles = 1 : i32, transpose = false} : memref<8x8xf16, #ws> -> vector<1x2xf16>
  %v = vector.extract %m[0] : vector<2xf16> from vector<1x2xf16>
  vector.store %v, %out[%i, %c0] : memref<32x2xf16>, vector<2xf16>
  tile.return
}

// The kernel declares that it writes all of its argument.
tile.kernel @read_of_a_result(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %i = gpu.thread_id x
  %address = memref.extract_aligned_pointer_as_index %out : memref<64xi32> -> index
  %bits = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %bits : i64 to !llvm.ptr<1>
  // expected-error@+1 {{uninitialized: expected bytes that somebody wrote before}}
  %v = llvm.load %pointer : !llvm.ptr<1> -> i32
  gpu.barrier
  memref.store %v, %out[%i] : memref<64xi32>
  tile.return
}
