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
    A *tile program* describes the work of one thread block on whole tiles: load a
    box of an array, map, reduce, multiply, store. It names no barrier and no
    shared-memory address: the compiler assigns each tile its storage
    (registers or shared memory), spreads the work over warps and lanes and
    inserts every barrier.

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

    A kernel's *level* states which decisions of the compiler it contains. At `source`
    it is as people write it; at `decomposed`, which `-tile-decompose` leaves, it has no
    composite operation; at `distributed`, which phase 4 leaves, tiles have
    layouts; at `buffered`, which `-tile-phases` leaves, shared tiles are buffers
    with offsets, and barriers are in place. At `thread` a kernel is a function of
    the LLVM dialect. The level is verified before a phase relies on it.

    Operations carry these attributes of the dialect in addition to their own; another
    one, or one elsewhere, is an error. Those written by phases are described in
    docs/Pipeline.md.

    | on | attribute | value |
    | --- | --- | --- |
    | module | `tile.target` | the architecture to compile for, a string |
    | module | `tile.sites` | of the emulator's code: the instructions and their lines |
    | kernel | `tile.blocks_per_processor` | blocks that a multiprocessor is to have room for, i64 |
    | kernel | `tile.exact_accesses` | memory accesses are as wide as written: LLVM joins none |
    | kernel | `tile.general_of` | the name of the kernel that this is the generic variant of |
    | kernel | `tile.level` | how far down the kernel is, `#tile<level ...>`; `source` without |
    | kernel | `tile.shared_bytes` | bytes of shared memory, i64 |
    | kernel | `tile.storage`, `tile.decisions` | for the report, lists of dictionaries: type, storage, reason and location of each tile; result and reason of each other decision |
    | kernel's array | `tile.alignment` | bytes that the author promises the base address to be a multiple of, i64, a power of two |
    | kernel's array | `tile.stride_alignment` | the same of each run-time stride, in bytes |
    | kernel's array | `tile.assumed_alignment`, `tile.assumed_stride_alignment` | the same, assumed only by this variant of the kernel |
    | kernel's array | `tile.workspace` | zeros that no caller gives |
    | kernel's argument | `tile.name` | what a launcher calls it; `argN` without |
    | `scf.for` | `tile.num_stages` | stages in flight, i64 |
    | access to memory | `tile.access` | how it is made, `#tile.access<...>` |
    | `tile.matmul` | `tile.lhs_access`, `tile.rhs_access` | the same, of an operand in shared memory |
    | `tile.matmul` | `tile.in_flight` | stays in flight until the next iteration has issued its MMA |
    | `memref.alloc` | `tile.shared_offset` | the first byte in the kernel's shared memory, i64 |
    | `tile.per_thread` | `tile.threads` | of the CPU path: the block's threads, i64 |
    | any | `tile.stage` | the stage in a pipelined loop, i64 |
    | function's result | `tile.result_array` | the argument whose array the result uses, i64 |
    | operation in a `tile.group` | `tile.loops` | the group's loop for each of the operation's loops |
    | division or shift of the LLVM dialect | `tile.defined` | its operands are such that LLVM defines the result |
    | `llvm.select` | `tile.zero_divisor` | its first value replaces a quotient or a remainder by zero |

    Bytecode carries the dialect version, 4 in this release. Files of earlier
    versions are read; one of a later version is refused.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The bytecode version that this build writes.
    static constexpr uint64_t kBytecodeVersion = 4;
    /// Whether the file being read declares that it is of that version, or of an
    /// earlier one.
    static bool readsUpTo(::mlir::DialectBytecodeReader &reader,
                          uint64_t version);
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // TILE_IR_TILEDIALECT
