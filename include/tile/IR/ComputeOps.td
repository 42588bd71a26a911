// Compute: operations on tiles that the arith and math dialects do not have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_COMPUTEOPS
#define TILE_IR_COMPUTEOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ComputeGroup : OpDocGroup {
  let summary = "Compute";
  let description = [{
    Elementwise arithmetic is that of `arith` and `math`, which take tiles as
    they are; this group has the rest.

    Cases that upstream leaves undefined have one meaning here, on tiles, in the
    regions of `tile.map` and `tile.per_thread`, and on scalars outside of them, on
    the GPU, on the emulator and on the CPU:

    | operation | where | result |
    | --- | --- | --- |
    | `arith.divsi`, `divui`, `floordivsi`, `ceildivsi`, `ceildivui`, `remsi`, `remui` | the divisor is zero | zero |
    | `arith.divsi`, `floordivsi`, `ceildivsi`, `remsi` | the least integer by -1 | the least integer, remainder zero: modulo 2^n, as for `arith.addi` and `arith.muli` |
    | `arith.shli`, `shrui` | the amount, unsigned, is the width or more | zero |
    | `arith.shrsi` | the same | the sign: zero or -1 |
    | `arith.fptosi`, `fptoui`, `tile.cast` | a float that, truncated, is no integer of the type | the nearest one; of NaN zero |

    So nothing happens in the elements of a tile that lie outside of an array,
    where both of a division's operands are often zero. A quotient or a remainder by
    zero that is stored, or decides where something is stored, is a mistake all
    the same: the emulator reports it ([Emulator](../Emulator.md#what-is-checked)).
    Flags of an operation (`overflow<nsw>`, `exact`) are promises of its writer.
  }];
}

let opDocGroup = Tile_ComputeGroup in {

def Tile_CastOp : Tile_Op<"cast", [
    Tile_CostOpInterface,
    Pure, Elementwise]> {
  let summary = "convert every element to another type";
  let description = [{
    Converts between any two element types of tiles that are not complex.
    Floating point to floating point rounds to nearest, ties to even. Floating
    point to integer truncates towards zero; a value out of range becomes the
    nearest integer, NaN zero. An integer that does not fit a narrower one keeps
    its low bits; with `saturate` it becomes the nearest one. To f8 the conversion
    always saturates to the largest finite value. Integers are signed unless
    `unsigned`, but true is one; `index` is a 64-bit integer; a conversion to i1 is
    `x != 0`. NaN stays NaN; which of its codes is not specified. `bitcast` keeps the
    bits instead.

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
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 3; }
  }];
}

def Tile_SelectOp : Tile_Op<"select", [Pure, Elementwise,
    DeclareOpInterfaceMethods<Tile_ElementOpInterface>,
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
  let extraClassDeclaration = [{
    bool takesVectors() { return true; }
  }];
}

def Tile_ComplexOp : Tile_Op<"complex", [Pure, Tile_Composite]> {
  let summary = "arithmetic on complex numbers";
  let description = [{
    Computes each element of the result from the elements of `$inputs` at its
    coordinates. Complex elements are `complex<f32>` or `complex<f64>`; the real
    elements of an operation with both have the type of their parts.

    | kind | inputs | result |
    | --- | --- | --- |
    | `add`, `sub` | complex x, y | x + y, x - y |
    | `mul` | complex x, y | (xr yr - xi yi) + (xr yi + xi yr) i |
    | `div` | complex x, y | x conj(y) over yr^2 + yi^2 |
    | `neg`, `conj` | complex x | -x, xr - xi i |
    | `exp` | complex x | e^xr (cos xi + sin xi i) |
    | `abs` | complex x | the real sqrt(xr^2 + xi^2) |
    | `re`, `im` | complex x | the real xr, xi |
    | `create` | real a, b | a + b i |

    The formulas are computed as they are written, in the type of the parts. `div`
    and `abs` first multiply their operands by a power of two, so that no square
    overflows, nor becomes zero, where the result does not. Where a part is infinite
    `mul` and `div` are NaN. Composite: a `tile.map`. A constant is made by
    `tile.fill` of a `complex.constant`.

    Cost: that of the formula.

    Constraints:
    - (C1) as many inputs as the kind has.
    - (C2) inputs and result have one shape.
    - (C3) the inputs' element types, and the result's, are those of the kind, of
      one type of parts.

    Examples:

    ```mlir
    %p = tile.complex mul %x, %y : !tile.tile<8xcomplex<f32>>, !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
    %r = tile.complex abs %p : !tile.tile<8xcomplex<f32>> to !tile.tile<8xf32>
    ```
  }];
  let arguments = (ins Tile_ComplexKindAttr:$kind, Variadic<Tile_Tile>:$inputs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `` $kind $inputs attr-dict `:` qualified(type($inputs))
    `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_UnpackOp : Tile_Op<"unpack", [Pure, Tile_Composite]> {
  let summary = "integers of less than a byte from the words that they are packed in";
  let description = [{
    The words of `$source` hold packed integers of `bits` bits each, along `axis`,
    the lowest bits first: element i of the result along `axis` is bits
    `(i mod n) * bits` and up of word `i / n`, where n is the count of integers in
    a word. They are signed, unless `unsigned`. For example, weights of four bits
    are an array of i8 of half as many columns. Composite: shifts of a repeated
    tile.

    Cost: three operations an element, and one change of layout.

    Constraints:
    - (C1) `axis` is a dimension of the source.
    - (C2) 1, 2 or 4 bits; words of i8, i16, i32 or i64.
    - (C3) the result has element type i8 and the source's extents, except along
      `axis`, where it has one element for each packed integer.

    Example: `%w = tile.unpack %packed axis 1 bits 4 : !tile.tile<64x32xi8> to !tile.tile<64x64xi8>`
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$axis, I64Attr:$bits,
                       UnitAttr:$unsigned_integer);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `axis` $axis `bits` $bits (`unsigned` $unsigned_integer^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_MapOp : Tile_Op<"map", [
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_ElementOpInterface>,
    Tile_Composite,
    Elementwise, SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "compute each element by a region";
  let description = [{
    The region is run once for each element position: its arguments are the elements
    of `$inputs` at this position, and it yields the elements of the results.
    Between its arguments and `tile.yield` it may have the operations of `arith`
    and `math` that tiles take, on scalars, of `complex` `add`, `sub`, `mul`, `div`,
    `abs`, `re`, `im`, `create` and `constant`, `scf.if`, `scf.for` and others
    without side effects that a path lowers, and may use scalars of the program. The
    order in which elements are computed is not specified.

    An input that has fewer elements is repeated, as by `tile.broadcast`: a row of
    64 or 1x64 serves each row of 32x64, a column of 32x1 each column, and a tile
    of rank 0 every position. In that form it is composite: a `tile.map` of
    broadcasts.

    Cost: that of the region, once for each element that a thread holds. It is
    not packed: arithmetic on tiles of f16 and bf16 is, two elements an
    instruction.

    Constraints:
    - (C1) at least one input.
    - (C2) the results have one shape, or the inputs where there are none; each
      extent of an input is one, or that of the shape's last dimensions.
    - (C3) the region's arguments are of the inputs' element types, and it
      yields an element of each result's.
    - (C4) the region has no operation on tiles, and none with a side effect.

    Examples:

    ```mlir
    %u = tile.map %t, %i : !tile.tile<6x18xf32>, !tile.tile<6x18xi32> to !tile.tile<6x18xf32> {
    ^bb0(%x: f32, %n: i32):
      %y = math.fpowi %x, %n : f32, i32
      tile.yield %y : f32
    }
    %p = tile.map %t, %row, %column : !tile.tile<6x18xf32>, !tile.tile<18xf32>, !tile.tile<6x1xf32> to !tile.tile<6x18xf32> {
    ^bb0(%x: f32, %a: f32, %b: f32):
      %y = math.fma %x, %a, %b : f32
      tile.yield %y : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs attr-dict `:` qualified(type($inputs))
    `to` qualified(type($results)) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the shape of the results, or of the inputs if there are none.
    ::llvm::ArrayRef<int64_t> getShape();
    int64_t getRegionRuns(int64_t elements) { return elements; }
  }];
}

/// An operation by kind or by region.
class Tile_CombiningOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [Tile_CombiningOpInterface,
          SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let regions = (region VariadicRegion<SizedRegion<1>>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_ReduceOp : Tile_CombiningOp<"reduce", [
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "simplifyForLayouts", "getLayoutGroups", "followsSource",
        "inferResultLayout", "adaptToLayouts"]>]> {
  let summary = "combine the elements along one axis or all";
  let description = [{
    Combines the elements of `$sources` along `axis`, which the results drop, or
    all of them, in row-major order, into tiles of rank 0. With `keep` the
    results have extent one instead. The tree of combinations is fixed by the
    tiles' layout: the bits are the same from run to run.

    By kind, of one tile: `add` and `mul` of f16, bf16 and f8 are those of f32,
    rounded once at the end. Floating-point `min` and `max` return NaN when an
    element is NaN, as `arith.minimumf` does; `min` and `max` of integers are
    signed, `umin` and `umax` unsigned; `and`, `or` and `xor` are of the bits, of
    i1 "all", "any" and "parity". The GPU path has no `min` and `max` of f8.

    By region, of n tiles: its arguments are n elements, or earlier combinations
    of n elements, and the n of those that come after them; it yields n. It is
    associative, and `identity` has a value for each tile that changes nothing on
    either side. `commutative` promises that the region is commutative, and saves
    the exchange that brings elements into order. Its arithmetic is as written:
    sums of f16 in f16.

    Cost: in registers within a thread, by shuffles within a warp, and through
    shared memory once where warps must meet.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the sources.
    - (C2) a result for each source; its shape is the source's without `axis`, or
      with extent one with `keep`, or rank 0; same element type.
    - (C3) the kind has a meaning for the element type: no order for complex
      elements, `umin`, `umax`, `and`, `or` and `xor` for integers only.
    - (C4) a kind and one source, or a region and `identity` and sources of one
      shape.
    - (C5) the region's arguments are twice the sources' element types, it
      yields them once, `identity` has a value of each.
    - (C6) the region has no operation on tiles, and none with a side effect.

    Examples:

    ```mlir
    %s = tile.reduce add %t axis 1 : !tile.tile<10x256xf32> to !tile.tile<10xf32>
    %p, %n = tile.reduce %t, %u identity [1.0 : f32, 0 : i32] axis 0 commutative
        : !tile.tile<9x5xf32>, !tile.tile<9x5xi32> to !tile.tile<5xf32>, !tile.tile<5xi32> {
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      %c = arith.mulf %a, %b : f32
      %k = arith.addi %i, %j : i32
      tile.yield %c, %k : f32, i32
    }
    ```
  }];
  let arguments = (ins OptionalAttr<Tile_ReduceKindAttr>:$kind,
                       Variadic<Tile_Tile>:$sources,
                       OptionalAttr<ArrayAttr>:$identities,
                       OptionalAttr<I64Attr>:$axis, UnitAttr:$keep,
                       UnitAttr:$commutative);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    custom<Combination>($kind, $sources) (`identity` $identities^)?
    (`axis` $axis^)? (`keep` $keep^)? (`commutative` $commutative^)? attr-dict
    `:` custom<Reduction>(type($sources), type($results), $body)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::tile::ReduceKind":$kind,
                   "::mlir::Value":$source, "::mlir::IntegerAttr":$axis)>];
  // Version 1 of the dialect had only kinds.
  let useCustomPropertiesEncoding = 1;
  let hasFolder = 1;
}

