// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @c1(%w: tensor<?x8xi32>, %s: tensor<?x8xf32>) {
  // expected-error @below {{'tile.online_softmax' op expected floating-point elements, got 'tensor<?x8xi32>'}}
  %0 = tile.online_softmax %w of %s dim 1 : tensor<?x8xi32>, tensor<?x8xf32>
  return
}

// -----

func.func @c2(%w: tensor<?x8xf32>) {
  // expected-error @below {{'tile.online_softmax' op expected a dimension from 0 to 1, got 2}}
  %0 = tile.online_softmax %w of %w dim 2 : tensor<?x8xf32>, tensor<?x8xf32>
  return
}

// -----

tile.kernel @c3() {
  %w = tensor.empty() : tensor<8xf32>
  // expected-error @below {{'tile.online_softmax' op expected to be in a function of the host, got one in a kernel}}
  %0 = tile.online_softmax %w of %w dim 0 : tensor<8xf32>, tensor<8xf32>
  tile.return
}
