// Convolutions of several forms, run by run_functions.py.

// This convolution has groups, few channels, a pad with a nonzero value, strides and dilations.
func.func @groups(%x: tensor<2x3x5x20x19xf32>, %w: tensor<3x7x5x3x3xf32>, %c: tensor<2x3x7x8x17xf32>) -> tensor<2x3x7x8x17xf32> {
  %p1 = arith.constant 1.5 : f32
  %p = tensor.pad %x low[0, 0, 0, 1, 2] high[0, 0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %d: index, %e: index, %f: index):
    tensor.yield %p1 : f32
  } : tensor<2x3x5x20x19xf32> to tensor<2x3x5x21x21xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, y, x, c, ky, kx) -> (n, g, c, 2 * y + 3 * ky, x + 2 * kx)>, affine_map<(n, g, f, y, x, c, ky, kx) -> (g, f, c, ky, kx)>, affine_map<(n, g, f, y, x, c, ky, kx) -> (n, g, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%p, %w : tensor<2x3x5x21x21xf32>, tensor<3x7x5x3x3xf32>) outs(%c : tensor<2x3x7x8x17xf32>) {
    ^bb0(%a: f32, %b: f32, %d: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %d, %m : f32
      linalg.yield %s : f32
  } -> tensor<2x3x7x8x17xf32>
  return %r : tensor<2x3x7x8x17xf32>
}

// -----

// A convolution of bytes that accumulates in i32.
func.func @bytes(%x: tensor<2x12x13x20xi8>, %w: tensor<3x3x20x9xi8>, %c: tensor<2x10x11x9xi32>) -> tensor<2x10x11x9xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x12x13x20xi8>, tensor<3x3x20x9xi8>) outs(%c : tensor<2x10x11x9xi32>) -> tensor<2x10x11x9xi32>
  return %r : tensor<2x10x11x9xi32>
}

// -----

// The convolved tensor is computed, and the result is convolved again.
func.func @two(%x: tensor<2x3x14x14xf32>, %w: tensor<8x3x3x3xf32>, %v: tensor<6x8x3x3xf32>) -> tensor<2x6x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x14x14xf32>
  %y = linalg.exp ins(%x : tensor<2x3x14x14xf32>) outs(%e : tensor<2x3x14x14xf32>) -> tensor<2x3x14x14xf32>
  %e1 = tensor.empty() : tensor<2x8x12x12xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x8x12x12xf32>) -> tensor<2x8x12x12xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<2x3x14x14xf32>, tensor<8x3x3x3xf32>) outs(%z1 : tensor<2x8x12x12xf32>) -> tensor<2x8x12x12xf32>
  %e2 = tensor.empty() : tensor<2x6x10x10xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x6x10x10xf32>) -> tensor<2x6x10x10xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%a, %v : tensor<2x8x12x12xf32>, tensor<6x8x3x3xf32>) outs(%z2 : tensor<2x6x10x10xf32>) -> tensor<2x6x10x10xf32>
  return %b : tensor<2x6x10x10xf32>
}

// -----

// The tensor is padded twice, once with an argument of the function.
func.func @padded(%x: tensor<2x3x10x10xf32>, %w: tensor<8x3x3x3xf32>, %p: f32, %c: tensor<2x8x12x14xf32>) -> tensor<2x8x12x14xf32> {
  %zero = arith.constant 0.0 : f32
  %q = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %d: index, %e: index):
    tensor.yield %p : f32
  } : tensor<2x3x10x10xf32> to tensor<2x3x12x12xf32>
  %y = tensor.pad %q low[0, 0, 1, 2] high[0, 0, 1, 2] {
  ^bb0(%a: index, %b: index, %d: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<2x3x12x12xf32> to tensor<2x3x14x16xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<2x3x14x16xf32>, tensor<8x3x3x3xf32>) outs(%c : tensor<2x8x12x14xf32>) -> tensor<2x8x12x14xf32>
  return %r : tensor<2x8x12x14xf32>
}
