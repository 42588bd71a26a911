// Counts while the counter is at least `%limit`: forever if that is below 1.
tile.kernel @count(%out: memref<?xi32>, %limit: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = tile.program_id x
  %n = scf.while (%i = %zero) : (i32) -> i32 {
    %goes_on = arith.cmpi sge, %i, %limit : i32
    scf.condition(%goes_on) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %one : i32
    %positive = arith.maxsi %next, %zero : i32
    scf.yield %positive : i32
  }
  %tile = tile.fill %n : !tile.tile<1xi32>
  tile.store %tile, %out[%block] : !tile.tile<1xi32>, memref<?xi32>
  tile.return
}
