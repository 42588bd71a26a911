// Adding what was subtracted before rounds twice and does not give the first value.
// RUN: tile-fuzz --seed=17954466486 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
tile.kernel @f(%s0: index, %in1: memref<?x16x?x?xcomplex<f64>>, %in2: memref<?x?x1xi1, strided<[?, ?, ?]>>, %out3: memref<?x?x?xcomplex<f64>>, %out4: memref<?x?x?xcomplex<f64>, strided<[?, ?, ?]>>, %in5: memref<?x?x?xi64, strided<[?, ?, ?]>>) {
  %v0 = tile.program_id x
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 2 : index
  %v4 = tile.load %in1[%v1, %s0, %v2, %v3] : memref<?x16x?x?xcomplex<f64>> -> !tile.tile<64x5x4xcomplex<f64>>
  %v5 = arith.constant 0 : index
  %v6 = arith.constant 0 : index
  %v7 = arith.constant 0 : index
  %v8 = tile.load %in1[%s0, %v5, %v6, %v7] : memref<?x16x?x?xcomplex<f64>> -> !tile.tile<64x5x4xcomplex<f64>>
  %v9 = tile.complex sub %v4, %v8 : !tile.tile<64x5x4xcomplex<f64>>, !tile.tile<64x5x4xcomplex<f64>> to !tile.tile<64x5x4xcomplex<f64>>
  %v10 = tile.complex add %v8, %v9 : !tile.tile<64x5x4xcomplex<f64>>, !tile.tile<64x5x4xcomplex<f64>> to !tile.tile<64x5x4xcomplex<f64>>
  %v11 = arith.constant 0 : index
  %v12 = arith.constant 0 : index
  %v13 = tile.load %in2[%s0, %v11, %v12] : memref<?x?x1xi1, strided<[?, ?, ?]>> -> !tile.tile<64x5x4xi1>
  %v14 = tile.select %v13, %v8, %v10 : !tile.tile<64x5x4xi1>, !tile.tile<64x5x4xcomplex<f64>>
  %v15 = arith.constant 0 : index
  %v16 = arith.constant 0 : index
  %v17 = arith.constant 0 : index
  %v18 = arith.constant 5 : index
  %v19 = arith.muli %v0, %v18 : index
  %v20 = arith.addi %v19, %v16 : index
  tile.store %v14, %out3[%v15, %v20, %v17] : !tile.tile<64x5x4xcomplex<f64>>, memref<?x?x?xcomplex<f64>>
  %v21 = arith.constant 0 : index
  %v22 = arith.constant 0 : index
  %v23 = arith.constant 5 : index
  %v24 = arith.muli %v0, %v23 : index
  %v25 = arith.addi %v24, %s0 : index
  %v26 = arith.constant 0 : index
  %v27 = arith.constant 0 : index
  %v28 = tile.load %in5[%v26, %s0, %v27] : memref<?x?x?xi64, strided<[?, ?, ?]>> -> !tile.tile<64x5x4xi64>
  %v29 = arith.constant dense<4> : !tile.tile<64x5x4xi64>
  %v30 = arith.remui %v28, %v29 : !tile.tile<64x5x4xi64>
  tile.scatter %v10, %out4[%v21, %v25, %v22] at %v30 axis 1 : !tile.tile<64x5x4xcomplex<f64>>, memref<?x?x?xcomplex<f64>, strided<[?, ?, ?]>>, !tile.tile<64x5x4xi64>
  tile.return
}
