// RUN: tile-compile %s -o %t.ptx --emit=ptx --arch=sm_80
// RUN: grep -o "\.loc.*" %t.ptx | cut -d " " -f 2 | sort -un > %t.lines
// RUN: FileCheck %s --implicit-check-not="{{[0-9]}}" < %t.lines
// REQUIRES: nvptx

// Every directive names a line of the program, and every line with code for the
// GPU has one: 13 is the entry, 15 loads, 16 adds, 17 stores, 18 returns.
// CHECK-DAG: {{^}}13{{$}}
// CHECK-DAG: {{^}}15{{$}}
// CHECK-DAG: {{^}}16{{$}}
// CHECK-DAG: {{^}}17{{$}}
// CHECK-DAG: {{^}}18{{$}}
tile.kernel @twice(%x: memref<256xf32>, %y: memref<256xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] in_bounds : memref<256xf32> -> !tile.tile<256xf32>
  %u = arith.addf %t, %t : !tile.tile<256xf32>
  tile.store %u, %y[%c0] in_bounds : !tile.tile<256xf32>, memref<256xf32>
  tile.return
}
