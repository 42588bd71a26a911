// The program from which version-4.mlirbc was written, with -emit-bytecode, when the
// dialect's bytecode had version 4. It uses operations and forms added in version 4.
tile.kernel @everything(%a: memref<?x?x?xf32>, %b: memref<?x?x?xi32>, %x: f32)
    attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %inside = arith.constant dense<true> : !tile.tile<64x9xi1>
  %t = tile.load %a[%c0, %c0, %c0] dims [0, 2] : memref<?x?x?xf32> -> !tile.tile<64x9xf32>
  %u = tile.load %a[%c0, %c0, %c0] dims [2, 1] mask %inside : !tile.tile<64x9xi1> pad %x in_bounds : memref<?x?x?xf32> -> !tile.tile<64x9xf32>
  tile.store %t, %a[%c0, %c0, %c0] dims [1, 0] : !tile.tile<64x9xf32>, memref<?x?x?xf32>
  tile.store %u, %a[%c0, %c0, %c0] mask %inside : !tile.tile<64x9xi1> in_bounds : !tile.tile<64x9xf32>, memref<?x?x?xf32>
  %n = tile.load %b[%c0, %c0, %c0] dims [0, 1] : memref<?x?x?xi32> -> !tile.tile<64x9xi32>
  %m = tile.load %b[%c0, %c0, %c0] dims [0, 1] : memref<?x?x?xi32> -> !tile.tile<64x1xi32>
  %g = tile.gather %a[%c0, %c0, %c0] at %m, %n axes [0, 1] mask %inside : !tile.tile<64x9xi1> pad %x : memref<?x?x?xf32>, !tile.tile<64x1xi32>, !tile.tile<64x9xi32> -> !tile.tile<64x9xf32>
  %h = tile.gather %a[%c0, %c0, %c0] dims [0, 2] at %m axis 0 in_bounds : memref<?x?x?xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x9xf32>
  tile.scatter %g, %a[%c0, %c0, %c0] dims [2, 0] at %n, %m axes [1, 0] : !tile.tile<64x9xf32>, memref<?x?x?xf32>, !tile.tile<64x9xi32>, !tile.tile<64x1xi32>
  %old = tile.scatter %n, %b[%c0, %c0, %c0] at %m axis 0 atomic add : !tile.tile<64x9xi32>, memref<?x?x?xi32>, !tile.tile<64x1xi32> -> !tile.tile<64x9xi32>
  %was = tile.atomic_rmw compare_exchange %n, %b[%c0, %c0, %c0] dims [0, 2] expected %old mask %inside : !tile.tile<64x9xi1> order acquire scope system ordered in_bounds : !tile.tile<64x9xi32>, memref<?x?x?xi32>
  %row = tile.reduce add %h axis 0 : !tile.tile<64x9xf32> to !tile.tile<9xf32>
  %wide = tile.broadcast %row dims [1] : !tile.tile<9xf32> to !tile.tile<64x9x2xf32>
  %sum = tile.map %t, %row : !tile.tile<64x9xf32>, !tile.tile<9xf32> to !tile.tile<64x9xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tile.yield %s : f32
  }
  %one = tile.insert %x into %sum[%c0, %c0] : f32 into !tile.tile<64x9xf32>
  %pair = tile.complex create %one, %t : !tile.tile<64x9xf32>, !tile.tile<64x9xf32> to !tile.tile<64x9xcomplex<f32>>
  %size = tile.complex abs %pair : !tile.tile<64x9xcomplex<f32>> to !tile.tile<64x9xf32>
  %packed = tile.unpack %was axis 1 bits 4 unsigned : !tile.tile<64x9xi32> to !tile.tile<64x72xi8>
  tile.return
}
