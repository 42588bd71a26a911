// The program from which version-3.mlirbc was written, with -emit-bytecode, when the
// dialect's bytecode had version 3. It uses operations and forms added in version 3.
#row = #tile.register<(32,1,1):(1,0,0), box = [32]>
#buffer = #tile.shared<(9):(1)>

tile.kernel @everything(%a: memref<?x?xf32>, %b: memref<?xi32>, %n: i32, %x: f32)
    attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %inside = arith.constant dense<true> : !tile.tile<64x9xi1>
  %t = tile.load %a[%c0, %c0] mask %inside : !tile.tile<64x9xi1> pad %x in_bounds : memref<?x?xf32> -> !tile.tile<64x9xf32>
  %some = tile.load %a[%c0, %c0] mask %inside : !tile.tile<64x9xi1> : memref<?x?xf32> -> !tile.tile<64x9xf32>
  tile.store %t, %a[%c0, %c0] mask %inside : !tile.tile<64x9xi1> : !tile.tile<64x9xf32>, memref<?x?xf32>
  tile.store %t, %a[%c0, %c0] in_bounds : !tile.tile<64x9xf32>, memref<?x?xf32>
  %back = tile.view %t[%c0, %c0] steps [63, 2] : !tile.tile<64x9xf32> to !tile.tile<2x5xf32>
  %row = tile.view %t[%c0, %c0] : !tile.tile<64x9xf32> to !tile.tile<9xf32>
  %places = tile.load %b[%c0] : memref<?xi32> -> !tile.tile<64xi32>
  %column = tile.reshape %places : !tile.tile<64xi32> to !tile.tile<64x1xi32>
  %taken = tile.take %t at %column axis 0 : !tile.tile<64x9xf32>, !tile.tile<64x1xi32> to !tile.tile<64x9xf32>
  %put = tile.put %taken into %t at %column axis 0 : !tile.tile<64x9xf32>, !tile.tile<64x1xi32> into !tile.tile<64x9xf32>
  %sums = tile.put add %taken into %put at %column axis 0 mask %inside : !tile.tile<64x9xi1> : !tile.tile<64x9xf32>, !tile.tile<64x1xi32> into !tile.tile<64x9xf32>
  %keys, %values = tile.sort %sums, %taken axis 1 descending : !tile.tile<64x9xf32>, !tile.tile<64x9xf32>
  %unsigned = tile.sort %places axis 0 unsigned : !tile.tile<64xi32>
  %greatest, %where = tile.top_k %keys axis 1 : !tile.tile<64x9xf32> to !tile.tile<64x2xf32>, !tile.tile<64x2xi32>
  %least:2 = tile.top_k %places axis 0 least unsigned : !tile.tile<64xi32> to !tile.tile<3xi32>, !tile.tile<3xindex>
  %holds = arith.cmpi slt, %places, %unsigned : !tile.tile<64xi32>
  %counts = tile.histogram %places mask %holds : !tile.tile<64xi1> : !tile.tile<64xi32> to !tile.tile<100xi64>
  %flag = tile.atomic_load %b[%c0] order acquire scope system : memref<?xi32> -> !tile.tile<1xi32>
  tile.atomic_store %flag, %b[%c0] order release in_bounds : !tile.tile<1xi32>, memref<?xi32>
  tile.fence
  tile.fence release scope block
  %own:2 = tile.per_thread %places, %t : !tile.tile<64xi32>, !tile.tile<64x9xf32> to !tile.tile<64x9xf32>, !tile.tile<64xindex> {
  ^bb0(%thread: index, %i: i32, %v: vector<9xf32>):
    memref.store %i, %b[%thread] : memref<?xi32>
    tile.yield %v, %thread : vector<9xf32>, index
  }
  tile.per_thread {
  ^bb0(%thread: index):
    tile.yield
  }
  %stack, %height, %pushed = tile.push %places mask %holds onto %unsigned, %n : !tile.tile<64xi32> onto !tile.tile<64xi32>
  %popped:3 = tile.pop %stack, %height mask %holds : !tile.tile<64xi32> to !tile.tile<64xi32>
  tile.print "popped", %popped#0 : !tile.tile<64xi32>
  tile.print "here"
  tile.assert %holds, "expected sorted rows" : !tile.tile<64xi1>
  tile.return
}

// Operations that the compiler lowers them to.
func.func @parts(%v: !tile.tile<32xi32, #row>, %m: !tile.tile<32xi1, #row>, %b: memref<9xi32, #buffer>) {
  tile.put_shared %v into %b at %v axis 0 mask %m : !tile.tile<32xi1, #row> : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32, #buffer>
  tile.put_shared umax %v into %b at %v axis 0 : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32, #buffer>
  %0:2 = tile.partial_sort %v, %v axis 0 steps [1, 0, 2, 1, 2, 0] : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row>
  tile.print "sums", %b : memref<9xi32, #buffer> {storage = "register"}
  return
}
