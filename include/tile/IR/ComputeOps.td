// Compute: what the arith and math dialects do not say of tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_COMPUTEOPS
#define TILE_IR_COMPUTEOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ComputeGroup : OpDocGroup {
  let summary = "Compute";
  let description = [{
    Elementwise arithmetic is that of `arith` and `math`, which take tiles as
    they are; here is the rest.
  }];
}

let opDocGroup = Tile_ComputeGroup in {

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "convert every element to another type";
  let description = [{
    Converts between any two element types of tiles that are not complex.
    Floating point to floating point rounds to nearest, ties to even. Floating
    point to integer truncates towards zero; a value out of range is undefined,
    unless `saturate` asks for the nearest one, and for zero of NaN; an integer
    that does not fit a narrower one keeps its low bits, unless `saturate` asks
    likewise. To f8 the conversion always saturates to the largest finite value.
    Integers are signed unless `unsigned`, but true is one; `index` is a 64-bit
    integer; a conversion to i1 is `x != 0`. NaN stays NaN; which of its codes is not specified.
    `bitcast` keeps the bits instead.

    Cost: one or two instructions an element.

    Constraints:
    - (C1) same shape.
    - (C2) neither element type is complex, unless they are equal.
    - (C3) `bitcast` wants element types of the same width, neither index.

    Example: `%u = tile.cast %t : !tile.tile<16x16xf32> to !tile.tile<16x16xf16>`
  }];
  let arguments = (ins Tile_Tile:$source, UnitAttr:$unsigned_integer,
                       UnitAttr:$saturate, UnitAttr:$bitcast);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source (`unsigned` $unsigned_integer^)? (`saturate` $saturate^)?
    (`bitcast` $bitcast^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SelectOp : Tile_Op<"select", [Pure,
    AllTypesMatch<["true_value", "false_value", "result"]>]> {
  let summary = "choose by element";
  let description = [{
    Each element of the result is that of `$true_value` where the condition
    holds, else that of `$false_value`. The condition is a tile of i1, or one
    i1 for all. Cost: one instruction an element.

    Constraints:
    - (C1) a condition tile has the values' shape and element type i1.

    Example: `%r = tile.select %c, %a, %b : !tile.tile<8xi1>, !tile.tile<8xf32>`
  }];
  let arguments = (ins AnyTypeOf<[I1, Tile_Tile]>:$condition,
                       Tile_Tile:$true_value, Tile_Tile:$false_value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $condition `,` $true_value `,` $false_value attr-dict
    `:` qualified(type($condition)) `,` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "combine the elements along one axis or all";
  let description = [{
    Combines the elements of `$source` along `axis`, which the result drops, or
    all of them into a tile of rank 0. The tree of combinations is fixed by the
    tile's layout: the bits are the same from run to run. `add` and `mul` of
    f16, bf16 and f8 are those of f32, rounded once at the end. Floating-point `min`
    and `max` return NaN when an element is NaN, as `arith.minimumf` does;
    `min` and `max` of integers are signed, `umin` and `umax` unsigned.

    Cost: in registers within a thread, by shuffles within a warp, and through
    shared memory once where warps must meet.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the source.
    - (C2) the result's shape is the source's without `axis`, or rank 0; same
      element type.
    - (C3) the element type is not complex for an order, and not floating point
      for `umin` and `umax`.

    Example: `%s = tile.reduce add %t axis 1 : !tile.tile<10x256xf32> to !tile.tile<10xf32>`
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tile:$source,
                       OptionalAttr<I64Attr>:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `` $kind $source (`axis` $axis^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_MatmulOp : Tile_Op<"matmul", [
    AllTypesMatch<["acc", "result"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "matrix product with accumulator";
  let description = [{
    `result = lhs * rhs + acc`, lhs of MxK, rhs of KxN, acc of MxN; or a batch
    of B such products, lhs of BxMxK, rhs of BxKxN, acc of BxMxN, where an
    operand of rank 2 is that of all of them. Products and sums are in the accumulator's type, in an order that the compiler
    chooses; with `ieee` precision f32 operands are multiplied as f32, with
    `tf32` they are rounded to nearest at 10 bits of mantissa first (ties to even
    from sm_90 on, away from zero before). Integer sums are
    modulo 2^32.

    An operand is a tile or, from `-tile-bufferize` on, a buffer in shared
    memory. One that elementwise operations compute of loaded tiles can stay in
    registers, in the layout of the fragments of the product's instruction, which
    `-tile-assign-layouts` gives it and `-convert-tile-to-nvgpu` expects.

    Cost: B*M*N*K multiply-adds, by tensor cores where the instruction table has
    the element types (docs/Instructions.md), by FMA otherwise.

    Constraints:
    - (C1) acc has rank 2 or 3, operands have rank 2 or acc's.
    - (C2) lhs is MxK, rhs KxN, acc MxN, each behind the batch if it has one.
    - (C3) lhs and rhs have the same element type.
    - (C4) the accumulator's element type: f32 or f16 for f16, f32 for bf16,
      f8E4M3FN, f8E5M2 and f32, f64 for f64, i32 for i8, itself for i16, i32,
      i64 and complex.
    - (C5) `tf32` wants f32 operands.
    - (C6) `warps` and `sub` of the tiling have a number for each dimension of
      acc.

    Example: `%d = tile.matmul %a, %b, %c : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>`
  }];
  let arguments = (ins
    Tile_Operand:$lhs, Tile_Operand:$rhs, Tile_Tile:$acc,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tile::Precision::ieee">:$precision,
    OptionalAttr<Tile_TilingAttr>:$tiling);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`precision` `` $precision^)? (`tiling` $tiling^)?
    attr-dict
    `:` qualified(type($lhs)) `,` qualified(type($rhs))
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The extent that is summed over.
    int64_t getK();
  }];
}

} // opDocGroup

#endif // TILE_IR_COMPUTEOPS
