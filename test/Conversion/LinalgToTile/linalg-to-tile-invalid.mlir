// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile -verify-diagnostics

// expected-error @below {{expected elements of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64 or index, got 'f80'}}
func.func @element(%a: tensor<4xf80>) -> tensor<4xf80> {
  return %a : tensor<4xf80>
}

// -----

// expected-error @below {{expected elements of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64 or index, got 'complex<f32>'}}
func.func @complex(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  return %a : tensor<4xcomplex<f32>>
}

// -----

// expected-error @below {{expected tensors with a rank, got 'tensor<*xf32>'}}
func.func @unranked(%a: tensor<*xf32>) -> tensor<4xf32> {
  %b = tensor.cast %a : tensor<*xf32> to tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// expected-error @below {{expected tensors of rank 0 to 8, got 'tensor<1x2x3x4x5x6x7x8x9xf32>'}}
func.func @rank(%a: tensor<1x2x3x4x5x6x7x8x9xf32>) -> tensor<1x2x3x4x5x6x7x8x9xf32> {
  return %a : tensor<1x2x3x4x5x6x7x8x9xf32>
}

// -----

// expected-error @below {{expected tensors as results, got 'index'}}
func.func @scalar(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  return %n : index
}

// -----

// expected-error @below {{expected a function of one block, got a declaration}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @below {{expected a function of one block, got branches}}
func.func @branches(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  return %a : tensor<4xf32>
^two:
  %b = arith.addf %a, %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

func.func @buffers(%t: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  // expected-error @below {{expected an operation on tensors, got 'linalg.fill' on buffers}}
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  return %t : tensor<4xf32>
}

// -----

func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected linalg on tensors, empty, splat, pad, extract_slice, insert_slice, concat or a reshape of tensor, or arithmetic on scalars, got 'scf.for'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<4xf32> {
    %u = math.exp %t : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @constant(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected a constant whose numbers are listed (dense<...>), got another}}
  %b = arith.constant sparse<[[0]], [1.0]> : tensor<3xf32>
  %r = arith.addf %a, %b : tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @body(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %isMore = arith.cmpf ogt, %x, %o : f32
    // expected-error @below {{expected an operation of arith or math on elements, got 'scf.if'}}
    %y = scf.if %isMore -> f32 {
      %s = math.sqrt %x : f32
      scf.yield %s : f32
    } else {
      scf.yield %o : f32
    }
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A reduction to the index of the largest element is not supported.
func.func @place(%a: tensor<4x9xf32>, %m: tensor<4xf32>, %p: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  // expected-error @below {{expected each result to be computed by itself or combined by add, mul, min, max, and, or, xor, got another body}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x9xf32>) outs(%m, %p : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%x: f32, %o: f32, %q: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %isMore = arith.cmpf ogt, %x, %o : f32
    %y = arith.select %isMore, %x, %o : f32
    %k = arith.select %isMore, %n, %q : i64
    linalg.yield %y, %k : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

func.func @diagonal(%a: tensor<4x4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a loop to index one dimension of an operand, got affine_map<(d0) -> (d0, d0)>}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @hankel(%a: tensor<19xf32>, %e: tensor<10x10xf32>) -> tensor<10x10xf32> {
  // expected-error @below {{expected one parallel loop in an index, got affine_map<(d0, d1) -> (d0 + d1)>}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<19xf32>) outs(%e : tensor<10x10xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<10x10xf32>
  return %r : tensor<10x10xf32>
}

// -----

func.func @repeated(%a: tensor<5xf32>, %e: tensor<10xf32>) -> tensor<10xf32> {
  // expected-error @below {{expected indices that are sums of multiples of loops, got affine_map<(d0) -> (d0 floordiv 2)>}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<5xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

func.func @pad(%a: tensor<5xf32>) -> tensor<9xf32> {
  // expected-error @below {{expected a pad of one number, got one of its place}}
  %r = tensor.pad %a low[2] high[2] {
  ^bb0(%i: index):
    %n = arith.index_cast %i : index to i32
    %x = arith.sitofp %n : i32 to f32
    tensor.yield %x : f32
  } : tensor<5xf32> to tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

func.func @stride(%a: tensor<50xf32>, %s: index) -> tensor<9xf32> {
  // expected-error @below {{expected strides that are constants, got one of run time}}
  %r = tensor.extract_slice %a[0] [9] [%s] : tensor<50xf32> to tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

func.func private @callee(f32)

func.func @call(%a: tensor<4xf32>, %b: f32) -> tensor<4xf32> {
  // expected-error @below {{or arithmetic on scalars, got 'func.call'}}
  func.call @callee(%b) : (f32) -> ()
  %r = math.exp %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{expected tensors with elements, got 'tensor<4x0xf32>'}}
func.func @empty(%a: tensor<4x0xf32>) -> tensor<4x0xf32> {
  return %a : tensor<4x0xf32>
}

// -----

// expected-error @below {{expected a number of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64 or index beside tensors, got 'memref<4xf32>'}}
func.func @memory(%a: tensor<4xf32>, %b: memref<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

func.func @scalar_result(%a: tensor<4xf32>, %s: f64) -> tensor<4xf32> {
  // expected-error @below {{or index beside tensors, got 'f128'}}
  %wide = arith.extf %s : f64 to f128
  %square = arith.mulf %wide, %wide : f128
  %narrow = arith.truncf %square : f128 to f32
  %r = tensor.splat %narrow : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The constant without a value is moved out of the body: the error is at its use.
func.func @poison(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
  ^bb0(%o: f32):
    %b = ub.poison : f32
    // expected-error @below {{or arithmetic on scalars, got 'ub.poison'}}
    linalg.yield %b : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @narrowing_pad(%a: tensor<5xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{expected pads of zero elements or more, got -3}}
  %r = tensor.pad %a low[0] high[-3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
