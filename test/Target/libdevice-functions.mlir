// RUN: tile-compile %s -o %t.ptx --emit=ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: tile-compile %s -o %t.cubin
// REQUIRES: nvptx, ptxas

// Kernels are compiled side by side; what stays a function of libdevice is
// defined once.
// CHECK: .visible .entry first(
// CHECK: call{{.*}} __internal_accurate_pow
// CHECK: .func {{.*}} __internal_accurate_pow(
// CHECK: .visible .entry second(
// CHECK: call{{.*}} __internal_accurate_pow
// CHECK-NOT: .func
llvm.func @__nv_pow(f64, f64) -> f64
llvm.func @first(%p: !llvm.ptr<1>, %a: f64, %b: f64) attributes {nvvm.kernel} {
  %0 = llvm.call @__nv_pow(%a, %b) : (f64, f64) -> f64
  llvm.store %0, %p : f64, !llvm.ptr<1>
  llvm.return
}
llvm.func @second(%p: !llvm.ptr<1>, %a: f64, %b: f64) attributes {nvvm.kernel} {
  %0 = llvm.call @__nv_pow(%b, %a) : (f64, f64) -> f64
  llvm.store %0, %p : f64, !llvm.ptr<1>
  llvm.return
}
