// Named operations of linalg, and operations of tensor, each in a function.
// Names start with op_ because `exp` and others are functions of C.
func.func @op_addi(%a: tensor<4xindex>) -> tensor<4xindex> {
  %b = arith.addi %a, %a : tensor<4xindex>
  return %b : tensor<4xindex>
}

// -----

func.func @op_generic(%a: tensor<4xf32>, %s: index) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %s : tensor<4xf32>, index) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %n: index, %o: f32):
    %i = arith.index_cast %n : index to i32
    %y = arith.sitofp %i : i32 to f32
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @op_constant(%a: tensor<6x?xf32>, %n: index) -> tensor<2x3x?xf32> {
  %one = arith.constant 1 : index
  %d = tensor.dim %a, %one : tensor<6x?xf32>
  %r = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, %d] : tensor<6x?xf32> into tensor<2x3x?xf32>
  %b = math.absf %r : tensor<2x3x?xf32>
  return %b : tensor<2x3x?xf32>
}

// -----

func.func @op_softmax(%x0: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.softmax dimension(0) ins(%x0 : tensor<5xf32>) outs(%y : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @op_softmax_2(%x0: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %r = linalg.softmax dimension(0) ins(%x0 : tensor<7x5xf32>) outs(%y : tensor<7x5xf32>) -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}

// -----

func.func @op_softmax_3(%x0: tensor<3x7x5xf32>, %y: tensor<3x7x5xf32>) -> tensor<3x7x5xf32> {
  %r = linalg.softmax dimension(1) ins(%x0 : tensor<3x7x5xf32>) outs(%y : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  return %r : tensor<3x7x5xf32>
}

// -----

func.func @op_softmax_4(%x0: tensor<2x3x4x5xf32>, %y: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.softmax dimension(2) ins(%x0 : tensor<2x3x4x5xf32>) outs(%y : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// -----

func.func @op_conv_1d(%x0: tensor<12xf32>, %x1: tensor<3xf32>, %y: tensor<10xf32>) -> tensor<10xf32> {
  %r = linalg.conv_1d ins(%x0, %x1 : tensor<12xf32>, tensor<3xf32>) outs(%y : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

func.func @op_conv_2d(%x0: tensor<12x9xf32>, %x1: tensor<3x2xf32>, %y: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %r = linalg.conv_2d ins(%x0, %x1 : tensor<12x9xf32>, tensor<3x2xf32>) outs(%y : tensor<10x8xf32>) -> tensor<10x8xf32>
  return %r : tensor<10x8xf32>
}

// -----

func.func @op_conv_3d(%x0: tensor<6x7x8xf32>, %x1: tensor<3x2x2xf32>, %y: tensor<4x6x7xf32>) -> tensor<4x6x7xf32> {
  %r = linalg.conv_3d ins(%x0, %x1 : tensor<6x7x8xf32>, tensor<3x2x2xf32>) outs(%y : tensor<4x6x7xf32>) -> tensor<4x6x7xf32>
  return %r : tensor<4x6x7xf32>
}

// -----

func.func @op_conv_1d_ncw_fcw(%x0: tensor<2x3x12xf32>, %x1: tensor<4x3x3xf32>, %y: tensor<2x4x10xf32>) -> tensor<2x4x10xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x0, %x1 : tensor<2x3x12xf32>, tensor<4x3x3xf32>) outs(%y : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
  return %r : tensor<2x4x10xf32>
}

// -----

func.func @op_conv_1d_nwc_wcf(%x0: tensor<2x12x3xf32>, %x1: tensor<3x3x4xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%x0, %x1 : tensor<2x12x3xf32>, tensor<3x3x4xf32>) outs(%y : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}

// -----

func.func @op_conv_3d_ndhwc_dhwcf(%x0: tensor<1x5x6x7x3xf32>, %x1: tensor<2x2x2x3x4xf32>, %y: tensor<1x4x5x6x4xf32>) -> tensor<1x4x5x6x4xf32> {
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x0, %x1 : tensor<1x5x6x7x3xf32>, tensor<2x2x2x3x4xf32>) outs(%y : tensor<1x4x5x6x4xf32>) -> tensor<1x4x5x6x4xf32>
  return %r : tensor<1x4x5x6x4xf32>
}

// -----

func.func @op_conv_3d_ncdhw_fcdhw(%x0: tensor<1x3x5x6x7xf32>, %x1: tensor<4x3x2x2x2xf32>, %y: tensor<1x4x4x5x6xf32>) -> tensor<1x4x4x5x6xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x0, %x1 : tensor<1x3x5x6x7xf32>, tensor<4x3x2x2x2xf32>) outs(%y : tensor<1x4x4x5x6xf32>) -> tensor<1x4x4x5x6xf32>
  return %r : tensor<1x4x4x5x6xf32>
}

// -----

func.func @op_conv_2d_ngchw_fgchw(%x0: tensor<2x3x4x6x7xf32>, %x1: tensor<5x3x4x2x2xf32>, %y: tensor<2x3x5x5x6xf32>) -> tensor<2x3x5x5x6xf32> {
  %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x3x4x6x7xf32>, tensor<5x3x4x2x2xf32>) outs(%y : tensor<2x3x5x5x6xf32>) -> tensor<2x3x5x5x6xf32>
  return %r : tensor<2x3x5x5x6xf32>
}

// -----

func.func @op_conv_2d_ngchw_gfchw(%x0: tensor<2x3x4x6x7xf32>, %x1: tensor<3x5x4x2x2xf32>, %y: tensor<2x3x5x5x6xf32>) -> tensor<2x3x5x5x6xf32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x3x4x6x7xf32>, tensor<3x5x4x2x2xf32>) outs(%y : tensor<2x3x5x5x6xf32>) -> tensor<2x3x5x5x6xf32>
  return %r : tensor<2x3x5x5x6xf32>
}

