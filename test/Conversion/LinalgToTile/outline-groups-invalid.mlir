// RUN: tile-opt %s -tile-outline-groups -verify-diagnostics -split-input-file

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @no_tiles(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'tile.group' op expected tiles, which -tile-tile-groups chooses, got none}}
  %g = tile.group {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @few_tiles(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'tile.group' op expected tiles of 2 loops, got 1}}
  %g = tile.group tiles [4] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @few_loops(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %g = tile.group tiles [4] {
    // expected-error @below {{expected 'tile.loops' with a loop for each of 2, got 1}}
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @a_loop_of_none(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'tile.group' op expected a member with loop 1, got none}}
  %g = tile.group tiles [4, 4, 4] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 2>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @no_member(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'tile.group' op expected to yield results of members, got another value as result 0}}
  %g = tile.group tiles [4, 4] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %z : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @an_argument(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %g = tile.group tiles [4, 4] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  // expected-error @below {{expected a result of a 'tile.group' of its own as result 0, got another tensor}}
  return %z : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
func.func @extents(%x: tensor<64x100xf32>, %y: tensor<64x50xf32>, %z: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %g:2 = tile.group tiles [4, 4] {
    // expected-note @below {{a member with the loop}}
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    // expected-error @below {{expected 100 iterations of loop 1 of the group, got 50}}
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<64x50xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    tile.yield %0, %1 : tensor<64xf32>, tensor<64xf32>
  } : tensor<64xf32>, tensor<64xf32>
  return %g#0, %g#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

func.func @body(%x: tensor<64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %g = tile.group tiles [64] {
    %0 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
        ins(%x : tensor<64xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0>} {
    ^bb0(%a: f32, %b: f32):
      // expected-error @below {{expected an operation of arith or math on elements, got 'complex.create'}}
      %c = complex.create %a, %b : complex<f32>
      %d = complex.re %c : complex<f32>
      linalg.yield %d : f32
    } -> tensor<64xf32>
    tile.yield %0 : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

#id = affine_map<(n) -> (n)>

func.func @reshape(%x: tensor<64xf32>, %z: tensor<64xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %g = tile.group tiles [64, 8, 8] {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<64xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0>} {
    ^bb0(%a: f32, %b: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    // expected-error @below {{expected a tensor from outside the group to reshape, got one of 'linalg.generic' in it}}
    %s = tensor.expand_shape %0 [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%s : tensor<8x8xf32>) outs(%w : tensor<8x8xf32>) attrs = {tile.loops = array<i64: 1, 2>} {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x8xf32>
    tile.yield %1 : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %g : tensor<8x8xf32>
}

// -----

#id = affine_map<(n) -> (n)>

func.func @extract(%x: tensor<64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %g = tile.group tiles [64] {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<64xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0>} {
    ^bb0(%a: f32, %b: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
        outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0>} {
    ^bb0(%b: f32):
      %i = linalg.index 0 : index
      // expected-error @below {{expected a tensor from outside the group at indices of a body, got one of 'linalg.generic' in it}}
      %2 = tensor.extract %0[%i] : tensor<64xf32>
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    tile.yield %1 : tensor<64xf32>
  } : tensor<64xf32>
  return %g : tensor<64xf32>
}
