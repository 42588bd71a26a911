// Computes 9! by a reduction of the integers 1 to 9. A reduction can combine elements
// by any associative operation with an identity. `commutative` allows any order of the
// elements, so that they need not be rearranged.

#one = #tile.grid<affine_map<() -> (1)> of []>

tile.kernel @factorial(%result: memref<1xi32>)
    attributes {block = 32 : i64, grid = #one} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %numbers = tile.iota axis 0 from %one step %one : !tile.tile<9xi32>
  %product = tile.reduce %numbers identity [1 : i32] commutative
      : !tile.tile<9xi32> to !tile.tile<i32> {
  ^bb0(%a: i32, %b: i32):
    %both = arith.muli %a, %b : i32
    tile.yield %both : i32
  }
  tile.store %product, %result[%c0] : !tile.tile<i32>, memref<1xi32>
  tile.return
}