def Tile_ScanOp : Tile_CombiningOp<"scan", [
    Tile_StorageOpInterface,
    Tile_Promises<Tile_CooperativeOpInterface>,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "simplifyForLayouts", "getLayoutGroups", "followsSource",
        "inferResultLayout", "adaptToLayouts"]>]> {
  let summary = "combine each element with those before it";
  let description = [{
    Element i along `axis` of a result is the combination of the elements 0 to i of
    its source; without `axis`, of the elements before it in row-major order and
    itself. With `exclusive` the element itself is left out, and the first is the
    identity. With `reverse` the elements i to the last are combined instead (and
    the last is the identity); they stay in order. The tree of combinations is
    fixed by the tiles' layout.

    Kinds, regions, `identity` and types are those of `tile.reduce`: `add` and
    `mul` of f16, bf16 and f8 are those of f32, each result rounded once. A
    region need not be commutative.

    Cost: two combinations an element in registers, ten a thread by shuffles,
    and through shared memory once where warps must meet; another time each
    where the elements of a thread are not neighbours along the axis.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the sources.
    - (C2) the results have the sources' types.
    - (C3) to (C6) those of `tile.reduce`.

    Examples:

    ```mlir
    %s = tile.scan add %t axis 1 exclusive : !tile.tile<10x256xi32>
    %m = tile.scan %t identity [0 : i32] axis 0 : !tile.tile<9xi32> {
    ^bb0(%a: i32, %b: i32):
      %zero = arith.constant 0 : i32
      %isSet = arith.cmpi ne, %b, %zero : i32
      %last = arith.select %isSet, %b, %a : i32
      tile.yield %last : i32
    }
    ```
  }];
  let arguments = (ins OptionalAttr<Tile_ReduceKindAttr>:$kind,
                       Variadic<Tile_Tile>:$sources,
                       OptionalAttr<ArrayAttr>:$identities,
                       OptionalAttr<I64Attr>:$axis, UnitAttr:$exclusive,
                       UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    custom<Combination>($kind, $sources) (`identity` $identities^)?
    (`axis` $axis^)? (`exclusive` $exclusive^)? (`reverse` $reverse^)? attr-dict
    `:` custom<Scan>(type($sources), type($results), $body)
  }];
  let extraClassDeclaration = [{
    bool getCommutative() { return false; }
  }];
}

