// Compute: operations on tiles that the arith and math dialects do not have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_COMPUTEOPS
#define TILE_IR_COMPUTEOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ComputeGroup : OpDocGroup {
  let summary = "Compute";
  let description = [{
    The operations of `arith` and `math` apply to tiles elementwise. This group has
    the other computations.

    In the following cases, upstream leaves the result of an operation undefined. Here
    the result is defined, and the same on the GPU, on the emulator and on the CPU:
    for tiles, in the regions of `tile.map` and `tile.per_thread`, and for scalars.

    | operation | case | result |
    | --- | --- | --- |
    | `arith.divsi`, `divui`, `floordivsi`, `ceildivsi`, `ceildivui`, `remsi`, `remui` | the divisor is zero | zero |
    | `arith.divsi`, `floordivsi`, `ceildivsi`, `remsi` | the least integer is divided by -1 | modulo 2^n, as for `arith.addi` and `arith.muli`: the least integer, with remainder zero |
    | `arith.shli`, `shrui` | the amount, as an unsigned integer, is at least the width | zero |
    | `arith.shrsi` | the amount, as an unsigned integer, is at least the width | zero or -1, by the sign |
    | `arith.fptosi`, `fptoui`, `tile.cast` | the truncated float is not an integer of the type | the nearest integer of the type; zero for NaN |

    Therefore elements of a tile that lie outside of an array, for which both operands
    of a division are often zero, cause no error. It is still a mistake if the result
    of a division by zero is stored, or affects what or where a program stores: the
    emulator reports it ([Emulator](../Emulator.md#what-is-checked)). Flags of an
    operation (`overflow<nsw>`, `exact`) are promises of the program's author.
  }];
}

let opDocGroup = Tile_ComputeGroup in {

def Tile_CastOp : Tile_Op<"cast", [
    Tile_CostOpInterface,
    Pure, Elementwise]> {
  let summary = "convert every element to another type";
  let description = [{
    Converts each element between any two element types that are not complex.

    - A float becomes a float by rounding to nearest, ties to even. A value beyond the
      largest finite f8 becomes the largest finite f8. NaN stays NaN; which NaN is not
      specified.
    - A float becomes an integer by truncation towards zero. A value out of range
      becomes the nearest integer of the type, and NaN becomes zero.
    - An integer that a narrower integer type cannot represent keeps its low bits, or
      with `saturate` becomes the nearest integer of the type.
    - Integers are signed, or unsigned with `unsigned`; an i1 that is true becomes one
      in any case. `index` is a 64-bit integer. A conversion to i1 is `x != 0`.

    With `bitcast` the bits are kept instead.

    Cost: one or two instructions for each element.

    Constraints:
    - (C1) source and result have the same shape.
    - (C2) neither element type is complex, unless the two are equal.
    - (C3) with `bitcast`, the element types have the same width and are not index,
      unless they are equal.

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
  let summary = "choose each element from one of two tiles";
  let description = [{
    Each element of the result is the element of `$true_value` if the condition is
    true, and that of `$false_value` otherwise. The condition is a tile of i1, or one
    i1 for all elements.

    Cost: one instruction for each element.

    Constraints:
    - (C1) a condition that is a tile has the result's shape and element type i1.

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
    Computes each element of the result from the elements of `$inputs` with the same
    coordinates. Complex elements are complex<f32> or complex<f64>. If an operation
    also has real elements, these are f32 or f64, the type of the real part of its
    complex elements.

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

    The formulas are computed as written, in f32 for complex<f32> and in f64 for
    complex<f64>. `div` and `abs` first multiply their operands by a power of two, so
    that a square overflows or becomes zero only if the result does. If the real or
    imaginary part of an operand is infinite, a part of the result of `mul` or `div`
    may be NaN. The operation is composite: a `tile.map`. A `tile.fill` of a
    `complex.constant` creates a constant tile.

    Cost: that of the formula.

    Constraints:
    - (C1) there are as many inputs as the table has for the kind.
    - (C2) inputs and result have the same shape.
    - (C3) the element types of inputs and result are complex or real as the table has
      it for the kind, all with parts of f32, or all with parts of f64.

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
    Each element of `$source` is a word with n packed integers of `bits` bits. Element
    i of the result along `axis` is the integer that starts at bit `(i mod n) * bits` of
    word `i / n` along `axis`, where bit 0 is the lowest bit. The integers are signed,
    or unsigned with `unsigned`. For example, weights of four bits are an array of i8
    with half as many columns. The operation is composite: shifts of a repeated tile.

    Cost: three operations for each element, and one layout conversion.

    Constraints:
    - (C1) `axis` is a dimension of the source.
    - (C2) `bits` is 1, 2 or 4; the source has elements of i8, i16, i32 or i64.
    - (C3) the result has element type i8 and the source's extents, except along
      `axis`, where its extent is n times the source's.

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
    Runs the region once for each coordinate of the results. The region's arguments
    are the elements of `$inputs` with this coordinate, and it yields the elements of
    the results. It may use scalars of the program, and contain the scalar forms of
    the `arith` and `math` operations that apply to tiles, the operations `add`,
    `sub`, `mul`, `div`, `abs`, `re`, `im`, `create` and `constant` of `complex`,
    `scf.if`, `scf.for`, and other operations without side effects that the phases can
    lower. The order in which elements are computed is not specified.

    An input with an extent of one, or with fewer dimensions, is repeated as by
    `tile.broadcast`: for results of 32x64, a tile of 64 or 1x64 is used for each row,
    a tile of 32x1 for each column, and a tile of rank 0 for each element. In this
    form the operation is composite: a `tile.map` of broadcasts.

    Cost: that of the region for each element that a thread holds. On f16 and bf16,
    `arith` operations on tiles compute two elements with one instruction; a region
    computes one.

    Constraints:
    - (C1) there is at least one input.
    - (C2) all results have one shape, which without results is that of the first
      input. Along each of its dimensions, an input has the extent of the
      corresponding one of the shape's last dimensions, or one.
    - (C3) the region's arguments have the inputs' element types, and it yields one
      element of each result's element type.
    - (C4) the region has no operation on tiles or with a side effect; calls are
      inlined.

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

/// An operation that combines elements by a kind or by a region.
class Tile_CombiningOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [Tile_CombiningOpInterface,
          SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let regions = (region VariadicRegion<SizedRegion<1>>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_ReduceOp : Tile_CombiningOp<"reduce", [
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "simplifyForLayouts", "getLayoutGroups", "followsSource",
        "inferResultLayout", "adaptToLayouts"]>]> {
  let summary = "combine the elements along one axis or all";
  let description = [{
    Combines the elements of `$sources` along `axis`, a dimension that the results
    lack, or without `axis` all elements in row-major order, to tiles of rank 0. With
    `keep` the results have extent one in each reduced dimension instead. The tiles'
    layout fixes the tree of combinations, so that the result has the same bits in
    each run.

    A kind combines the elements of one tile. `add` and `mul` of f16, bf16 and f8 are
    computed in f32, and the result is rounded once. `min` and `max` of floats return
    NaN if an element is NaN, as `arith.minimumf` does; those of integers are signed,
    and `umin` and `umax` unsigned. `and`, `or` and `xor` combine bits; for i1 they
    mean "all", "any" and "parity". The GPU path does not support `min` and `max` of
    f8.

    A region combines tuples, each with one element of each of n tiles. Its first n
    arguments are a tuple, its last n arguments a later tuple in the order of
    elements, and it yields the combined tuple; each argument may itself be a
    combination. The region must be associative. `identity` has an identity element
    for each tile: combined with it on either side, an element does not change.
    `commutative` promises that the region is commutative, and saves the exchange that
    brings elements into order. Types are those of the region: it adds f16 in f16.

    Cost: combinations in registers for a thread's elements, shuffles for those of a
    warp, and one trip through shared memory if several warps hold elements along the
    axis.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the sources.
    - (C2) there is one result for each source, with its element type. Its shape is
      the source's without `axis`, or rank 0 without an axis; with `keep`, the source's
      with extent one along `axis`, or along all dimensions without an axis.
    - (C3) the kind is defined for the element type: `min` and `max` not for complex
      elements, `umin`, `umax`, `and`, `or` and `xor` for integers only.
    - (C4) there is either a kind and one source, or a region, `identity`, and at least
      one source; all sources have the same shape.
    - (C5) the region's arguments have the element types of all sources, twice; it
      yields one element of each type; `identity` has a value of each type.
    - (C6) the region has no operation on tiles or with a side effect; calls are
      inlined.

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
    Element i of a result along `axis` is the combination of the source's elements 0
    to i along `axis`. Without `axis`, elements are counted in row-major order. With
    `exclusive`, element i itself is left out, so that element 0 of the result is the
    identity. With `reverse`, the elements from i to the last are combined instead, in
    the same order; then with `exclusive` the last element is the identity. The tiles'
    layout fixes the tree of combinations.

    Kinds, regions, `identity` and types are those of `tile.reduce`: `add` and `mul` of
    f16, bf16 and f8 are computed in f32, and each result is rounded once. A region
    need not be commutative.

    Cost: two combinations for each element, ten shuffled ones for each chunk of
    adjacent elements of a thread, and one trip through shared memory if several warps
    hold elements along the axis. A source whose elements are not in order along the
    axis, in at most four chunks of a thread, costs two more trips.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the sources.
    - (C2) the results have the sources' types.
    - (C3) to (C6) are those of `tile.reduce`.

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
  let summary = "the least or greatest element and its index";
  let description = [{
    `$value` is the least (`min`, `umin`) or greatest (`max`, `umax`) element along
    `axis`, or without `axis` of all elements, as `tile.reduce` computes it. `$index`
    is the coordinate of this element along `axis`, or without `axis` its row-major
    index. If several elements are equal, the one with the lowest index is chosen. If
    there are NaNs, it is the first NaN. `keep` is that of `tile.reduce`. The operation
    is composite: a `tile.reduce` of pairs of element and index.

    Cost: that of a `tile.reduce` of two tiles.

    Constraints:
    - (C1) `axis`, if given, is a dimension of the source.
    - (C2) `$value` and `$index` have the shape that (C2) of `tile.reduce` requires;
      `$value` has the source's element type.
    - (C3) the kind is `min` or `max`, or for integers also `umin` or `umax`; the
      element type is not complex.
    - (C4) the element type of `$index` is i32, i64 or index.

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
    Sorts the first source, the keys, along `axis`: each row of elements along this
    axis by itself, in ascending order, or in descending order with `descending`. The
    elements of the other sources, the values, move with their keys. The sort is
    stable: equal keys keep their order. Floating-point keys are in numerical order,
    with -0 equal to 0 and NaN greater than all other values. Integer keys are signed,
    or unsigned with `unsigned`. For i1, true is the signed integer -1, so that it is
    less than false unless `unsigned` is given.

    Cost: n log2(n) (log2(n) + 1) / 4 comparisons for a row of n elements, where n is
    rounded up to a power of two, by a bitonic network (Batcher, "Sorting Networks and
    Their Applications", 1968). If one warp can hold a row, comparisons are in registers
    and by shuffles; each doubling of the row beyond that costs two trips through shared
    memory. Each tile of values is moved once.

    Constraints:
    - (C1) `axis` is a dimension of the keys, and their extent along it is at most
      4096.
    - (C2) the keys are not complex; with `unsigned` they are integers.
    - (C3) all sources have the same shape.
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
  let summary = "the greatest elements along an axis and their indices";
  let description = [{
    `$values` are the k greatest elements of `$source` along `axis` or, with `least`,
    the k least ones, where k is the results' extent along `axis`. `$indices` are the
    coordinates of these elements along `axis`. Both are in the order of a
    `tile.sort`, which is `descending` unless `least` is given: of equal elements, the
    one with the lowest index comes first. The operation is composite: this
    `tile.sort`, and a `tile.view` of its first elements.

    Cost: that of the `tile.sort` and the `tile.view`.

    Constraints:
    - (C1) `axis` is a dimension of the source, and its extent along it is at most
      4096.
    - (C2) the source is not complex; with `unsigned` it has integers.
    - (C3) the results have the source's extents, except along `axis`, where both have
      the same extent k, at most the source's. `$values` has the source's element
      type, and `$indices` has i32, i64 or index.

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
    Element b of the result is the number of elements of `$source` that are equal to b
    and for which `$mask`, if given, is true. Elements are signed integers; those that
    are negative, or not less than the result's extent, are not counted. The operation
    is composite: a `tile.put`.

    Cost: an atomic addition in shared memory for each element.

    Constraints:
    - (C1) the source has at least one dimension, and elements of i8, i16, i32, i64 or
      index.
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
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getOperandPlacement"]>,
    Tile_Promises<Tile_LayoutOpInterface>, Tile_Promises<Tile_CostOpInterface>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface>,
    Tile_Promises<Tile_CooperativeOpInterface>,
    AllTypesMatch<["acc", "result"]>, Tile_MatmulOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "matrix multiplication with accumulator";
  let description = [{
    Computes `result = lhs * rhs + acc` for an lhs of MxK, an rhs of KxN and an acc of
    MxN, or B such matmuls for an lhs of BxMxK, an rhs of BxKxN and an acc of BxMxN. An
    lhs or rhs of rank 2 is used for all matmuls of a batch. Terms are computed and
    added in the accumulator's element type, in an order that the compiler chooses.
    Integers are added modulo 2^n, for an accumulator of n bits.

    The precision `ieee` multiplies f32 operands as f32. `tf32` first rounds them to
    the nearest value with 10 bits of mantissa (ties to even from sm_90 on, away from
    zero on older architectures). With `fast_accumulation`, the tensor cores of sm_90a
    may truncate the terms of f8 that they add, to 13 bits of fraction relative to the
    largest of the terms and the accumulator (DeepSeek-V3 Technical Report,
    "Increasing Accumulation Precision"). The result is as accurate as that of
    cuBLAS's f8 with fast accumulation; without `fast_accumulation`, f8 does not reach
    the full speed of the tensor cores. Other architectures treat it as `ieee`.

    An operand is a tile or, from `-tile-bufferize` on, a buffer in shared memory. An
    operand that elementwise operations compute from loaded tiles can be in registers.
    It then has the layout of the fragments of the matmul's instruction, which
    `-tile-assign-layouts` chooses and `-convert-tile-to-nvgpu` requires.
    Canonicalization removes a batch of one.

    Cost: B*M*N*K multiply-adds, by tensor cores if the instruction table has the
    element types (docs/Instructions.md), and by FMA otherwise.

    Constraints:
    - (C1) acc has rank 2 or 3; lhs and rhs have rank 2 or that of acc.
    - (C2) the last two extents are MxK for lhs, KxN for rhs and MxN for acc; an lhs or
      rhs of rank 3 has the batch B of acc.
    - (C3) lhs and rhs have the same element type.
    - (C4) the accumulator's element type is f32 or f16 for operands of f16; f32 for
      bf16, f8E4M3FN, f8E5M2 and f32; f64 for f64; i32 for i8; that of the operands for
      i16, i32, i64 and complex ones.
    - (C5) `tf32` requires operands of f32, `fast_accumulation` operands of f8E4M3FN
      or f8E5M2.
    - (C6) `warps` and `sub` of the tiling have one value for each dimension of acc; its
      `atom`, if it is an instruction, has the element types of the matmul, and requires
      no other precision.

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
