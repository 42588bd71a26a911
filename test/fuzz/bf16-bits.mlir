// A bitcast of a NaN from or to bf16 keeps its bits, as it keeps those of the
// integer.
// RUN: tile-fuzz --seed=219059 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
tile.kernel @f(%s0: index, %in1: memref<?xi16>, %in2: memref<40x?x?xf64, strided<[1, ?, ?]>>, %out3: memref<40xi16>, %out4: memref<?x?xi1, strided<[1, ?]>>, %out5: memref<40xbf16, strided<[?]>>, %out6: memref<?xi16, strided<[?]>>) {
  %v0 = tile.program_id x
  %v1 = arith.constant 2 : index
  %v2 = tile.load %in1[%v1] : memref<?xi16> -> !tile.tile<1xi16>
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 0 : index
  %v5 = tile.load %in2[%s0, %v3, %v4] : memref<40x?x?xf64, strided<[1, ?, ?]>> -> !tile.tile<17x5xf64>
  %v6 = tile.reduce umin %v2 axis 0 : !tile.tile<1xi16> to !tile.tile<i16>
  %v7 = arith.constant -3 : index
  %v8 = arith.constant 0 : index
  %v9 = tile.load %in2[%s0, %v7, %v8] : memref<40x?x?xf64, strided<[1, ?, ?]>> -> !tile.tile<17x5xf64>
  %v10 = arith.cmpf une, %v5, %v9 : !tile.tile<17x5xf64>
  %v11 = tile.cast %v2 bitcast : !tile.tile<1xi16> to !tile.tile<1xbf16>
  %v12 = arith.constant 0 : index
  %v13 = arith.constant 1 : index
  %v14 = arith.muli %v0, %v13 : index
  %v15 = arith.addi %v14, %v12 : index
  tile.store %v6, %out3[%v15] : !tile.tile<i16>, memref<40xi16>
  %v16 = arith.constant 0 : index
  %v17 = arith.constant 8 : index
  %v18 = arith.constant 5 : index
  %v19 = arith.muli %v0, %v18 : index
  %v20 = arith.addi %v19, %v17 : index
  tile.store %v10, %out4[%v16, %v20] : !tile.tile<17x5xi1>, memref<?x?xi1, strided<[1, ?]>>
  %v21 = arith.constant 1 : index
  %v22 = arith.muli %v0, %v21 : index
  %v23 = arith.addi %v22, %s0 : index
  tile.store %v11, %out5[%v23] : !tile.tile<1xbf16>, memref<40xbf16, strided<[?]>>
  tile.return
}
