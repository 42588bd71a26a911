// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// A product whose sums are over channels and the window: columns of the image are
// its rows, channels out its columns. The pad is that of the load.
func.func @nchw(%x: tensor<2x5x9x37xf32>, %w: tensor<19x5x3x3xf32>, %bias: tensor<19xf32>) -> tensor<2x19x9x37xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x5x9x37xf32> to tensor<2x5x11x39xf32>
  %e = tensor.empty() : tensor<2x19x9x37xf32>
  %s = linalg.broadcast ins(%bias : tensor<19xf32>) outs(%e : tensor<2x19x9x37xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<2x5x11x39xf32>, tensor<19x5x3x3xf32>) outs(%s : tensor<2x19x9x37xf32>) -> tensor<2x19x9x37xf32>
  return %r : tensor<2x19x9x37xf32>
}
// CHECK: tile.kernel @nchw_product
// CHECK: tile.broadcast
// CHECK: scf.for %[[H:.*]] = %c0 to %c3 step %c1
// CHECK: scf.for %[[W:.*]] = %c0 to %c3 step %c1
// CHECK: %[[X:.*]] = tile.load {{.*}} dims [1, 3] : memref<2x5x9x37xf32> -> !tile.tile<16x32xf32>
// CHECK-NOT: tile.select
// CHECK: %[[LHS:.*]] = tile.transpose %[[X]] [1, 0]
// CHECK: tile.load %{{.*}}[%c0, %c0, %[[H]], %[[W]]] dims [0, 1]
// CHECK: tile.matmul %[[LHS]]
// CHECK: tile.store {{.*}} dims [1, 3]

// -----

// Channels last, every second column, a window with holes.
func.func @nhwc(%x: tensor<?x20x41x33xf32>, %w: tensor<3x2x33x10xf32>, %c: tensor<?x8x19x10xf32>) -> tensor<?x8x19x10xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 3]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<?x20x41x33xf32>, tensor<3x2x33x10xf32>) outs(%c : tensor<?x8x19x10xf32>) -> tensor<?x8x19x10xf32>
  return %r : tensor<?x8x19x10xf32>
}
// CHECK: tile.kernel @nhwc_product
// CHECK: scf.for %[[H:.*]] = %c0 to %c3 step %c1
// CHECK: scf.for %[[W:.*]] = %c0 to %c2 step %c1
// CHECK: %[[COLUMN:.*]] = arith.muli %[[W]], %c3
// CHECK: tile.gather %{{.*}}[%{{.*}}, %{{.*}}, %[[COLUMN]], %c0] at %{{.*}} axes [2] : {{.*}} -> !tile.tile<32x48xf32>
// CHECK: tile.matmul

// -----

// A channel by itself is no product; the window is two loops.
func.func @depthwise(%x: tensor<2x10x21x40xf32>, %w: tensor<3x3x40xf32>, %c: tensor<2x8x19x40xf32>) -> tensor<2x8x19x40xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x10x21x40xf32>, tensor<3x3x40xf32>) outs(%c : tensor<2x8x19x40xf32>) -> tensor<2x8x19x40xf32>
  return %r : tensor<2x8x19x40xf32>
}
// CHECK: tile.kernel @depthwise_rows
// CHECK-NOT: tile.matmul
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.mulf {{.*}} : !tile.tile<32x64xf32>
// CHECK-NOT: tile.reduce

// -----

func.func @pooling(%x: tensor<3x7x20x20xf32>) -> tensor<3x7x9x9xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<3x7x9x9xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<3x7x9x9xf32>) -> tensor<3x7x9x9xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<3x7x20x20xf32>, tensor<3x3xf32>) outs(%f : tensor<3x7x9x9xf32>) -> tensor<3x7x9x9xf32>
  return %r : tensor<3x7x9x9xf32>
}
// CHECK: tile.kernel @pooling_rows
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile.gather {{.*}} axes [2, 3] : {{.*}} -> !tile.tile<8x16x16xf32>
// CHECK: arith.maximumf
