// Matmuls in flight: asynchronous MMA instructions and waits for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PRODUCTOPS
#define TILE_IR_PRODUCTOPS

include "tile/IR/TileOpBase.td"

def Tile_MatmulGroup : OpDocGroup {
  let summary = "Matmuls in flight";
  let description = [{
    A matmul by the instruction of a warpgroup runs while its threads do
    something else, until they wait for it. `-tile-issue-matmuls` makes these
    operations from `tile.matmul`.
  }];
}

let opDocGroup = Tile_MatmulGroup in {

def Tile_MmaAsyncOp : Tile_Op<"mma_async", [
    AllTypesMatch<["acc", "result"]>, Tile_MatmulOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "issue an asynchronous matmul";
  let description = [{
    Issues `result = lhs * rhs + acc`, as `tile.matmul` defines it. Until a wait
    for the MMA of `$token` has ended, its operands in shared memory and in
    registers are read at any time, by the asynchronous proxy, and its
    accumulators written (PTX ISA, "Asynchronous warpgroup level matrix
    instructions"). MMAs end in the order in which they are issued.

    `$result` may be the accumulator of another `tile.mma_async`, be carried by a
    loop or a branch, and be given to `tile.mma_wait`; it is read only through the
    result of this wait. `$acc` may be in flight, too.

    Writes of threads or their copies to the buffers must be before a proxy fence
    (`nvvm.fence.proxy`) that is before the MMA.

    Constraints:
    - (C1) to (C5) those of `tile.matmul`.
    - (C6) the tiling is complete, and its instruction that of a warpgroup.
    - (C7) rhs is in shared memory, lhs there or in registers with a layout.

    The instruction, that descriptors can name the buffers, and the layout of an
    lhs in registers are verified by `-convert-tile-to-nvgpu`. Such an lhs is of
    16-bit elements, or of f32. With `tf32` precision both operands are rounded
    already: further bits of the mantissa are cut off.

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

def Tile_MmaWaitOp : Tile_Op<"mma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for asynchronous matmuls";
  let description = [{
    Waits until all MMAs that the threads of the warpgroup have issued, except the
    newest `in_flight` ones, have ended, that of `$token` among them. Its operands
    may be written then, after a barrier by other threads, too. The results are
    the operands `values` after their MMAs have ended: accumulators, which may
    be read now, and register operands that must not be overwritten before the
    MMA has read them.

    `-tile-verify-synchronization` proves that the MMA of `$token`, and those of the
    values, are among those that have ended.

    Constraints:
    - (C1) `in_flight` is not negative, and at most 63.
    - (C2) a result for each value, of its type; the values are in registers.

    Examples: `tile.mma_wait %token in_flight 1`; see
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

def Tile_MmaNoneOp : Tile_Op<"mma_none", [Pure]> {
  let summary = "the token of no matmul";
  let description = [{
    A token for the first iteration of a loop that waits for the MMA of the
    iteration before: nothing is in flight.

    Example: `%token = tile.mma_none`
  }];
  let results = (outs Tile_MmaToken:$token);
  let assemblyFormat = "attr-dict";
}

def Tile_WarpgroupMmaOp : Tile_Op<"warpgroup_mma", [
    TypesMatchWith<"a result for each accumulator", "acc", "results", "$_self",
                   "std::equal_to<>()">,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one instruction of a warpgroup with lhs in registers";
  let description = [{
    `wgmma.mma_async` of the form whose lhs is in registers (PTX ISA,
    "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async"), which
    `nvvm.wgmma.mma_async` lacks: 64 rows, K of 32 bytes, as many columns as
    there are accumulators, two for each. `-convert-tile-to-nvgpu` makes it from
    `tile.mma_async`; it becomes inline assembly when PTX is written, so that
    the emulator sees the operation itself.

    A lane's registers of lhs are those of "Register Fragments for
    wgmma.mma_async.m64nNk16", of "... m64nNk32" for elements of 8 bits, or of
    "... m64nNk8" for f32; rhs is a matrix descriptor. K is contiguous in rhs, or N
    with `transposed`. With `from_zero` the accumulators start at zero, whatever is
    given for them.

    Constraints:
    - (C1) 4 to 128 accumulators, a multiple of 4.
    - (C2) elements of f16, bf16, f8E4M3FN, f8E5M2, or f32, of which the 13 low
      bits are cut off (tf32); `transposed` with 16 bits only.

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
    /// The type of the elements as PTX names it.
    llvm::StringRef getElementName();
    int64_t getColumns() { return 2 * static_cast<int64_t>(getAcc().size()); }
    int64_t getK() { return getElement().isF32() ? 8 : hasHalves() ? 16 : 32; }
  }];
}

} // opDocGroup

#endif // TILE_IR_PRODUCTOPS
