// RUN: tile-compile %s -o - --emit=ptx | FileCheck %s
// RUN: not env TILE_LIBDEVICE=%t.missing tile-compile %s -o - --emit=ptx 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tile-compile %s -o - --emit=ptx --libdevice=%s 2>&1 | FileCheck %s --check-prefix=BROKEN
// REQUIRES: nvptx, ptxas

// Functions of libdevice are linked into the kernel; they round as IEEE 754 requires.
// CHECK-NOT: .extern
// CHECK: .visible .entry waves(
// CHECK-NOT: sqrt.approx
// CHECK: sqrt.rn.f32
// CHECK-NOT: call

// MISSING: program.mlir:7:3: error: expected libdevice for 'math.hypot' (function '__nv_hypotf'), which was not found; install the CUDA toolkit or 'pip install nvidia-nvvm', or set TILE_LIBDEVICE
// BROKEN: error: expected bitcode in '{{.*}}libdevice.mlir', got:
llvm.func @__nv_hypotf(f32, f32) -> f32
llvm.func @waves(%p: !llvm.ptr<1>, %a: f32, %b: f32) attributes {nvvm.kernel} {
  %0 = llvm.call @__nv_hypotf(%a, %b) : (f32, f32) -> f32 loc(#call)
  llvm.store %0, %p : f32, !llvm.ptr<1>
  llvm.return
}
#place = loc("program.mlir":7:3)
#call = loc("math.hypot"(#place))
