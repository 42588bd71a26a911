// Shape: parts and rearrangements of tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SHAPEOPS
#define TILE_IR_SHAPEOPS

include "tile/IR/TileOpBase.td"

def Tile_ShapeGroup : OpDocGroup {
  let summary = "Shape";
  let description = [{
    Parts and rearrangements of tiles. The operations move or repeat elements, and
    compute no new ones, except for a `tile.put` with a kind.
  }];
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
    Returns the box of `$source` that starts at `$offsets` and has the result's
    shape. Along each dimension, the result's element i is the source's element
    `offset + i * step`. A step is one if `steps` is absent; a negative step reverses
    the dimension. The result's dimensions correspond to the source's last ones, and
    along the others the box has extent one. Offsets are run-time values. A box that
    reaches outside the source is undefined behaviour.

    With `steps`, or if the ranks differ, the operation is composite: a `tile.view`
    without steps, a `tile.take` along each dimension whose step is not one, and a
    `tile.reshape`.

    Cost: none if the source is in shared memory, where the result is an alias of the
    box, or if the offsets are constant and the box's elements are in the same registers
    of every thread; otherwise one trip through shared memory. Each dimension whose step
    is not one costs another trip.

    Constraints:
    - (C1) there is one offset for each dimension of the source.
    - (C2) the result's rank is at most the source's; the element types are equal.
    - (C3) along each dimension there is an offset at which the box lies inside the
      source, and a constant offset is one of these.
    - (C4) `steps`, if given, has one step for each dimension of the source; no step
      is zero.

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
    /// Returns the offsets; nothing if one of them is not constant, or if the
    /// operation is composite.
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
    Returns the element of `$source` at `$indices`, which are run-time values, as a
    scalar. All threads have the same scalar, so that it can be the bound of a loop, a
    condition or an offset. Indices outside the source are undefined behaviour (an
    error on the CPU path and the emulator).

    If the rank of the source is not 0, the operation is composite: a `tile.view` of
    one element, a `tile.reshape` to rank 0, and its `tile.extract`.

    Cost: none for a source of rank 0; otherwise the cost of the `tile.view`.

    Constraints:
    - (C1) there is one index for each dimension of the source.
    - (C2) each constant index is from 0 to the source's extent less one.

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
    Returns `$dest` with a box replaced by `$part`. The box starts at `$offsets` and
    has the shape of `$part`. Offsets may be known only at run time; if the box then
    reaches outside `$dest`, the behaviour is undefined. A `$part` that is a scalar
    replaces one element; in this form the operation is composite: a `tile.insert` of
    a `tile.fill` with extents of one.

    Cost: none if the offsets are constant and each element of the part is held by the
    same threads as the element that it replaces; otherwise one trip through shared
    memory.

    Constraints:
    - (C1) there is one offset for each dimension of `$dest`.
    - (C2) `$part` and `$dest` have the same element type, and the same rank unless
      `$part` is a scalar.
    - (C3) no extent of `$part` exceeds that of `$dest`; along each dimension, a box
      at a constant offset lies inside `$dest`.

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
    /// Returns the extents of the part; ones for a scalar.
    ::llvm::SmallVector<int64_t> getBox();
    /// Returns the layout of the part in which each thread holds the elements that
    /// replace elements which it holds of a tile of the layout `dest`; nothing if
    /// there is none.
    ::std::optional<::tile::RegisterLayout>
    inferPartLayout(const ::tile::RegisterLayout &dest);
    /// Returns the offsets; nothing if one of them is not constant, or if the
    /// operation is composite.
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
  let summary = "concatenate tiles along an axis";
  let description = [{
    Returns the elements of `$parts`, one tile after the other along `axis`.

    Cost: none if a thread's elements of the result are the elements that it holds of
    the parts; otherwise one trip through shared memory.

    Constraints:
    - (C1) there is at least one part; `axis` is a dimension of the parts.
    - (C2) each part has the result's rank and element type, and its extents along all
      dimensions but `axis`. Along `axis`, the parts' extents add up to the result's.

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
    /// Returns the offset of each part along the axis, and as last value the result's
    /// extent.
    ::llvm::SmallVector<int64_t> getBegins();
    /// Returns the layout of a part whose values are some values of the result in the
    /// layout `result`.
    /// @pre `inferResultLayout` returned `result`.
    ::tile::RegisterLayout getPartLayout(const ::tile::RegisterLayout &result,
                                         unsigned part);
  }];
}

