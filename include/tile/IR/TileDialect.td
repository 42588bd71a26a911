// The tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEDIALECT
#define TILE_IR_TILEDIALECT

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "programs of whole tiles, run by one thread block each";
  let description = [{
    A *tile program* says what one thread block does with whole tiles: load a
    box of an array, map, reduce, multiply, store. It names no barrier and no
    shared-memory address: the compiler assigns each tile its storage
    (registers or shared memory), spreads the work over warps and lanes and
    places every barrier.

    ```mlir
    tile.kernel @scale(%x: memref<?xf32>, %y: memref<?xf32>) {
      %block = tile.program_id x
      %size = arith.constant 256 : index
      %start = arith.muli %block, %size : index
      %t = tile.load %x[%start] : memref<?xf32> -> !tile.tile<256xf32>
      %u = arith.addf %t, %t : !tile.tile<256xf32>
      tile.store %u, %y[%start] : !tile.tile<256xf32>, memref<?xf32>
      tile.return
    }
    ```

    Tiles are values. Upstream `arith` and `math` operations take them
    elementwise; `scf` is the control flow around them, and `func.call` of a
    function on tiles is inlined. Everything outside the operations is uniform
    over the block by construction.

    Bytecode carries the dialect version, 3 in this release. Files of earlier
    versions are read; one of a later version is refused.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The bytecode version that this build writes.
    static constexpr uint64_t kBytecodeVersion = 3;
    /// Whether the file being read says that it is of that version, or of an
    /// earlier one.
    static bool readsUpTo(::mlir::DialectBytecodeReader &reader,
                          uint64_t version);
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // TILE_IR_TILEDIALECT
