// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// CHECK-LABEL: func.func @in_buffers
func.func @in_buffers(%a: !lhs, %b: !rhs, %c: !sum) -> (!sum, !tile.mma_token) {
  // CHECK: %{{.*}}, %{{.*}} = tile_gpu.mma_async %{{.*}}, %{{.*}}, %{{.*}} tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : memref<64x32xf16, {{.*}}>, memref<32x64xf16, {{.*}}> -> !tile.tile<64x64xf32, {{.*}}>
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  return %d, %token : !sum, !tile.mma_token
}

// CHECK-LABEL: func.func @lhs_in_registers
func.func @lhs_in_registers(%a: !tile.tile<64x32xf16, #tile.register<((4,8),4,(2,2,2,2)):((2,32),512,(1,256,8,16)), box = [64, 32]>>, %b: !rhs, %c: !sum) -> !sum {
  // CHECK: tile_gpu.mma_async %{{.*}}, %{{.*}}, %{{.*}} tiling <{{.*}}> : !tile.tile<64x32xf16, {{.*}}>, memref<32x64xf16, {{.*}}> -> !tile.tile<64x64xf32, {{.*}}>
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !tile.tile<64x32xf16, #tile.register<((4,8),4,(2,2,2,2)):((2,32),512,(1,256,8,16)), box = [64, 32]>>, !rhs -> !sum
  return %d : !sum
}

// CHECK-LABEL: func.func @precision
func.func @precision(%a: memref<64x32xf8E4M3FN, #tile.shared<(64,32):(32,1)>>, %b: memref<32x64xf8E4M3FN, #tile.shared<(32,64):(1,32)>>, %c: !sum) -> !sum {
  // CHECK: tile_gpu.mma_async %{{.*}}, %{{.*}}, %{{.*}} precision fast_accumulation tiling <{{.*}}> : memref
  %d, %token = tile_gpu.mma_async %a, %b, %c precision fast_accumulation tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk32"> : memref<64x32xf8E4M3FN, #tile.shared<(64,32):(32,1)>>, memref<32x64xf8E4M3FN, #tile.shared<(32,64):(1,32)>> -> !sum
  return %d : !sum
}