def Tile_ArgReduceOp : Tile_Op<"arg_reduce", [Pure, Tile_Composite]> {
  let summary = "the least or greatest element and where it is";
  let description = [{
    `$value` has the least (`min`, `umin`) or greatest (`max`, `umax`) element
    along `axis`, or of all, as `tile.reduce` finds it, and `$index` its
    coordinate along the axis, without an axis its index in row-major order. If
    several elements are equal, the lowest index is returned; a NaN comes before all
    other values, so the index is that of the first NaN. `keep` is that of
    `tile.reduce`. Composite: a `tile.reduce` of pairs.

    Cost: that of a `tile.reduce` of two tiles.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the source.
    - (C2) value and index have the source's shape without `axis`, or with extent
      one with `keep`, or rank 0; the value has the source's element type.
    - (C3) the kind is `min` or `max`, of integers also `umin` or `umax`; the
      element type is not complex.
    - (C4) the index's element type is i32, i64 or index.

    Example: `%v, %i = tile.arg_reduce max %t axis 1 : !tile.tile<10x256xf32> to !tile.tile<10xf32>, !tile.tile<10xi32>`
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tile:$source,
                       OptionalAttr<I64Attr>:$axis, UnitAttr:$keep);
  let results = (outs Tile_Tile:$value, Tile_Tile:$index);
  let assemblyFormat = [{
    `` $kind $source (`axis` $axis^)? (`keep` $keep^)? attr-dict
    `:` qualified(type($source))
    `to` qualified(type($value)) `,` qualified(type($index))
  }];
  let hasVerifier = 1;
}

def Tile_SortOp : Tile_Op<"sort", [
    Tile_StorageOpInterface,
    Tile_Promises<Tile_LayoutOpInterface>,
    Tile_Promises<Tile_CooperativeOpInterface>,
    Pure]> {
  let summary = "sort along an axis";
  let description = [{
    Sorts the rows of the first source, the keys, along `axis`, in ascending or,
    with `descending`, in descending order. The elements of the other sources, the
    values, move with their keys. The sort is stable: equal keys stay in order.
    Floating-point keys are in numerical order, -0 equal to 0, with all NaN after
    the other values (in descending order before them); integer keys are
    signed unless `unsigned`, as in `arith`: true, the i1 -1, comes before false
    unless `unsigned`.

    Cost: n log2(n) (log2(n) + 1) / 4 comparisons for a row of n elements, n
    rounded up to a power of two, by a bitonic network (Batcher, "Sorting
    Networks and Their Applications", 1968): in registers and by shuffles where a
    warp holds a row, else with two trips through shared memory for each doubling
    beyond what a warp holds. Each tile of values is moved once.

    Constraints:
    - (C1) `axis` is a dimension of the keys, along which they have at most 4096
      elements.
    - (C2) the keys are not complex; `unsigned` is for integers.
    - (C3) the sources, keys and values, have one shape.
    - (C4) the results have the sources' types.

    Example: `%k, %v = tile.sort %keys, %values axis 1 descending : !tile.tile<4x100xf32>, !tile.tile<4x100xi32>`
  }];
  let arguments = (ins Variadic<Tile_Tile>:$sources, I64Attr:$axis,
                       UnitAttr:$descending, UnitAttr:$unsigned_integer);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    $sources `axis` $axis (`descending` $descending^)?
    (`unsigned` $unsigned_integer^)? attr-dict
    `:` custom<Moved>(type($sources), type($results))
  }];
  let hasVerifier = 1;
}

