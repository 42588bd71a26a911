// RUN: tile-opt %s -tile-canonical-form=keep-custom -tile-gradient -verify-diagnostics -split-input-file

func.func private @f(%x: !tile.tile<64xf32>) -> !tile.tile<64xf32> attributes {tile.custom_adjoint = @f_adjoint} {
  return %x : !tile.tile<64xf32>
}

// expected-error @below {{expected 'f_adjoint', the 'tile.custom_adjoint' of 'f', to have the type '(!tile.tile<64xf32>, !tile.tile<64xf32>) -> !tile.tile<64xf32>', got '(!tile.tile<64xf32>) -> !tile.tile<64xf32>'}}
func.func private @f_adjoint(%dy: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
  return %dy : !tile.tile<64xf32>
}

tile.kernel @calls(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = func.call @f(%v) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected 'tile.custom_adjoint' of 'f' to name a function of the module, got @none}}
func.func private @f(%x: !tile.tile<64xf32>) -> !tile.tile<64xf32> attributes {tile.custom_adjoint = @none} {
  return %x : !tile.tile<64xf32>
}

tile.kernel @calls(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = func.call @f(%v) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

func.func private @f(%x: !tile.tile<64xf32>) -> !tile.tile<64xf32> attributes {tile.custom_tangent = @f_tangent} {
  return %x : !tile.tile<64xf32>
}

func.func private @f_tangent(%x: !tile.tile<64xf32>, %dx: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
  return %dx : !tile.tile<64xf32>
}

tile.kernel @calls(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected a call that is inlined, or of a function with 'tile.custom_adjoint', on which a gradient depends, got @f}}
  %w = func.call @f(%v) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

func.func private @f(%x: !tile.tile<64xf32>) -> !tile.tile<64xf32> attributes {tile.custom_adjoint = @f_adjoint} {
  return %x : !tile.tile<64xf32>
}

func.func private @f_adjoint(%x: !tile.tile<64xf32>, %dy: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
  // expected-error @below {{expected functions that do not call themselves, got @f_adjoint}}
  %d = func.call @f_adjoint(%x, %dy) : (!tile.tile<64xf32>, !tile.tile<64xf32>) -> !tile.tile<64xf32>
  return %d : !tile.tile<64xf32>
}

tile.kernel @calls(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = func.call @f(%v) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected a function of tiles and scalars, to have a custom derivative, got one of type '(!tile.tile<64xf32>, memref<64xf32>) -> !tile.tile<64xf32>'}}
func.func private @f(%x: !tile.tile<64xf32>, %a: memref<64xf32>) -> !tile.tile<64xf32> attributes {tile.custom_adjoint = @f_adjoint} {
  %c0 = arith.constant 0 : index
  %v = tile.load %a[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = arith.mulf %x, %v : !tile.tile<64xf32>
  return %s : !tile.tile<64xf32>
}

func.func private @f_adjoint(%x: !tile.tile<64xf32>, %a: memref<64xf32>, %dy: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
  return %dy : !tile.tile<64xf32>
}

tile.kernel @calls(%x: memref<64xf32> {tile.name = "x"}, %a: memref<64xf32> {tile.name = "a"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = func.call @f(%v, %a) : (!tile.tile<64xf32>, memref<64xf32>) -> !tile.tile<64xf32>
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