// -----

func.func @op_conv_2d_nhwc_fhwc(%x0: tensor<2x6x7x3xf32>, %x1: tensor<5x2x2x3xf32>, %y: tensor<2x5x6x5xf32>) -> tensor<2x5x6x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x6x7x3xf32>, tensor<5x2x2x3xf32>) outs(%y : tensor<2x5x6x5xf32>) -> tensor<2x5x6x5xf32>
  return %r : tensor<2x5x6x5xf32>
}

// -----

func.func @op_conv_2d_nhwc_hwcf_q(%x0: tensor<2x6x7x3xi8>, %x1: tensor<2x2x3x5xi8>, %x2: i32, %x3: i32, %y: tensor<2x5x6x5xi32>) -> tensor<2x5x6x5xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1, %x2, %x3 : tensor<2x6x7x3xi8>, tensor<2x2x3x5xi8>, i32, i32) outs(%y : tensor<2x5x6x5xi32>) -> tensor<2x5x6x5xi32>
  return %r : tensor<2x5x6x5xi32>
}

// -----

func.func @op_depthwise_conv_2d_nchw_chw(%x0: tensor<2x5x6x7xf32>, %x1: tensor<5x2x2xf32>, %y: tensor<2x5x5x6xf32>) -> tensor<2x5x5x6xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x5x6x7xf32>, tensor<5x2x2xf32>) outs(%y : tensor<2x5x5x6xf32>) -> tensor<2x5x5x6xf32>
  return %r : tensor<2x5x5x6xf32>
}

// -----

func.func @op_depthwise_conv_2d_nhwc_hwcm(%x0: tensor<2x6x7x5xf32>, %x1: tensor<2x2x5x3xf32>, %y: tensor<2x5x6x5x3xf32>) -> tensor<2x5x6x5x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x6x7x5xf32>, tensor<2x2x5x3xf32>) outs(%y : tensor<2x5x6x5x3xf32>) -> tensor<2x5x6x5x3xf32>
  return %r : tensor<2x5x6x5x3xf32>
}

// -----

