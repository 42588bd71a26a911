// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>
#buffer = #tile.shared<(9):(1)>

// CHECK-LABEL: func.func @every_form
func.func @every_form(%v: !tile.tile<32xi32, #row>, %b: memref<9xi32, #buffer>, %i: !tile.tile<32xi16, #row>, %m: !tile.tile<32xi1, #row>) {
  // CHECK: tile_gpu.put_shared %{{.*}} into %{{.*}} at %{{.*}} axis 0 : !tile.tile<32xi32, {{.*}}>, !tile.tile<32xi16, {{.*}}> into memref<9xi32, #tile.shared<(9):(1)>>
  tile_gpu.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32, #row>, !tile.tile<32xi16, #row> into memref<9xi32, #buffer>
  // CHECK: tile_gpu.put_shared umax %{{.*}} axis 0 mask %{{.*}} : !tile.tile<32xi1, {{.*}}> {note = "x"} : !tile.tile<32xi32, {{.*}}>
  tile_gpu.put_shared umax %v into %b at %i axis 0 mask %m : !tile.tile<32xi1, #row> {note = "x"} : !tile.tile<32xi32, #row>, !tile.tile<32xi16, #row> into memref<9xi32, #buffer>
  return
}
