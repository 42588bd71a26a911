// RUN: tile-opt %s -tile-phases=arch=sm_80 | FileCheck %s

// The mask's layout is that of the scan's result in another notation: source and result of
// the scan have one type.
// CHECK-LABEL: @one_notation(
// CHECK: %[[S:.*]] = tile.scan add %{{.*}} axis 0 exclusive : !tile.tile<4xi32, #tile.register<{{.*}}>>{{$}}
tile.kernel @one_notation(%x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?xf32>) {
  %p = tile.program_id x
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %a = tile.load %x[%c0, %c11] : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<3x8xf32>
  %b = tile.reshape %a : !tile.tile<3x8xf32> to !tile.tile<6x4xf32>
  %c = tile.load %x[%c3, %c0] : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<6x4xf32>
  %d = math.atan2 %b, %c : !tile.tile<6x4xf32>
  %least:2 = tile.arg_reduce min %d axis 0 : !tile.tile<6x4xf32> to !tile.tile<4xf32>, !tile.tile<4xindex>
  %stack = tile.load %x[%c0, %c0] : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<210xf32>
  %mask = arith.constant dense<true> : !tile.tile<4xi1>
  %count = arith.constant 145 : i32
  %pushed, %n, %places = tile.push %least#0 mask %mask onto %stack, %count : !tile.tile<4xf32> onto !tile.tile<210xf32>
  %popped, %left, %others = tile.pop %pushed, %n mask %mask : !tile.tile<210xf32> to !tile.tile<4xf32>
  %at = arith.muli %p, %c4 : index
  tile.store %popped, %y[%at] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}
