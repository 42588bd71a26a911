// The program from which version-2.mlirbc was written, with -emit-bytecode, when the
// dialect's bytecode had version 2. It uses operations and forms added in version 2.
tile.kernel @everything(%a: memref<?x?xf32>, %b: memref<?xi32>, %s: i64, %x: f32) {
  %c0 = arith.constant 0 : index
  %seed = tile.random uniform %s, %s : !tile.tile<64x16xf32>
  %places = tile.iota axis 0 from %x step %x : !tile.tile<64x16xf32>
  %t = tile.map %seed, %places : !tile.tile<64x16xf32>, !tile.tile<64x16xf32> to !tile.tile<64x16xf32> {
  ^bb0(%p: f32, %q: f32):
    %r = arith.mulf %p, %q : f32
    tile.yield %r : f32
  }
  %sum = tile.reduce add %t axis 1 keep : !tile.tile<64x16xf32> to !tile.tile<64x1xf32>
  %great, %place = tile.arg_reduce max %t axis 1 keep : !tile.tile<64x16xf32> to !tile.tile<64x1xf32>, !tile.tile<64x1xi32>
  %both:2 = tile.reduce %sum, %great identity [0.0 : f32, 1.0 : f32] commutative : !tile.tile<64x1xf32>, !tile.tile<64x1xf32> to !tile.tile<f32>, !tile.tile<f32> {
  ^bb0(%p: f32, %q: f32, %u: f32, %v: f32):
    %w = arith.addf %p, %u : f32
    %y = arith.mulf %q, %v : f32
    tile.yield %w, %y : f32, f32
  }
  %before = tile.scan xor %place axis 0 exclusive reverse : !tile.tile<64x1xi32>
  %mask = arith.cmpi ne, %before, %place : !tile.tile<64x1xi32>
  %taken = tile.gather %a[%c0, %c0] at %place axis 0 mask %mask : !tile.tile<64x1xi1> pad %x : memref<?x?xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x1xf32>
  tile.scatter %taken, %a[%c0, %c0] at %before axis 1 atomic add : !tile.tile<64x1xf32>, memref<?x?xf32>, !tile.tile<64x1xi32>
  %row = tile.reshape %place : !tile.tile<64x1xi32> to !tile.tile<64xi32>
  %old = tile.atomic_rmw compare_exchange %row, %b[%c0] expected %row order acquire scope system : !tile.tile<64xi32>, memref<?xi32>
  tile.return
}
