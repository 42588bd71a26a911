// RUN: tile-opt %s -tile-to-nvvm -split-input-file -verify-diagnostics

// What the GPU path does not compute is refused at its line, with what it does.

tile.kernel @cast_f8E4M3FN_to_f64(%x: memref<8xf8E4M3FN>, %y: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'f64'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xf64>
  tile.store %u, %y[%c0] : !tile.tile<8xf64>, memref<8xf64>
  tile.return
}

// -----

tile.kernel @cast_f64_to_f8E4M3FN(%x: memref<8xf64>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf64> -> !tile.tile<8xf64>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f64' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xf64> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_f32(%x: memref<8xf8E4M3FN>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'f32'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xf32>
  tile.store %u, %y[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}

// -----

tile.kernel @cast_f32_to_f8E4M3FN(%x: memref<8xf32>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f32' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xf32> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_f16(%x: memref<8xf8E4M3FN>, %y: memref<8xf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'f16'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xf16>
  tile.store %u, %y[%c0] : !tile.tile<8xf16>, memref<8xf16>
  tile.return
}

// -----

tile.kernel @cast_f16_to_f8E4M3FN(%x: memref<8xf16>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf16> -> !tile.tile<8xf16>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f16' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xf16> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_bf16(%x: memref<8xf8E4M3FN>, %y: memref<8xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'bf16'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xbf16>
  tile.store %u, %y[%c0] : !tile.tile<8xbf16>, memref<8xbf16>
  tile.return
}

// -----

tile.kernel @cast_bf16_to_f8E4M3FN(%x: memref<8xbf16>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xbf16> -> !tile.tile<8xbf16>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'bf16' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xbf16> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_i1(%x: memref<8xf8E4M3FN>, %y: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'i1'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xi1>
  tile.store %u, %y[%c0] : !tile.tile<8xi1>, memref<8xi1>
  tile.return
}

// -----

tile.kernel @cast_i1_to_f8E4M3FN(%x: memref<8xi1>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi1> -> !tile.tile<8xi1>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i1' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xi1> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_i8(%x: memref<8xf8E4M3FN>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'i8'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xi8>
  tile.store %u, %y[%c0] : !tile.tile<8xi8>, memref<8xi8>
  tile.return
}

// -----

tile.kernel @cast_i8_to_f8E4M3FN(%x: memref<8xi8>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi8> -> !tile.tile<8xi8>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i8' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xi8> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_i16(%x: memref<8xf8E4M3FN>, %y: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'i16'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xi16>
  tile.store %u, %y[%c0] : !tile.tile<8xi16>, memref<8xi16>
  tile.return
}

// -----

tile.kernel @cast_i16_to_f8E4M3FN(%x: memref<8xi16>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi16> -> !tile.tile<8xi16>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i16' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xi16> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_i32(%x: memref<8xf8E4M3FN>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'i32'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xi32>
  tile.store %u, %y[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}

// -----

tile.kernel @cast_i32_to_f8E4M3FN(%x: memref<8xi32>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi32> -> !tile.tile<8xi32>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i32' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xi32> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_i64(%x: memref<8xf8E4M3FN>, %y: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'i64'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xi64>
  tile.store %u, %y[%c0] : !tile.tile<8xi64>, memref<8xi64>
  tile.return
}

// -----

tile.kernel @cast_i64_to_f8E4M3FN(%x: memref<8xi64>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi64> -> !tile.tile<8xi64>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i64' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xi64> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_index(%x: memref<8xf8E4M3FN>, %y: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'index'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xindex>
  tile.store %u, %y[%c0] : !tile.tile<8xindex>, memref<8xindex>
  tile.return
}

// -----

tile.kernel @cast_index_to_f8E4M3FN(%x: memref<8xindex>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xindex> -> !tile.tile<8xindex>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'index' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xindex> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @cast_f8E4M3FN_to_f8E5M2(%x: memref<8xf8E4M3FN>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E4M3FN> -> !tile.tile<8xf8E4M3FN>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E4M3FN' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xf8E4M3FN> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_f64(%x: memref<8xf8E5M2>, %y: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'f64'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xf64>
  tile.store %u, %y[%c0] : !tile.tile<8xf64>, memref<8xf64>
  tile.return
}

// -----

tile.kernel @cast_f64_to_f8E5M2(%x: memref<8xf64>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf64> -> !tile.tile<8xf64>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f64' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xf64> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_f32(%x: memref<8xf8E5M2>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'f32'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xf32>
  tile.store %u, %y[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}

// -----

tile.kernel @cast_f32_to_f8E5M2(%x: memref<8xf32>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f32' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xf32> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_f16(%x: memref<8xf8E5M2>, %y: memref<8xf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'f16'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xf16>
  tile.store %u, %y[%c0] : !tile.tile<8xf16>, memref<8xf16>
  tile.return
}

// -----

tile.kernel @cast_f16_to_f8E5M2(%x: memref<8xf16>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf16> -> !tile.tile<8xf16>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f16' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xf16> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_bf16(%x: memref<8xf8E5M2>, %y: memref<8xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'bf16'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xbf16>
  tile.store %u, %y[%c0] : !tile.tile<8xbf16>, memref<8xbf16>
  tile.return
}

// -----

tile.kernel @cast_bf16_to_f8E5M2(%x: memref<8xbf16>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xbf16> -> !tile.tile<8xbf16>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'bf16' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xbf16> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_i1(%x: memref<8xf8E5M2>, %y: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'i1'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xi1>
  tile.store %u, %y[%c0] : !tile.tile<8xi1>, memref<8xi1>
  tile.return
}

// -----

tile.kernel @cast_i1_to_f8E5M2(%x: memref<8xi1>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi1> -> !tile.tile<8xi1>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i1' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xi1> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_i8(%x: memref<8xf8E5M2>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'i8'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xi8>
  tile.store %u, %y[%c0] : !tile.tile<8xi8>, memref<8xi8>
  tile.return
}

// -----

tile.kernel @cast_i8_to_f8E5M2(%x: memref<8xi8>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi8> -> !tile.tile<8xi8>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i8' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xi8> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_i16(%x: memref<8xf8E5M2>, %y: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'i16'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xi16>
  tile.store %u, %y[%c0] : !tile.tile<8xi16>, memref<8xi16>
  tile.return
}

// -----

tile.kernel @cast_i16_to_f8E5M2(%x: memref<8xi16>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi16> -> !tile.tile<8xi16>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i16' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xi16> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_i32(%x: memref<8xf8E5M2>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'i32'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xi32>
  tile.store %u, %y[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}

// -----

tile.kernel @cast_i32_to_f8E5M2(%x: memref<8xi32>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi32> -> !tile.tile<8xi32>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i32' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xi32> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_i64(%x: memref<8xf8E5M2>, %y: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'i64'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xi64>
  tile.store %u, %y[%c0] : !tile.tile<8xi64>, memref<8xi64>
  tile.return
}

// -----

tile.kernel @cast_i64_to_f8E5M2(%x: memref<8xi64>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi64> -> !tile.tile<8xi64>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'i64' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xi64> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_index(%x: memref<8xf8E5M2>, %y: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'index'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xindex>
  tile.store %u, %y[%c0] : !tile.tile<8xindex>, memref<8xindex>
  tile.return
}

// -----

tile.kernel @cast_index_to_f8E5M2(%x: memref<8xindex>, %y: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xindex> -> !tile.tile<8xindex>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'index' to 'f8E5M2'}}
  %u = tile.cast %t : !tile.tile<8xindex> to !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @cast_f8E5M2_to_f8E4M3FN(%x: memref<8xf8E5M2>, %y: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected a conversion between f64, f32, f16, bf16, i1, i8, i16, i32, i64 and index, or a bitcast (the GPU path has no conversions of f8), got 'f8E5M2' to 'f8E4M3FN'}}
  %u = tile.cast %t : !tile.tile<8xf8E5M2> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %y[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @f8_arithmetic(%x: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path moves numbers of f8 and multiplies them on sm_89 or later), got 'f8E5M2'}}
  %u = arith.addf %t, %t : !tile.tile<8xf8E5M2>
  tile.store %u, %x[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @f8_comparison(%x: memref<8xf8E5M2>, %y: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path moves numbers of f8 and multiplies them on sm_89 or later), got 'f8E5M2'}}
  %u = arith.cmpf olt, %t, %t : !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xi1>, memref<8xi1>
  tile.return
}

// -----

tile.kernel @f8_function(%x: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path moves numbers of f8 and multiplies them on sm_89 or later), got 'f8E5M2'}}
  %u = math.exp %t : !tile.tile<8xf8E5M2>
  tile.store %u, %x[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @f8_order(%x: memref<8xf8E5M2>, %y: memref<1xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path moves numbers of f8 and multiplies them on sm_89 or later), got 'f8E5M2'}}
  %u = tile.reduce max %t axis 0 : !tile.tile<8xf8E5M2> to !tile.tile<f8E5M2>
  %v = tile.reshape %u : !tile.tile<f8E5M2> to !tile.tile<1xf8E5M2>
  tile.store %v, %y[%c0] : !tile.tile<1xf8E5M2>, memref<1xf8E5M2>
  tile.return
}

// -----

tile.kernel @f8_product(%x: memref<16x16xf8E4M3FN>, %y: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<16x16xf8E4M3FN> -> !tile.tile<16x16xf8E4M3FN>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path moves numbers of f8 and multiplies them on sm_89 or later), got 'f8E4M3FN'}}
  %u = tile.matmul %t, %t, %z : !tile.tile<16x16xf8E4M3FN>, !tile.tile<16x16xf8E4M3FN> -> !tile.tile<16x16xf32>
  tile.store %u, %y[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}

// -----

tile.kernel @power_of_integers(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi32> -> !tile.tile<8xi32>
  // expected-error @below {{expected an operation that the GPU path lowers (all of arith and math that tiles take, but math.fpowi, math.ipowi and math.isnormal), got 'math.ipowi'}}
  %u = math.ipowi %t, %t : !tile.tile<8xi32>
  tile.store %u, %x[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}
