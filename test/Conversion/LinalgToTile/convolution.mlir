// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// A convolution becomes a matmul whose columns are all positions of the window. With
// few channels, channels and window are one reduction. The gather pads the image.
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
// CHECK: tile.kernel @nchw_product(%{{.*}}: memref<19xf32>, %[[FILTER:.*]]: memref<19x45xf32>, %[[IMAGE:.*]]: memref<2x5x9x37xf32>
// CHECK: %[[F:.*]] = tile.load %[[FILTER]][%{{.*}}, %c0] : {{.*}} -> !tile.tile<16x48xf32>
// CHECK: %[[I:.*]] = tile.iota axis 0 : !tile.tile<48xindex>
// CHECK: %[[K:.*]] = tile.cast %[[I]] : !tile.tile<48xindex> to !tile.tile<48xi32>
// CHECK: %[[CY:.*]] = arith.divui %[[K]], %[[THREE:.*]] :
// CHECK: %[[C:.*]] = arith.divui %[[CY]], %[[THREE]] :
// CHECK: %[[CHANNEL:.*]] = tile.reshape %[[C]] : {{.*}} to !tile.tile<48x1xi32>
// CHECK: %[[READ:.*]] = tile.gather %[[IMAGE]][%{{.*}}, %c0, %c-1, %c-1] dims [1, 2] at %[[CHANNEL]], %{{.*}}, %{{.*}} axes [1, 2, 3] : {{.*}} -> !tile.tile<48x16xf32>
// CHECK: %[[WINDOWS:.*]] = tile.select %{{.*}}, %[[READ]]
// CHECK-NOT: tile.transpose
// CHECK: tile.matmul %[[F]], %[[WINDOWS]]
// CHECK: tile.store {{.*}} memref<2x19x333xf32>
// CHECK: func.func @nchw(
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]]
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0], [1, 2, 3]]

// -----

// Channels are last, strides are two, and the window is dilated: the matmul reduces the
// channels, and two loops run over the window.
func.func @nhwc(%x: tensor<?x20x41x33xf32>, %w: tensor<3x2x33x10xf32>, %c: tensor<?x8x19x10xf32>) -> tensor<?x8x19x10xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 3]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<?x20x41x33xf32>, tensor<3x2x33x10xf32>) outs(%c : tensor<?x8x19x10xf32>) -> tensor<?x8x19x10xf32>
  return %r : tensor<?x8x19x10xf32>
}
// CHECK: tile.kernel @nhwc_product
// CHECK: scf.for %[[H:.*]] = %c0 to %c3 step %c1
// CHECK: scf.for %[[W:.*]] = %c0 to %c2 step %c1
// CHECK: scf.for %[[CHANNEL:.*]] = %c0 to %c33
// CHECK: %[[COLUMN:.*]] = arith.index_cast %[[W]] : index to i32
// CHECK: arith.muli %[[COLUMN]], %c3_i32
// CHECK: tile.gather %{{.*}}[%{{.*}}, %c0, %c0, %[[CHANNEL]]] dims [1, 3] at %{{.*}}, %{{.*}} axes [1, 2] : {{.*}} -> !tile.tile<160x16xf32>
// CHECK: tile.matmul
// CHECK: tile.store {{.*}} memref<?x152x10xf32>

// -----

// With one dimension, positions are one loop already, so only reductions are merged.
func.func @rows(%x: tensor<4x3x?xf32>, %w: tensor<19x3x5xf32>, %c: tensor<4x19x60xf32>) -> tensor<4x19x60xf32> {
  %y = tensor.cast %x : tensor<4x3x?xf32> to tensor<4x3x64xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%y, %w : tensor<4x3x64xf32>, tensor<19x3x5xf32>) outs(%c : tensor<4x19x60xf32>) -> tensor<4x19x60xf32>
  return %r : tensor<4x19x60xf32>
}
// CHECK: tile.kernel @rows_product(%{{.*}}: memref<4x19x60xf32>, %{{.*}}: memref<19x15xf32>
// CHECK: tile.gather {{.*}} axes [1, 2] : {{.*}} -> !tile.tile<16x16xf32>
// CHECK: tile.matmul

// -----

// No index is divided by a dynamic extent: the positions of a tile are in one row.
func.func @any_image(%x: tensor<2x40x?x?xf32>, %w: tensor<19x40x3x3xf32>, %c: tensor<2x19x?x?xf32>) -> tensor<2x19x?x?xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x40x?x?xf32>, tensor<19x40x3x3xf32>) outs(%c : tensor<2x19x?x?xf32>) -> tensor<2x19x?x?xf32>
  return %r : tensor<2x19x?x?xf32>
}
// CHECK: tile.kernel @any_image_product
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile.load {{.*}} dims [1, 3] : memref<2x40x?x?xf32>
// CHECK: tile.matmul
// CHECK: tile.store {{.*}} dims [1, 3]

// -----

// A depthwise convolution is no matmul; two loops run over its window.
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

// -----

// A transposed convolution as torch-mlir writes it: zeros are inserted between the
// image's elements. The gather has indices only for the two dimensions with strides.
func.func @transposed(%x: tensor<2x5x9x11xf32>, %w: tensor<7x5x3x3xf32>) -> tensor<2x7x19x23xf32> {
  %zero = arith.constant 0.0 : f32
  %space = tensor.empty() : tensor<2x5x21x25xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%space : tensor<2x5x21x25xf32>) -> tensor<2x5x21x25xf32>
  %apart = tensor.insert_slice %x into %zeros[0, 0, 2, 2] [2, 5, 9, 11] [1, 1, 2, 2] : tensor<2x5x9x11xf32> into tensor<2x5x21x25xf32>
  %empty = tensor.empty() : tensor<2x7x19x23xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x7x19x23xf32>) -> tensor<2x7x19x23xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%apart, %w : tensor<2x5x21x25xf32>, tensor<7x5x3x3xf32>) outs(%start : tensor<2x7x19x23xf32>) -> tensor<2x7x19x23xf32>
  return %r : tensor<2x7x19x23xf32>
}
// CHECK: tile.kernel @transposed_elements
// CHECK: tile.gather {{.*}} axes [2, 3] : memref<2x5x9x11xf32>
// CHECK: tile.kernel @transposed_product
// CHECK: tile.matmul