func.func @op_depthwise_conv_1d_ncw_cw(%x0: tensor<2x5x9xf32>, %x1: tensor<5x3xf32>, %y: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x0, %x1 : tensor<2x5x9xf32>, tensor<5x3xf32>) outs(%y : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

// -----

func.func @op_depthwise_conv_2d_nhwc_hwc_q(%x0: tensor<2x6x7x5xi8>, %x1: tensor<2x2x5xi8>, %x2: i32, %x3: i32, %y: tensor<2x5x6x5xi32>) -> tensor<2x5x6x5xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1, %x2, %x3 : tensor<2x6x7x5xi8>, tensor<2x2x5xi8>, i32, i32) outs(%y : tensor<2x5x6x5xi32>) -> tensor<2x5x6x5xi32>
  return %r : tensor<2x5x6x5xi32>
}

// -----

func.func @op_pooling_nhwc_sum(%x0: tensor<2x6x7x5xf32>, %x1: tensor<2x3xf32>, %y: tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32> {
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x6x7x5xf32>, tensor<2x3xf32>) outs(%y : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %r : tensor<2x5x5x5xf32>
}

// -----

func.func @op_pooling_nhwc_max(%x0: tensor<2x6x7x5xf32>, %x1: tensor<2x3xf32>, %y: tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32> {
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x6x7x5xf32>, tensor<2x3xf32>) outs(%y : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %r : tensor<2x5x5x5xf32>
}

// -----

func.func @op_pooling_nhwc_max_unsigned(%x0: tensor<2x6x7x5xi32>, %x1: tensor<2x3xi32>, %y: tensor<2x5x5x5xi32>) -> tensor<2x5x5x5xi32> {
  %r = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x6x7x5xi32>, tensor<2x3xi32>) outs(%y : tensor<2x5x5x5xi32>) -> tensor<2x5x5x5xi32>
  return %r : tensor<2x5x5x5xi32>
}

// -----

func.func @op_pooling_nhwc_min(%x0: tensor<2x6x7x5xf32>, %x1: tensor<2x3xf32>, %y: tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32> {
  %r = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x6x7x5xf32>, tensor<2x3xf32>) outs(%y : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %r : tensor<2x5x5x5xf32>
}

// -----

func.func @op_pooling_nchw_sum(%x0: tensor<2x5x8x9xf32>, %x1: tensor<2x3xf32>, %y: tensor<2x5x4x3xf32>) -> tensor<2x5x4x3xf32> {
  %r = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x5x8x9xf32>, tensor<2x3xf32>) outs(%y : tensor<2x5x4x3xf32>) -> tensor<2x5x4x3xf32>
  return %r : tensor<2x5x4x3xf32>
}

// -----

func.func @op_quantized_matmul(%x0: tensor<5x6xi8>, %x1: tensor<6x7xi8>, %x2: i32, %x3: i32, %y: tensor<5x7xi32>) -> tensor<5x7xi32> {
  %r = linalg.quantized_matmul ins(%x0, %x1, %x2, %x3 : tensor<5x6xi8>, tensor<6x7xi8>, i32, i32) outs(%y : tensor<5x7xi32>) -> tensor<5x7xi32>
  return %r : tensor<5x7xi32>
}

// -----

func.func @op_quantized_batch_matmul(%x0: tensor<2x5x6xi8>, %x1: tensor<2x6x7xi8>, %x2: i32, %x3: i32, %y: tensor<2x5x7xi32>) -> tensor<2x5x7xi32> {
  %r = linalg.quantized_batch_matmul ins(%x0, %x1, %x2, %x3 : tensor<2x5x6xi8>, tensor<2x6x7xi8>, i32, i32) outs(%y : tensor<2x5x7xi32>) -> tensor<2x5x7xi32>
  return %r : tensor<2x5x7xi32>
}

// -----

func.func @op_batch_reduce_matmul(%x0: tensor<3x5x6xf32>, %x1: tensor<3x6x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.batch_reduce_matmul ins(%x0, %x1 : tensor<3x5x6xf32>, tensor<3x6x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_mmt4d(%x0: tensor<2x3x4x5xf32>, %x1: tensor<6x3x7x5xf32>, %y: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
  %r = linalg.mmt4d ins(%x0, %x1 : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%y : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %r : tensor<2x6x4x7xf32>
}

// -----

func.func @op_batch_mmt4d(%x0: tensor<2x2x3x4x5xf32>, %x1: tensor<2x6x3x7x5xf32>, %y: tensor<2x2x6x4x7xf32>) -> tensor<2x2x6x4x7xf32> {
  %r = linalg.batch_mmt4d ins(%x0, %x1 : tensor<2x2x3x4x5xf32>, tensor<2x6x3x7x5xf32>) outs(%y : tensor<2x2x6x4x7xf32>) -> tensor<2x2x6x4x7xf32>
  return %r : tensor<2x2x6x4x7xf32>
}

// -----

func.func @op_vecmat(%x0: tensor<5xf32>, %x1: tensor<5x7xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.vecmat ins(%x0, %x1 : tensor<5xf32>, tensor<5x7xf32>) outs(%y : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

func.func @op_batch_matvec(%x0: tensor<3x5x7xf32>, %x1: tensor<3x7xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.batch_matvec ins(%x0, %x1 : tensor<3x5x7xf32>, tensor<3x7xf32>) outs(%y : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func @op_batch_vecmat(%x0: tensor<3x5xf32>, %x1: tensor<3x5x7xf32>, %y: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %r = linalg.batch_vecmat ins(%x0, %x1 : tensor<3x5xf32>, tensor<3x5x7xf32>) outs(%y : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %r : tensor<3x7xf32>
}

// -----

func.func @op_dot(%x0: tensor<50xf32>, %x1: tensor<50xf32>, %y: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%x0, %x1 : tensor<50xf32>, tensor<50xf32>) outs(%y : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @op_select(%x0: tensor<5x7xi1>, %x1: tensor<5x7xf32>, %x2: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.select ins(%x0, %x1, %x2 : tensor<5x7xi1>, tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_add(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.add ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_sub(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.sub ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_mul(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.mul ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_div(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.div ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_max(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.max ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_min(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.min ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_powf(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.powf ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_div_unsigned(%x0: tensor<5x7xi32>, %x1: tensor<5x7xi32>, %y: tensor<5x7xi32>) -> tensor<5x7xi32> {
  %r = linalg.div_unsigned ins(%x0, %x1 : tensor<5x7xi32>, tensor<5x7xi32>) outs(%y : tensor<5x7xi32>) -> tensor<5x7xi32>
  return %r : tensor<5x7xi32>
}

// -----

func.func @op_exp(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.exp ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_log(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.log ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_abs(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.abs ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_ceil(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.ceil ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_floor(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.floor ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_negf(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.negf ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_reciprocal(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.reciprocal ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_round(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.round ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_sqrt(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.sqrt ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_rsqrt(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.rsqrt ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_square(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.square ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_tanh(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.tanh ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_erf(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.erf ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_copy(%x0: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.copy ins(%x0 : tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_copy_2(%x0: tensor<5x7xf16>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.copy ins(%x0 : tensor<5x7xf16>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_elementwise(%x0: tensor<5x7xf32>, %x1: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x0, %x1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_contract(%x0: tensor<6x5xf32>, %x1: tensor<7x6xf32>, %y: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m,n,k) -> (k,m)>, affine_map<(m,n,k) -> (n,k)>, affine_map<(m,n,k) -> (n,m)>] ins(%x0, %x1 : tensor<6x5xf32>, tensor<7x6xf32>) outs(%y : tensor<7x5xf32>) -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}

// -----

func.func @op_matmul(%x0: tensor<6x5xf32>, %x1: tensor<7x6xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m,n,k) -> (k,m)>, affine_map<(m,n,k) -> (n,k)>, affine_map<(m,n,k) -> (m,n)>] ins(%x0, %x1 : tensor<6x5xf32>, tensor<7x6xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_matmul_2(%x0: tensor<6xf32>, %x1: tensor<6x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m,n,k) -> (k)>, affine_map<(m,n,k) -> (k,n)>, affine_map<(m,n,k) -> (m,n)>] ins(%x0, %x1 : tensor<6xf32>, tensor<6x7xf32>) outs(%y : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// -----

func.func @op_batch_matmul(%x0: tensor<5x6xf32>, %x1: tensor<2x6x7xf32>, %y: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k) -> (m,k)>, affine_map<(b,m,n,k) -> (b,k,n)>, affine_map<(b,m,n,k) -> (b,m,n)>] ins(%x0, %x1 : tensor<5x6xf32>, tensor<2x6x7xf32>) outs(%y : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

// -----

func.func @op_matmul_3(%x0: tensor<37x26xf16>, %x1: tensor<26x19xf16>, %y: tensor<37x19xf16>) -> tensor<37x19xf16> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf16>, tensor<26x19xf16>) outs(%y : tensor<37x19xf16>) -> tensor<37x19xf16>
  return %r : tensor<37x19xf16>
}

// -----

func.func @op_matmul_4(%x0: tensor<37x26xbf16>, %x1: tensor<26x19xbf16>, %y: tensor<37x19xf32>) -> tensor<37x19xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xbf16>, tensor<26x19xbf16>) outs(%y : tensor<37x19xf32>) -> tensor<37x19xf32>
  return %r : tensor<37x19xf32>
}

// -----

func.func @op_matmul_5(%x0: tensor<37x26xf16>, %x1: tensor<26x19xf16>, %y: tensor<37x19xf32>) -> tensor<37x19xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf16>, tensor<26x19xf16>) outs(%y : tensor<37x19xf32>) -> tensor<37x19xf32>
  return %r : tensor<37x19xf32>
}

// -----

func.func @op_matmul_6(%x0: tensor<37x26xf64>, %x1: tensor<26x19xf64>, %y: tensor<37x19xf64>) -> tensor<37x19xf64> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf64>, tensor<26x19xf64>) outs(%y : tensor<37x19xf64>) -> tensor<37x19xf64>
  return %r : tensor<37x19xf64>
}

// -----

func.func @op_matmul_7(%x0: tensor<37x26xf32>, %x1: tensor<26x19xf32>, %y: tensor<37x19xf64>) -> tensor<37x19xf64> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf32>, tensor<26x19xf32>) outs(%y : tensor<37x19xf64>) -> tensor<37x19xf64>
  return %r : tensor<37x19xf64>
}

// -----

func.func @op_matmul_8(%x0: tensor<37x26xi8>, %x1: tensor<26x19xi8>, %y: tensor<37x19xi32>) -> tensor<37x19xi32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xi8>, tensor<26x19xi8>) outs(%y : tensor<37x19xi32>) -> tensor<37x19xi32>
  return %r : tensor<37x19xi32>
}

// -----

func.func @op_matmul_9(%x0: tensor<37x26xi16>, %x1: tensor<26x19xi16>, %y: tensor<37x19xi32>) -> tensor<37x19xi32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xi16>, tensor<26x19xi16>) outs(%y : tensor<37x19xi32>) -> tensor<37x19xi32>
  return %r : tensor<37x19xi32>
}

// -----

func.func @op_matmul_10(%x0: tensor<37x26xi32>, %x1: tensor<26x19xi32>, %y: tensor<37x19xi32>) -> tensor<37x19xi32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xi32>, tensor<26x19xi32>) outs(%y : tensor<37x19xi32>) -> tensor<37x19xi32>
  return %r : tensor<37x19xi32>
}

// -----

func.func @op_matmul_11(%x0: tensor<37x26xi64>, %x1: tensor<26x19xi64>, %y: tensor<37x19xi64>) -> tensor<37x19xi64> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xi64>, tensor<26x19xi64>) outs(%y : tensor<37x19xi64>) -> tensor<37x19xi64>
  return %r : tensor<37x19xi64>
}

// -----

func.func @op_matmul_12(%x0: tensor<37x26xi16>, %x1: tensor<26x19xi16>, %y: tensor<37x19xi16>) -> tensor<37x19xi16> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xi16>, tensor<26x19xi16>) outs(%y : tensor<37x19xi16>) -> tensor<37x19xi16>
  return %r : tensor<37x19xi16>
}

// -----

func.func @op_matmul_13(%x0: tensor<37x26xi8>, %x1: tensor<26x19xi8>, %y: tensor<37x19xi8>) -> tensor<37x19xi8> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xi8>, tensor<26x19xi8>) outs(%y : tensor<37x19xi8>) -> tensor<37x19xi8>
  return %r : tensor<37x19xi8>
}

// -----

func.func @op_matmul_14(%x0: tensor<37x26xf16>, %x1: tensor<26x19xf16>, %y: tensor<37x19xf64>) -> tensor<37x19xf64> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf16>, tensor<26x19xf16>) outs(%y : tensor<37x19xf64>) -> tensor<37x19xf64>
  return %r : tensor<37x19xf64>
}

// -----

func.func @op_matmul_15(%x0: tensor<37x26xf64>, %x1: tensor<26x19xf64>, %y: tensor<37x19xf32>) -> tensor<37x19xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf64>, tensor<26x19xf64>) outs(%y : tensor<37x19xf32>) -> tensor<37x19xf32>
  return %r : tensor<37x19xf32>
}

// -----

func.func @op_matmul_16(%x0: tensor<37x26xf16>, %x1: tensor<26x19xf32>, %y: tensor<37x19xf32>) -> tensor<37x19xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf16>, tensor<26x19xf32>) outs(%y : tensor<37x19xf32>) -> tensor<37x19xf32>
  return %r : tensor<37x19xf32>
}

// -----

func.func @op_matmul_17(%x0: tensor<1x26xf32>, %x1: tensor<26x19xf32>, %y: tensor<1x19xf32>) -> tensor<1x19xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<1x26xf32>, tensor<26x19xf32>) outs(%y : tensor<1x19xf32>) -> tensor<1x19xf32>
  return %r : tensor<1x19xf32>
}

// -----

func.func @op_matmul_18(%x0: tensor<1x1xf32>, %x1: tensor<1x1xf32>, %y: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%y : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

func.func @op_matmul_19(%x0: tensor<37x1xf32>, %x1: tensor<1x19xf32>, %y: tensor<37x19xf32>) -> tensor<37x19xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x1xf32>, tensor<1x19xf32>) outs(%y : tensor<37x19xf32>) -> tensor<37x19xf32>
  return %r : tensor<37x19xf32>
}

// -----

func.func @op_matmul_20(%x0: tensor<37x26xf32>, %x1: tensor<26x1xf32>, %y: tensor<37x1xf32>) -> tensor<37x1xf32> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xf32>, tensor<26x1xf32>) outs(%y : tensor<37x1xf32>) -> tensor<37x1xf32>
  return %r : tensor<37x1xf32>
}

// -----

func.func @op_batch_matmul_2(%x0: tensor<1x1x26xf32>, %x1: tensor<1x26x1xf32>, %y: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %r = linalg.batch_matmul ins(%x0, %x1 : tensor<1x1x26xf32>, tensor<1x26x1xf32>) outs(%y : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

func.func @op_matmul_21(%x0: tensor<5x6xi8>, %x1: tensor<6x7xi8>, %y: tensor<5x7xi32>) -> tensor<5x7xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x0, %x1 : tensor<5x6xi8>, tensor<6x7xi8>) outs(%y : tensor<5x7xi32>) -> tensor<5x7xi32>
  return %r : tensor<5x7xi32>
}

// -----

func.func @op_reduce(%a: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce ins(%a : tensor<3x4xf32>) outs(%b : tensor<4xf32>) dimensions = [0] (%x: f32, %o: f32) {
    %s = arith.mulf %x, %o : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// -----

func.func @op_map(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.map ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) (%x: f32, %o: f32) {
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  }
  return %r : tensor<3x4xf32>
}

// -----

func.func @op_constant_2(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %e0 = tensor.empty() : tensor<f32>
  %y = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %y0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce ins(%a : tensor<3x4xf32>) outs(%y : tensor<3xf32>) dimensions = [1] (%x: f32, %o: f32) {
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }
  %q = linalg.reduce ins(%r : tensor<3xf32>) outs(%y0 : tensor<f32>) dimensions = [0] (%x: f32, %o: f32) {
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }
  return %r, %q : tensor<3xf32>, tensor<f32>
}

// -----

func.func @op_insert_slice(%a: tensor<4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = tensor.insert_slice %a into %b[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @op_insert_slice_2(%a: tensor<3xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = tensor.insert_slice %a into %b[0, 2] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @op_insert_slice_3(%a: tensor<1x3xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = tensor.insert_slice %a into %b[1, 1] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @op_insert_slice_4(%a: tensor<1x3xf32>, %b: tensor<30x4x70xf32>, %i: index) -> tensor<30x4x70xf32> {
  %c = math.absf %a : tensor<1x3xf32>
  %r = tensor.insert_slice %c into %b[%i, 1, 5] [1, 1, 3] [1, 1, 1] : tensor<1x3xf32> into tensor<30x4x70xf32>
  return %r : tensor<30x4x70xf32>
}

// -----

func.func @op_insert_slice_5(%a: tensor<f32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = tensor.insert_slice %a into %b[2] [1] [1] : tensor<f32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @op_insert_slice_6(%a: tensor<2x3xf32>, %b: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = tensor.insert_slice %a into %b[0, 0, 2, 1] [2, 3, 1, 1] [1, 1, 1, 1] : tensor<2x3xf32> into tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// -----

func.func @op_splat(%a: f32, %n: index) -> tensor<4x?xf32> {
  %s = tensor.splat %a[%n] : tensor<4x?xf32>
  return %s : tensor<4x?xf32>
}

// -----

func.func @op_constant_3(%a: tensor<8x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %z = arith.constant 0 : index
  %n = tensor.dim %b, %z : tensor<?x8xf32>
  %c = tensor.cast %a : tensor<8x8xf32> to tensor<?x8xf32>
  %r = tensor.concat dim(0) %b, %c, %b : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

func.func @op_xori(%a: tensor<4xi1>, %b: tensor<4xi1>) -> (tensor<4xi1>, tensor<i1>) {
  %x = arith.xori %a, %b : tensor<4xi1>
  %f = arith.constant dense<true> : tensor<i1>
  %r = linalg.reduce ins(%x : tensor<4xi1>) outs(%f : tensor<i1>) dimensions = [0] (%p: i1, %o: i1) {
    %s = arith.andi %p, %o : i1
    linalg.yield %s : i1
  }
  return %x, %r : tensor<4xi1>, tensor<i1>
}

// -----

func.func @op_muli(%a: tensor<5xi8>) -> tensor<5xi8> {
  %r = arith.muli %a, %a : tensor<5xi8>
  %s = arith.maxui %r, %a : tensor<5xi8>
  %t = arith.shrui %s, %a : tensor<5xi8>
  return %s : tensor<5xi8>
}

// -----

func.func @op_empty(%a: tensor<300x20xf32>) -> tensor<20x300xf32> {
  %e = tensor.empty() : tensor<20x300xf32>
  %t = linalg.transpose ins(%a : tensor<300x20xf32>) outs(%e : tensor<20x300xf32>) permutation = [1, 0]
  %s = linalg.softmax dimension(1) ins(%t : tensor<20x300xf32>) outs(%e : tensor<20x300xf32>) -> tensor<20x300xf32>
  return %s : tensor<20x300xf32>
}

// -----

func.func @op_constant_4(%a: tensor<4x5xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %g = arith.sitofp %i : i32 to f32
    %p = arith.mulf %x, %g : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @op_bf16(%x0: tensor<37x26xbf16>, %x1: tensor<26x19xbf16>, %y: tensor<37x19xbf16>) -> tensor<37x19xbf16> {
  %r = linalg.matmul ins(%x0, %x1 : tensor<37x26xbf16>, tensor<26x19xbf16>) outs(%y : tensor<37x19xbf16>) -> tensor<37x19xbf16>
  return %r : tensor<37x19xbf16>
}