def Tile_TopKOp : Tile_Op<"top_k", [Pure, Tile_Composite]> {
  let summary = "the greatest elements along an axis, and where they are";
  let description = [{
    `$values` are the k greatest elements of `$source` along `axis` or, with
    `least`, the k least ones, where k is the results' extent along `axis`.
    `$indices` are their coordinates along `axis`. Both are in the order of a
    `tile.sort`, which is `descending` unless `least` is given: of equal elements,
    the one with the lowest index comes first. Composite: the first elements of
    this `tile.sort`.

    Cost: that of a `tile.sort` and of a `tile.view`.

    Constraints:
    - (C1) `axis` is a dimension of the source, along which it has at most 4096
      elements.
    - (C2) the source is not complex; `unsigned` is for integers.
    - (C3) the results have the source's extents, except along `axis`, where both
      have extent k, at most the source's; the values have its element type, the
      indices i32, i64 or index.

    Example: `%v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>`
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$axis, UnitAttr:$least,
                       UnitAttr:$unsigned_integer);
  let results = (outs Tile_Tile:$values, Tile_Tile:$indices);
  let assemblyFormat = [{
    $source `axis` $axis (`least` $least^)? (`unsigned` $unsigned_integer^)?
    attr-dict `:` qualified(type($source))
    `to` qualified(type($values)) `,` qualified(type($indices))
  }];
  let hasVerifier = 1;
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure, Tile_Composite]> {
  let summary = "how often each integer occurs";
  let description = [{
    Element b of the result is how many elements of `$source`, of those where
    `$mask` holds, are b. Elements are signed integers; those below zero
    and those beyond the result are not counted. Composite: a `tile.put`.

    Cost: an atomic addition in shared memory for each element.

    Constraints:
    - (C1) the source has at least one dimension, and elements of i8, i16, i32,
      i64 or index.
    - (C2) the result has one dimension, and elements of i32 or i64.
    - (C3) the mask has the source's shape and element type i1.

    Example: `%h = tile.histogram %t : !tile.tile<8x128xi32> to !tile.tile<100xi32>`
  }];
  let arguments = (ins Tile_Tile:$source, Optional<Tile_Tile>:$mask);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source (`mask` $mask^ `:` qualified(type($mask)))? attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_MatmulOp : Tile_Op<"matmul", [
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getOperandPlacement"]>,
    Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface>,
    Tile_Promises<Tile_CooperativeOpInterface>,
    AllTypesMatch<["acc", "result"]>, Tile_MatmulOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "matrix multiplication with accumulator";
  let description = [{
    `result = lhs * rhs + acc`, lhs of MxK, rhs of KxN, acc of MxN; or a batch of B
    such matmuls, lhs of BxMxK, rhs of BxKxN, acc of BxMxN, where an operand of rank
    2 is that of all of them. Multiplications and additions are in the accumulator's
    type, in an order that the compiler chooses; with `ieee` precision f32 operands
    are multiplied as f32, with `tf32` they are rounded to nearest at 10 bits of
    mantissa first (ties to even from sm_90 on, away from zero before). With
    `fast_accumulation` the tensor cores of sm_90a may add terms of f8 with 13 bits
    of fraction below the largest of them and the accumulator, cut off (DeepSeek-V3
    Technical Report, "Increasing Accumulation Precision"): as accurate as cuBLAS's
    f8 with its fast accumulation, and the only way to their full speed. Other
    targets multiply as with `ieee`. Integer sums are modulo 2^32.

    An operand is a tile or, from `-tile-bufferize` on, a buffer in shared
    memory. An operand that elementwise operations compute from loaded tiles can
    stay in registers, in the layout of the fragments of the matmul's instruction,
    which `-tile-assign-layouts` gives it and `-convert-tile-to-nvgpu` expects.

    A batch of one is multiplied as no batch (canonicalization).

    Cost: B*M*N*K multiply-adds, by tensor cores where the instruction table has
    the element types (docs/Instructions.md), by FMA otherwise.

    Constraints:
    - (C1) acc has rank 2 or 3, operands have rank 2 or acc's.
    - (C2) lhs is MxK, rhs KxN, acc MxN, each after the batch if it has one.
    - (C3) lhs and rhs have the same element type.
    - (C4) the accumulator's element type: f32 or f16 for f16, f32 for bf16,
      f8E4M3FN, f8E5M2 and f32, f64 for f64, i32 for i8, itself for i16, i32,
      i64 and complex.
    - (C5) `tf32` requires f32 operands, `fast_accumulation` f8E4M3FN or f8E5M2.
    - (C6) `warps` and `sub` of the tiling have a value for each dimension of
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
  let hasCanonicalizeMethod = 1;
}

} // opDocGroup

#endif // TILE_IR_COMPUTEOPS
