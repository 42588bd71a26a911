// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @complex_c1(%x: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'tile.complex' op expected 2 inputs for 'mul', got 1}}
  %0 = tile.complex mul %x : !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  return
}

// -----

func.func @complex_c1_one(%x: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'tile.complex' op expected 1 input for 'conj', got 2}}
  %0 = tile.complex conj %x, %x : !tile.tile<8xcomplex<f32>>, !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  return
}

// -----

func.func @complex_c2(%x: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'tile.complex' op expected inputs of shape [9] (the result's), got '!tile.tile<8xcomplex<f32>>'}}
  %0 = tile.complex neg %x : !tile.tile<8xcomplex<f32>> to !tile.tile<9xcomplex<f32>>
  return
}

// -----

func.func @complex_c3_result(%x: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'tile.complex' op expected a result of element type 'f32' for 'abs', got 'complex<f32>'}}
  %0 = tile.complex abs %x : !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  return
}

// -----

func.func @complex_c3_inputs(%x: !tile.tile<8xcomplex<f32>>, %y: !tile.tile<8xcomplex<f64>>) {
  // expected-error @below {{'tile.complex' op expected inputs of element type 'complex<f32>' for 'add', got 'complex<f64>'}}
  %0 = tile.complex add %x, %y : !tile.tile<8xcomplex<f32>>, !tile.tile<8xcomplex<f64>> to !tile.tile<8xcomplex<f32>>
  return
}

// -----

func.func @complex_c3_real(%x: !tile.tile<8xf16>) {
  // expected-error @below {{'tile.complex' op expected a result of element type complex<f32> or complex<f64> for 'exp', got 'f16'}}
  %0 = tile.complex exp %x : !tile.tile<8xf16> to !tile.tile<8xf16>
  return
}

// -----

func.func @complex_kind(%x: !tile.tile<8xcomplex<f32>>) {
  // expected-error-re @below {{{{.*}}operation on complex numbers{{.*}}}}
  %0 = tile.complex sinh %x : !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  return
}
