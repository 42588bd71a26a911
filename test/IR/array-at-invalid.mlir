// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @c1_offset(%address: i64) {
  // expected-error @below {{'tile.array_at' op expected an array of offset 0, got 'memref<4xf32, strided<[1], offset: 2>>'}}
  tile.array_at %address : memref<4xf32, strided<[1], offset: 2>>
  return
}

// -----

func.func @c1_rank(%address: i64) {
  // expected-error @below {{'tile.array_at' op result #0 must be array in global memory: memref of rank 1 to 8, but got 'memref<f32>'}}
  tile.array_at %address : memref<f32>
  return
}

// -----

func.func @c2_sizes(%address: i64, %n: index) {
  // expected-error @below {{'tile.array_at' op expected 2 sizes, as many as 'memref<?x?xf32>' leaves open, got 1}}
  tile.array_at %address[%n] : memref<?x?xf32>
  return
}

// -----

func.func @c2_strides(%address: i64, %n: index) {
  // expected-error @below {{'tile.array_at' op expected 0 strides, as many as 'memref<4xf32>' leaves open, got 1}}
  tile.array_at %address strides [%n] : memref<4xf32>
  return
}

// -----

func.func @address(%address: i32) { // expected-note {{prior use here}}
  // expected-error @below {{use of value '%address' expects different type than prior uses: 'i64' vs 'i32'}}
  tile.array_at %address : memref<4xf32>
  return
}
