// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 | FileCheck %s
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=SM90
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 --ptx-version=90 | FileCheck %s --check-prefix=NEWEST
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 --line-tables=false | FileCheck %s --check-prefix=PLAIN
// REQUIRES: nvptx

// The PTX version is the least that the architecture needs, or the requested one.
// CHECK: .version 8.0
// CHECK: .target sm_80
// SM90: .version 8.0
// SM90: .target sm_90a
// NEWEST: .version 9.0
// PLAIN-NOT: .loc

// Shared memory is one external symbol; its size is given at launch.
llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// Arithmetic follows IEEE 754, without contraction unless the operations allow it.
// CHECK-LABEL: .visible .entry arithmetic(
// CHECK: .param .u64 .ptr .global .align 16 arithmetic_param_0
// CHECK: .reqntid 128, 1, 1
// CHECK-NOT: fma
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: fma.rn.f32
// CHECK: div.rn.f32
// CHECK: sqrt.rn.f32
llvm.func @arithmetic(%x: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %a: f32, %b: f32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %0 = llvm.fmul %a, %b : f32
  %1 = llvm.fadd %0, %b : f32
  llvm.store volatile %1, %x : f32, !llvm.ptr<1>
  %2 = llvm.fmul %a, %a {fastmathFlags = #llvm.fastmath<contract>} : f32
  %3 = llvm.fadd %2, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  llvm.store volatile %3, %x : f32, !llvm.ptr<1>
  %4 = llvm.fdiv %a, %b : f32
  llvm.store volatile %4, %x : f32, !llvm.ptr<1>
  %5 = llvm.intr.sqrt(%a) : (f32) -> f32
  llvm.store volatile %5, %x : f32, !llvm.ptr<1>
  llvm.return
}

// An access is as wide as the alignment that is proved.
// CHECK: .visible .entry wide(
// CHECK: ld.global{{.*}}.v4.b32
// CHECK: st.global.v4.b32
llvm.func @wide(%x: !llvm.ptr<1> {llvm.noalias}, %y: !llvm.ptr<1> {llvm.noalias}) attributes {nvvm.kernel} {
  %0 = llvm.load %x {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  llvm.store %0, %y {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
  llvm.return
}

// It is declared before the first kernel that uses it.
// CHECK: .extern .shared .align 1024 .b8 tile_shared[];
// CHECK: .visible .entry shared(
// CHECK: st.volatile.shared.b32
llvm.func @shared(%a: i32) attributes {nvvm.kernel} {
  %0 = llvm.mlir.addressof @tile_shared : !llvm.ptr<3>
  llvm.store volatile %a, %0 : i32, !llvm.ptr<3>
  llvm.return
}