def Tile_TransposeOp : Tile_Op<"transpose", [
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
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

    Cost: none, since no element moves.

    Constraints:
    - (C1) `permutation` has each dimension of the source once.
    - (C2) extent `i` of the result is extent `permutation[i]` of the source; the
      element types are equal.

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
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, [
        "inferSourceLayout", "adaptToLayouts"]>,
    Pure]> {
  let summary = "repeat a tile along dimensions of extent one";
  let description = [{
    Repeats the elements of the source along the dimensions of the result in which
    the source has extent one, or which it does not have. The source's dimensions
    correspond to the result's last ones, or to those that `dims` lists. With `dims`
    the operation is composite: a `tile.reshape`, and a `tile.broadcast` without
    `dims`.

    Cost: at most one layout conversion of the source.

    Constraints:
    - (C1) the source's rank is at most the result's.
    - (C2) each extent of the source is one, or that of the corresponding dimension of
      the result; the element types are equal.
    - (C3) `dims`, if given, has a dimension of the result for each dimension of the
      source, in ascending order.

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
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
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
    The element with row-major index `n` of the result is the element with row-major
    index `n` of the source.

    Cost: none if no element moves between threads; otherwise one trip through shared
    memory. A reshape that only drops dimensions of extent one from a loaded tile, or
    adds them to a tile that is stored, costs nothing: canonicalization turns the
    access into an access with `dims`.

    Constraints:
    - (C1) source and result have the same number of elements and the same element
      type.

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

// An index may be outside the source, so a take is not executed speculatively.
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
    Element (i0, ..., in) of the result is the element of `$source` with the same
    coordinates, except that its coordinate along `axis` is `indices[i0, ..., in]`.
    `$indices` has the result's shape, or extent one along dimensions in which all
    indices are the same. An index outside the source is undefined behaviour.

    Cost: one trip through shared memory, with an access for each element.

    Constraints:
    - (C1) `axis` is a dimension of the source.
    - (C2) the result has the source's rank and element type. Along `axis` it may have
      any extent. Along each other dimension it has the source's extent, or any extent
      if the source's is one, in which case the element is repeated.
    - (C3) `$indices` has the result's rank, along each dimension the result's extent
      or one, and element type i8, i16, i32, i64 or index.

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
    Returns `$dest` with elements replaced or updated by the elements of `$values` for
    which `$mask`, if given, is true. Element (i0, ..., in) of `$values` goes to the
    element of `$dest` with the same coordinates, except that the coordinate along
    `axis` is `indices[i0, ..., in]`, as in `tile.take`. If that is outside `$dest`,
    the element is dropped.

    Without a kind, a value replaces the element. At most one value may go to each
    element; otherwise it is not specified which of them remains. With a kind of
    `tile.atomic_rmw`, all values update the element, in an order that is not
    specified: a sum of integers is the same in each run, a sum of floating-point
    values may differ in its last bits.

    Cost: one trip through shared memory, with an access for each element; with a
    kind, each access is an atomic operation.

    Constraints:
    - (C1) `axis` is a dimension of `$dest`.
    - (C2) `$values` has the rank and element type of `$dest`, and its extents along
      all dimensions but `axis`; along `axis` it may have any extent.
    - (C3) `$indices` has the rank of `$values`, along each dimension the extent of
      `$values` or one, and element type i8, i16, i32, i64 or index.
    - (C4) the mask has the shape of `$values` and element type i1.
    - (C5) a kind is one that `tile.atomic_rmw` accepts for the element type, except
      `compare_exchange`.

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
