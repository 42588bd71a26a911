// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

!sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

// CHECK-LABEL: func.func @of_values
func.func @of_values(%token: !tile.mma_token, %c: !sum) -> !sum {
  // CHECK: %{{.*}} = tile_gpu.mma_wait %{{.*}} in_flight 0 of %{{.*}} : !tile.tile<64x64xf32, {{.*}}>
  %d = tile_gpu.mma_wait %token in_flight 0 of %c : !sum
  // CHECK: %{{.*}}:2 = tile_gpu.mma_wait %{{.*}} in_flight 1 of %{{.*}}, %{{.*}} : !tile.tile<64x64xf32, {{.*}}>, !tile.tile<64x64xf32, {{.*}}>
  %e:2 = tile_gpu.mma_wait %token in_flight 1 of %c, %d : !sum, !sum
  return %e#1 : !sum
}

// CHECK-LABEL: func.func @of_none
func.func @of_none(%token: !tile.mma_token) {
  // CHECK: tile_gpu.mma_wait %{{.*}} in_flight 63{{$}}
  tile_gpu.mma_wait %token in_flight 63
  return
}
