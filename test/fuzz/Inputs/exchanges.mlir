// Tiles exchanged between threads through shared memory, of every element type,
// of whole vectors and odd ones: what report_counters.py compares.

tile.kernel @i1_64x64(%a: memref<64x64xi1>, %r: memref<64x64xi1>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xi1> -> !tile.tile<64x64xi1>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xi1> to !tile.tile<64x64xi1>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xi1>, memref<64x64xi1>
  tile.return
}

tile.kernel @i1_33x17(%a: memref<33x17xi1>, %r: memref<17x33xi1>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xi1> -> !tile.tile<33x17xi1>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xi1> to !tile.tile<17x33xi1>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xi1>, memref<17x33xi1>
  tile.return
}

tile.kernel @i8_64x64(%a: memref<64x64xi8>, %r: memref<64x64xi8>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xi8> -> !tile.tile<64x64xi8>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xi8> to !tile.tile<64x64xi8>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xi8>, memref<64x64xi8>
  tile.return
}

tile.kernel @i8_33x17(%a: memref<33x17xi8>, %r: memref<17x33xi8>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xi8> -> !tile.tile<33x17xi8>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xi8> to !tile.tile<17x33xi8>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xi8>, memref<17x33xi8>
  tile.return
}

tile.kernel @f16_64x64(%a: memref<64x64xf16>, %r: memref<64x64xf16>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xf16>, memref<64x64xf16>
  tile.return
}

tile.kernel @f16_33x17(%a: memref<33x17xf16>, %r: memref<17x33xf16>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xf16> -> !tile.tile<33x17xf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xf16> to !tile.tile<17x33xf16>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xf16>, memref<17x33xf16>
  tile.return
}

tile.kernel @bf16_64x64(%a: memref<64x64xbf16>, %r: memref<64x64xbf16>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xbf16> -> !tile.tile<64x64xbf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xbf16> to !tile.tile<64x64xbf16>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xbf16>, memref<64x64xbf16>
  tile.return
}

tile.kernel @bf16_33x17(%a: memref<33x17xbf16>, %r: memref<17x33xbf16>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xbf16> -> !tile.tile<33x17xbf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xbf16> to !tile.tile<17x33xbf16>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xbf16>, memref<17x33xbf16>
  tile.return
}

tile.kernel @f32_64x64(%a: memref<64x64xf32>, %r: memref<64x64xf32>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @f32_33x17(%a: memref<33x17xf32>, %r: memref<17x33xf32>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xf32> -> !tile.tile<33x17xf32>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xf32> to !tile.tile<17x33xf32>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xf32>, memref<17x33xf32>
  tile.return
}

tile.kernel @f64_64x64(%a: memref<64x64xf64>, %r: memref<64x64xf64>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xf64> -> !tile.tile<64x64xf64>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xf64> to !tile.tile<64x64xf64>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xf64>, memref<64x64xf64>
  tile.return
}

tile.kernel @f64_33x17(%a: memref<33x17xf64>, %r: memref<17x33xf64>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xf64> -> !tile.tile<33x17xf64>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xf64> to !tile.tile<17x33xf64>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xf64>, memref<17x33xf64>
  tile.return
}

tile.kernel @index_64x64(%a: memref<64x64xindex>, %r: memref<64x64xindex>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xindex> -> !tile.tile<64x64xindex>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xindex> to !tile.tile<64x64xindex>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xindex>, memref<64x64xindex>
  tile.return
}

tile.kernel @i64_64x64(%a: memref<64x64xi64>, %r: memref<64x64xi64>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xi64> -> !tile.tile<64x64xi64>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xi64> to !tile.tile<64x64xi64>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xi64>, memref<64x64xi64>
  tile.return
}

tile.kernel @index_33x17(%a: memref<33x17xindex>, %r: memref<17x33xindex>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xindex> -> !tile.tile<33x17xindex>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xindex> to !tile.tile<17x33xindex>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xindex>, memref<17x33xindex>
  tile.return
}

tile.kernel @i64_33x17(%a: memref<33x17xi64>, %r: memref<17x33xi64>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xi64> -> !tile.tile<33x17xi64>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xi64> to !tile.tile<17x33xi64>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xi64>, memref<17x33xi64>
  tile.return
}

tile.kernel @complex_f32_64x64(%a: memref<64x64xcomplex<f32>>, %r: memref<64x64xcomplex<f32>>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xcomplex<f32>> -> !tile.tile<64x64xcomplex<f32>>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xcomplex<f32>> to !tile.tile<64x64xcomplex<f32>>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xcomplex<f32>>, memref<64x64xcomplex<f32>>
  tile.return
}

tile.kernel @complex_f32_33x17(%a: memref<33x17xcomplex<f32>>, %r: memref<17x33xcomplex<f32>>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xcomplex<f32>> -> !tile.tile<33x17xcomplex<f32>>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xcomplex<f32>> to !tile.tile<17x33xcomplex<f32>>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xcomplex<f32>>, memref<17x33xcomplex<f32>>
  tile.return
}

tile.kernel @complex_f64_64x64(%a: memref<64x64xcomplex<f64>>, %r: memref<64x64xcomplex<f64>>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<64x64xcomplex<f64>> -> !tile.tile<64x64xcomplex<f64>>
  %y = tile.transpose %x [1, 0] : !tile.tile<64x64xcomplex<f64>> to !tile.tile<64x64xcomplex<f64>>
  tile.store %y, %r[%z, %z] : !tile.tile<64x64xcomplex<f64>>, memref<64x64xcomplex<f64>>
  tile.return
}

tile.kernel @complex_f64_33x17(%a: memref<33x17xcomplex<f64>>, %r: memref<17x33xcomplex<f64>>) {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<33x17xcomplex<f64>> -> !tile.tile<33x17xcomplex<f64>>
  %y = tile.transpose %x [1, 0] : !tile.tile<33x17xcomplex<f64>> to !tile.tile<17x33xcomplex<f64>>
  tile.store %y, %r[%z, %z] : !tile.tile<17x33xcomplex<f64>>, memref<17x33xcomplex<f64>>
  tile.return
}
