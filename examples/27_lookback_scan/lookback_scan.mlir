// Computes the sum up to each element of an array of any length, in one kernel that
// reads and writes the array once. A block of 2048 elements publishes the sum of its
// elements, looks back at earlier blocks until it knows the sum of all of them, and
// publishes the sum up to its last element (Merrill and Garland, "Single-pass Parallel
// Prefix Scan with Decoupled Look-back", 2016).
//
// %state is zero before the launch. Its first word counts the blocks that have started;
// a block takes its index from this count, so that all blocks for which it waits have
// started, too. One word per block follows. Its lower half is a sum, and its upper half
// states which: 0, none yet; 1, the sum of the block's elements; 2, the sum up to the
// block's last element. Words are accessed atomically, so no ordering is needed.

#blocks = #tile.grid<affine_map<(n) -> (n ceildiv 2048)> of [[0, 0]]>

func.func private @publish(%known: i64, %sum: !tile.tile<i32>,
                           %state: memref<?xi64>, %at: index) {
  %c32 = arith.constant 32 : i64
  %upper = arith.shli %known, %c32 : i64
  %upper_half = tile.fill %upper : !tile.tile<i64>
  %lower_half = tile.cast %sum unsigned : !tile.tile<i32> to !tile.tile<i64>
  %word = arith.ori %upper_half, %lower_half : !tile.tile<i64>
  tile.atomic_store %word, %state[%at] : !tile.tile<i64>, memref<?xi64>
  return
}

// Adds the sums in the 32 words up to %last, or only in those from the last word with
// state 2 on. Also returns whether such a word exists, and whether one of the added
// words has no sum yet.
func.func private @look_back(%state: memref<?xi64>, %last: index)
    -> (!tile.tile<i32>, i1, i1) {
  %c31 = arith.constant 31 : index
  %begin = arith.subi %last, %c31 : index
  %words = tile.atomic_load %state[%begin] : memref<?xi64> -> !tile.tile<32xi64>
  %half = arith.constant dense<32> : !tile.tile<32xi64>
  %upper = arith.shrui %words, %half : !tile.tile<32xi64>
  %known = tile.cast %upper : !tile.tile<32xi64> to !tile.tile<32xi32>
  %sums = tile.cast %words : !tile.tile<32xi64> to !tile.tile<32xi32>

  %two = arith.constant dense<2> : !tile.tile<32xi32>
  %none = arith.constant dense<-1> : !tile.tile<32xi32>
  %zero = arith.constant dense<0> : !tile.tile<32xi32>
  %place = tile.iota axis 0 : !tile.tile<32xi32>
  %is_prefix = arith.cmpi eq, %known, %two : !tile.tile<32xi32>
  %prefixes = tile.select %is_prefix, %place, %none : !tile.tile<32xi1>, !tile.tile<32xi32>
  %nearest = tile.reduce max %prefixes : !tile.tile<32xi32> to !tile.tile<i32>
  %from = tile.broadcast %nearest : !tile.tile<i32> to !tile.tile<32xi32>
  %counts = arith.cmpi sge, %place, %from : !tile.tile<32xi32>
  %counted = tile.select %counts, %sums, %zero : !tile.tile<32xi1>, !tile.tile<32xi32>
  %sum = tile.reduce add %counted : !tile.tile<32xi32> to !tile.tile<i32>

  %is_empty = arith.cmpi eq, %known, %zero : !tile.tile<32xi32>
  %is_missing = arith.andi %is_empty, %counts : !tile.tile<32xi1>
  %missing = tile.reduce or %is_missing : !tile.tile<32xi1> to !tile.tile<i1>
  %waits = tile.extract %missing[] : !tile.tile<i1>
  %n = tile.extract %nearest[] : !tile.tile<i32>
  %c0 = arith.constant 0 : i32
  %is_found = arith.cmpi sge, %n, %c0 : i32
  return %sum, %is_found, %waits : !tile.tile<i32>, i1, i1
}

tile.kernel @lookback_scan(%x: memref<?xi32>, %state: memref<?xi64>,
                           %y: memref<?xi32>)
    attributes {block = 256 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 2048 : index
  %zero = arith.constant dense<0> : !tile.tile<i32>
  %one = arith.constant dense<1> : !tile.tile<i64>
  %is_sum = arith.constant 1 : i64
  %is_prefix = arith.constant 2 : i64

  %ticket = tile.atomic_rmw add %one, %state[%c0] : !tile.tile<i64>, memref<?xi64>
  %number = tile.extract %ticket[] : !tile.tile<i64>
  %block = arith.index_cast %number : i64 to index
  %i = arith.muli %block, %size : index
  %t = tile.load %x[%i] : memref<?xi32> -> !tile.tile<2048xi32>
  %sum = tile.reduce add %t : !tile.tile<2048xi32> to !tile.tile<i32>
  %word = arith.addi %block, %c1 : index

  %is_first = arith.cmpi eq, %block, %c0 : index
  %before = scf.if %is_first -> (!tile.tile<i32>) {
    scf.yield %zero : !tile.tile<i32>
  } else {
    func.call @publish(%is_sum, %sum, %state, %word)
        : (i64, !tile.tile<i32>, memref<?xi64>, index) -> ()
    // The index of this block is also the index of the word of the block before it.
    %end, %all = scf.while (%last = %block, %carry = %zero)
        : (index, !tile.tile<i32>) -> (index, !tile.tile<i32>) {
      %seen, %is_found, %waits = func.call @look_back(%state, %last)
          : (memref<?xi64>, index) -> (!tile.tile<i32>, i1, i1)
      %added = arith.addi %carry, %seen : !tile.tile<i32>
      %farther = arith.subi %last, %c32 : index
      %next = arith.select %waits, %last, %farther : index
      %next_carry = arith.select %waits, %carry, %added : !tile.tile<i32>
      %true = arith.constant true
      %is_not_found = arith.xori %is_found, %true : i1
      %again = arith.ori %waits, %is_not_found : i1
      scf.condition(%again) %next, %next_carry : index, !tile.tile<i32>
    } do {
    ^bb0(%last: index, %carry: !tile.tile<i32>):
      scf.yield %last, %carry : index, !tile.tile<i32>
    }
    scf.yield %all : !tile.tile<i32>
  }

  %prefix = arith.addi %before, %sum : !tile.tile<i32>
  func.call @publish(%is_prefix, %prefix, %state, %word)
      : (i64, !tile.tile<i32>, memref<?xi64>, index) -> ()
  %s = tile.scan add %t : !tile.tile<2048xi32>
  %b = tile.broadcast %before : !tile.tile<i32> to !tile.tile<2048xi32>
  %r = arith.addi %b, %s : !tile.tile<2048xi32>
  tile.store %r, %y[%i] : !tile.tile<2048xi32>, memref<?xi32>
  tile.return
}
