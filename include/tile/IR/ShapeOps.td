// Shape: parts and rearrangements of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SHAPEOPS
#define TILE_IR_SHAPEOPS

include "tile/IR/TileOpBase.td"

def Tile_ShapeGroup : OpDocGroup {
  let summary = "Shape";
  let description = "Parts and rearrangements of a tile. None computes anything.";
}

let opDocGroup = Tile_ShapeGroup in {

def Tile_ViewOp : Tile_Op<"view", [
    Tile_Composite,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, [
        "getOperandPlacement", "getResultPlacement"]>,
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "followsSource", "inferResultLayout", "inferSourceLayout",
        "getSourceParts", "adaptToLayouts"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, [
        "keepsStorage", "getSharedLayout", "addDemand", "bufferize"]>,
    DeclareOpInterfaceMethods<Tile_BoundsOpInterface>,
    Pure]> {
  let summary = "box of a tile";
  let description = [{
    The box of `$source` that starts at `$offsets` and has the result's shape:
    the element at index i along a dimension is that at `offset + i * step` of
    the source. Steps are one where `steps` is absent; a negative one reverses
    the dimension. The result's dimensions are the source's last ones; the box
    has extent one along the source's others. Offsets are run-time values. A box
    that reaches outside the source is undefined behaviour.
    With steps, or of another rank than the source's, it is composite: a view
    without, a `tile.take` for each dimension of another step, a `tile.reshape`.

    Cost: none when the source is in shared memory, where the box is an alias, or
    when the box, at constant offsets, is some of the values that each thread has;
    one trip through shared memory otherwise, another one for each dimension of
    another step.

    Constraints:
    - (C1) one offset for each dimension of the source.
    - (C2) the result's rank is at most the source's; same element type.
    - (C3) the box has room in the source, and at constant offsets lies inside it.
    - (C4) one step for each dimension of the source, none zero.

    Examples:

    ```mlir
    %v = tile.view %t[%i, %j] : !tile.tile<64x64xf32> to !tile.tile<16x32xf32>
    %r = tile.view %t[%i, %last] steps [1, -2] : !tile.tile<64x64xf32> to !tile.tile<32xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$offsets,
                       OptionalAttr<DenseI64ArrayAttr>:$steps);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`steps` $steps^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source,
                   "::mlir::ValueRange":$offsets)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
    /// The offsets; none where one is known at run time only.
    ::std::optional<::llvm::SmallVector<int64_t>> getConstantOffsets();
  }];
}

def Tile_ExtractOp : Tile_Op<"extract", [
    Tile_Composite,
    Tile_StorageOpInterface, Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_BoundsOpInterface>,
    Pure,
    TypesMatchWith<"result has the tile's element type", "source", "result",
      "::llvm::cast<::tile::TileType>($_self).getElementType()">]> {
  let summary = "an element of a tile as a scalar";
  let description = [{
    The element of `$source` at `$indices`, which are run-time values: a scalar
    that is the same in all threads, so it may be a loop's bound, a condition or
    an offset. Indices outside the source are undefined behaviour (an error on the
    CPU path and the emulator).
    If the rank of the tile is not 0 it is composite: the element of a `tile.view`.

    Cost: none of a tile of rank 0; else that of a `tile.view`.

    Constraints:
    - (C1) one index for each dimension of the source.
    - (C2) a constant index lies inside the source.

    Example: `%x = tile.extract %t[%i, %j] : !tile.tile<64x64xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$indices);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def Tile_InsertOp : Tile_Op<"insert", [
    Tile_Composite,
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["adaptToLayouts"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, [
        "getSharedLayout", "addDemand", "bufferize"]>,
    DeclareOpInterfaceMethods<Tile_BoundsOpInterface>,
    Pure,
    AllTypesMatch<["dest", "result"]>]> {
  let summary = "a tile with a box of it replaced";
  let description = [{
    `$dest` with the box that starts at `$offsets`, of `$part`'s shape, replaced
    by `$part`. Offsets are run-time values; those that take the box outside
    `$dest` are undefined behaviour. A part that is a scalar is one element; the
    operation is composite then: a `tile.insert` of a `tile.fill` of extents one.

    Cost: none at constant offsets where each thread has an element of the part for
    each element that it has of the box; else one trip through shared memory.

    Constraints:
    - (C1) one offset for each dimension of the tile.
    - (C2) part and tile have the same element type, and the same rank unless the
      part is a scalar.
    - (C3) no extent of the part exceeds the tile's, and a box at constant
      offsets lies inside the tile.

    Examples:

    ```mlir
    %r = tile.insert %p into %t[%i, %j] : !tile.tile<4x1xf32> into !tile.tile<64x64xf32>
    %s = tile.insert %x into %t[%i, %j] : f32 into !tile.tile<64x64xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_Tile, Tile_Scalar]>:$part,
                       Tile_Tile:$dest,
                       Variadic<Index>:$offsets);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $part `into` $dest `[` $offsets `]` attr-dict
    `:` qualified(type($part)) `into` qualified(type($dest))
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
    /// The part's extents: ones of a scalar.
    ::llvm::SmallVector<int64_t> getBox();
    /// The part's layout with which each thread has its elements in place of
    /// those that it has of the box; none where there is no such.
    ::std::optional<::tile::RegisterLayout>
    inferPartLayout(const ::tile::RegisterLayout &dest);
    /// The offsets; none where one is known at run time only.
    ::std::optional<::llvm::SmallVector<int64_t>> getConstantOffsets();
  }];
  let hasVerifier = 1;
}

def Tile_JoinOp : Tile_Op<"join", [
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "getLayoutGroups", "followsSource", "inferResultLayout",
        "inferSourceLayout", "adaptToLayouts"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, ["bufferize"]>,
    Pure]> {
  let summary = "tiles side by side";
  let description = [{
    The elements of `$parts`, one tile after the other along `axis`. Cost: none
    where each thread has as much of each part, so that its values of the result
    are those of the parts; else one trip through shared memory.

    Constraints:
    - (C1) at least one part; `axis` is a dimension of the parts.
    - (C2) all have the result's rank and element type, and its extents along
      the other dimensions; along `axis` their extents add up to it.

    Example: `%r = tile.join %t, %u axis 1 : !tile.tile<4x3xf32>, !tile.tile<4x5xf32> to !tile.tile<4x8xf32>`
  }];
  let arguments = (ins Variadic<Tile_Tile>:$parts, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $parts `axis` $axis attr-dict
    `:` qualified(type($parts)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
    /// Returns the offset of each part along the axis, and the end as the last.
    ::llvm::SmallVector<int64_t> getBegins();
    /// The layout of a part: that of the result without the others.
    /// @pre the result is in registers of a layout that a part's led to.
    ::tile::RegisterLayout getPartLayout(const ::tile::RegisterLayout &result,
                                         unsigned part);
  }];
}

def Tile_TransposeOp : Tile_Op<"transpose", [
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, [
        "getOperandPlacement", "getResultPlacement"]>,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "inferResultLayout", "inferSourceLayout", "adaptToLayouts"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, [
        "keepsStorage", "getSharedLayout", "addDemand", "bufferize"]>,
    Pure]> {
  let summary = "permute the dimensions of a tile";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the source.
    Cost: none, the elements stay where they are.

    Constraints:
    - (C1) the permutation has each dimension of the source once.
    - (C2) the result's extents are the source's, permuted; same element type.

    Example: `%u = tile.transpose %t [1, 0] : !tile.tile<8x4xf32> to !tile.tile<4x8xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
  }];
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [
    Tile_Composite,
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "inferSourceLayout", "adaptToLayouts"]>,
    Pure]> {
  let summary = "repeat a tile along dimensions of extent one";
  let description = [{
    The source's dimensions are the result's last ones, or those that `dims`
    names. Where the source has extent one, or no dimension, its elements are
    repeated. With `dims` it is composite: a `tile.reshape` and a broadcast without.

    Cost: none, or one change of layout of the source.

    Constraints:
    - (C1) the source's rank is at most the result's.
    - (C2) each extent of the source is one or the result's; same element type.
    - (C3) `dims` has a dimension of the result for each of the source, in
      ascending order.

    Examples:

    ```mlir
    %u = tile.broadcast %t : !tile.tile<1x64xf32> to !tile.tile<32x64xf32>
    %v = tile.broadcast %s dims [0] : !tile.tile<32xf32> to !tile.tile<32x64xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source)>];
  let assemblyFormat = [{
    $source (`dims` $dims^)? attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
  }];
}

def Tile_ReshapeOp : Tile_Op<"reshape", [
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "followsSource", "inferResultLayout", "inferSourceLayout",
        "adaptToLayouts"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, [
        "keepsStorage", "getSharedLayout", "addDemand", "bufferize"]>,
    Pure]> {
  let summary = "same elements in row-major order, another shape";
  let description = [{
    The element of row-major index `n` of the result is that of the source.
    Cost: none where the layouts agree, else one change of layout. Dimensions of
    extent one that it drops from a load, or adds for a store, cost nothing: the
    access becomes one with `dims` (canonicalization).

    Constraints:
    - (C1) as many elements; same element type.

    Example: `%u = tile.reshape %t : !tile.tile<32xf32> to !tile.tile<32x1xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
  }];
}

// An index may be outside, so it is not executed speculatively.
def Tile_TakeOp : Tile_Op<"take", [
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getOperandPlacement"]>,
    Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface>,
    Tile_IndexedOpInterface,
    DeclareOpInterfaceMethods<Tile_BoundsOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elements of a tile by an index along one axis";
  let description = [{
    Element (i0, ..., in) of the result is that of `$source` at the same coordinates,
    except that the coordinate along `axis` is `indices[i0, ..., in]`. `$indices` has
    the result's shape, or extent one along dimensions in which the index is the same.
    An index outside the source is undefined behaviour.

    Cost: one trip through shared memory, an element an access.

    Constraints:
    - (C1) `axis` is a dimension of the source.
    - (C2) the result has the source's extents but along `axis`, where it has
      any, and where the source has extent one, whose element is repeated; and
      its element type.
    - (C3) the indices have the result's rank, each extent the result's or one,
      and element type i8, i16, i32, i64 or index.

    Example: `%r = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>`
  }];
  let arguments = (ins Tile_Operand:$source, Tile_Tile:$indices, I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `at` $indices `axis` $axis attr-dict
    `:` qualified(type($source)) `,` qualified(type($indices))
    `to` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 12; }
    ::mlir::Value getIndexedTile() { return getResult(); }
    ::llvm::SmallVector<::mlir::OpOperand *> getIndexOperands() {
      return {&getIndicesMutable()};
    }
    bool isIndexed(int64_t dim) { return dim == int64_t(getAxis()); }
  }];
  let hasVerifier = 1;
}

def Tile_PutOp : Tile_Op<"put", [
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "getLayoutGroups", "adaptToLayouts"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, [
        "getSharedLayout", "addDemand", "bufferize"]>,
    Tile_IndexedOpInterface,
    Pure,
    AllTypesMatch<["dest", "result"]>]> {
  let summary = "a tile with elements replaced or updated by an index along one axis";
  let description = [{
    `$dest`, in which each element of `$values` where `$mask` holds has been put
    to where `tile.take` with the same indices would find it. An index outside
    the tile drops the element. Without a kind, at most one element may be put to
    each element of the tile, else it is undefined which stays; with one of
    `tile.atomic_rmw`, all of them update the element, in an order that is not
    specified: the sum of integers is the same each time, that of floating-point
    values may differ in its last bits.

    Cost: one trip through shared memory, an element an access; a kind costs an
    atomic operation there.

    Constraints:
    - (C1) `axis` is a dimension of the tile.
    - (C2) the values have the tile's extents but along `axis`, where they have
      any, and its element type.
    - (C3) the indices have the values' rank, each extent the values' or one, and
      element type i8, i16, i32, i64 or index.
    - (C4) the mask has the values' shape and element type i1.
    - (C5) a kind is one that `tile.atomic_rmw` takes for the element type, and
      not `compare_exchange`.

    Example: `%r = tile.put add %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>`
  }];
  let arguments = (ins Tile_Tile:$values, Tile_Tile:$dest, Tile_Tile:$indices,
                       I64Attr:$axis, Optional<Tile_Tile>:$mask,
                       OptionalAttr<Tile_AtomicKindAttr>:$kind);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    custom<Update>($kind, $values) `into` $dest `at` $indices `axis` $axis
    (`mask` $mask^ `:` qualified(type($mask)))? attr-dict
    `:` qualified(type($values)) `,` qualified(type($indices))
    `into` qualified(type($dest))
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getIndexedTile() { return getValues(); }
    ::llvm::SmallVector<::mlir::OpOperand *> getIndexOperands() {
      return {&getIndicesMutable()};
    }
    bool isIndexed(int64_t dim) { return dim == int64_t(getAxis()); }
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_SHAPEOPS
