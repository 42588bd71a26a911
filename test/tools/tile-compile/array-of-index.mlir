// An array of index, on which MLIR's parser would crash, is an error at its
// element type.

// RUN: split-file %s %t
// RUN: not tile-compile %t/plain.mlir -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: plain.mlir:2:57: error: expected an array of integers or floating-point numbers, got one of index
// RUN: not tile-compile %t/alias.mlir -o %t.cubin 2>&1 | FileCheck %s --check-prefix=ALIAS
// ALIAS: alias.mlir:4:5: error: expected an array of integers or floating-point numbers, got one of index
// RUN: tile-compile %t/others.mlir --emit=ptx -o %t.ptx

//--- plain.mlir
tile.kernel @copy(%x: memref<4xf32>) {
  tile.return {text = "array<index: 1>", values = array<index: 1, 2>}
}

//--- alias.mlir
!size = index
!count = !size
tile.kernel @copy(%x: memref<4xf32>) { tile.return {values = array < // of
    !count: 1>}
}

//--- others.mlir
!word = i64
tile.kernel @copy(%x: memref<4xf32>) {
  // array<index: 1>
  %i = arith.constant {values = array<i64: 1, 2>, more = array<!word: 3>} 0 : index
  %t = tile.load %x[%i] : memref<4xf32> -> !tile.tile<4xf32>
  tile.store %t, %x[%i] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
