// Matmuls in flight: asynchronous MMA instructions and waits for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_MMAOPS
#define TILE_IR_GPU_MMAOPS

include "tile/IR/Gpu/TileGpuDialect.td"

def TileGpu_MmaGroup : OpDocGroup {
  let summary = "Matmuls in flight";
  let description = [{
    A matmul by warpgroup MMA instructions (`wgmma`) runs asynchronously: the threads
    that issue it continue, and wait for it later. `-tile-issue-matmuls` creates these
    operations from `tile.matmul`.
  }];
}

let opDocGroup = TileGpu_MmaGroup in {

def TileGpu_MmaAsyncOp : TileGpu_Op<"mma_async", [
    AllTypesMatch<["acc", "result"]>, Tile_MatmulOpInterface,
    Tile_Promises<Tile_CostOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "issue an asynchronous matmul";
  let description = [{
    Issues `result = lhs * rhs + acc`, as `tile.matmul` defines it, and returns a token
    for the MMA. Until a wait for the token has ended, the MMA may at any time read its
    operands in shared memory, through the async proxy, read its operands in registers,
    and write its accumulators (PTX ISA, "Asynchronous warpgroup level matrix
    instructions"). MMAs end in the order in which they are issued.

    `$result` may be the accumulator of another `tile_gpu.mma_async`, may be carried by a
    loop or a branch, and may be an operand of `tile_gpu.mma_wait`. Other operations use
    the result of this wait instead. `$acc` may also be in flight.

    If threads, or their copies, write the buffers, a proxy fence (`nvvm.fence.proxy`)
    is necessary between these writes and the MMA.

    Constraints:
    - (C1) to (C5) are those of `tile.matmul`.
    - (C6) the tiling is as for `tile.matmul`; it has `atom`, `warps` and `sub`, and its
      instruction is a `wgmma`.
    - (C7) rhs is in shared memory; lhs is in shared memory, or in registers with a
      layout.

    `-convert-tile-to-nvgpu` verifies the instruction, the layout of an lhs in
    registers, and that a matrix descriptor can describe each buffer. An lhs in
    registers has elements of f16, bf16 or f32. With `tf32` precision, both operands
    must already be rounded to tf32, since the instruction truncates the lower bits of
    the mantissa.

    Example: see test/Transforms/issue-matmuls.mlir.
  }];
  let arguments = (ins
    Tile_Operand:$lhs, Tile_SharedBuffer:$rhs, Tile_Tile:$acc,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tile::Precision::ieee">:$precision,
    Tile_TilingAttr:$tiling);
  let results = (outs Tile_Tile:$result, Tile_MmaToken:$token);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`precision` `` $precision^)? `tiling` $tiling
    attr-dict
    `:` qualified(type($lhs)) `,` qualified(type($rhs))
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isAsync() { return true; }
  }];
}

def TileGpu_MmaWaitOp : TileGpu_Op<"mma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for asynchronous matmuls";
  let description = [{
    Waits until all MMAs that the threads of the warpgroup have issued have ended,
    except the newest `in_flight` ones. The MMA of `$token` must be among those that
    have ended. After the wait its operands may be written, by other threads after a
    barrier. The results are the operands `$values` after their MMAs have ended:
    accumulators, which may now be read, and lhs operands in registers, which must not
    be overwritten before the MMA has read them.

    `-tile-verify-synchronization` proves that the MMA of `$token`, and those of the
    values, have ended.

    Constraints:
    - (C1) `in_flight` is from 0 to 63.
    - (C2) there is one result for each value, of its type; the values are in
      registers with a layout.

    Examples: `tile_gpu.mma_wait %token in_flight 1`; see
    test/Transforms/issue-matmuls.mlir.
  }];
  let arguments = (ins Tile_MmaToken:$token, I64Attr:$in_flight,
                       Variadic<Tile_Tile>:$values);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    $token `in_flight` $in_flight
    (`of` $values^ `:` custom<Moved>(type($values), type($results)))? attr-dict
  }];
  let hasVerifier = 1;
}

def TileGpu_MmaNoneOp : TileGpu_Op<"mma_none", [Pure]> {
  let summary = "token without a matmul";
  let description = [{
    Returns a token for which nothing is in flight. It is the initial value of a token
    that a loop carries, if each iteration waits for the MMA of the iteration before.

    Example: `%token = tile_gpu.mma_none`
  }];
  let results = (outs Tile_MmaToken:$token);
  let assemblyFormat = "attr-dict";
}

def TileGpu_WarpgroupMmaOp : TileGpu_Op<"warpgroup_mma", [
    TypesMatchWith<"a result for each accumulator", "acc", "results", "$_self",
                   "std::equal_to<>()">,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one wgmma instruction with lhs in registers";
  let description = [{
    The form of `wgmma.mma_async` whose lhs is in registers (PTX ISA, "Asynchronous
    Warpgroup Level Matrix Instructions: wgmma.mma_async"), which `nvvm.wgmma.mma_async`
    lacks. It has 64 rows, a K of 32 bytes, and two columns for each operand of `$acc`.
    `-convert-tile-to-nvgpu` creates the operation from `tile_gpu.mma_async`. It becomes
    inline assembly only when PTX is written, so that the emulator executes the
    operation itself.

    The four registers of lhs that a lane holds are those of "Register Fragments for
    wgmma.mma_async.m64nNk16" for elements of 16 bits, of "... m64nNk32" for elements
    of 8 bits, and of "... m64nNk8" for f32. `$rhs` is a matrix descriptor, of a matrix
    in which K is contiguous, or N with `transposed`. With `from_zero` the values of
    `$acc` are ignored, and the accumulators start at zero.

    Constraints:
    - (C1) there are 4 to 128 accumulators, a multiple of 4.
    - (C2) `$element` is f16, bf16, f8E4M3FN, f8E5M2, or f32, of which the instruction
      ignores the low 13 bits (tf32); `transposed` requires f16 or bf16.

    Example: see test/Conversion/TileToNVGPU/matmul-warpgroup-registers.mlir.
  }];
  let arguments = (ins Variadic<F32>:$acc, I32:$lhs0, I32:$lhs1, I32:$lhs2,
                       I32:$lhs3, I64:$rhs, TypeAttr:$element,
                       UnitAttr:$transposed, UnitAttr:$from_zero);
  let results = (outs Variadic<F32>:$results);
  let assemblyFormat = [{
    `[` $lhs0 `,` $lhs1 `,` $lhs2 `,` $lhs3 `]` `,` $rhs `,` `[` $acc `]`
    (`transposed` $transposed^)? (`from_zero` $from_zero^)? `of` $element attr-dict `:` type($acc)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool hasHalves() { return getElement().isF16() || getElement().isBF16(); }
    /// Returns the element type's name in PTX.
    llvm::StringRef getElementName();
    int64_t getColumns() { return 2 * static_cast<int64_t>(getAcc().size()); }
    int64_t getK() { return getElement().isF32() ? 8 : hasHalves() ? 16 : 32; }
  }];
}

} // opDocGroup

#endif // TILE_IR_GPU_MMAOPS
