// Sorts 32-bit keys by one of their four digits of 8 bits; keys with equal digits keep
// their order. Four such passes of a radix sort, the lowest digit first, sort the keys.
// Each block counts the digits of 1024 keys. The offset of its keys with a digit is the
// sum of the counts of lesser digits in all blocks and of this digit in earlier blocks.
// Before it stores its keys, a block sorts them by their digit, so that the keys of one
// digit are contiguous.

#blocks = #tile.grid<affine_map<(n) -> (n ceildiv 1024)> of [[0, 0]]>
#one = #tile.grid<affine_map<() -> (1)> of []>

// Returns a block's keys and their digits. The digit is 256 after the end of the array.
func.func private @load_digits(%keys: memref<?xi32>, %shift: i32)
    -> (!tile.tile<1024xi32>, !tile.tile<1024xi16>) {
  %size = arith.constant 1024 : index
  %c0 = arith.constant 0 : index
  %block = tile.program_id x
  %i = arith.muli %block, %size : index
  %t = tile.load %keys[%i] : memref<?xi32> -> !tile.tile<1024xi32>
  %shifts = tile.fill %shift : !tile.tile<1024xi32>
  %high = arith.shrui %t, %shifts : !tile.tile<1024xi32>
  %ones = arith.constant dense<255> : !tile.tile<1024xi32>
  %digit = arith.andi %high, %ones : !tile.tile<1024xi32>
  %n = memref.dim %keys, %c0 : memref<?xi32>
  %one = arith.constant 1 : index
  %place = tile.iota axis 0 from %i step %one : !tile.tile<1024xindex>
  %end = tile.fill %n : !tile.tile<1024xindex>
  %isKey = arith.cmpi slt, %place, %end : !tile.tile<1024xindex>
  %none = arith.constant dense<256> : !tile.tile<1024xi32>
  %chosen = tile.select %isKey, %digit, %none : !tile.tile<1024xi1>, !tile.tile<1024xi32>
  %digits = tile.cast %chosen : !tile.tile<1024xi32> to !tile.tile<1024xi16>
  return %t, %digits : !tile.tile<1024xi32>, !tile.tile<1024xi16>
}

tile.kernel @count(%keys: memref<?xi32>, %shift: i32, %counts: memref<256x?xi32>)
    attributes {block = 256 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %block = tile.program_id x
  %t, %digits = func.call @load_digits(%keys, %shift)
      : (memref<?xi32>, i32) -> (!tile.tile<1024xi32>, !tile.tile<1024xi16>)
  %count = tile.histogram %digits : !tile.tile<1024xi16> to !tile.tile<256xi32>
  %column = tile.reshape %count : !tile.tile<256xi32> to !tile.tile<256x1xi32>
  tile.store %column, %counts[%c0, %block] : !tile.tile<256x1xi32>, memref<256x?xi32>
  tile.return
}

// Sums up the counts before each count; the counts of digit 0 in all blocks come first.
tile.kernel @counts_before(%counts: memref<?xi32>, %before: memref<?xi32>)
    attributes {block = 256 : i64, grid = #one} {
  %c0 = arith.constant 0 : index
  %size = arith.constant 1024 : index
  %n = memref.dim %counts, %c0 : memref<?xi32>
  %none = arith.constant 0 : i32
  %all = scf.for %i = %c0 to %n step %size iter_args(%carry = %none) -> (i32) {
    %t = tile.load %counts[%i] : memref<?xi32> -> !tile.tile<1024xi32>
    %s = tile.scan add %t exclusive : !tile.tile<1024xi32>
    %c = tile.fill %carry : !tile.tile<1024xi32>
    %r = arith.addi %c, %s : !tile.tile<1024xi32>
    tile.store %r, %before[%i] : !tile.tile<1024xi32>, memref<?xi32>
    %sum = tile.reduce add %t : !tile.tile<1024xi32> to !tile.tile<i32>
    %added = tile.extract %sum[] : !tile.tile<i32>
    %next = arith.addi %carry, %added : i32
    scf.yield %next : i32
  }
  tile.return
}

tile.kernel @move(%keys: memref<?xi32>, %shift: i32, %before: memref<256x?xi32>,
                  %moved: memref<?xi32>)
    attributes {block = 256 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %block = tile.program_id x
  %t, %digits = func.call @load_digits(%keys, %shift)
      : (memref<?xi32>, i32) -> (!tile.tile<1024xi32>, !tile.tile<1024xi16>)
  %d, %k = tile.sort %digits, %t axis 0 unsigned
      : !tile.tile<1024xi16>, !tile.tile<1024xi32>
  // The offset of each digit's keys, in the block and in the whole array. There are 257
  // digits; the last digit is for elements after the end.
  %count = tile.histogram %d : !tile.tile<1024xi16> to !tile.tile<257xi32>
  %inBlock = tile.scan add %count exclusive : !tile.tile<257xi32>
  %column = tile.load %before[%c0, %block] : memref<256x?xi32> -> !tile.tile<257x1xi32>
  %inAll = tile.reshape %column : !tile.tile<257x1xi32> to !tile.tile<257xi32>
  %distance = arith.subi %inAll, %inBlock : !tile.tile<257xi32>
  %far = tile.take %distance at %d axis 0
      : !tile.tile<257xi32>, !tile.tile<1024xi16> to !tile.tile<1024xi32>
  %place = tile.iota axis 0 : !tile.tile<1024xi32>
  %at = arith.addi %place, %far : !tile.tile<1024xi32>
  %none = arith.constant dense<256> : !tile.tile<1024xi16>
  %isKey = arith.cmpi ult, %d, %none : !tile.tile<1024xi16>
  tile.scatter %k, %moved[%c0] at %at axis 0 mask %isKey : !tile.tile<1024xi1>
      : !tile.tile<1024xi32>, memref<?xi32>, !tile.tile<1024xi32>
  tile.return
}
