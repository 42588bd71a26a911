// RUN: tile-opt %s -convert-nvvm-to-emulator | FileCheck %s

// The host traps on a division by zero, the GPU does not: such a divisor becomes one.
// CHECK-LABEL: llvm.func @_tile_program_division(
llvm.func @division(%a: i32, %b: i32) attributes {nvvm.kernel} {
  // CHECK: %[[ZERO:[a-z0-9]+]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[BAD:[a-z0-9]+]] = llvm.icmp "eq" %[[B:[a-z0-9]+]], %[[ZERO]]
  // CHECK: %[[SAFE:[a-z0-9]+]] = llvm.select %[[BAD]], %{{.*}}, %[[B]]
  // CHECK: llvm.udiv %{{.*}}, %[[SAFE]]
  %0 = llvm.udiv %a, %b : i32
  // The divisor of a signed division becomes one also where the quotient overflows.
  // CHECK: llvm.icmp "eq"
  // CHECK: llvm.icmp "eq"
  // CHECK: llvm.icmp "eq"
  // CHECK: llvm.select
  // CHECK: llvm.srem
  %1 = llvm.srem %a, %b : i32
  // CHECK: %[[SEVEN:[a-z0-9]+]] = llvm.mlir.constant(7 : i32)
  // CHECK-NEXT: llvm.sdiv %{{.*}}, %[[SEVEN]]
  %seven = llvm.mlir.constant(7 : i32) : i32
  %2 = llvm.sdiv %a, %seven : i32
  llvm.return
}

// CHECK-LABEL: llvm.func @_tile_program_shift(
llvm.func @shift(%a: i32, %b: i32) attributes {nvvm.kernel} {
  // CHECK: %[[LARGE:[a-z0-9]+]] = llvm.icmp "uge"
  // CHECK: %[[SHIFTED:[a-z0-9]+]] = llvm.shl
  // CHECK: llvm.select %[[LARGE]], %{{.*}}, %[[SHIFTED]]
  %0 = llvm.shl %a, %b : i32
  // CHECK: %[[MOST:[a-z0-9]+]] = llvm.mlir.constant(31 : i32)
  // CHECK: %[[AMOUNT:[a-z0-9]+]] = llvm.select %{{.*}}, %[[MOST]]
  // CHECK: llvm.ashr %{{.*}}, %[[AMOUNT]]
  %1 = llvm.ashr %a, %b : i32
  llvm.return
}

// CHECK-LABEL: llvm.func @_tile_program_conversion(
llvm.func @conversion(%x: f32, %i: i32) attributes {nvvm.kernel} {
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%{{.*}}) : (f32) -> i32
  %0 = llvm.fptosi %x : f32 to i32
  // CHECK: llvm.zext %{{.*}} : i32 to i64
  // CHECK: llvm.call @tile_emulator_u64_to_bf16
  %1 = llvm.uitofp %i : i32 to bf16
  // CHECK: llvm.sitofp %{{.*}} : i32 to f16
  %2 = llvm.sitofp %i : i32 to f16
  llvm.return
}

// fma rounds once, also on vectors; for f32 there is an instruction.
// CHECK-LABEL: llvm.func @_tile_program_fma(
llvm.func @fma(%h: vector<2xf16>, %b: bf16, %x: f32) attributes {nvvm.kernel} {
  // CHECK-COUNT-2: llvm.call @tile_emulator_fma_f16(
  %0 = llvm.intr.fma(%h, %h, %h) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
  // CHECK: llvm.call @tile_emulator_fma_bf16(
  %1 = llvm.intr.fma(%b, %b, %b) : (bf16, bf16, bf16) -> bf16
  // CHECK: llvm.intr.fma(%{{.*}}) : (f32, f32, f32) -> f32
  %2 = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  llvm.return
}

// CHECK-LABEL: llvm.func @_tile_program_packed(
llvm.func @packed(%x: f32, %h: vector<2xf16>, %i: i32) attributes {nvvm.kernel} {
  // CHECK: llvm.call @tile_emulator_f32_to_tf32_rna
  %0 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
  // CHECK-COUNT-2: llvm.call @tile_emulator_f32_to_e4m3
  %1 = nvvm.convert.f32x2.to.f8x2 %x, %x {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  // CHECK: llvm.call @tile_emulator_prmt
  %2 = nvvm.prmt #nvvm.permute_mode<default> %i, %i, %i : i32
  llvm.return
}
