// RUN: tile-opt %s -test-tile-emulate -verify-diagnostics -o /dev/null

// Lanes outside of a box read an element that another thread writes. If a select always
// drops the value, this is no race. If any use keeps the value, it is one.

#ws = #gpu.address_space<workgroup>
!words = memref<256xi32, #ws>
memref.global @words : !words
#two_blocks = #tile.grid<affine_map<() -> (2)> of []>

// Every second lane reads the first word, which thread 0 writes, and selects zero.
tile.kernel @dropped(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isEven = arith.cmpi eq, %odd, %c0 : index
  %place = arith.select %isEven, %i, %c0 : index
  %v = memref.load %s[%place] : !words
  %kept = arith.select %isEven, %v, %zero : i32
  memref.store %kept, %out[%i] : memref<64xi32>
  tile.return
}

// The value is the select's second operand instead of its first.
tile.kernel @dropped_where_true(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isOdd = arith.cmpi eq, %odd, %c1 : index
  %place = arith.select %isOdd, %c0, %i : index
  %v = memref.load %s[%place] : !words
  %kept = arith.select %isOdd, %zero, %v : i32
  memref.store %kept, %out[%i] : memref<64xi32>
  tile.return
}

// The select keeps the value in the lanes that read the first word.
tile.kernel @wrong_arm(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isEven = arith.cmpi eq, %odd, %c0 : index
  %place = arith.select %isEven, %i, %c0 : index
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%place] : !words
  %kept = arith.select %isEven, %zero, %v : i32
  memref.store %kept, %out[%i] : memref<64xi32>
  tile.return
}

// The select tests another bit of the lane's index than the address does.
tile.kernel @wrong_condition(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isEven = arith.cmpi eq, %odd, %c0 : index
  %two = arith.andi %i, %c2 : index
  %isOther = arith.cmpi eq, %two, %c0 : index
  %place = arith.select %isEven, %i, %c0 : index
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%place] : !words
  %kept = arith.select %isOther, %v, %zero : i32
  memref.store %kept, %out[%i] : memref<64xi32>
  tile.return
}

// The value has a second use, which keeps it.
tile.kernel @another_use(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isEven = arith.cmpi eq, %odd, %c0 : index
  %place = arith.select %isEven, %i, %c0 : index
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%place] : !words
  %kept = arith.select %isEven, %v, %zero : i32
  %sum = arith.addi %kept, %v : i32
  memref.store %sum, %out[%i] : memref<64xi32>
  tile.return
}

// Two selects keep the value under different conditions; it is kept if one holds.
tile.kernel @kept_by_one_of_two(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  // expected-note@+1 {{with this write}}
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isEven = arith.cmpi eq, %odd, %c0 : index
  %isSeven = arith.cmpi eq, %i, %c7 : index
  %place = arith.select %isEven, %i, %c0 : index
  // expected-error@+1 {{race: no barrier is between them}}
  %v = memref.load %s[%place] : !words
  %first = arith.select %isEven, %v, %zero : i32
  %second = arith.select %isSeven, %v, %zero : i32
  %sum = arith.addi %first, %second : i32
  memref.store %sum, %out[%i] : memref<64xi32>
  tile.return
}

// A dropped value is still read: its address must be in bounds.
tile.kernel @dropped_out_of_bounds(%out: memref<64xi32>) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant 0 : i32
  %i = gpu.thread_id x
  %n = arith.index_cast %i : index to i32
  %s = memref.get_global @words : !words
  memref.store %n, %s[%i] : !words
  gpu.barrier
  memref.store %n, %s[%i] : !words
  %odd = arith.andi %i, %c1 : index
  %isEven = arith.cmpi eq, %odd, %c0 : index
  %place = arith.select %isEven, %i, %c1000 : index
  // expected-error@+1 {{out of bounds: expected an address in the 1024 bytes of shared memory}}
  %v = memref.load %s[%place] : !words
  %kept = arith.select %isEven, %v, %zero : i32
  memref.store %kept, %out[%i] : memref<64xi32>
  tile.return
}

// Each block updates half of the array; the last lanes of block 1 read the first word.
tile.kernel @in_place(%x: memref<100xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %first = arith.muli %b, %c64 : index
  %i = arith.addi %first, %t : index
  %isInside = arith.cmpi ult, %i, %c100 : index
  %place = arith.select %isInside, %i, %c0 : index
  %v = memref.load %x[%place] : memref<100xi32>
  %kept = arith.select %isInside, %v, %zero : i32
  %sum = arith.addi %kept, %kept : i32
  scf.if %isInside {
    memref.store %sum, %x[%i] : memref<100xi32>
  }
  tile.return
}

// The lanes use the values that they read, without a select.
tile.kernel @in_place_and_kept(%x: memref<100xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %first = arith.muli %b, %c64 : index
  %i = arith.addi %first, %t : index
  %isInside = arith.cmpi ult, %i, %c100 : index
  %place = arith.select %isInside, %i, %c0 : index
  // expected-note@+1 {{with this read}}
  %v = memref.load %x[%place] : memref<100xi32>
  %sum = arith.addi %v, %v : i32
  scf.if %isInside {
    // expected-error@+1 {{race: nothing orders two blocks but atomics and fences of gpu scope}}
    memref.store %sum, %x[%i] : memref<100xi32>
  }
  tile.return
}
