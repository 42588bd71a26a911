// The tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEDIALECT
#define TILE_IR_TILEDIALECT

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "programs on whole tiles, each run by one thread block";
  let description = [{
    A *tile program* describes the work of one thread block on whole tiles: it loads
    boxes of arrays, maps, reduces and multiplies tiles, and stores the results. It
    contains no barrier and no address in shared memory: the compiler assigns each
    tile its storage (registers or shared memory), distributes the work over warps
    and lanes, and inserts every barrier.

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

    Tiles are values. Operations of upstream's `arith` and `math` dialects apply to
    tiles elementwise, `scf` operations are the control flow around them, and calls
    (`func.call`) of functions on tiles are inlined. Scalars and control flow are the
    same in all threads of the block by construction, except in the region of
    `tile.per_thread`.

    The *level* of a kernel states how far it has been lowered. At `source` a kernel
    is as its author wrote it. At `decomposed`, after `-tile-decompose`, it has no
    calls and no composite operations. At `distributed`, after phase 4, each tile has
    a storage and a layout. At `buffered`, after `-tile-phases`, tiles in shared
    memory have become buffers with offsets, and all barriers are inserted. At
    `thread` a kernel is a function of the LLVM dialect. The level is verified before
    a phase relies on it.

    Operations, arguments and results may have the following discardable attributes
    of the dialect. Any other attribute of the dialect is an error, and so is one of
    these in a position that the table does not list. docs/Pipeline.md describes the
    attributes that phases write.

    | of | attribute | value |
    | --- | --- | --- |
    | module | `tile.target` | the architecture to compile for, a string |
    | module | `tile.sites` | the instructions of the emulator's code with their source lines, a list of strings |
    | kernel | `tile.blocks_per_processor` | the number of blocks that a multiprocessor must be able to run at a time, i64 |
    | kernel | `tile.custom_adjoint`, `tile.custom_tangent` | the kernel that `-tile-gradient` uses as the derivative, in reverse or forward mode, a symbol |
    | kernel | `tile.exact_accesses` | unit: LLVM must not join memory accesses to wider ones |
    | kernel | `tile.general_of` | the name of the kernel of which this kernel is the generic variant |
    | kernel | `tile.level` | the level of the kernel, `#tile<level ...>`; `source` if it is absent |
    | kernel | `tile.shared_bytes` | the size of the kernel's shared memory in bytes, i64 |
    | kernel | `tile.storage`, `tile.decisions` | lists of dictionaries for the report: type, storage, reason and location of each tile; result and reason of each other decision |
    | kernel's array | `tile.alignment` | the author's promise that the base address is a multiple of so many bytes, i64, a power of two |
    | kernel's array | `tile.stride_alignment` | the author's promise that each run-time stride, in bytes, is a multiple of this value, i64, a power of two |
    | kernel's array | `tile.assumed_alignment`, `tile.assumed_stride_alignment` | as the two above, but assumed by this variant of the kernel instead of promised |
    | kernel's array | `tile.workspace` | unit: the launcher allocates the array, filled with zeros; callers do not pass it |
    | argument of a kernel, or of a function that launches kernels | `tile.name` | the argument's name in a launcher; `argN` if it is absent |
    | `scf.for` | `tile.num_stages` | the number of stages of the pipelined loop, i64 |
    | `scf.while` | `tile.max_trips` | the author's promise that the loop runs at most so many iterations, i64; gradients need it, and check it |
    | load in a pipelined loop | `tile.copy` | the mechanism that copies its tile to shared memory in an earlier iteration, such as `#tile_gpu.cp_async` |
    | access to memory | `tile.access` | the access plan, `#tile.access<...>` |
    | `tile.matmul` | `tile.lhs_access`, `tile.rhs_access` | the access plan of an operand in shared memory |
    | `tile.matmul` | `tile.in_flight` | unit: the MMA stays in flight until the next iteration has issued its own |
    | `tile.convert_layout` | `tile.reread` | the index of the section of the kernel in which a tile in shared memory is read again, i64 |
    | `memref.alloc` | `tile.shared_offset` | the buffer's first byte in the kernel's shared memory, i64 |
    | `tile.per_thread` | `tile.threads` | the number of threads of the block, for the CPU path, i64 |
    | function's result | `tile.result_array` | the index of the argument whose array the result uses, i64 |
    | operation in a `tile.group` | `tile.loops` | for each loop of the operation, the index of the group's loop |
    | division or shift of the LLVM dialect | `tile.defined` | unit: LLVM defines the result for all operands that occur |
    | `llvm.select` | `tile.zero_divisor` | unit: the operation replaces the result of a division by zero with zero |

    Bytecode carries the version of the dialect, which is 6 in this release. Files of
    earlier versions can be read; a file of a later version is refused.
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
    static constexpr uint64_t kBytecodeVersion = 6;
    /// Whether the bytecode file that is being read states a version of the dialect
    /// up to `version`.
    static bool readsUpTo(::mlir::DialectBytecodeReader &reader,
                          uint64_t version);
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // TILE_IR_TILEDIALECT
