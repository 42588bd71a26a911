// An exponential with the flag `afn` is one approximate instruction, which flushes
// subnormal results to zero; without the flag it is a function of libdevice. Each
// kernel asserts the results that the emulator computes for random input.
// REQUIRES: emulator, nvptx
// RUN: tile-opt %s -tile-phases -test-tile-emulate -verify-diagnostics -o /dev/null
// RUN: tile-opt %s -tile-to-nvvm | tile-compile - --emit=ptx -o - | FileCheck %s

// CHECK-LABEL: .entry exp2(
// CHECK-DAG: ex2.approx.ftz.f32
// CHECK-DAG: ex2.approx.f32
tile.kernel @exp2(%a: memref<97xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<97xf32> -> !tile.tile<97xf32>
  %fast = math.exp2 %x fastmath<afn> : !tile.tile<97xf32>
  %exact = math.exp2 %x : !tile.tile<97xf32>
  %difference = arith.subf %fast, %exact : !tile.tile<97xf32>
  %error = math.absf %difference : !tile.tile<97xf32>
  %unit = arith.constant dense<2.4e-7> : !tile.tile<97xf32>
  %bound = arith.mulf %exact, %unit : !tile.tile<97xf32>
  %near = arith.cmpf ole, %error, %bound : !tile.tile<97xf32>
  tile.assert %near, "expected 2^x" : !tile.tile<97xi1>
  tile.return
}

// CHECK-LABEL: .entry exp(
// CHECK: mul.rn.f32 {{.*}}, 0f3FB8AA3B
// CHECK: ex2.approx.ftz.f32
tile.kernel @exp(%a: memref<97xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<97xf32> -> !tile.tile<97xf32>
  %fast = math.exp %x fastmath<afn, contract> : !tile.tile<97xf32>
  %log = math.log %fast : !tile.tile<97xf32>
  %difference = arith.subf %log, %x : !tile.tile<97xf32>
  %error = math.absf %difference : !tile.tile<97xf32>
  %bound = arith.constant dense<4.0e-6> : !tile.tile<97xf32>
  %near = arith.cmpf ole, %error, %bound : !tile.tile<97xf32>
  tile.assert %near, "expected x" : !tile.tile<97xi1>
  tile.return
}

// CHECK-LABEL: .entry halves(
// CHECK-DAG: cvt.f32.f16
// CHECK-DAG: ex2.approx.ftz.f32
// CHECK-DAG: cvt.rn.f16.f32
tile.kernel @halves(%a: memref<97xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<97xf16> -> !tile.tile<97xf16>
  %fast = math.exp2 %x fastmath<fast> : !tile.tile<97xf16>
  %exact = math.exp2 %x : !tile.tile<97xf16>
  %same = arith.cmpf oeq, %fast, %exact : !tile.tile<97xf16>
  tile.assert %same, "expected the same halves" : !tile.tile<97xi1>
  tile.return
}

// For f64 there is no approximate instruction.
// CHECK-LABEL: .entry doubles(
// CHECK-NOT: ex2
tile.kernel @doubles(%a: memref<97xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<97xf64> -> !tile.tile<97xf64>
  %fast = math.exp2 %x fastmath<afn> : !tile.tile<97xf64>
  %exact = math.exp2 %x : !tile.tile<97xf64>
  %same = arith.cmpf oeq, %fast, %exact : !tile.tile<97xf64>
  tile.assert %same, "expected the same doubles" : !tile.tile<97xi1>
  tile.return
}

// Results below 2^-126 become zero.
// CHECK-LABEL: .entry flushed(
// CHECK: ex2.approx.ftz.f32
tile.kernel @flushed(%a: memref<97xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<97xf32> -> !tile.tile<97xf32>
  %size = math.absf %x : !tile.tile<97xf32>
  %limit = arith.constant dense<-127.0> : !tile.tile<97xf32>
  %low = arith.subf %limit, %size : !tile.tile<97xf32>
  %fast = math.exp2 %low fastmath<afn> : !tile.tile<97xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<97xf32>
  %gone = arith.cmpf oeq, %fast, %zero : !tile.tile<97xf32>
  tile.assert %gone, "expected zero" : !tile.tile<97xi1>
  tile.return
}
