// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @launch_c1_unknown() {
  // expected-error @below {{'tile.launch' op expected a kernel of the module, got @nothing}}
  tile.launch @nothing()
  return
}

// -----

func.func @launch_c1_function() {
  // expected-error @below {{'tile.launch' op expected a kernel of the module, got @launch_c1_function}}
  tile.launch @launch_c1_function()
  return
}

// -----

// expected-note @below {{the kernel}}
tile.kernel @k(%a: memref<4xf32>, %s: i32) {
  tile.return
}

func.func @launch_c1_number(%a: memref<4xf32>, %n: index) {
  // expected-error @below {{'tile.launch' op expected 2 arguments of @k, got 1}}
  tile.launch @k grid(%n) (%a) : memref<4xf32>
  return
}

// -----

// expected-note @below {{the kernel}}
tile.kernel @k(%a: memref<4xf32>, %s: i32) {
  tile.return
}

func.func @launch_c1_type(%a: memref<4xf32>, %n: index) {
  // expected-error @below {{'tile.launch' op expected argument 1 of @k to be 'i32', got 'index'}}
  tile.launch @k grid(%n) (%a, %n) : memref<4xf32>, index
  return
}

// -----

// expected-note @below {{the kernel}}
tile.kernel @k(%a: memref<4xf32>) {
  tile.return
}

func.func @launch_c1_static(%a: memref<?xf32>, %n: index) {
  // expected-error @below {{'tile.launch' op expected argument 0 of @k to be 'memref<4xf32>', got 'memref<?xf32>'}}
  tile.launch @k grid(%n) (%a) : memref<?xf32>
  return
}

// -----

// expected-note @below {{the kernel}}
tile.kernel @k(%a: memref<4xf32>) {
  tile.return
}

func.func @launch_c2_none(%a: memref<4xf32>) {
  // expected-error @below {{'tile.launch' op expected a grid, here or of @k, got none}}
  tile.launch @k(%a) : memref<4xf32>
  return
}

// -----

tile.kernel @k(%a: memref<4xf32>) {
  tile.return
}

func.func @launch_c2_many(%a: memref<4xf32>, %n: index) {
  // expected-error @below {{'tile.launch' op expected a grid of up to 3 extents, got 4}}
  tile.launch @k grid(%n, %n, %n, %n) (%a) : memref<4xf32>
  return
}

// -----

#grid = #tile.grid<affine_map<() -> (1)> of []>
tile.kernel @k(%a: memref<4xf32>) attributes {grid = #grid} {
  // expected-error @below {{'tile.launch' op expected to be in a function of the host, got one in a kernel}}
  tile.launch @k(%a) : memref<4xf32>
  tile.return
}
