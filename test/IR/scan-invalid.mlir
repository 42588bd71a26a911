// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @scan_c1(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.scan' op expected an axis below the rank 2, got 2}}
  %0 = tile.scan add %t axis 2 : !tile.tile<8x4xf32>
  return
}

// -----

func.func @scan_c2(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.scan' op expected results of '!tile.tile<8xf32>' (the sources' types), got '!tile.tile<4xf32>'}}
  %0 = "tile.scan"(%t) {kind = #tile<reduce_kind add>} : (!tile.tile<8xf32>) -> !tile.tile<4xf32>
  return
}

// -----

func.func @scan_c3(%t: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'tile.scan' op expected an ordered element type for 'max', got 'complex<f32>'}}
  %0 = tile.scan max %t : !tile.tile<8xcomplex<f32>>
  return
}

// -----

func.func @scan_c4(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.scan' op expected a kind or one region, got regions: 0}}
  %0 = tile.scan %t : !tile.tile<8xf32>
  return
}

// -----

func.func @scan_c5(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.scan' op expected an identity of type 'f32' (the source's element type), got 0.000000e+00 : f64}}
  %0 = tile.scan %t identity [0.0 : f64] : !tile.tile<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @scan_c6(%t: !tile.tile<8xf32>) {
  %0 = tile.scan %t identity [0.0 : f32] : !tile.tile<8xf32> {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{expected an operation on scalars without side effects in the region of 'tile.scan', got 'tile.fill'}}
    %u = tile.fill %a : !tile.tile<f32>
    tile.yield %a : f32
  }
  return
}
