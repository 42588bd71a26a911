// RUN: not tile-opt %s -tile-gradient=wrt=z 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tile-opt %s -tile-gradient=wrt=n 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not tile-opt %s -tile-gradient=wrt=y 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not tile-opt %s -tile-gradient=outputs=x 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not tile-opt %s -tile-gradient="wrt=u outputs=u" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tile-opt %s -tile-gradient="wrt=x,unused" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tile-opt %s -tile-gradient="wrt=x outputs=y,constant" 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not tile-opt %s -tile-gradient=kernel=none 2>&1 | FileCheck %s --check-prefix=KERNEL

// NAME: error: expected an argument to differentiate by, got 'z', which the kernel does not have
// SCALAR: error: expected an array of floating-point or complex elements to differentiate by, got 'n' of type 'f32'
// WRITTEN: error: expected an array to differentiate by that the kernel reads, got 'y'
// READ: error: expected an array to differentiate that the kernel writes, got 'x'
// BOTH: error: expected an array to differentiate by that is either read or written, got 'u', which the kernel reads and writes
// ZERO: error: expected outputs that depend on 'unused', got none: its gradient is zero
// CONSTANT: error: expected outputs that depend on an input, got 'constant', whose derivative is zero
// KERNEL: error: expected a kernel 'none', got a module without

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"},
               %u: memref<64xf32> {tile.name = "u"}, %n: f32 {tile.name = "n"},
               %unused: memref<64xf32> {tile.name = "unused"},
               %constant: memref<64xf32> {tile.name = "constant"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = tile.load %u[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = arith.addf %v, %w : !tile.tile<64xf32>
  %p = tile.load %unused[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.print "unused", %p : !tile.tile<64xf32>
  tile.store %s, %u[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  tile.store %one, %constant[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
