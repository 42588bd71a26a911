// RUN: tile-opt %s -tile-define-arithmetic | FileCheck %s

// A quotient by zero is zero.
// CHECK-LABEL: llvm.func @unsigned(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32)
llvm.func @unsigned(%a: i32, %b: i32) -> i32 {
  // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[IS:.*]] = llvm.icmp "eq" %[[B]], %[[NONE]]
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[SAFE:.*]] = llvm.select %[[IS]], %[[ONE]], %[[B]]
  // CHECK: %[[Q:.*]] = llvm.udiv %[[A]], %[[SAFE]] {tile.defined}
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[R:.*]] = llvm.select %[[IS]], %[[ZERO]], %[[Q]] {tile.zero_divisor}
  // CHECK: llvm.return %[[R]]
  %0 = llvm.udiv %a, %b : i32
  llvm.return %0 : i32
}

// A quotient that would overflow is computed with the divisor one.
// CHECK-LABEL: llvm.func @signed(
llvm.func @signed(%a: vector<2xi8>, %b: vector<2xi8>) -> vector<2xi8> {
  // CHECK: llvm.mlir.constant(dense<-128> : vector<2xi8>)
  // CHECK: llvm.icmp "eq"
  // CHECK: llvm.mlir.constant(dense<-1> : vector<2xi8>)
  // CHECK: llvm.icmp "eq"
  // CHECK: %[[OVERFLOWS:.*]] = llvm.and
  // CHECK: %[[BAD:.*]] = llvm.or %{{.*}}, %[[OVERFLOWS]]
  // CHECK: llvm.select %[[BAD]]
  // CHECK: llvm.srem %{{.*}}, %{{.*}} {tile.defined}
  // CHECK: llvm.select %{{.*}} {tile.zero_divisor}
  %0 = llvm.srem %a, %b : vector<2xi8>
  llvm.return %0 : vector<2xi8>
}

// CHECK-LABEL: llvm.func @bools(
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1)
llvm.func @bools(%a: i1, %b: i1) -> i1 {
  // CHECK: llvm.and %[[A]], %[[B]]
  // CHECK-NOT: llvm.sdiv
  %0 = llvm.sdiv %a, %b : i1
  llvm.return %0 : i1
}

// Constant divisors and shift amounts need no check.
// CHECK-LABEL: llvm.func @known(
llvm.func @known(%a: i32) -> i32 {
  // CHECK-NOT: tile.defined
  %seven = llvm.mlir.constant(7 : i32) : i32
  %0 = llvm.sdiv %a, %seven : i32
  %1 = llvm.shl %0, %seven : i32
  llvm.return %1 : i32
}

// CHECK-LABEL: llvm.func @minus_one(
llvm.func @minus_one(%a: i32) -> i32 {
  // CHECK: llvm.sdiv %{{.*}} {tile.defined}
  %one = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.sdiv %a, %one : i32
  llvm.return %0 : i32
}

// CHECK-LABEL: llvm.func @shifts(
// CHECK-SAME: %[[A:.*]]: i16, %[[B:.*]]: i16)
llvm.func @shifts(%a: i16, %b: i16) -> i16 {
  // CHECK: %[[FAR:.*]] = llvm.icmp "uge" %[[B]], %{{.*}} : i16
  // CHECK: %[[AMOUNT:.*]] = llvm.select %[[FAR]], %{{.*}}, %[[B]]
  // CHECK: %[[SHIFTED:.*]] = llvm.lshr %[[A]], %[[AMOUNT]] {tile.defined}
  // CHECK: llvm.select %[[FAR]], %{{.*}}, %[[SHIFTED]]
  %0 = llvm.lshr %a, %b : i16
  // CHECK: %[[LAST:.*]] = llvm.mlir.constant(15 : i16)
  // CHECK: %[[SIGN:.*]] = llvm.select %{{.*}}, %[[LAST]], %[[B]]
  // CHECK: llvm.ashr %{{.*}}, %[[SIGN]] {tile.defined}
  %1 = llvm.ashr %0, %b : i16
  llvm.return %1 : i16
}

// CHECK-LABEL: llvm.func @floats(
llvm.func @floats(%a: f32) -> i8 {
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%{{.*}}) : (f32) -> i8
  %0 = llvm.fptosi %a : f32 to i8
  // CHECK: llvm.call_intrinsic "llvm.fptoui.sat"(%{{.*}}) : (f32) -> i8
  %1 = llvm.fptoui %a : f32 to i8
  %2 = llvm.add %0, %1 : i8
  llvm.return %2 : i8
}
