// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @c1_types(%x: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @below {{'tile.group' op expected the region to yield ('tensor<4xf16>'), the results' types, got ('tensor<4xf32>')}}
  %0 = tile.group {
    tile.yield %x : tensor<4xf32>
  } : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @c1_count(%x: tensor<4xf32>) {
  // expected-error @below {{'tile.group' op expected the region to yield (), the results' types, got ('tensor<4xf32>')}}
  tile.group {
    tile.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tile.group' op expected tiles of at least one iteration, got 0}}
  %0 = tile.group tiles [2, 0] {
    tile.yield %x : tensor<4xf32>
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

tile.kernel @c3() {
  // expected-error @below {{'tile.group' op expected to be in a function of the host, got one in a kernel}}
  tile.group {
    tile.yield
  }
  tile.return
}
